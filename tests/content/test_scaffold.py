"""A round that was begun from the template passes every check but those for texts that are still to be written."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.content.conftest import Copy
from voiceprep.cli.rounds import rounds_app
from voiceprep.content import load_content
from voiceprep.content.scaffold import begin_round
from voiceprep.core.interviewer.director import Director, Heard
from voiceprep.errors import UsageError


def test_only_the_texts_are_missing(files: Copy) -> None:
    written = begin_round("data-platform-hm", prompts=files.prompts)
    assert [path.name for path in written] == ["data-platform-hm.toml", "data-platform-hm-interviewer.md"]
    problems = files.problems()
    assert len(problems) > 100
    assert {problem.reason for problem in problems} == {"is still to be written"}
    for problem in problems:
        path = files.root / problem.file
        assert problem.line is not None
        assert "TODO" in path.read_text(encoding="utf-8").splitlines()[problem.line - 1]


def test_topics_of_the_template_are_refused_however_they_are_written(files: Copy) -> None:
    (path,) = begin_round("second-screen", "hiring-manager", prompts=files.prompts)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("TODO", "todo"), encoding="utf-8")
    keys = {problem.key for problem in files.problems()}
    assert {"questions[0].topics.en[0]", "questions[0].topics.zh[0]"} <= keys


def test_once_they_are_written_it_is_a_round(files: Copy) -> None:
    for path in begin_round("data-platform-hm", prompts=files.prompts):
        path.write_text(path.read_text(encoding="utf-8").replace("TODO ", ""), encoding="utf-8")
    assert [str(problem) for problem in files.problems()] == []
    content = load_content("data-platform-hm", files.prompts, files.rubrics)
    assert content.round.persona.id == "data-platform-hm-interviewer"
    director = Director(content.round, content.endings, "zh", seed=1)
    assert director.open().question == "question-1"
    assert director.reply(Heard("", frozenset()), 60.0).target == "own_decision"


def test_an_interviewer_that_is_there_may_be_taken(files: Copy) -> None:
    (path,) = begin_round("second-screen", "hiring-manager", prompts=files.prompts)
    assert 'persona = "hiring-manager"' in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("round_id", "persona", "code"),
    [
        ("Data Platform", None, "bad-id"),
        ("../up", None, "bad-id"),
        ("a" * 61, None, "bad-id"),
        ("a" * 300, "hiring-manager", "bad-id"),
        ("gpu-final", None, "round-exists"),
        ("fresh", "nobody", "unknown-persona"),
    ],
)
def test_what_cannot_be_begun_is_said(files: Copy, round_id: str, persona: str | None, code: str) -> None:
    before = sorted(files.prompts.rglob("*"))
    with pytest.raises(UsageError) as refused:
        begin_round(round_id, persona, prompts=files.prompts)
    assert refused.value.code == code
    assert refused.value.hint
    assert sorted(files.prompts.rglob("*")) == before


def test_an_id_of_sixty_letters_makes_a_round(files: Copy) -> None:
    assert len(begin_round("a" * 60, prompts=files.prompts)) == 2


@pytest.mark.parametrize("name", ["rounds/dangling.toml", "personas/dangling-interviewer.md"])
def test_nothing_is_written_through_a_link(files: Copy, tmp_path: Path, name: str) -> None:
    (files.prompts / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError) as refused:
        begin_round("dangling", prompts=files.prompts)
    assert refused.value.code == "round-exists"
    assert not (tmp_path / "elsewhere").exists()


def test_the_command_says_what_it_wrote(files: Copy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voiceprep.config.CHECKOUT", files.root)
    result = CliRunner().invoke(rounds_app, ["new", "data-platform-hm"])
    assert result.exit_code == 0
    assert (files.prompts / "rounds" / "data-platform-hm.toml").exists()
    assert "data-platform-hm-interviewer.md" in result.stderr
    assert "TODO" in result.stderr
