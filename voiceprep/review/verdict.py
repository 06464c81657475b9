"""What the recording of one round shows, and what it amounts to. `verdict_of` is all that the rest knows of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from voiceprep.content.review import load_review
from voiceprep.core.answers.answering import Answering, Awaited
from voiceprep.core.answers.classifier import Asked
from voiceprep.core.answers.coverage import assess
from voiceprep.core.events import (
    EdgeFailed,
    Event,
    Evidence,
    FlagRaised,
    Transcribe,
    TranscriptReady,
    Word,
)
from voiceprep.core.interviewer.loop import Findings, Reply, Topic, Verdict, judge
from voiceprep.core.pack import Content, Question, Tongue, tongue_of
from voiceprep.core.text import beginning, mmss, text_of
from voiceprep.core.timeline import Timeline, fold
from voiceprep.core.units import Media, Seconds, Span
from voiceprep.review.quality import Doubts, Quality, judge_transcript
from voiceprep.store.header import Header

LEAST_SPEECH = 60.0
"""Seconds of speech under which nobody can say how a round went,"""
LEAST_WORDS = 80
"""... and words (Chinese: characters)."""
LEAST_TURNS = 2
QUOTE_WORDS = 24
"""What is quoted of a reply that did not answer: about one sentence."""

FOLLOWING = frozenset({"followup", "pushback", "curveball", "probe_detail", "forced_choice"})
MEETS_OBJECTION = frozenset({"rescope", "restates_objection", "tradeoff", "validation", "assumption", "deadline_challenge"})
"""Any of these meets an objection that asks for nothing in particular; repeating or dropping the plan does not."""
KEPT_BY_INTERVIEWER = frozenset({"section_overrun", "round_overrun"})
"""Alarms of a clock that the interviewer keeps: they are no fault of whoever answers. Nor is a silence after an answer."""
WHOLE = frozenset({"audio-ended", "completed"})
"""Reasons of a session's end that break no answer off: a recording holds all of it, and a round that is over has closed it."""
YIELDS_NOTHING = frozenset({"instant_defence", "instant_concession"})


def too_little(spoken: Seconds, words: int) -> bool:
    """Whether so much speech, in seconds and in words, is too little to say anything of a round."""
    return spoken < LEAST_SPEECH or words < LEAST_WORDS


def verdict_of(
    header: Header,
    events: Sequence[Event],
    content: Content,
    timeline: Timeline | None = None,
    tongue: Tongue | None = None,
) -> tuple[Findings, Verdict]:
    """How the round of this session went, at the severity it was held at. No verdict on what nobody could understand.

    `timeline`: the fold of `events`, for who has it already. `tongue`: in which doubts are told; else the session's own.
    """
    found = findings(header, events, content, timeline, tongue)
    return found, judge(found, header.severity)


