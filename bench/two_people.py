"""How well two people on one channel are told apart: recordings cut together from single speakers', so that the truth is known.

    python -m bench.two_people FOLDER

FOLDER has audio files; bench/data/recordings/casts.toml says which of them talk to each other, and how.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import soxr  # type: ignore[import-untyped]  # ships no types

from bench.recordings import audible
from voiceprep.audio.base import RATE, VOICE_RATE, Samples
from voiceprep.audio.files import decode
from voiceprep.config import places
from voiceprep.content import load_content
from voiceprep.core.units import Span
from voiceprep.errors import MissingError
from voiceprep.review.separation import own_voices
from voiceprep.speech.models import find_model
from voiceprep.speech.speakers.apart import tell_apart, voice_of
from voiceprep.speech.speakers.encoder import SpeakerEncoder
from voiceprep.speech.tts.base import VoiceStyle
from voiceprep.speech.tts.ear import for_ear
from voiceprep.speech.tts.hibari import HibariVoice
from voiceprep.speech.vad.silero import SileroActivity

CASTS = Path(__file__).parent / "data" / "recordings" / "casts.toml"
FRAME = RATE // 100
UTTERANCE = 6 * RATE
"""Samples after which the other one speaks, at the next pause."""
LENGTH = 60 * RATE
LEVEL = 0.08
"""Root mean square that every speaker is brought to."""
CHECKED = 2
"""Utterances of a candidate, the last ones of their file, that are their sound check."""
QUESTIONS = 5
"""Lines of a built-in voice."""

Cast = Mapping[str, Any]
Frames = np.ndarray[tuple[int, int], np.dtype[np.bool_]]
Both = tuple[list[tuple[int, Samples]], list[tuple[int, Samples]]]


def run(audio: Path, **_: Any) -> dict[str, Any]:
    """Tell them all apart.

    Returns ``{"rows": [{"name", "speech", "both_at_once", "same_sex", "right", "either_way", "missed", "sure",
    "by_length", "by_voice", "other_words", "cpu_s"}], "seconds", "right", "either_way", "missed", "by_length", "by_voice"}``.

    `right` is the share of the time with speech (`speech` seconds) that is given to who speaks, where both do to either, by
    who speaks more being the candidate; `either_way` is the same with the two exchanged where that is more, as --swap does;
    `missed` was given to nobody. `by_length` says whether the one who speaks more is the candidate, `by_voice` whether the one
    who sounds like the candidate's last two utterances is, taken as their sound check; None: nobody was like enough.
    `other_words`: those two are not in the recording too. The last line counts all of the time alike, and how often it was so.
    """
    folder = find_model("speaker", models=places().models)
    if folder is None:
        raise MissingError(
            "the network that tells voices apart is missing", code="model-missing", hint="voiceprep models get speaker"
        )
    encoder = SpeakerEncoder(folder)
    rows = [_row(name, cast, audio, encoder) for name, cast in tomllib.loads(CASTS.read_text(encoding="utf-8")).items()]
    total = sum(row["speech"] for row in rows)
    shares = {key: round(sum(row[key] * row["speech"] for row in rows) / total, 4) for key in ("right", "either_way", "missed")}
    counts = {key: sum(row[key] is True for row in rows) for key in ("by_length", "by_voice")}
    return {"rows": rows, "seconds": round(total, 1)} | shares | counts


def _row(name: str, cast: Cast, audio: Path, encoder: SpeakerEncoder) -> dict[str, Any]:
    mine = _utterances(cast["candidate"], audio, cast.get("longest"))
    theirs = _utterances(cast["interviewer"], audio, None)
    spoken = _together(theirs, mine, cast["between"], random.Random(name))
    sound, truth = _mixed(spoken)
    began = time.process_time()
    found = tell_apart(iter([sound]), SileroActivity(), encoder)
    spent = time.process_time() - began
    separated = own_voices(found)
    spans = (found.first, found.second)
    theirs_found, mine_found = spans[1 - separated.candidate], spans[separated.candidate]
    right, missed = _right(truth, (theirs_found, mine_found))
    swapped, _ = _right(truth, (mine_found, theirs_found))
    own = voice_of(_utterances(cast["candidate"], audio, None)[-CHECKED:], SileroActivity(), encoder).middle
    known = own_voices(found, own=own)
    by_length = right >= swapped
    return {
        "name": name,
        "speech": round(float(truth.any(axis=0).sum()) * FRAME / RATE, 1),
        "both_at_once": round(float(truth.all(axis=0).sum()) * FRAME / RATE, 1),
        "same_sex": bool(cast.get("same")),
        "right": round(right, 4),
        "either_way": round(max(right, swapped), 4),
        "missed": round(missed, 4),
        "sure": round(separated.sure, 3),
        "by_length": by_length,
        "by_voice": (known.candidate == separated.candidate) == by_length if known.known else None,
        "other_words": len(spoken[1]) <= len(mine) - CHECKED,
        "cpu_s": round(spent, 1),
    }


def _utterances(names: Sequence[str], audio: Path, longest: float | None) -> list[Samples]:
    """What somebody says, a piece of some seconds each, all at one level."""
    said: list[Samples] = []
    for name in names:
        if name.startswith("voice:"):
            said += asyncio.run(_rendered(name.partition(":")[2]))
            continue
        (file,) = (path for path in audio.iterdir() if path.stem == name)
        said += _pieces(np.concatenate(list(decode(file))))
    if longest is not None:
        said = [piece[: int(longest * RATE)] for piece in said]
    return [(piece * (LEVEL / max(1e-6, float(np.sqrt(np.mean(np.square(piece))))))).astype(np.float32) for piece in said]


def _pieces(samples: Samples) -> list[Samples]:
    """Stretches of sound between pauses, joined up to the length of an utterance."""
    pieces: list[tuple[int, int]] = []
    for start, end in audible(samples):
        if pieces and end - pieces[-1][0] <= UTTERANCE:
            pieces[-1] = (pieces[-1][0], end)
        else:
            pieces.append((start, end))
    return [samples[start:end] for start, end in pieces]


async def _rendered(character: str) -> list[Samples]:
    questions = load_content("gpu-technical").round.questions[:QUESTIONS]
    voice = HibariVoice()
    try:
        lines = [for_ear(each.line.phrasings["en"][0], "en") for each in questions]
        made = [(await voice.render(line, "en", VoiceStyle(character))).samples for line in lines]
    finally:
        await voice.close()
    return [soxr.resample(each, VOICE_RATE, RATE).astype(np.float32) for each in made]


def _together(theirs: Sequence[Samples], mine: Sequence[Samples], between: Sequence[float], luck: random.Random) -> Both:
    """Each one's utterances with their first samples: they speak by turns, for about a minute."""
    spoken: Both = ([], [])
    ends = [0, 0]
    at = 0
    lines = (cycle(theirs), cycle(mine))
    side = 0
    while at < LENGTH:
        piece = next(lines[side])
        start = max(ends[side], at + int(luck.uniform(*between) * RATE), 0)
        spoken[side].append((start, piece))
        at = ends[side] = start + len(piece)
        side = 1 - side
    return spoken


