"""The turns of a session as a review shows them: what each answered, how deep, how soon and how fast."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from voiceprep.core.events import NO_TURN, Language, MoveChosen, QuestionAsked
from voiceprep.core.listening.rates import measure_rates
from voiceprep.core.timeline import Turn, Utterance
from voiceprep.core.units import Media, Span
from voiceprep.review.document import Said
from voiceprep.review.material import Material
from voiceprep.review.verdict import FOLLOWING

LEAST_UNITS = 12
"""Words (Chinese: characters) under which the rate of one turn is chance."""


def turns_of(material: Material) -> tuple[Said, ...]:
    """Every turn of both sides, in order."""
    return tuple(_turns(material))


def _turns(material: Material) -> Iterator[Said]:
    places = {(word.start, word.end, word.text): number for number, word in enumerate(material.timeline.words)}
    targets = {event.of: event.target for event in material.events if isinstance(event, MoveChosen)}
    questions = {event.of: event.question for event in material.events if isinstance(event, QuestionAsked)}
    said_in: dict[int, list[Utterance]] = {}
    for utterance in material.timeline.utterances:
        if utterance.turn and utterance.move not in NO_TURN:
            said_in.setdefault(utterance.turn, []).append(utterance)
    question, depth, over = "", 0, None
    for turn in material.timeline.turns:
        if turn.speaker == "interviewer":
            lines = said_in.get(turn.number, [])
            for line in lines:
                if line.move in FOLLOWING:
                    depth += 1
                elif line.move in {"question", "move_on", "close", "yield"}:
                    question, depth = questions.get(line.id, ""), 0
            last = lines[-1] if lines else None
            over = turn.end
            yield Said(
                number=turn.number,
                speaker=turn.speaker,
                start=turn.start,
                end=turn.end,
                text=turn.text,
                reason=turn.reason,
                move=last.move if last else None,
                target=targets.get(last.id, "") if last else "",
                question=question,
                depth=depth,
            )
        else:
            first, last_word = (turn.words[0], turn.words[-1]) if turn.words else (None, None)
            yield Said(
                number=turn.number,
                speaker=turn.speaker,
                start=turn.start,
                end=turn.end,
                text=turn.text,
                reason=turn.reason,
                trusted=turn.trusted,
                first=places[first.start, first.end, first.text] if first else None,
                last=places[last_word.start, last_word.end, last_word.text] if last_word else None,
                question=question,
                depth=depth,
                delay=None if over is None else max(0.0, turn.start - over),
                rate=rate_of(material, [turn]) if turn.trusted else None,
            )
            over = None


def rate_of(material: Material, turns: Sequence[Turn]) -> float | None:
    """The narration rate of these answers together, in the unit of the session's language; None where it would be chance."""
    language: Language = material.header.language
    words = [word for turn in turns for word in turn.words]
    if not words:
        return None
    speech = material.speech_in([Span(turn.words[0].start, _end(turn)) for turn in turns if turn.words])
    rates = measure_rates(words, speech, sum(span.duration for span in speech), language)
    return rates.narration if rates.words + rates.characters >= LEAST_UNITS else None


def _end(turn: Turn) -> Media:
    return max(turn.words[-1].end, turn.words[0].start)


def longest_answer(turns: Sequence[Said], speech: Sequence[Span]) -> Span | None:
    """The longest floor that was used: a silence at its end is no part of the answer."""
    spans = []
    for turn in turns:
        if turn.speaker == "candidate":
            ends = [region.end for region in speech if turn.start <= region.start < turn.end]
            if ends:
                spans.append(Span(turn.start, max(turn.start, min(turn.end, max(ends)))))
    return max(spans, key=lambda span: span.duration, default=None)
