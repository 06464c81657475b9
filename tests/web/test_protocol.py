"""The wire types say what the core says, and nothing that is not for the page."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.samples import events
from tests.web.studio import FakeHolds, services
from tools import write_web_docs
from voiceprep.core.events import KINDS, Event, FlagRaised, SignalGiven
from voiceprep.core.units import At, Media
from voiceprep.errors import BadInputError
from voiceprep.web import protocol
from voiceprep.web.app import api_of
from voiceprep.web.events import BY_CORE, EVENTS, HIDDEN_IN_EXAM, PRIVATE, WITHHELD, Wire, WireEvent, WireWord, snake, to_wire
from voiceprep.web.live import Patience
from voiceprep.web.protocol import CONTROL, DOWN, UP, Frame, pack, understood, unpack


class TestAgainstTheCore:
    def test_every_kind_is_for_the_page_or_has_a_reason_why_not(self) -> None:
        mapped = {kind.__name__ for kind in BY_CORE}
        assert mapped | set(PRIVATE) == set(KINDS)
        assert mapped & set(PRIVATE) == set()
        assert all(PRIVATE.values())

    @pytest.mark.parametrize("wire", EVENTS, ids=lambda wire: wire.__name__)
    def test_a_kind_has_the_core_s_name_and_fields(self, wire: type[WireEvent]) -> None:
        theirs = {field.name for field in dataclasses.fields(wire.core)}
        ours = set(wire.model_fields) - {"kind"}
        assert wire.__name__ == wire.core.__name__
        assert wire.model_fields["kind"].default == snake(wire.core.__name__)
        assert theirs - ours == set(WITHHELD.get(wire.core.__name__, {}))
        assert ours <= theirs

    def test_withheld_and_hidden_name_what_exists(self) -> None:
        for name, fields in WITHHELD.items():
            assert set(fields) <= {field.name for field in dataclasses.fields(KINDS[name])}
        assert set(EVENTS) >= HIDDEN_IN_EXAM

    def test_a_word_is_the_core_s(self) -> None:
        from voiceprep.core.events import Word

        assert set(WireWord.model_fields) == {field.name for field in dataclasses.fields(Word)}

    def test_every_kind_of_message_is_said_by_one_side(self) -> None:
        kinds = [each.model_fields["kind"].default for each in (*CONTROL, *EVENTS)]
        assert len(kinds) == len(set(kinds))
        said = {each for each in Wire.__subclasses__() if each.__module__ == protocol.__name__}
        assert said - set(CONTROL) == set(_members(protocol.ClientMessage))

    @given(events())
    def test_any_event_goes_over_the_wire_with_its_values(self, event: Event) -> None:
        wire = to_wire(event, exam=False)
        if wire is None:
            assert type(event).__name__ in PRIVATE
            return
        again = type(wire).model_validate_json(wire.model_dump_json())
        assert again == wire
        assert wire.at == event.at


def _members(annotated: Any) -> tuple[type, ...]:
    return tuple(annotated.__origin__.__args__)


def test_the_quiz_s_answers_stay_here() -> None:
    wire = to_wire(SignalGiven(at=At(1), signal="nod", meant="off-track", reason="too long"), exam=False)
    assert wire is not None
    assert "off-track" not in wire.model_dump_json()
    assert "too long" not in wire.model_dump_json()


def test_an_exam_keeps_flags_for_the_review() -> None:
    flag = FlagRaised(at=At(9), rule="monologue", level="notice", start=Media(0), end=Media(8), advice="stop")
    assert to_wire(flag, exam=False) is not None
    assert to_wire(flag, exam=True) is None


def test_the_document_is_what_the_types_are() -> None:
    assert write_web_docs.PAGE.read_text("utf-8") == write_web_docs.text(), "run: python -m tools.write_web_docs"


def test_the_document_names_every_address(tmp_path: Path) -> None:
    """And every address that it names is answered."""
    made = services(tmp_path, 1, FakeHolds(tmp_path), Patience())
    paths = api_of(made).openapi()["paths"]
    there = {(method.upper(), re.sub(r"\{\w+\}", "{}", path)) for path, methods in paths.items() for method in methods}
    text = (
        write_web_docs.PAGE.read_text("utf-8").replace("`, `…/redo`", "`").replace("annotations/undo`", "annotations/{step}`")
    )
    text = text.replace("…/export/{format}", "/api/sessions/{id}/export/{format}")
    named = {
        (method, re.sub(r"\{\w+\}", "{}", path))
        for method, path in re.findall(r"(GET|POST|PATCH|DELETE) (/api/[^\s?`]*)", text)
    }
    assert named - {("GET", "/api/openapi.json")} == there


class TestFrames:
    @given(
        st.integers(0, 2**32 - 1), st.integers(0, 2**52), st.binary(min_size=2, max_size=64).filter(lambda b: not len(b) % 2)
    )
    def test_there_and_back(self, number: int, position: int, pcm: bytes) -> None:
        assert unpack(pack(Frame(number, position, pcm), UP)) == Frame(number, position, pcm)

    @given(st.binary(max_size=80))
    def test_bytes_of_any_kind_are_a_frame_or_refused(self, data: bytes) -> None:
        try:
            frame = unpack(data)
        except BadInputError:
            return
        assert pack(frame, UP) == data

    def test_the_header_is_as_documented(self) -> None:
        data = pack(Frame(7, 1_600, b"\x01\x02"), DOWN)
        assert data.hex(" ") == "02 00 00 00 07 00 00 00 40 06 00 00 00 00 00 00 01 02"

    def test_one_direction_is_not_the_other(self) -> None:
        with pytest.raises(BadInputError):
            unpack(pack(Frame(1, 0, b"\0\0"), DOWN), UP)

    def test_not_more_than_a_second(self) -> None:
        unpack(pack(Frame(1, 0, bytes(2 * protocol.FRAME_SAMPLES)), UP))
        with pytest.raises(BadInputError):
            unpack(pack(Frame(1, 0, bytes(2 * protocol.FRAME_SAMPLES + 2)), UP))


class TestMessages:
    HELLO = '{"kind": "hello", "version": 1, "token": "t", "tab": "a"%s}'

    def test_hello_asks_for_exactly_one_thing(self) -> None:
        understood(self.HELLO % ', "round": "gpu-hm-screen"')
        for wish in ("", ', "round": "a", "session": "b"', ', "round": "a", "drill": "b"'):
            with pytest.raises(BadInputError) as refused:
                understood(self.HELLO % wish)
            assert refused.value.code == "bad-message"

    @pytest.mark.parametrize("name", ["../up", ".hidden", "a/b", "a\\b", "", "ä", "a" * 201, "a\n", "%2e%2e"])
    def test_an_id_leads_nowhere(self, name: str) -> None:
        assert not re.fullmatch(protocol.ID, name)
        with pytest.raises(BadInputError):
            understood(self.HELLO % f', "round": {json.dumps(name)}')

    @given(st.text(max_size=60))
    def test_text_of_any_kind_is_a_message_or_refused_without_being_quoted(self, text: str) -> None:
        with pytest.raises(BadInputError) as refused:
            understood(text)
        assert refused.value.code == "bad-message"

    def test_a_refusal_quotes_nothing(self) -> None:
        with pytest.raises(BadInputError) as refused:
            understood('{"kind": "note", "text": ["I was fired"]}')
        assert "fired" not in str(refused.value)
