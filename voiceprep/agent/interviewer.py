"""Words a move with a language model. The director has decided everything; nobody waits for this longer than they choose to."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from voiceprep.agent.budget import Budget, Prices, estimate
from voiceprep.agent.client import ModelClient, Piece
from voiceprep.agent.conversation import Conversation
from voiceprep.agent.guard import Frame, Guard
from voiceprep.agent.instructions import Instructions, Message
from voiceprep.agent.probe import Capabilities
from voiceprep.core.events import Reword
from voiceprep.errors import VoiceprepError

USEFUL = 6.0
"""Seconds after which a line is of no use any more, whoever waits."""
TAIL = 0.2
"""Seconds for the count of tokens that follows a finished line."""
FAILURES = 3
"""After so many in a row the model is left alone for the rest of the session."""
SERVED = frozenset({"model-timeout", "model-broke-off"})
"""Errors of a request that the server has worked for, whether or not a word of its answer has come."""


@dataclass(frozen=True, slots=True)
class Worded:
    """A line, or "" and why there is none: a reason of the guard's, an error's code, `budget` or `given-up`."""

    text: str = ""
    refused: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0


@dataclass(slots=True)
class _Asked:
    """A request, and its answer as far as it has been read."""

    messages: list[Message]
    read: Piece = field(default_factory=Piece)
    turned_down: bool = False
    """The server did nothing for it."""

    @property
    def tokens(self) -> tuple[int, int]:
        """Sent and received so far, by the server's count where it has come."""
        if self.turned_down:
            return 0, 0
        sent = self.read.tokens_in or sum(estimate(message["content"]) for message in self.messages)
        return sent, self.read.tokens_out or estimate(self.read.text + self.read.thought)


@dataclass(slots=True)
class ModelInterviewer:
    """One session's. `conversation` is told the session's events by whoever runs it."""

    client: ModelClient
    can: Capabilities
    told: Instructions
    budget: Budget
    prices: Prices = field(default_factory=Prices)
    conversation: Conversation = field(default_factory=Conversation)
    patience: float = USEFUL
    _failures: int = 0
    _complained: set[str] = field(default_factory=set)
    _open: dict[str, _Asked] = field(default_factory=dict)
    """Requests under way, by the ids of their commands."""

    @property
    def given_up(self) -> bool:
        return self._failures >= FAILURES

    async def warm(self) -> None:
        """Open the connection, and have the server read what stays the same: the first line then comes as fast as others."""
        with contextlib.suppress(VoiceprepError):  # the first line will tell
            await self._ask(_Asked(self.told.messages([], None)), None, most=1)

    async def reword(self, command: Reword) -> Worded:
        """The line in the interviewer's words.

        Raises VoiceprepError (`model-...`) the first time that something of its kind goes wrong; later it is only a reason.
        """
        if self.budget.spent or self.given_up:
            return Worded(refused="budget" if self.budget.spent else "given-up")
        guard = Guard(self._frame(command), thinks=self.can.tagless)
        asked = self._open[command.id] = _Asked(self.told.messages(self.conversation.turns, command))
        try:
            await self._within(self._ask(asked, guard))
        except VoiceprepError as error:
            self._failures += 1
            if error.code in self._complained:
                return self._worded(asked, "", error.code)
            self._complained.add(error.code)
            raise
        finally:
            del self._open[command.id]
        self._failures = 0
        return self._worded(asked, *guard.verdict())

    def overtaken(self, of: str) -> Worded:
        """What the line of command `of` has taken by now, where it is not waited for any more."""
        asked = self._open.get(of)
        return Worded(refused="overtaken") if asked is None else self._worded(asked, "", "overtaken")

    async def close(self) -> None:
        await self.client.close()

    # --- inside -----------------------------------------------------------------------------------------------------------

    def _frame(self, command: Reword) -> Frame:
        turns = self.conversation.turns
        return Frame(
            language=command.language,
            bank=command.text,
            signs=self.told.signs,
            target=command.target,
            known="\n".join(turn.text for turn in turns),
            instructions=f"{self.told.system}\n{self.told.brief}",
            before=self.conversation.lines,
        )

    async def _within(self, answer: Coroutine[Any, Any, None]) -> None:
        try:
            async with asyncio.timeout(self.patience):
                await answer
        except TimeoutError:
            name = self.client.server.name
            raise VoiceprepError(f"{name} is too slow for a conversation", code="model-timeout") from None

    async def _ask(self, asked: _Asked, guard: Guard | None, most: int | None = None) -> None:
        """Read until the guard has enough, and count what that took, however it ends: late, broken off or overtaken."""
        try:
            await self._read(asked, guard, self.can.options(most))
        except VoiceprepError as error:
            asked.turned_down = error.code not in SERVED and not (asked.read.text or asked.read.thought)
            raise
        finally:
            sent, received = asked.tokens
            self.budget.take(sent + received, self.prices.cost(sent, received))

    async def _read(self, asked: _Asked, guard: Guard | None, options: dict[str, Any]) -> None:
        if not self.can.streaming:
            asked.read.add(await self.client.whole(asked.messages, options))
            if guard is not None:
                guard.feed(asked.read.text)
            return
        async with aclosing(self.client.stream(asked.messages, options)) as pieces:
            async for piece in pieces:
                asked.read.add(piece)
                if guard is not None and guard.feed(piece.text):
                    await _tail(pieces, asked.read)
                    break

    def _worded(self, asked: _Asked, text: str, refused: str) -> Worded:
        sent, received = asked.tokens
        return Worded(text, refused, sent, received, self.prices.cost(sent, received))


async def _tail(pieces: AsyncGenerator[Piece, None], out: Piece) -> None:
    """The count of tokens, where it follows at once; a model that rambles on is not waited for."""
    with contextlib.suppress(TimeoutError, VoiceprepError):
        async with asyncio.timeout(TAIL):
            async for piece in pieces:
                out.add(piece)
                if piece.tokens_out or piece.text.strip():
                    return
