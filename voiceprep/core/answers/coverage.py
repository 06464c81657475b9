"""What an answer has shown so far, and how finished it sounds. Pure: patterns and weights over what was recognised.

Cues (cues.py) hear the usual ways to say a thing. What people say in words that nobody thought of is heard by a trained part
(classifier.py), to which the cues are one sign among many; detectors without a trained part go by their cues alone.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from voiceprep.core.answers.classifier import Asked, Classifier, Unit, Verdict, judge
from voiceprep.core.answers.clauses import Stretch, units
from voiceprep.core.answers.cues import OPENING, UnitCues, heard_by_cues, tongues, unit_cues
from voiceprep.core.answers.orders import without_orders
from voiceprep.core.answers.plausible import intelligible, misheard, possible
from voiceprep.core.events import Evidence, Language, Word
from voiceprep.core.pack import Detector, Endings, Question
from voiceprep.core.text import is_wide, placed
from voiceprep.core.turns.ending import asks_again, ending
from voiceprep.core.units import Media, Seconds

NOTHING_ASKED = Asked()


def assess(
    words: Sequence[Word], detectors: Sequence[Detector], language: Language, asked: Asked = NOTHING_ASKED
) -> tuple[Evidence, ...]:
    """Signals and traps heard in the words of one turn, in the order of the detectors, each with its best evidence.

    A quote is verbatim from `text_of(words)`; its times are those of its first and last word. `asked` is what the turn answers.
    """
    text, offsets = placed(words)

    def place(start: int, end: int) -> tuple[Media, Media]:
        return words[bisect_right(offsets, start) - 1].start, words[bisect_right(offsets, end - 1) - 1].end

    return tuple(
        Evidence(found, text[start:end], *place(start, end))
        for found, (start, end) in _heard(text, detectors, language, asked).items()
    )


def assess_text(
    text: str, detectors: Sequence[Detector], language: Language, asked: Asked = NOTHING_ASKED
) -> tuple[Evidence, ...]:
    """The same for an answer that was written: all times are 0, quotes are verbatim from `text`."""
    nowhere = Media(0.0)
    return tuple(
        Evidence(found, text[start:end], nowhere, nowhere)
        for found, (start, end) in _heard(text, detectors, language, asked).items()
    )


def likelihoods(
    text: str, detectors: Sequence[Detector], language: Language, asked: Asked = NOTHING_ASKED
) -> Mapping[str, float]:
    """How likely each signal and trap is in the text, 0..1, heard or not. Empty where no trained part can tell."""
    read = _read(text, detectors, language, asked)
    able = {one.id for one in read.detectors}
    return {label: verdict.probability for label, verdict in read.verdicts.items() if label in able}


def on_topic(text: str, question: Question, language: Language) -> int:
    """How many different topic words of the question the text uses. A Latin one also counts with an ending: queue, queues."""
    heard = text.casefold()
    words = {word for tongue in tongues(language) for word in question.topics.get(tongue, ())}
    return sum(says(heard, word) for word in words)


@dataclass(frozen=True, slots=True)
class Finished:
    """How finished an answer sounds."""

    log_odds: float
    """Natural logarithm of the odds that it is over, the silence that follows left aside."""
    roundness: float
    """0..1: how complete its last clause is."""
    thinking: bool
    """The candidate asked for time to think."""


def finished(
    text: str,
    speech_seconds: Seconds,
    evidence: Sequence[Evidence],
    topical: int,
    endings: Endings,
    language: Language,
    *,
    followup: bool = False,
) -> Finished:
    """How finished an answer sounds: what it holds so far times what its last words say.

    Args:
        text: the words of the turn so far.
        speech_seconds: how much speech the turn holds, without its pauses.
        evidence: what `assess` heard in it.
        topical: what `on_topic` counted in it.
        endings: what last words say.
        language: of the session.
        followup: the answer to a follow-up, which may be short.
    """
    last = ending(text, language, endings)
    odds = _odds(speech_seconds, len({item.signal for item in evidence}), topical, followup=followup)
    log_odds = math.log(odds) + last.odds
    if last.kind == "closer" or asks_again(text, endings):  # who says "that's my answer" is through, whatever was understood
        log_odds = max(log_odds, CLOSED)
    elif last.kind in {"held", "thinking"}:
        log_odds = min(log_odds, HELD)
    return Finished(log_odds, last.roundness, last.kind == "thinking")


HARDLY = 2e-3
"""The odds that an answer is over at the end of a sentence while nothing that was asked has been heard."""
TOUCHED = 0.1
"""... when some of its words are of the matter, and nothing else is known of it: talk around a question is an answer, too."""
MOST = 3.0
"""... and when all that can be hoped for has been: who lectures may mean to go on."""
HELD = math.log(0.15)
"""At most this while the candidate holds the floor aloud ("and then we, um"), whatever was said before."""
REPLY = 0.4
"""The odds that a reply to a follow-up is over although nothing was understood of it but that it was a sentence."""
CLOSED = math.log(60.0)
"""At least this after a closing phrase, misheard ones allowed for."""
TOPICAL_ENOUGH = 3
"""Topic words by which an answer counts as one, although no signal was heard in it."""
MISHEARD = 3
"""So many signals may be misheard in talk about something else; each one more counts like a topic word."""
_TOPIC_WEIGHT = 0.2
_HALF_SECONDS = {False: 12.0, True: 5.0}
"""Speech after which time no longer speaks against a main answer, or one to a follow-up."""
_ENOUGH_SIGNALS = {False: 1.6, True: 0.8}


def _odds(seconds: Seconds, signals: int, topical: int, *, followup: bool) -> float:
    """Rises smoothly from HARDLY to MOST with what was heard and how long it took."""
    length = seconds**2 / (seconds**2 + _HALF_SECONDS[followup] ** 2)
    if not signals and topical < TOPICAL_ENOUGH:  # a date and two names may be all that a follow-up asked for
        most = REPLY if followup else TOUCHED if topical > 1 else HARDLY
        return HARDLY + (most - HARDLY) * length
    amount = signals + _TOPIC_WEIGHT * min(topical, 10)
    grown = length * (1 - math.exp(-amount / _ENOUGH_SIGNALS[followup]))
    # Cues that were misheard in talk about something else must not pass for an answer; so many at once are not misheard. The
    # reply to a follow-up may be too short to have a topic word in it.
    on_it = 1.0 if followup else min(1.0, (topical + max(0, signals - MISHEARD)) / TOPICAL_ENOUGH) ** 2
    least = HARDLY + (REPLY - HARDLY) * length if followup else HARDLY
    return max(HARDLY + on_it * (MOST - HARDLY) * grown**2, least)


def says(text: str, word: str) -> bool:
    if is_wide(word):
        return word in text
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}", text) is not None


# --- evidence -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Read:
    """An answer as it was read: what its cues hear and, where there is a trained part for it, that part's verdicts."""

    detectors: tuple[Detector, ...]
    """Those whose labels it can show at all."""
    by_cues: dict[str, Stretch]
    classifier: Classifier | None = None
    spans: tuple[Stretch, ...] = ()
    cues: tuple[UnitCues, ...] = ()
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)


