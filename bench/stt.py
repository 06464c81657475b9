"""How well and how fast the recogniser works here: word and character error rates, real-time factor, CPU seconds.

The recogniser runs inside this process, so that CPU seconds and memory are its own.
"""

from __future__ import annotations

import asyncio
import csv
import re
import sys
import time
import tomllib
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from bench.caption_lag import Lags, measure, warm
from voiceprep.audio.base import BLOCK, RATE, VOICE_RATE, Samples
from voiceprep.audio.files import read
from voiceprep.config import data_folder, load, places
from voiceprep.core.events import Language, Word
from voiceprep.core.text import is_hanzi
from voiceprep.core.units import Media
from voiceprep.errors import BadInputError, MissingError
from voiceprep.speech.stt.opening import open_recogniser
from voiceprep.speech.vad.silero import SileroActivity

_SPOKEN = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_DIGITS = {word: str(digit) for digit, word in enumerate(_SPOKEN)} | {"oh": "0"}
_NOTE = re.compile(r"\([^)]*\)|\[[^\]]*\]|<[^>]*>")
"""Remarks in a manifest's transcript: (begins), [L], <46 s silence>."""
CAPTIONED = 120.0
"""Seconds of recordings that are played at live pace."""
QUICK = (2, 4, 6, 8)
"""Lengths in seconds of which captions and drafts are timed."""
_TURN_GAP = 1.5
_MARGIN = 0.2
"""Seconds kept around speech: a recogniser misses words that begin with the first sample."""


@dataclass(frozen=True, slots=True)
class Item:
    """One recording and what is said in it."""

    name: str
    language: Language
    transcript: str
    samples: Samples


def run(audio: Path | None = None, **_: Any) -> dict[str, Any]:
    """Recognise every file of a folder with a manifest.tsv (file, language, transcript).

    Without a folder, a clip that the project speaks itself. Files without speech, in other languages, or that cannot be read
    are left out.

    Then up to `CAPTIONED` seconds of them are played at live pace, in processes of the recogniser's own (`caption_lag.py`).

    Returns:
        ``{"rows": [{"file", "lang", "wer" | "cer", "rtf", "cpu_s"}], "peak_rss_mb", "quick": [{"seconds", "caption_cpu_s",
        "draft_cpu_s"}], "caption_lag": {"shown", "committed", "final", ...}}``; lags are medians in seconds

    Raises:
        BadInputError: the folder has no readable manifest (code ``bad-manifest``).
        MissingError: the recogniser's model is not here.
    """
    decoder = _decoder()
    rows = []
    played: list[tuple[Samples, Language, tuple[Word, ...]]] = []
    for item in _own_clip() if audio is None else read_folder(audio):
        began, began_cpu = time.perf_counter(), time.process_time()
        words = [word for span in spans(item.samples) for word in _placed(decoder, item, span)]
        heard = [word.text for word in words]
        wall, cpu = time.perf_counter() - began, time.process_time() - began_cpu
        measure = "wer" if item.language == "en" else "cer"
        rate = error_rate(item.transcript, " ".join(heard))
        rows.append(
            {
                "file": item.name,
                "lang": item.language,
                measure: round(rate, 3),
                "rtf": round(wall * RATE / len(item.samples), 3),
                "cpu_s": round(cpu, 2),
            }
        )
        if sum(len(samples) for samples, _, _ in played) + len(item.samples) <= CAPTIONED * RATE or not played:
            played.append((item.samples, item.language, tuple(words)))
    measured = {"rows": rows, "peak_rss_mb": round(_peak_rss_mb()), "quick": quick(decoder, played)}
    return measured | {"caption_lag": asyncio.run(_caption_lag(played))}


def quick(decoder: Any, played: Sequence[tuple[Samples, Language, tuple[Word, ...]]]) -> list[dict[str, float]]:
    """CPU seconds of a caption and of a draft by the length of what is decoded: the least of three, for machines are shared."""
    samples, language = max(((samples, language) for samples, language, _ in played), key=lambda item: len(item[0]))
    rows = []
    for seconds in QUICK:
        given = samples[: seconds * RATE]
        if len(given) == seconds * RATE:
            costs = [_least_cpu(decode, given, language) for decode in (decoder.hypothesize, decoder.draft)]
            rows.append({"seconds": seconds, "caption_cpu_s": costs[0], "draft_cpu_s": costs[1]})
    return rows


def _least_cpu(decode: Callable[[Samples, Language], object], samples: Samples, language: Language) -> float:
    costs = []
    for _ in range(3):
        began = time.process_time()
        decode(samples, language)
        costs.append(time.process_time() - began)
    return round(min(costs), 3)


async def _caption_lag(played: Sequence[tuple[Samples, Language, tuple[Word, ...]]]) -> dict[str, Any]:
    recogniser = await open_recogniser(load(), places(), lambda _what, _share: None)
    if recogniser is None:
        return Lags().figures()
    try:
        await warm(recogniser)
        return (await measure(recogniser, played, tokens)).figures()
    finally:
        await recogniser.close()


