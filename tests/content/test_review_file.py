"""prompts/review.toml: complete in both languages, and refused with its place where it is not."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from voiceprep.config import data_folder
from voiceprep.content import load_rubrics
from voiceprep.content.committee import load_committee
from voiceprep.content.review import SLOTS, check_review, load_review
from voiceprep.core.events import Word
from voiceprep.core.text import has_hanzi
from voiceprep.core.units import Media, Span
from voiceprep.errors import BadInputError
from voiceprep.review.quality import Doubts, judge_transcript
from voiceprep.speech.stt.guard import Decoded, judge

SOURCES = Path(__file__).parents[2] / "voiceprep"


@pytest.fixture
def prompts(tmp_path: Path) -> Path:
    folder = tmp_path / "prompts"
    (folder / "drills").mkdir(parents=True)
    shutil.copy(data_folder("prompts") / "review.toml", folder)
    for drill in (data_folder("prompts") / "drills").glob("*.toml"):
        (folder / "drills" / drill.name).write_text("")
    return folder


def change(prompts: Path, old: str, new: str) -> str:
    path = prompts / "review.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return "\n".join(map(str, check_review(prompts)))


def test_the_shipped_file_is_whole_and_in_the_language_it_says(prompts: Path) -> None:
    assert check_review() == []
    assert check_review(prompts) == []
    texts = load_review()
    for table in texts.tables.values():
        for name, text in table.items():
            assert has_hanzi(text["zh"]), name
            assert not has_hanzi(text["en"]), name


def test_every_rule_that_a_session_runs_has_a_name_and_something_to_practise() -> None:
    texts = load_review()
    assert {rule.name for rule in load_rubrics().pacing.values()} <= set(texts.rules)


def test_drills_are_for_things_that_there_are() -> None:
    texts, committee = load_review(), load_committee()
    known = {*committee.have, *committee.lack, *texts.rules, *texts.tables["moment_advice"]}
    assert set(texts.drills) <= known
    assert set(committee.lack) <= set(texts.drills) | set(texts.rules)


def test_every_text_of_the_page_is_said_somewhere() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py") if path.name != "review.py")
    code += (SOURCES / "cli" / "review.py").read_text(encoding="utf-8")
    assert [name for name in SLOTS["page"] if not re.search(f"""["']{name}["']""", code)] == []


def test_a_text_without_its_slot_is_refused(prompts: Path) -> None:
    assert "moments.strength.en: needs {name}" in change(prompts, "remembered for you: {name}", "remembered for you: {nom}")


def test_a_text_that_is_missing_or_said_nowhere_is_refused(prompts: Path) -> None:
    assert "page.story: is missing" in change(prompts, "story = { en", "tale = { en")
    assert "page.tale: is said nowhere" in "\n".join(map(str, check_review(prompts)))


def test_a_drill_that_there_is_not_is_refused(prompts: Path) -> None:
    assert "'headline-3' is not one of" in change(prompts, '"headline-30"', '"headline-3"')
    with pytest.raises(BadInputError, match=r"prompts/review\.toml:\d+: drills"):
        load_review(prompts)


def test_what_is_filled_in_is_not_filled_in_again() -> None:
    assert load_review().say("moments", "strength", "en", name="{name}").endswith("{name}.")


def test_one_and_many() -> None:
    texts = load_review()
    assert (texts.count("flags", 1, "en"), texts.count("flags", 3, "en")) == ("one flag", "3 flags")
    assert texts.ended("", "en") == "it is not over"
    assert texts.ended("device-lost", "en") == texts.ended("other", "en")
    assert texts.rule("brand_new", "zh") == "brand new"


def test_a_name_in_letters_stands_apart_from_the_chinese_after_it() -> None:
    def scene(name: str) -> str:
        slots = {
            "interviewer": name,
            "round": "初面",
            "elapsed": "1:14",
            "answers": "3 个问题",
            "spoken": "0:38",
            "ended": "面完了",
        }
        return load_review().say("story", "scene", "zh", **slots)

    assert scene("Dana").startswith("Dana 和你")
    assert scene("李雷").startswith("李雷和你")


REASONS = (
    judge_transcript((), (), Doubts(), recognised=True).reasons,
    judge_transcript((), (Span(Media(0), Media(4)),), Doubts(), recognised=False).reasons,
    judge_transcript((), (Span(Media(0), Media(4)),), Doubts(), recognised=True).reasons,
    judge_transcript((Word("so", Media(0), Media(4), 0.1),), (Span(Media(0), Media(4)),), Doubts(), recognised=True).reasons,
    judge(Decoded((Word("so", Media(0), Media(1), 0.9),), 90, -0.2, 0.0, 1.0)).reasons,
    judge(Decoded((Word("so", Media(0), Media(1), 0.9),), 3, -3.0, 0.0, 1.0)).reasons,
    judge(Decoded(tuple(Word("so", Media(n), Media(n + 1), 0.9) for n in range(90)), 90, -0.2, 0.0, 90.0)).reasons,
)


@pytest.mark.parametrize("reason", sorted({one for reasons in REASONS for one in reasons}))
def test_every_doubt_is_told_in_both_languages(reason: str) -> None:
    texts = load_review()
    assert texts.doubt(reason, "en") == reason
    assert has_hanzi(texts.doubt(reason, "zh"))
    assert re.findall(r"[\d.]+\d", texts.doubt(reason, "zh")) == re.findall(r"[\d.]+\d", reason)


def test_a_doubt_of_somebody_else_s_is_told_as_it_is() -> None:
    assert load_review().doubt("the disk (C:) is {full}", "zh") == "the disk (C:) is {full}"
