"""The real thing: llama.cpp's OpenAI-compatible server with a model of 135 million parameters. It words badly: a good test."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.agent.conftest import KEY
from tests.agent.room import contents, hold
from tests.fakes.table import of_kind
from voiceprep import config
from voiceprep.agent.client import ModelClient
from voiceprep.agent.guard import LIMIT, units
from voiceprep.agent.opening import open_interviewer
from voiceprep.agent.probe import probe, remembered
from voiceprep.agent.server import Server, from_argument
from voiceprep.content import load_content
from voiceprep.core.events import EdgeFailed, Reword, Reworded, SessionEnded, Speak
from voiceprep.core.units import At
from voiceprep.errors import MissingError
from voiceprep.live import doctor

pytestmark = pytest.mark.models


async def test_its_abilities_are_found_and_it_counts(llama: Server) -> None:
    client = ModelClient(llama, KEY)
    found = await probe(client)
    await client.close()
    assert (found.streaming, found.limit, found.temperature, found.usage, found.reasons) == (
        True,
        "max_tokens",
        True,
        True,
        False,
    )


async def test_a_wrong_key_is_told_without_it(llama: Server) -> None:
    client = ModelClient(llama, "wrong-key")
    with pytest.raises(MissingError) as error:
        await probe(client)
    await client.close()
    assert error.value.code == "model-key"
    assert "wrong-key" not in str(error.value)


async def test_a_wrong_path_is_told(llama: Server) -> None:
    client = ModelClient(replace(llama, url=f"{llama.url}/nowhere"), KEY)
    with pytest.raises(MissingError) as error:
        await probe(client)
    await client.close()
    assert error.value.code == "model-unknown"


async def test_a_line_is_worded_or_refused_for_a_reason(llama: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(llama.key_variable, KEY)
    settings = config.load({}).with_arguments(
        **from_argument(f"{llama.url}#{llama.model}"), llm_key_variable=llama.key_variable
    )
    places = config.Places(tmp_path, tmp_path)
    told: list[str] = []
    missing: list[tuple[str, str]] = []
    pack = load_content("gpu-hm-screen").round
    model = await open_interviewer(settings, places, pack, "en", told.append, lambda *what: missing.append(what))
    assert model is not None
    assert missing == []
    assert told == [llama.leaves(settings)]
    assert remembered(places.cache, llama) == model.can
    model.patience = 200.0  # a shared machine may be slow: how fast it is, is not the question here
    await model.warm()
    bank = "If I took you out of that project, which decision would have gone the other way?"
    got = await model.reword(
        Reword(at=At(1), id="r1", move="followup", target="own_decision", text=bank, language="en", turn=2)
    )
    await model.close()
    assert bool(got.text) != bool(got.refused)
    assert len(units(got.text)) <= LIMIT["en"]
    assert got.tokens_in > 300
    assert got.tokens_out > 0
    kept = contents(tmp_path)
    assert kept
    assert not any(KEY.encode() in content for content in kept)


async def test_a_round_is_held_with_it_end_to_end(llama: Server, tmp_path: Path) -> None:
    log = await hold(tmp_path, ModelClient(llama, KEY), patience=200.0)
    asked, came = of_kind(log, Reword), of_kind(log, Reworded)
    assert asked
    assert [one.of for one in came] == [one.id for one in asked]
    assert of_kind(log, EdgeFailed) == []
    said = next(one.text for one in of_kind(log, Speak) if one.move == "followup")
    assert said == (came[-1].text or asked[-1].text)  # worded, or the bank's line
    assert log[-1] == SessionEnded(at=log[-1].at, reason="audio-ended")


def test_doctor_asks_it(llama: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(llama.key_variable, KEY)
    settings = config.load({}).with_arguments(
        **from_argument(f"{llama.url}#{llama.model}"), llm_key_variable=llama.key_variable
    )
    found = doctor._language_model(settings, config.Places(tmp_path, tmp_path))
    assert (found.ok, found.detail) == (True, llama.leaves(settings))