def _placed(decoder: Any, item: Item, span: slice) -> Iterator[Word]:
    offset = span.start / RATE
    for word in decoder.transcribe(item.samples[span], item.language).words:
        yield replace(word, start=Media(word.start + offset), end=Media(word.end + offset))


def read_folder(folder: Path) -> Iterator[Item]:
    """The usable recordings of a folder, in the manifest's order."""
    try:
        with (folder / "manifest.tsv").open(encoding="utf-8", newline="") as file:
            listed = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"cannot read {folder / 'manifest.tsv'}: {error}", code="bad-manifest") from error
    for row in listed:
        if not {"file", "language", "transcript"} <= row.keys():
            raise BadInputError(f"{folder / 'manifest.tsv'} needs the columns file, language, transcript", code="bad-manifest")
        transcript = _NOTE.sub(" ", row["transcript"] or "")
        if row["language"] in {"en", "zh", "mixed"} and tokens(transcript):
            try:
                samples = read(folder / row["file"])
            except BadInputError as error:
                sys.stderr.write(f"left out: {error}\n")
                continue
            yield Item(row["file"], cast("Language", row["language"]), transcript, samples)


def spans(samples: Samples) -> Iterator[slice]:
    """Where someone speaks, joined to turns where less than 1.5 s of silence parts them."""
    activity = SileroActivity()
    found = []
    for place in range(0, len(samples), BLOCK):
        block = samples[place : place + BLOCK]
        found += activity.feed(np.pad(block, (0, BLOCK - len(block))))
    edges = [edge.media for edge in (*found, *activity.flush()) if edge.kind in {"started", "stopped"}]
    turns: list[tuple[float, float]] = []
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        if turns and start - turns[-1][1] < _TURN_GAP:
            turns[-1] = (turns[-1][0], stop)
        else:
            turns.append((start, stop))
    for start, stop in turns:
        yield slice(max(round((start - _MARGIN) * RATE), 0), round((stop + _MARGIN) * RATE))


def tokens(text: str) -> list[str]:
    """What is compared: lower-case Latin words without punctuation, digits one by one, single Chinese characters."""
    plain = unicodedata.normalize("NFKC", text).lower().replace("'", "").replace("’", "")
    spaced = "".join(f" {mark} " if is_hanzi(mark) or mark.isdigit() else mark if mark.isalpha() else " " for mark in plain)
    return [_DIGITS.get(token, token) for token in spaced.split()]


def error_rate(reference: str, heard: str) -> float:
    """Substitutions, insertions and deletions over the tokens of the reference (at least 1): 0 is perfect."""
    wanted, got = tokens(reference), tokens(heard)
    return _distance(wanted, got) / max(len(wanted), 1)


def _distance(wanted: Sequence[str], got: Sequence[str]) -> int:
    row = list(range(len(got) + 1))
    for i, expected in enumerate(wanted, 1):
        diagonal, row[0] = row[0], i
        for j, token in enumerate(got, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (token != expected))
    return row[-1]


def _decoder() -> Any:
    from voiceprep.speech.models import find_model
    from voiceprep.speech.stt.decoder import Decoder
    from voiceprep.speech.stt.probe import choose_device
    from voiceprep.speech.stt.prompts import read_prompts

    settings = load()
    own = Path(settings["model_folder"]) if settings["model_folder"] else None
    folder = find_model(settings["stt"], models=places().models, folder=own)
    if folder is None:
        raise MissingError(
            f"the speech model {settings['stt']} is not on this machine", code="model-missing", hint="run: make setup"
        )
    choice = choose_device(settings["device"], folder)
    return Decoder(folder, choice.device, choice.compute_type, read_prompts())


def _own_clip() -> Iterator[Item]:
    """The demonstration candidate's first answer, in the English voice whose weights its package carries."""
    import soxr  # type: ignore[import-untyped]  # ships no types

    from voiceprep.speech.tts.base import VoiceStyle
    from voiceprep.speech.tts.ear import for_ear
    from voiceprep.speech.tts.hibari import HibariVoice

    demo = tomllib.loads((data_folder("prompts") / "demo" / "gpu-hm-screen.en.toml").read_text(encoding="utf-8"))
    lines = [line for line in demo["answers"][0]["say"] if isinstance(line, str)]

    async def speak() -> Samples:
        voice = HibariVoice()
        try:
            said = [(await voice.render(for_ear(line, "en"), "en", VoiceStyle("mid-neutral"))).samples for line in lines]
        finally:
            await voice.close()
        return np.concatenate(said)

    yield Item("demo", "en", " ".join(lines), soxr.resample(asyncio.run(speak()), VOICE_RATE, RATE).astype(np.float32))


def _peak_rss_mb() -> float:
    import resource  # not on Windows

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024**2 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    print(run(Path(sys.argv[1]) if len(sys.argv) > 1 else None))
