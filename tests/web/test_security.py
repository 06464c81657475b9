"""Closed by default: what another page, another name, another user or a slow hand can do. Nothing."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from tests.web.studio import FakeHolds, open_house, services
from voiceprep.web.app import create_app
from voiceprep.web.live import Patience
from voiceprep.web.security import LARGEST_BODY, TOKEN_HEADER, Gate
from voiceprep.web.services import Services

ORIGIN = "http://127.0.0.1:8765"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Services:
    home = tmp_path_factory.mktemp("home")
    return services(home, 8765, FakeHolds(home / "recordings"), Patience())


@pytest.fixture(scope="module")
def door(made: Services) -> Iterator[TestClient]:
    """One server for all: nothing that is refused changes anything."""
    with TestClient(create_app(made), base_url=ORIGIN, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def client(door: TestClient) -> TestClient:
    """Without the cookies of the test before."""
    door.cookies.clear()
    return door


@pytest.fixture
def known(made: Services) -> dict[str, str]:
    """What our own page sends."""
    return {TOKEN_HEADER: made.gate.token, "origin": ORIGIN}


class TestHostAndOrigin:
    @pytest.mark.parametrize("host", ["evil.example", "127.0.0.1:8765.evil.example", "127.0.0.1", "127.0.0.1:8766", ""])
    @pytest.mark.parametrize("path", ["/", "/static/index.html", "/api/sessions", "/api/openapi.json", "/nowhere"])
    def test_a_name_that_is_not_ours(self, client: TestClient, known: dict[str, str], host: str, path: str) -> None:
        """So a foreign name that was made to point here (DNS rebinding) reads nothing."""
        answer = client.get(path, headers=known | {"host": host})
        assert (answer.status_code, answer.json()["code"]) == (403, "wrong-host")

    @pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "[::1]:8765"])
    def test_names_that_are_ours(self, client: TestClient, known: dict[str, str], host: str) -> None:
        assert client.get("/api/live", headers=known | {"host": host}).status_code == 200

    @pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:8765", "http://127.0.0.1:3000", ""])
    @pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "DELETE", "OPTIONS", "PUT"])
    def test_another_page(self, client: TestClient, known: dict[str, str], origin: str, method: str) -> None:
        answer = client.request(method, "/api/sessions/x", headers=known | {"origin": origin})
        assert (answer.status_code, answer.json()["code"]) == (403, "wrong-origin")
        assert not any(name.startswith("access-control") for name in answer.headers)

    @pytest.mark.parametrize("method", ["POST", "PATCH", "DELETE"])
    def test_a_change_without_an_origin(self, client: TestClient, known: dict[str, str], method: str) -> None:
        answer = client.request(method, "/api/sessions/x", headers={TOKEN_HEADER: known[TOKEN_HEADER]})
        assert answer.json()["code"] == "wrong-origin"

    def test_two_hosts(self, client: TestClient, known: dict[str, str]) -> None:
        answer = client.get("/api/live", headers=[("host", "127.0.0.1:8765"), ("host", "evil.example"), *known.items()])
        assert answer.status_code == 403


class TestToken:
    @pytest.mark.parametrize(
        "path",
        ["/api/rounds", "/api/sessions", "/api/settings", "/api/live", "/api/openapi.json", "/api/sessions/x/audio/candidate"],
    )
    def test_nothing_is_read_without_it(self, client: TestClient, path: str) -> None:
        for headers in ({}, {TOKEN_HEADER: ""}, {TOKEN_HEADER: "guessed"}, {"cookie": "voiceprep=guessed"}):
            answer = client.get(path, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (401, "no-token")

    def test_the_page_is_given_it_and_a_cookie_that_only_reads(self, client: TestClient, made: Services) -> None:
        page = client.get("/")
        assert f'<meta name="voiceprep-token" content="{made.gate.token}">' in page.text
        cookie = page.headers["set-cookie"]
        assert {"HttpOnly", "SameSite=strict", "Path=/api"} <= set(cookie.split("; "))
        assert client.get("/api/sessions").status_code == 200  # by the cookie
        answer = client.post("/api/live/end", headers={"origin": ORIGIN})
        assert (answer.status_code, answer.json()["code"]) == (401, "no-token")

    def test_each_start_has_its_own(self) -> None:
        assert len({Gate(frozenset()).token for _ in range(20)}) == 20
        assert len(Gate(frozenset()).token) >= 40

    def test_it_is_in_no_repr(self) -> None:
        gate = Gate(frozenset(), password="a long password")
        assert gate.token not in repr(gate)
        assert "long" not in repr(gate)


class TestBodies:
    @pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""])
    def test_what_a_plain_form_can_send_changes_nothing(self, client: TestClient, known: dict[str, str], kind: str) -> None:
        body = '{"minutes": 30, "round": ""}'
        answer = client.post("/api/progress/time", content=body, headers=known | {"content-type": kind})
        assert (answer.status_code, answer.json()["code"]) == (415, "wrong-type")

    def test_too_much(self, client: TestClient, known: dict[str, str]) -> None:
        headers = known | {"content-type": "application/octet-stream"}
        answer = client.post("/api/sound-check", content=bytes(LARGEST_BODY + 2), headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (413, "too-large")

    async def test_too_much_without_saying_so(self, tmp_path: Path) -> None:
        """In pieces, with no length: it is cut off where it gets too long, and never held in memory."""
        async with open_house(tmp_path) as house:
            reader, writer = await asyncio.open_connection("127.0.0.1", house.address.port)
            head = [
                "POST /api/sound-check HTTP/1.1",
                f"Host: 127.0.0.1:{house.address.port}",
                f"Origin: {house.origin}",
                f"{TOKEN_HEADER}: {house.token}",
                "Content-Type: application/octet-stream",
                "Transfer-Encoding: chunked",
            ]
            writer.write(("\r\n".join(head) + "\r\n\r\n").encode())
            async with asyncio.timeout(60):
                assert LARGEST_BODY <= await poured(reader, writer) < 10 * LARGEST_BODY  # some lies in the buffers of the way
            writer.close()


async def poured(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
    """Send a body of a hundred megabytes in pieces, as long as the server takes them; how many bytes it took."""
    taken, piece = 0, bytes(0x40000)
    with contextlib.suppress(ConnectionError):
        while taken < 400 * len(piece) and not reader.at_eof():
            writer.write(b"40000\r\n" + piece + b"\r\n")
            await writer.drain()
            taken += len(piece)
    return taken


class TestPaths:
    @pytest.mark.parametrize(
        "path",
        [
            "/static/../security.py",
            "/static/%2e%2e/security.py",
            "/static/..%2fsecurity.py",
            "/static//etc/passwd",
            "/vendor/wavesurfer/../../package.json",
            "/vendor/wavesurfer/%2e%2e/%2e%2e/package.json",
            "/api/sessions/..%2f..%2fetc%2fpasswd",
            "/api/sessions/%2e%2e/audio/candidate",
            "/api/sessions/.deleted-x/audio/candidate",
            "/api/sessions/x/audio/..%2fevents.jsonl",
            "/api/sessions/x/export/..%2f..%2fx",
            "/api/rounds/..%2fpersonas%2fx",
            "/api/sessions/a%00b",
            "/api/sessions/..%5c..%5cetc",
            "/api/sessions/x/export/..%5cpdf",
            "/api/sessions/x/export/pdf%00.html",
            "/api/sessions/x/export/html%2f..%2fjson",
            "/static/js/%2e%2e/%2e%2e/security.py",
            "/static/..%5csecurity.py",
            "/api/sessions/" + "a" * 300,
        ],
    )
    def test_nothing_outside_is_named(self, client: TestClient, known: dict[str, str], path: str) -> None:
        answer = client.get(path, headers=known)
        assert answer.status_code in {404, 422}, path
        assert "root:" not in answer.text

    def test_a_link_in_the_recordings_is_no_session(self, client: TestClient, made: Services, known: dict[str, str]) -> None:
        elsewhere = made.places.home / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / "events.jsonl").write_text("secret")
        (made.places.recordings / "linked").symlink_to(elsewhere)
        assert client.get("/api/sessions/linked", headers=known).status_code == 404


class TestHeaders:
    @pytest.mark.parametrize("path", ["/", "/static/js/main.js", "/api/live", "/api/sessions/x", "/nowhere"])
    def test_on_every_answer(self, client: TestClient, known: dict[str, str], path: str) -> None:
        headers = client.get(path, headers=known).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        rules = dict(rule.split(" ", 1) for rule in headers["content-security-policy"].split("; "))
        assert rules["default-src"] == "'none'"
        assert rules["script-src"] == rules["connect-src"] == "'self'"
        assert rules["frame-ancestors"] == rules["base-uri"] == rules["form-action"] == "'none'"
        assert "unsafe" not in headers["content-security-policy"]
        assert not re.search(r"https?:", headers["content-security-policy"])

    def test_a_nonce_for_styles_on_the_page_alone_and_new_each_time(self, client: TestClient, known: dict[str, str]) -> None:
        pages = [client.get("/") for _ in range(2)]
        nonces = []
        for page in pages:
            (nonce,) = re.findall(r'<meta name="voiceprep-nonce" content="([^"]+)">', page.text)
            assert f"style-src 'self' 'nonce-{nonce}'" in page.headers["content-security-policy"]
            nonces.append(nonce)
        assert nonces[0] != nonces[1]
        assert "nonce" not in client.get("/api/live", headers=known).headers["content-security-policy"]

    def test_the_page_has_nothing_inline_and_nothing_from_elsewhere(self, client: TestClient) -> None:
        text = client.get("/").text
        assert not re.search(r"<script(?![^>]*\bsrc=)", text)
        assert not re.search(r"<style|\sstyle=|\son\w+=", text)
        assert not re.search(r"""(src|href)=["']?(https?:)?//""", text)


