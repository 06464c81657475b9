"""From settings to an interviewer with a model, or to none that a session could want."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agent.fake_server import FakeServer, Reply, spoken
from voiceprep import config
from voiceprep.agent.interviewer import ModelInterviewer
from voiceprep.agent.opening import open_interviewer
from voiceprep.agent.server import from_argument
from voiceprep.content import load_content


async def opened(
    folder: Path, argument: str, reply: Reply, **settings: str
) -> tuple[ModelInterviewer | None, list[str], list[tuple[str, str]]]:
    """What comes of the settings, what was told, and what was said to be missing."""
    told: list[str] = []
    missing: list[tuple[str, str]] = []
    given = config.load({}).with_arguments(**from_argument(argument), **settings)
    model = await open_interviewer(
        given,
        config.Places(folder, folder),
        load_content("gpu-hm-screen").round,
        "en",
        told.append,
        lambda code, message: missing.append((code, message)),
        http_client=FakeServer(lambda _: reply).client(),
    )
    if model is not None:
        await model.close()
    return model, told, missing


async def test_what_leaves_is_told_with_what_is_quoted_from_the_cv(tmp_path: Path) -> None:
    model, told, missing = await opened(tmp_path, "http://model.test/v1#m", spoken("42"), cv="cv.pdf")
    assert model is not None
    assert len(told) == 1
    assert "what the interviewer quotes from your CV" in told[0]
    assert missing == []


@pytest.mark.parametrize(
    ("reply", "code"), [((401, {}), "model-key"), ((503, {}), "model-failed"), (spoken(""), "model-answer")]
)
async def test_a_model_that_cannot_be_used_is_missing(tmp_path: Path, reply: Reply, code: str) -> None:
    model, told, missing = await opened(tmp_path, "http://model.test/v1#m", reply)
    assert model is None
    assert len(told) == 1
    assert [one for one, _ in missing] == [code]
    assert missing[0][1].endswith("; the interviewer's own lines are used")


async def test_nothing_is_missing_where_none_is_wanted(tmp_path: Path) -> None:
    assert await opened(tmp_path, "off", (503, {})) == (None, [], [])
