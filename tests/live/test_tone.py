"""The tone of a flag: soft, whole, and never over the interviewer."""

import numpy as np

from voiceprep.audio.base import VOICE_RATE, Samples
from voiceprep.live.tone import LEVEL, SECONDS, STALE, Tone

TICK = VOICE_RATE * 32 // 1000


def silence(count: int = TICK) -> Samples:
    return np.zeros(count, np.float32)


def test_it_sounds_once_softly_and_without_a_click() -> None:
    tone = Tone()
    tone.ring()
    heard = np.concatenate([tone.over(silence(), quiet=True) for _ in range(20)])
    loud = np.flatnonzero(heard)
    assert SECONDS * 0.9 < (loud[-1] - loud[0]) / VOICE_RATE <= SECONDS
    assert 0.9 * LEVEL < np.abs(heard).max() <= LEVEL
    assert np.abs(np.diff(heard)).max() < LEVEL / 4
    assert not np.any(tone.over(silence(), quiet=True))


def test_without_a_flag_the_sound_is_the_same_object() -> None:
    samples = silence()
    assert Tone().over(samples, quiet=True) is samples


def test_it_waits_for_the_interviewer_and_is_forgotten_after_a_while() -> None:
    line = np.full(TICK, 0.5, np.float32)
    tone = Tone()
    tone.ring()
    assert tone.over(line, quiet=False) is line
    assert np.any(tone.over(silence(), quiet=True))

    tone.ring()
    for _ in range(STALE // TICK + 1):
        tone.over(line, quiet=False)
    assert not np.any(tone.over(silence(), quiet=True))


def test_a_tone_that_a_line_broke_off_is_not_taken_up_again() -> None:
    tone = Tone()
    tone.ring()
    tone.over(silence(), quiet=True)
    tone.over(silence(), quiet=False)
    assert not np.any(tone.over(silence(), quiet=True))
