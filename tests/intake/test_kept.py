"""What is taken in stays with the session, is private, and can be taken away again."""

from __future__ import annotations

import json
import stat
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.intake import files
from tests.store.samples import HEADER
from voiceprep.cli import main
from voiceprep.core.events import QuestionAsked, TurnAssessed, TurnEnded, TurnStarted, Word, WordsCommitted
from voiceprep.core.units import At, Media
from voiceprep.errors import BadInputError, UsageError
from voiceprep.intake.given import Given
from voiceprep.intake.intake import as_document, from_document, take_in
from voiceprep.intake.kept import NAME, content_of, fingerprint, forget, kept
from voiceprep.store import review_file
from voiceprep.store.archive import Archive
from voiceprep.store.folder import SessionFolder


@pytest.fixture
def cv(tmp_path: Path) -> Path:
    path = tmp_path / "Jane Roe CV.txt"
    path.write_text(files.CV, encoding="utf-8")
    return path


@pytest.fixture
def job(tmp_path: Path) -> Path:
    path = tmp_path / "job.txt"
    path.write_text(files.JOB, encoding="utf-8")
    return path


def session(tmp_path: Path, given: Given | None, *, close: bool = True) -> SessionFolder:
    intake = given.intake if given else None
    folder = SessionFolder.create(tmp_path / "recordings", replace(HEADER, intake=fingerprint(intake)))
    if given is not None:
        given.keep(folder)
    if close:
        folder.close("completed")
    return folder


def test_the_claims_are_kept_and_the_files_are_not(tmp_path: Path, cv: Path, job: Path) -> None:
    given = Given.read(str(cv), str(job))
    assert given is not None
    folder = session(tmp_path, given)
    assert kept(folder.path) == given.intake
    assert stat.S_IMODE((folder.path / NAME).stat().st_mode) == 0o600
    document = json.loads((folder.path / NAME).read_text("utf-8"))
    assert document["cv"]["name"] == "Jane Roe CV.txt"
    assert len(document["cv"]["sha256"]) == 64
    assert document["claims"][0]["object"] == "the quota policy"
    assert not [path for path in folder.path.iterdir() if path.suffix == ".txt"]
    assert "BSc Physics" not in (folder.path / NAME).read_text("utf-8")


def test_copies_are_kept_where_that_was_asked_for(tmp_path: Path, cv: Path, job: Path) -> None:
    given = Given.read(str(cv), str(job), keep=True)
    assert given is not None
    folder = session(tmp_path, given)
    assert (folder.path / "cv.txt").read_text("utf-8") == files.CV
    assert stat.S_IMODE((folder.path / "job.txt").stat().st_mode) == 0o600


def test_forgetting_takes_claims_and_copies_and_leaves_the_recording(tmp_path: Path, cv: Path) -> None:
    folder = session(tmp_path, Given.read(str(cv), "", keep=True))
    assert forget(folder.path)
    assert not forget(folder.path)
    assert kept(folder.path) is None
    assert {path.name for path in folder.path.iterdir()} >= {"events.jsonl", "session.json"}
    assert not list(folder.path.glob("cv.*"))


def test_forgetting_takes_what_quotes_the_claims_too(tmp_path: Path, cv: Path) -> None:
    folder = session(tmp_path, Given.read(str(cv), ""))
    review_file.update(folder.path, {"scores": {"level": 2}, "claims": ["the quota policy"]})
    derived = folder.path / review_file.DERIVED
    derived.mkdir()
    (derived / "review-own-0.json").write_text("the quota policy", "utf-8")
    forget(folder.path)
    assert review_file.kept(folder.path) == {"scores": {"level": 2}}
    assert not derived.exists()


def test_a_running_session_forgets_nothing(tmp_path: Path, cv: Path) -> None:
    folder = session(tmp_path, Given.read(str(cv), ""), close=False)
    with pytest.raises(UsageError, match="still running"):
        forget(folder.path)
    folder.close("completed")


def test_deleting_a_session_deletes_it_all(tmp_path: Path, cv: Path) -> None:
    folder = session(tmp_path, Given.read(str(cv), "", keep=True))
    Archive(tmp_path / "recordings").delete(folder.header.id)
    assert not folder.path.exists()


