"""Where the server listens, and what it refuses to be."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from voiceprep.errors import UsageError
from voiceprep.web.serving import Address, listen, make_server

PASSWORD = "correct horse battery"


@pytest.fixture
def pem(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate and its key."""
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    line = f"openssl req -x509 -newkey rsa:2048 -nodes -keyout {key} -out {certificate} -days 2 -subj /CN=box.local"
    subprocess.run(line.split(), check=True, capture_output=True)
    return certificate, key


class TestBeyondThisMachine:
    @pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "box.local", "10.0.0.1"])
    def test_not_without_tls_and_a_password(self, host: str, pem: tuple[Path, Path]) -> None:
        certificate, key = pem
        for address in (
            Address(host),
            Address(host, certificate=certificate, key=key),
            Address(host, password=PASSWORD),
            Address(host, certificate=certificate, key=key, password="short"),
        ):
            with pytest.raises(UsageError) as refused:
                address.check()
            assert refused.value.code == "not-closed"

    def test_with_both(self, pem: tuple[Path, Path]) -> None:
        certificate, key = pem
        address = Address("0.0.0.0", 8443, ("box.local",), certificate, key, PASSWORD)
        address.check()
        assert "https://box.local:8443" in address.origins
        assert address.url == "https://box.local:8443/"
        assert not any(origin.startswith("http:") or "0.0.0.0" in origin for origin in address.origins)

    def test_what_to_do_is_said(self) -> None:
        with pytest.raises(UsageError) as refused:
            Address("0.0.0.0").check()
        for word in ("--certificate", "VOICEPREP_PASSWORD", "https", "ssh"):
            assert word in refused.value.hint

    def test_half_a_certificate(self, pem: tuple[Path, Path]) -> None:
        with pytest.raises(UsageError) as refused:
            Address(certificate=pem[0]).check()
        assert refused.value.code == "bad-certificate"

    def test_a_certificate_that_is_none(self, tmp_path: Path, pem: tuple[Path, Path]) -> None:
        from voiceprep import config

        wrong = tmp_path / "wrong.pem"
        wrong.write_text("no certificate")
        places = config.Places(tmp_path, tmp_path / "recordings")
        with pytest.raises(UsageError) as refused:
            make_server(Address(certificate=wrong, key=pem[1]), places, config.load)
        assert refused.value.code == "bad-certificate"
        make_server(Address(certificate=pem[0], key=pem[1]), places, config.load)

    def test_this_machine_needs_nothing(self) -> None:
        for host in ("127.0.0.1", "localhost", "::1", "127.8.8.8"):
            Address(host).check()
        assert "http://[::1]:8765" in Address().origins
        assert Address(port=80).url == "http://127.0.0.1/"


def test_case_096_a_taken_port_names_the_next_free_one() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(UsageError) as refused:
            listen(Address(port=port))
        assert refused.value.code == "port-taken"
        suggested = int(refused.value.hint.rsplit(" ", 1)[1])
        listen(Address(port=suggested)).close()


def test_an_address_that_is_not_here() -> None:
    with pytest.raises(UsageError) as refused:
        listen(Address("203.0.113.7"))
    assert refused.value.code == "bad-host"


class TestTheCommand:
    """The program itself, as a user starts it."""

    def start(self, home: Path, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "voiceprep", "serve", *arguments],
            env={"VOICEPREP_HOME": str(home), "PATH": "/usr/bin:/bin", "PYTHONUNBUFFERED": "1"},
            stderr=subprocess.PIPE,
            text=True,
        )

    def test_case_058_it_says_where_it_is_answers_and_stops(self, tmp_path: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        program = self.start(tmp_path, "--port", str(port))
        try:
            assert program.stderr is not None
            assert f"http://127.0.0.1:{port}/" in program.stderr.readline()
            with socket.create_connection(("127.0.0.1", port), timeout=240) as connection:
                connection.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
                answer = b"".join(iter(lambda: connection.recv(65_536), b""))
            assert answer.startswith(b"HTTP/1.1 200")
            assert b"voiceprep-token" in answer
        finally:
            program.terminate()
            rest = program.communicate(timeout=240)[1]
        assert "Traceback" not in rest
        assert program.returncode in {0, -15, 143, 130}

    def test_open_to_others_is_wrong_usage(self, tmp_path: Path) -> None:
        program = self.start(tmp_path, "--host", "0.0.0.0")
        told = program.communicate(timeout=240)[1]
        assert program.returncode == 2
        assert "would open this server to others" in told
        assert "Traceback" not in told


def test_the_lock_names_no_address() -> None:
    lock = Path(__file__).resolve().parents[2] / "package-lock.json"
    packages = json.loads(lock.read_text("utf-8"))["packages"]
    assert packages["node_modules/wavesurfer.js"]["integrity"].startswith("sha512-")
    assert all("resolved" not in package for package in packages.values())
    assert "://" not in lock.read_text("utf-8")
