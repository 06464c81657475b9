"""Files of every kind, good and bad: their text, or an error that names the file and the mend."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.intake import files
from voiceprep.errors import BadInputError
from voiceprep.intake import child, limits
from voiceprep.intake.document import read_document
from voiceprep.intake.limits import MOST_BYTES, MOST_PAGES, UnreadableError

Write = Callable[[str, bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def put(name: str, data: bytes) -> Path:
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    return put


def lines(path: Path) -> list[str]:
    return [line.strip() for line in read_document(path).lines if line.strip()]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030", "big5"])
def test_plain_text_in_any_encoding(write: Write, encoding: str) -> None:
    text = (
        files.CV_ZH.replace("•", "-")
        if encoding != "big5"
        else "工作經歷\n負責配額策略的設計，將平均排隊時間從四十分鐘降到十二分鐘\n主導搭建推理平台，服務十二個業務團隊\n" * 3
    )
    assert lines(write("cv.txt", text.encode(encoding))) == [line.strip() for line in text.splitlines() if line.strip()]


def test_western_text_that_is_not_utf_8(write: Write) -> None:
    text = "Résumé of Zoë Müller\nDesigned the café’s naïve quota policy – twice – for 20 000 € a year.\n"
    assert lines(write("cv.txt", text.encode("cp1252"))) == text.split("\n")[:2]


def test_markdown_loses_its_marks_and_keeps_its_bullets(write: Write) -> None:
    found = lines(
        write("cv.md", b"# Experience\n\n* **Designed** the [quota policy](https://x.example) for `GPU` jobs\n<!-- no -->\n")
    )
    assert found == ["# Experience", "* Designed the quota policy for GPU jobs"]


def test_a_web_page(write: Write) -> None:
    page = (
        b"<!doctype html><html><head><title>t</title><style>p{}</style></head><body><h1>Experience</h1>"
        b"<script>var bad = 1;</script><ul><li>Designed the <b>quota</b>\npolicy</li>"
        b"<li>Led &amp; shipped it</li></ul></body></html>"
    )
    assert lines(write("cv.html", page)) == ["Experience", "- Designed the quota policy", "- Led & shipped it"]


def test_a_pdf_with_two_columns_is_read_one_column_after_the_other(write: Write) -> None:
    left = ["SKILLS", "Kubernetes, Slurm", "SQL", "", "EDUCATION", "BSc Physics", "2015"]
    right = [
        "EXPERIENCE",
        "Acme Cloud",
        "- Designed the quota policy of a cluster,",
        "  cutting queue time by 35%",
        "- Led 6 engineers",
        "- Wrote",
    ]
    found = lines(write("cv.pdf", files.pdf(left, right, title="Jane Roe, Product Manager")))
    assert found == ["Jane Roe, Product Manager", *(line.strip() for line in [*left, *right] if line)]


def test_a_chinese_pdf(write: Write) -> None:
    found = lines(write("cv.pdf", files.pdf_zh(files.CV_ZH)))
    assert "".join(found) == files.CV_ZH.replace("•", "-").replace("\n", "")


def test_a_word_file_with_a_list_and_a_table(write: Write) -> None:
    made = files.word(files.CV, table=[["Acme", "- Built the billing"], ["Beta", "- Ran the pricing"]])
    found = lines(write("cv.docx", made))
    assert "- Designed the quota policy for a 2,000 GPU cluster, cutting queue time by 35%" in found
    assert found[-4:] == ["Acme", "Beta", "- Built the billing", "- Ran the pricing"]


def test_what_a_file_is_shows_in_its_bytes_not_in_its_name(write: Write) -> None:
    assert "Jane Roe" in lines(write("cv.txt", files.word(files.CV)))
    assert lines(write("cv.pdf", files.CV.encode()))[0] == "Jane Roe"


def test_what_cannot_be_seen_is_left_out(write: Write) -> None:
    text = "Ｄesigned the\u200b oﬃce\u202e quota\x07 policy and more words"
    assert lines(write("cv.txt", text.encode())) == ["Designed the office quota  policy and more words"]


# --- bad files -----------------------------------------------------------------------------------------------------------


def zipped(**entries: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in entries.items():
            packed.writestr(name.replace("__", "/").replace("_xml", ".xml"), data)
    return out.getvalue()


BAD: dict[str, tuple[bytes, str]] = {
    "nothing.txt": (b"", "document-empty"),
    "blank.txt": (b" \n\t\n ", "document-empty"),
    "figures.txt": (b"2019 - 2023\n35 %\n", "document-empty"),
    "zeros.pdf": (bytes(2000), "document-empty"),
    "picture.png": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, "document-format"),
    "old.doc": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "document-format"),
    "locked.docx": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "document-encrypted"),
    "rich.rtf": (rb"{\rtf1\ansi Designed the quota policy}", "document-format"),
    "archive.zip": (zipped(readme=b"hello"), "document-format"),
    "torn.docx": (files.word(files.CV)[:9000], "document-damaged"),
    "hollow.docx": (zipped(word__document_xml=b"<w:document"), "document-damaged"),
    "huge.docx": (zipped(word__document_xml=bytes(70_000_000)), "document-too-large"),
    "torn.pdf": (files.pdf(["Designed the quota policy of the cluster"])[:400], "document-damaged"),
    "head.pdf": (b"%PDF-1.7\n%%EOF", "document-damaged"),
    "locked.pdf": (files.pdf(["Designed the quota policy"], password="secret"), "document-encrypted"),
    "scan.pdf": (files.scanned(), "document-scanned"),
    "book.pdf": (files.pages(MOST_PAGES + 1), "document-too-large"),
    "long.txt": (b"Designed the quota policy. " * 20_000, "document-too-large"),
    "large.txt": (b"a" * (MOST_BYTES + 1), "document-too-large"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_named_with_what_is_wrong_and_how_to_mend_it(write: Write, name: str) -> None:
    data, code = BAD[name]
    path = write(name, data)
    with pytest.raises(BadInputError) as raised:
        read_document(path)
    assert raised.value.code == code
    assert str(path) in raised.value.message
    assert raised.value.hint
    assert "quota" not in str(raised.value)


@pytest.mark.parametrize("name", ["absent.pdf", ".", "nul\0.pdf"])
def test_a_file_that_is_not_there(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInputError) as raised:
        read_document(tmp_path / name)
    assert raised.value.code == "document-missing"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices have no names there")
def test_what_never_ends_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "cv.pdf"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(BadInputError) as raised:
            read_document(path)
        assert raised.value.code == "document-missing"
        assert "pipe or a device" in raised.value.message


def test_a_pdf_that_unpacks_to_more_than_it_may_take_ends_in_its_own_process(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CHILD_BYTES", 400_000_000)
    packed = files.bomb(420_000_000)
    assert len(packed) < 100_000
    with pytest.raises(BadInputError) as raised:
        read_document(write("bomb.pdf", packed))
    assert raised.value.code == "document-too-large"


def test_a_word_file_that_unpacks_to_more_than_it_may_is_not_unpacked(write: Write) -> None:
    packed = io.BytesIO(files.word(files.CV))
    with zipfile.ZipFile(packed, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("word/media/x.bin", "w") as entry:
        for _ in range(limits.MOST_UNPACKED_BYTES // 1_000_000 + 1):
            entry.write(bytes(1_000_000))
    assert len(packed.getvalue()) < 200_000
    with pytest.raises(BadInputError) as raised:
        read_document(write("bomb.docx", packed.getvalue()))
    assert raised.value.code == "document-too-large"


@pytest.mark.skipif(sys.platform == "win32", reason="there the time-out of the parent alone holds")
def test_what_takes_long_to_take_apart_is_stopped_by_its_processor_time() -> None:
    """Ten megabytes of nothing take the parser as many seconds, of which it has one."""
    command = [sys.executable, "-P", "-m", "voiceprep.intake.child", "pdf", "3000000000", "1"]
    done = subprocess.run(command, input=files.bomb(10_000_000), stdout=subprocess.PIPE, timeout=200, check=False)
    assert done.returncode in {-signal.SIGXCPU, -signal.SIGKILL}


@pytest.mark.parametrize(("kind", "library"), [("pdf", "pdfminer"), ("docx", "docx")])
def test_a_file_beside_the_cv_that_is_named_like_a_library_is_not_run(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, library: str
) -> None:
    write(f"{library}.py", b"import pathlib; pathlib.Path('ran').touch(); raise SystemExit(3)")
    monkeypatch.chdir(tmp_path)
    assert "Designed the quota policy" in " ".join(lines(write(f"cv.{kind}", WHOLE[kind])))
    assert not (tmp_path / "ran").exists()


WHOLE = {"pdf": files.pdf(["EXPERIENCE", "- Designed the quota policy"]), "docx": files.word(files.CV)}


@pytest.mark.parametrize("kind", ["pdf", "docx"])
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_is_changed_in_a_file_it_is_read_or_refused(kind: child.Packed, data: st.DataObject) -> None:
    mutable = bytearray(WHOLE[kind])
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(mutable) - 1))
        mutable[at : at + data.draw(st.integers(0, 40))] = data.draw(st.binary(max_size=20))
        if not mutable:
            break
    outcome: str = ""
    try:
        child.extract(kind, bytes(mutable))
    except UnreadableError as refused:
        outcome = refused.kind
    assert outcome in {"", "damaged", "format", "encrypted", "scanned", "too-large"}


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=400))
def test_any_bytes_are_text_or_refused(tmp_path: Path, data: bytes) -> None:
    if data[:1024].lstrip().startswith(b"PK\x03\x04") or b"%PDF-" in data:
        return
    path = tmp_path / "any"
    path.write_bytes(data)
    found: tuple[str, ...] = ()
    outcome = "document-read"
    try:
        found = read_document(path).lines
    except BadInputError as refused:
        outcome = refused.code
    assert outcome.startswith("document-")
    assert all(line.isprintable() for line in found)


@pytest.mark.parametrize("piece", ["[a", "[a](b", "<!-- a", "![a](", "*a"])
def test_marks_that_never_close_are_read_all_the_same(write: Write, piece: str) -> None:
    """Patterns that look past the next beginning would need minutes for this: the test's time-out is what tells."""
    assert lines(write("cv.md", (piece * 40_000).encode()))
