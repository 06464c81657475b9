"""What a machine has to remark on a session, as annotations: computed anew each time, so they fit today's transcript."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from voiceprep.core.annotation import Annotation, Kind, anchored, by_place, history, noted
from voiceprep.core.events import Evidence
from voiceprep.core.listening.fillers import Filler
from voiceprep.core.units import Seconds
from voiceprep.review.document import QuizItem
from voiceprep.review.material import Material
from voiceprep.store.annotations import read


def own(material: Material) -> tuple[Annotation, ...]:
    """The user's annotations in force, notes of the live session among them, on today's words."""
    found = history(read(material.folder), noted(material.timeline.notes)).annotations
    return tuple(anchored(each, material.index) for each in found)


def layered(
    material: Material, mine: Iterable[Annotation], fillers: Iterable[Filler], signals: Iterable[QuizItem]
) -> tuple[Annotation, ...]:
    """Both layers in order of place."""
    return by_place([*mine, *_numbered(_machine(material, fillers, signals))])


def _numbered(found: Iterable[Annotation]) -> Iterator[Annotation]:
    """Ids that stay the same from one computation to the next: kind, name and which of them it is."""
    seen: Counter[str] = Counter()
    for each in by_place(found):
        stem = f"{each.kind}:{each.name}" if each.name else each.kind
        seen[stem] += 1
        yield replace(each, id=f"{stem}:{seen[stem]}")


def _machine(material: Material, fillers: Iterable[Filler], signals: Iterable[QuizItem]) -> Iterator[Annotation]:
    def remark(kind: Kind, start: Seconds, end: Seconds, name: str, text: str) -> Annotation:
        return Annotation("", "machine", kind, material.index.anchor(start, max(start, end)), text, name)

    timeline, tongue, committee = material.timeline, material.tongue, material.committee
    for flag in timeline.flags:
        yield remark("flag", flag.end, flag.end, flag.rule, flag.advice)
    if material.readable is not None:
        shown: list[tuple[Kind, Evidence]] = [("signal", item) for item in material.readable.shown]
        for kind, item in [*shown, *(("trap", item) for item in material.readable.faults)]:
            names = committee.have if kind == "signal" else committee.lack
            yield remark(kind, item.start, item.end, item.signal, names.get(item.signal, {}).get(tongue, item.signal))
    for claim in material.claims:
        for item in claim.heard:
            yield remark("evidence", item.start, item.end, claim.claim.id, claim.claim.text)
    for filler in fillers:
        yield remark("filler", filler.start, filler.end, "", filler.text)
    for cut in timeline.interruptions:
        yield remark("interruption", cut.media, cut.media, cut.by, cut.reason)
    for gap in timeline.gaps:
        yield remark("gap", gap.start, gap.end, "", gap.reason)
    for given in signals:
        yield remark("micro_signal", given.at, given.at, given.id, given.signal)