def findings(
    header: Header,
    events: Sequence[Event],
    content: Content,
    timeline: Timeline | None = None,
    tongue: Tongue | None = None,
) -> Findings:
    """What was asked, heard, answered and left open. All evidence is verbatim from the words of record, with its place."""
    timeline = timeline or fold(events)
    recognised = header.models.get("stt") != "off"
    quality = judge_transcript(timeline.words, timeline.speech, _told(events), recognised=recognised)
    by_id = {question.id: question for question in content.round.questions}
    traps = {detector.id for detector in content.detectors if detector.kind == "trap"}
    shown: dict[str, Evidence] = {}
    faults: list[Evidence] = []
    replies: list[Reply] = []
    topics: dict[str, tuple[dict[str, None], set[str]]] = {}
    turns, cut_off = list(_turns(events, timeline)), _cut_off(timeline)
    for turn in turns:
        question = by_id.get(turn.to.question)
        evidence = assess(turn.words, content.detectors, header.language, _asked(turn, question, content, header))
        if question is not None:
            wanted, heard = topics.setdefault(question.id, ({}, set()))
            wanted.update(dict.fromkeys(_wanted(turn, question, traps)))
            heard.update(item.signal for item in evidence)
        for item in evidence:
            if item.signal in traps:
                faults.append(item)
            else:
                shown.setdefault(item.signal, item)
        if turn.to.move in FOLLOWING and turn.to.target:  # to be asked for nothing in particular is nothing to fail at
            reply = _reply(turn, {item.signal for item in evidence}, traps)
            if reply.answered or turn.number not in cut_off:
                replies.append(reply)
    return Findings(
        topics=tuple(Topic(name, tuple(wanted), frozenset(heard)) for name, (wanted, heard) in topics.items()),
        shown=tuple(shown.values()),
        faults=tuple(faults),
        replies=tuple(replies),
        alarms=tuple(_alarms(timeline)),
        answers=len(turns),
        spoken=timeline.spoken,
        doubts=tuple(_doubts(quality, timeline, tongue or tongue_of(header.language))),
        trusted=quality.trusted,
    )


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn of the candidate with words, and what it replies to."""

    number: int
    words: tuple[Word, ...]
    to: Awaited


def _turns(events: Sequence[Event], timeline: Timeline) -> Iterator[_Turn]:
    answering = Answering()
    for event in events:
        answering.handle(event)
    for turn in timeline.turns:
        if turn.speaker == "candidate" and turn.words and turn.trusted:
            yield _Turn(turn.number, turn.words, answering.of(turn.number))


def _cut_off(timeline: Timeline) -> set[int]:
    """The answer that the end of the session broke off: its rest was not said, so nothing was left out of it."""
    if timeline.ended in WHOLE:
        return set()
    return {turn.number for turn in timeline.turns if turn.speaker == "candidate" and turn.reason in {"", "session-ended"}}


def _asked(turn: _Turn, question: Question | None, content: Content, header: Header) -> Asked:
    line = question.line if question is not None else content.round.invite
    return Asked(line.phrasings[tongue_of(header.language)][0], turn.to.text if turn.to.move in FOLLOWING else "")


def _wanted(turn: _Turn, question: Question, traps: set[str]) -> Iterator[str]:
    """Signals that the question, and the follow-up to it, go after. An objection's kind is no signal."""
    yield from (point.target for point in question.points if point.when == "missing")
    if turn.to.move == "followup" and turn.to.target and turn.to.target not in traps:
        yield turn.to.target


def _reply(turn: _Turn, heard: set[str], traps: set[str]) -> Reply:
    if turn.to.move == "pushback":
        answered = heard.isdisjoint(YIELDS_NOTHING) and (turn.to.target in heard or not heard.isdisjoint(MEETS_OBJECTION))
    elif turn.to.target in traps:
        answered = turn.to.target not in heard
    else:
        answered = turn.to.target in heard
    first = beginning(turn.words, QUOTE_WORDS)
    said = Evidence(turn.to.target, text_of(first), first[0].start, first[-1].end)
    return Reply(turn.to.target, answered, said, turn.number)


def _alarms(timeline: Timeline) -> Iterator[FlagRaised]:
    """What the candidate's own clock said: talking on, and silences that the candidate, not the interviewer, let grow."""
    waited = {round(pause.start, 1) for pause in timeline.pauses if pause.kind == "trailing"}
    for flag in timeline.flags:
        theirs = flag.rule in KEPT_BY_INTERVIEWER or (flag.rule == "long_pause" and round(flag.start, 1) in waited)
        if flag.level == "fail" and not theirs:
            yield flag


def _doubts(quality: Quality, timeline: Timeline, tongue: Tongue) -> Iterator[str]:
    """Why the round must not be judged."""
    texts = load_review()
    if not quality.trusted:
        yield from (texts.doubt(reason, tongue) for reason in quality.reasons)
        return
    answered = sum(turn.speaker == "candidate" and bool(turn.words) for turn in timeline.turns)
    if too_little(timeline.spoken, len(timeline.words)) or answered < LEAST_TURNS:
        answers = texts.count("answers", answered, tongue)
        yield texts.say("page", "little", tongue, spoken=mmss(timeline.spoken), answers=answers)


def _told(events: Sequence[Event]) -> Doubts:
    """What the recogniser said of its own work on the record."""
    spans: dict[str, Span] = {}
    untrusted: list[Span] = []
    reasons: list[str] = []
    failed: list[str] = []
    for event in events:
        match event:
            case Transcribe():
                spans[event.id] = Span(event.start, Media(max(event.start, event.end)))
            case TranscriptReady(trusted=False) if event.of in spans:
                untrusted.append(spans[event.of])
                reasons += event.reasons
            case EdgeFailed() if event.of in spans:
                failed.append(event.message)
            case _:
                pass
    return Doubts(untrusted, reasons, failed)