def test_a_session_is_read_by_the_claims_that_were_kept(tmp_path: Path, cv: Path) -> None:
    given = Given.read(str(cv), "")
    assert given is not None
    folder = session(tmp_path, given)
    cv.unlink()
    asked = [question.id for question in content_of(folder.path, folder.header).round.questions]
    assert "cv-1" in asked
    forget(folder.path)
    assert "cv-1" not in [question.id for question in content_of(folder.path, folder.header).round.questions]


def test_an_intake_survives_its_file(cv: Path, job: Path) -> None:
    intake = take_in(cv, job)
    assert from_document(as_document(intake), "x") == intake
    assert fingerprint(intake) == fingerprint(from_document(as_document(intake), "x")) != fingerprint(take_in(cv, None))


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema": 1, "claims": [{}]}', '{"schema": 9}', "\x00"])
def test_a_damaged_intake_is_named(tmp_path: Path, cv: Path, text: str) -> None:
    folder = session(tmp_path, Given.read(str(cv), ""))
    (folder.path / NAME).write_text(text)
    with pytest.raises(BadInputError) as raised:
        kept(folder.path)
    assert raised.value.code == "bad-intake"
    assert NAME in raised.value.message


def test_nothing_given_is_nothing_taken_in() -> None:
    assert Given.read("", "") is None


def test_what_is_told_while_preparing_holds_no_word_of_the_cv(cv: Path, job: Path) -> None:
    given = Given.read(str(cv), str(job))
    assert given is not None
    assert given.told("en") == "CV: 4 claims found; job description: 6 demands, 3 not in the CV"


# --- the program ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ran:
    code: int
    stdout: str
    stderr: str


Program = Callable[..., Ran]


@pytest.fixture
def voiceprep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Program:
    def run(*arguments: str) -> Ran:
        monkeypatch.setenv("VOICEPREP_HOME", str(tmp_path / "home"))
        monkeypatch.setenv("VOICEPREP_RECORDINGS", str(tmp_path / "recordings"))
        monkeypatch.setattr(sys, "argv", ["voiceprep", *arguments])
        with pytest.raises(SystemExit) as end:
            main.run()
        assert isinstance(end.value.code, int)
        return Ran(end.value.code, *capsys.readouterr())

    return run


def test_the_command_shows_claims_demands_and_questions(voiceprep: Program, cv: Path, job: Path) -> None:
    ran = voiceprep("intake", str(cv), "--jd", str(job), "--json")
    assert ran.code == 0
    document = json.loads(ran.stdout)
    assert document["claims"][0]["text"].startswith("Designed the quota policy")
    assert document["demands"][2]["backed"] is False
    assert document["questions"][0]["texts"][0] == "You wrote that you designed the quota policy. What did you decide?"
    assert [rung["target"] for rung in document["questions"][0]["ladder"]] == ["own_decision", "tradeoff", "decision_owner"]
    page = voiceprep("intake", str(cv), "--jd", str(job))
    assert "You wrote that you designed the quota policy." in page.stdout
    assert "not in the CV" in page.stdout


def test_the_text_as_it_was_read(voiceprep: Program, cv: Path) -> None:
    assert voiceprep("intake", str(cv), "--text").stdout == files.CV


def test_a_bad_file_is_exit_4_and_nothing_is_4_or_2(voiceprep: Program, tmp_path: Path) -> None:
    (tmp_path / "scan.pdf").write_bytes(files.scanned())
    ran = voiceprep("intake", str(tmp_path / "scan.pdf"))
    assert ran.code == 4
    assert "scan.pdf" in ran.stderr
    assert "text recognition" in ran.stderr
    assert voiceprep("intake", str(tmp_path / "absent.pdf")).code == 4
    assert voiceprep("intake").code == 2
    assert voiceprep("intake", str(tmp_path / "scan.pdf"), "--lang", "fr").code == 2
    assert voiceprep("practice", "gpu-hm-screen", "--cv", str(tmp_path / "scan.pdf"), "--speaker", "none").code == 4


