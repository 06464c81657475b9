"""`voiceprep loop`, through the program's own entry point, with the loops that are shipped."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from tests.fakes.interview import header, hold, in_turn, keep
from tests.intake.files import CV
from tests.intake.test_probing import taken
from voiceprep.cli import main
from voiceprep.content import load_content
from voiceprep.content.lenses import held_as
from voiceprep.core.events import Language
from voiceprep.core.timeline import fold
from voiceprep.intake.kept import encoded, fingerprint
from voiceprep.intake.probing import with_intake
from voiceprep.live.passages import held_content
from voiceprep.live.plan import Plan, Result
from voiceprep.review.verdict import findings
from voiceprep.store.archive import Archive

RUN = "gpu-20261201-090000"
VAGUE = "Well there were many things going on back then and we all worked on it together and it went really well in the end."
VAGUE_ZH = "当时事情挺多的，大家一起做，做着做着就做完了，最后效果也还可以，反正就是这样。"


@dataclass(frozen=True)
class Ran:
    code: int
    stdout: str
    stderr: str

    @property
    def document(self) -> Any:
        return json.loads(self.stdout)


Program = Callable[..., Ran]


@pytest.fixture
def recordings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "录音 (1)"
    place.mkdir()
    monkeypatch.setenv("VOICEPREP_RECORDINGS", str(place))
    monkeypatch.setenv("VOICEPREP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "160")
    return place


@pytest.fixture
def voiceprep(recordings: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Program:
    def run(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["voiceprep", *arguments])
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main.run()
        assert isinstance(end.value.code, int)
        ran = Ran(end.value.code, *capsys.readouterr())
        assert "Traceback" not in ran.stderr
        return ran

    return run


def held(
    recordings: Path, number: int, round_id: str, *, day: int = 1, answers: int = 8, language: Language = "en", **more: object
) -> str:
    """A weak round of the shipped loop, on paper."""
    head = header(
        round_id,
        load_content(round_id).round.persona.id,
        f"2026-12-{day:02}T09:00:00Z",
        language=language,
        loop="gpu",
        loop_run=RUN,
        loop_round=number,
        **more,
    )
    said = VAGUE_ZH if language == "zh" else VAGUE
    content = held_as(load_content(round_id), head.severity)
    return keep(recordings, head, hold(content, in_turn([said] * answers), language))


def test_a_round_is_judged_by_the_questions_that_were_asked_in_it(recordings: Path) -> None:
    """A claim of the CV that was probed is a question of that session; a damaged intake costs no more than that."""
    intake = taken(CV)
    content = with_intake(held_as(load_content("gpu-hm-screen"), 1), intake, "en")
    log = hold(content, in_turn([VAGUE] * 20))
    head = header("gpu-hm-screen", content.round.persona.id, "2026-12-01T09:00:00Z", severity=1, intake=fingerprint(intake))
    name = keep(recordings, head, log)
    (recordings / name / "intake.json").write_bytes(encoded(intake))
    stored, events = Archive(recordings).read(name)
    judged = findings(stored, list(events), held_content(recordings, stored))
    assert "cv-1" in {topic.question for topic in judged.topics}
    (recordings / name / "intake.json").write_text("{")
    again = findings(stored, list(events), held_content(recordings, stored))
    assert {topic.question for topic in again.topics} == {topic.question for topic in judged.topics} - {
        question.id for question in content.round.questions if question.id.startswith("cv-")
    }


@dataclass
class Stage:
    """Stands where the microphone and the models would: writes down which plan was to be held."""

    recordings: Path
    plans: list[Plan] = field(default_factory=list)
    settings: list[Any] = field(default_factory=list)
    answers: int = 8

    async def practise(self, plan: Plan, settings: Any, *_: Any, **__: Any) -> Result:
        self.plans.append(plan)
        self.settings.append(settings)
        seat = plan.seat
        assert seat is not None
        name = keep(
            self.recordings,
            header(
                plan.round,
                load_content(plan.round).round.persona.id,
                f"2026-12-{9 + seat.number:02}T09:00:00Z",
                severity=plan.severity,
                lens=plan.lens,
                loop=seat.loop,
                loop_run=seat.run,
                loop_round=seat.number,
            ),
            hold(held_as(load_content(plan.round), plan.severity, plan.lens), in_turn([VAGUE] * self.answers)),
        )
        return Result(name, self.recordings / name, "audio-ended")


@pytest.fixture
def stage(recordings: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    made = Stage(recordings)
    monkeypatch.setattr("voiceprep.live.practice.practise", made.practise)
    return made


def test_the_loops_are_listed(voiceprep: Program) -> None:
    ran = voiceprep("loop", "--json")
    assert ran.code == 0
    found = {row["id"]: row for row in ran.document["loops"]}
    assert len(found["gpu"]["rounds"]) == 5
    assert len(found["anyscale"]["rounds"]) == 4
    assert ran.document["runs"] == []
    assert "gpu-hm-screen → gpu-technical" in voiceprep("loop").stdout


def test_start_and_next_hold_rounds_by_the_practice_command_with_its_options(voiceprep: Program, stage: Stage) -> None:
    first = voiceprep("loop", "start", "gpu", "--demo", "--lang", "en", "--speaker", "none", "--mode", "exam")
    assert first.code == 0, first.stderr
    assert "round 2, gpu-technical, the bar raised by 1" in first.stderr
    second = voiceprep("loop", "next", "--demo", "--speaker", "none", "--lens", "databricks", "--json")
    assert second.code == 0, second.stderr
    assert second.document["session"].endswith("gpu-technical")
    one, two = stage.plans
    assert (one.round, one.severity, one.lens, one.demo) == ("gpu-hm-screen", 0, "", True)
    assert stage.settings[0]["mode"] == "exam"
    assert (two.round, two.severity, two.lens) == ("gpu-technical", 1, "databricks")
    assert one.seat is not None
    assert two.seat is not None
    assert (one.seat.run, one.seat.number) == (two.seat.run, two.seat.number - 1)
    status = voiceprep("loop", "status", "--json").document
    assert status["next"] == {"number": 3, "round": "gpu-product-sense", "severity": 2}


def test_a_round_in_which_too_little_was_heard_is_to_be_held_again(voiceprep: Program, stage: Stage) -> None:
    stage.answers = 1
    first = voiceprep("loop", "start", "gpu", "--demo", "--lang", "en", "--speaker", "none")
    assert "Round 1 ended before enough was heard to judge it" in first.stderr
    assert "loop next (round 1" in first.stderr
    stage.answers = 8
    second = voiceprep("loop", "next", "--demo", "--lang", "en", "--speaker", "none")
    assert "before enough was heard" not in second.stderr
    assert "loop next (round 2" in second.stderr


def test_an_option_adds_to_the_severity_a_loop_has_earned_and_takes_nothing_away(
    voiceprep: Program, stage: Stage, recordings: Path
) -> None:
    held(recordings, 1, "gpu-hm-screen")
    assert voiceprep("loop", "next", "--demo", "--speaker", "none", "--severity", "0", "--json").code == 0
    assert stage.plans[-1].severity == 1


def test_the_picture(voiceprep: Program, recordings: Path) -> None:
    held(recordings, 1, "gpu-hm-screen")
    ran = voiceprep("loop", "status")
    assert ran.code == 0
    lines = ran.stdout.splitlines()
    (first,) = (line for line in lines if "gpu-hm-screen" in line)
    (second,) = (line for line in lines if "gpu-technical" in line)
    assert re.search(r"2026-12-01 +●○○ +weak", first)
    assert "not held yet" in second
    assert "▲ bar raised" in second
    assert "门槛抬高" in voiceprep("loop", "status", "--lang", "zh").stdout


def test_the_debrief_everywhere_says_the_same(voiceprep: Program, recordings: Path, tmp_path: Path) -> None:
    session = held(recordings, 1, "gpu-hm-screen")
    document = voiceprep("loop", "debrief", "--json").document
    (note,) = document["notes"]
    text = note["sentence"]
    evidence = [*note["evidence"], *(item for label in document["blocking"] for item in label["evidence"])]
    assert note["mark"] == "weak"
    assert note["interviewer"]["name"].startswith("Dana")
    assert document["practise"]
    page = tmp_path / "out" / "page.md"
    page.parent.mkdir()
    assert voiceprep("loop", "debrief", "--to", "markdown", "-o", str(page)).code == 0
    written = page.read_text(encoding="utf-8")
    assert text in written
    assert evidence
    for item in evidence:
        assert item["quote"] in written
    links = re.findall(r"\]\(<([^#>]+)#t=([\d.]+)>\)", written)
    assert len(links) == len(evidence)
    for link, at in links:
        assert (page.parent / unquote(link)).resolve() == (recordings / session / "candidate.flac").resolve()
        assert any(float(at) == pytest.approx(item["start"], abs=0.06) for item in evidence)
    assert text in voiceprep("loop", "debrief").stdout
    again = voiceprep("loop", "debrief", "--to", "markdown", "-o", str(page))
    assert (again.code, "exists" in again.stderr) == (2, True)


def test_a_chinese_round_and_a_chinese_page(voiceprep: Program, recordings: Path) -> None:
    held(recordings, 1, "gpu-hm-screen", language="zh")
    document = voiceprep("loop", "debrief", "--lang", "zh", "--json").document
    (note,) = document["notes"]
    assert note["mark"] == "weak"
    assert re.search("[一-鿿]", note["sentence"])
    page = voiceprep("loop", "debrief", "--lang", "zh", "--to", "markdown").stdout
    assert "# 委员会复盘" in page
    said = fold(Archive(recordings).read(note["session"])[1]).text
    assert note["evidence"]
    assert all(item["quote"] in said and item["quote"] in page for item in note["evidence"])


def test_deleting_says_what_goes_with_it(voiceprep: Program, recordings: Path) -> None:
    first = held(recordings, 1, "gpu-hm-screen")
    held(recordings, 2, "gpu-technical", day=2, severity=1)
    asked = voiceprep("delete", first, "--yes")
    assert asked.code == 0
    assert "round 1 of your loop gpu-20261201-090000" in asked.stderr
    assert "bar it raised" in asked.stderr
    status = voiceprep("loop", "status", "--json").document
    assert [row["state"] for row in status["rounds"][:2]] == ["deleted", "held"]
    assert status["next"]["number"] == 1
    assert "session is gone" in voiceprep("loop", "debrief", "--to", "markdown").stdout


def test_what_is_wrong_is_said_in_a_line(voiceprep: Program, recordings: Path) -> None:
    for arguments, words in (
        (("loop", "next"), "no loop was begun"),
        (("loop", "start", "nope"), "there is no loop 'nope'"),
        (("loop", "start", "gpu", "--bogus"), "No such option: --bogus"),
        (("loop", "debrief"), "no loop was begun"),
        (("practice", "gpu-technical", "--lens", "acme", "--demo"), "there is no lens 'acme'"),
    ):
        ran = voiceprep(*arguments)
        assert (ran.code, words in ran.stderr) == (2, True), (arguments, ran.stderr)
    held(recordings, 1, "gpu-hm-screen")
    for arguments, words in (
        (("loop", "debrief", "--lang", "fr"), "neither en nor zh"),
        (("loop", "debrief", "--to", "pdf"), "no format 'pdf'"),
        (("loop", "status", "--run", "anyscale"), "no loop 'anyscale' was begun"),
    ):
        ran = voiceprep(*arguments)
        assert (ran.code, words in ran.stderr) == (2, True), (arguments, ran.stderr)


def test_after_the_last_round_there_is_no_next(voiceprep: Program, recordings: Path) -> None:
    rounds = ("gpu-hm-screen", "gpu-technical", "gpu-product-sense", "gpu-bar-raiser", "gpu-final")
    for number, name in enumerate(rounds, start=1):
        held(recordings, number, name, day=number)
    ran = voiceprep("loop", "next")
    assert (ran.code, "every round" in ran.stderr) == (2, True)
    assert voiceprep("loop", "debrief", "--json").document["decision"] == "no_hire"
