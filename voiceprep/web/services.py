"""What the answers are made from."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, Path, Request

from voiceprep.config import Places, Settings
from voiceprep.speech.stt.base import Recogniser
from voiceprep.store.archive import Archive
from voiceprep.web.analyses import Analyses
from voiceprep.web.protocol import ID
from voiceprep.web.readiness import Readiness
from voiceprep.web.security import Gate
from voiceprep.web.studio import Studio
from voiceprep.web.trash import Trash


@dataclass(frozen=True, slots=True)
class Services:
    """Everything a request may need. `settings` are read anew each time: they may be edited while the server runs."""

    gate: Gate
    places: Places
    settings: Callable[[], Settings]
    archive: Archive
    trash: Trash
    studio: Studio
    recogniser: Callable[[Settings], Awaitable[Recogniser | None]]
    """The one that sessions with these settings are held with; None: it is off. Whoever asks for it leaves it open."""
    readiness: Readiness = field(default_factory=Readiness)
    analyses: Analyses = field(default_factory=Analyses)


def services(request: Request) -> Services:
    """Those of this server."""
    found = request.app.state.services
    assert isinstance(found, Services)
    return found


Served = Annotated[Services, Depends(services)]
AnId = Annotated[str, Path(pattern=rf"^{ID}$", max_length=200)]
"""Of a session, a round, a loop: nothing that leads out of a folder."""
