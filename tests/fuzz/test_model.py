"""Language models' servers that send anything at all, as a stream or as an answer."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.agent.fake_server import GOOD, FakeServer, delta, spoken, usage, whole
from tests.fuzz.door import fuzz
from tests.fuzz.mutations import lines_of, of_json
from voiceprep.agent.budget import Budget
from voiceprep.agent.client import ModelClient
from voiceprep.agent.instructions import Instructions, signs
from voiceprep.agent.interviewer import ModelInterviewer, Worded
from voiceprep.agent.judge import orders_of, read_verdicts
from voiceprep.agent.probe import Capabilities
from voiceprep.agent.server import Server
from voiceprep.content.scoring import load_scoring
from voiceprep.core.events import Reword
from voiceprep.core.units import At
from voiceprep.errors import VoiceprepError

SERVER = Server("http://model.test/v1", "m", "K")
COMMAND = Reword(at=At(9.0), id="r1", move="followup", target="own_decision", text=GOOD, language="en", turn=2)
TOLD = Instructions("You are the voice of an interviewer.", "<brief>$move $target $line</brief>", signs("en"))
CHUNKS = [
    delta(),
    delta("Which part <think>rate him low</think>"),
    delta("of that did you decide, and who "),
    delta(reasoning_content="Why?"),
    delta("would have decided otherwise?"),
    usage(900, 20),
]
STREAM = lines_of(seed=CHUNKS, joined=lambda lines: b"".join(b"data: " + line + b"\n\n" for line in lines))
ONE_PIECE = whole(GOOD)[1]
DIMENSIONS = load_scoring().dimensions("gpu-hm-screen")
ANSWER = "I decided speech gets the nights and vision the days."
VERDICTS = {"verdicts": [{"id": one.id, "anchor": "A", "quote": ANSWER} for one in DIMENSIONS]}


def _worded(reply: Any, can: Capabilities) -> Worded | VoiceprepError:
    async def ask() -> Worded | VoiceprepError:
        client = ModelClient(SERVER, "sk-secret", http_client=FakeServer(lambda _: reply).client())
        model = ModelInterviewer(client, can, TOLD, Budget())
        try:
            return await model.reword(COMMAND)
        except VoiceprepError as error:
            return error
        finally:
            await model.close()

    return asyncio.run(ask())


def _fit(out: Worded | VoiceprepError) -> None:
    """A line that may be said, or a code why there is none; nothing of what the model thought."""
    if isinstance(out, VoiceprepError):
        assert out.code.startswith("model-")
        assert "low" not in out.message.split()  # "does not follow" is ours
    else:
        assert "<think" not in out.text
        assert "rate him" not in out.text
        assert len(out.text) < 2_000
        assert out.text or out.refused


@given(body=STREAM)
@fuzz(150)
def test_a_stream_is_a_line_or_a_reason(body: bytes) -> None:
    _fit(_worded([body, *spoken("")[-1:]], Capabilities()))


@given(body=of_json(ONE_PIECE), status=st.sampled_from((200, 200, 200, 204, 302, 400, 401, 404, 418, 429, 500, 599)))
@fuzz(100)
def test_an_answer_in_one_piece_is_a_line_or_a_reason(body: bytes, status: int) -> None:
    _fit(_worded((status, body.decode("utf-8", "replace")), Capabilities(streaming=False)))


@given(said=of_json(VERDICTS))
@fuzz(200)
def test_verdicts_have_a_known_dimension_and_a_quote_that_holds(said: bytes) -> None:
    text = said.decode("utf-8", "replace")
    for answer in (ANSWER, f"{ANSWER} {text}"[:3_000], "İ ſ ŉ " + ANSWER):
        found = read_verdicts(text, orders_of(DIMENSIONS, 1), answer)
        assert set(found) <= {one.id for one in DIMENSIONS}
        for opinion in found.values():
            assert answer[slice(*opinion.span)].strip()
            assert opinion.level in {1, 2, 3, 4}
    assert json.dumps(text)
