"""A language model's opinion of an answer, beside the embedded judge's. It decides nothing.

Each pass shows the anchors in another order. A verdict counts only with a quote that is in the answer, word for word; else it
is "no evidence", whatever the model says. What the candidate said is data: it cannot close the marks around it.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from string import Template
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from voiceprep.agent.client import ModelClient, collected
from voiceprep.agent.instructions import Message, plain
from voiceprep.agent.opening import asked as probed
from voiceprep.agent.probe import Capabilities, remembered
from voiceprep.agent.server import Server
from voiceprep.config import Places, Settings, data_folder
from voiceprep.content.scoring import load_scoring
from voiceprep.core.answers.score import Dimension
from voiceprep.core.pack import Tongue
from voiceprep.core.text import HANZI, has_hanzi
from voiceprep.errors import BadInputError, VoiceprepError

PASSES = 3
LETTERS = "ABCD"
MOST = 1_200
"""Tokens of a verdict: a sentence a dimension, and some."""
WITHIN = 300.0
"""Seconds for one pass: nobody waits in a conversation, and a small machine has to read all the anchors first."""
LEAST_QUOTE = 4
"""Words (Chinese: characters) of a quote; less is in any answer."""
_JSON = re.compile(r"\{.*\}", re.DOTALL)
_LETTERS = re.compile(rf"[a-z0-9]+|[{HANZI}]")
Document = dict[str, Any]


class _Verdict(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: str
    anchor: str
    quote: str = Field(default="", max_length=4_000)


class _Reply(BaseModel):
    model_config = ConfigDict(extra="ignore")

    verdicts: list[_Verdict] = Field(max_length=64)


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one pass said of a dimension. `span` is where its quote stands in the answer."""

    level: int
    span: tuple[int, int]


@dataclass(slots=True)
class ModelJudge:
    """Asks a server several times. `can` is what is known of the server; None: it is asked first."""

    client: ModelClient
    can: Capabilities | None
    places: Places
    prompts: Path
    passes: int = PASSES
    most: int = MOST

    async def beside(self, scored: Document, asked: str, text: str) -> Document:
        """The embedded judge's document with the model's opinion under `second`.

        `second` has `judge`, `level` (the middle of its levels, or None), `dimensions` (`level`, `levels` of the passes,
        `spread`, `evidence`, `no_evidence`: passes without a quote that holds), `differs` (dimensions on which the two do not
        agree) and `failed`: a code, where it could not be asked. An answer that is not scored is not sent.
        """
        if scored["overall"] is None:
            await self.client.close()
            return scored
        second: Document = {"judge": self.client.server.name, "level": None, "dimensions": [], "differs": [], "failed": ""}
        try:
            opinions = await self._opinions(scored, asked, text)
        except VoiceprepError as error:
            return scored | {"second": second | {"failed": error.code}}
        finally:
            await self.client.close()
        rows = [_row(one["id"], opinions[one["id"]], text) for one in scored["dimensions"]]
        rated = [row["level"] for row in rows if row["level"] is not None]
        ours = {one["id"]: one["level"] for one in scored["dimensions"]}
        differs = [row["id"] for row in rows if _apart(ours[row["id"]], row["level"])]
        level = round(median(rated)) if rated else None
        return scored | {"second": second | {"level": level, "dimensions": rows, "differs": differs}}

    async def _opinions(self, scored: Document, asked: str, text: str) -> dict[str, list[Opinion | None]]:
        """For each dimension what each pass said; None: no verdict with a quote that holds."""
        can = self.can or remembered(self.places.cache, self.client.server) or await probed(self.client, self.places)
        by_id = {one.id: one for one in load_scoring().dimensions(scored["round"])}
        dimensions = [by_id[one["id"]] for one in scored["dimensions"]]
        tongue: Tongue = "zh" if has_hanzi(text) else "en"
        opinions: dict[str, list[Opinion | None]] = {one.id: [] for one in dimensions}
        for number in range(self.passes):
            orders = orders_of(dimensions, number)
            said = await self._ask(can, self._messages(scored["round"], dimensions, orders, tongue, asked, text))
            found = read_verdicts(said, orders, text)
            for one in dimensions:
                opinions[one.id].append(found.get(one.id))
        return opinions

    def _messages(
        self,
        round_id: str,
        dimensions: Sequence[Dimension],
        orders: Mapping[str, Sequence[int]],
        tongue: Tongue,
        asked: str,
        text: str,
    ) -> list[Message]:
        path = self.prompts / "model" / f"judge.{tongue}.md"
        try:
            told = Template(path.read_text(encoding="utf-8")).substitute(
                round=round_id, dimensions="\n".join(_shown(one, orders[one.id], tongue) for one in dimensions)
            )
        except (OSError, UnicodeDecodeError, KeyError, ValueError) as error:
            raise BadInputError(f"{path} cannot be used: {error}", code="bad-prompt") from error
        talk = f"<question>{plain(asked)}</question>\n<answer>{plain(text)}</answer>"
        return [{"role": "system", "content": told}, {"role": "user", "content": talk}]

    async def _ask(self, can: Capabilities, messages: Sequence[Message]) -> str:
        options = can.options(self.most)
        try:
            async with asyncio.timeout(WITHIN):
                if can.streaming:
                    return (await collected(self.client.stream(messages, options))).text
                return (await self.client.whole(messages, options)).text
        except TimeoutError:
            raise VoiceprepError(f"{self.client.server.name} does not answer in time", code="model-timeout") from None


