"""A virtual sound card: PulseAudio in a folder of its own, reached through PortAudio like any real one.

Use it with ``from tests.soundcard import sound_card`` in a conftest and mark the test ``sound``. PortAudio reads its
environment once, when it is loaded: what is to use the card runs in a child process with `SoundCard.environment`.
"""

from __future__ import annotations

import ctypes.util
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]  # ships no types

from voiceprep.audio.base import Samples
from voiceprep.audio.samples import from_pcm16

SPEAKER_RATE = 48_000

_SCRIPT = """\
load-module module-native-protocol-unix
load-module module-null-sink sink_name=vspk rate=48000 channels=2
load-module module-null-sink sink_name=vmic_in rate=48000 channels=1
load-module module-remap-source source_name=vmic master=vmic_in.monitor
set-default-sink vspk
set-default-source vmic
"""

_ALSA = "pcm.!default { type pulse }\nctl.!default { type pulse }\n"


@dataclass(frozen=True, slots=True)
class SoundCard:
    """`environment` is the whole environment for a child process that shall find this card as its only one."""

    environment: dict[str, str]

    def speak(self, path: Path) -> None:
        """Play an audio file into the microphone, to its end."""
        command = ["paplay", "--device=vmic_in", str(path)]
        subprocess.run(command, env=self.environment, check=True, capture_output=True, timeout=120)

    def speak_samples(self, samples: Samples, rate: int, folder: Path) -> None:
        path = folder / "spoken.wav"
        soundfile.write(path, samples, rate, subtype="PCM_16")
        self.speak(path)

    @contextmanager
    def listening(self) -> Iterator[Recording]:
        """Record what the speaker plays while the block runs, and half a second longer."""
        command = ["parec", "--device=vspk.monitor", "--raw", "--format=s16le", "--channels=1", f"--rate={SPEAKER_RATE}"]
        with subprocess.Popen([*command, "--latency-msec=20"], env=self.environment, stdout=subprocess.PIPE) as process:
            recording = Recording(process)
            try:
                yield recording
                recording.wait_for_more(SPEAKER_RATE // 2)
            finally:
                process.terminate()
                recording.join()


class Recording:
    """Grows while the card is listened to; `samples` at SPEAKER_RATE."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._data = bytearray()
        self._grown = threading.Condition()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        self.wait_for_more(1)  # from here on nothing is missed

    @property
    def samples(self) -> Samples:
        with self._grown:
            return from_pcm16(bytes(self._data[: len(self._data) // 2 * 2]))

    def wait_for_more(self, count: int) -> None:
        """Return once `count` more samples were played."""
        with self._grown:
            wanted = len(self._data) + 2 * count
            assert self._grown.wait_for(lambda: len(self._data) >= wanted, timeout=60), "the virtual speaker stands still"

    def join(self) -> None:
        self._thread.join()

    def _read(self) -> None:
        assert self._process.stdout is not None
        while piece := os.read(self._process.stdout.fileno(), 65_536):
            with self._grown:
                self._data += piece
                self._grown.notify_all()


def likeness(heard: Samples, original: Samples, piece: int) -> float:
    """How well `original` is found again in `heard` (same rate): 1 is the same, 0 unrelated.

    Each `piece` samples of it are looked for on their own, and the middle of their correlations counts: on a machine that is
    busy with other things a card drops out now and then, which moves what follows.
    """
    return float(np.median([_best(heard, original[at : at + piece]) for at in range(0, len(original) - piece + 1, piece)]))


def _best(heard: Samples, part: Samples) -> float:
    size = len(heard) + len(part)
    spectrum = np.fft.rfft(heard, size) * np.conj(np.fft.rfft(part, size))
    start = int(np.argmax(np.fft.irfft(spectrum, size)[: max(1, len(heard) - len(part) + 1)]))
    there = heard[start : start + len(part)]
    return float(np.corrcoef(there, part)[0, 1]) if there.any() else 0.0


@pytest.fixture(scope="session")
def sound_card() -> Iterator[SoundCard]:
    """The card, alive for the session of tests. Skips where the machine has not what it takes."""
    missing = [name for name in ("pulseaudio", "paplay", "parec", "pactl") if shutil.which(name) is None]
    if ctypes.util.find_library("portaudio") is None:
        missing.append("libportaudio2")
    if missing:
        pytest.skip(f"the virtual sound card needs {', '.join(missing)}")
    # Not pytest's folder: the path of a Unix socket must be short.
    with tempfile.TemporaryDirectory(prefix="card") as folder:
        home = Path(folder)
        (home / ".asoundrc").write_text(_ALSA)
        (home / "card.pa").write_text(_SCRIPT)
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PULSE_", "DBUS_"))}
        environment |= {"HOME": folder, "XDG_RUNTIME_DIR": folder, "XDG_CONFIG_HOME": folder, "LC_ALL": "C.UTF-8"}
        with _pulseaudio(home, environment):
            card = SoundCard(environment)
            if "default" not in _devices(environment):
                pytest.skip("PortAudio does not see the virtual sound card: libasound2-plugins is missing")
            yield card


@contextmanager
def _pulseaudio(home: Path, environment: dict[str, str]) -> Iterator[None]:
    options = [
        "-n",
        "--daemonize=no",
        "--exit-idle-time=-1",
        "--disallow-exit",
        "--use-pid-file=no",
        "-F",
        str(home / "card.pa"),
    ]
    with (
        (home / "log").open("w") as log,
        subprocess.Popen(["pulseaudio", *options], env=environment, stdout=log, stderr=log) as server,
    ):
        try:
            for _ in range(200):
                asked = subprocess.run(
                    ["pactl", "list", "short", "sources"], env=environment, capture_output=True, text=True, check=False
                )
                if "\tvmic\t" in asked.stdout:
                    break
                if server.poll() is not None:
                    pytest.skip(f"pulseaudio does not start here: {(home / 'log').read_text()[-300:]}")
                threading.Event().wait(0.05)
            else:
                pytest.skip("pulseaudio does not answer")
            yield
        finally:
            server.terminate()


def _devices(environment: dict[str, str]) -> str:
    asked = subprocess.run(
        [sys.executable, "-m", "sounddevice"], env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    return asked.stdout
