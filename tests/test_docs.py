"""The documents say what the code is."""

import re
from pathlib import Path

import pytest

from tools import write_docs
from voiceprep.cli.main import COMMANDS
from voiceprep.content import round_ids

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"


def test_protocol_names_every_event_as_it_is() -> None:
    assert (DOCS / "protocol.md").read_text("utf-8") == write_docs.protocol(), "run: python tools/write_docs.py"


def test_configuration_names_every_setting_as_it_is() -> None:
    assert (DOCS / "configuration.md").read_text("utf-8") == write_docs.configuration(), "run: python tools/write_docs.py"


class TestArchitecture:
    text = (DOCS / "architecture.md").read_text("utf-8")

    def test_every_room_is_described(self) -> None:
        rooms = {p.parent.name for p in (ROOT / "voiceprep").glob("*/__init__.py")}
        described = set(re.findall(r"^\| `voiceprep/(\w+)` \|", self.text, flags=re.MULTILINE))
        assert described == rooms

    def test_every_part_of_the_core_is_described_in_its_row(self) -> None:
        core = ROOT / "voiceprep" / "core"
        missing = set()
        for module in core.rglob("*.py"):
            room = "voiceprep/core" if module.parent == core else f"core/{module.parent.name}"
            row = next((line for line in self.text.splitlines() if line.startswith(f"| `{room}`")), "")
            if module.stem != "__init__" and f"`{module.stem}`" not in row:
                missing.add(f"{room}/{module.stem}")
        assert missing == set()


@pytest.mark.parametrize("name", ["README.md", "docs/architecture.md", "docs/adding-a-round.md", "docs/configuration.md"])
def test_links_lead_somewhere(name: str) -> None:
    page = ROOT / name
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_readme_shows_commands_and_rounds_that_exist() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    shown = set(re.findall(r"^voiceprep ([a-z-]+)", text, flags=re.MULTILINE))
    assert shown
    assert shown <= {entry.name for entry in COMMANDS}
    assert {name for name in round_ids() if f"`{name}`" not in text} == set()
