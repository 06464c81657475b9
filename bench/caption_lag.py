"""How late captions are: recordings played at live pace through the real machines and the real recogniser, on the wall clock.

The truth is a thorough decode of the same recording with word times: what counts here is when a word can be read, not whether
it is right, so words that the captions never have are left out and counted (`missed`).
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from statistics import median
from typing import Any

import numpy as np

from voiceprep.audio.base import BLOCK, RATE, Samples
from voiceprep.audio.recent import Recent
from voiceprep.audio.sink_null import NullSink
from voiceprep.core.conductor import Conductor
from voiceprep.core.events import (
    AudioProgress,
    CaptionChanged,
    CaptionsBehind,
    Command,
    Draft,
    DraftReady,
    Event,
    Fact,
    Language,
    QuietPoint,
    SessionStarted,
    StopRequested,
    VoiceLulled,
    VoiceStarted,
    VoiceStopped,
    Word,
    WordsCommitted,
)
from voiceprep.core.listening.captions import Captions
from voiceprep.core.listening.hearing import Hearing
from voiceprep.core.policy import Policy
from voiceprep.core.units import At, Media, MediaClock, Seconds
from voiceprep.live.interpreter import Edges, Interpreter
from voiceprep.live.player import Player
from voiceprep.speech.stt.base import Recogniser
from voiceprep.speech.tts.base import VoiceStyle
from voiceprep.speech.tts.silent import SilentVoice
from voiceprep.speech.vad.base import Activity
from voiceprep.speech.vad.silero import SileroActivity

AFTER: Seconds = 2.5
"""Silence played behind each recording, so that its last words have an end."""


@dataclass
class Lags:
    """Seconds from the end of a word until it is shown, until it is firm, and from the end of speech to its final text."""

    shown: list[Seconds] = field(default_factory=list)
    committed: list[Seconds] = field(default_factory=list)
    final: list[Seconds] = field(default_factory=list)
    missed: int = 0
    behind: Seconds = 0.0
    """The most that was told."""

    def figures(self) -> dict[str, Any]:
        """Medians, None where there was nothing to measure, with the 90th percentiles and counts."""
        lists = {"shown": self.shown, "committed": self.committed, "final": self.final}
        p50 = {name: round(median(lags), 2) if lags else None for name, lags in lists.items()}
        p90 = {f"{name}_p90": round(float(np.percentile(lags, 90)), 2) if lags else None for name, lags in lists.items()}
        return p50 | p90 | {"words": len(self.shown), "missed": self.missed, "ends": len(self.final), "told": self.behind}


async def measure(
    recogniser: Recogniser, recordings: Iterable[tuple[Samples, Language, tuple[Word, ...]]], tokens: Callable[[str], list[str]]
) -> Lags:
    """Play each recording (mono at RATE, its language, its words with true times) and take the lags of all together."""
    lags = Lags()
    for samples, language, truth in recordings:
        played = _Played(recogniser, language)
        await played.run(np.concatenate((samples, np.zeros(round(AFTER * RATE), np.float32))))
        _words(played.log, [(token, word.end) for word in truth for token in tokens(word.text)], tokens, lags)
        _ends(played.log, lags)
        lags.behind = max([lags.behind, *(e.seconds for e in played.log if isinstance(e, CaptionsBehind))])
    return lags


async def warm(recogniser: Recogniser) -> None:
    """A first decode of both kinds: it allocates what all others use again."""
    noise = np.random.default_rng(0).standard_normal(RATE).astype(np.float32) * 0.01
    await recogniser.hypothesize(noise, "en")
    await recogniser.transcribe(noise, "en")


class _Played:
    """One recording at live pace. Media time and the session clock run together from the first sample."""

    def __init__(self, recogniser: Recogniser, language: Language) -> None:
        policy, clock = Policy(), MediaClock()
        self._conductor = Conductor([Hearing(policy, clock), Captions(policy, clock)], clock, policy)
        self._recent = Recent()
        edges = Edges(recogniser, SilentVoice(), Player(), NullSink(), self._recent, language, VoiceStyle("mid-neutral"))
        self._interpreter = Interpreter(edges, self._answered)
        self._zero = 0.0
        self._language = language
        self.log: list[Event] = []

    async def run(self, samples: Samples) -> None:
        activity = SileroActivity()
        self._zero = asyncio.get_running_loop().time()
        self._handle(SessionStarted(at=At(0.0), round="", persona="", language=self._language))
        for number in range(len(samples) // BLOCK):
            await asyncio.sleep(max(0.0, (number + 1) * BLOCK / RATE - self._now()))
            block = samples[number * BLOCK : (number + 1) * BLOCK]
            self._recent.append(block)
            at = self._now()
            if number % (RATE // BLOCK) == 0:
                self._handle(AudioProgress(at=at, media=self._recent.media))
            for found in activity.feed(block):
                self._noticed(found, at)
            self._take(self._conductor.advance(at))
        self._handle(StopRequested(at=self._now(), reason="audio-ended"))
        await self._interpreter.settle()
        await self._interpreter.close()

    def _now(self) -> At:
        return At(asyncio.get_running_loop().time() - self._zero)

    def _noticed(self, found: Activity, at: At) -> None:
        media = Media(found.media)
        match found.kind:
            case "started":
                self._handle(VoiceStarted(at=at, speaker="candidate", media=media))
            case "lulled":
                self._handle(VoiceLulled(at=at, speaker="candidate", media=media))
            case "stopped":
                self._handle(VoiceStopped(at=at, speaker="candidate", media=media))
            case "quiet":
                self._handle(QuietPoint(at=at, media=media, level=found.level))
            case _:
                pass

    def _answered(self, fact: Fact) -> None:
        object.__setattr__(fact, "at", self._now())
        self._handle(fact)

    def _handle(self, fact: Fact) -> None:
        self._take(self._conductor.handle(fact))

    def _take(self, events: list[Event]) -> None:
        self.log += events
        for event in events:
            if isinstance(event, Command):
                self._interpreter.execute(event)


def _words(log: list[Event], truth: list[tuple[str, Media]], tokens: Callable[[str], list[str]], lags: Lags) -> None:
    """When each true word could first be read, and when it was first among those that stay."""
    wanted = [token for token, _ in truth]
    record: list[str] = []
    shown: dict[int, At] = {}
    firm: dict[int, At] = {}
    for event in log:
        if isinstance(event, WordsCommitted):
            record += [token for word in event.words for token in tokens(word.text)]
        elif isinstance(event, CaptionChanged):
            staying = record + [token for word in event.firm for token in tokens(word.text)]
            changing = [token for word in event.tentative for token in tokens(word.text)]
            for place in _found(wanted, staying + changing):
                shown.setdefault(place[0], event.at)
                if place[1] < len(staying):
                    firm.setdefault(place[0], event.at)
    for index, (_, end) in enumerate(truth):
        if index in shown and index in firm:
            lags.shown.append(shown[index] - end)
            lags.committed.append(firm[index] - end)
        else:
            lags.missed += 1


def _found(wanted: list[str], got: list[str]) -> Iterable[tuple[int, int]]:
    """Which words are which, by their places in both."""
    for block in SequenceMatcher(None, wanted, got, autojunk=False).get_matching_blocks():
        yield from ((block.a + n, block.b + n) for n in range(block.size))


def _ends(log: list[Event], lags: Lags) -> None:
    """From each end of speech to the draft that covers it. Speech that went on before that had not ended."""
    drafts = {event.id: event.end for event in log if isinstance(event, Draft)}
    ready = sorted((drafts[event.of], event.at) for event in log if isinstance(event, DraftReady))
    starts = [event.media for event in log if isinstance(event, VoiceStarted)]
    for stop in (event.media for event in log if isinstance(event, VoiceStopped)):
        answers = [at for end, at in ready if end >= stop]
        following = bisect_left(starts, stop)
        if answers and (following == len(starts) or min(answers) <= starts[following]):
            lags.final.append(min(answers) - stop)