def _mixed(spoken: Both) -> tuple[Samples, Frames]:
    """The sound, and frame by frame whether the interviewer (row 0) and the candidate (row 1) can be heard."""
    length = max(start + len(piece) for side in spoken for start, piece in side) + RATE
    sound = np.zeros(length, np.float32)
    truth = np.zeros((2, length // FRAME + 1), bool)
    for row, side in enumerate(spoken):
        for start, piece in side:
            sound[start : start + len(piece)] += piece
            for first, last in audible(piece):
                truth[row, (start + first) // FRAME : (start + last) // FRAME + 1] = True
    return sound, truth


def _right(truth: Frames, found: Sequence[Sequence[Span]]) -> tuple[float, float]:
    """Shares of the frames in which somebody speaks: given to somebody who does, and given to nobody."""
    given = np.zeros_like(truth)
    for row, spans in enumerate(found):
        for first, last in _frames(spans):
            given[row, first:last] = True
    speech = truth.any(axis=0)
    total = max(1, int(speech.sum()))
    return float((truth & given).any(axis=0).sum()) / total, float((speech & ~given.any(axis=0)).sum()) / total


def _frames(spans: Sequence[Span]) -> Iterator[tuple[int, int]]:
    yield from ((int(span.start * RATE) // FRAME, int(span.end * RATE) // FRAME) for span in spans)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("audio", type=Path)
    print(json.dumps(run(parser.parse_args().audio), indent=1))
