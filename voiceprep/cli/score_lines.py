"""A score as lines for people, in the language of what was scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.text import Text

from voiceprep.content.review import load_review
from voiceprep.core.pack import Tongue
from voiceprep.core.text import has_hanzi

QUOTES = 2
"""Quotes of a dimension that are shown, each once."""


def score_lines(scored: Mapping[str, Any]) -> Iterator[Text]:
    """The level, then each dimension with the words that decided it, then what to do next time; or why it was not scored."""
    texts, tongue = load_review(), tongue_of_score(scored)
    overall = scored["overall"]
    if overall is None:
        yield Text(texts.say("page", "not_scored", tongue, reasons="; ".join(scored["reasons"])))
        return
    yield Text(texts.say("page", "level", tongue, level=overall["level"]), style="bold")
    for one in scored["dimensions"]:
        gate = f" ({texts.say('page', 'gate', tongue)})" if one["id"] in overall["gate"] else ""
        yield Text(f"{one['level'] or '-'}  {one['title']}{gate}: {one['why']}")
        for quote in list(dict.fromkeys(item["quote"] for item in one["evidence"]))[:QUOTES]:
            yield Text(f"     “{quote}”", style="dim")
    for advice in scored["next_time"]:
        yield Text(texts.say("page", "next_time", tongue, advice=advice))


def tongue_of_score(scored: Mapping[str, Any]) -> Tongue:
    """The language that the score is told in."""
    told = [*scored["reasons"], *(one["why"] for one in scored["dimensions"])]
    return "zh" if any(has_hanzi(one) for one in told) else "en"
