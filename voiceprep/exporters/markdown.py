"""The session as a page to read: what happened, the flags with their advice, the turns, the transcript.

Whatever was said, noted or configured stays text: it can make no heading, no table cell, no link and no HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from voiceprep.content import interviewer
from voiceprep.core.events import Speaker
from voiceprep.core.text import paragraphs, text_of
from voiceprep.core.timeline import Timeline, Turn
from voiceprep.core.units import Media
from voiceprep.intake.backing import Backing, Verdict
from voiceprep.store.header import Header

NAME = "markdown"
SUFFIX = ".md"

WHO: dict[Speaker, str] = {"candidate": "You", "interviewer": "Interviewer"}
ENDINGS = {
    "": "It is still running.",
    "completed": "The round was completed.",
    "audio-ended": "It ended with the recording.",
    "user": "You ended it.",
    "interrupted": "It was interrupted; this is what was recorded until then.",
}

_SPECIAL = re.compile(r"[\\`*_\[\]<>#|~$&@]")
_LINK = re.compile(r"(://)|\b(www)\.", re.IGNORECASE)
_BLANKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")


def render(header: Header, timeline: Timeline, claims: Sequence[Backing] = ()) -> str:
    """The whole page."""
    parts = [
        [f"# {escape(header.title)}"],
        _facts(header, timeline),
        ["## What happened", _story(timeline)],
        _flags(timeline),
        _claims(claims),
        _differences(timeline),
        _sections(timeline),
        _turns(timeline),
        _transcript(timeline),
        _notes(timeline),
        _troubles(timeline),
    ]
    return "\n\n".join(block for part in parts for block in part if block) + "\n"


def escape(text: str) -> str:
    """The text on one line, so that Markdown shows exactly its characters."""
    plain = _BLANKS.sub(" ", text).strip()
    marked = _SPECIAL.sub(lambda found: f"\\{found[0]}", plain)
    return _LINK.sub(lambda found: r":\//" if found[1] else rf"{found[2]}\.", marked)


def clock(seconds: float) -> str:
    """A place or a length: ``4:07``, ``1:02:03``."""
    hours, rest = divmod(int(max(0.0, seconds)), 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def _facts(header: Header, timeline: Timeline) -> list[str]:
    rows = [
        ("Started", f"{header.moment:%Y-%m-%d %H:%M} UTC"),
        ("Recorded", clock(timeline.duration)),
        ("Interviewer", _interviewer(header)),
        ("Language", header.language),
        ("Mode", header.mode),
        ("Models", ", ".join(f"{escape(what)}: {escape(model)}" for what, model in header.models.items())),
        ("Session", escape(header.id)),
    ]
    return ["\n".join(f"- {name}: {value}" for name, value in rows if value)]


def _interviewer(header: Header) -> str:
    """By name and job, as far as their file is still there."""
    person = interviewer(header.persona)
    return escape(f"{person.name['en']}, {person.role['en']}" if person else header.persona)


def _story(timeline: Timeline) -> str:
    sentences = [_talking(timeline), _silence(timeline)]
    # What was begun and broke off, or never sounded, goes out again: a question is what was heard of it, once.
    heard = {said.id for said in timeline.utterances if said.heard}
    asked = len({(question.question, question.text) for question in timeline.questions if question.of in heard})
    if asked:
        sentences.insert(0, f"You were asked {_number(asked, 'question')}.")
    cut_in = sum(cut.by == "candidate" and cut.reason != "false-start" for cut in timeline.interruptions)
    if cut_in:
        sentences.append(f"You broke into the interviewer's speech {'once' if cut_in == 1 else f'{cut_in} times'}.")
    ended = ENDINGS.get(timeline.ended, f"It ended early: {escape(timeline.ended)}.")
    return " ".join(sentence for sentence in [*sentences, ended] if sentence)


def _talking(timeline: Timeline) -> str:
    if not timeline.spoken:
        return "Nothing was heard of you."
    share = round(100 * timeline.spoken / timeline.duration)
    told = f"You spoke for {clock(timeline.spoken)} of {clock(timeline.duration)} ({share} %)"
    held = [turn.end - turn.start for turn in timeline.turns if turn.speaker == "candidate"]
    return f"{told}; the longest of your {_number(len(held), 'turn')} ran {clock(max(held))}." if held else f"{told}."


def _silence(timeline: Timeline) -> str:
    inside = [pause for pause in timeline.pauses if pause.kind == "mid_answer"]
    if not inside:
        return ""
    longest = max(inside, key=lambda pause: pause.duration)
    return f"Your longest silence within an answer was {longest.duration:.1f} s, at {clock(longest.start)}."


def _flags(timeline: Timeline) -> list[str]:
    rows = [
        (f"{clock(flag.start)}-{clock(flag.end)}", flag.level, escape(flag.rule), escape(flag.advice), escape(flag.evidence))
        for flag in timeline.flags
    ]
    table = _table(("When", "Level", "Rule", "Advice", "Evidence"), rows)
    return ["## Flags", table or "None was raised."]


VERDICTS: dict[Verdict, str] = {
    "backed": "backed up",
    "not-backed": "not backed up here",
    "open": "asked about, too little heard to say",
    "not-asked": "not asked about",
}
PROBED: frozenset[Verdict] = frozenset({"backed", "not-backed", "open"})


def _claims(claims: Sequence[Backing]) -> list[str]:
    """Those that were asked about, each with what was heard; of the others, only how many there are."""
    rows = [
        (
            f"{clock(backing.start)}-{clock(backing.end)}",
            escape(backing.claim.text),
            VERDICTS[backing.verdict],
            escape(backing.heard[0].quote if backing.heard else backing.note),
        )
        for backing in claims
        if backing.verdict in PROBED
    ]
    rest = len(claims) - len(rows)
    more = " more" if rows else ""
    told = f"{rest}{more} of its claims {'was' if rest == 1 else 'were'} not asked about." if rest else ""
    return ["## What your CV says", *filter(None, [_table(("When", "Claim", "Here", "Heard"), rows), told])] if claims else []


def _differences(timeline: Timeline) -> list[str]:
    rows = [
        (
            one.kind,
            f"{clock(one.first.start)} {escape(one.first.quote)}",
            f"{clock(one.second.start)} {escape(one.second.quote)}",
        )
        for one in timeline.differences
    ]
    return _chapter("Said twice, differently", _table(("What", "First", "Then"), rows))


def _sections(timeline: Timeline) -> list[str]:
    rows = [
        (escape(section.section), clock(section.start), clock(section.seconds), clock(section.budget))
        for section in timeline.sections
    ]
    return _chapter("Sections", _table(("Section", "From", "Took", "Planned"), rows))


def _turns(timeline: Timeline) -> list[str]:
    rows = [
        (
            str(turn.number),
            WHO[turn.speaker],
            clock(turn.start),
            clock(turn.end),
            f"{_length(turn, timeline):.1f} s",
            escape(turn.reason) or "not ended",
        )
        for turn in timeline.turns
    ]
    return _chapter("Turns", _table(("Turn", "Who", "From", "To", "Length", "Ended"), rows))


def _length(turn: Turn, timeline: Timeline) -> float:
    """Of the interviewer's: how long it sounded. The opening question has no place in a recording that begins after it."""
    if turn.speaker == "candidate":
        return turn.end - turn.start
    return sum(said.seconds for said in timeline.utterances if said.turn == turn.number)


