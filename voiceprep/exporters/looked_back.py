"""The chapters that only a review has: what mattered, what to practise, scores, follow-ups, objections, remarks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from voiceprep.core.events import Evidence
from voiceprep.exporters.blocks import Block, Chapter, Item, Items, Place, Quote, Table, Text, table
from voiceprep.review.document import Advice, PushbackReply, Review, Step, Thread

ANSWERED = {True: "answered", False: "not answered", None: "asked for nothing in particular, or was not understood"}
MET = {True: "met", False: "not met", None: "nobody can tell"}
REMARKS = frozenset({"note", "star", "label"})


def before_flags(review: Review) -> Iterator[Chapter]:
    """What is read first."""
    if review.moments:
        items = tuple(
            Item(moment.text, Place(moment.start), tuple(_quote(quote) for quote in moment.quotes)) for moment in review.moments
        )
        yield Chapter("moments", "What mattered", (Items(items),))
    if review.advice:
        yield Chapter("advice", "What to practise next", (Items(tuple(Item(_advice(a, review.names)) for a in review.advice)),))
    if review.debrief is not None:
        line = review.debrief
        doubts = (Text(f"Not judged: {'; '.join(line.doubts)}."),) if line.doubts else ()
        quotes = tuple(_quote(quote) for quote in line.evidence)
        yield Chapter("debrief", "What a committee would read", (Items((Item(line.sentence, None, quotes),)), *doubts))
    if review.scores is not None:
        yield Chapter("scores", "Scores", tuple(_scores(review.scores, review.names)))


def after_flags(review: Review) -> Iterator[Chapter]:
    """What rests on the follow-ups."""
    threads = [thread for thread in review.threads if thread.steps]
    if threads:
        yield Chapter(
            "threads", "How far each claim held", tuple(block for thread in threads for block in _thread(thread, review))
        )
    pushbacks = table(("Objection", "At", "It was", "After", "Pace"), [_pushback(reply) for reply in review.pushbacks])
    if pushbacks is not None:
        yield Chapter("pushbacks", "Objections", (pushbacks,))
    if review.missing:
        yield Chapter("missing", "Not heard", (Text(", ".join(_name(name, review.names) for name in review.missing)),))


def remarks(review: Review) -> Items | None:
    """What the user wrote beside the session."""
    items = tuple(
        Item(
            f"{remark.kind}: {remark.text}" if remark.kind == "label" else remark.text.strip() or "marked",
            Place(remark.anchor.start),
            (Quote(Place(remark.anchor.start), remark.anchor.quote),) if remark.anchor.quote else (),
        )
        for remark in review.annotations
        if remark.layer == "user" and remark.kind in REMARKS
    )
    return Items(items) if items else None


def _advice(advice: Advice, names: Mapping[str, str]) -> str:
    drills = "; ".join(names.get(one, one) for one in advice.drills)
    return f"{advice.text} (drill: {drills})" if drills else advice.text


def _quote(evidence: Evidence) -> Quote:
    return Quote(Place(evidence.start, evidence.end), evidence.quote)


def _name(name: str, names: Mapping[str, str]) -> str:
    return names.get(name, name.replace("_", " "))


def _thread(thread: Thread, review: Review) -> Iterator[Block]:
    held = f"{thread.survived} of {thread.asked} follow-ups" if thread.asked else "no follow-up asked for anything"
    quotes = (_quote(thread.claim),) if thread.claim is not None else ()
    yield Items((Item(f"{thread.text} ({held})", None, quotes),))
    found = table(("Follow-up", "Went after", "It was", "Reply"), [_step(step, review) for step in thread.steps])
    if found is not None:
        yield found


def _step(step: Step, review: Review) -> tuple[str | Quote, ...]:
    reply = _quote(step.reply) if step.reply is not None else ""
    return step.asked, _name(step.target, review.names), ANSWERED[step.answered], reply


def _pushback(reply: PushbackReply) -> tuple[str | Place, ...]:
    after = "" if reply.delay is None else f"{reply.delay:.1f} s"
    pace = "" if reply.shift is None else f"{100 * reply.shift:+.0f} %"
    return reply.asked, Place(reply.at), MET[reply.answered], after, pace


def _scores(scores: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[Block]:
    """`scores` is the document of `score --json`: what is missing in it is simply not shown."""
    overall = scores.get("overall")
    titles = {each.get("id"): each.get("title") for each in scores.get("dimensions") or ()}
    if isinstance(overall, Mapping):
        gate = ", ".join(titles.get(each) or _name(str(each), names) for each in overall.get("gate") or ())
        yield Text(f"Level {overall.get('level')} of 4{f', held back by {gate}' if gate else ''}.")
    else:
        reasons = "; ".join(map(str, scores.get("reasons") or ()))
        yield Text(f"Not scored: {reasons}." if reasons else "Not scored as a whole.")
    rows = [
        (
            dimension.get("title") or _name(str(dimension.get("id", "")), names),
            _level(dimension.get("level")),
            _why(dimension),
            _first(dimension),
        )
        for dimension in scores.get("dimensions") or ()
    ]
    found: Table | None = table(("Dimension", "Level", "Why", "Heard"), rows)
    if found is not None:
        yield found


def _level(level: int | None) -> str:
    return "no evidence" if level is None else f"{level} of 4"


def _why(dimension: Mapping[str, Any]) -> str:
    why = dimension.get("why") or ""
    return why if isinstance(why, str) else "; ".join(str(each) for each in why)


def _first(dimension: Mapping[str, Any]) -> str | Quote:
    for evidence in dimension.get("evidence") or ():
        start, end = evidence.get("start"), evidence.get("end")
        return Quote(Place(start, end), evidence["quote"]) if isinstance(start, (int, float)) else evidence["quote"]
    return ""
