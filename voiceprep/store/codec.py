"""An event as one line of JSON, and back.

`kind` and `at` come first so that a log can be read by eye. Numbers keep six decimals: a microsecond is far below one sample.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NoReturn, TypeVar, cast

from pydantic import TypeAdapter, ValidationError
from pydantic_core import SchemaValidator

from voiceprep.core.events import KINDS, Event
from voiceprep.errors import BadInputError

DECIMALS = 6
_HEAD = re.compile(r'\{"kind":"(\w+)",')
"""How a line begins that we wrote."""

T = TypeVar("T")
E = TypeVar("E", bound=Event)


_ADAPTERS: dict[type[Any], TypeAdapter[Any]] = {}
"""Built once each: building one costs a thousand times as much as using it."""


def adapter(kind: type[T]) -> TypeAdapter[T]:
    """The checker of this dataclass."""
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


_FINITE: dict[type[Any], SchemaValidator] = {}


def _finite_only(kind: type[Any]) -> SchemaValidator:
    """The same checker, which takes no number that is not finite: then the line need not be looked through for those first."""
    if kind not in _FINITE:
        _FINITE[kind] = SchemaValidator(_without_infinity(adapter(kind).core_schema))
    return _FINITE[kind]


def _without_infinity(schema: Any) -> Any:
    match schema:
        case dict():
            found = {key: _without_infinity(value) for key, value in schema.items()}
            return found | {"allow_inf_nan": False} if found.get("type") == "float" else found
        case list():
            return [_without_infinity(item) for item in schema]
    return schema


def encode(event: Event) -> str:
    """The event as one line of JSON without a line end. A number that is not finite is a defect (ValueError)."""
    return encode_as(type(event).__name__, event.at, event)


def as_logged(event: E) -> E:
    """The event as the log holds it, with the log's precision: what is decided from it can be decided again from the log."""
    return cast("E", decode(encode(event), 0))


def encode_as(kind: str, at: float, value: object) -> str:
    """Any dataclass as a line of the log."""
    fields = adapter(type(value)).dump_python(value, mode="python", warnings=False)
    document = {"kind": kind, "at": at} | fields
    text = json.dumps(rounded(document), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # Half a surrogate pair can come in through a note that the page sends; UTF-8 has no bytes for it.
    return text.encode("utf-8", errors="replace").decode("utf-8")


def decode(line: str, number: int) -> Event:
    """The event on this line. Raises BadInputError (`bad-log`), naming line `number`, for an unknown kind or a bad value."""
    if (head := _HEAD.match(line)) is not None and (known := KINDS.get(head[1])) is not None:
        with suppress(ValidationError):
            return cast("Event", _finite_only(known).validate_json(line, strict=True))
    document = parse(line, number)  # it is written otherwise, or bad: five times the work, and what is wrong with it
    name = document["kind"]
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        _refuse(number, f"there is no event {name!r}")
    return check(kind, line, number)


def parse(line: str, number: int) -> dict[str, Any]:
    """The line's JSON object, which has a `kind`. Raises BadInputError (`bad-log`)."""
    try:
        document = json.loads(line, parse_constant=_not_finite, parse_float=_finite, parse_int=_integer)
    except (ValueError, RecursionError):
        _refuse(number, "it is not a line of JSON")
    if not isinstance(document, dict) or "kind" not in document:
        _refuse(number, "it is not an object with a `kind`")
    return document


def check(kind: type[T], line: str, number: int) -> T:
    """The line as a value of the dataclass `kind`, its types checked strictly. Raises BadInputError (`bad-log`)."""
    try:
        return adapter(kind).validate_json(line, strict=True)
    except ValidationError as error:
        # Only the place and the reason: the value itself may be what the candidate said.
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the value"
        _refuse(number, f"{kind.__name__}: {place}: {first['msg'].lower()}")


def rounded(value: Any) -> Any:
    """The value with every float in it rounded to `DECIMALS`."""
    match value:
        case float():
            return round(value, DECIMALS)
        case Mapping():
            return {key: rounded(item) for key, item in value.items()}
        case list() | tuple():
            return [rounded(item) for item in value]
    return value


def _refuse(number: int, reason: str) -> NoReturn:
    raise BadInputError(f"line {number} of the event log is bad: {reason}", code="bad-log")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _integer(text: str) -> int:
    _finite(text)
    return int(text)


def _not_finite(text: str) -> NoReturn:
    raise ValueError(text)
