"""Every address of the server: as its own OpenAPI document describes it, and as it does not."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tests.fuzz.door import fuzz
from tests.fuzz.mutations import of_json
from tests.web.studio import FakeHolds, services
from voiceprep.store.folder import finish
from voiceprep.web.app import api_of, create_app
from voiceprep.web.live import Patience
from voiceprep.web.security import TOKEN_HEADER
from voiceprep.web.services import Services

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed (pip install -e .[dev])")

DATA = Path(__file__).parents[1] / "data/session-schema-1"
ID = "2026-11-30T09-05-12-test-round"
ORIGIN = "http://127.0.0.1:8765"
SLOW = ("/api/doctor", "/api/devices")
"""Look at the machine, and take nothing that could be bad."""


class Door:
    """The server as its page sees it, and every address with its method as schemathesis makes requests of it."""

    def __init__(self, made: Services, client: TestClient) -> None:
        self._made, self._client = made, client
        schema = schemathesis.openapi.from_dict(api_of(made).openapi())
        found = (result.ok() for result in schema.get_all_operations())
        self.operations = [one for one in found if not one.path.startswith(SLOW)]

    def session(self) -> None:
        """There is a session, whatever was done to the last one."""
        folder = self._made.places.recordings / ID
        if not folder.is_dir():
            shutil.copytree(DATA, folder)
            finish(folder)

    def ask(self, case: Any) -> Any:
        how = case.as_transport_kwargs(base_url=ORIGIN)
        headers = {str(name): str(value) for name, value in (how.get("headers") or {}).items() if str(name).lower() != "host"}
        given = {key: how[key] for key in ("params", "json") if how.get(key) is not None}
        if (data := how.get("data")) is not None:
            given["content"] = data if isinstance(data, str | bytes) else b""
        return self._client.request(how["method"], how["url"], headers=headers, **given)

    def send(self, method: str, path: str, body: bytes) -> Any:
        return self._client.request(method, path, content=body, headers={"content-type": "application/json"})


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    home = tmp_path_factory.mktemp("home")
    made = services(home, 8765, FakeHolds(home / "recordings"), Patience())
    with TestClient(create_app(made), base_url=ORIGIN) as client:  # a defect comes through as what was raised
        client.headers.update({TOKEN_HEADER: made.gate.token, "origin": ORIGIN})
        yield Door(made, client)


def _answers(answer: Any) -> None:
    """A value, or an error in our one shape: what happened, with a code."""
    assert answer.status_code < 500 or answer.status_code == 503, answer.text[:500]
    if answer.status_code >= 400:
        told = answer.json()
        assert told["code"]
        assert told["message"]
        assert "Traceback" not in answer.text


@given(data=st.data())
@fuzz(250)
def test_requests_by_the_document(door: Door, data: st.DataObject) -> None:
    door.session()
    operation = data.draw(st.sampled_from(door.operations), label="operation")
    mode = data.draw(st.sampled_from((schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE)))
    case = data.draw(operation.as_strategy(generation_mode=mode))
    if "session" in (case.path_parameters or {}) and data.draw(st.booleans()):
        case.path_parameters["session"] = ID
    _answers(door.ask(case))


BODIES = {
    ("POST", f"/api/sessions/{ID}/annotations"): {"do": "add", "kind": "note", "start": 1.0, "end": 2.0, "text": "why?"},
    ("PATCH", f"/api/sessions/{ID}/words"): {"start": 1.0, "was": "q", "text": "queue"},
    ("POST", f"/api/sessions/{ID}/rating"): {"grade": "good"},
    ("POST", "/api/progress/time"): {"minutes": 30, "what": "books", "round": ""},
}


@given(where=st.sampled_from(sorted(BODIES)), data=st.data())
@fuzz(150)
def test_bodies_that_are_no_such_thing(door: Door, where: tuple[str, str], data: st.DataObject) -> None:
    door.session()
    _answers(door.send(*where, data.draw(of_json(BODIES[where]))))
