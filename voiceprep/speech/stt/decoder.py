"""The Whisper model itself, as it lives in the recogniser's own process.

faster-whisper's own `transcribe` is passed by. It seeks on from the last word it heard and decodes the silence after it,
which is where a 4 s clip turns into a page of one repeated character. Here a span is encoded once and decoded once, without
timestamp tokens, and only audible sound that was left over is looked at again.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from voiceprep.audio.base import RATE, Samples
from voiceprep.core.events import Language, Word
from voiceprep.core.text import is_hanzi
from voiceprep.core.units import Media
from voiceprep.errors import MissingError, UsageError
from voiceprep.speech.stt import guard
from voiceprep.speech.stt.base import Transcript
from voiceprep.speech.stt.level import audible_until, is_silent, places, windows
from voiceprep.speech.stt.script import one_script
from voiceprep.speech.stt.words import Piece, split_words, tidy_times

WINDOW = 30.0
"""Seconds that the model was trained to see, and sees at most."""
_MARGIN = 3.0
"""Seconds of padding after unfinished speech in a short-context decode. With 2 the model began again at the start in 10 of 183
windows, with 3 in 3, at the same cost: what it says twice takes time too."""
_STEP = 1.0
"""Short contexts are filled up to whole seconds. The library keeps memory for every shape of array that it has met: 160 quick
decodes of 0.5 to 12 s took 271 MB more with each its own length, 60 MB with these, at the same cost."""
_LEFT_OVER = 1.5
"""Seconds of audible sound after the last word that are worth another look."""
_SECOND_LOOKS = 2
_OTHER_LANGUAGE = 0.5
"""Probability of Chinese from which an English session is told of it. Mandarin clips gave 0.90 to 1.00, English ones, accents
and noise 0.09 at most; told to hear English, the model translates it, fluently and sure of itself."""
_TELLING = 1.0
"""Seconds of sound from which its language can be told: shorter turns are in the session's."""
_TOKENS_PER_SECOND = {"en": 6.0, "zh": 8.0, "mixed": 8.0}
_FRAMES_PER_SECOND = 100


@dataclass(frozen=True, slots=True)
class Effort:
    """How thoroughly a window is decoded."""

    beam: int
    full_window: bool
    aligned: bool = True
    """Ask the model where each word is; else the words share the audible sound."""


QUICK = Effort(beam=1, full_window=False)
"""Unfinished speech: a short context encodes 10 times faster and differs in about one word of twenty."""
ROUGH = Effort(beam=1, full_window=False, aligned=False)
"""Speech that may be over: what was said matters at once, where each word is comes with the record."""
THOROUGH = Effort(beam=5, full_window=True)
"""The transcript of record."""


