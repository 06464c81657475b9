"""What is kept of both voices while the disk fills up: the candidate's longest."""

from __future__ import annotations

from collections.abc import Callable

from voiceprep.audio.base import Samples
from voiceprep.core.events import EdgeFailed, StopRequested
from voiceprep.errors import MissingError
from voiceprep.live.inbox import NOW, Inbox
from voiceprep.store.folder import SessionFolder
from voiceprep.store.track import Track

DISK_FULL = "the disk is full: a few minutes more of you are recorded, the interviewer is not; make room, or end the session"


class Keeping:
    """Records voices into a session's folder. Where the disk refuses the candidate's, it asks for the session's end."""

    def __init__(self, folder: SessionFolder, inbox: Inbox) -> None:
        self._folder = folder
        self._inbox = inbox
        self._told = False
        self._refused: set[Track] = set()
        """Tracks that the disk takes no more of."""

    def record(self, track: Track, samples: Samples) -> bool:
        """Append to one of the folder's tracks. False where it is not kept any more."""
        return self._kept(track, lambda: track.write(samples))

    def record_loss(self, track: Track, lost: int) -> bool:
        """Hold silence in place of so many samples that were not captured. False as `record`."""
        return self._kept(track, lambda: track.write_silence(lost))

    def _kept(self, track: Track, write: Callable[[], None]) -> bool:
        folder = self._folder
        if folder.short:  # what room is left is the candidate's
            self._refused.add(folder.interviewer)
        if track not in self._refused:
            try:
                write()
            except MissingError as error:
                self._refuse(track, error)
        if folder.short and not self._told:
            self._told = True
            self._inbox.put(EdgeFailed(at=NOW, code="disk-full", message=DISK_FULL))
        return track not in self._refused

    def _refuse(self, track: Track, error: MissingError) -> None:
        self._refused.add(track)
        mine = track is self._folder.candidate
        if mine or error.code != "disk-full":  # else the candidate's track meets it next, and tells of it
            self._inbox.put(EdgeFailed(at=NOW, code=error.code, message=str(error)))
        if mine:
            self._inbox.put(StopRequested(at=NOW, reason=error.code))
