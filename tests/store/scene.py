"""A short made-up interview in which most things happen: how the newest session under tests/data was made.

python -m tests.store.scene > tests/data/session-schema-4/events.jsonl
"""

from __future__ import annotations

import sys
from dataclasses import asdict, replace

from tests.fakes.content import PERSONA, content, line
from tests.fakes.table import Table
from tests.store.samples import HEADER
from voiceprep.core.events import (
    AudioGap,
    EdgeFailed,
    Ending,
    EndingHeard,
    Fact,
    NoteAdded,
    QuietPoint,
    TurnHandedOver,
    VoiceSuspected,
)
from voiceprep.core.interviewer.again import FORMS, SLOT
from voiceprep.core.pack import Content, Interjection, Line
from voiceprep.core.policy import Policy
from voiceprep.core.units import At, Media
from voiceprep.store import codec, header

POLICY = Policy(reword=True, backchannels=True, caption_every=9.0, caption_share=0.1)
TOLD = "The migration took eight weeks. The metric was queue time and we had a cluster of gpu cards, and that's my answer."
FALL = Ending(pitch_change=-2.5, pitch=-3.0, level=-4.5, level_fall=6.25, steady=0.0)


def pack() -> Content:
    """A round whose interviewer takes notes, breaks in once, and goes over the first story once more."""
    persona = replace(PERSONA, signals=("interesting", "notes"), interesting=line("hm"), backchannels=line("mm-hm"))
    made = content(replace(persona, backchannel_every=20.0), questions=2)
    first, second = made.round.questions
    again: dict[str, Line] = {
        form: Line(f"again.{form}", {"en": (f"Again: {SLOT}?",), "zh": (f"再说：{SLOT}？",)}) for form in FORMS
    }
    cut = Interjection("too-long", "curveball", "floor", 21.0, (), (), "", line("new"))
    round_ = replace(
        made.round,
        questions=(first, replace(second, kind="consistency", section="second")),
        again=again,
        interjections=(cut,),
    )
    return replace(made, round=round_)


def played() -> Table:
    """The interview, over."""
    table = Table(pack(), policy=POLICY, decode=0.3)
    table.start()
    table.run(until=5.0)
    _answer(table, 12.0, TOLD)
    _talks_on(table)
    table.fail.add("Transcribe")
    _answer(table, 6.0, "we measured it")
    table.fail.clear()
    for _ in range(4):
        _answer(table, 8.0, TOLD)
    table.put(table.now + 1.0, TurnHandedOver(at=At(0), media=Media(table.now + 1.0)))
    table.stop(table.now + 2.0)
    table.run()
    return table


def _answer(table: Table, seconds: float, text: str) -> None:
    """One answer with all that may be told of its sound, a note, and a gap in the recording after it."""
    begin = Media(table.now + 3.0)
    end = Media(begin + seconds)
    facts: list[tuple[float, Fact]] = [
        (begin + 0.05, VoiceSuspected(at=At(0), speaker="candidate", media=begin, level=-32.5)),
        (begin + 3.0, QuietPoint(at=At(0), media=Media(begin + 2.5), level=-51.0)),
        (end + 0.22, EndingHeard(at=At(0), media=end, ending=FALL)),
        (end + 0.25, NoteAdded(at=At(0), media=end, text="say the 数字 | first")),
        (end + 0.28, AudioGap(at=At(0), start=Media(end + 0.05), end=Media(end + 0.15), reason="overflow")),
    ]
    for at, fact in facts:
        table.put(at, fact)
    table.say(begin, end, text)
    table.run(until=end + 14.0)


def _talks_on(table: Table) -> None:
    """Half a minute without a stop: the interviewer breaks in."""
    begin = table.now + 1.0
    for n in range(3):
        table.say(begin + 11 * n, begin + 11 * n + 10, "our gpu cluster had a long queue and every team wanted more of it.")
    table.put(begin + 20, EdgeFailed(at=At(0), code="device-lost", message="the speaker is gone"))
    table.run(until=begin + 50.0)


if __name__ == "__main__":
    made = replace(HEADER, round="test-round", persona="tester", policy=asdict(POLICY), id="2026-11-30T09-05-12-test-round")
    sys.stdout.write("\n".join([header.encode(made), *(codec.encode(codec.as_logged(event)) for event in played().log)]) + "\n")
