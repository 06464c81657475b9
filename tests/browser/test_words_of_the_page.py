"""The words of the page: the same in both languages, all there, all used. And nothing is loaded from elsewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from voiceprep.config import TABLE
from voiceprep.content import load_rubrics
from voiceprep.intake.backing import RULE as UNBACKED
from voiceprep.web.page import STATIC

SOURCES = {path: path.read_text(encoding="utf-8") for path in STATIC.rglob("*.js")}
LITERAL = re.compile(r'"([a-z]+(?:\.[A-Za-z0-9_-]+)+)"')
BEGUN = re.compile(r"`([a-z]+(?:\.[a-z]+)*)\.\$\{")
IMPORT = re.compile(r'^import (?:[^"]*? from )?"([^"]+)"', re.MULTILINE)
NAMED = re.compile(r'named\("([a-z]+)"')
MENDED = re.compile(r'"(microphone\.[a-z]+)"')


def texts(language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((STATIC / "i18n" / f"{language}.json").read_text(encoding="utf-8"))
    return found


def used() -> tuple[set[str], set[str]]:
    """Keys that stand in the code, and beginnings of keys that it completes."""
    everything = "\n".join(SOURCES.values())
    groups = set(BEGUN.findall(everything)) | set(NAMED.findall(everything))
    return set(LITERAL.findall(everything)), groups


def test_both_languages_have_the_same_keys_and_blanks() -> None:
    english, chinese = texts("en"), texts("zh")
    assert english.keys() == chinese.keys()
    for key, text in english.items():
        assert text.strip(), key
        assert sorted(re.findall(r"\{\w+\}", text)) == sorted(re.findall(r"\{\w+\}", chinese[key])), key


def test_chinese_is_chinese() -> None:
    same = {key for key, text in texts("zh").items() if not re.search(r"[一-鿿]", text)}
    assert same <= {key for key in same if key.startswith("format.")} | {"replay.hit"}


def test_every_key_of_the_code_has_words() -> None:
    literal, groups = used()
    known = texts("en")
    asked = {key for key in literal if key.partition(".")[0] in {name.partition(".")[0] for name in known}}
    assert {key for key in asked if key not in known and not key.startswith("voiceprep.")} == set()
    for group in groups:
        assert any(key.startswith(f"{group}.") for key in known), group
    for key in MENDED.findall("\n".join(SOURCES.values())):
        assert key in known


def imported(path: Path, known: dict[str, Path | None]) -> dict[str, Path | None]:
    """What this module imports, and what that does, by its address; None: a library's."""
    for name in IMPORT.findall(SOURCES[path]):
        there = path.parent.joinpath(name).resolve() if name.startswith(".") else None
        key = f"/static/{there.relative_to(STATIC.resolve())}" if there else name
        if key not in known:
            known[key] = there
            if there:
                imported(there, known)
    return known


def test_what_is_fetched_ahead_is_what_is_imported() -> None:
    main = set(imported(STATIC / "js" / "main.js", {}))
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    assert set(re.findall(r'<link rel="modulepreload" href="([^"]+)">', page)) == main
    ahead = SOURCES[STATIC / "js" / "ahead.js"]
    for view, names in re.findall(r"^  (\w+): \[(.*?)\],", ahead, re.MULTILINE | re.DOTALL):
        told = {f"{name if name[0] == '/' else f'/static/js/{name}'}.js" for name in re.findall(r'"([^"]+)"', names)}
        assert told == set(imported(STATIC / "js" / "views" / f"{view}.js", {})) - main


def test_every_key_is_used() -> None:
    literal, groups = used()
    idle = {key for key in texts("en") if key not in literal and not any(key.startswith(f"{group}.") for group in groups)}
    assert {key for key in idle if not key.endswith(".mend")} == set()


def test_every_pacing_rule_has_a_name() -> None:
    rules = load_rubrics().pacing
    flags = {rule.flag or name for name, rule in rules.items()} | {UNBACKED}  # several tables may make one flag
    assert {f"rule.{name}" for name in {*rules, *flags}} <= texts("en").keys()


@pytest.mark.parametrize(
    "fault", ["recogniser-crashed", "recogniser-failed", "recogniser-timeout", "voice-failed", "disk-full"]
)
def test_a_fault_in_a_session_is_told_in_both_languages(fault: str) -> None:
    """The others carry the name of a device or a server, and stand as the program says them."""
    for language in ("en", "zh"):
        assert f"edge.{fault}" in texts(language)


def test_every_setting_is_explained_as_the_program_explains_it() -> None:
    explained = {key.removeprefix("setting."): text for key, text in texts("en").items() if key.startswith("setting.")}
    assert explained == {row.name: row.help for row in TABLE}


def test_nothing_is_loaded_from_elsewhere_and_nothing_stands_inline() -> None:
    for path in [*SOURCES, *STATIC.rglob("*.css"), STATIC / "index.html"]:
        text = Path(path).read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://(?!127\.0\.0\.1)", text), path
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<script(?![^>]*src=)|<style|\son\w+=|\sstyle=", page)


def test_text_never_becomes_markup() -> None:
    for path, source in SOURCES.items():
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", source), path
