"""From settings to an interviewer with a language model, or to none: a session never fails for want of one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from voiceprep.agent.budget import Budget, Prices
from voiceprep.agent.client import ModelClient
from voiceprep.agent.instructions import instructions
from voiceprep.agent.interviewer import ModelInterviewer
from voiceprep.agent.probe import Capabilities, probe, remember, remembered
from voiceprep.agent.server import server_of
from voiceprep.config import Places, Settings
from voiceprep.core.pack import RoundPack, Tongue
from voiceprep.errors import VoiceprepError

PROBE_WITHIN = 60.0
"""Seconds: a server on this machine may have to load its model first."""


async def open_interviewer(
    settings: Settings,
    places: Places,
    pack: RoundPack,
    tongue: Tongue,
    tell: Callable[[str], None],
    missing: Callable[[str, str], None],
    *,
    http_client: Any = None,
) -> ModelInterviewer | None:
    """The model that words this round's lines; None where none is set up, or it cannot be used.

    `tell` is told what leaves this machine, `missing` a code and a message where the model that is set up cannot be used.
    Raises UsageError (`bad-setting`) for settings that mean nothing, BadInputError (`bad-prompt`) for its instructions.
    """
    server = server_of(settings)
    if server is None:
        return None
    told = instructions(pack, tongue)
    tell(server.leaves(settings))
    client = ModelClient(server, server.key(), http_client=http_client)
    try:
        can = remembered(places.cache, server) or await asked(client, places)
    except VoiceprepError as error:
        await client.close()
        missing(error.code, f"{error}; the interviewer's own lines are used")
        return None
    budget = Budget(settings["llm_budget_tokens"], settings["llm_budget_money"])
    return ModelInterviewer(client, can, told, budget, Prices(settings["llm_price_in"], settings["llm_price_out"]))


async def asked(client: ModelClient, places: Places) -> Capabilities:
    """Probe the server and remember what it can do. Raises VoiceprepError (`model-...`)."""
    try:
        async with asyncio.timeout(PROBE_WITHIN):
            can = await probe(client)
    except TimeoutError:
        raise VoiceprepError(f"{client.server.name} does not answer in time", code="model-timeout") from None
    remember(places.cache, client.server, can)
    return can
