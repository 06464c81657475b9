"""A recording through the whole analysis, with a scripted detector and recogniser; what is computed is real."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]  # ships no types

from voiceprep.audio.base import BLOCK, RATE, Samples
from voiceprep.content import load_rubrics
from voiceprep.core.events import Event, Language, SessionEnded, SessionStarted, Word
from voiceprep.core.units import Media
from voiceprep.errors import BadInputError, VoiceprepError
from voiceprep.review.analysis import Analysis, analyze
from voiceprep.review.analysis_document import document
from voiceprep.speech.stt.base import RecogniserInfo, Transcript
from voiceprep.speech.vad.base import Activity


class Loudness:
    """A detector that hears speech where the samples are not zero: exact to the block."""

    def __init__(self) -> None:
        self._blocks = 0
        self._loud = False
        self._quiet_due = 0.0

    def feed(self, samples: Samples) -> list[Activity]:
        assert samples.shape == (BLOCK,)
        at = self._blocks * BLOCK / RATE
        self._blocks += 1
        loud = bool(np.any(samples))
        if loud != self._loud:
            self._loud = loud
            self._quiet_due = at + 1.0
            return [Activity("started" if loud else "stopped", at)]
        if loud and at >= self._quiet_due:
            self._quiet_due = at + 1.0
            return [Activity("quiet", at - 0.5, -40.0)]
        return []

    def flush(self) -> list[Activity]:
        return [Activity("stopped", self._blocks * BLOCK / RATE)] if self._loud else []


@dataclass
class Echo:
    """A recogniser that says "word" once for every half second it is given, and remembers what it was given."""

    text: str = "word"
    confidence: float = 0.9
    trusted: bool = True
    reasons: tuple[str, ...] = ()
    fails: str = ""
    given: list[float] = field(default_factory=list)
    info: RecogniserInfo = RecogniserInfo("echo", "cpu", "int8", "a test")  # noqa: RUF009  (frozen)

    async def start(self) -> None: ...

    async def hypothesize(self, samples: Samples, language: Language, known: str = "") -> Transcript:
        raise AssertionError("an analysis needs no captions")

    async def draft(self, samples: Samples, language: Language) -> Transcript:
        raise AssertionError("an analysis is answered by nobody")

    async def transcribe(self, samples: Samples, language: Language) -> Transcript:
        self.given.append(len(samples) / RATE)
        if self.fails:
            raise VoiceprepError(self.fails, code="recogniser-crashed")
        count = int(len(samples) / RATE / 0.5)
        words = tuple(Word(self.text, Media(n * 0.5), Media(n * 0.5 + 0.5), self.confidence) for n in range(count))
        return Transcript(words if self.text else (), self.trusted, self.reasons)

    async def close(self) -> None: ...


def recording(folder: Path, *parts: float, rate: int = RATE) -> Path:
    """A file of silence and sound in turn, in seconds, silence first."""
    sound = [np.full(round(seconds * rate), 0.1 * (n % 2), np.float32) for n, seconds in enumerate(parts)]
    path = folder / "answer.wav"
    soundfile.write(path, np.concatenate(sound), rate, subtype="FLOAT")
    return path


async def run(path: Path, recogniser: Echo | None, language: Language = "en") -> Analysis:
    return await analyze(path, recogniser=recogniser, language=language, activity=Loudness())


async def test_words_pauses_flags_of_an_answer_with_a_long_silence(tmp_path: Path) -> None:
    analysis = await run(recording(tmp_path, 1.024, 4.992, 46.08, 4.992, 2.016), Echo())
    assert [(round(s.start, 3), round(s.end, 3)) for s in analysis.speech] == [(1.024, 6.016), (52.096, 57.088)]
    assert [(round(p.start, 3), round(p.duration, 3), p.kind) for p in analysis.pauses] == [
        (0.0, 1.024, "before_answer"),
        (6.016, 46.08, "mid_answer"),
        (57.088, 2.016, "trailing"),
    ]
    assert [(f.rule, f.level, round(f.start, 3), round(f.end, 3)) for f in analysis.flags] == [
        ("long_pause", "notice", 6.016, 16.016),
        ("long_pause", "warning", 6.016, 51.016),
    ]
    assert analysis.text == " ".join(["word"] * len(analysis.words))
    assert len(analysis.words) == 2 * 10
    for word in analysis.words:
        assert any(span.start <= word.start <= word.end <= span.end for span in analysis.speech)


async def test_no_speech_gives_no_words_and_asks_no_recogniser(tmp_path: Path) -> None:
    recogniser = Echo()
    analysis = await run(recording(tmp_path, 3.0), recogniser)
    assert (analysis.text, analysis.words, analysis.speech, recogniser.given) == ("", (), (), [])
    assert [(p.kind, p.duration) for p in analysis.pauses] == [("before_answer", 3.0)]
    assert not analysis.quality.trusted
    assert analysis.quality.reasons == ("no speech was heard",)
    assert analysis.rates.articulation is None
    assert json.dumps(document(analysis, 0.1), allow_nan=False)


async def test_unbroken_speech_is_cut_for_the_recogniser_and_no_word_is_doubled(tmp_path: Path) -> None:
    recogniser = Echo()
    analysis = await run(recording(tmp_path, 0.512, 100.0), recogniser)
    assert len(recogniser.given) >= 4
    assert max(recogniser.given) <= 28.0
    assert sum(recogniser.given) == pytest.approx(100.0, abs=1.0)
    starts = [word.start for word in analysis.words]
    assert starts == sorted(starts)
    assert analysis.speech[-1].end == pytest.approx(100.512)


async def test_a_region_at_the_end_stops_where_the_file_does(tmp_path: Path) -> None:
    analysis = await run(recording(tmp_path, 0.5, 1.001), Echo())
    assert analysis.speech[-1].end == pytest.approx(1.501)
    assert analysis.audio.duration == pytest.approx(1.501)


async def test_without_a_recogniser_pauses_and_flags_are_the_same(tmp_path: Path) -> None:
    path = recording(tmp_path, 1.0, 5.0, 46.0, 5.0, 2.0)
    with_words, without = await run(path, Echo()), await run(path, None)
    assert without.words == ()
    assert (without.speech, without.pauses, without.flags) == (with_words.speech, with_words.pauses, with_words.flags)
    assert not without.quality.trusted


@pytest.mark.parametrize(
    ("recogniser", "reason"),
    [
        (Echo(confidence=0.3), "unsure"),
        (Echo(text=""), "gave no words"),
        (Echo(trusted=False, reasons=("the same words over and over",)), "over and over"),
        (Echo(fails="the recogniser stopped"), "could not be transcribed"),
    ],
)
async def test_a_poor_transcript_is_said_to_be_poor_and_gives_no_numbers(tmp_path: Path, recogniser: Echo, reason: str) -> None:
    analysis = await run(recording(tmp_path, 1.0, 10.0, 1.0), recogniser)
    assert not analysis.quality.trusted
    assert any(reason in text for text in analysis.quality.reasons), analysis.quality.reasons
    assert analysis.rates.articulation is None
    assert analysis.fillers_per_minute is None


async def test_rates_leave_out_an_untrusted_stretch_with_the_time_it_took(tmp_path: Path) -> None:
    class DoubtsTheSecond(Echo):
        async def transcribe(self, samples: Samples, language: Language) -> Transcript:
            heard = await super().transcribe(samples, language)
            return Transcript(heard.words, trusted=len(self.given) != 2, reasons=("a loop",) * (len(self.given) == 2))

    path = recording(tmp_path, 1.0, 20.0, 5.0, 4.0, 5.0, 20.0)
    sure, unsure = await run(path, Echo()), await run(path, DoubtsTheSecond())
    assert unsure.quality.trusted
    assert any("a loop" in reason for reason in unsure.quality.reasons)
    assert unsure.rates.words < sure.rates.words
    assert unsure.rates.articulation == pytest.approx(sure.rates.articulation, rel=0.05)


async def test_fillers_are_counted_per_minute_of_speaking(tmp_path: Path) -> None:
    analysis = await run(recording(tmp_path, 1.0, 6.0, 10.0, 6.0, 30.0), Echo(text="um"))
    assert len(analysis.fillers) == len(analysis.words) > 0
    assert analysis.fillers_per_minute == pytest.approx(len(analysis.words) * 5, rel=0.05)
    assert document(analysis, 0.1)["fillers"]["estimated"] is True


async def test_the_document_has_the_fields_of_the_contract(tmp_path: Path) -> None:
    path = recording(tmp_path, 1.0, 5.0, 46.0, 5.0, rate=44_100)
    found = document(await run(path, Echo()), 1.5)
    assert {"schema", "audio", "language", "model", "text", "words", "speech", "pauses", "fillers", "rates"} <= set(found)
    assert {"flags", "scores", "quality", "timing"} <= set(found)
    assert found["audio"] == {"duration": pytest.approx(57.0, abs=0.01), "sample_rate": 44_100, "channels": 1}
    assert set(found["words"][0]) == {"text", "start", "end", "confidence"}
    assert set(found["flags"][0]) == {"rule", "level", "start", "end", "at", "advice", "evidence"}
    assert found["rates"]["unit"] == "wpm"
    assert found["scores"] is None
    assert found["timing"]["rtf"] == pytest.approx(1.5 / 57, abs=1e-3)


async def test_events_and_samples_can_be_kept_as_a_session(tmp_path: Path) -> None:
    path = recording(tmp_path, 1.0, 5.0, 2.0)
    events: list[Event] = []
    kept: list[Samples] = []
    progress: list[float] = []
    await analyze(
        path,
        recogniser=Echo(),
        language="en",
        activity=Loudness(),
        on_event=events.append,
        on_samples=kept.append,
        progress=lambda done, _: progress.append(done),
    )
    assert isinstance(events[0], SessionStarted)
    assert events[-1] == SessionEnded(at=events[-1].at, reason="audio-ended")
    times = [event.at for event in events]
    assert times == sorted(times)
    assert sum(len(block) for block in kept) == 8 * RATE
    assert progress == sorted(progress)
    assert progress[-1] == 1.0


async def test_a_file_that_is_no_audio_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.wav"
    path.write_text("this is no sound")
    with pytest.raises(BadInputError, match=r"notes\.wav"):
        await run(path, Echo())


def test_the_common_rubrics_have_the_rules_that_an_analysis_runs() -> None:
    assert {"monologue", "long_pause"} <= set(load_rubrics().pacing)
