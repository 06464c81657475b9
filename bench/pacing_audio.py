"""The timing rules on sound: speech rendered here, silences of known length, in quiet and in noise, and the real detector."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bench.conditions import fan, gain, in_condition, room_response
from bench.pacing import Tally, judge, misses
from bench.pacing_scene import Line, Scene, heard, play
from bench.pacing_truth import Case, Place, opening, reached
from bench.truth import Take, Text, answers, lectures, lengths, render, take
from voiceprep import config
from voiceprep.audio.base import RATE, Samples
from voiceprep.core.events import Language, VoiceStarted, VoiceStopped, Word
from voiceprep.core.listening.pauses import time_without_pauses
from voiceprep.core.listening.rates import LONG_PAUSE, measure_rates
from voiceprep.core.pack import Content, Tongue
from voiceprep.core.units import Media, Seconds, Span
from voiceprep.speech.tts.choose import choose

TONGUES: tuple[Tongue, ...] = ("en", "zh")
CONDITIONS = ("clean", "fan", "room")
STEP: Seconds = 0.5
"""Off the threshold: more than the detector may be wrong about an edge, twice."""
LEAD: Seconds = 4.0
"""The recording before the first word, in which the question is asked."""
LONGEST: Seconds = 130.0
LONG_SILENCE: Seconds = 10.0
LONG_FLOOR: Seconds = 120.0


async def audio(content: Content) -> dict[str, Any]:
    """Returns ``{"minutes", "must", "fired", "false", "late_s", "edge_s", "pause_edge_s", "pause_edge_p95_s", "wrong"}``.

    `edge_s` is the worst error of a flag's span, `pause_edge_s` that of a flagged pause, `pause_edge_p95_s` of all pauses.
    """
    tallies: dict[str, Tally] = {"long_pause": Tally(), "monologue": Tally()}
    edges: list[Seconds] = []
    played = 0.0
    for language in TONGUES:
        texts = answers(language, "held")[:2]
        sounds = await rendered(texts, language)
        for condition in CONDITIONS:
            for case, made in audio_cases(content, language, texts, sounds, condition):
                assert case.scene.samples is not None
                log, flags = play(case.scene, content)
                judge(case, log, flags, tallies)
                edges += _edges(made, case.scene.samples)
                played += len(case.scene.samples) / RATE
    sums = {name: sum(getattr(one, name) for one in tallies.values()) for name in ("must", "fired", "false")}
    worst = {f"{name}_s": round(max(getattr(one, name) for one in tallies.values()), 3) for name in ("late", "edge")}
    return {
        "minutes": round(played / 60, 1),
        **sums,
        **worst,
        "pause_edge_s": round(tallies["long_pause"].edge, 3),
        "pause_edge_p95_s": round(float(np.percentile(edges, 95)), 3),
        "wrong": list(misses(tallies)),
    }


async def rendered(texts: Sequence[Text], language: Tongue) -> dict[str, list[Samples]]:
    """In a voice that is no slower than speech: minutes are needed, not beauty."""
    settings = config.load().with_arguments(voice="auto")
    voices = await choose(settings, config.places(), languages=(language,), slowest=1.0)
    try:
        return await render(texts, voices, lambda _done, _of: None)
    finally:
        await voices.close()


def audio_cases(
    content: Content, language: Language, texts: Sequence[Text], sounds: dict[str, list[Samples]], condition: str
) -> Iterator[tuple[Case, Take]]:
    """Pauses and floors just below and just above each threshold that is not minutes long."""
    for name in ("long_pause", "monologue"):
        rule = content.pacing[name]
        for threshold in rule.thresholds:
            if threshold.value > LONGEST:
                continue
            for place, step in (("below", -STEP), ("above", STEP)):
                text = texts[place == "above"]
                length = threshold.value + step
                made = _paused(text, sounds[text.id], length) if name == "long_pause" else _long(text, sounds[text.id], length)
                samples = _under(made, condition)
                first, last = made.sounds[0].start / RATE + LEAD, made.end / RATE + LEAD
                if name == "long_pause":
                    start = made.pauses[0].start / RATE + LEAD
                    lines: tuple[Line, ...] = (opening(content, language),)
                else:
                    start = first
                    lines = (opening(content, language), Line(last, last + 3, "followup"))
                scene = Scene(lines, (), (), len(samples) / RATE + 4, language, samples=samples)
                yield Case(name, _place(place), scene, reached(rule, start, length)), made


def _place(place: str) -> Place:
    return "below" if place == "below" else "above"


def _paused(text: Text, sounds: Sequence[Samples], length: Seconds) -> Take:
    """The first sentences with one long silence after the first."""
    few = replace(text, sounds=text.sounds[:3], holds=text.holds[:2])
    return take(few, sounds[:3], [length, 0.6])


def _long(text: Text, sounds: Sequence[Samples], length: Seconds) -> Take:
    """Speech that goes on, sentence after sentence, until `length` seconds after its first sample, to the sample."""
    many = replace(text, sounds=text.sounds * 40, holds=(*text.holds, "sentence") * 40)
    made = take(replace(many, holds=many.holds[: len(many.sounds) - 1]), list(sounds) * 40, [0.6] * len(many.sounds))
    end = made.start + round(length * RATE)
    kept = tuple(one for one in made.sounds if one.end <= end)
    cut = next((one for one in made.sounds if one.start < end < one.end), None)
    stretches = (*kept, *([replace(cut, end=end)] if cut is not None else []))
    return replace(made, samples=made.samples[:end], sounds=stretches, pauses=tuple(p for p in made.pauses if p.end <= end))


def _under(made: Take, condition: str) -> Samples:
    """The answer after `LEAD` seconds, with some seconds after it, as it is heard in this condition."""
    placed = in_condition(made, condition, room_response())
    quiet = np.zeros(round(LEAD * RATE), np.float32)
    whole = np.concatenate([quiet, placed.samples, quiet])
    if condition == "fan":
        whole = whole + np.resize(fan(), len(whole)) * gain(placed)
    return whole.astype(np.float32)


def _edges(made: Take, samples: Samples) -> Iterator[Seconds]:
    """Errors of the detector at both ends of every pause of half a second and more."""
    facts = heard(samples)
    stops = [fact.media for fact in facts if isinstance(fact, VoiceStopped)]
    starts = [fact.media for fact in facts if isinstance(fact, VoiceStarted)]
    for pause in made.pauses:
        if pause.seconds >= STEP and stops and starts:
            yield min(abs(stop - pause.start / RATE - LEAD) for stop in stops)
            yield min(abs(start - pause.end / RATE - LEAD) for start in starts)


# --- where nothing may fire -----------------------------------------------------------------------------------------------


async def calm(content: Content) -> dict[str, Any]:
    """Answers and talks with short pauses, a turn each. Returns ``{"hours", "false", "false_per_hour", "which"}``."""
    played, false = 0.0, list[str]()
    for language in TONGUES:
        texts = [*answers(language, "held")[2:6], *lectures(language, "held")[:1]]
        sounds = await rendered(texts, language)
        for condition in CONDITIONS:
            for text in texts:
                made = take(text, sounds[text.id], lengths(text, 7, lecture=True))
                scene = _answer(content, language, text, made, condition)
                _, flags = play(scene, content)
                false += [
                    f"{text.id} ({condition}): {f.rule} {f.level}, {f.evidence}" for f in flags if _wrong(f.rule, scene, made)
                ]
                played += scene.end
    hours = played / 3600
    return {"hours": round(hours, 2), "false": len(false), "false_per_hour": round(len(false) / hours, 2), "which": false}


def _answer(content: Content, language: Language, text: Text, made: Take, condition: str) -> Scene:
    words: list[Word] = []
    for sound, stretch in zip(text.sounds, made.sounds, strict=True):
        pieces = list(sound.text) if language == "zh" else sound.text.split()
        step = stretch.seconds / max(1, len(pieces))
        for number, piece in enumerate(pieces):
            start = stretch.start / RATE + LEAD + number * step
            words.append(Word(piece, Media(start), Media(start + step * 0.95), 0.9))
    samples = _under(made, condition)
    end = made.end / RATE + LEAD
    lines = (opening(content, language), Line(end + 1.0, end + 4.0, "followup"))
    return Scene(lines, (), tuple(words), len(samples) / RATE + 4, language, samples=samples)


def _wrong(rule: str, scene: Scene, made: Take) -> bool:
    """Who really is silent for ten seconds, talks for two minutes, or is too fast or too slow, is rightly told so."""
    if rule == "long_pause":
        return max((pause.seconds for pause in made.pauses), default=0.0) < LONG_SILENCE
    if rule == "monologue":
        return (made.end - made.start) / RATE < LONG_FLOOR
    if rule != "speaking_rate":
        return True
    regions = [Span(word.start, word.end) for word in scene.words]
    seconds = time_without_pauses(regions, LONG_PAUSE)
    rate = measure_rates(scene.words, regions, seconds, scene.language).narration or 0.0
    low, high = (110.0, 165.0) if scene.language == "en" else (180.0, 300.0)
    return low <= rate <= high