class TestPassword:
    @pytest.fixture
    def locked(self, made: Services) -> TestClient:
        locked = replace(made, gate=replace(made.gate, password="correct horse battery"))
        return TestClient(create_app(locked), base_url=ORIGIN)

    def test_asked_for_everything(self, locked: TestClient, known: dict[str, str]) -> None:
        for path in ("/", "/static/js/main.js", "/api/live"):
            answer = locked.get(path, headers=known)
            assert (answer.status_code, answer.json()["code"]) == (401, "no-password")
            assert answer.headers["www-authenticate"].startswith("Basic ")
        for wrong in ("", "correct horse batter", "Correct horse battery"):
            assert locked.get("/", auth=("me", wrong)).status_code == 401
        assert locked.get("/", headers={"authorization": "Basic ???"}).status_code == 401
        assert locked.get("/", auth=("me", "correct horse battery")).status_code == 200
        assert locked.get("/api/live", headers=known, auth=("", "correct horse battery")).status_code == 200

    def test_the_token_is_still_needed(self, locked: TestClient) -> None:
        assert locked.get("/api/live", auth=("me", "correct horse battery")).json()["code"] == "no-token"


class TestSocket:
    async def test_another_page_or_name_gets_no_socket(self, tmp_path: Path) -> None:
        async with open_house(tmp_path) as house:
            evil = Origin("http://evil.example")
            for how in ({"origin": evil}, {"origin": None}, {"name": "evil.example", "origin": evil}):
                with pytest.raises(InvalidStatus) as failed:
                    async with house.socket(**how):
                        pass
                assert failed.value.response.status_code == 403

    async def test_a_connection_that_says_nothing_is_closed(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("voiceprep.web.serving.REQUEST_WITHIN", 0.05)
        async with open_house(tmp_path) as house:
            for said in (b"", b"GET / HTTP/1.1\r\nHost: 127."):
                reader, writer = await asyncio.open_connection("127.0.0.1", house.address.port)
                writer.write(said)
                async with asyncio.timeout(20):
                    assert await reader.read() == b""
                writer.close()

    async def test_a_page_may_take_its_time_between_requests(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The limit is for the first request: an open socket outlives it."""
        within = 2.0
        monkeypatch.setattr("voiceprep.web.serving.REQUEST_WITHIN", within)
        async with open_house(tmp_path) as house, house.page() as page:
            await page.welcomed()
            late = asyncio.Event()  # the limit itself is what is waited for: by then it has passed
            asyncio.get_running_loop().call_later(within + 0.1, late.set)
            await late.wait()
            await page.say("end")
            await page.until("saved")


async def test_nothing_of_what_is_asked_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)
    async with open_house(tmp_path) as house, house.page() as page:
        await page.welcomed()
        await page.say("note", text="I was fired from Initech")
        await page.until("note_added")
        await page.connection.send('{"kind": "note", "text": ["I was fired from Initech"]}')
        await page.closed()
    lines = "\n".join(record.getMessage() for record in caplog.records if record.name.split(".")[0] in {"voiceprep", "uvicorn"})
    assert "Initech" not in lines
    assert house.token not in lines
