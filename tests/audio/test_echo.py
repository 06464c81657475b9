"""Echo in a simulated room: the interviewer comes back at the microphone late, reverberant and softer. The detector is real."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest
import soxr  # type: ignore[import-untyped]  # ships no types

from tests.fakes.audio import CollectingSink, noise
from voiceprep.audio import duplex, echo
from voiceprep.audio.base import BLOCK, RATE, VOICE_RATE, Samples, Sink
from voiceprep.audio.cancelling import Cancelling
from voiceprep.audio.duplex import choose_duplex, worn
from voiceprep.audio.echo import EchoControl, EchoedSink, HalfDuplex, decibels
from voiceprep.audio.echo_path import EchoPath
from voiceprep.audio.frames import FrameSource
from voiceprep.audio.reference import Reference
from voiceprep.audio.sink_null import NullSink
from voiceprep.audio.webrtc import FRAME, INSIDE, EchoRemover
from voiceprep.errors import MissingError
from voiceprep.speech.vad.silero import SileroActivity

TICK = BLOCK * VOICE_RATE // RATE
LATENCY = 0.25

QUESTION = (
    "Tell me about the hardest resource conflict between teams that you have had to settle. "
    "What was scarce, who wanted it, and what did you decide in the end?"
)
ANSWER = "Sorry, may I stop you there? I would like to know what you mean by scarce, because there are two things."


@dataclass
class Room:
    """A speaker that is heard at a microphone `delay` seconds later, times `gain`, with a little noise."""

    control: EchoControl
    seconds: float
    delay: float = 0.3
    gain: float = 0.3
    played: list[tuple[float, Samples]] = field(default_factory=list)
    """What the interviewer says from when, at VOICE_RATE."""
    said: list[tuple[float, Samples]] = field(default_factory=list)
    """What the candidate says from when, at RATE."""

    def run(self) -> list[tuple[str, float]]:
        """Begins and ends of what was taken for the candidate, in seconds. Sets `clean` and `microphone`."""
        blocks = round(self.seconds * RATE / BLOCK)
        sound, mic = np.zeros(blocks * TICK, np.float32), 0.001 * noise(blocks * BLOCK / RATE, level=1.0)
        for at, samples in self.played:
            there = sound[round(at * VOICE_RATE) :][: len(samples)]
            there[:] = samples[: len(there)]
        mic += self._echo(soxr.resample(sound, VOICE_RATE, RATE))[: len(mic)]
        for at, samples in self.said:
            mic[round(at * RATE) :][: len(samples)] += samples
        activity, clean = SileroActivity(), []
        found: list[tuple[str, float]] = []
        for n in range(blocks):
            self.control.render(sound[n * TICK : (n + 1) * TICK], LATENCY)
            heard = self.control.capture(mic[n * BLOCK : (n + 1) * BLOCK])
            clean.append(heard.clean)
            found += [(a.kind, a.media) for a in activity.feed(heard.voice) if a.kind in {"started", "stopped"}]
        self.microphone, self.clean = mic, np.concatenate(clean)
        return found

    def _echo(self, sound: Samples) -> Samples:
        luck = np.random.default_rng(1)
        count = round(0.25 * RATE)
        response = 0.15 * luck.standard_normal(count) * np.exp(-np.arange(count) / (0.05 * RATE))
        response[0] = 1.0
        back = np.convolve(sound, self.gain * response).astype(np.float32)
        late: Samples = np.concatenate((np.zeros(round(self.delay * RATE), np.float32), back))
        return late


@pytest.fixture(scope="module")
def question(spoken: Callable[[str], Samples]) -> Samples:
    resampled: Samples = soxr.resample(spoken(QUESTION), RATE, VOICE_RATE)
    return resampled


@pytest.fixture(scope="module")
def answer(spoken: Callable[[str], Samples]) -> Samples:
    return spoken(ANSWER)


def cancelling() -> Cancelling:
    return Cancelling(EchoRemover())


# --- the interviewer does not hear itself -------------------------------------------------------------------------------


@pytest.mark.models
@pytest.mark.parametrize("make", [cancelling, HalfDuplex])
@pytest.mark.parametrize("gain", [0.1, 0.3, 1.0])
def test_case_073_the_interviewer_never_hears_itself(question: Samples, make: Callable[[], EchoControl], gain: float) -> None:
    room = Room(make(), 25.0, gain=gain, played=[(1.0, question), (12.5, question)])
    assert room.run() == []


@pytest.mark.models
@pytest.mark.parametrize("make", [cancelling, HalfDuplex])
@pytest.mark.parametrize("delay", [0.3, 0.5, 0.8])
def test_case_075_a_late_echo_is_ignored_and_a_fast_yes_is_kept(
    question: Samples, answer: Samples, make: Callable[[], EchoControl], delay: float
) -> None:
    """Bluetooth: the last of the question is heard so long after it was played. The candidate answers just after that."""
    end = 1.0 + len(question) / VOICE_RATE
    yes = answer[: round(0.45 * RATE)]
    begin = end + delay + 0.15
    room = Room(make(), end + 4.0, delay=delay, played=[(1.0, question)], said=[(begin, yes)])
    started = [at for kind, at in room.run() if kind == "started"]
    assert len(started) == 1
    assert begin - 0.05 <= started[0] <= begin + 0.2


@pytest.mark.models
def test_case_063_clicks_over_the_interviewer_are_no_voice(question: Samples) -> None:
    clicks = np.concatenate([noise(0.15, level=0.3, seed=n) * np.hanning(2400).astype(np.float32) for n in range(5)])
    apart = [(13.5 + n, clicks[n * 2400 : (n + 1) * 2400]) for n in range(5)]
    control = cancelling()
    room = Room(control, 22.0, gain=0.1, played=[(1.0, question), (12.5, question)], said=apart)
    assert room.run() == []
    assert control.converged


# --- the candidate is heard ---------------------------------------------------------------------------------------------


@pytest.mark.models
def test_the_candidate_is_heard_over_the_interviewer_when_echo_is_cancelled(question: Samples, answer: Samples) -> None:
    control = cancelling()
    room = Room(control, 24.0, gain=0.1, played=[(1.0, question), (12.5, question)], said=[(15.0, answer)])
    found = room.run()
    assert control.converged
    assert control.removed > 20
    assert found[0][0] == "started"
    assert found[0][1] == pytest.approx(15.0, abs=0.4)


@pytest.mark.models
def test_half_duplex_hears_the_candidate_only_when_the_interviewer_has_finished(question: Samples, answer: Samples) -> None:
    end = 1.0 + len(question) / VOICE_RATE
    room = Room(HalfDuplex(), end + 8, played=[(1.0, question)], said=[(4.0, answer[: 3 * RATE]), (end + 1.5, answer)])
    started = [at for kind, at in room.run() if kind == "started"]
    assert started[0] == pytest.approx(end + 1.5, abs=0.2)


@pytest.mark.models
def test_without_an_echo_the_candidate_is_soon_heard_as_with_headphones(question: Samples, answer: Samples) -> None:
    control = cancelling()
    room = Room(control, 12.0, gain=0.0, played=[(1.0, question)], said=[(5.0, answer)])
    found = room.run()
    assert control.converged
    assert control.removed < 5
    assert found[0][1] == pytest.approx(5.0, abs=0.2)


@pytest.mark.models
def test_before_the_canceller_has_converged_nobody_is_heard_over_the_interviewer(question: Samples, answer: Samples) -> None:
    room = Room(cancelling(), 5.0, played=[(0.5, question)], said=[(0.8, answer[:RATE])])
    assert room.run() == []


def test_case_126_a_voice_that_fails_half_way_leaves_the_microphone_open() -> None:
    """Sound stops without a word about it: it is counted from the last sample that was really written."""
    control = HalfDuplex()
    loud, quiet = noise(TICK / VOICE_RATE, VOICE_RATE), np.zeros(TICK, np.float32)
    block = noise(BLOCK / RATE, level=0.1, seed=2)

    def heard(sound: Samples) -> bool:
        control.render(sound, LATENCY)
        return bool(control.capture(block).voice.any())

    assert heard(quiet)
    assert not any(heard(loud) for _ in range(30))
    later = [heard(quiet) for _ in range(60)]
    opened = later.index(True)
    assert (opened + 1) * BLOCK / RATE <= LATENCY + echo.TAIL + 0.1
    assert all(later[opened:])


# --- the parts ----------------------------------------------------------------------------------------------------------


def test_what_comes_out_trails_what_goes_in_by_the_delay_that_is_told() -> None:
    """Also while the canceller rests, and at the change from one to the other."""
    control = cancelling()
    mic = noise(12.0, level=0.1)
    late = round(control.delay * RATE)
    out, sounding = [], range(100, 130)
    for n in range(len(mic) // BLOCK):
        burst = noise(TICK / VOICE_RATE, VOICE_RATE, level=0.01, seed=n) if n in sounding else np.zeros(TICK, np.float32)
        control.render(burst, LATENCY)
        out.append(control.capture(mic[n * BLOCK : (n + 1) * BLOCK]).clean)
    clean = np.concatenate(out)
    for start in (RATE, 5 * RATE, 10 * RATE):  # at rest, at work, at rest again
        piece = clean[start : start + RATE]
        alike = [float(np.dot(piece, mic[start - shift : start - shift + RATE])) for shift in range(2 * late)]
        assert int(np.argmax(alike)) == late
    assert np.array_equal(clean[10 * RATE :][:RATE], mic[10 * RATE - late :][:RATE])


def test_the_remover_trails_by_what_is_written_down() -> None:
    remover, mic = EchoRemover(), noise(2.0, level=0.1)
    silent = np.zeros(FRAME, np.float32)
    clean = np.concatenate([remover.process(silent, mic[at : at + FRAME]) for at in range(0, len(mic), FRAME)])
    alike = [float(np.dot(clean[RATE : RATE + 8000], mic[RATE - shift : RATE - shift + 8000])) for shift in range(400)]
    assert int(np.argmax(alike)) == INSIDE


def test_the_same_sound_gives_the_same_result() -> None:
    def once() -> Samples:
        sound = noise(4.0, VOICE_RATE, level=0.1)
        room = Room(cancelling(), 6.0, played=[(0.5, sound)])
        room.run()
        return room.clean

    assert np.array_equal(once(), once())


def test_an_echo_of_noise_is_removed() -> None:
    sound = np.repeat(noise(6.0, VOICE_RATE, level=0.2), 1)
    room = Room(cancelling(), 8.0, played=[(0.5, sound)])
    room.run()
    last = slice(4 * RATE, 6 * RATE)
    assert decibels(room.microphone[last]) - decibels(room.clean[last]) > 20


class TestReference:
    def pairs(self, reference: Reference, ticks: list[tuple[int, int]]) -> list[Samples]:
        """Puts and takes so many ticks in turn; each put tick holds its number. Returns what was taken."""
        taken, number = [], 0
        for puts, takes in ticks:
            for _ in range(puts):
                number += 1
                reference.put(np.full(TICK, number / 1000, np.float32))
            taken += [reference.take() for _ in range(takes)]
        return taken

    def test_sound_is_paired_by_time_however_unevenly_both_arrive(self) -> None:
        even, uneven = Reference(), Reference()
        for each in (even, uneven):
            each.expect(LATENCY)
        smooth = self.pairs(even, [(1, 1)] * 100)
        rough = self.pairs(uneven, [(1, 1)] * 20 + [(3, 0), (0, 5), (2, 0)] * 16)
        middle = slice(30, 90)
        # Where a block came before its sound there is silence, and what follows is in its place all the same.
        equal = [np.allclose(a, b, atol=1e-3) for a, b in zip(smooth[middle], rough[middle], strict=True)]
        assert all(equal)

    def test_a_backlog_of_the_microphone_at_the_start_shifts_nothing_for_good(self) -> None:
        reference = Reference()
        reference.expect(LATENCY)
        taken = self.pairs(reference, [(1, 1)] * 2 + [(0, 60)] + [(1, 1)] * 60)
        assert not any(block.any() for block in taken[40:62])
        assert all(block.any() for block in taken[-40:])

    def test_what_will_not_sound_is_silence(self) -> None:
        reference = Reference()
        reference.expect(LATENCY)
        self.pairs(reference, [(1, 1)] * 20)
        reference.put(np.full(4 * TICK, 0.5, np.float32))
        reference.unsay(4 * TICK)
        left = [reference.take() for _ in range(20)]
        assert max(float(block.max()) for block in left) < 0.1

    def test_a_clock_that_runs_away_is_set_right_in_a_silence(self) -> None:
        reference = Reference()
        reference.expect(LATENCY)
        moved = 0.0
        for n in range(4000):  # one tick in 200 is missing: 0.5 %
            if n % 200:
                reference.put(np.zeros(TICK, np.float32))
            reference.take()
            moved += reference.moved
        assert moved == pytest.approx(4000 / 200 * BLOCK / RATE, abs=0.15)


class TestEchoPath:
    def fed(self, delay: float, gain: float) -> EchoPath:
        luck = np.random.default_rng(3)
        count = 5 * RATE // BLOCK
        sound = noise(count * BLOCK / RATE) * np.repeat(luck.uniform(0, 1, count * 2), BLOCK // 2).astype(np.float32)
        late = round(delay * RATE)
        heard = 1e-4 * noise(count * BLOCK / RATE, level=1.0, seed=9)
        heard[late:] += gain * sound[: len(sound) - late]
        path = EchoPath()
        for at in range(0, len(sound), BLOCK):
            path.feed(sound[at : at + BLOCK], heard[at : at + BLOCK])
        return path

    @pytest.mark.parametrize("delay", [0.032, 0.32, 1.2])
    def test_delay_and_level_are_found(self, delay: float) -> None:
        path = self.fed(delay, 0.25)
        assert path.lag == pytest.approx(delay, abs=0.017)
        assert path.gain == pytest.approx(20 * np.log10(0.25), abs=1.5)

    def test_where_there_is_no_echo_none_is_found(self) -> None:
        path = self.fed(0.3, 0.0)
        assert path.lag is None
        assert path.expected() == -80.0

    def test_after_a_shift_of_the_reference_the_echo_is_expected_where_it_is(self) -> None:
        path = self.fed(0.8, 0.25)
        path.moved(0.5)
        assert path.lag == pytest.approx(0.3, abs=0.017)


# --- which way ----------------------------------------------------------------------------------------------------------


class Named(CollectingSink):
    def __init__(self, name: str) -> None:
        super().__init__(latency=0.25)
        self.name = name


@pytest.mark.parametrize(
    "name",
    ["USB Headset Mono", "WH-1000XM4 Headphones", "AirPods Pro", "外置耳机", "Galaxy Buds2", "Jabra (Hands-Free)", "Earphones"],
)
def test_headphones_are_known_by_name(name: str) -> None:
    assert worn(name)


@pytest.mark.parametrize(
    "name",
    [
        "default",
        "HDA Intel PCH: ALC257 Analog",
        "JBL Flip 5",
        "Bluetooth Speaker",
        "Speakers/Headphones (Realtek)",
        "扬声器",
        "pulse",
    ],
)
def test_everything_else_is_a_loudspeaker(name: str) -> None:
    assert not worn(name)


def mode(wanted: duplex.Wanted, sink: Sink) -> str:
    control = choose_duplex(wanted, FrameSource(), sink).control
    return "full" if control is None else control.mode


def test_the_way_follows_the_setting_and_the_device() -> None:
    assert mode("auto", Named("default")) == "cancelled"
    assert mode("auto", Named("AirPods")) == "full"
    assert mode("auto", NullSink()) == "full"
    assert mode("cancel", Named("AirPods")) == "cancelled"
    assert mode("half", Named("default")) == "half duplex"
    assert mode("full", Named("default")) == "full"


def test_case_073_where_nothing_can_be_cancelled_it_is_half_duplex_and_headphones_are_advised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse() -> EchoRemover:
        raise MissingError("echo cancellation does not start here: no library", code="no-echo-canceller")

    monkeypatch.setattr(duplex, "EchoRemover", refuse)
    chosen = choose_duplex("auto", FrameSource(), Named("default"))
    assert isinstance(chosen.control, HalfDuplex)
    assert chosen.reason.startswith("half duplex")
    assert "headphones" in chosen.reason
    assert "no library" in chosen.reason


def test_a_missing_wheel_is_told_in_plain_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "livekit.rtc.apm", None)
    with pytest.raises(MissingError, match="echo cancellation does not start here") as caught:
        EchoRemover()
    assert caught.value.code == "no-echo-canceller"
    assert caught.value.hint


def test_what_the_sink_drops_is_no_reference() -> None:
    control = HalfDuplex()
    sink = EchoedSink(CollectingSink(latency=LATENCY, hold=4 * TICK), control)
    silent = np.zeros(BLOCK, np.float32)
    for _ in range(10):
        sink.write(np.zeros(TICK, np.float32))
        control.capture(silent)
    for _ in range(4):
        sink.write(np.full(TICK, 0.5, np.float32))
    assert sink.drop() == 4 * TICK
    heard = []
    for _ in range(20):
        sink.write(np.zeros(TICK, np.float32))
        control.capture(silent)
        heard.append(float(np.abs(control.reference).max()))
    assert max(heard) < 0.1
