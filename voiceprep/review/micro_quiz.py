"""What the interviewer's face meant: each micro-signal with what had just been said, to be guessed and then told.

The log knows what was meant (`SignalGiven`), so this is a quiz with true answers. What the user reads into a signal is kept as
an annotation of kind `reading` that names the signal.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from voiceprep.core.annotation import Annotation
from voiceprep.core.events import AudioProgress, Evidence, SignalGiven, SpeakingStarted
from voiceprep.core.units import Media, MediaClock, Seconds
from voiceprep.review.document import QuizItem
from voiceprep.review.material import Material

LAST_WORDS = 16
"""So much of what was said before a signal is quoted."""
BEFORE: Seconds = 20.0
"""What was said earlier than this was not what it answered."""


def quiz(material: Material, annotations: Iterable[Annotation] = ()) -> tuple[QuizItem, ...]:
    """Every micro-signal of the session, in order, with the user's reading where there is one."""
    readings = {each.name: each.text for each in annotations if each.kind == "reading"}
    return tuple(_items(material, readings))


def _items(material: Material, readings: dict[str, str]) -> Iterator[QuizItem]:
    clock = MediaClock()
    sounded = {event.of: event.media for event in material.events if isinstance(event, SpeakingStarted)}
    number = 0
    for event in material.events:
        match event:
            case AudioProgress():
                clock.update(event.at, event.media)
            case SignalGiven():
                number += 1
                media = sounded.get(event.of, clock.media(event.at)) if event.of else clock.media(event.at)
                name = f"signal-{number}"
                reading = readings.get(name)
                yield QuizItem(
                    id=name,
                    signal=event.signal,
                    at=media,
                    said=last_words(material, media),
                    meant=event.meant,
                    reason=event.reason,
                    reading="on-track" if reading == "on-track" else "off-track" if reading == "off-track" else None,
                )
            case _:
                pass


def last_words(material: Material, until: Seconds, since: Seconds = 0.0, name: str = "") -> Evidence | None:
    """What the candidate had said last at this place, verbatim; None where that is long ago, or was before `since`."""
    words = material.timeline.words
    beyond = bisect_right(words, until, key=lambda word: word.end)
    first = beyond
    while first > 0 and beyond - first < LAST_WORDS and words[first - 1].start >= max(since, until - BEFORE):
        first -= 1
    if first == beyond:
        return None
    return Evidence(name, material.index.quote(first, beyond - 1), words[first].start, Media(words[beyond - 1].end))
