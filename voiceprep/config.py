"""Settings: one table, and where each value came from.

A value is looked for in this order, the later winning: the default, `config.toml` in voiceprep's home, the environment
(`VOICEPREP_<NAME>`), the command line. docs/configuration.md is written from the table.
"""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import platformdirs

from voiceprep.errors import MissingError, UsageError
from voiceprep.files import parse_toml

Origin = Literal["default", "file", "environment", "command line"]

CHECKOUT = Path(__file__).resolve().parent.parent
"""The source tree, when voiceprep runs from one."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One row of the table."""

    name: str
    kind: type[str | float | int]
    default: str | float
    help: str
    choices: tuple[str, ...] = ()


TABLE: tuple[Setting, ...] = (
    Setting("language", str, "en", "language of the session", ("en", "zh", "mixed")),
    Setting("mode", str, "coach", "coach shows pacing flags live, exam keeps them for the review", ("coach", "exam")),
    Setting("pacing_file", str, "", "your own thresholds of pacing rules; empty = pacing.toml in voiceprep's home, if there"),
    Setting("flag_tone", str, "off", "coach mode: a soft tone with a pacing flag, never over the interviewer", ("on", "off")),
    Setting("microphone", str, "", "input device: a part of its name, or an audio file; empty = the system's default"),
    Setting("speaker", str, "", "output device: a part of its name, a .wav file, or none; empty = the system's default"),
    Setting(
        "duplex",
        str,
        "auto",
        "full: you wear headphones; cancel: the interviewer's voice is taken out of what the microphone hears, so you can "
        "interrupt it; half: you are not listened to while it sounds; auto: full where the speaker's name says headphones, "
        "else cancel",
        ("auto", "full", "cancel", "half"),
    ),
    Setting("stt", str, "base", "faster-whisper model: a size (tiny, base, small, large-v3-turbo, ...), a folder, or off"),
    Setting(
        "captions_model",
        str,
        "auto",
        "what live captions and drafts come from. auto: a smaller model that is on this machine, where stt's is too slow",
        ("auto", "same"),
    ),
    Setting("device", str, "auto", "where the recogniser runs", ("auto", "cpu", "cuda")),
    Setting(
        "backchannels",
        str,
        "off",
        'sounds of listening ("mm-hm") of interviewers who make them; on suits headphones: none in exam mode or half duplex',
        ("on", "off"),
    ),
    Setting("voice", str, "auto", "the interviewer's voice engine", ("auto", "hibari", "kokoro", "espeak", "pyttsx3", "none")),
    Setting(
        "cv",
        str,
        "",
        "your CV (text, Markdown, HTML, PDF or .docx): its claims are asked about; the file stays here, and what the "
        "interviewer quotes from it goes only to a language model elsewhere, if llm_url names one",
    ),
    Setting("jd", str, "", "a job description, in the same formats: what it asks for decides which claims matter"),
    Setting(
        "keep_days",
        int,
        0,
        "sessions older than so many days are deleted when practice, a drill, a loop or the page starts, unless one has a "
        "star; 0: never. `voiceprep sessions --expire` shows which would be",
    ),
    Setting("model_folder", str, "", "a folder with model files to use before anything is downloaded"),
    Setting(
        "llm_url",
        str,
        "off",
        "address of an OpenAI-compatible server whose model words the follow-ups, like http://localhost:11434/v1; off: none",
    ),
    Setting("llm_model", str, "", "the model's name on that server"),
    Setting("llm_key_variable", str, "VOICEPREP_LLM_KEY", "the environment variable that holds that server's key"),
    Setting("llm_budget_tokens", int, 300_000, "tokens a session may use, sent and received; 0 = no limit"),
    Setting("llm_price_in", float, 0.0, "price of a million tokens sent, in your currency"),
    Setting("llm_price_out", float, 0.0, "price of a million tokens received"),
    Setting("llm_budget_money", float, 0.0, "what a session may cost at these prices; 0 = no limit"),
)

BY_NAME = {row.name: row for row in TABLE}


@dataclass(frozen=True, slots=True)
class Value:
    """A setting's value and where it came from."""

    value: Any
    origin: Origin


