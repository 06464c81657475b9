"""What a session is held with, once all of it is open and works; and its policy, header and sounds."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from voiceprep import __version__
from voiceprep.audio.base import Sink, Source
from voiceprep.audio.cancelling import Cancelling
from voiceprep.audio.duplex import Duplex
from voiceprep.audio.echo import HalfDuplex
from voiceprep.config import Settings
from voiceprep.content.drill_content import TakePlan, drill_fingerprint
from voiceprep.content.fingerprint import content_fingerprint
from voiceprep.core.drills.drill import DrillContent
from voiceprep.core.pack import Content
from voiceprep.core.policy import GRACE, Policy
from voiceprep.intake.given import Given
from voiceprep.intake.kept import fingerprint
from voiceprep.live.plan import Plan
from voiceprep.speech.stt.base import Recogniser
from voiceprep.speech.tts.base import VoiceStyle
from voiceprep.speech.tts.voice_set import VoiceSet
from voiceprep.store.header import Header

if TYPE_CHECKING:  # it brings the client library, which a session without a language model does not need
    from voiceprep.agent.interviewer import ModelInterviewer


@dataclass(frozen=True, slots=True)
class Opened:
    """All that a session is held with, open and working."""

    content: Content
    given: Given | None
    source: Source
    sink: Sink
    echo: Duplex
    voices: VoiceSet
    recogniser: Recogniser | None
    model: ModelInterviewer | None

    @property
    def style(self) -> VoiceStyle:
        persona = self.content.round.persona
        return VoiceStyle(persona.voice, persona.pace)


def policy_of(plan: Plan, settings: Settings, opened: Opened, own_rate: float) -> Policy:
    content = opened.content
    # A drill that holds still for so long does so whether or not anybody knows what was said.
    patience = content.drill.patience if isinstance(content, DrillContent) else None
    return Policy(
        unheard_patience=patience or Policy().unheard_patience,
        recogniser=opened.recogniser is not None,
        captions=opened.recogniser is not None and plan.pace == "live",
        reword=opened.model is not None,
        backchannels=makes_sounds(settings, opened.echo),
        all_rules=True,
        grace=GRACE,
        own_rate=own_rate,
    )


def header_of(plan: Plan, settings: Settings, opened: Opened, policy: Policy, seed: int) -> Header:
    pack, given, on_demand = opened.content.round, opened.given, opened.source.on_demand
    header = Header(
        version=__version__,
        started=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        round=pack.id,
        persona=pack.persona.id,
        language=settings["language"],
        mode=settings["mode"],
        source="demo" if plan.demo else "file" if on_demand else "browser" if plan.browser else "microphone",
        clock="audio" if on_demand else "wall",
        models=_models(opened.recogniser, opened.voices, opened.model) | {"echo": opened.echo.reason},
        policy=asdict(policy),
        seed=seed,
        content=drill_fingerprint(pack) if plan.take else content_fingerprint(pack, plan.lens, intake=given is not None),
        intake=fingerprint(given.intake) if given is not None else "",
        loop=plan.seat.loop if plan.seat else "",
        loop_run=plan.seat.run if plan.seat else "",
        loop_round=plan.seat.number if plan.seat else 0,
        severity=plan.severity,
        lens=plan.lens,
        question=plan.question,
        resumes=plan.resumes,
    )
    return _of_take(header, plan.take) if plan.take is not None else header


def _of_take(header: Header, take: TakePlan) -> Header:
    """A take belongs to no round: only its content has the shape of one."""
    return replace(
        header,
        round="",
        drill=take.drill,
        drill_prompt=take.prompt,
        drill_brief=take.brief,
        resumes=take.resumes,
        drill_step=take.step,
        drill_used=take.used,
    )


def rings(settings: Settings, echo: Duplex) -> bool:
    """Whether flags are heard: in an exam nobody helps, and without headphones the microphone would record the tone."""
    return settings["flag_tone"] == "on" and settings["mode"] == "coach" and echo.control is None


def makes_sounds(settings: Settings, echo: Duplex) -> bool:
    """Whether sounds of listening are made at all: nobody helps in an exam, and in half duplex they would make us deaf."""
    return settings["backchannels"] == "on" and settings["mode"] != "exam" and not isinstance(echo.control, HalfDuplex)


def listens(echo: Duplex) -> bool:
    """Whether the candidate is heard over the interviewer: a canceller has to show first that it works in this room."""
    return echo.control is None or (isinstance(echo.control, Cancelling) and echo.control.converged)


def _models(recogniser: Recogniser | None, voices: VoiceSet, model: ModelInterviewer | None) -> dict[str, str]:
    info = recogniser.info if recogniser is not None else None
    return {
        "stt": f"{info.model} {info.device} {info.compute_type}" if info else "off",
        "voice": voices.reason,
        **({"llm": model.client.server.name} if model is not None else {}),
    }
