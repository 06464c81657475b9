"""Cases of the page's server: what another page, another name or an endless body can do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from tests.web.studio import FakeHolds, open_house, services
from voiceprep.web.app import create_app
from voiceprep.web.live import Patience
from voiceprep.web.protocol import SUBPROTOCOL
from voiceprep.web.security import LARGEST_BODY, TOKEN_HEADER

ORIGIN = "http://127.0.0.1:8765"
FOREIGN = ("https://evil.example", "null", "http://localhost.evil.com", "http://127.0.0.1:9", "http://127.0.0.1:8765.evil.com")
READ = ("/", "/static/js/main.js", "/api/sessions", "/api/openapi.json", "/api/sessions/x/audio/candidate", "/api/live")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Sends what our own page sends, unless a test says otherwise."""
    home = tmp_path_factory.mktemp("home")
    made = services(home, 8765, FakeHolds(home / "recordings"), Patience())
    with TestClient(create_app(made), base_url=ORIGIN) as client:
        client.headers.update({TOKEN_HEADER: made.gate.token, "origin": ORIGIN})
        yield client


@pytest.mark.parametrize(
    "path", ["/../../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/..", "/%2fetc%2fpasswd", "/..%5c..%5cx", "/%00"]
)
def test_case_113_no_address_leads_out_of_the_recordings(client: TestClient, path: str) -> None:
    for method, rest in (("GET", "/audio/candidate"), ("GET", ""), ("DELETE", "")):
        answer = client.request(method, f"/api/sessions{path}{rest}")
        assert answer.status_code in {403, 404, 405, 422}, answer.text
        assert "root:" not in answer.text


@pytest.mark.parametrize("path", ["/api/live/end", "/api/progress/time", "/api/sound-check", "/api/trash/x/restore"])
def test_case_115_another_page_s_plain_post_does_nothing(client: TestClient, path: str) -> None:
    headers = {"origin": "https://evil.example", "content-type": "text/plain"}
    answer = client.post(path, content='{"minutes": 30, "round": ""}', headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong-origin")
    assert client.post("/api/progress/time", content="{}", headers={"content-type": "text/plain"}).status_code == 415


@pytest.mark.parametrize("path", READ)
def test_case_116_a_foreign_name_is_not_answered_anywhere(client: TestClient, path: str) -> None:
    answer = client.get(path, headers={"host": "evil.example:8765"})
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong-host")


@pytest.mark.parametrize("origin", FOREIGN)
def test_case_118_a_foreign_page_gets_no_socket(client: TestClient, origin: str) -> None:
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("/ws/session", subprotocols=[SUBPROTOCOL], headers={"origin": origin}),
    ):
        raise AssertionError("it was accepted")


@pytest.mark.parametrize("origin", FOREIGN)
@pytest.mark.parametrize("method", ["OPTIONS", "GET"])
def test_case_121_no_foreign_page_may_read(client: TestClient, method: str, origin: str) -> None:
    answer = client.request(method, "/api/sessions", headers={"origin": origin})
    assert answer.status_code == 403
    assert not any(name.startswith("access-control") for name in answer.headers)


def test_case_122_too_large_is_said_before_it_is_read(client: TestClient) -> None:
    headers = {"content-type": "application/octet-stream", "content-length": str(2 * 10**9)}
    answer = client.post("/api/sound-check", content=iter([b"x"]), headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")
    whole = client.post(
        "/api/sound-check", content=bytes(LARGEST_BODY + 1), headers={"content-type": "application/octet-stream"}
    )
    assert whole.status_code == 413


async def test_case_120_a_crowd_of_sockets_without_a_token_leaves_the_server_alive(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:

        async def knock() -> int | None:
            async with house.socket() as connection:
                await connection.send("x" * 100)
                await connection.wait_closed()
                return connection.close_code

        assert set(await asyncio.gather(*(knock() for _ in range(60)))) == {4003}
        async with house.page() as page:
            await page.welcomed()
            await page.say("end")
            await page.until("saved")
