"""The running session in the terminal: a live picture, plain lines for a pipe, or nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from voiceprep.cli.countdown import countdown
from voiceprep.cli.scene import Card, Scene, follow
from voiceprep.core.events import (
    CueGiven,
    EdgeFailed,
    Event,
    FlagRaised,
    Interrupted,
    NoteAdded,
    SectionChanged,
    SessionEnded,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SignalGiven,
    SpeakingFinished,
    SpeakingStarted,
    Word,
    WordsCommitted,
)
from voiceprep.core.text import mmss, text_of
from voiceprep.core.units import Seconds

BACK = "-back"
"""How the codes end of what is good news: a device has come back."""
FRAMES_A_SECOND = 8
NOTED_FOR: Seconds = 3.0
SIGNS = {"nod": "nods", "notes": "writes something down", "silence": "waits and says nothing"}
"""What there is to see of a micro-signal; one that is spoken is heard. What it means is not told here."""
SIGN_FOR: Seconds = 5.0
LEVEL_STYLES = {"notice": "cyan", "warning": "yellow", "fail": "bold red"}
QUIETEST, LOUDEST = -60.0, 0.0
"""The ends of the level meter, in dBFS."""
CAPTION_ROWS, LINE_ROWS = 4, 3
"""Fixed, so that the picture does not jump."""


class Screen(Protocol):
    """What a session shows. Every method returns at once and never raises for want of a terminal."""

    def show(self, event: Event) -> None:
        """Any event of the session, in the order of the log, commands included."""
        ...

    def level(self, dbfs: float) -> None:
        """The microphone's level just now."""
        ...

    def clock(self, at: float) -> None:
        """The session clock, in seconds."""
        ...

    def close(self) -> None:
        """Leave the terminal as it was. Idempotent."""
        ...


def open_screen(card: Card, console: Console) -> Screen:
    """A live picture where `console` is a terminal that can be drawn on, else plain lines."""
    return RichScreen(card, console) if console.is_terminal and not console.is_dumb_terminal else PlainScreen(card, console)


class QuietScreen:
    """Shows nothing."""

    def show(self, event: Event) -> None:
        pass

    def level(self, dbfs: float) -> None:
        pass

    def clock(self, at: float) -> None:
        pass

    def close(self) -> None:
        pass


