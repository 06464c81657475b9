"""A session's watcher, with a language model listening along."""

from __future__ import annotations

import logging

from voiceprep.agent.conversation import Conversation
from voiceprep.core.events import Event
from voiceprep.live.session import Watcher

logger = logging.getLogger(__name__)


class Overheard:
    """A watcher whose events are told to the model's memory of the conversation first, whatever becomes of the watcher."""

    def __init__(self, watcher: Watcher, conversation: Conversation) -> None:
        self._watcher = watcher
        self._conversation = conversation
        self._unseen = False

    def show(self, event: Event) -> None:
        self._conversation.take(event)
        if self._unseen:
            return
        try:
            self._watcher.show(event)
        except Exception as error:  # noqa: BLE001 - a screen that fails is not looked at any more; the model listens on
            self._unseen = True
            logger.warning("the screen failed: %s", type(error).__name__)

    def level(self, dbfs: float) -> None:
        self._watcher.level(dbfs)

    def clock(self, at: float) -> None:
        self._watcher.clock(at)
