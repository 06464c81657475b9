"""One question of a round, to answer it again."""

from __future__ import annotations

from dataclasses import replace

from voiceprep.core.pack import Content
from voiceprep.errors import UsageError


def asking_only(content: Content, question: str) -> Content:
    """The round with this question alone, in its section. Raises UsageError (`unknown-question`)."""
    pack = content.round
    kept = tuple(each for each in pack.questions if each.id == question)
    if not kept:
        raise UsageError(
            f"round {pack.id} has no question {question!r}",
            code="unknown-question",
            hint=f"choose one of: {', '.join(each.id for each in pack.questions)}",
        )
    sections = tuple(section for section in pack.sections if section.id == kept[0].section)
    return replace(content, round=replace(pack, questions=kept, sections=sections))
