"""Questions about a CV in the shipped rounds: where they stand, what they say, and that they can be said."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from tests.intake import files
from voiceprep.content import load_content, load_rounds, load_rubrics
from voiceprep.content.fields import EnPhrase, ZhPhrase
from voiceprep.core.events import Language
from voiceprep.core.interviewer.director import Director, Heard
from voiceprep.core.pack import Line, Point, RoundPack, tongue_of
from voiceprep.intake.claims import find_claims
from voiceprep.intake.demands import backed, find_demands
from voiceprep.intake.intake import Intake, Origin
from voiceprep.intake.lexicon import load_lexicon
from voiceprep.intake.probing import augmented, probes, unasked
from voiceprep.intake.ranking import ranked

LEXICON = load_lexicon()
CHECKS = {"en": TypeAdapter(EnPhrase), "zh": TypeAdapter(ZhPhrase)}
CV_ORIGIN = Origin(name="cv.txt", sha256="0" * 64)
ROUNDS = load_rounds()


def taken(cv: str, job: str = "") -> Intake:
    demands = backed(find_demands(job.splitlines(), LEXICON), cv.splitlines(), LEXICON)
    claims = ranked(find_claims(cv.splitlines(), LEXICON), demands, LEXICON)
    return Intake(cv=CV_ORIGIN if cv else None, claims=claims, demands=demands)


def lines_of(points: tuple[Point, ...]) -> Iterator[Line]:
    for point in points:
        yield point.line
        yield from lines_of(point.chain)


def said(intake: Intake, language: Language) -> list[str]:
    spoken = [(probe.question.line, *lines_of(probe.question.points)) for probe in probes(intake, language, LEXICON)]
    return [text for lines in spoken for line in lines for text in line.phrasings[tongue_of(language)]]


def test_the_claim_is_asked_about_in_its_own_words() -> None:
    first = probes(taken(files.CV), "en", LEXICON)[0]
    assert first.question.line.phrasings["en"][0] == "You wrote that you designed the quota policy. What did you decide?"
    chinese = probes(taken(files.CV_ZH), "zh", LEXICON)[0]
    assert chinese.question.line.phrasings["zh"][0] == "你简历上写主导设计多租户公平调度机制，这里面你定了什么？"


def first_lines(cv: str, job: str, language: Language) -> dict[str, str]:
    asked = probes(taken(cv, job), language, LEXICON)
    return {probe.of: probe.question.line.phrasings[tongue_of(language)][0] for probe in asked}


def test_a_duty_is_asked_about_in_a_whole_sentence() -> None:
    job = "You will\n- Own the roadmap for scheduling\nRequirements\n- Experience with Kubernetes or Slurm"
    assert first_lines("", job, "en")["job-1"] == "In this seat you would own the roadmap. Where have you done that yourself?"
    chinese = first_lines("", job, "zh")
    assert chinese["job-1"] == "岗位描述里写着 own the roadmap，你自己在哪儿做过？"
    assert chinese["job-2"] == "这个岗位要 Kubernetes or Slurm，你自己在哪儿做过？"


@pytest.mark.parametrize(
    ("line", "figure"),
    [
        ("制定了 2400 张 GPU 的配额策略", "2400"),
        ("将排队时间中位数从 9 小时降到 2 小时", "from 9 to 2 hours"),
        ("将利用率从 60% 提升到 85%", "from 60% to 85%"),
        ("节省成本 300 万元", "3 million yuan"),
    ],
)
def test_of_a_chinese_claim_its_figure_is_asked_about_in_english(line: str, figure: str) -> None:
    for language in ("en", "mixed"):
        asked = first_lines(f"- {line}", "", language)
        assert asked["cv-1"] == f"There's a figure in your CV: {figure}. What stands behind it, and what did you decide?"


def test_a_claim_that_is_not_asked_about_has_a_reason() -> None:
    (claim,) = taken("- 参与了调度平台的搭建").claims
    assert "Chinese" in unasked(claim, "en")


@pytest.mark.parametrize(
    ("cv", "language", "asking"),
    [
        ("- Designed the quota policy", "en", "decided"),
        ("- Participated in the migration", "en", "part"),
        ("- Cut the queue time by 35%", "en", "figure"),
        ("- Cut the queue time from 40 minutes to 12 minutes", "en", "moved"),
        ("- 将推理成本降低了20%", "en", "unsaid"),
        ("- 将推理成本降低了20%", "zh", "figure"),
        ("- 参与调度平台迁移", "zh", "part"),
    ],
)
def test_what_is_asked_follows_from_what_is_claimed(cv: str, language: Language, asking: str) -> None:
    assert [probe.asking for probe in probes(taken(cv), language, LEXICON)] == [asking]


def test_an_english_interviewer_says_no_chinese_and_a_chinese_one_says_english_names() -> None:
    assert not any(re.search("[一-鿿]", text) for text in said(taken(files.CV_ZH, files.JOB_ZH), "en"))
    assert "简历上写参与 migration，哪一块是你的？" in said(taken("- Participated in the migration"), "zh")


def test_what_the_job_wants_and_the_cv_lacks_is_asked_about() -> None:
    found = probes(taken(files.CV, files.JOB), "en", LEXICON)
    assert [probe.of for probe in found][:4] == ["cv-1", "cv-2", "job-3", "cv-3"]
    assert found[2].question.line.phrasings["en"][0] == "The job asks for Slurm and Ray. Where have you done that yourself?"
    assert [probe.of for probe in probes(taken("", files.JOB), "en", LEXICON)] == ["job-2", "job-3", "job-4", "job-6"]


def test_every_ladder_goes_for_the_decision_the_trade_off_the_figure_and_the_owner() -> None:
    vocabulary = {detector.id for detector in load_rubrics().detectors}
    found = probes(taken(files.CV, files.JOB), "en", LEXICON)
    assert {probe.asking for probe in found} >= {"decided", "led", "part", "moved", "gap"}
    for probe in found:
        top = probe.question.points[0]
        targets = {point.target for point in (*probe.question.points, *top.chain)}
        assert targets <= vocabulary
        assert {"own_decision", "tradeoff", "decision_owner"} <= targets
        assert len(top.chain) >= 2
        assert ("number" in targets) == ("team" not in probe.question.line.phrasings["en"][0])


THINGS = st.lists(
    st.one_of(
        st.text(max_size=30),
        st.sampled_from(
            [
                "the",
                "quota",
                "policy",
                "of",
                "a",
                "scheduler",
                "platform",
                "for",
                "GPUs",
                "and",
                "35%",
                "负责",
                "配额策略",
                "的设计与落地",
                "{object}",
                "？",
                "!",
                "\x00",
            ]
        ),
    ),
    max_size=14,
).map(" ".join)


@settings(deadline=None, max_examples=120)
@given(
    st.lists(THINGS, max_size=5), st.sampled_from(["Designed", "Led", "Cut", "Participated in", "负责", "主导设计了", "参与"])
)
def test_whatever_a_cv_claims_every_line_about_it_can_be_said(things: list[str], verb: str) -> None:
    lines = [f"- {verb} {thing}" for thing in things]
    demands = find_demands(["Requirements", *lines], LEXICON)
    intake = Intake(cv=CV_ORIGIN, claims=ranked(find_claims(lines, LEXICON), demands, LEXICON), demands=demands)
    for language in ("en", "zh"):
        for text in said(intake, language):
            CHECKS[language].validate_python(text)
            assert "{" not in text


# --- in a round ----------------------------------------------------------------------------------------------------------


def test_the_screen_asks_about_this_cv_and_not_about_the_usual_one() -> None:
    pack = augmented(ROUNDS["gpu-hm-screen"], taken(files.CV, files.JOB), "en", LEXICON)
    asked = [(question.section, question.id) for question in pack.questions]
    assert asked[:4] == [
        ("background", "recent-project"),
        ("background", "cv-2"),
        ("core-project", "cv-1"),
        ("core-project", "job-3"),
    ]
    assert "cv" not in {question.kind for question in pack.questions}
    assert {"claim", "gap"} <= {question.kind for question in pack.questions}


@pytest.mark.parametrize("name", ROUNDS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_shipped_round_stays_whole(name: str, language: Language) -> None:
    before = ROUNDS[name]
    pack = augmented(before, taken(files.CV + files.CV_ZH, files.JOB), language, LEXICON)
    kept = [question.id for question in pack.questions if question.kind not in {"claim", "gap"}]
    assert kept == [question.id for question in before.questions if question.kind != "cv" or question.id in kept]
    kinds = {question.kind for question in before.questions}
    added = len(pack.questions) - len(kept)
    assert (added > 0) == bool(kinds & {"cv", "project", "story"})
    assert added <= LEXICON.file.places.most
    ids = [point for question in pack.questions for point in point_ids(question.points)]
    assert len(ids) == len(set(ids)) or len(set(ids)) == len(set(point_ids_of(before))) + 6 * added
    assert pack.questions[0] == before.questions[0]


def point_ids(points: tuple[Point, ...]) -> list[str]:
    return [each for point in points for each in (point.id, *point_ids(point.chain))]


def point_ids_of(pack: RoundPack) -> list[str]:
    return [each for question in pack.questions for each in point_ids(question.points)]


def test_without_anything_to_ask_the_round_is_as_it_was_but_for_what_speaks_of_another_cv() -> None:
    before = ROUNDS["gpu-hm-screen"]
    assert augmented(before, taken(""), "en", LEXICON) == before
    after = augmented(before, taken("Nothing that anybody did is written here."), "en", LEXICON)
    assert [q.id for q in after.questions] == [q.id for q in before.questions if q.kind != "cv"]
    assert after.sections == before.sections


def test_one_claim_opens_a_section_of_its_own_however_the_others_are_drawn() -> None:
    for name, pack in ROUNDS.items():
        after = augmented(pack, taken("- Designed the quota policy"), "en", LEXICON)
        for section in after.sections:
            own = [question for question in after.questions if question.section == section.id]
            if "cv-1" in [question.id for question in own]:
                assert section.order == "given", name
                assert own[0 if section is not after.sections[0] else 1].id == "cv-1", name


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_director_asks_and_goes_down_the_ladder(language: Language) -> None:
    content = load_content("gpu-hm-screen")
    pack = augmented(content.round, taken(files.CV if language == "en" else files.CV_ZH), language, LEXICON)
    director = Director(pack, content.endings, tongue_of(language), 3)
    texts = [director.open().text]
    asked: dict[str, list[str]] = {}
    for minute in range(1, 40):
        choice = director.reply(
            Heard("it was fine and everybody was happy with how it went in the end, as far as I remember", frozenset()),
            minute * 30.0,
        )
        texts.append(choice.text)
        asked.setdefault(choice.question, []).append(choice.target)
    assert "own_decision" in asked["cv-1"]
    assert len(asked["cv-1"]) >= 4
    assert len(set(texts[:15])) == len(texts[:15])
