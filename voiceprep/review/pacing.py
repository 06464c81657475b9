"""The pacing flags of a session that is over, from its log alone: the same as were raised live."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from voiceprep.core.events import Event, FlagRaised
from voiceprep.core.pack import Content
from voiceprep.core.policy import Policy
from voiceprep.core.units import MediaClock
from voiceprep.flags import rules_of
from voiceprep.flags.recompute import recompute
from voiceprep.store.header import Header


def recomputed(header: Header, events: Iterable[Event], content: Content) -> tuple[FlagRaised, ...]:
    """The flags by the policy of the header and the thresholds of `content` (see `intake/kept.content_of`).

    An older log has the rules that were there when it was written. Where the files of the round have changed since, so may its
    flags; those that were raised stand in the log.
    """
    known = {field.name for field in fields(Policy)}  # the first logs named thresholds here as well
    values: dict[str, Any] = {name: value for name, value in header.policy.items() if name in known}
    clock = MediaClock()
    return recompute(events, rules_of(content, Policy(**values), header.language, clock), clock)
