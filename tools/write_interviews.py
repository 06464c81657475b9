"""Write docs/interviews: sessions with simulated candidates, to be read as interviews.

    python tools/write_interviews.py

Each is played on the virtual clock through the real core, so the same is written every time; tests/bench compares them.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.simulated.characters import load_character  # noqa: E402  (the checkout is on the path now)
from bench.simulated.hearing import Interview, Line  # noqa: E402
from bench.simulated.matrix import played  # noqa: E402
from voiceprep.core.events import Language  # noqa: E402
from voiceprep.core.pack import tongue_of  # noqa: E402

FOLDER = ROOT / "docs" / "interviews"


@dataclass(frozen=True, slots=True)
class Shown:
    """A session that is kept as a document."""

    round: str
    candidate: str
    language: Language
    seed: int = 1

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.round}-{self.candidate}-{self.language}.md"


SHOWN = (
    Shown("gpu-hm-screen", "lecturing", "en"),
    Shown("gpu-bar-raiser", "strong", "zh"),
    Shown("anyscale-system-design", "conceding", "en"),
)


def document(shown: Shown) -> str:
    """The session as Markdown."""
    session = played(shown.round, shown.candidate, shown.language, shown.seed)
    return "\n".join([*_head(shown, session.held), *_body(session.held)]) + "\n"


def _head(shown: Shown, held: Interview) -> list[str]:
    pack, tongue = held.pack, tongue_of(held.language)
    least, most = pack.minutes
    return [
        f"# {pack.title['en']}: the {shown.candidate} candidate",
        "",
        "Written by `python tools/write_interviews.py`; a test keeps it so. A written candidate before the real core, on the",
        "virtual clock. It is graded by",
        f"`voiceprep bench simulated --round {shown.round} --candidate {shown.candidate} --lang {shown.language}`.",
        "",
        f"Interviewer: {pack.persona.name[tongue]}, {pack.persona.role[tongue]}.",
        f"Candidate: {load_character(shown.candidate).about}.",
        f"Took {held.elapsed / 60:.0f} minutes of {least if least == most else f'{least} to {most}'}.",
        "",
        "In small print: what a line was for, what was heard in the answer, and the flags that were raised while it lasted.",
        "",
    ]


def _body(held: Interview) -> list[str]:
    tongue = tongue_of(held.language)
    budgets = {section.id: section for section in held.pack.sections}
    entered: set[str] = set()
    out: list[str] = []
    for line in held.lines:
        if line.section not in entered:
            entered.add(line.section)
            section = budgets[line.section]
            out += [f"## {section.title[tongue]} ({section.budget / 60:.0f} min)", ""]
        out += _exchange(held, line)
    out += [f"*{_clock(held.elapsed)} · the session ends: {held.ended}*"]
    return out


def _exchange(held: Interview, line: Line) -> list[str]:
    tongue = tongue_of(held.language)
    name = held.pack.persona.name[tongue]
    out = [f"`{_clock(line.at)}` **{name}:** {line.text}  ", f"<sub>{_purpose(line)}</sub>", ""]
    end = line.voice[-1][1] if line.voice else line.at
    for prompt in held.prompts:
        if line.over is not None and line.over <= prompt.at <= max(end, prompt.at if not line.voice else end):
            out += [f"`{_clock(prompt.at)}` **{name}:** {prompt.text}  ", "<sub>encouragement</sub>", ""]
    if line.answer:
        begun = _clock(line.voice[0][0]) if line.voice else _clock(line.at)
        seconds = end - line.voice[0][0] if line.voice else 0.0
        small = [f"{seconds:.0f} s", *([f"heard: {', '.join(sorted(line.heard))}"] if line.heard else ["nothing heard"])]
        small += [f"**{flag.rule}, {flag.level}**" for flag in line.flags]
        out += [f"`{begun}` **Candidate:** {line.answer}  ", f"<sub>{' · '.join(small)}</sub>", ""]
    return out


def _purpose(line: Line) -> str:
    if line.cut_in:
        return f"breaks in: {line.move}, after {line.target or line.cut_in}"
    if line.raises:
        return f"{line.move}: {line.question}"
    return f"{line.move}{f', after {line.target}' if line.target else ''}: {line.reason}"


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for shown in SHOWN:
        shown.path.write_text(document(shown), encoding="utf-8")
        print(shown.path.relative_to(ROOT))


if __name__ == "__main__":
    main()