class Decoder:
    """Whisper on one device. Everything is deterministic: temperature 0, no sampling.

    Raises:
        MissingError: the model's files are damaged or are not a Whisper model (code ``model-corrupt``).
    """

    def __init__(self, folder: Path, device: str, compute_type: str, prompts: Mapping[Language, str]) -> None:
        from faster_whisper import WhisperModel  # type: ignore[import-untyped]  # it has no types

        self._prompts = prompts
        threads = min(4, os.cpu_count() or 1)
        try:
            self._whisper: Any = WhisperModel(str(folder), device=device, compute_type=compute_type, cpu_threads=threads)
        except Exception as error:  # the library's errors are bare RuntimeErrors and ValueErrors
            raise MissingError(
                f"the speech model in {folder} cannot be loaded ({error})",
                code="model-corrupt",
                hint="delete that folder, then run: make setup",
            ) from error

    def hypothesize(self, samples: Samples, language: Language, known: str = "") -> Transcript:
        """A quick decode of unfinished speech: mono at RATE, shape (n,), 30 s at most. It begins with the words `known`.

        The words after those are returned.
        """
        return self._window(samples[: round(WINDOW * RATE)], language, QUICK, known)

    def draft(self, samples: Samples, language: Language) -> Transcript:
        """A quick decode of speech that may be over: mono at RATE, shape (n,), its last 30 s at most. Times are rough."""
        return self._window(samples[-round(WINDOW * RATE) :], language, ROUGH)

    def transcribe(self, samples: Samples, language: Language) -> Transcript:
        """The thorough decode: mono at RATE, shape (n,). Longer spans than 30 s are split where they are quietest."""
        words: list[Word] = []
        reasons: list[str] = []
        for start, end in windows(samples, round(WINDOW * RATE)):
            found = self._complete(samples[start:end], language)
            words.extend(_moved(found.words, start / RATE))
            reasons.extend(reason for reason in found.reasons if reason not in reasons)
        return Transcript(tidy_times(words, len(samples) / RATE), not reasons, tuple(reasons))

    def _complete(self, samples: Samples, language: Language) -> Transcript:
        """One window, and what the model left over: it sometimes stops at a long pause or where the language changes."""
        found = self._window(samples, language, THOROUGH)
        for _ in range(_SECOND_LOOKS):
            if not found.words or not found.trusted:
                break
            place = round((found.words[-1].end + 0.1) * RATE)
            if audible_until(samples) - place < _LEFT_OVER * RATE:
                break
            more = self._window(samples[place:], language, THOROUGH)
            if not more.words or not more.trusted:  # a door, a cough: no reason to doubt the words before it
                break
            found = Transcript((*found.words, *_moved(more.words, place / RATE)))
        return found

    def _window(self, samples: Samples, language: Language, effort: Effort, known: str = "") -> Transcript:
        duration = len(samples) / RATE
        if is_silent(samples):
            return Transcript(())
        tokenizer = self._tokenizer("en" if language == "en" else "zh")
        features, frames = self._features(samples, effort)
        encoded = self._whisper.encode(features)
        if effort.full_window and language == "en" and duration >= _TELLING and self._is_chinese(encoded):
            return Transcript((), trusted=False, reasons=("it sounds like Chinese, and the session's language is English",))
        prompt = self._prompts[language]
        start = self._whisper.get_prompt(tokenizer, tokenizer.encode(prompt) if prompt else [], without_timestamps=True)
        begun = tokenizer.encode(known if is_hanzi(known[0]) else f" {known}") if known else []
        length = max(round(duration * _TOKENS_PER_SECOND[language]), len(begun)) + 8
        result = self._whisper.model.generate(
            encoded,
            [start + begun],
            beam_size=effort.beam,
            max_length=_length_for(length, len(start)),
            return_scores=True,
            return_no_speech_prob=True,
            suppress_blank=True,
            suppress_tokens=self._suppressed(tokenizer),
        )[0]
        tokens = [token for token in result.sequences_ids[0] if token < tokenizer.eot]
        count = len(result.sequences_ids[0])
        # the score is a mean that leaves out the end token, whose probability it holds, and counts what was given as certain
        logprob = result.scores[0] * count / (count - len(begun) + 1)
        if effort.aligned:
            pieces = self._align(tokenizer, tokens, len(begun), encoded, frames)
        else:
            pieces = self._spread(tokenizer, tokens, samples, math.exp(logprob))
        said = one_script(split_words(guard.without_directions(pieces)))
        words = tidy_times(guard.without_prompt(said, prompt), duration)
        if not effort.full_window:
            words = guard.without_double(guard.without_restart(known, words))
        if effort == QUICK:
            words = guard.without_echoes(words)
        verdict = guard.judge(guard.Decoded(words, len(tokens) - len(begun), logprob, result.no_speech_prob, duration))
        return Transcript(verdict.words, not verdict.reasons, verdict.reasons)

    def _is_chinese(self, encoded: Any) -> bool:
        """Only the session's two languages are ever told apart: a guess at any other would be one."""
        model = self._whisper.model
        return bool(model.is_multilingual and dict(model.detect_language(encoded)[0])["<|zh|>"] > _OTHER_LANGUAGE)

    def _features(self, samples: Samples, effort: Effort) -> tuple[Any, int]:
        from faster_whisper.audio import pad_or_trim  # type: ignore[import-untyped]  # it has no types

        mel = self._whisper.feature_extractor(samples)[:, :-1]
        full = round(WINDOW * _FRAMES_PER_SECOND)
        frames = min(mel.shape[-1], full)
        if not effort.full_window:
            full = min(full, short_context(frames))
        return pad_or_trim(mel, full), frames

    def _align(self, tokenizer: Any, tokens: list[int], given: int, encoded: Any, frames: int) -> list[Piece]:
        """Timed text, less the words that the first `given` tokens begin."""
        if len(tokens) <= given:
            return []
        aligned = self._whisper.find_alignment(tokenizer, [tokens], encoded, frames)
        pieces: list[Piece] = []
        place = 0
        for item in aligned[0] if aligned else []:
            if place >= given:
                pieces.append(Piece(item["word"], float(item["start"]), float(item["end"]), float(item["probability"])))
            place += len(item["tokens"])
        return pieces

    @staticmethod
    def _spread(tokenizer: Any, tokens: list[int], samples: Samples, confidence: float) -> list[Piece]:
        """Text that shares the audible sound by its letters."""
        texts = tokenizer.split_to_word_tokens(tokens)[0]
        ends = list(accumulate(len(text) for text in texts))
        if not ends or not ends[-1]:
            return []
        times = places(samples, [0.0, *(end / ends[-1] for end in ends)])
        return [Piece(text, *span, confidence) for text, span in zip(texts, pairwise(times), strict=True)]

    @cache  # noqa: B019 - one decoder lives as long as its process
    def _tokenizer(self, language: str) -> Any:
        if language != "en" and not self._whisper.model.is_multilingual:
            raise UsageError(
                "this speech model knows English only", code="model-is-english", hint="choose one without .en in its name"
            )
        from faster_whisper.tokenizer import Tokenizer  # type: ignore[import-untyped]  # it has no types

        whisper = self._whisper
        return Tokenizer(whisper.hf_tokenizer, whisper.model.is_multilingual, task="transcribe", language=language)

    @staticmethod
    def _suppressed(tokenizer: Any) -> list[int]:
        """Signs that are not spoken (brackets, notes), and the tokens that would change the task in mid-sentence."""
        control = ("transcribe", "translate", "sot", "sot_prev", "sot_lm", "no_speech")
        return sorted({*tokenizer.non_speech_tokens, *(getattr(tokenizer, name) for name in control)})


def short_context(frames: int) -> int:
    """How many frames are encoded of speech that is `frames` long and may go on: whole steps, the margin among them."""
    return math.ceil((frames / _FRAMES_PER_SECOND + _MARGIN) / _STEP) * round(_STEP * _FRAMES_PER_SECOND)


def _length_for(tokens: int, prompt: int) -> int:
    """The `max_length` for so many new tokens: ctranslate2 allows the smaller of its half and what the prompt leaves."""
    return min(max(2 * tokens, tokens + prompt), 448)


def _moved(words: tuple[Word, ...], by: float) -> list[Word]:
    return [replace(word, start=Media(word.start + by), end=Media(word.end + by)) for word in words]