class RichScreen:
    """A picture redrawn a few times a second, by a thread of its own: a slow terminal must not hold up the audio."""

    def __init__(self, card: Card, console: Console) -> None:
        self._card = card
        self._scene = Scene()
        self._live = Live(
            console=console,
            refresh_per_second=FRAMES_A_SECOND,
            get_renderable=lambda: frame(self._card, self._scene),
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._live.start()

    def show(self, event: Event) -> None:
        before, self._scene = self._scene, follow(self._scene, event)
        if isinstance(
            event, SpeakingStarted | WordsCommitted | CueGiven | SessionEnded
        ):  # the conversation stays, above the picture
            said = said_of(event, before, self._card)
            if said:
                print_line(self._live.console, self._scene, event, said, wrap=True)

    def level(self, dbfs: float) -> None:
        self._scene = replace(self._scene, level=dbfs)

    def clock(self, at: float) -> None:
        self._scene = replace(self._scene, now=max(self._scene.now, at))

    def close(self) -> None:
        self._live.stop()


class PlainScreen:
    """One line for each thing that matters, with its time since the session began."""

    def __init__(self, card: Card, console: Console) -> None:
        self._card = card
        self._console = console
        self._scene = Scene()
        self._trouble = ""

    def show(self, event: Event) -> None:
        before, self._scene = self._scene, follow(self._scene, event)
        said = self._said(event, before)
        if said:
            print_line(self._console, self._scene, event, said)

    def _said(self, event: Event, before: Scene) -> str:
        if isinstance(event, EdgeFailed):
            if event.message == self._trouble:
                return ""  # a dead recogniser fails again and again: once is enough
            self._trouble = event.message
        return said_of(event, before, self._card)

    def level(self, dbfs: float) -> None:
        pass

    def clock(self, at: float) -> None:
        pass

    def close(self) -> None:
        pass


def said_of(event: Event, before: Scene, card: Card) -> str:
    """The line that this event is worth, "" for most. `before` is the scene before it."""
    match event:
        case SessionStarted():
            return f"{card.title}, with {card.persona} ({card.role})"
        case SectionChanged():
            return f"== {card.sections.get(event.section, event.section)} ({mmss(event.budget)})"
        case SpeakingStarted() if event.of in before.lines:
            return f"{card.persona}: {before.lines[event.of]}"
        case SpeakingFinished() if not event.complete and event.heard and event.of not in before.asides:
            return f"{card.persona} was cut short after: {event.heard or '(nothing)'}"
        case WordsCommitted():
            return f"You: {text_of(event.words)}"
        case FlagRaised() if card.coach:
            return f"[{event.level}] {event.rule.replace('_', ' ')}: {event.advice}"
        case Interrupted():
            if event.reason == "false-start":
                return f"(you both begin; {card.persona} gives way)"
            return "(you interrupt)" if event.by == "candidate" else f"({card.persona} interrupts)"
        case SignalGiven() if event.signal in SIGNS:
            return f"({card.persona} {SIGNS[event.signal]})"
        case CueGiven():
            return f"[{mmss(event.mark)}] {event.text}"
        case SessionPaused():
            return "(paused: nothing is recorded)"
        case SessionResumed():
            return "(going on)"
        case NoteAdded():
            return f"(marked{': ' if event.text else ''}{event.text})"
        case EdgeFailed():
            return f"{'+' if event.code.endswith(BACK) else '!'} {event.message}"
        case SessionEnded():
            return f"The session is over: {event.reason.replace('-', ' ')}"
        case _:
            return ""


def print_line(console: Console, scene: Scene, event: Event, said: str, *, wrap: bool = False) -> None:
    """One line with its place in the recording, as the replay has it: where it was said, not where it became known.

    `wrap` breaks it between words at the terminal's width; a pipe gets it whole.
    """
    at = event.words[0].start + scene.offset if isinstance(event, WordsCommitted) and event.words else event.at
    place = mmss(scene.place(at))
    console.print(f"{place:>7}  {said}", markup=False, highlight=False, emoji=False, soft_wrap=not wrap)


def frame(card: Card, scene: Scene) -> RenderableType:
    """One picture of the session."""
    rows: list[RenderableType] = [
        _section(card, scene) if card.drill is None else countdown(card.drill, scene),
        Rule(style="dim"),
        Fixed(_interviewer(card, scene), LINE_ROWS),
        _floor(card, scene),
        Fixed(_captions(scene), CAPTION_ROWS, tail=True),
    ]
    if card.coach and scene.flags:
        rows += [Rule(style="dim"), _flags(scene)]
    if scene.noted is not None and scene.now - scene.noted < NOTED_FOR:
        rows.append(Text(f"✎ marked at {mmss(scene.place(scene.noted))}", style="cyan"))
    if scene.sign is not None and scene.sign.signal in SIGNS and scene.now - scene.sign.at < SIGN_FOR:
        rows.append(Text(f"{card.persona} {SIGNS[scene.sign.signal]}", style="dim italic"))
    if scene.trouble:
        rows.append(Text(f"! {scene.trouble}", style="bold red"))
    title = Text.assemble((card.title, "bold"), ("  with ", "dim"), card.persona, (f", {card.role}", "dim"))
    return Panel(Group(*rows), title=title, subtitle=Text(card.keys, style="dim"), border_style="blue", padding=(0, 1))


def _section(card: Card, scene: Scene) -> RenderableType:
    """Session clock, part of the round against its budget, level meter: one row."""
    spent = scene.now - scene.section_began
    share = spent / scene.budget if scene.budget else 0.0
    style = "green" if share < 0.8 else "yellow" if share <= 1.0 else "red"  # noqa: PLR2004  (the last fifth warns)
    row = Table.grid(expand=True, padding=(0, 2))
    row.add_column(no_wrap=True)
    row.add_column(no_wrap=True)
    row.add_column(ratio=1)
    row.add_column(no_wrap=True)
    row.add_column(no_wrap=True, justify="right")
    loud = min(1.0, max(0.0, (scene.level - QUIETEST) / (LOUDEST - QUIETEST)))
    row.add_row(
        Text.assemble((mmss(scene.elapsed), "bold"), (f" of {card.minutes[0]} min", "dim")),
        Text(card.sections.get(scene.section, scene.section), style="bold"),
        ProgressBar(1.0, share, complete_style=style, finished_style=style) if scene.budget else "",
        Text(f"{mmss(spent)} / {mmss(scene.budget)}" if scene.budget else "", style=style),
        Text.assemble(("mic ", "dim"), *_meter(loud)),
    )
    return row


def _meter(loud: float, width: int = 10) -> tuple[tuple[str, str], ...]:
    filled = round(loud * width)
    style = "red" if loud > 0.95 else "green"  # noqa: PLR2004  (about to clip)
    return (("━" * filled, style), ("━" * (width - filled), "bar.back"))


def _interviewer(card: Card, scene: Scene) -> Text:
    speaking = scene.floor == "interviewer"
    return Text.assemble(
        (f"{card.persona}: ", "bold magenta" if speaking else "magenta"), (scene.line, "default" if speaking else "grey70")
    )


def _floor(card: Card, scene: Scene) -> Text:
    """Who holds the floor, and for how long."""
    if scene.paused:
        return Text.assemble(("‖ paused", "bold yellow"), ("  nothing is recorded; p or Enter: go on", "dim"))
    for_now: Seconds = scene.now - scene.since
    match scene.floor:
        case "interviewer":
            return Text(f"▶ {card.persona} speaks", style="bold magenta")
        case "speaking" | "breath":
            mark = "● you speak" if scene.floor == "speaking" else "○ breath"
            return Text.assemble((mark, "bold green"), _answer_time(scene), _behind(scene))
        case "thinking":
            return Text.assemble(
                (f"◌ thinking {mmss(for_now)}", "bold cyan"),
                ("  the floor is yours", "dim"),
                _answer_time(scene),
                _behind(scene),
            )
        case "yielded":
            return Text(f"· {card.persona} is about to speak", style="magenta")
        case "ending":
            return Text("· ending the session, the last words are being written down", style="cyan")
        case "over":
            return Text("■ the session is over", style="bold")
        case _:
            return Text(f"· your turn {mmss(for_now)}", style="cyan")


def _answer_time(scene: Scene) -> tuple[str, str]:
    since = scene.turn_began
    return (f"  answer {mmss(scene.now - since)}" if since is not None else "", "dim")


def _behind(scene: Scene) -> tuple[str, str]:
    return (f"  words {scene.behind:.0f} s behind" if scene.behind else "", "dim")


def _captions(scene: Scene) -> Text:
    """The answer so far: words of record, firm words, and words that may still change."""
    parts = ((scene.committed, "default"), (scene.firm, "bold"), (scene.tentative, "dim italic"))
    words: tuple[Word, ...] = ()
    shown, text = "", Text()
    for more, style in parts:
        words = (*words, *more)
        whole = text_of(words)
        text.append(whole[len(shown) :], style=style)
        shown = whole
    return text


def _flags(scene: Scene) -> RenderableType:
    rows = Table.grid(padding=(0, 2))
    rows.add_column(no_wrap=True, justify="right")
    rows.add_column(no_wrap=True)
    rows.add_column(ratio=1, overflow="fold")
    for flag in scene.flags:
        style = LEVEL_STYLES[flag.level]
        rows.add_row(
            Text(mmss(scene.place(flag.at)), style="dim"), Text(f"▲ {flag.rule.replace('_', ' ')}", style=style), flag.advice
        )
    return rows


class Fixed:
    """A text in exactly `rows` rows: its beginning, or with `tail` its end. What was left out is marked by "…"."""

    def __init__(self, text: Text, rows: int, *, tail: bool = False) -> None:
        self._text = text
        self._rows = rows
        self._tail = tail

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = list(self._text.wrap(console, options.max_width))
        left_out = len(lines) > self._rows
        lines = lines[-self._rows :] if self._tail else lines[: self._rows]
        if left_out and self._tail:
            lines[0] = Text("… ", style="dim") + lines[0]
            lines[0].truncate(options.max_width)
        elif left_out:
            lines[-1].truncate(options.max_width - 2)
            lines[-1].append(" …", style="dim")
        yield from lines
        for _ in range(self._rows - len(lines)):
            yield Text()
