"""`voiceprep score`: how good an answer is that was written down, and by which of its words."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from voiceprep.cli.output import console, messages, print_json
from voiceprep.cli.written import Item, answer_batch, content_of, item_of, known_question, language_of, one_or_batch
from voiceprep.config import Settings, load, places

Document = dict[str, Any]
Judge = Callable[[Item], Document]


def score(
    file: Annotated[Path | None, typer.Argument(help="The answer as text; - reads it from stdin.", metavar="FILE")] = None,
    round_id: Annotated[str, typer.Option("--round", help="The round it belongs to.", metavar="ID")] = "",
    question: Annotated[str, typer.Option(help="The question it answers: an id of the round's, or any text.")] = "",
    prior: Annotated[str, typer.Option(help="What the interviewer said last, if not the question.", metavar="TEXT")] = "",
    language: Annotated[str, typer.Option("--lang", help="en, zh or mixed; else as the answer looks.", metavar="LANG")] = "",
    batch: Annotated[
        Path | None, typer.Option(help="Answers as JSON lines: id, round, question, prior, lang, text.", metavar="F.jsonl")
    ] = None,
    llm: Annotated[
        str | None, typer.Option(help="A language model's opinion beside ours: URL#MODEL.", metavar="URL#MODEL")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document (a batch always prints JSON lines).")
    ] = False,
) -> None:
    """Score an answer by dimensions, each with the words that decided it. "Not heard" is no failure: say it next time.

    Nothing leaves this machine, unless --llm names a model that runs elsewhere.
    """
    one_or_batch("score", file, batch, options=bool(round_id or question or prior or language))
    judge = _judge(load(), llm)
    if batch is not None:
        answer_batch(batch, judge)
        return
    assert file is not None
    scored = judge(item_of(file, round_id, question, prior, language))
    if as_json:
        print_json(scored)
    else:
        _show(scored)


def _judge(settings: Settings, llm: str | None) -> Judge:
    """The embedded judge, with the model's beside it where one is named. Raises UsageError for a name that means nothing."""
    from voiceprep.review.scoring import Scorer

    embedded = partial(_answer, Scorer())
    if llm is None:
        return embedded
    from voiceprep.agent.server import from_argument, server_of

    settings = settings.with_arguments(**from_argument(llm))
    server = server_of(settings)
    if server is None:
        return embedded
    from voiceprep.agent.judge import open_judge

    messages().print(f"{server.name} gives a second opinion; the answer's words are sent to {server.host}", markup=False)

    def both(item: Item) -> Document:
        scored = embedded(item)
        return asyncio.run(open_judge(settings, places(), server).beside(scored, _asked(item), item.text))

    return both


def _answer(scorer: Any, item: Item) -> Document:
    content = content_of(item.round)
    known_question(item.question or "", content)
    language = item.lang or language_of(item.text or item.question or "")
    return dict(scorer.text(item.round, item.question or "", item.prior or "", language, item.text))


def _asked(item: Item) -> str:
    return "\n".join(one for one in (item.question, item.prior) if one)


def _show(scored: Document) -> None:
    out = console()
    if scored["overall"] is None:
        out.print("Not scored: " + "; ".join(scored["reasons"]), markup=False)
        return
    out.print(f"Level {scored['overall']['level']} of 4", markup=False, style="bold")
    for one in scored["dimensions"]:
        level = one["level"] or "-"
        gate = " (gate)" if one["id"] in scored["overall"]["gate"] else ""
        out.print(f"{level}  {one['title']}{gate}: {one['why']}", markup=False)
        for item in one["evidence"][:2]:
            out.print(f"     “{item['quote']}”", markup=False, style="dim")
    for advice in scored["next_time"]:
        out.print(f"Next time: {advice}", markup=False)
    if second := scored.get("second"):
        out.print(f"{second['judge']}: level {second['level'] or '-'}; differs on {', '.join(second['differs']) or 'nothing'}")
