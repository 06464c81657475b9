"""`voiceprep serve`: the page, from this machine for this machine."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Annotated

import typer

from voiceprep.cli.output import messages
from voiceprep.cli.practice import expire_sessions
from voiceprep.config import load, places
from voiceprep.web.serving import PORT, Address, listen, make_server

Host = Annotated[str, typer.Option(metavar="ADDRESS", help="Where to listen; beyond this machine it needs TLS and a password.")]
Port = Annotated[int, typer.Option(min=1, max=65_535, help="On which port.")]
Open = Annotated[bool, typer.Option("--open", help="Open the page in your browser.")]
Certificate = Annotated[Path | None, typer.Option(metavar="FILE", help="The certificate for https, PEM.")]
Key = Annotated[Path | None, typer.Option(metavar="FILE", help="Its key, PEM.")]
Name = Annotated[list[str] | None, typer.Option(metavar="NAME", help="What browsers call this machine; may be repeated.")]


def serve(
    host: Host = "127.0.0.1",
    port: Port = PORT,
    open_page: Open = False,
    certificate: Certificate = None,
    key: Key = None,
    name: Name = None,
) -> None:
    """Serve the page: practise, drill, replay and progress in your browser. Ctrl-C stops it.

    Only this machine can reach it. With --host others can, so that needs --certificate and --key and a password of at least
    12 characters in VOICEPREP_PASSWORD; browsers give no microphone without https.

    Example: voiceprep serve --open
    """
    address = Address(host, port, tuple(name or ()), certificate, key, os.environ.get("VOICEPREP_PASSWORD", ""))
    address.check()
    settings = load()  # a bad setting is told now, not to the page
    expire_sessions(places(), settings["keep_days"])
    sock = listen(address)
    try:
        server = make_server(address, places(), load)
        _say(address)
        if open_page:
            typer.launch(address.url)
        asyncio.run(server.run([sock]))
    finally:
        sock.close()


def _say(address: Address) -> None:
    messages().print(f"voiceprep is at {address.url}  (Ctrl-C stops it)", markup=False, soft_wrap=True)
