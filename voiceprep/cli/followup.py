"""`voiceprep followup`: what the interviewer would say to an answer that was written down."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from voiceprep.cli.output import console, messages, print_json
from voiceprep.cli.written import Item, answer_batch, content_of, item_of, known_question, language_of, one_or_batch


def followup(
    file: Annotated[Path | None, typer.Argument(help="The answer as text; - reads it from stdin.", metavar="FILE")] = None,
    round_id: Annotated[str, typer.Option("--round", help="The round it belongs to.", metavar="ID")] = "",
    question: Annotated[str, typer.Option(help="The question it answers: an id of the round's, or any text.")] = "",
    prior: Annotated[str, typer.Option(help="What the interviewer said last, if not the question.", metavar="TEXT")] = "",
    language: Annotated[str, typer.Option("--lang", help="en, zh or mixed; else as the answer looks.", metavar="LANG")] = "",
    batch: Annotated[
        Path | None, typer.Option(help="Answers as JSON lines: id, round, question, prior, lang, text.", metavar="F.jsonl")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document (a batch always prints JSON lines).")
    ] = False,
) -> None:
    """Ask the interviewer of a round what comes next after an answer: the move, what it goes after, and the words."""
    one_or_batch("followup", file, batch, options=bool(round_id or question or prior or language))
    if batch is not None:
        answer_batch(batch, _answer)
        return
    assert file is not None
    answered = _answer(item_of(file, round_id, question, prior, language))
    if as_json:
        print_json(answered)
    else:
        console().print(answered["text"], markup=False)
        messages().print(f"{answered['move']}, after {answered['target'] or 'nothing in particular'}", markup=False)


def _answer(item: Item) -> dict[str, Any]:
    from voiceprep.review.followup import reply_to

    content = content_of(item.round)
    known_question(item.question or "", content)
    language = item.lang or language_of(item.text or item.question or "")
    began = time.perf_counter()
    choice = reply_to(content, item.question or "", item.prior or "", language, item.text).choice
    return {
        "schema": 1,
        "move": "followup" if choice.move == "answer" else choice.move,  # what was not caught is asked again
        "target": choice.target,
        "text": choice.text,
        "lang": "zh" if language == "zh" else "en",
        "interviewer": "embedded",
        "latency": round(time.perf_counter() - began, 4),
    }
