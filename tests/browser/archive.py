"""Sessions to look back on, made from events and tones: exact, quick to make, and as long as one likes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from bench.long_session import empty, line
from voiceprep.audio.base import RATE, VOICE_RATE, Samples
from voiceprep.core.events import (
    AudioProgress,
    Event,
    FlagRaised,
    NoteAdded,
    SectionChanged,
    SessionEnded,
    SessionStarted,
    SignalGiven,
    TurnEnded,
    TurnStarted,
    VoiceStarted,
    VoiceStopped,
    Word,
    WordsCommitted,
)
from voiceprep.core.units import At, Media

ROUND, PERSONA = "gpu-hm-screen", "hiring-manager"
ASKED = "Which product decision of yours do you stand behind most, and how did it come about?"
SAID = (
    "I decided that the team which pays for the capacity decides, because nine teams shared one cluster and nobody had said "
    "who may wait. The queue fell from forty minutes to six. <b>It cost us</b> utilisation."
)
LINE, ANSWER, PAUSE = 5.0, 20.0, 12.0
"""Seconds of the interviewer's line, of the answer, and of the silence in the middle of it."""
SOUNDING = 8
"""Exchanges that can be heard; those after them are silent, so that a long session is made quickly."""
ROUND_TRIP = LINE + 1.0 + ANSWER + 1.0


