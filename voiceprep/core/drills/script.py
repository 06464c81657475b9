"""What the interviewer says in a drill, line by line: the prompt, its steps in order, facts that are asked for, the end."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from voiceprep.core.drills.pack import PROMPT, Drill, Prompt, Step
from voiceprep.core.events import MoveKind
from voiceprep.core.interviewer.phrases import Phrases
from voiceprep.core.interviewer.reverse import ASKS, CALLS, fact_for, find_answer
from voiceprep.core.pack import Endings, Line, Point, Question, Tongue
from voiceprep.core.turns.ending import asks_again


@dataclass(frozen=True, slots=True)
class Choice:
    """A line to say. `step`: the one that it is the line of, or "": the reply that follows belongs to the step before it."""

    move: MoveKind
    text: str
    phrase: str
    reason: str
    step: str = ""
    target: str = ""
    again: bool = False
    """What was said last, once more: nothing was answered yet."""


class Script:
    """Chooses; it knows no clock. What it chose last can be taken back once (`undo`)."""

    def __init__(self, drill: Drill, prompt: Prompt, endings: Endings, tongue: Tongue, seed: int, start: str = "") -> None:
        """`start`: the step to begin with, in place of the prompt."""
        self._drill = drill
        self._prompt = prompt
        self._question = question_of(prompt)
        self._endings = endings
        self._tongue: Tongue = tongue
        self._phrases = Phrases(tongue, seed)
        self._next = next((number for number, step in enumerate(prompt.steps) if step.id == start), 0)
        self._resumed = bool(start)
        self._told: frozenset[str] = frozenset()
        self._step = PROMPT
        self._last: Choice | None = None
        self._before: tuple[int, frozenset[str], str, Choice | None, frozenset[str]]
        self._mark()

    @property
    def step(self) -> Step | None:
        """The step that is being replied to; None: the prompt itself."""
        return self._prompt.step(self._step)

    @property
    def upcoming(self) -> Step | None:
        """The step that comes next."""
        return self._prompt.steps[self._next] if self._next < len(self._prompt.steps) else None

    def open(self, *, brief: bool = False) -> Choice:
        """The prompt, after what the drill asks for unless `brief`; where an earlier take is taken up again, its step."""
        if self._resumed and (choice := self._advance("the drill is taken up again here")) is not None:
            return choice
        lines = [line for line in (None if brief else self._drill.opening, self._prompt.line) if line is not None]
        text = self._phrases.say_both(*lines)
        return self._remember(Choice("question", text, self._prompt.line.id, "the drill's prompt", PROMPT))

    def reply(self, text: str, heard: Collection[str], *, known: bool) -> Choice | None:
        """What follows a turn that said `text` and showed `heard` (not `known`: nobody knows). None: the drill is over."""
        self._mark()
        if known and asks_again(text, self._endings) and self._last is not None:
            return self._remember(self._once_more(self._last))
        if known and (told := self._tell(text, heard)) is not None:
            return self._remember(told)
        if self._drill.dialogue == "reverse" and not self._no_more(text):
            return self._remember(self._answer(text, known=known))
        return self._advance("the reply is over")

    def advance(self, reason: str) -> Choice | None:
        """The next step, whatever was said. None: there is none, and nothing to close with."""
        self._mark()
        return self._advance(reason)

    def close(self, reason: str) -> Choice | None:
        """The drill's last line, or None: it has none."""
        self._mark()
        return self._close(reason)

    def undo(self) -> None:
        """What was chosen last was not heard."""
        self._next, self._told, self._step, self._last, self._phrases.used = self._before

    # --- inside ---------------------------------------------------------------------------------------------------------

    def _mark(self) -> None:
        self._before = (self._next, self._told, self._step, self._last, self._phrases.used)

    def _remember(self, choice: Choice) -> Choice:
        self._last = choice
        self._step = choice.step or self._step
        return choice

    def _advance(self, reason: str) -> Choice | None:
        step = self.upcoming
        if step is None:
            return self._close("every step is through")
        self._next += 1
        return self._remember(Choice(step.move, self._phrases.say(step.line), step.line.id, reason, step.id, step.target))

    def _close(self, reason: str) -> Choice | None:
        line = self._drill.closing
        return self._remember(Choice("close", self._phrases.say(line), line.id, reason)) if line is not None else None

    def _once_more(self, last: Choice) -> Choice:
        text = self._phrases.again(last.phrase) or last.text
        return Choice("answer", text, last.phrase, "it was not caught", again=True)

    def _tell(self, text: str, heard: Collection[str]) -> Choice | None:
        """A fact that the candidate asks for in order to bound the prompt; what nobody knows is theirs to assume."""
        if self._drill.dialogue != "facts" or self._step != PROMPT:
            return None
        fact = fact_for(self._question, text, heard, self._told)
        if fact is not None:
            self._told |= {fact.line.id}
            return self._said(fact.line, "the candidate asked for a fact")
        assume = self._prompt.assume
        if assume is None or ASKS not in heard or CALLS.intersection(heard):
            return None
        return self._said(assume, "there is no fact about that")

    def _answer(self, text: str, *, known: bool) -> Choice:
        """The drill is the candidate's questions: each is answered, once; to what has no answer, the prompt has one line."""
        left = [fact for fact in self._prompt.facts if fact.line.id not in self._told]
        found = find_answer(left, text) if known else next(iter(left), None)
        if found is not None:
            self._told |= {found.line.id}
        line = found.line if found is not None else self._prompt.assume or self._prompt.line
        return self._said(line, "the candidate asked")

    def _no_more(self, text: str) -> bool:
        return any(pattern.search(text) for pattern in self._endings.no_question.get(self._tongue, ()))

    def _said(self, line: Line, reason: str) -> Choice:
        return Choice("answer", self._phrases.say(line), line.id, reason)


def question_of(prompt: Prompt) -> Question:
    """The prompt as a question of a round: what is known of those (facts, lines to render ahead) goes for it as well."""
    points = tuple(Point(step.id, step.target, "missing", step.line) for step in prompt.steps)
    return Question(prompt.id, PROMPT, "drill", prompt.line, points, facts=prompt.facts)