def test_the_command_forgets(voiceprep: Program, tmp_path: Path, cv: Path) -> None:
    folder = session(tmp_path, Given.read(str(cv), ""))
    ran = voiceprep("intake", "--forget", "latest", "--json")
    assert json.loads(ran.stdout) == {"forgotten": [folder.header.id]}
    assert kept(folder.path) is None
    assert json.loads(voiceprep("intake", "--forget", "all", "--json").stdout) == {"forgotten": []}
    assert voiceprep("intake", "--forget", "no-such").code == 2


def test_all_are_forgotten_but_the_one_that_runs(voiceprep: Program, tmp_path: Path, cv: Path) -> None:
    spoiled, live, closed = (session(tmp_path, Given.read(str(cv), ""), close=close) for close in (True, False, True))
    (spoiled.path / "events.jsonl").write_bytes(b"\xff\xfe not a log\n")
    (spoiled.path / "session.json").unlink()
    ran = voiceprep("intake", "--forget", "all", "--json")
    assert ran.code == 2
    assert "still running" in ran.stderr
    assert set(json.loads(ran.stdout)["forgotten"]) == {spoiled.header.id, closed.header.id}
    assert kept(spoiled.path) is None
    assert kept(closed.path) is None
    assert kept(live.path) is not None
    live.close("completed")


def test_no_log_of_the_program_holds_a_word_of_the_cv(voiceprep: Program, tmp_path: Path, cv: Path) -> None:
    voiceprep("intake", str(cv))
    written = [path.read_text("utf-8") for path in (tmp_path / "home").rglob("*") if path.is_file()]
    assert not any("quota" in text for text in written)


def probed(tmp_path: Path, cv: Path) -> str:
    """A session on the disk in which the first claim was asked about, and nothing came of it twice."""
    folder = session(tmp_path, Given.read(str(cv), ""), close=False)
    for turn, at in ((2, 10.0), (4, 40.0)):
        words = tuple(
            Word(text, Media(at + n), Media(at + n + 0.5), 0.9) for n, text in enumerate(["it", "was", "quite", "nice"])
        )
        for event in (
            QuestionAsked(at=At(at - 5), question="cv-1", text="You wrote that?", of=f"s{turn}"),
            TurnStarted(at=At(at), speaker="candidate", turn=turn, media=Media(at)),
            TurnAssessed(at=At(at + 6), turn=turn, completeness=0.5, evidence=()),
            WordsCommitted(at=At(at + 6), words=words, turn=turn),
            TurnEnded(at=At(at + 7), speaker="candidate", turn=turn, media=Media(at + 6), reason="yielded"),
        ):
            folder.log.append(event)
    folder.close("completed")
    return folder.header.id


def test_exports_and_replay_tell_what_became_of_the_claims(voiceprep: Program, tmp_path: Path, cv: Path) -> None:
    name = probed(tmp_path, cv)
    document = json.loads(voiceprep("export", name, "--to", "json").stdout)
    first = document["claims"][0]
    assert (first["verdict"], first["start"], first["end"]) == ("not-backed", 10.0, 46.0)
    assert first["claim"]["text"].startswith("Designed the quota policy")
    assert [each["verdict"] for each in document["claims"][1:]] == ["not-asked"] * 3
    (flag,) = (flag for flag in document["flags"] if flag["rule"] == "claim_not_backed")
    assert (flag["level"], flag["start"], flag["end"], flag["evidence"]) == ("notice", 10.0, 46.0, first["claim"]["text"])
    page = voiceprep("export", name, "--to", "markdown").stdout
    assert "## What your CV says" in page
    assert (
        "| 0:10-0:46 | Designed the quota policy for a 2,000 GPU cluster, cutting queue time by 35% | not backed up here |"
        in page
    )
    assert "3 more of its claims were not asked about." in page
    assert "Not backed up here" in voiceprep("replay", name).stdout


def test_a_session_without_a_cv_says_nothing_of_one(voiceprep: Program, tmp_path: Path) -> None:
    folder = session(tmp_path, None)
    assert "claims" not in json.loads(voiceprep("export", folder.header.id, "--to", "json").stdout)
    assert "CV" not in voiceprep("export", folder.header.id, "--to", "markdown").stdout
    assert not (folder.path / NAME).exists()
