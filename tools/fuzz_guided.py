"""Tries the doors that take bytes with inputs that coverage leads to: python -m tools.fuzz_guided [TIMES] [WHICH ...].

The same checks as in tests/fuzz, on inputs that libFuzzer makes (atheris, which `make fuzz` installs): it sees which places
of voiceprep an input reached and goes on from those that reached new ones, so it finds its way into what edits of good files do
not happen upon. Each door has a process of its own, with bounds of time and memory for one input; what it finds is kept, in a
folder that is named.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

TIMES = 10_000
SECONDS = 30
"""For one input, by the wall: a machine that is busy with other things is given time."""
MEGABYTES = 2_048
LONGEST = 8_192
"""Bytes of an input."""
TRIED = re.compile(r"Done (\d+) runs")


@dataclass(frozen=True, slots=True)
class Door:
    """A check of tests/fuzz on one input, and good inputs to begin with."""

    check: Callable[[bytes], object]
    seeds: tuple[bytes, ...]


def doors(folder: Path) -> dict[str, Door]:
    """By name, with `folder` for what they write. Imports voiceprep: whoever wants it instrumented sees to that before."""
    from tests.fuzz import test_content, test_documents, test_logs, test_model, test_socket, test_sound
    from tests.intake import files

    def bare(test: object) -> Callable[..., object]:
        """The test without what makes its inputs."""
        return test.hypothesis.inner_test  # type: ignore[attr-defined, no-any-return]

    def lines(documents: Iterable[object]) -> bytes:
        return b"\n".join(json.dumps(one, ensure_ascii=False).encode() for one in documents)

    def json_of(document: object) -> bytes:
        return lines([document])

    recordings = folder / "recordings"
    (recordings / test_logs.ID).mkdir(parents=True)
    found = {
        "sound": Door(lambda data: bare(test_sound.test_a_file_is_sound_or_refused)(folder, data), test_sound.files()),
        "log": Door(
            lambda data: bare(test_logs.test_a_log_is_a_story_or_refused)(recordings, data),
            (lines(test_logs.SHORT), lines(test_logs.NOW)),
        ),
        "settings": Door(lambda data: bare(test_logs.test_settings_are_taken_or_refused)(folder, data), (test_logs.SETTINGS,)),
        "thresholds": Door(
            lambda data: bare(test_content.test_own_thresholds_are_used_or_refused)(folder, data), (test_content.THRESHOLDS,)
        ),
        "intake": Door(
            lambda data: bare(test_documents.test_text_is_taken_in_or_refused)(folder, data),
            tuple(text.encode() for text in (files.CV, files.CV_ZH, files.JOB, files.JOB_ZH)),
        ),
        "batch": Door(
            lambda data: bare(test_documents.test_each_line_of_a_batch_is_answered)(folder, data),
            (lines(test_documents.ITEMS),),
        ),
        "model-stream": Door(
            bare(test_model.test_a_stream_is_a_line_or_a_reason),
            (b"".join(b"data: " + json_of(chunk) + b"\n\n" for chunk in test_model.CHUNKS),),
        ),
        "model-piece": Door(
            lambda data: bare(test_model.test_an_answer_in_one_piece_is_a_line_or_a_reason)(data, 200),
            (json_of(test_model.ONE_PIECE),),
        ),
        "verdicts": Door(
            bare(test_model.test_verdicts_have_a_known_dimension_and_a_quote_that_holds), (json_of(test_model.VERDICTS),)
        ),
        "message": Door(
            lambda data: bare(test_socket.test_a_message_is_understood_or_refused)(data.decode("utf-8", "replace")),
            tuple(json_of(one) for one in test_socket.MESSAGES),
        ),
        "frame": Door(bare(test_socket.test_a_frame_is_sound_or_refused), (test_socket.FRAME, test_socket.FRAME[:18])),
    }
    for kind, good in (("pdf", test_documents.PDF), ("docx", test_documents.WORD), ("html", test_documents.HTML)):
        apart = bare(test_documents.test_what_takes_a_document_apart_gives_text_or_a_reason)
        found[kind] = Door(lambda data, kind=kind, apart=apart: apart((kind, data)), (good,))  # type: ignore[misc]
    return found


def _inside(name: str, times: int, found: Path) -> None:
    """In a process of its own, which libFuzzer ends."""
    import atheris  # type: ignore[import-untyped]

    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        with atheris.instrument_imports(include=["voiceprep"]):
            door = doors(folder)[name]
        corpus = folder / "corpus"
        corpus.mkdir()
        for number, seed in enumerate(door.seeds):
            (corpus / str(number)).write_bytes(seed)
        bounds = (f"-runs={times}", f"-timeout={SECONDS}", f"-rss_limit_mb={MEGABYTES}", f"-max_len={LONGEST}")
        atheris.Setup([sys.argv[0], *bounds, f"-artifact_prefix={found}/{name}-", str(corpus)], door.check)
        atheris.Fuzz()


def main() -> int:
    """0 where nothing was found, 1 else, 3 without atheris."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("times", nargs="?", type=int, default=TIMES, help=f"inputs for each door ({TIMES})")
    parser.add_argument("which", nargs="*", help="names of doors; all without any")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.inside:
        _inside(given.which[0], given.times, given.inside)
        return 0
    try:
        import atheris  # noqa: F401 - whether it is here
    except ImportError:
        print("atheris is not installed; `make fuzz` installs it (Linux and macOS, Python up to 3.13)", file=sys.stderr)
        return 3
    found = Path(tempfile.mkdtemp(prefix="voiceprep-fuzz-"))
    with tempfile.TemporaryDirectory() as made:
        names = tuple(doors(Path(made)))
    failed = 0
    for name in given.which or names:
        command = [sys.executable, "-m", "tools.fuzz_guided", "--inside", str(found), str(given.times), name]
        done = subprocess.run(command, check=False, capture_output=True, text=True, errors="replace")  # noqa: S603 - ours
        tried = sum(int(count) for count in TRIED.findall(done.stderr))
        reached = re.findall(r"\bcov: (\d+)", done.stderr) or ["0"]
        good = done.returncode == 0 and tried >= given.times
        failed += not good
        print(f"{'ok   ' if good else 'FOUND'} {tried:6} inputs, {reached[-1]:>5} places reached  {name}", flush=True)
        if not good:
            print(f"{done.stdout[-10_000:]}\n{done.stderr[-10_000:]}\nkept in {found}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