def words(text: str, start: float, end: float) -> tuple[Word, ...]:
    """The text's words, evenly over the stretch but for a long silence in the middle. The fourth one is doubtful."""
    pieces = text.split()
    step = (end - start - PAUSE) / len(pieces)
    places = [start + n * step + (PAUSE if n >= len(pieces) // 2 else 0.0) for n in range(len(pieces))]
    return tuple(
        Word(piece, Media(round(at, 3)), Media(round(at + step * 0.8, 3)), 0.3 if n == 3 else 0.95)
        for n, (piece, at) in enumerate(zip(pieces, places, strict=True))
    )


def exchange(number: int, start: float, said: str) -> Iterator[Event]:
    """A question, its answer, a flag for the silence in it, and a nod after it."""
    spoken = start + LINE + 1.0
    end, turn = spoken + ANSWER, 2 * number - 1
    uttered = words(said, spoken, end)
    middle = len(uttered) // 2
    hush, again = uttered[middle - 1].end, uttered[middle].start

    def at(media: float) -> At:
        return At(media + 0.5)

    yield from line(number, turn, ASKED, start, LINE, 0.5)
    yield VoiceStarted(at=at(spoken), speaker="candidate", media=Media(spoken))
    yield TurnStarted(at=at(spoken), speaker="candidate", turn=turn + 1, media=Media(spoken))
    yield VoiceStopped(at=at(hush), speaker="candidate", media=hush)
    yield FlagRaised(
        at=at(hush + 10),
        rule="long_pause",
        level="notice",
        start=hush,
        end=Media(hush + 10),
        advice="Say that you are thinking.",
    )
    yield VoiceStarted(at=at(again), speaker="candidate", media=again)
    yield VoiceStopped(at=at(end), speaker="candidate", media=Media(end))
    yield WordsCommitted(at=at(end + 0.2), words=uttered, turn=turn + 1)
    yield TurnEnded(at=at(end + 0.5), speaker="candidate", turn=turn + 1, media=Media(end), reason="yielded")
    yield SignalGiven(at=at(end + 0.6), signal="nod", meant="off-track", reason="nothing was decided")


def session(recordings: Path, exchanges: int = 2, said: str = SAID, started: str = "2026-11-30T09:00:00Z") -> str:
    """A session of so many exchanges, half a minute each, with a note of the user's; its id."""
    folder = empty(recordings, ROUND, PERSONA, started)
    length = exchanges * ROUND_TRIP
    for event in _log(exchanges, said, length):
        folder.log.append(event)
    sounding = min(exchanges, SOUNDING) * ROUND_TRIP
    folder.candidate.write(_voice(RATE, sounding, 220.0, LINE + 1.0, ANSWER))
    folder.candidate.write_silence(round((length - sounding) * RATE))
    folder.interviewer.write(_voice(VOICE_RATE, sounding + 0.5, 150.0, 0.5, LINE))  # its track runs on the session's clock
    folder.interviewer.write_silence(round((length - sounding) * VOICE_RATE))
    folder.close("completed")
    return folder.path.name


def _log(exchanges: int, said: str, length: float) -> Sequence[Event]:
    found: list[Event] = [
        SessionStarted(at=At(0.0), round=ROUND, persona=PERSONA, language="en"),
        SectionChanged(at=At(0.0), section="background", budget=20.0),
        AudioProgress(at=At(0.5), media=Media(0.0)),
    ]
    for number in range(1, exchanges + 1):
        start = (number - 1) * ROUND_TRIP
        found += exchange(number, start, said)
        found.append(AudioProgress(at=At(start + ROUND_TRIP + 0.5), media=Media(start + ROUND_TRIP)))
    found.append(NoteAdded(at=At(length + 0.5), media=Media(8.0), text="ask about the queue"))
    found.append(SessionEnded(at=At(length + 0.5), reason="completed"))
    return found


def _voice(rate: int, length: float, hertz: float, first: float, seconds: float) -> Samples:
    """A tone wherever this speaker speaks."""
    t = np.arange(round(length * rate)) / rate
    sounds = ((t - first) % ROUND_TRIP < seconds) & (t >= first)
    return (0.4 * np.sin(2 * np.pi * hertz * t) * sounds).astype(np.float32)


def spoken_at_once(recordings: Path, begins: float = 0.1) -> str:
    """A recording in which nobody is asked anything: somebody speaks from its beginning, and takes a breath; its id."""
    folder = empty(recordings, ROUND, PERSONA, "2026-11-30T10:00:00Z", live=False)
    end = begins + ANSWER
    uttered = words(SAID, begins, end)
    middle = len(uttered) // 2
    for event in (
        SessionStarted(at=At(0.0), round=ROUND, persona=PERSONA, language="en"),
        AudioProgress(at=At(0.0), media=Media(0.0)),
        VoiceStarted(at=At(begins), speaker="candidate", media=Media(begins)),
        TurnStarted(at=At(begins), speaker="candidate", turn=1, media=Media(begins)),
        VoiceStopped(at=At(3.0), speaker="candidate", media=Media(3.0)),
        VoiceStarted(at=At(3.5), speaker="candidate", media=Media(3.5)),
        VoiceStopped(at=At(uttered[middle - 1].end), speaker="candidate", media=uttered[middle - 1].end),
        VoiceStarted(at=At(uttered[middle].start), speaker="candidate", media=uttered[middle].start),
        VoiceStopped(at=At(end), speaker="candidate", media=Media(end)),
        WordsCommitted(at=At(end), words=uttered, turn=1),
        TurnEnded(at=At(end), speaker="candidate", turn=1, media=Media(end), reason="yielded"),
        AudioProgress(at=At(end + 0.5), media=Media(end + 0.5)),
        SessionEnded(at=At(end + 0.5), reason="completed"),
    ):
        folder.log.append(event)
    folder.candidate.write(_voice(RATE, end + 0.5, 220.0, begins, ANSWER))
    folder.close("completed")
    return folder.path.name


def monologue(recordings: Path, minutes: int = 30) -> str:
    """One answer as long as this, a word a second, a breath of two seconds after every half minute; its id."""
    folder = empty(recordings, ROUND, PERSONA, "2026-11-30T11:00:00Z", live=False)
    end = minutes * 60.0
    folder.log.append(SessionStarted(at=At(0.0), round=ROUND, persona=PERSONA, language="en"))
    folder.log.append(AudioProgress(at=At(0.0), media=Media(0.0)))
    folder.log.append(TurnStarted(at=At(0.0), speaker="candidate", turn=1, media=Media(0.0)))
    for n in range(minutes * 2):
        start = n * 30.0
        uttered = tuple(Word(f"word{n * 28 + k}", Media(start + k), Media(start + k + 0.8), 0.9) for k in range(28))
        folder.log.append(VoiceStarted(at=At(start), speaker="candidate", media=Media(start)))
        folder.log.append(VoiceStopped(at=At(start + 28.0), speaker="candidate", media=Media(start + 28.0)))
        folder.log.append(WordsCommitted(at=At(start + 28.5), words=uttered, turn=1))
    folder.log.append(TurnEnded(at=At(end), speaker="candidate", turn=1, media=Media(end), reason="yielded"))
    folder.log.append(SessionEnded(at=At(end), reason="audio-ended"))
    folder.candidate.write_silence(round(end * RATE))
    folder.close("audio-ended")
    return folder.path.name
