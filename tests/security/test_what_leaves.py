"""What leaves the machine is off until the user turns it on, and then it is said; docs/security.md names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from voiceprep import config
from voiceprep.agent.server import server_of
from voiceprep.config import Settings
from voiceprep.web.catalogue import sends_to

REPO = Path(__file__).parents[2]
DOCUMENT = (REPO / "docs/security.md").read_text(encoding="utf-8")


def settings(**arguments: str) -> Settings:
    return config.load({"VOICEPREP_HOME": "/nowhere"}).with_arguments(**arguments)


def test_nothing_does_by_default() -> None:
    assert server_of(settings()) is None
    assert sends_to(settings()) == ""


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://api.openai.com/v1", "api.openai.com"),
        ("http://192.168.1.7:8000/v1", "192.168.1.7"),
        ("http://localhost:11434/v1", ""),
        ("http://127.0.0.1:11434/v1", ""),
        ("nonsense", ""),
    ],
)
def test_the_page_is_told_where_words_go(url: str, host: str) -> None:
    assert sends_to(settings(llm_url=url, llm_model="m")) == host


@pytest.mark.parametrize("named", sorted(set(re.findall(r"`(tests/[\w/.]+)`", DOCUMENT))))
def test_what_a_promise_names_is_there(named: str) -> None:
    assert (REPO / named).exists()
