"""Everything a take of a drill needs to know, from the drill's files and those that all sessions share."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path

from voiceprep.config import data_folder
from voiceprep.content.drills import drill_file, load_drill
from voiceprep.content.loader import files_of, interviewer, load_rubrics
from voiceprep.core.drills.drill import DrillContent, as_round
from voiceprep.core.drills.pack import Drill
from voiceprep.core.pack import Persona, RoundPack
from voiceprep.core.units import Seconds
from voiceprep.errors import UsageError


@dataclass(frozen=True, slots=True)
class TakePlan:
    """Which take of which drill.

    Attributes:
        prompt: which of the drill's prompts, from 1.
        brief: the candidate knows the drill: its prompt alone is said.
        resumes: id of the interrupted take that this one takes up again, or "".
        step: the step at which it does; "" for the prompt itself.
        used: how much of the drill's time was used up by then.
    """

    drill: str
    prompt: int = 1
    brief: bool = False
    resumes: str = ""
    step: str = ""
    used: Seconds = 0.0


def drill_content(plan: TakePlan, prompts: Path | None = None, rubrics: Path | None = None) -> DrillContent:
    """What a take is held with.

    Raises UsageError (`unknown-drill`, `unknown-prompt`), or BadInputError (`bad-pack`) with all that is wrong in the files.
    """
    drill = load_drill(plan.drill, prompts, rubrics)
    if not 1 <= plan.prompt <= len(drill.prompts):
        raise UsageError(
            f"drill {drill.id} has no prompt {plan.prompt}",
            code="unknown-prompt",
            hint=f"choose from 1 to {len(drill.prompts)}",
        )
    prompt, common = drill.prompts[plan.prompt - 1], load_rubrics(rubrics)
    if plan.step and prompt.step(plan.step) is None:
        raise UsageError(
            f"drill {drill.id} has no step {plan.step!r} any more", code="unknown-step", hint="Begin a new take of it"
        )
    return DrillContent(
        round=as_round(drill, prompt, _persona(drill, prompts)),
        detectors=common.detectors,
        endings=common.endings,
        pacing=common.pacing,
        verbs=common.verbs,
        drill=drill,
        prompt=prompt,
        brief=plan.brief,
        step=plan.step,
        used=plan.used,
    )


def drill_fingerprint(pack: RoundPack, prompts: Path | None = None, rubrics: Path | None = None) -> str:
    """sha256, in hexadecimal, over every file that a take of this drill (in the shape of a round) comes from."""
    here = rubrics or data_folder("rubrics")
    digest = hashlib.sha256()
    for path in (*files_of(pack, prompts, rubrics), here / "drills.toml", drill_file(pack.id, prompts)):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _persona(drill: Drill, prompts: Path | None) -> Persona:
    """Who asks, and with a drill that has a patience of its own, for how long they wait whatever was said."""
    persona = interviewer(drill.persona, prompts)
    assert persona is not None, "the loader refuses a drill whose persona has no file"
    if drill.patience is None:
        return persona
    return replace(persona, patience_short=drill.patience, patience_long=drill.patience)
