"""Answers that were written down, as `followup` and `score` take them: a file, a pipe, or lines of a batch."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from voiceprep.core.events import Language
from voiceprep.core.text import ONE_HANZI
from voiceprep.errors import BadInputError, UsageError, VoiceprepError
from voiceprep.files import read_at_most

if TYPE_CHECKING:
    from voiceprep.core.pack import Content

MOST_CHARACTERS = 2_000_000
"""A longer text is no answer: somebody gave the wrong file."""
MOST_ASKED = 20_000
"""Characters of what the interviewer said: nobody asks for longer than a quarter of an hour."""
MOST_BYTES = 100_000_000
"""Of a file, or of what comes through a pipe."""
_ID = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")
_ZH_SHARE, _MIXED_SHARE = 0.25, 0.02
"""Chinese characters to a Latin word or character from which a text is mixed, or Chinese with terms in it."""

File = Annotated[Path | None, typer.Argument(help="The answer as text; - reads it from stdin.", metavar="FILE")]
RoundOf = Annotated[str, typer.Option("--round", help="The round it belongs to.", metavar="ID")]
Asked = Annotated[str, typer.Option(help="The question it answers: an id of the round's, or any text.")]
Prior = Annotated[str, typer.Option(help="What the interviewer said last, if not the question.", metavar="TEXT")]
Lang = Annotated[str, typer.Option("--lang", help="en, zh or mixed; else as the answer looks.", metavar="LANG")]
Batch = Annotated[
    Path | None, typer.Option(help="Answers as JSON lines: id, round, question, prior, lang, text.", metavar="F.jsonl")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document (a batch always prints JSON lines).")]


class Item(BaseModel):
    """One line of a batch. Fields that other commands use are let through."""

    model_config = ConfigDict(extra="ignore", strict=True)

    id: str | int
    round: str
    question: str | None = Field(default=None, max_length=MOST_ASKED)
    prior: str | None = Field(default=None, max_length=MOST_ASKED)
    lang: Language | None = None
    text: str = Field(max_length=MOST_CHARACTERS)


def item_of(file: Path, round_id: str, question: str, prior: str, language: str) -> Item:
    """The one answer that a command's arguments name. Raises UsageError or BadInputError."""
    if not round_id:
        raise UsageError("--round is missing", code="no-round", hint="voiceprep rounds lists them")
    if language not in {"", "en", "zh", "mixed"}:
        raise UsageError(f"--lang {language} is none of en, zh, mixed", code="bad-language")
    given = {"id": "", "round": round_id, "question": question, "prior": prior, "lang": language or None, "text": _read(file)}
    return _item({key: _whole(value) for key, value in given.items()})


def one_or_batch(command: str, file: Path | None, batch: Path | None, *, options: bool) -> None:
    """Refuse arguments that name no answer, or two. `options`: some that only one takes were given. Raises UsageError."""
    if (file is None) == (batch is None):
        raise UsageError("give either FILE or --batch", code="bad-arguments", hint=f"voiceprep {command} --round ID FILE")
    if batch is not None and options:
        raise UsageError("the lines of a batch say their own round, question, prior and lang", code="bad-option")


def answer_batch(path: Path, answer: Callable[[Item], dict[str, Any]]) -> None:
    """One JSON line out for each line in; a line that is bad gets its error there, and the others are answered."""
    bad = total = 0
    for number, line in _lines(path):
        total += 1
        name: str | int | None = None
        try:
            raw = _raw(line)
            name = _name(raw)
            answered = answer(_item(raw))
        except VoiceprepError as error:
            bad += 1
            answered = {"error": {"code": error.code, "message": f"line {number}: {error.message}", "hint": error.hint}}
        sys.stdout.write(json.dumps({"id": name, **answered}, ensure_ascii=False, allow_nan=False) + "\n")
    if bad:
        raise BadInputError(f"{path}: {bad} of {total} lines are bad", code="bad-lines", hint="each says why on its own line")


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    text = _read(path, whole_file=True)
    return ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())


def _raw(line: str) -> Any:
    """What a line of a batch holds, whether or not it is an item. Half a surrogate pair in a text becomes a question mark."""
    try:
        raw = json.loads(line, parse_int=_integer)
    except (json.JSONDecodeError, RecursionError) as error:
        raise BadInputError("is not JSON", code="bad-json", hint=str(getattr(error, "msg", "it nests too deeply"))) from None
    return {_whole(key): _whole(value) for key, value in raw.items()} if isinstance(raw, dict) else raw


def _integer(digits: str) -> float:
    """A number of thousands of digits, which Python makes no integer of, is none of ours: whatever field it is in."""
    try:
        return int(digits)
    except ValueError:
        return math.inf


def _whole(value: object) -> object:
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


def _name(raw: object) -> str | int | None:
    """The id by which a line is answered, also where all else in it is bad."""
    name = raw.get("id") if isinstance(raw, dict) else None
    return name if isinstance(name, str | int) and not isinstance(name, bool) else None


def _item(raw: object) -> Item:
    try:
        return Item.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        hint = "it needs at least id, round and text" if first["type"] in {"missing", "model_type"} else ""
        if first["type"] == "model_type":
            raise BadInputError("is no JSON object", code="bad-item", hint=hint) from None
        key = ".".join(map(str, first["loc"])) or "the item"
        raise BadInputError(f"{key}: {first['msg']}", code="bad-item", hint=hint) from None


def belongs_to(item: Item) -> tuple[Content, Language]:
    """The round that an answer belongs to, and the language it is in.

    Raises UsageError for a round or a question that is not there. What looks like a question's id and is none is refused: a
    misspelt one would be taken for a question of one word.
    """
    content, question = content_of(item.round), item.question or ""
    ids = [one.id for one in content.round.questions]
    if _ID.fullmatch(question) and question not in ids:
        raise UsageError(
            f"{content.round.id} has no question {question!r}",
            code="unknown-question",
            hint=f"give the question's words, or one of: {', '.join(ids)}",
        )
    return content, item.lang or language_of(item.text or question)


@lru_cache(maxsize=16)
def content_of(round_id: str) -> Content:
    from voiceprep.content import load_content

    return load_content(round_id)


def language_of(text: str) -> Language:
    """What a text is written in, by its share of Chinese characters: Chinese with English terms in it is mixed."""
    han, latin = len(ONE_HANZI.findall(text)), len(_LATIN_WORD.findall(text))
    if not han or han / (han + latin) < _MIXED_SHARE:
        return "en"
    return "mixed" if latin and latin / (han / 2 + latin) > _ZH_SHARE else "zh"


def _read(path: Path, *, whole_file: bool = False) -> str:
    """The text of a file, or of stdin. Raises BadInputError where there is none, or it is no text, or far too long."""
    try:
        raw = sys.stdin.buffer.read(MOST_BYTES + 1) if str(path) == "-" else read_at_most(path, MOST_BYTES)
    except OSError as error:
        hint = "give a file's name, or - for what comes through a pipe"
        raise BadInputError(f"{path} cannot be read: {error.strerror}", code="no-such-file", hint=hint) from None
    if len(raw) > MOST_BYTES:
        raise BadInputError(f"{path} has more than {MOST_BYTES} bytes", code="too-long", hint="give it in parts")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInputError(f"{path} is not UTF-8 text", code="bad-text", hint="save it as UTF-8") from None
    if not whole_file and len(text) > MOST_CHARACTERS:
        raise BadInputError(f"{path} has {len(text)} characters", code="too-long", hint=f"{MOST_CHARACTERS} are the most")
    return text