class Settings:
    """The values in force. `settings["stt"]` is a value, `settings.origin("stt")` says where it came from."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> Any:
        return self._values[name].value

    def origin(self, name: str) -> Origin:
        return self._values[name].origin

    def with_arguments(self, **arguments: Any) -> Settings:
        """These settings with what the command line said; None means it said nothing."""
        given = {
            name: Value(_checked(BY_NAME[name], value, "command line"), "command line")
            for name, value in arguments.items()
            if value is not None
        }
        return Settings(self._values | given)


def _number(kind: type[str | float | int], raw: Any) -> str | float | int:
    if isinstance(raw, bool):  # Python takes true for 1
        raise TypeError(raw)
    value = kind(raw)
    if isinstance(value, float) and not math.isfinite(value):  # nothing is above NaN: it would be no limit
        raise ValueError(raw)
    return value


def _checked(row: Setting, raw: Any, origin: str) -> Any:
    try:
        value = row.kind(raw) if row.kind is str else _number(row.kind, raw)
    except (TypeError, ValueError, OverflowError) as error:  # OverflowError: an infinite number is no integer
        raise UsageError(
            f"setting {row.name} from the {origin} is {raw!r}, not a {row.kind.__name__}", code="bad-setting"
        ) from error
    if row.choices and value not in row.choices:
        raise UsageError(
            f"setting {row.name} from the {origin} is {raw!r}",
            code="bad-setting",
            hint=f"choose one of: {', '.join(row.choices)}",
        )
    return value


def load(environment: Mapping[str, str] | None = None) -> Settings:
    """Read the settings from their places. Raises UsageError for a value or a file that cannot be used."""
    environment = os.environ if environment is None else environment
    values = {row.name: Value(row.default, "default") for row in TABLE}
    path = places(environment).home / "config.toml"
    if _there(path):
        try:
            stored = parse_toml(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
            raise UsageError(f"cannot read the settings in {path}: {error}", code="bad-setting") from error
        for name, raw in stored.items():
            if name not in BY_NAME:
                raise UsageError(
                    f"{path} has an unknown setting {name!r}", code="bad-setting", hint=f"known: {', '.join(BY_NAME)}"
                )
            values[name] = Value(_checked(BY_NAME[name], raw, "file"), "file")
    for row in TABLE:
        raw = environment.get(f"VOICEPREP_{row.name.upper()}")
        if raw is not None:
            values[row.name] = Value(_checked(row, raw, "environment"), "environment")
    return Settings(values)


def _there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as error:
        raise MissingError(
            f"voiceprep's home {path.parent} cannot be read: {error.strerror}",
            code="home-unreadable",
            hint="Make it yours, or choose another with VOICEPREP_HOME",
        ) from error


@dataclass(frozen=True, slots=True)
class Places:
    """The folders voiceprep writes to."""

    home: Path
    recordings: Path

    @property
    def models(self) -> Path:
        return self.home / "models"

    @property
    def cache(self) -> Path:
        """Rendered lines and probe results: may be deleted at any time."""
        return self.home / "cache"


def places(environment: Mapping[str, str] | None = None) -> Places:
    """Where things are kept: `VOICEPREP_HOME`, else beside the source tree, else the user's data folder.

    `VOICEPREP_RECORDINGS` moves the recordings alone.
    """
    environment = os.environ if environment is None else environment
    given = environment.get("VOICEPREP_HOME")
    if given:
        home = user_path(given).absolute()
        recordings = home / "recordings"
    elif (CHECKOUT / "pyproject.toml").exists():
        home = CHECKOUT / ".voiceprep"
        recordings = CHECKOUT / "recordings"
    else:
        home = platformdirs.user_data_path("voiceprep")
        recordings = home / "recordings"
    moved = environment.get("VOICEPREP_RECORDINGS")
    return Places(home=home, recordings=user_path(moved).absolute() if moved else recordings)


def user_path(text: str) -> Path:
    """A path as the user wrote it, with ~ and ~name resolved. Raises UsageError when there is no such user."""
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise UsageError(f"{text} names no user's home folder", code="bad-path") from error


def data_folder(name: Literal["prompts", "rubrics"]) -> Path:
    """Where the shipped files of this kind lie: in the source tree, or inside the installed package."""
    beside = CHECKOUT / name
    return beside if beside.is_dir() else Path(__file__).resolve().parent / "_data" / name
