"""Good files made bad: edits of bytes, of lines, of values. Hypothesis draws the edits, so a finding shrinks to few."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

Edit = tuple[str, int, int, bytes]
"""What is done, at which place (parts of 65,536 of the whole), over how many bytes, with which bytes."""

EXTREMES = (
    b"\0" * 4,
    b"\xff" * 4,
    b"\xff\xff\xff\x7f",
    b"\0\0\0\x80",
    b"\1\0\0\0",
    b"\0\0\0\1",
    b"\0" * 8,
    b"\xff" * 8,
    b"\0\x7f",
)
"""Sizes, counts, rates and offsets that no honest header has."""
TOKENS = (
    *(b"NaN", b"-Infinity", b"1e999", b"-1", b"0", b"1e-400", b"9" * 400, b"9" * 5_000, b"true", b"null", b'""', b"[]", b"{}"),
    *(b'"\\ud800"', b'"\\u0000"', b"\xff\xfe", b"\xef\xbb\xbf", b"\0", b"\r", b"\n", b"\n\n", b"'", b'"', b"\\", b"#", b"="),
    *(
        b"[" * 3_000,
        b'{"a":' * 3_000,
        b"{a=" * 1_500,
        b"]" * 9,
        b"}",
        b'"""',
        b"..",
        b"\xed\xa0\x80",
        b"\xe2\x80\xae",
        b"\x1b[31m",
    ),
    *(
        b"(((((a+)+)+)+)+)$",
        b"{x}",
        b"$x",
        b"\\1",
        b"inf",
        b"0001-01-01T00:00:00+14:00",
        b"9999-12-31T23:59:59-14:00",
        b"True",
        b"[a]",
    ),
)
"""What has broken readers of text before."""
RAW = "raw text "
"""With a number behind it: stands for that one of TOKENS until the document is text."""
ODD: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        1,
        2**31,
        2**63,
        10**30,
        -(10**300),
        0.5,
        -0.0,
        1e308,
        -1e308,
        5e-324,
        float("nan"),
        float("inf"),
    ),
    *("", "0", "\0", "\ud800", "\u202e", "\x1b]0;x\7", "x" * 5_000, "../../etc/passwd", "9" * 400, "0001-01-01T00:00:00+14:00"),
    *([], [[]], {}, {"": {}}, [None], ["x", 1], *(f"{RAW}{n}" for n in range(len(TOKENS)))),
)
"""Values that a field was not made for; or text that is no value of JSON at all, in the place of one."""

_EDITS = st.lists(
    st.tuples(
        st.sampled_from(("set", "set", "extreme", "insert", "delete", "repeat", "swap", "cut")),
        st.integers(0, 0xFFFF),
        st.integers(1, 600),
        st.binary(min_size=1, max_size=8),
    ),
    min_size=1,
    max_size=6,
)
TEXT_EDITS = st.lists(
    st.tuples(
        st.sampled_from(("token", "token", "set", "insert", "delete", "repeat", "swap", "cut", "no-line", "two-lines")),
        st.integers(0, 0xFFFF),
        st.integers(1, 200),
        st.sampled_from(TOKENS),
    ),
    min_size=1,
    max_size=5,
)


def edited(data: bytes, edits: Sequence[Edit]) -> bytes:
    """The bytes after these edits."""
    for how, part, length, given in edits:
        place = part * len(data) >> 16
        before, block, after = data[:place], data[place : place + length], data[place + length :]
        match how:
            case "set":
                data = before + given + data[place + len(given) :]
            case "extreme":
                data = before + (extreme := EXTREMES[length % len(EXTREMES)]) + data[place + len(extreme) :]
            case "insert" | "token":
                data = before + given + data[place:]
            case "delete":
                data = before + after
            case "repeat":
                data = before + block * (2 + length % 5) + after
            case "swap":
                data = after + block + before
            case "cut":
                data = before
            case "no-line" | "two-lines":
                data = _lines(data, part, twice=how == "two-lines")
    return data


def _lines(data: bytes, part: int, *, twice: bool) -> bytes:
    lines = data.split(b"\n")
    at = part * len(lines) >> 16
    return b"\n".join(lines[:at] + lines[at : at + 1] * 2 * twice + lines[at + 1 :])


def of_bytes(*seeds: bytes) -> st.SearchStrategy[bytes]:
    """Files that were one of these."""
    return st.builds(edited, st.sampled_from(seeds), _EDITS)


def of_text(*seeds: bytes) -> st.SearchStrategy[bytes]:
    """Text files that were one of these; not always UTF-8 any more."""
    return st.builds(edited, st.sampled_from(seeds), TEXT_EDITS)


# --- values -------------------------------------------------------------------------------------------------------------


def of_json(*seeds: Any) -> st.SearchStrategy[bytes]:
    """Documents that were one of these: with a value that does not fit, one too many, one too few; or torn as text."""
    one = st.tuples(st.integers(0, 0xFFFF), st.sampled_from(("put", "put", "put", "remove", "add")), st.sampled_from(ODD))
    built = st.builds(_changed, st.sampled_from(seeds), st.lists(one, min_size=1, max_size=4))
    text = built.map(_written)
    return st.one_of(text, text, st.builds(edited, text, TEXT_EDITS), st.sampled_from(TOKENS))


def _written(document: Any) -> bytes:
    return re.sub(rb'"raw text (\d+)"', lambda found: TOKENS[int(found[1])], json.dumps(document).encode())


def _changed(document: Any, changes: Sequence[tuple[int, str, Any]]) -> Any:
    holder = [deepcopy(document)]
    for part, how, value in changes:
        places = list(_places(holder))
        box, key = places[part * len(places) >> 16]
        match how:
            case "put":
                box[key] = deepcopy(value)
            case "remove" if box is not holder:
                del box[key]
            case "add" if isinstance(box, dict):
                box["\0odd"] = deepcopy(value)
            case _:
                pass
    return holder[0]


def _places(box: Any) -> Any:
    for key in list(box) if isinstance(box, dict) else range(len(box)):
        yield box, key
        if isinstance(box[key], dict | list):
            yield from _places(box[key])


def lines_of(*, seed: Sequence[Any], joined: Callable[[list[bytes]], bytes] = b"\n".join) -> st.SearchStrategy[bytes]:
    """JSON lines, some of which are bad, missing, doubled or out of order."""
    good = st.sampled_from([json.dumps(line).encode() for line in seed])
    body = st.lists(st.one_of(good, good, of_json(*seed)), max_size=6).map(joined)
    whole = joined([json.dumps(line).encode() for line in seed])
    return st.one_of(body, of_text(whole), of_text(whole + b"\n"))
