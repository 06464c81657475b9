"""The measures of a drill that need voice activity and the clock alone, and those of how fast it was said. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from voiceprep.core.drills.listening import Listening, at_floor
from voiceprep.core.drills.measures import Fillers, Hush, Length, Onset, Rate, Steady, Unflagged, Yielded
from voiceprep.core.drills.take import Floor
from voiceprep.core.drills.verdict import Verdict, cannot, within, worst
from voiceprep.core.events import Evidence, Language, Level
from voiceprep.core.listening.pauses import merged, time_without_pauses
from voiceprep.core.listening.rates import LONG_PAUSE, measure_rates
from voiceprep.core.pack import tongue_of
from voiceprep.core.units import Media, Seconds, Span

SHORTEST: Seconds = 5.0
"""A rate over less speech than this says nothing."""
LEAST_ANSWER: Seconds = 15.0
"""Fillers are counted in a shorter answer than this, and their rate is not told."""
_ORDER: dict[Level, int] = {"notice": 0, "warning": 1, "fail": 2}


def length(measure: Length, listening: Listening) -> Verdict:
    floors = listening.floors(measure.of)
    if measure.of:
        absent = len(floors) < len(measure.of)
        verdicts = [_length(floor.speech, measure) for floor in floors]
        return worst([*verdicts, cannot("floor")] if absent else verdicts)
    return _length([region for floor in floors for region in floor.speech], measure)


def _length(speech: Sequence[Span], measure: Length) -> Verdict:
    if not speech:
        return cannot("speech") if measure.low is None else within(0.0, "s", measure.low, measure.high)
    start, end = speech[0].start, speech[-1].end
    return within(end - start, "s", measure.low, measure.high, [_place("length", start, end)])


def onset(measure: Onset, listening: Listening) -> Verdict:
    floors = listening.floors(measure.of)
    if len(floors) < len(measure.of):
        return cannot("floor")
    return worst(_onset(floor, measure) for floor in floors)


def _onset(floor: Floor, measure: Onset) -> Verdict:
    answered = floor.start if floor.start is not None else floor.end
    waited = max(0.0, answered - floor.asked)
    if floor.start is None and (measure.high is None or waited <= measure.high):
        return cannot("speech")
    place = _place("thinking", floor.asked, Media(floor.asked + waited))
    return within(waited, "s", measure.low, measure.high, [place])


def hush(measure: Hush, listening: Listening) -> Verdict:
    silences = [silence for floor in listening.floors(measure.of) for silence in _silences(floor, listening.take.fillers or ())]
    longest = max(silences, key=lambda silence: silence.duration, default=None)
    if longest is None:
        return cannot("floor") if measure.low is None else within(0.0, "s", measure.low, measure.high)
    return within(longest.duration, "s", measure.low, measure.high, [_place("silence", longest.start, longest.end)])


def _silences(floor: Floor, fillers: Sequence[Span]) -> Iterator[Span]:
    """Before the first word and between words: what comes after the last belongs to nobody."""
    if not floor.speech:
        return
    last = floor.speech[-1].end
    begin = floor.asked
    for sound in merged([*floor.speech, *(one for one in fillers if floor.asked <= one.start < last)]):
        if sound.start > begin:
            yield Span(begin, sound.start)
        begin = max(begin, sound.end)


def fillers(measure: Fillers, listening: Listening) -> Verdict:
    if listening.take.fillers is None:
        return cannot("fillers")
    floors = listening.floors(measure.of)
    minutes = sum(max(0.0, floor.end - at_floor(floor)) for floor in floors) / 60
    inside = [one for one in listening.take.fillers if any(at_floor(floor) <= one.start < floor.end for floor in floors)]
    if not minutes:
        return cannot("floor")
    if minutes * 60 < LEAST_ANSWER:  # one "um" in five seconds is no twelve a minute
        found = [_place("filler", f.start, f.end) for f in inside]
        return replace(cannot("more-speech"), measured=float(len(inside)), unit="count", evidence=tuple(found))
    return within(len(inside) / minutes, "per_minute", None, measure.high, [_place("filler", f.start, f.end) for f in inside])


def yielded(measure: Yielded, listening: Listening) -> Verdict:
    floors = listening.floors(measure.of)
    if not floors or any(not floor.speech for floor in floors):
        return cannot("floor")
    taken = next((floor for floor in floors if floor.reason in {"interrupted", "limit"}), None)
    if taken is not None:
        return Verdict(outcome="not_met", evidence=(_place(taken.reason, at_floor(taken), taken.end),))
    if any(floor.reason in {"audio-ended", ""} for floor in floors):
        return cannot("ending")
    return Verdict(outcome="met")


def unflagged(measure: Unflagged, listening: Listening) -> Verdict:
    crossed = [
        _place(flag.rule, flag.span.start, flag.span.end)
        for flag in listening.take.flags
        if flag.rule in measure.rules and _ORDER[flag.level] >= _ORDER[measure.level]
    ]
    return within(len(crossed), "count", None, 0, crossed)


def rate(measure: Rate, listening: Listening) -> Verdict:
    low, high = measure.between[tongue_of(listening.take.language)]
    found = [found for floor in listening.floors(measure.of) if (found := _rate(floor, listening.take.language)) is not None]
    return worst(within(one, "per_minute", low, high) for one in found) if found else cannot("speech")


def steady(measure: Steady, listening: Listening) -> Verdict:
    """How much faster the fastest floor was than the first, as a share."""
    rates = [_rate(floor, listening.take.language) for floor in listening.floors(measure.of)]
    known = [one for one in rates if one is not None]
    if len(known) < len(measure.of):
        return cannot("floor")
    return within(max(known) / known[0] - 1, "share", None, measure.most)


def _rate(floor: Floor, language: Language) -> float | None:
    """Words (characters) a minute of narration; None for too little speech.

    Of a mixed take too, whose bounds are those of the language it is asked in: no syllables.
    """
    seconds = time_without_pauses(floor.speech, LONG_PAUSE)
    if seconds < SHORTEST or not floor.words:
        return None
    said = measure_rates(floor.words, floor.speech, seconds, language)
    return (said.words + said.characters) * 60 / seconds


def _place(signal: str, start: Media, end: Media) -> Evidence:
    """A stretch of the recording that shows something without words."""
    return Evidence(signal, "", start, max(start, end))