def _transcript(timeline: Timeline) -> list[str]:
    """Everything that was said, in order of time, each paragraph with the moment at which it begins."""
    aside: list[tuple[Media, Speaker, str]] = [
        (said.media, "interviewer", escape(said.heard))
        for said in timeline.utterances
        if said.media is not None and said.heard and not said.turn
    ]
    said = sorted([*(block for turn in timeline.turns for block in _said(turn)), *aside], key=lambda block: block[0])
    blocks = [f"**{clock(start)} {WHO[speaker]}:** {text}" for start, speaker, text in said]
    return ["## Transcript", *blocks] if blocks else []


def _said(turn: Turn) -> Iterator[tuple[Media, Speaker, str]]:
    if turn.speaker == "interviewer":
        cut = " — *(cut off)*" if turn.reason == "interrupted" else ""
        yield turn.start, turn.speaker, f"{escape(turn.text) or '*(nothing was heard)*'}{cut}"
    elif not turn.words:
        yield turn.start, turn.speaker, "*(no transcript)*"
    doubt = "" if turn.trusted else " *(the recogniser was not sure of this turn)*"
    for words in paragraphs(turn.words):
        yield words[0].start, turn.speaker, f"{escape(text_of(words))}{doubt}"


def _notes(timeline: Timeline) -> list[str]:
    return _chapter("Notes", "\n".join(f"- {clock(note.media)} {escape(note.text) or 'marked'}" for note in timeline.notes))


def _troubles(timeline: Timeline) -> list[str]:
    lost = [
        f"- {clock(gap.start)} {gap.end - gap.start:.1f} s were not recorded: {escape(gap.reason)}" for gap in timeline.gaps
    ]
    failed = [f"- {escape(failure.message)} ({escape(failure.code)})" for failure in timeline.failures]
    return _chapter("What went wrong", "\n".join(lost + failed))


def _chapter(title: str, body: str) -> list[str]:
    return [f"## {title}", body] if body else []


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))


def _number(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
