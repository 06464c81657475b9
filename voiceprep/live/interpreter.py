"""Carries out commands. One flat match; every command is answered by exactly one fact, whatever happens to it."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from voiceprep.audio.base import Sink
from voiceprep.audio.recent import Recent
from voiceprep.core.events import (
    Command,
    Draft,
    DraftReady,
    EdgeFailed,
    Fact,
    HeldSound,
    HypothesisReady,
    Hypothesize,
    Language,
    PauseSpeaking,
    PrepareSpeech,
    ResumeSpeaking,
    Reword,
    Reworded,
    Speak,
    SpeakingFinished,
    SpeechPrepared,
    StopSpeaking,
    Transcribe,
    TranscriptReady,
    Word,
)
from voiceprep.core.pack import Tongue
from voiceprep.core.units import Media
from voiceprep.errors import VoiceprepError
from voiceprep.live.inbox import NOW
from voiceprep.live.player import Outcome, Player
from voiceprep.speech.fillers import held_in
from voiceprep.speech.stt.base import Recogniser, Transcript
from voiceprep.speech.tts.base import Utterance, VoiceStyle
from voiceprep.speech.tts.ear import for_ear

if TYPE_CHECKING:  # it brings the client library, which a session without a language model does not need
    from voiceprep.agent.interviewer import Worded

logger = logging.getLogger(__name__)


DEFECT = "something in voiceprep itself failed; the details are in the log file"


class Voices(Protocol):
    """What the interpreter needs of the voices: text that is fit for the ear in, sound out."""

    async def render(self, text: str, language: Tongue, style: VoiceStyle) -> Utterance: ...


class Wordsmith(Protocol):
    """What the interpreter needs of a language model. Raises VoiceprepError."""

    async def reword(self, command: Reword) -> Worded: ...

    def overtaken(self, of: str) -> Worded:
        """What the line of command `of` has taken by now: it is about to be cancelled."""
        ...


@dataclass(frozen=True, slots=True)
class Edges:
    """What commands are carried out with."""

    recogniser: Recogniser | None
    voices: Voices
    player: Player
    sink: Sink
    recent: Recent
    language: Language
    style: VoiceStyle
    wordsmith: Wordsmith | None = None
    """None: nothing is asked to be reworded."""
    sounds: Mapping[str, Utterance] = field(default_factory=dict)
    """Sounds of listening and cues, rendered before the session: what is not here is not said, it would come too late."""
    listens: Callable[[], bool] = lambda: True
    """Whether the candidate is heard while the interviewer sounds. Where not, no sound of listening is made."""


def sentences(text: str) -> list[str]:
    """The text in pieces that are spoken one by one, so that the first sounds before the last is rendered."""
    return [piece.strip() for piece in re.split(r"(?<=[.?!])\s+|(?<=[。？！])", text) if piece.strip()]


class Interpreter:
    """`execute` returns at once; answers reach `post` later, from tasks that this object owns."""

    def __init__(self, edges: Edges, post: Callable[[Fact], None]) -> None:
        self._edges = edges
        self._post = post
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._captions: set[asyncio.Task[None]] = set()
        self._prepared: tuple[str, asyncio.Task[Utterance]] | None = None
        """The line that was to be prepared last, and its first sentence."""
        self._rewording = ""
        """The line that was to be reworded last."""

    def execute(self, command: Command) -> None:
        match command:
            case Speak(move="backchannel" | "cue"):
                self._listen(command)
            case Speak():
                self._silence(self._edges.player.of)  # a prompt may still be sounding
                self._edges.player.begin(command.id)
                self._start(command.id, self._speak(command))
            case PrepareSpeech():
                self._start(command.id, self._prepare(command))
            case Reword():
                self.overtake()
                self._rewording = command.id
                self._start(command.id, self._reword(command))
            case PauseSpeaking():
                self._edges.player.pause(command.of, dropped=self._edges.sink.drop())
            case ResumeSpeaking():
                self._edges.player.resume(command.of)
            case StopSpeaking():
                self._silence(command.of)
            case Draft():
                self._start(command.id, self._draft(command))
            case Transcribe():
                self._start(command.id, self._transcribe(command))
            case Hypothesize():
                task = asyncio.create_task(self._guarded(command.id, self._hypothesize(command)))
                self._captions.add(task)
                task.add_done_callback(self._captions.discard)
            case _:
                raise AssertionError(f"no interpretation of {type(command).__name__}")

    async def settle(self) -> None:
        """Wait for every answer that decisions depend on (captions are only shown)."""
        while self._tasks:
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def close(self) -> None:
        """Cancel what is still running."""
        prepared = [self._prepared[1]] if self._prepared is not None else []
        tasks = [*self._tasks.values(), *self._captions, *prepared]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # --- commands -------------------------------------------------------------------------------------------------------

    async def _speak(self, command: Speak) -> None:
        """Sentence by sentence. Where one fails, what was rendered before it is still heard, and the log says so."""
        edges, said = self._edges, False
        joint = " " if command.language == "en" else ""
        prepared = await self._prepared_for(command.text)
        for number, sentence in enumerate(sentences(command.text)):
            try:
                if number == 0 and prepared is not None:
                    utterance = prepared
                else:
                    utterance = await self._rendered(sentence, command.language)
            except VoiceprepError as error:
                if not said:
                    raise
                self._post(EdgeFailed(at=NOW, code=error.code, message=str(error)))
                edges.player.complete(command.id, whole=False)
                return
            said = True
            edges.player.add(command.id, sentence + joint, utterance.samples)
        edges.player.complete(command.id)

    def _listen(self, command: Speak) -> None:
        """A sound of listening sounds with the next tick, or not at all."""
        player, sound = self._edges.player, self._edges.sounds.get(command.text)
        if sound is None or player.busy or not self._edges.listens():
            self.post_outcome(Outcome(command.id, "", 0.0, complete=False))
            return
        player.begin(command.id, floor=False)
        player.add(command.id, command.text, sound.samples)
        player.complete(command.id)

    async def _rendered(self, sentence: str, language: Tongue) -> Utterance:
        return await self._edges.voices.render(for_ear(sentence, language), language, self._edges.style)

    async def _prepared_for(self, text: str) -> Utterance | None:
        """The first sentence of this text, if it was prepared; None when it was not, or could not be: it is tried again."""
        if self._prepared is None or self._prepared[0] != text:
            return None
        first = self._prepared[1]
        await asyncio.wait({first})
        return None if first.cancelled() or first.exception() is not None else first.result()

    async def _prepare(self, command: PrepareSpeech) -> None:
        """Render the first sentence: most lines have one, and the others are rendered while it sounds."""
        first = asyncio.create_task(self._rendered(sentences(command.text)[0], command.language))
        if self._prepared is not None:
            self._prepared[1].cancel()
        self._prepared = (command.text, first)
        await asyncio.wait({first})
        if not first.cancelled() and (error := first.exception()) is not None:
            raise error
        self._post(SpeechPrepared(at=NOW, of=command.id))

    def overtake(self) -> None:
        """The answer went on, or the session is closing: what is being worded will not be said, and nobody waits for it."""
        task = self._tasks.get(self._rewording)
        if task is not None and not task.done():
            assert self._edges.wordsmith is not None
            self._post_words(self._rewording, self._edges.wordsmith.overtaken(self._rewording))
            task.cancel()

    async def _reword(self, command: Reword) -> None:
        assert self._edges.wordsmith is not None
        self._post_words(command.id, await self._edges.wordsmith.reword(command))

    def _post_words(self, of: str, got: Worded) -> None:
        self._post(
            Reworded(
                at=NOW,
                of=of,
                text=got.text,
                refused=got.refused,
                tokens_in=got.tokens_in,
                tokens_out=got.tokens_out,
                cost=got.cost,
            )
        )

    def _silence(self, of: str) -> None:
        """Stop utterance `of` and answer its `Speak` with what was heard of it."""
        edges = self._edges
        if not of or of != edges.player.of:
            return
        task = self._tasks.pop(of, None)
        if task is not None:
            task.cancel()
        outcome = edges.player.stop(of, dropped=edges.sink.drop())
        if outcome is not None:
            self.post_outcome(outcome)

    def post_outcome(self, outcome: Outcome) -> None:
        """Answer a `Speak` command."""
        self._post(
            SpeakingFinished(
                at=NOW,
                of=outcome.of,
                media=self._edges.recent.media,
                heard=outcome.heard,
                seconds=outcome.seconds,
                complete=outcome.complete,
            )
        )

    async def _draft(self, command: Draft) -> None:
        samples = self._edges.recent.between(command.start, command.end)
        assert self._edges.recogniser is not None
        transcript = await self._edges.recogniser.draft(samples, self._edges.language)
        self._post(DraftReady(at=NOW, of=command.id, words=_placed(transcript, command.start)))

    async def _held(self, command: Transcribe) -> tuple[HeldSound, ...]:
        """Fillers by ear are an estimate: whatever fails in them, the words are kept."""
        try:
            return await held_in(self._edges.recent, command)
        except Exception as error:  # noqa: BLE001 - see above
            logger.warning("fillers could not be listened for: %s", type(error).__name__)
            return ()

    async def _transcribe(self, command: Transcribe) -> None:
        samples = self._edges.recent.between(command.start, command.end)
        assert self._edges.recogniser is not None
        transcript, held = await asyncio.gather(
            self._edges.recogniser.transcribe(samples, self._edges.language), self._held(command)
        )
        self._post(
            TranscriptReady(
                at=NOW,
                of=command.id,
                words=_placed(transcript, command.start),
                trusted=transcript.trusted,
                reasons=transcript.reasons,
                held=held,
            )
        )

    async def _hypothesize(self, command: Hypothesize) -> None:
        samples = self._edges.recent.between(command.start, command.end)
        assert self._edges.recogniser is not None
        try:
            transcript = await self._edges.recogniser.hypothesize(samples, self._edges.language, command.known)
        except VoiceprepError as error:
            if error.code != "recogniser-dropped":
                raise
            self._post(HypothesisReady(at=NOW, of=command.id, words=(), skipped=True))  # no trouble, only no caption
            return
        self._post(HypothesisReady(at=NOW, of=command.id, words=_placed(transcript, command.start)))

    # --- tasks ----------------------------------------------------------------------------------------------------------

    def _start(self, of: str, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._guarded(of, work))
        self._tasks[of] = task
        task.add_done_callback(lambda _: self._tasks.pop(of, None))

    async def _guarded(self, of: str, work: Coroutine[Any, Any, None]) -> None:
        """An edge that fails is a fact, never the end of the session."""
        try:
            await work
        except VoiceprepError as error:
            self._failed(of, error.code, str(error))
        except Exception:
            logger.exception("a defect while carrying out %s", of)
            self._failed(of, "defect", DEFECT)

    def _failed(self, of: str, code: str, message: str) -> None:
        self._edges.player.stop(of)
        self._post(EdgeFailed(at=NOW, code=code, message=message, of=of))


def _placed(transcript: Transcript, start: Media) -> tuple[Word, ...]:
    """Word times as places in the recording."""
    return tuple(Word(w.text, Media(w.start + start), Media(w.end + start), w.confidence) for w in transcript.words)
