"""`voiceprep score`: how good an answer is that was written down, and by which of its words."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import typer

from voiceprep.cli.output import console, messages, print_json
from voiceprep.cli.score_lines import score_lines
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
from voiceprep.config import Settings, load, places
from voiceprep.errors import BadInputError, UsageError

Document = dict[str, Any]
Judge = Callable[[Item], Document]


def score(
    file: File = None,
    round_id: RoundOf = "",
    question: Asked = "",
    prior: Prior = "",
    language: Lang = "",
    batch: Batch = None,
    llm: Annotated[
        str | None, typer.Option(help="A language model's opinion beside ours: URL#MODEL.", metavar="URL#MODEL")
    ] = None,
    session: Annotated[str, typer.Option(help="Score a session again, by its id or latest.", metavar="ID")] = "",
    correct: Annotated[
        str, typer.Option(help="With --session: a finding of it that is wrong or was missed.", metavar="TURN.LABEL")
    ] = "",
    verdict: Annotated[str, typer.Option(help="What you say of it: wrong, heard or withdrawn.")] = "wrong",
    quote: Annotated[str, typer.Option(help="For heard: the words of your answer that show it.", metavar="TEXT")] = "",
    note: Annotated[str, typer.Option(help="Why, for yourself.", metavar="TEXT")] = "",
    as_json: AsJson = False,
) -> None:
    """Score an answer by dimensions, each with the words that decided it. "Not heard" is no failure: say it next time.

    Nothing leaves this machine, unless --llm names a model that runs elsewhere.
    """
    if session:
        if file is not None or batch is not None:
            raise UsageError("give a session or an answer, not both", code="bad-arguments")
        _session(session, correct, verdict, quote, note, as_json=as_json)
        return
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


def _session(wanted: str, finding: str, verdict: str, quote: str, note: str, *, as_json: bool) -> None:
    """Score a session again, with what the user says of its findings, and keep that in its review.json."""
    from voiceprep.cli.sessions import open_archive
    from voiceprep.intake.kept import content_of as held_content
    from voiceprep.review.session_scores import answers_in, keep_scores
    from voiceprep.store import corrections
    from voiceprep.store.transcripts import read_session

    folder = open_archive().find(wanted)
    header, events = read_session(folder)
    if not header.round:
        what = f"a take of the drill {header.drill}" if header.drill else "a recording of no round"
        hint = f"its result: voiceprep review {folder.name}"
        raise UsageError(f"{folder.name} is {what}: it is not scored", code="not-scored", hint=hint)
    content = held_content(folder, header)
    if finding:
        if verdict not in {"wrong", "heard", "withdrawn"}:
            raise UsageError(f"--verdict {verdict} is none of wrong, heard, withdrawn", code="bad-option")
        made = corrections.Correction(finding, verdict, note, quote)  # type: ignore[arg-type]  # checked above
        if made.label not in {one.id for one in content.detectors}:
            raise UsageError(f"there is no signal or trap {made.label!r}", code="bad-correction")
        if verdict == "heard" and not quote:
            raise UsageError("heard needs the words that show it", code="bad-option", hint="add --quote TEXT")
        corrections.check(made, answers_in(events))
        corrections.append(folder, made)
    scores = keep_scores(folder, content)
    if scores is None:
        raise BadInputError(f"session {folder.name} cannot be scored", code="bad-log", hint="voiceprep replay " + folder.name)
    if as_json:
        print_json(scores)
    else:
        _show(scores)


def _answer(scorer: Any, item: Item) -> Document:
    _, language = belongs_to(item)
    return dict(scorer.text(item.round, item.question or "", item.prior or "", language, item.text))


def _asked(item: Item) -> str:
    return "\n".join(one for one in (item.question, item.prior) if one)


def _show(scored: Document) -> None:
    out = console()
    for line in score_lines(scored):
        out.print(line)
    if (second := scored.get("second")) and scored["overall"] is not None:
        out.print(f"{second['judge']}: level {second['level'] or '-'}; differs on {', '.join(second['differs']) or 'nothing'}")
