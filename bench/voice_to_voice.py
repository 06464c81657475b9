"""How long the candidate waits for an answer, how fast the interviewer yields, and how often it cuts in: with real models.

Candidates are rendered here (`bench/truth.py`), so true ends and pauses are known to the sample; or they are anyone's
recordings, whose ends and pauses are known from what is audible. A response gap runs from the true end of speech to the
interviewer's first audible sample, leading silence counted; `bench/measure.py` says how each figure is taken.

At pace live the session runs on the wall clock and hears the candidate as from a device. At pace fast it runs on the audio
clock, where decoding and rendering take no time: turn-taking is the same each time, and a gap is the time to decide alone.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any

import soundfile  # type: ignore[import-untyped]  # ships no types

from bench import conditions
from bench.candidate import BenchCandidate
from bench.choosing import Chooser, InOrder
from bench.measure import Measured, figures, lecture_figures
from bench.recordings import recorded
from bench.stt import read_folder
from bench.truth import Part, Take, Text, answers, lectures, lengths, render, take
from voiceprep import config
from voiceprep.audio.base import Samples
from voiceprep.content import load_content
from voiceprep.core.events import Language
from voiceprep.core.pack import Tongue
from voiceprep.errors import BadInputError, UsageError
from voiceprep.live.plan import Pace, Plan, Result
from voiceprep.live.practice import practise
from voiceprep.speech.tts.choose import choose
from voiceprep.store.archive import Archive

ROUNDS = ("gpu-hm-screen", "anyscale-system-design")
LANGUAGES: tuple[Language, ...] = ("en", "zh", "mixed")
VARIANTS = 4
"""Each text is spoken with so many sets of pauses and conditions before they repeat."""
LONGEST = 40.0
"""Minutes of one session: a round ends by itself some time after."""
DEFAULT_MINUTES = 10.0


@dataclass(frozen=True, slots=True)
class Cast:
    """Who can be sent into a session: renderings of each text, and beds for their conditions."""

    language: Language
    takes: dict[str, list[Take]]
    beds: dict[str, Samples]
    order: tuple[Take, ...] = ()
    """Recordings, spoken once in this order; then `takes` is not used."""


@dataclass
class Outcome:
    """What the sessions of a run gave."""

    measured: Measured = field(default_factory=Measured)
    ended: list[str] = field(default_factory=list)
    media: float = 0.0
    """Seconds of recording."""


def run(
    audio: Path | None = None,
    minutes: float | None = None,
    lang: str | None = None,
    part: str = "held",
    pace: str = "live",
    lecture: bool = False,
    seed: int = 1,
    keep: Path | None = None,
    **_: Any,
) -> dict[str, Any]:
    """Hold sessions of both shipped rounds in turn, for about so many minutes of recording.

    Args:
        audio: a folder of recordings with a manifest.tsv, each one answer, in place of the rendered candidate.
        minutes: 10 for the rendered candidate, all of a folder.
        lang: en for the rendered candidate; for a folder, every language that it has.
        part: ``dev`` for tuning, ``held`` for reporting.
        pace: ``live`` on the wall clock, ``fast`` on the audio clock.
        lecture: long talks in place of answers: how often does the interviewer cut in?
        seed: of pauses, conditions, and when the candidate speaks over the interviewer.
        keep: a folder for the sessions; else they are thrown away.

    Raises:
        UsageError: an option that means nothing.
        BadInputError: the folder has no usable manifest or recordings (``bad-manifest``).
    """
    for name, value, known in (("part", part, ("dev", "held")), ("pace", pace, ("live", "fast"))):
        if value not in known:
            raise UsageError(f"--{name} {value} is none of: {', '.join(known)}", code="bad-option")
    if lang not in {None, *LANGUAGES}:
        raise UsageError(f"--lang {lang} is none of: {', '.join(LANGUAGES)}", code="bad-option")
    wanted: Language | None = lang if lang in LANGUAGES else None
    given_pace: Pace = "fast" if pace == "fast" else "live"
    own_part: Part = "dev" if part == "dev" else "held"
    if audio is not None:
        casts = folder_casts(audio, wanted)
    else:
        casts = [asyncio.run(rendered_cast(wanted or "en", own_part, lecture=lecture, seed=seed))]
        minutes = minutes or DEFAULT_MINUTES
    outcome = Outcome()
    with ExitStack() as stack:
        folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for cast in casts:
            asyncio.run(_sessions(cast, minutes, given_pace, folder, outcome, seed, lecture=lecture))
    return _report(outcome, casts, given_pace, own_part if audio is None else None, lecture=lecture)


def _report(outcome: Outcome, casts: Sequence[Cast], pace: Pace, part: Part | None, *, lecture: bool) -> dict[str, Any]:
    note = "on the audio clock: a gap is the time to decide, without decoding and rendering" if pace == "fast" else ""
    return {
        **({"lecture": lecture_figures(outcome.measured)} if lecture else {}),
        **figures(outcome.measured),
        "languages": [cast.language for cast in casts],
        "part": part,
        "pace": pace,
        **({"note": note} if note else {}),
        "sessions": outcome.ended,
        "minutes": round(outcome.media / 60, 2),
        "machine": machine(),
    }


def machine() -> dict[str, Any]:
    """Where the figures hold."""
    return {"cpu": platform.processor() or platform.machine(), "cores": os.cpu_count(), "system": platform.system()}


# --- who speaks ---------------------------------------------------------------------------------------------------------


async def rendered_cast(
    language: Language, part: Part, *, lecture: bool = False, seed: int = 1, variants: int = VARIANTS
) -> Cast:
    """The project's own candidate, in the best voices that are here however slow: Chinese is rendered once and kept."""
    texts = lectures(language, part) if lecture else answers(language, part)
    settings = config.load().with_arguments(voice="auto")
    tongues: tuple[Tongue, ...] = ("en", "zh") if language == "mixed" else (language,)
    voices = await choose(settings, config.places(), languages=tongues, slowest=inf)
    tell(f"the candidate's voice: {voices.reason}")
    try:
        sounds = await render(texts, voices, _every(20, "rendering the candidate"))
    finally:
        await voices.close()
    return cast_of(language, texts, sounds, seed, 1 if lecture else variants, lecture=lecture)


