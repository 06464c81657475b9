"""CVs, job descriptions and batches of answers from other programs."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.door import answered, fuzz
from tests.fuzz.mutations import lines_of, of_bytes, of_text
from tests.intake import files
from voiceprep.cli.written import answer_batch
from voiceprep.errors import VoiceprepError
from voiceprep.intake import child
from voiceprep.intake.intake import take_in
from voiceprep.intake.lexicon import load_lexicon
from voiceprep.intake.limits import UnreadableError

HTML = f"<!doctype html><html><body><h1>Jane</h1><ul><li>{files.CV}</li></ul></body></html>".encode()
PDF = files.pdf(files.CV.splitlines(), title="CV")
WORD = files.word(files.CV)
LEXICON = load_lexicon()
PACKED = st.one_of(
    st.tuples(st.just("pdf"), of_bytes(PDF)),
    st.tuples(st.just("docx"), of_bytes(WORD)),
    st.tuples(st.just("html"), of_text(HTML)),
)


@given(data=of_text(files.CV.encode(), files.CV_ZH.encode(), files.JOB.encode(), files.JOB_ZH.encode()))
@fuzz(100)
def test_text_is_taken_in_or_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "cv.txt"
    path.write_bytes(data)
    answered(lambda: take_in(path, path, LEXICON))


@given(kind_and_data=PACKED)
@fuzz(60)
def test_what_takes_a_document_apart_gives_text_or_a_reason(kind_and_data: tuple[Any, bytes]) -> None:
    """Here, and not in its own process with its limits of memory and time: 10,000 processes would take hours."""
    with suppress(UnreadableError):
        assert isinstance(child.extract(*kind_and_data), str)


ITEMS = [
    {"id": "1", "round": "gpu-hm-screen", "text": "I decided."},
    {"id": 2, "round": "x", "question": "q", "prior": "p", "lang": "zh", "text": "我决定"},
]


@given(data=lines_of(seed=ITEMS))
@fuzz(150)
def test_each_line_of_a_batch_is_answered(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "batch.jsonl"
    path.write_bytes(data)
    with redirect_stdout(io.StringIO()) as out:
        done = answered(lambda: answer_batch(path, lambda item: {"said": item.text[:9]}))
    for line in out.getvalue().splitlines():
        assert {"id"} < set(json.loads(line))
    assert isinstance(done, VoiceprepError | None)