def open_judge(settings: Settings, places: Places, server: Server, *, http_client: Any = None) -> ModelJudge:
    """A judge on this server. Nothing is sent yet."""
    del settings  # a judge reads an answer or two: the session's budget is not its own
    return ModelJudge(
        ModelClient(server, server.key(), http_client=http_client, within=WITHIN), None, places, data_folder("prompts")
    )


def orders_of(dimensions: Sequence[Dimension], number: int) -> dict[str, list[int]]:
    """For each dimension the levels in the order in which pass `number` shows them: always the same, each pass another."""
    orders = {}
    for one in dimensions:
        levels = [1, 2, 3, 4]
        random.Random(f"{one.id} {number}").shuffle(levels)  # noqa: S311  (an order, no secret)
        orders[one.id] = levels
    return orders


def read_verdicts(said: str, orders: Mapping[str, Sequence[int]], text: str) -> dict[str, Opinion]:
    """The verdicts of a reply that hold: a known dimension, a letter, and a quote that is in the answer."""
    match = _JSON.search(said.rpartition("</think>")[2])
    try:
        reply = _Reply.model_validate(json.loads(match[0] if match else ""))
    except (ValueError, ValidationError, RecursionError):
        return {}
    found: dict[str, Opinion] = {}
    for verdict in reply.verdicts:
        letter = verdict.anchor.strip().upper()[:1]
        span = quoted(verdict.quote, text)
        none = verdict.anchor.strip().lower() == "none"
        if verdict.id in orders and verdict.id not in found and letter and letter in LETTERS and span and not none:
            found[verdict.id] = Opinion(orders[verdict.id][LETTERS.index(letter)], span)
    return found


def quoted(quote: str, text: str) -> tuple[int, int] | None:
    """Where the quote stands in the answer, its case, blanks and marks left aside; None where it does not, or is too short."""
    wanted = _LETTERS.findall(quote.casefold())
    if len(wanted) < LEAST_QUOTE:
        return None
    there = list(_LETTERS.finditer(text.casefold()))
    if len(text.casefold()) != len(text):  # letters that become longer in lower case would shift the places
        there = list(_LETTERS.finditer(text.lower() if len(text.lower()) == len(text) else text))
    words = [one[0] for one in there]
    for start in range(len(words) - len(wanted) + 1):
        if words[start : start + len(wanted)] == wanted:
            return there[start].start(), there[start + len(wanted) - 1].end()
    return None


def _shown(dimension: Dimension, order: Sequence[int], tongue: Tongue) -> str:
    anchors = dimension.anchors[tongue]
    lines = [f"{letter}: {anchors[level - 1]}" for letter, level in zip(LETTERS, order, strict=True)]
    return "\n".join([f"[{dimension.id}] {dimension.title[tongue]}", *lines, ""])


def _row(name: str, opinions: Sequence[Opinion | None], text: str) -> Document:
    held = [one for one in opinions if one is not None]
    levels = [one.level for one in held]
    level = round(median(levels)) if len(held) * 2 > len(opinions) else None
    spans = dict.fromkeys(one.span for one in held)
    return {
        "id": name,
        "level": level,
        "levels": levels,
        "spread": max(levels) - min(levels) if levels else None,
        "no_evidence": len(opinions) - len(held),
        "evidence": [{"quote": text[slice(*span)], "start": None, "end": None} for span in spans],
    }


def _apart(ours: int | None, theirs: int | None) -> bool:
    return theirs is not None and ours != theirs
