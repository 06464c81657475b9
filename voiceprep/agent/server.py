"""Which language model words the interviewer's lines, where it runs, and which key opens it."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from voiceprep.errors import UsageError

OFF = "off"
_QUOTED = {"cv": "your CV", "jd": "the job description"}
"""Settings that name files whose words the interviewer's questions hold."""
SHARED_KEY = "OPENAI_API_KEY"
"""The variable that many programs share. It is only ever given to the company that issues it, and to this machine."""


@dataclass(frozen=True, slots=True)
class Server:
    """A server that speaks the OpenAI protocol, and one of its models.

    Attributes:
        url: the base address, for most servers ending in ``/v1``.
        key_variable: name of the environment variable that holds the key. The key itself is never kept anywhere.
    """

    url: str
    model: str
    key_variable: str

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""

    @property
    def local(self) -> bool:
        """Whether it runs on this machine: then nothing leaves it."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def openai(self) -> bool:
        """Whether it is the company's own: what the environment holds for it, by names that programs share, is for it alone."""
        return self.host == "openai.com" or self.host.endswith(".openai.com")

    @property
    def name(self) -> str:
        """``qwen3:8b at localhost``: what the header and the screen call it."""
        return f"{self.model} at {self.host}"

    def leaves(self, settings: Mapping[str, Any] | Any) -> str:
        """One sentence: what leaves this machine in a session with these settings."""
        if self.local:
            return f"{self.name} words the follow-ups; nothing leaves this machine"
        files = " and ".join(name for key, name in _QUOTED.items() if str(settings[key]).strip())
        quoted = f" and what the interviewer quotes from {files}" if files else ""
        return (
            f"{self.name} words the follow-ups: the words of the conversation, yours and the interviewer's,{quoted} are sent "
            f"to {self.host}; your voice is not"
        )

    def key(self, environment: Mapping[str, str] | None = None) -> str:
        """The key, or "" where there is none: a server on this machine mostly wants none."""
        environment = os.environ if environment is None else environment
        shared = environment.get(SHARED_KEY, "") if self.local or self.openai else ""
        return environment.get(self.key_variable, "").strip() or shared.strip()


def server_of(settings: Mapping[str, Any] | Any) -> Server | None:
    """The server that the settings name, or None: off. Raises UsageError (`bad-setting`) for one that cannot be used."""
    url = str(settings["llm_url"]).strip()
    if url in {"", OFF}:
        return None
    model = str(settings["llm_model"]).strip()
    _check(url)
    if not model:
        raise UsageError(
            "a language model's server is set, but no model", code="bad-setting", hint="--llm URL#MODEL, or set llm_model"
        )
    return Server(url.rstrip("/"), model, str(settings["llm_key_variable"]).strip())


def from_argument(text: str | None) -> dict[str, str | None]:
    """``--llm URL#MODEL`` (or ``off``, or a URL alone) as values of the settings `llm_url` and `llm_model`."""
    if text is None:
        return {}
    url, _, model = text.strip().partition("#")
    if url != OFF:
        _check(url)
    return {"llm_url": url, "llm_model": model or None}


def _check(url: str) -> None:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port is None or parts.port > 0)
        usable = usable and url.isprintable() and " " not in url  # urlsplit drops line ends: it would tell another host
    except ValueError:
        usable, parts = False, urlsplit("")
    if parts.username or parts.password or parts.query:
        raise UsageError(
            "a language model's address must not hold a name, a key or a query",
            code="bad-setting",
            hint="put the key into the environment: VOICEPREP_LLM_KEY",
        )
    if not usable:
        raise UsageError(
            f"{url!r} is no language model's address",
            code="bad-setting",
            hint="like http://localhost:11434/v1#MODEL, or off",
        )
