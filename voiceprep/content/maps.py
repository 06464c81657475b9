"""A round as a document: what lists and maps of it show, for people before they begin."""

from __future__ import annotations

from typing import Any

from voiceprep.core.interviewer.lens import Lens, own_points
from voiceprep.core.pack import Point, RoundPack


def summary_of(pack: RoundPack) -> dict[str, Any]:
    """A line of a list: id, title, minutes, who asks, what it tests."""
    return {
        "id": pack.id,
        "title": dict(pack.title),
        "minutes": list(pack.minutes),
        "interviewer": _interviewer(pack),
        "tests": dict(pack.tests),
    }


def _interviewer(pack: RoundPack) -> dict[str, Any]:
    return {"id": pack.persona.id, "name": dict(pack.persona.name), "role": dict(pack.persona.role)}


def map_of(pack: RoundPack) -> dict[str, Any]:
    """The round's map: sections with their budgets in seconds, questions, objections, where it comes from."""
    sections = [
        {
            "id": section.id,
            "title": dict(section.title),
            "kind": section.kind,
            "budget": section.budget,
            "source": section.source,
            "questions": [
                {
                    "id": question.id,
                    "kind": question.kind,
                    "text": {tongue: phrasings[0] for tongue, phrasings in question.line.phrasings.items()},
                    "targets": list(dict.fromkeys(point.target for point in question.points)),
                }
                for question in pack.questions
                if question.section == section.id
            ],
        }
        for section in pack.sections
    ]
    return {
        **summary_of(pack),
        "sections": sections,
        "pushbacks": [{"id": pushback.id, "kind": pushback.kind, "when": list(pushback.when)} for pushback in pack.pushbacks],
        "requirements": list(pack.requirements),
        "source": pack.source,
    }


def lens_of(pack: RoundPack, lens: Lens) -> dict[str, Any]:
    """What a company's lens changes in a round that is seen through it."""

    def rung(point: Point) -> dict[str, Any]:
        text = {tongue: phrasings[0] for tongue, phrasings in point.line.phrasings.items()}
        return {"id": point.id, "target": point.target, "text": text, "chain": [rung(below) for below in point.chain]}

    return {
        "id": lens.id,
        "name": dict(lens.name),
        "looks_at": dict(lens.looks_at),
        "weigh": list(lens.weigh),
        "remark": {tongue: texts[0] for tongue, texts in lens.remark.phrasings.items()},
        "points": [rung(point) for point in own_points(pack, lens)],
        "source": lens.source,
    }
