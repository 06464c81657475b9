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


@dataclass(frozen=True, slots=True)
class Worded:
    """A line, or "" and why there is none: a reason of the guard's, an error's code, `budget` or `given-up`."""

    text: str = ""
    refused: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0


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

    @property
    def given_up(self) -> bool:
        return self._failures >= FAILURES

    async def warm(self) -> None:
        """Open the connection, and have the server read what stays the same: the first line then comes as fast as others."""
        messages = self.told.messages([], None)
        with contextlib.suppress(VoiceprepError):  # the first line will tell
            self._count(messages, await self._collect(messages, None, most=1))

    async def reword(self, command: Reword) -> Worded:
        """The line in the interviewer's words.

        Raises VoiceprepError (`model-...`) the first time that something of its kind goes wrong; later it is only a reason.
        """
        if self.budget.spent or self.given_up:
            return Worded(refused="budget" if self.budget.spent else "given-up")
        messages = self.told.messages(self.conversation.turns, command)
        guard = Guard(self._frame(command), thinks=self.can.tagless)
        try:
            answer = await self._within(self._collect(messages, guard))
        except VoiceprepError as error:
            self._failures += 1
            if error.code in self._complained:
                return Worded(refused=error.code)
            self._complained.add(error.code)
            raise
        self._failures = 0
        text, refused = guard.verdict()
        tokens_in, tokens_out, cost = self._count(messages, answer)
        return Worded(text, refused, tokens_in, tokens_out, cost)

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

    async def _within(self, answer: Coroutine[Any, Any, Piece]) -> Piece:
        try:
            async with asyncio.timeout(self.patience):
                return await answer
        except TimeoutError:
            name = self.client.server.name
            raise VoiceprepError(f"{name} is too slow for a conversation", code="model-timeout") from None

    async def _collect(self, messages: list[Message], guard: Guard | None, most: int | None = None) -> Piece:
        """Read until the guard has enough. The answer as read, with the server's count where it came."""
        options = self.can.options(most)
        if not self.can.streaming:
            whole = await self.client.whole(messages, options)
            if guard is not None:
                guard.feed(whole.text)
            return whole
        out = Piece()
        async with aclosing(self.client.stream(messages, options)) as pieces:
            async for piece in pieces:
                out.add(piece)
                if guard is not None and guard.feed(piece.text):
                    await _tail(pieces, out)
                    break
        return out

    def _count(self, messages: list[Message], answer: Piece) -> tuple[int, int, float]:
        sent = answer.tokens_in or sum(estimate(message["content"]) for message in messages)
        received = answer.tokens_out or estimate(answer.text + answer.thought)
        cost = self.prices.cost(sent, received)
        self.budget.take(sent + received, cost)
        return sent, received, cost


async def _tail(pieces: AsyncGenerator[Piece, None], out: Piece) -> None:
    """The count of tokens, where it follows at once; a model that rambles on is not waited for."""
    with contextlib.suppress(TimeoutError, VoiceprepError):
        async with asyncio.timeout(TAIL):
            async for piece in pieces:
                out.add(piece)
                if piece.tokens_out or piece.text.strip():
                    return
