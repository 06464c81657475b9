"""Takes of shipped drills on paper, kept as session folders."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from tests.fakes.interview import WORDS_A_SECOND, header, keep
from tests.fakes.table import Table, of_kind
from voiceprep.content.drill_content import TakePlan, drill_content
from voiceprep.core.events import Event, Language, Speak, SpeakingFinished
from voiceprep.core.policy import Policy
from voiceprep.core.units import At

STEP = 0.1
LONGEST = 200.0


def our_turn(table: Table) -> float | None:
    """Run until the interviewer's last line is over; the moment of that. None: the take is over."""
    while not table.conductor.ended:
        lines = [line.id for line in of_kind(table.log, Speak) if line.move != "cue"]
        over = {done.of: done.at for done in of_kind(table.log, SpeakingFinished)}
        if lines and lines[-1] in over:
            return max(over[lines[-1]], table.now)
        _on(table)
    return None


def play(
    plan: TakePlan, *answers: str, language: Language = "en", stop: str = "audio-ended", after: float = 1.0
) -> list[Event]:
    """The log of a take: each answer `after` seconds after the interviewer's line, then the recording ends (`stop`)."""
    content = drill_content(plan)
    patience = content.drill.patience or Policy().unheard_patience
    table = Table(content, language=language, policy=Policy(captions=False, unheard_patience=patience))
    table.start()
    for answer in answers:
        over = our_turn(table)
        if over is None:
            break
        text = " ".join(answer) if language == "zh" else answer
        begin = over + after
        table.say(begin, begin + max(2.0, len(text.split()) / WORDS_A_SECOND[language]), text)
        spoken, limit = len(of_kind(table.log, Speak)), begin + LONGEST
        while not table.conductor.ended and len(of_kind(table.log, Speak)) == spoken and table.now < limit:
            _on(table)
    if not table.conductor.ended:
        over = our_turn(table)
        if not table.conductor.ended:
            table.stop(max(table.now, over or 0.0) + 1.0, stop)
            table.run()
    return table.log


def _on(table: Table) -> None:
    table.now = At(table.now + STEP)
    table.run(until=table.now)


def keep_take(
    recordings: Path,
    plan: TakePlan,
    events: list[Event],
    started: str,
    *,
    crashed: bool = False,
    language: Language = "en",
    recogniser: bool = True,
) -> str:
    """The take as a session folder; its id."""
    head = header(
        "",
        "paper",
        started,
        language=language,
        drill=plan.drill,
        drill_prompt=plan.prompt,
        drill_brief=plan.brief,
        resumes=plan.resumes,
        drill_step=plan.step,
        drill_used=plan.used,
        policy=asdict(Policy(captions=False, recogniser=recogniser)),
    )
    return keep(recordings, head, events, crashed=crashed)