def _read(text: str, detectors: Sequence[Detector], language: Language, asked: Asked) -> _Read:
    plain = without_orders(text.replace("’", "'").replace("‘", "'"))  # same length as the text, so that places hold in both
    can_be = possible(plain, detectors, asked)
    able = tuple(one for one in detectors if one.id in can_be)
    by_cues = heard_by_cues(plain, able, language)
    classifier = next((one.trained for one in able if one.trained is not None), None)
    # Said twice is shown once: a loop of the recogniser's, or of somebody's, must not add up to evidence.
    spans = list({plain[start:end]: (start, end) for start, end in reversed(list(units(plain)))}.values())[::-1]
    if classifier is not None and not intelligible(plain, (plain[start:end] for start, end in spans), classifier):
        return _Read((), {})
    if classifier is None or not spans:
        return _Read(able, by_cues)
    stretches = [plain[start:end] for start, end in spans]
    cues = unit_cues(stretches, able, language)
    said = [Unit(stretch, frozenset(one.hits), one.vetoed) for stretch, one in zip(stretches, cues, strict=True)]
    verdicts = judge(classifier, said, frozenset(by_cues), asked, language)
    return _Read(able, by_cues, classifier, tuple(spans), tuple(cues), verdicts)


def _heard(text: str, detectors: Sequence[Detector], language: Language, asked: Asked) -> dict[str, Stretch]:
    """Each signal and trap that the answer shows, with the stretch that shows it best, in the order of the detectors."""
    read = _read(text, detectors, language, asked)
    by_cues, classifier, spans, cues, verdicts = read.by_cues, read.classifier, read.spans, read.cues, read.verdicts
    if classifier is None:
        wrong = misheard(dict.fromkeys(by_cues, 0.5), read.detectors, replies=bool(asked.reply_to))
        return {found: place for found, place in by_cues.items() if found not in wrong}
    # Several thoughts in one stretch, as a recogniser without marks gives them, are hard to weigh: once it is plain that this
    # is an answer at all, its cues count too.
    run_together = len(spans) == 1 and any(one.probability >= classifier.threshold for one in verdicts.values())
    shown: dict[str, Stretch] = {}
    likely: dict[str, float] = {}
    for detector in read.detectors:
        verdict = verdicts.get(detector.id) if detector.trained is classifier else None
        if verdict is None and detector.id in by_cues:
            shown[detector.id], likely[detector.id] = by_cues[detector.id], 0.5
        elif verdict is not None and _may(detector, verdict.unit):
            if verdict.probability < classifier.threshold and not (run_together and detector.id in by_cues):
                continue
            start, end = spans[verdict.unit]
            first, last = cues[verdict.unit].hits.get(detector.id, ((0, end - start),))[0]
            shown[detector.id], likely[detector.id] = (start + first, start + last), verdict.probability
    wrong = misheard(likely, read.detectors, replies=bool(asked.reply_to))
    return {found: place for found, place in shown.items() if found not in wrong}


def _may(detector: Detector, unit: int) -> bool:
    """What belongs to an opening is shown by no later unit."""
    return detector.scope != "start" or unit < OPENING
