"""A session of 75 minutes to look back on: the words, flags and notes of a talkative hour, and sound that is like speech."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import numpy as np

from voiceprep.audio.base import RATE, VOICE_RATE, Samples
from voiceprep.core.annotation import Anchor
from voiceprep.core.events import (
    AudioProgress,
    DraftReady,
    Event,
    FlagRaised,
    MoveChosen,
    QuestionAsked,
    SectionChanged,
    SessionEnded,
    SessionStarted,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
    TurnAssessed,
    TurnEnded,
    TurnStarted,
    VoiceStarted,
    VoiceStopped,
    Word,
    WordsCommitted,
    WordsHeard,
)
from voiceprep.core.units import At, Media
from voiceprep.store.annotations import Annotations
from voiceprep.store.folder import SessionFolder
from voiceprep.store.header import Header

ROUND = "gpu-technical"
EXCHANGE = 75.0
"""Seconds of a question and its answer: a line of 6 s, a breath, an answer of 66 s, a breath."""
LINE, ANSWER = 6.0, 66.0
STRETCHES, WORDS = 6, 25
"""An answer is so many stretches of so many words: 9,000 words in 75 minutes."""
FLAGS = 5
"""Flags of an answer: 300 in 75 minutes."""
RULES = ("long_pause", "monologue", "fillers", "rate_fast", "no_numbers")
LEVELS = ("notice", "warning", "notice", "notice", "fail")
ASKED = "You said that the queue fell from forty minutes to six. What did it cost you, and who decided that it was worth it?"
SPOKEN = (
    "we had nine teams on one cluster and nobody had said who may wait so I wrote down what each of them paid for and "
    "moved the ones that could be preempted to the night then I measured it for a week and the median wait fell by half"
)
SHIFT = 0.4
"""Seconds that the session's clock is ahead of the recording."""


def write(recordings: Path, minutes: float = 75.0) -> str:
    """Write the session's folder: log, both tracks as FLAC, notes, summary; its id."""
    exchanges = max(1, round(minutes * 60 / EXCHANGE))
    folder = empty(recordings, ROUND, "principal-engineer")
    for event in _log(exchanges):
        folder.log.append(event)
    for number in range(exchanges):
        folder.candidate.write(_voice(RATE, number, LINE + 1.0, ANSWER))
        folder.interviewer.write(_voice(VOICE_RATE, number, SHIFT, LINE))
    folder.close("completed")
    notes = Annotations(folder.path, ())
    for number in range(0, exchanges, 3):
        start = Media(number * EXCHANGE + LINE + 5.0)
        notes.add("note", Anchor(start, Media(start + 3.0)), f"say the number first ({number})")
    return folder.path.name


def empty(
    recordings: Path, round_id: str, persona: str, started: str = "2026-11-30T09:00:00Z", *, live: bool = True
) -> SessionFolder:
    """The folder of a session in English with nothing in it: one of the page's, or a recording that was taken in."""
    header = Header(
        version="0",
        started=started,
        round=round_id,
        persona=persona,
        language="en",
        mode="coach",
        source="browser" if live else "file",
        clock="wall" if live else "audio",
    )
    return SessionFolder.create(recordings, header)


def line(number: int, turn: int, text: str, start: float, seconds: float, shift: float) -> Iterator[Event]:
    """Question `number`, asked from `start` on, media seconds; the session's clock is `shift` ahead of the recording."""
    of = f"s{number}"
    end = Media(start + seconds)
    begins, ends = At(round(start + shift, 3)), At(round(end + shift, 3))
    yield MoveChosen(at=begins, move="question", target="", phrase="", reason="", of=of)
    yield QuestionAsked(at=begins, question=f"question-{number}", text=text, of=of)
    yield Speak(at=begins, id=of, text=text, language="en", move="question")
    yield SpeakingStarted(at=begins, of=of, media=Media(start))
    yield TurnStarted(at=begins, speaker="interviewer", turn=turn, media=Media(start))
    yield SpeakingFinished(at=ends, of=of, media=end, heard=text, seconds=seconds, complete=True)
    yield TurnEnded(at=ends, speaker="interviewer", turn=turn, media=end, reason="finished")


