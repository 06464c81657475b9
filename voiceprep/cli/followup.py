"""`voiceprep followup`: what the interviewer would say to an answer that was written down."""

from __future__ import annotations

import time
from typing import Any

from voiceprep.cli.output import console, messages, print_json
from voiceprep.cli.written import (
    AsJson,
    Asked,
    Batch,
    File,
    Item,
    Lang,
    Prior,
    RoundOf,
    answer_batch,
    belongs_to,
    item_of,
    one_or_batch,
)


def followup(
    file: File = None,
    round_id: RoundOf = "",
    question: Asked = "",
    prior: Prior = "",
    language: Lang = "",
    batch: Batch = None,
    as_json: AsJson = False,
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

    content, language = belongs_to(item)
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
