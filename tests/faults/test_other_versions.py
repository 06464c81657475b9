"""Sessions of other versions: those of every older one open in all ways, those of a newer one are refused in plain words."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]  # ships no types
from starlette.testclient import TestClient

from tests.faults.conftest import Mortals
from tests.web.studio import FakeHolds, services
from voiceprep.core.events import AudioProgress
from voiceprep.store import log
from voiceprep.store.archive import Archive
from voiceprep.store.folder import finish
from voiceprep.store.header import SCHEMA
from voiceprep.web.app import create_app
from voiceprep.web.live import Patience
from voiceprep.web.security import TOKEN_HEADER

DATA = Path(__file__).parents[1] / "data"
ID = "2026-11-30T09-05-12-test-round"
ORIGIN = "http://127.0.0.1:8765"


def kept(recordings: Path, schema: int) -> Path:
    """A finished session of this schema."""
    folder = recordings / ID
    shutil.copytree(DATA / f"session-schema-{min(schema, SCHEMA)}", folder)
    media = max(e.media for e in log.read(folder / log.NAME).events if isinstance(e, AudioProgress))
    soundfile.write(folder / "candidate.flac", np.zeros(round(max(media, 1.0) * 16_000), np.float32), 16_000, subtype="PCM_16")
    finish(folder)
    if schema > SCHEMA:
        for name, old in ((log.NAME, f'"schema":{SCHEMA},'), ("session.json", f'"schema": {SCHEMA},')):
            text = (folder / name).read_text(encoding="utf-8")
            assert old in text
            (folder / name).write_text(text.replace(old, old.replace(str(SCHEMA), str(schema)), 1), encoding="utf-8")
    return folder


def environment(tmp_path: Path) -> dict[str, str]:
    return {"VOICEPREP_HOME": str(tmp_path / "home"), "VOICEPREP_RECORDINGS": str(tmp_path / "recordings")}


@pytest.mark.parametrize("schema", range(1, SCHEMA + 1))
def test_an_old_session_is_listed_replayed_exported_and_reviewed(mortals: Mortals, tmp_path: Path, schema: int) -> None:
    folder = kept(tmp_path / "recordings", schema)
    before = (folder / log.NAME).read_bytes()
    listed = mortals.run(argv=["sessions", "--json"], environment=environment(tmp_path))
    assert [each["id"] for each in json.loads(listed.said)["sessions"]] == [ID]
    for argv in (
        ["replay", ID],
        ["export", ID, "--to", "json"],
        ["review", ID, "--json"],
        ["annotate", ID, "--at", "0.5", "--note", "ok"],
    ):
        done = mortals.run(argv=argv, environment=environment(tmp_path))
        assert done.status == 0, done.said
    assert (folder / log.NAME).read_bytes() == before  # opened, and left as it was written


REFUSED = (
    ["replay", ID],
    ["export", ID, "--to", "markdown"],
    ["review", ID],
    ["annotate", ID, "--at", "0.5", "--note", "ok"],
    ["redecode", ID],
    ["consistency", ID],
)


def test_a_newer_session_is_refused_in_plain_words_and_left_alone(mortals: Mortals, tmp_path: Path) -> None:
    folder = kept(tmp_path / "recordings", SCHEMA + 1)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for argv in REFUSED:
        done = mortals.run(argv=argv, environment=environment(tmp_path))
        assert done.status == 4, (argv, done.said)
        assert "newer voiceprep" in " ".join(done.said.split()), (argv, done.said)
        assert "Update voiceprep" in " ".join(done.said.split())
        assert "Traceback" not in done.said
    listed = mortals.run(argv=["sessions", "--json"], environment=environment(tmp_path))
    assert listed.status == 0  # the others are there all the same
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_newer_session_that_was_interrupted_stands_in_nobodys_way(mortals: Mortals, tmp_path: Path) -> None:
    folder = kept(tmp_path / "recordings", SCHEMA + 1)
    (folder / "session.json").unlink()
    listed = mortals.run(argv=["sessions"], environment=environment(tmp_path))
    assert listed.status == 0
    assert "newer voiceprep" in " ".join(listed.said.split())
    assert not (folder / "session.json").exists()


def test_the_page_is_told_the_same(tmp_path: Path) -> None:
    made = services(tmp_path, 8765, FakeHolds(tmp_path / "recordings"), Patience())
    kept(made.places.recordings, SCHEMA + 1)
    with TestClient(create_app(made), base_url=ORIGIN, raise_server_exceptions=False) as client:
        client.headers.update({TOKEN_HEADER: made.gate.token, "origin": ORIGIN})
        assert client.get("/api/sessions").status_code == 200
        for path in ("", "/review"):
            answer = client.get(f"/api/sessions/{ID}{path}")
            assert 400 <= answer.status_code < 500, answer.text
            assert "newer voiceprep" in answer.text
            assert "newer-log" in answer.text
    assert Archive(made.places.recordings).find(ID).is_dir()
