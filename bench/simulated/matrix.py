"""Every round with every simulated candidate: which criteria hold, and the line at fault where one does not.

    python -m bench.simulated.matrix [--round ID] [--candidate ID] [--lang en|zh|mixed]

On the virtual clock a round takes about a second. `voiced` lets the candidates speak through the product's own shell.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bench.simulated.characters import IDS, load_character
from bench.simulated.criteria import CRITERIA, Fault, grade
from bench.simulated.hearing import Interview, interview
from bench.simulated.meeting import hold
from voiceprep.content import load_content
from voiceprep.content.loader import round_ids
from voiceprep.core.events import Language
from voiceprep.errors import UsageError

LANGUAGES: tuple[Language, ...] = ("en", "zh")
KNOWN: tuple[Language, ...] = ("en", "zh", "mixed")


@dataclass(frozen=True, slots=True)
class Session:
    """One candidate in one round, graded."""

    round: str
    candidate: str
    language: Language
    held: Interview
    faults: dict[str, list[Fault]]


def run(
    round: str | None = None,  # noqa: A002  (the option's name)
    candidate: str | None = None,
    lang: str | None = None,
    voiced: bool = False,
    minutes: float | None = None,
    seed: int = 1,
    **_: Any,
) -> dict[str, Any]:
    """Hold and grade the sessions that were asked for; all rounds, candidates, and both languages by default.

    `voiced` lets the candidates speak, about `minutes` of each session; without it they are written, and play whole rounds.

    Returns ``{"sessions", "minutes", "criteria": [{"criterion", <candidate>: "held/sessions"}], "faults": [{...}]}``.

    Raises:
        UsageError: an unknown round, candidate or language.
    """
    rounds = _one_of("round", round, round_ids())
    candidates = _one_of("candidate", candidate, IDS)
    languages = _one_of("lang", lang, KNOWN) if lang else LANGUAGES
    if voiced:
        from bench.simulated.voiced import DEFAULT_MINUTES, hold_voiced  # models are loaded for this alone

        sessions = [
            graded(hold_voiced(each, who, tongue, seed, minutes or DEFAULT_MINUTES), each, who, tongue)
            for each in rounds
            for who in candidates
            for tongue in languages
        ]
    else:
        sessions = [played(each, who, tongue, seed) for each in rounds for who in candidates for tongue in languages]
    return report(sessions)


def _one_of(option: str, given: str | None, known: Sequence[Any]) -> Sequence[Any]:
    if given is None:
        return known
    if given not in known:
        raise UsageError(f"--{option} {given} is none of: {', '.join(known)}", code="bad-option")
    return [given]


def played(round_id: str, candidate: str, language: Language, seed: int = 1) -> Session:
    """On the virtual clock."""
    meeting = hold(round_id, load_character(candidate), language, seed)
    pack = load_content(round_id).round
    return graded(interview(meeting.log, pack, language, meeting.cut_ins, candidate), round_id, candidate, language)


def graded(held: Interview, round_id: str, candidate: str, language: Language) -> Session:
    return Session(round_id, candidate, language, held, grade(held))


def report(sessions: Sequence[Session]) -> dict[str, Any]:
    """The table of criteria by candidate, then every fault with its quote."""
    candidates = list(dict.fromkeys(session.candidate for session in sessions))
    return {
        "sessions": len(sessions),
        "minutes": round(sum(session.held.elapsed for session in sessions) / 60, 1),
        "held": _share(sessions, list(CRITERIA)),
        "criteria": [
            {"criterion": name, **{who: _cell([s for s in sessions if s.candidate == who], name) for who in candidates}}
            for name in CRITERIA
        ],
        "asks": {name: asks for name, (asks, _) in CRITERIA.items()},
        "faults": [
            {
                "criterion": name,
                "round": session.round,
                "candidate": session.candidate,
                "lang": session.language,
                "at": round(fault.at, 1),
                "quote": fault.quote,
                "why": fault.why,
            }
            for session in sessions
            for name, faults in session.faults.items()
            for fault in faults
        ],
    }


def _share(sessions: Sequence[Session], names: Sequence[str]) -> float:
    """Of all answers, how many are yes."""
    answers = [not session.faults[name] for session in sessions for name in names]
    return round(sum(answers) / len(answers), 4) if answers else 0.0


def _cell(sessions: Sequence[Session], name: str) -> str:
    return f"{sum(not session.faults[name] for session in sessions)}/{len(sessions)}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--round")
    parser.add_argument("--candidate")
    parser.add_argument("--lang")
    parser.add_argument("--voiced", action="store_true")
    print(json.dumps(run(**vars(parser.parse_args())), indent=1, ensure_ascii=False))