def _log(exchanges: int) -> Iterator[Event]:
    spoken = cycle(SPOKEN.split())
    yield SessionStarted(at=At(0.0), round=ROUND, persona="principal-engineer", language="en")
    for number in range(exchanges):
        start = number * EXCHANGE
        if number % 10 == 0:
            yield SectionChanged(at=At(start + SHIFT), section=f"part-{number // 10}", budget=900.0)
        yield from sorted(_exchange(number, start, spoken), key=lambda event: event.at)
    end = exchanges * EXCHANGE
    yield SessionEnded(at=At(end + SHIFT), reason="completed")


def _exchange(number: int, start: float, spoken: Iterator[str]) -> Iterator[Event]:
    """With what a recogniser drafts on the way: most of a real log is that."""
    turn, mine = 2 * number + 1, 2 * number + 2

    def at(media: float) -> At:
        return At(round(media + SHIFT, 3))

    for second in range(int(EXCHANGE)):
        yield AudioProgress(at=at(start + second), media=Media(start + second))
    yield from line(number, turn, ASKED, start, LINE, SHIFT)
    first = start + LINE + 1.0
    yield TurnStarted(at=at(first), speaker="candidate", turn=mine, media=Media(first))
    length = ANSWER / STRETCHES
    for stretch in range(STRETCHES):
        begin = first + stretch * length
        end = begin + length - (4.5 if stretch % 3 == 1 else 0.8)  # every third one is followed by a silence to think in
        uttered = _words(spoken, begin, end)
        yield VoiceStarted(at=at(begin), speaker="candidate", media=Media(begin))
        for share in (1, 2, 3):
            draft = uttered[: len(uttered) * share // 3]
            when = at(begin + (end - begin) * share / 3)
            yield WordsHeard(at=when, words=draft, turn=mine)
            yield DraftReady(at=when, of=f"d{number}-{stretch}-{share}", words=draft)
            yield TurnAssessed(at=when, turn=mine, completeness=0.1, evidence=(), log_odds=-2.0)
        yield VoiceStopped(at=at(end), speaker="candidate", media=Media(end))
        yield WordsCommitted(at=at(end + 0.2), words=uttered, turn=mine)
        if stretch < FLAGS:
            yield FlagRaised(
                at=at(end + 0.3),
                rule=RULES[stretch],
                level=LEVELS[stretch],  # type: ignore[arg-type]  # one of the levels
                start=Media(begin),
                end=Media(end),
                advice="Say the number first, then how it came about.",
            )
    yield TurnEnded(at=at(first + ANSWER), speaker="candidate", turn=mine, media=Media(first + ANSWER), reason="yielded")


def _words(spoken: Iterator[str], start: float, end: float) -> tuple[Word, ...]:
    step = (end - start) / WORDS
    return tuple(
        Word(next(spoken), Media(round(start + n * step, 3)), Media(round(start + (n + 0.8) * step, 3)), 0.3 if n == 3 else 0.9)
        for n in range(WORDS)
    )


def _voice(rate: int, number: int, first: float, seconds: float) -> Samples:
    """An exchange's sound of one speaker: noise in syllables, four a second, so that peaks and FLAC have the work of speech."""
    luck = np.random.default_rng(number)
    t = np.arange(round(EXCHANGE * rate)) / rate
    noise = luck.standard_normal(t.size).astype(np.float32)
    syllables = (0.5 + 0.5 * np.sin(2 * np.pi * 4.0 * t)).astype(np.float32)
    speaks = (t >= first) & (t < first + seconds)
    return (0.12 * noise * syllables * speaks).astype(np.float32)