def cast_of(
    language: Language, texts: Sequence[Text], sounds: dict[str, list[Samples]], seed: int, variants: int, *, lecture: bool
) -> Cast:
    """Variants of each text with their pauses and conditions; the same arguments give the same samples."""
    response = conditions.room_response()
    takes: dict[str, list[Take]] = {text.id: [] for text in texts}
    plain = []
    for variant in range(variants):
        for number, text in enumerate(texts):
            made = take(text, sounds[text.id], lengths(text, seed + variant, lecture=lecture))
            condition = "clean" if lecture else conditions.ORDER[(number + variant) % len(conditions.ORDER)]
            plain.append(made)
            takes[text.id].append(conditions.in_condition(made, condition, response))
    return Cast(language, takes, {"fan": conditions.fan(seed), "babble": conditions.babble(plain, seed)})


def folder_casts(folder: Path, language: Language | None) -> list[Cast]:
    """One cast for each language of a folder's manifest (or for `language` alone), since a session has one language."""
    takes = recorded(item for item in read_folder(folder) if language in {None, item.language})
    if not takes:
        what = f" in {language}" if language else ""
        raise BadInputError(f"{folder} has no recording{what} in which anything is heard", code="bad-manifest")
    found = dict.fromkeys(made.language for made in takes)
    return [Cast(each, {}, {}, tuple(made for made in takes if made.language == each)) for each in found]


# --- sessions -----------------------------------------------------------------------------------------------------------


async def _sessions(
    cast: Cast, minutes: float | None, pace: Pace, folder: Path, outcome: Outcome, seed: int, *, lecture: bool
) -> None:
    """Both rounds in turn, each for its share of the time; a folder is spoken once, in as many sessions as it takes."""
    choosers = {round_id: _chooser(cast, round_id) for round_id in ROUNDS}
    if cast.order:
        choosers = dict.fromkeys(ROUNDS, InOrder(cast.order))
    left = inf if minutes is None else minutes
    share = min(LONGEST, max(left / len(ROUNDS), 1.0))
    number = 0
    while left > 0.25 and not choosers[ROUNDS[0]].empty:
        round_id = ROUNDS[number % len(ROUNDS)]
        tell(f"session {number + 1}: {round_id}, {cast.language}, {pace}")
        candidate = BenchCandidate(
            choosers[round_id], pace, 60 * min(share, left), cast.beds, seed=seed + number, barges=not lecture, tell=tell
        )
        ended = await hold(round_id, cast.language, pace, folder, candidate, outcome.measured)
        spent = candidate.seconds
        outcome.ended.append(ended)
        outcome.media += spent
        left -= max(spent / 60, 0.25)
        number += 1


def _chooser(cast: Cast, round_id: str) -> Chooser:
    return Chooser(cast.takes, [question.id for question in load_content(round_id).round.questions])


async def hold(
    round_id: str, language: Language, pace: Pace, folder: Path, candidate: BenchCandidate, measured: Measured
) -> str:
    """One session with this candidate, measured. Returns why it ended."""
    own = config.Places(home=config.places().home, recordings=folder)
    settings = config.load().with_arguments(speaker="none", language=language, duplex="full")
    done = await practise(Plan(round_id, pace), settings, own, lambda _content, _session: candidate, tell, candidate)
    _, events = Archive(folder).read(done.session)
    measured.add(events, candidate.said, track(done))
    return done.ended


def track(done: Result) -> Samples:
    """What the interviewer's side recorded, at VOICE_RATE."""
    samples: Samples
    samples, _ = soundfile.read(done.folder / "interviewer.flac", dtype="float32")
    return samples


def tell(what: str) -> None:
    """A step, on stderr."""
    sys.stderr.write(f"{what}\n")
    sys.stderr.flush()


def _every(step: int, what: str) -> Any:
    def progress(done: int, of: int) -> None:
        if done % step == 0 or done == of:
            tell(f"{what}: {done} of {of} sounds")

    return progress


if __name__ == "__main__":
    print(json.dumps(run()))
