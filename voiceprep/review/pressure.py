"""What follow-ups and objections did: how long each claim held, and how each objection was met."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from voiceprep.core.answers.answering import Awaited
from voiceprep.core.events import Evidence, QuestionAsked
from voiceprep.core.interviewer.loop import Reply
from voiceprep.core.text import beginning, text_of
from voiceprep.core.timeline import Turn
from voiceprep.core.units import Media
from voiceprep.review.document import PushbackReply, Said, Step, Thread
from voiceprep.review.material import Material
from voiceprep.review.turns import rate_of
from voiceprep.review.verdict import FOLLOWING, QUOTE_WORDS


def threads(material: Material) -> tuple[Thread, ...]:
    """One for each question that was answered, in order: what was claimed, and the follow-ups that it met."""
    asked = {event.question: event.text for event in reversed(material.events) if isinstance(event, QuestionAsked)}
    answers: dict[str, list[Turn]] = {}
    for turn in material.timeline.turns:
        awaited = material.awaited.get(turn.number)
        if awaited is not None and awaited.question and turn.words:
            answers.setdefault(awaited.question, []).append(turn)
    return tuple(_thread(material, question, _bare(material, question, asked), turns) for question, turns in answers.items())


def _bare(material: Material, question: str, asked: Mapping[str, str]) -> str:
    """The question as it was put, without what was said before it in the same breath: a greeting, "where we stopped"."""
    text = asked.get(question, "")
    pack = material.content.round.questions if material.content else ()
    known = (one for each in pack if each.id == question for said in each.line.phrasings.values() for one in said)
    return max((one for one in known if text.endswith(one)), key=len, default=text)


def _thread(material: Material, question: str, text: str, turns: Sequence[Turn]) -> Thread:
    steps = tuple(_steps(material, turns))
    told = [step.answered for step in steps if step.answered is not None]
    survived = told.index(False) if False in told else len(told)
    first = next((turn for turn in turns if material.awaited[turn.number].move not in FOLLOWING), turns[0])
    return Thread(question=question, text=text, claim=_claim(material, first), steps=steps, survived=survived, asked=len(told))


def _steps(material: Material, turns: Sequence[Turn]) -> Iterator[Step]:
    """One for each follow-up; several turns may have gone into the answer to one."""
    by_turn = {reply.turn: reply for reply in (material.findings.replies if material.findings else ())}
    found: dict[str, Step] = {}
    for turn in turns:
        awaited = material.awaited[turn.number]
        if awaited.move not in FOLLOWING:
            continue
        step = _step(material, turn, awaited, by_turn)
        before = found.get(awaited.of or str(turn.number))
        if before is not None and not (step.answered and not before.answered):
            continue  # the first reply stands, unless a later one was the answer
        found[awaited.of or str(turn.number)] = step
    yield from found.values()


def _step(material: Material, turn: Turn, awaited: Awaited, by_turn: Mapping[int, Reply]) -> Step:
    reply = by_turn.get(turn.number)
    judged = turn.trusted and material.readable is not None
    assert awaited.move is not None
    return Step(
        move=awaited.move,
        target=awaited.target,
        asked=_line(material, awaited),
        answered=reply.answered if reply is not None and judged else None,
        reply=opening(turn, awaited.target),
    )


def _line(material: Material, awaited: Awaited) -> str:
    """What the interviewer was heard to say; the text of the move where nothing of it sounded."""
    heard = next((said for said in material.timeline.utterances if said.id == awaited.of), None)
    return (heard.heard or heard.text) if heard is not None else awaited.text


def opening(turn: Turn, name: str) -> Evidence:
    """How an answer began, verbatim."""
    first = beginning(turn.words, QUOTE_WORDS)
    return Evidence(name, text_of(first), first[0].start, Media(max(word.end for word in first)))


def _claim(material: Material, turn: Turn) -> Evidence:
    """The claim of a frame of one's own, else what the answer showed first, else how it began."""
    findings, content = material.findings, material.content
    shown: Iterable[Evidence] = findings.shown if findings else ()
    here = [item for item in shown if turn.start <= item.start and item.end <= turn.words[-1].end]
    framed = [item for item in here if content is not None and item.signal in content.round.framework.claims]
    return next(iter([*framed, *here]), None) or opening(turn, "")


def pushbacks(material: Material, turns: Sequence[Said]) -> tuple[PushbackReply, ...]:
    """Every objection that was replied to, with the pace of the reply against that of all other answers."""
    spoken = {turn.number: turn for turn in material.timeline.turns if turn.words and turn.trusted}
    calm = [turn for number, turn in spoken.items() if _move(material, number) not in {"pushback", None}]
    usual = rate_of(material, calm)
    sounded = {said.id: said.media for said in material.timeline.utterances}
    replies = {reply.turn: reply for reply in (material.findings.replies if material.findings else ())}
    found: dict[str, PushbackReply] = {}
    for said in turns:
        awaited = material.awaited.get(said.number)
        turn = spoken.get(said.number)
        if said.speaker != "candidate" or awaited is None or awaited.move != "pushback" or turn is None:
            continue
        step = _step(material, turn, awaited, replies)
        shift = said.rate / usual - 1.0 if said.rate and usual else None
        made = PushbackReply(
            target=awaited.target,
            asked=step.asked,
            at=sounded.get(awaited.of) or said.start,
            reply=step.reply,
            answered=step.answered,
            delay=said.delay,
            rate=said.rate,
            usual=usual,
            shift=shift,
        )
        key = awaited.of or str(said.number)
        before = found.setdefault(key, made)
        if before is not made and made.answered and not before.answered:
            found[key] = replace(before, answered=True, reply=made.reply)
    return tuple(found.values())


def _move(material: Material, turn: int) -> str | None:
    awaited = material.awaited.get(turn)
    return awaited.move if awaited is not None else None
