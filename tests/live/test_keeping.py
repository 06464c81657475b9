"""What is kept of both voices on a disk that fills up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from voiceprep.core.events import EdgeFailed, Event, StopRequested
from voiceprep.errors import MissingError
from voiceprep.live.clock import AudioClock
from voiceprep.live.inbox import Inbox
from voiceprep.live.keeping import Keeping

SOUND = np.zeros(16, dtype=np.float32)


class Full:
    """A track that the disk refuses."""

    def write(self, _: Any) -> None:
        raise MissingError("the disk is full", code="disk-full")

    write_silence = write


@dataclass
class Folder:
    """A session's folder on a full disk."""

    candidate: Full = field(default_factory=Full)
    interviewer: Full = field(default_factory=Full)
    short: bool = False


def told(inbox: Inbox) -> list[Event]:
    out = []
    while (item := inbox.take()) is not None:
        out.append(item.what)
    return cast("list[Event]", out)


def test_a_loss_that_the_disk_takes_no_silence_for_ends_the_session_in_good_order() -> None:
    folder, inbox = Folder(), Inbox(AudioClock())
    keeping = Keeping(cast("Any", folder), inbox)
    assert not keeping.record_loss(cast("Any", folder.candidate), 4096)
    assert [type(event) for event in told(inbox)] == [EdgeFailed, StopRequested]
    assert not keeping.record(cast("Any", folder.candidate), SOUND)
    assert not told(inbox), "it is told once"


def test_the_interviewer_s_voice_is_given_up_without_a_word_of_its_own() -> None:
    folder, inbox = Folder(), Inbox(AudioClock())
    keeping = Keeping(cast("Any", folder), inbox)
    assert not keeping.record(cast("Any", folder.interviewer), SOUND)
    assert not told(inbox), "the candidate's track meets it next, and tells of it"
