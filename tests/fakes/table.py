"""An interview on paper: a scripted candidate at a simulated clock, and edges that always answer."""

from __future__ import annotations

import heapq
import itertools
from dataclasses import replace
from typing import TypeVar

from voiceprep.core.conductor import Conductor
from voiceprep.core.events import (
    AudioProgress,
    Command,
    Draft,
    DraftReady,
    EdgeFailed,
    Event,
    Fact,
    HypothesisReady,
    Hypothesize,
    Language,
    PauseSpeaking,
    PrepareSpeech,
    ResumeSpeaking,
    Reword,
    Reworded,
    SessionStarted,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
    SpeechPrepared,
    StopRequested,
    StopSpeaking,
    Transcribe,
    TranscriptReady,
    VoiceLulled,
    VoiceStarted,
    VoiceStopped,
    Word,
)
from voiceprep.core.pack import Content
from voiceprep.core.policy import Policy
from voiceprep.core.turns.speaking import heard_text
from voiceprep.core.units import At, Media
from voiceprep.live.assembly import assemble

E = TypeVar("E", bound=Event)
LETTERS_A_SECOND = 15.0


class Table:
    """Media and session time are the same here unless `offset` says otherwise.

    `say` puts speech on the time line; `run` plays it all and returns the log. Edges answer `Speak` at a natural pace and
    `Transcribe` after `decode` seconds with the words that were said in that span.
    """

    def __init__(
        self,
        content: Content,
        *,
        language: Language = "en",
        policy: Policy | None = None,
        seed: int = 1,
        decode: float = 0.5,
        offset: float = 0.0,
    ) -> None:
        self.policy = policy or Policy(captions=False)
        self.conductor: Conductor = assemble(content, self.policy, language, seed)
        self.log: list[Event] = []
        self.decode = decode
        self.offset = offset
        self.fail: set[str] = set()
        """Kinds of command (`Transcribe`, `Speak`) that fail from now on."""
        self.deaf: set[str] = set()
        """Kinds of command (`Draft`) that hear no word."""
        self.reword: tuple[float, str] = (0.3, "Reworded: {text}")
        """After how many seconds a `Reword` is answered, and with what."""
        self._queue: list[tuple[float, int, Fact]] = []
        self._order = itertools.count()
        self._words: list[Word] = []
        self._speaking: dict[str, tuple[float, str, SpeakingFinished]] = {}
        self._pauses: dict[str, float] = {}
        self.now = 0.0

    # --- the script -----------------------------------------------------------------------------------------------------

    def put(self, at: float, fact: Fact) -> None:
        heapq.heappush(self._queue, (at, next(self._order), replace(fact, at=At(at))))

    def say(self, start: float, end: float, text: str = "", level: float | None = None) -> None:
        """The candidate, or somebody in the background, speaks from `start` to `end` (media seconds), at `level` dBFS."""
        begun = VoiceStarted(at=At(0), speaker="candidate", media=Media(start), level=level)
        self.put(start + self.offset + 0.15, begun)
        self.put(end + self.offset + 0.2, VoiceLulled(at=At(0), speaker="candidate", media=Media(end)))
        self.put(end + self.offset + 0.3, VoiceStopped(at=At(0), speaker="candidate", media=Media(end)))
        pieces = text.split()
        step = (end - start) / max(1, len(pieces))
        for n, piece in enumerate(pieces):
            self._words.append(Word(piece, Media(start + n * step), Media(start + (n + 1) * step), 0.9))

    def stop(self, at: float, reason: str = "audio-ended") -> None:
        self.put(at, StopRequested(at=At(0), reason=reason))

    # --- running --------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        self.put(0.0, SessionStarted(at=At(0), round="test-round", persona="tester", language="en"))
        self.put(self.offset, AudioProgress(at=At(0), media=Media(0)))

    def run(self, until: float = 1e9) -> list[Event]:
        """Play everything that is due up to `until` session seconds. Returns the whole log so far."""
        while not self.conductor.ended:
            fact_at = self._queue[0][0] if self._queue else float("inf")
            due = self.conductor.deadline
            due_at = float("inf") if due is None else due
            moment = min(fact_at, due_at)
            if moment > until or moment == float("inf"):
                break
            self.now = moment
            if due_at <= fact_at:
                self._take(self.conductor.advance(At(due_at)))
            else:
                self._take(self.conductor.handle(heapq.heappop(self._queue)[2]))
        return self.log

    def _take(self, events: list[Event]) -> None:
        self.log += events
        for event in events:
            if isinstance(event, Command):
                self._answer(event)

    def _answer(self, command: Command) -> None:
        if type(command).__name__ in self.fail:
            self.put(self.now + 0.1, EdgeFailed(at=At(0), code="test", message="it failed", of=command.id))
            return
        match command:
            case Speak():
                seconds = len(command.text) / LETTERS_A_SECOND
                begin = self.now + 0.2
                media = Media(max(0.0, begin - self.offset))
                over = Media(max(0.0, begin + seconds - self.offset))
                finished = SpeakingFinished(
                    at=At(0), of=command.id, media=over, heard=command.text, seconds=seconds, complete=True
                )
                self._speaking[command.id] = (begin, command.text, finished)
                self.put(begin, SpeakingStarted(at=At(0), of=command.id, media=media))
                self.put(begin + seconds, finished)
            case PrepareSpeech():
                self.put(self.now + 0.05, SpeechPrepared(at=At(0), of=command.id))
            case Reword():
                late, line = self.reword
                self.put(self.now + late, Reworded(at=At(0), of=command.id, text=line.format(text=command.text)))
            case PauseSpeaking():
                self._pauses[command.of] = self.now
                self._queue = [item for item in self._queue if getattr(item[2], "of", "") != command.of]
                heapq.heapify(self._queue)
            case ResumeSpeaking():
                begin, text, finished = self._speaking[command.of]
                lost = self.now - self._pauses.pop(command.of)
                self._speaking[command.of] = (begin + lost, text, finished)
                self._queue = [item for item in self._queue if getattr(item[2], "of", "") != command.of]
                heapq.heapify(self._queue)
                ended = begin + lost + len(text) / LETTERS_A_SECOND
                self.put(ended, replace(finished, media=Media(max(0.0, ended - self.offset))))
            case StopSpeaking():
                begin, text, _ = self._speaking[command.of]
                self._queue = [item for item in self._queue if getattr(item[2], "of", "") != command.of]
                heapq.heapify(self._queue)
                seconds = max(0.0, self._pauses.pop(command.of, self.now) - begin)
                heard = heard_text(text, seconds * LETTERS_A_SECOND / len(text))
                media = Media(max(0.0, self.now - self.offset))
                self.put(
                    self.now,
                    SpeakingFinished(at=At(0), of=command.of, media=media, heard=heard, seconds=seconds, complete=False),
                )
            case Transcribe():
                said = tuple(w for w in self._words if command.start <= (w.start + w.end) / 2 < command.end)
                self.put(self.now + self.decode, TranscriptReady(at=At(0), of=command.id, words=said))
            case Draft():
                said = tuple(w for w in self._words if command.start <= (w.start + w.end) / 2 < command.end)
                understood = () if "Draft" in self.deaf else said
                self.put(self.now + self.decode / 3, DraftReady(at=At(0), of=command.id, words=understood))
            case Hypothesize():
                said = tuple(w for w in self._words if command.start <= (w.start + w.end) / 2 and w.end <= command.end)
                new = said[len(command.known.split()) :]
                self.put(self.now + self.decode / 2, HypothesisReady(at=At(0), of=command.id, words=new))
            case _:
                raise AssertionError(command)


def of_kind(log: list[Event], kind: type[E]) -> list[E]:
    return [event for event in log if isinstance(event, kind)]
