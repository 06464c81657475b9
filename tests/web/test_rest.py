"""REST on a session of the archive, through the guard, as the page asks."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]
from starlette.testclient import TestClient

from tests.live.test_going_on import ANALYSED, kept
from tests.web.studio import FakeHolds, pcm_of, services, tone
from voiceprep.audio.base import RATE, VOICE_RATE
from voiceprep.content import load_rubrics
from voiceprep.store import peaks, review_file
from voiceprep.store.folder import finish
from voiceprep.store.header import SCHEMA
from voiceprep.web.app import create_app
from voiceprep.web.live import Patience
from voiceprep.web.security import TOKEN_HEADER
from voiceprep.web.services import Services

DATA = Path(__file__).resolve().parents[1] / "data" / f"session-schema-{SCHEMA}"
ORIGIN = "http://127.0.0.1:8765"
ID = "2026-11-30T09-05-12-test-round"
NOTE = {"do": "add", "kind": "note", "start": 12.0, "end": 14.5, "text": "say the number first"}


@pytest.fixture
def made(tmp_path: Path) -> Services:
    """Services over an archive with one session, whose recording is half a minute of a tone that swells."""
    found = services(tmp_path, 8765, FakeHolds(tmp_path / "recordings"), Patience())
    folder = found.places.recordings / ID
    shutil.copytree(DATA, folder)
    swelling = tone(30.0) * np.linspace(0, 1, 30 * RATE, dtype=np.float32)
    soundfile.write(folder / "candidate.flac", swelling, RATE, subtype="PCM_16")
    soundfile.write(folder / "interviewer.flac", np.zeros(VOICE_RATE, np.float32), VOICE_RATE, subtype="PCM_16")
    finish(folder)
    return found


@pytest.fixture
def client(made: Services) -> Iterator[TestClient]:
    with TestClient(create_app(made), base_url=ORIGIN, raise_server_exceptions=False) as client:
        client.headers.update({TOKEN_HEADER: made.gate.token, "origin": ORIGIN})
        yield client


def ok(answer: Any) -> Any:
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_session_that_is_deleted_while_it_is_read_is_told_as_gone(
    client: TestClient, made: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    def delete_first(folder: Path) -> None:
        made.archive.delete(folder.name)

    monkeypatch.setattr("voiceprep.web.archive_view.newest", delete_first)
    answer = client.get(f"/api/sessions/{ID}")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown-session")


def test_the_lists(client: TestClient) -> None:
    rounds = ok(client.get("/api/rounds"))
    assert rounds["problems"] == []
    assert {"id", "title", "tests", "minutes", "interviewer", "last"} <= set(rounds["rounds"][0])
    assert ok(client.get("/api/rounds/gpu-hm-screen"))["sections"]
    assert ok(client.get("/api/rounds/gpu-hm-screen?lens=anyscale"))["lens"]["id"] == "anyscale"
    assert client.get("/api/rounds/no-such-round").status_code == 404
    assert [each["id"] for each in ok(client.get("/api/sessions"))["sessions"]] == [ID]
    drills = ok(client.get("/api/drills"))["drills"]
    assert drills
    assert {"id", "title", "rounds", "requirements", "due", "last"} <= set(drills[0])
    assert all(set(drill["interviewer"]["name"]) == {"en", "zh"} for drill in drills)
    assert {each["id"] for each in ok(client.get("/api/loops"))["loops"]} >= {"gpu", "anyscale"}
    assert "ledger" in ok(client.get("/api/progress"))
    names = {row["name"]: row for row in ok(client.get("/api/settings"))["settings"]}
    assert names["language"]["value"] == "en"
    assert set(ok(client.get("/api/devices"))) == {"inputs", "outputs", "trouble"}
    assert ok(client.get("/api/live")) is None
    assert ok(client.get("/api/openapi.json"))["openapi"].startswith("3.")


def test_the_list_tells_which_rounds_can_be_gone_on_with(client: TestClient, made: Services) -> None:
    recordings = made.places.recordings
    first = kept(recordings, 3)
    second = kept(recordings, 4, resumes=first)
    one_question = kept(recordings, 5, question="recent-project")
    for ended, head in (("completed", {}), ("interrupted", ANALYSED), ("interrupted", {"source": "demo"})):
        kept(recordings, 6, ended, **head)
    listed = ok(client.get("/api/sessions"))["sessions"]
    assert len(listed) == 7
    assert {each["id"] for each in listed if each["goes_on"]} == {second, one_question}


def test_a_round_tells_its_last_result(client: TestClient, made: Services) -> None:
    folder = made.places.recordings / "2026-12-01-hm"
    shutil.copytree(made.places.recordings / ID, folder)
    log = folder / "events.jsonl"
    log.write_text(log.read_text().replace('"round":"test-round"', '"round":"gpu-hm-screen"'))
    (folder / "session.json").unlink()
    finish(folder)

    def last() -> Any:
        return next(each for each in ok(client.get("/api/rounds"))["rounds"] if each["id"] == "gpu-hm-screen")["last"]

    assert (last()["session"], last()["level"]) == (folder.name, None)
    review_file.update(folder, {"scores": {"overall": {"level": 3, "gate": []}}})
    assert last()["level"] == 3
    review_file.update(folder, {"scores": {"overall": None, "answers": [{"overall": {"level": 2}}, {"overall": {"level": 1}}]}})
    assert last()["level"] == 2
    head, rest = log.read_text().split("\n", 1)
    shown = made.places.recordings / "2026-12-02-hm"
    shutil.copytree(folder, shown)
    (shown / "session.json").unlink()
    later = json.loads(head) | {"source": "demo", "started": "2026-12-02T09:00:00Z"}
    (shown / log.name).write_text(json.dumps(later) + "\n" + rest)
    finish(shown)
    assert {each["id"]: each["demonstration"] for each in ok(client.get("/api/sessions"))["sessions"]}[shown.name]
    assert last()["session"] == folder.name  # a demonstration is nobody's result


def test_the_rounds_are_read_anew_only_when_a_file_changes(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ok(client.get("/api/rounds"))
    monkeypatch.setattr("voiceprep.web.catalogue.finished_rounds", lambda: pytest.fail("read again"))
    assert ok(client.get("/api/rounds")) == first


class TestASession:
    def test_all_but_the_words_at_once(self, client: TestClient) -> None:
        view = ok(client.get(f"/api/sessions/{ID}"))
        assert view["id"] == ID
        assert view["word_count"] > 50
        assert view["audio"]["candidate"]["duration"] == 30.0
        said = [each for each in view["utterances"] if each["media"] is not None]
        assert all(each["track"] >= each["media"] - 1 for each in said)
        assert "words" not in json.dumps(view["turns"])
        for name in ("turns", "sections", "questions", "flags", "pauses", "gaps", "notes", "clock"):
            assert view[name], name

    def test_words_come_in_pieces_that_make_the_whole(self, client: TestClient) -> None:
        whole = ok(client.get(f"/api/sessions/{ID}/transcript"))
        assert whole["total"] == len(whole["words"])
        middle = whole["words"][len(whole["words"]) // 2]["start"]
        first = ok(client.get(f"/api/sessions/{ID}/transcript", params={"to": middle - 0.001}))["words"]
        rest = ok(client.get(f"/api/sessions/{ID}/transcript", params={"from": middle}))["words"]
        assert first + rest == whole["words"]
        assert [word["index"] for word in whole["words"]] == list(range(whole["total"]))

    def test_the_review(self, client: TestClient) -> None:
        review = ok(client.get(f"/api/sessions/{ID}/review"))
        assert review["facts"]["id"] == ID
        assert "words" not in review
        assert ok(client.get(f"/api/sessions/{ID}/review?lang=zh"))["tongue"] == "zh"

    def test_a_word_is_corrected_and_the_log_is_not(self, client: TestClient, made: Services) -> None:
        before = (made.places.recordings / ID / "events.jsonl").read_bytes()
        word = ok(client.get(f"/api/sessions/{ID}/transcript"))["words"][3]
        body = {"start": word["start"], "was": word["text"], "text": "Kubernetes"}
        assert ok(client.patch(f"/api/sessions/{ID}/words", json=body))["can_undo"]
        after = ok(client.get(f"/api/sessions/{ID}/transcript"))["words"][3]
        assert (after["text"], after["was"]) == ("Kubernetes", word["text"])
        again = body | {"was": "Kubernetes", "text": "kubectl"}
        ok(client.patch(f"/api/sessions/{ID}/words", json=again))
        assert ok(client.get(f"/api/sessions/{ID}/transcript"))["words"][3]["text"] == "kubectl"
        for expected in ("Kubernetes", word["text"]):
            ok(client.post(f"/api/sessions/{ID}/annotations/undo"))
            assert ok(client.get(f"/api/sessions/{ID}/transcript"))["words"][3]["text"] == expected
        assert client.patch(f"/api/sessions/{ID}/words", json=body | {"was": "never"}).status_code == 404
        assert (made.places.recordings / ID / "events.jsonl").read_bytes() == before

    def test_annotations(self, client: TestClient) -> None:
        path = f"/api/sessions/{ID}/annotations"
        live = ok(client.get(path))["annotations"]
        add = {"do": "add", "kind": "note", "start": 12.0, "end": 14.5, "text": "<script>alert(1)</script>"}
        stands = ok(client.post(path, json=add))
        (mine,) = [each for each in stands["annotations"] if each not in live]
        assert mine["text"] == add["text"]
        assert mine["anchor"]["start"] == 12.0
        edited = ok(client.post(path, json={"do": "edit", "id": mine["id"], "text": "better"}))
        assert "better" in [each["text"] for each in edited["annotations"]]
        removed = ok(client.post(path, json={"do": "remove", "id": mine["id"]}))
        assert removed["annotations"] == live
        assert "better" in [each["text"] for each in ok(client.post(f"{path}/undo"))["annotations"]]
        assert ok(client.post(f"{path}/redo"))["annotations"] == live
        assert client.post(f"{path}/redo").status_code == 409
        assert client.post(path, json={"do": "edit", "id": "n99", "text": "x"}).status_code == 404
        for bad in ({"do": "add", "kind": "flag", "start": 1, "end": 2}, add | {"more": 1}, add | {"start": -1}, {"do": "rm"}):
            answer = client.post(path, json=bad)
            assert answer.status_code == 422
            assert answer.json()["code"] == "bad-value"

    @pytest.mark.parametrize(("start", "end"), [(80_000.0, 80_000.0), (12.0, 86_400.0), (14.5, 12.0)])
    def test_an_annotation_is_in_the_recording(self, client: TestClient, made: Services, start: float, end: float) -> None:
        path = f"/api/sessions/{ID}/annotations"
        before = client.get(path).json()
        mine = ok(client.post(path, json=NOTE))["annotations"][-1]
        standing = client.get(path).json()
        assert standing != before
        for command in (NOTE | {"start": start, "end": end}, {"do": "edit", "id": mine["id"], "start": start, "end": end}):
            answer = client.post(path, json=command)
            assert (answer.status_code, answer.json()["code"]) == (400, "outside-recording")
        assert client.get(path).json() == standing

    def test_the_last_instant_of_the_file_is_in_the_recording(self, client: TestClient) -> None:
        path = f"/api/sessions/{ID}/annotations"
        last = ok(client.get(f"/api/sessions/{ID}"))["audio"]["candidate"]["duration"]
        known = ok(client.get(f"/api/sessions/{ID}"))["duration"]
        last = max(last, known)
        made = ok(client.post(path, json=NOTE | {"start": last, "end": last}))["annotations"]
        assert [each["anchor"]["end"] for each in made if each["text"] == NOTE["text"]] == [last]
        assert client.post(path, json=NOTE | {"start": last, "end": last + 0.1}).status_code == 400

    @pytest.mark.parametrize(("moved", "start", "end"), [({"start": 11.0}, 11.0, 14.5), ({"end": 16.0}, 12.0, 16.0)])
    def test_an_edit_moves_the_one_end_that_it_names(
        self, client: TestClient, moved: dict[str, float], start: float, end: float
    ) -> None:
        path = f"/api/sessions/{ID}/annotations"
        (mine,) = [each for each in ok(client.post(path, json=NOTE))["annotations"] if each["text"] == NOTE["text"]]
        edited = ok(client.post(path, json={"do": "edit", "id": mine["id"]} | moved))["annotations"]
        (now,) = [each for each in edited if each["id"] == mine["id"]]
        assert (now["anchor"]["start"], now["anchor"]["end"], now["text"]) == (start, end, NOTE["text"])

    def test_an_edit_of_nothing(self, client: TestClient) -> None:
        path = f"/api/sessions/{ID}/annotations"
        mine = ok(client.post(path, json=NOTE))["annotations"][-1]
        answer = client.post(path, json={"do": "edit", "id": mine["id"]})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad-annotation")
        assert client.post(path, json={"do": "edit", "id": "n99", "start": 1.0}).status_code == 404

    @pytest.mark.parametrize("blank", ["", " ", "\t\n", "\u3000"])
    def test_blank_words_say_nothing(self, client: TestClient, blank: str) -> None:
        path = f"/api/sessions/{ID}/annotations"
        word = ok(client.get(f"/api/sessions/{ID}/transcript"))["words"][3]
        body = {"start": word["start"], "was": word["text"], "text": blank}
        assert client.patch(f"/api/sessions/{ID}/words", json=body).status_code == 422
        ok(client.patch(f"/api/sessions/{ID}/words", json=body | {"text": f" Kubernetes{blank}"}))
        assert ok(client.get(f"/api/sessions/{ID}/transcript"))["words"][3]["text"] == "Kubernetes"
        stands = client.get(path).json()
        (correction,) = [each for each in stands["annotations"] if each["kind"] == "correction"]
        for command in (
            NOTE | {"text": blank},
            NOTE | {"kind": "label", "text": blank},
            {"do": "edit", "id": correction["id"], "text": blank},
        ):
            answer = client.post(path, json=command)
            assert (answer.status_code, answer.json()["code"]) == (400, "bad-annotation"), command
        assert client.get(path).json() == stands

    @pytest.mark.parametrize("form", ["markdown", "json", "vtt", "html"])
    def test_an_export_is_a_download(self, client: TestClient, form: str) -> None:
        assert form in [each["name"] for each in ok(client.get(f"/api/sessions/{ID}/export"))["formats"]]
        answer = client.get(f"/api/sessions/{ID}/export/{form}")
        assert answer.status_code == 200
        assert answer.headers["content-disposition"].startswith(f'attachment; filename="{ID}')
        assert answer.headers["content-type"] == "application/octet-stream"
        assert answer.content

    def test_an_unknown_format(self, client: TestClient) -> None:
        assert client.get(f"/api/sessions/{ID}/export/exe").json()["code"] == "unknown-format"

    def test_no_take_of_a_drill(self, client: TestClient) -> None:
        assert client.get(f"/api/sessions/{ID}/take").json()["code"] == "no-such-take"
        assert client.post(f"/api/sessions/{ID}/rating", json={"grade": "good"}).status_code == 404
        assert client.post(f"/api/sessions/{ID}/rating", json={"grade": "superb"}).status_code == 422


class TestSound:
    def test_case_110_ranges_so_that_a_recording_can_be_sought_in(self, client: TestClient, made: Services) -> None:
        path = f"/api/sessions/{ID}/audio/candidate"
        whole = client.get(path)
        assert whole.headers["content-type"] == "audio/flac"
        assert whole.headers["accept-ranges"] == "bytes"
        assert whole.content == (made.places.recordings / ID / "candidate.flac").read_bytes()
        part = client.get(path, headers={"range": "bytes=100-199"})
        assert part.status_code == 206
        assert part.headers["content-range"] == f"bytes 100-199/{len(whole.content)}"
        assert part.content == whole.content[100:200]
        assert client.get(path, headers={"range": "bytes=-10"}).content == whole.content[-10:]
        assert client.get(path, headers={"range": f"bytes={len(whole.content) + 5}-"}).status_code == 416

    def test_peaks(self, client: TestClient, made: Services) -> None:
        path = f"/api/sessions/{ID}/peaks"
        whole = ok(client.get(path, params={"points": 30}))
        assert (whole["duration"], len(whole["max"]), len(whole["min"])) == (30.0, 30, 30)
        assert whole["max"] == sorted(whole["max"])
        assert whole["max"][-1] == pytest.approx(0.3 * 127, abs=2)
        assert whole["min"][-1] == pytest.approx(-0.3 * 127, abs=2)
        part = ok(client.get(path, params={"from": 10, "to": 20, "points": 4000}))
        assert (part["from"], part["to"], len(part["max"])) == (10.0, 20.0, 1000)
        assert ok(client.get(path, params={"track": "interviewer"}))["duration"] == 1.0
        assert (made.places.recordings / ID / ".peaks-candidate").is_file()
        for bad in ({"points": 0}, {"points": 5000}, {"from": -1}, {"from": "nan"}, {"track": "room"}):
            assert client.get(path, params=bad).status_code == 422, bad

    def test_peaks_are_computed_once(self, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
        first = ok(client.get(f"/api/sessions/{ID}/peaks"))
        monkeypatch.setattr(peaks, "_decoded", lambda *_: pytest.fail("computed again"))
        assert ok(client.get(f"/api/sessions/{ID}/peaks")) == first

    def test_spoiled_peaks_are_made_again(self, client: TestClient, made: Services) -> None:
        first = ok(client.get(f"/api/sessions/{ID}/peaks"))
        for spoiled in (b"no array", b""):
            (made.places.recordings / ID / ".peaks-candidate").write_bytes(spoiled)
            assert ok(client.get(f"/api/sessions/{ID}/peaks")) == first

    def test_no_recording(self, client: TestClient, made: Services) -> None:
        (made.places.recordings / ID / "interviewer.flac").unlink()
        for path in ("audio/interviewer", "peaks?track=interviewer"):
            answer = client.get(f"/api/sessions/{ID}/{path}")
            assert (answer.status_code, answer.json()["code"]) == (404, "no-such-audio")

    def test_the_sound_check(self, client: TestClient) -> None:
        kind = {"content-type": "application/octet-stream"}
        answer = ok(client.post("/api/sound-check", content=pcm_of(tone(3.0)), headers=kind))
        assert {each["name"] for each in answer["verdicts"]} == {"sound", "level", "clipping", "noise", "hum"}
        silent = ok(client.post("/api/sound-check", content=bytes(2 * RATE), headers=kind))
        assert not silent["verdicts"][0]["ok"]
        for bad in (b"", b"odd", bytes(2 * 31 * RATE)):
            assert client.post("/api/sound-check", content=bad, headers=kind).status_code == 400


class TestTrash:
    def test_deleted_and_brought_back(self, client: TestClient, made: Services) -> None:
        files = {path.name for path in (made.places.recordings / ID).iterdir()}
        assert ok(client.delete(f"/api/sessions/{ID}")) == {"deleted": ID}
        assert ok(client.get("/api/sessions"))["sessions"] == []
        assert ok(client.get("/api/trash")) == {"sessions": [ID]}
        assert client.get(f"/api/sessions/{ID}").status_code == 404
        assert ok(client.post(f"/api/trash/{ID}/restore")) == {"restored": ID}
        assert {path.name for path in (made.places.recordings / ID).iterdir()} == files
        assert client.post(f"/api/trash/{ID}/restore").status_code == 404
        assert ok(client.get("/api/trash")) == {"sessions": []}

    def test_gone_when_the_server_stops(self, made: Services) -> None:
        with TestClient(create_app(made), base_url=ORIGIN) as client:
            client.headers.update({TOKEN_HEADER: made.gate.token, "origin": ORIGIN})
            ok(client.delete(f"/api/sessions/{ID}"))
            assert any(made.places.recordings.iterdir())
        assert not any(made.places.recordings.iterdir())

    def test_gone_after_a_while(self, client: TestClient, made: Services, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(made.trash, "_kept", 0.0)
        ok(client.delete(f"/api/sessions/{ID}"))
        for _ in range(200):  # each request lets the server's loop go on
            if not any(made.places.recordings.iterdir()):
                break
            client.get("/api/live")
        assert not any(made.places.recordings.iterdir())

    def test_a_running_session_is_not_thrown_away(self, client: TestClient, made: Services) -> None:
        from voiceprep.store.folder import take
        from voiceprep.store.locks import free

        lock = take(made.places.recordings / ID)
        try:
            assert client.delete(f"/api/sessions/{ID}").status_code == 409
        finally:
            free(lock)


def test_time_spent_elsewhere_counts(client: TestClient) -> None:
    ok(client.post("/api/progress/time", json={"minutes": 30, "what": "read", "round": "gpu-hm-screen"}))
    assert ok(client.get("/api/progress"))["ledger"]["by_round"]["gpu-hm-screen"] >= 1800
    assert client.post("/api/progress/time", json={"minutes": 30, "round": "nowhere"}).status_code == 404
    assert client.post("/api/progress/time", json={"minutes": 0}).status_code == 422


def test_a_defect_is_told_without_its_details(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("what the candidate said")

    monkeypatch.setattr("voiceprep.web.archive_view.overview", broken)
    answer = client.get(f"/api/sessions/{ID}")
    assert answer.status_code == 500
    assert answer.json()["code"] == "defect"
    assert "candidate said" not in answer.text


def test_advice_of_flags_is_told_in_the_language_that_is_asked_for(client: TestClient, made: Services) -> None:
    both = load_rubrics().pacing["monologue"].thresholds[0].advice
    log = made.places.recordings / ID / "events.jsonl"
    line = log.read_text(encoding="utf-8")
    flags = ok(client.get(f"/api/sessions/{ID}"))["flags"]
    assert flags, "the session of the tests has a flag"
    told = flags[0]["advice"]
    log.write_text(
        line.replace(json.dumps(told, ensure_ascii=False), json.dumps(both["en"], ensure_ascii=False)), encoding="utf-8"
    )
    advice = {lang: ok(client.get(f"/api/sessions/{ID}?lang={lang}"))["flags"][0]["advice"] for lang in ("en", "zh")}
    assert advice == dict(both)
    assert ok(client.get(f"/api/sessions/{ID}"))["flags"][0]["advice"] == both["en"]


@pytest.mark.parametrize("text", ["", "  ", "\u0000", "\u200b", "\u202e", "\u0301"])
def test_a_word_is_not_corrected_into_nothing(client: TestClient, text: str) -> None:
    words = ok(client.get(f"/api/sessions/{ID}/transcript?from=0&to=60"))["words"]
    one = {"start": words[0]["start"], "was": words[0]["text"], "text": text}
    refused = client.patch(f"/api/sessions/{ID}/words", json=one)
    assert (refused.status_code, refused.json()["code"]) == (422, "bad-value")
    assert ok(client.get(f"/api/sessions/{ID}/transcript?from=0&to=60"))["words"] == words


def test_a_refusal_quotes_a_pattern_as_it_is(client: TestClient) -> None:
    assert "A-Z" in client.get("/api/sessions/%20a").json()["message"]
