"""A model hub on this machine: enough of the protocol for the real huggingface_hub client."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class ModelHub:
    """One repository. `ranges` keeps what each download asked for: "" for all of a file."""

    def __init__(self, repository: str, content: Mapping[str, bytes]) -> None:
        self.repository = repository
        self.content = dict(content)
        self.ranges: list[str] = []
        self.address = ""

    def listing(self) -> dict[str, Any]:
        files = [
            {
                "rfilename": name,
                "size": len(data),
                "blobId": hashlib.sha1(data, usedforsecurity=False).hexdigest(),
                **({"lfs": self._large(data)} if name == "model.bin" else {}),
            }
            for name, data in self.content.items()
        ]
        return {"id": self.repository, "modelId": self.repository, "sha": COMMIT, "siblings": files, "tags": []}

    def _large(self, data: bytes) -> dict[str, Any]:
        return {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 130}

    @contextmanager
    def running(self) -> Iterator[ModelHub]:
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.address = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


def _handler(hub: ModelHub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            """Say nothing on stderr."""

        def do_HEAD(self) -> None:
            self._file(send=False)

        def do_GET(self) -> None:
            if self.path.startswith(f"/api/models/{hub.repository}"):
                body = json.dumps(hub.listing()).encode()
                self._head(200, {"Content-Type": "application/json", "Content-Length": str(len(body))})
                self.wfile.write(body)
            else:
                self._file(send=True)

        def _head(self, status: int, headers: Mapping[str, str]) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()

        def _file(self, *, send: bool) -> None:
            name = self.path.rpartition("/")[2].partition("?")[0]
            data = hub.content.get(name) if f"/{hub.repository}/resolve/" in self.path else None
            if data is None:
                self._head(404, {"X-Error-Code": "EntryNotFound", "Content-Length": "0"})
                return
            asked = self.headers.get("Range", "")
            start = int(asked.removeprefix("bytes=").partition("-")[0]) if asked else 0
            tag = hashlib.sha256(data).hexdigest()
            headers = {"ETag": f'"{tag}"', "X-Repo-Commit": COMMIT, "Content-Length": str(len(data) - start)}
            if start:
                headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
            self._head(206 if start else 200, headers)
            if not send:
                return
            hub.ranges.append(asked)
            with suppress(ConnectionError):  # a client that was interrupted hangs up
                self.wfile.write(data[start:])

    return Handler
