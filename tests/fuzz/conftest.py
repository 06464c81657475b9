"""Memory stays bounded, whatever a door is given."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

MOST_MEMORY = 400
"""Megabytes that the process may grow by at its highest while one door is tried: the libraries behind a door are among them."""

pytestmark = pytest.mark.timeout(7_200)


@pytest.fixture(autouse=True)
def _bounded_memory() -> Iterator[None]:
    """Linux alone can forget the highest so far, and say it again."""
    status, forget = Path("/proc/self/status"), Path("/proc/self/clear_refs")
    try:
        forget.write_text("5")
        before = _peak(status)
    except OSError:
        yield
        return
    yield
    assert _peak(status) - before < MOST_MEMORY * 1024


def _peak(status: Path) -> int:
    found = re.search(r"VmHWM:\s+(\d+)", status.read_text())
    assert found is not None
    return int(found[1])


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    """Thousands of warnings are not collected."""
    caplog.set_level(logging.CRITICAL)
