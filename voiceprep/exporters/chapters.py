"""What the pages tell of a session, chapter by chapter, as values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from voiceprep.content import interviewer
from voiceprep.content.review import load_review
from voiceprep.core.pack import Tongue, tongue_of
from voiceprep.core.text import mmss as clock
from voiceprep.core.timeline import Timeline, Turn
from voiceprep.exporters.blocks import Block, Chapter, Item, Items, Place, Quote, Table, Text, number_of, table
from voiceprep.exporters.looked_back import after_flags, before_flags, remarks
from voiceprep.exporters.subject import NAMES, Subject
from voiceprep.intake.backing import Backing, Verdict
from voiceprep.store.header import Header

ENDINGS = {
    "": "It is still running.",
    "completed": "The round was completed.",
    "audio-ended": "It ended with the recording.",
    "user": "You ended it.",
    "interrupted": "It was interrupted; this is what was recorded until then.",
}
VERDICTS: dict[Verdict, str] = {
    "backed": "backed up",
    "not-backed": "not backed up here",
    "open": "asked about, too little heard to say",
    "not-asked": "not asked about",
}
REDACTED = "taken out as far as they were recognised, which is an estimate: read it before you pass it on"
PROBED: frozenset[Verdict] = frozenset({"backed", "not-backed", "open"})


def facts(subject: Subject) -> list[tuple[str, str]]:
    """What stands under the title, by name."""
    header, timeline = subject.header, subject.timeline
    rows = [
        ("Started", f"{header.moment:%Y-%m-%d %H:%M} UTC"),
        ("Recorded", clock(timeline.duration)),
        ("Interviewer", _interviewer(header)),
        ("Language", header.language),
        ("Mode", header.mode),
        ("Models", ", ".join(f"{what}: {model}" for what, model in header.models.items())),
        ("Session", header.id),
        ("Names", REDACTED if subject.redacted else ""),
    ]
    return [row for row in rows if row[1]]


def _interviewer(header: Header) -> str:
    """By the name that was said in the session, and job, as far as their file is still there."""
    person = interviewer(header.persona)
    return f"{person.name[tongue_of(header.language)]}, {person.role['en']}" if person else header.persona


def chapters(subject: Subject) -> list[Chapter]:
    """All chapters but the transcript, in order; none is empty."""
    timeline, review = subject.timeline, subject.review
    story = " ".join(review.story) if review is not None and review.story else story_of(timeline)
    return [
        Chapter("story", "What happened", (Text(story),)),
        *(before_flags(review) if review is not None else ()),
        Chapter("flags", "Flags", (_flags(timeline, tongue_of(subject.header.language)) or Text("None was raised."),)),
        *(after_flags(review) if review is not None else ()),
        *_chapter("claims", "What your CV says", *_claims(subject.claims)),
        *_chapter("differences", "Said twice, differently", _differences(timeline)),
        *_chapter("sections", "Sections", _sections(timeline)),
        *_chapter("turns", "Turns", _turns(timeline)),
    ]


def closing(subject: Subject) -> list[Chapter]:
    """What stands after the transcript: notes, and what went wrong."""
    notes = remarks(subject.review) if subject.review is not None else _notes(subject.timeline)
    return [*_chapter("notes", "Notes", notes), *_chapter("troubles", "What went wrong", _troubles(subject.timeline))]


def _chapter(name: str, title: str, *blocks: Block | None) -> Iterator[Chapter]:
    there = tuple(block for block in blocks if block is not None)
    if there:
        yield Chapter(name, title, there)


def story_of(timeline: Timeline) -> str:
    """What happened, in a few sentences that rest on counts alone."""
    sentences = [_talking(timeline), _silence(timeline)]
    # What was begun and broke off, or never sounded, goes out again: a question is what was heard of it, once.
    heard = {said.id for said in timeline.utterances if said.heard}
    asked = len({(question.question, question.text) for question in timeline.questions if question.of in heard})
    if asked:
        sentences.insert(0, f"You were asked {number_of(asked, 'question')}.")
    cut_in = sum(cut.by == "candidate" and cut.reason != "false-start" for cut in timeline.interruptions)
    if cut_in:
        sentences.append(f"You broke into the interviewer's speech {'once' if cut_in == 1 else f'{cut_in} times'}.")
    ended = ENDINGS.get(timeline.ended, f"It ended early: {timeline.ended}.")
    return " ".join(sentence for sentence in [*sentences, ended] if sentence)


def _talking(timeline: Timeline) -> str:
    if not timeline.spoken:
        return "Nothing was heard of you."
    share = round(100 * timeline.spoken / timeline.duration)
    told = f"You spoke for {clock(timeline.spoken)} of {clock(timeline.duration)} ({share} %)"
    held = [turn.end - turn.start for turn in timeline.turns if turn.speaker == "candidate"]
    return f"{told}; the longest of your {number_of(len(held), 'turn')} ran {clock(max(held))}." if held else f"{told}."


def _silence(timeline: Timeline) -> str:
    inside = [pause for pause in timeline.pauses if pause.kind == "mid_answer"]
    if not inside:
        return ""
    longest = max(inside, key=lambda pause: pause.duration)
    return f"Your longest silence within an answer was {longest.duration:.1f} s, at {clock(longest.start)}."


def _flags(timeline: Timeline, tongue: Tongue) -> Table | None:
    """Rules by their names, in the session's language as the advice is."""
    texts = load_review()
    rows = [
        (Place(flag.end), flag.level, texts.rule(flag.rule, tongue), flag.advice, flag.evidence)
        for flag in sorted(timeline.flags, key=lambda flag: flag.at)
    ]
    return table(("When", "Level", "Rule", "Advice", "Evidence"), rows)


def _claims(claims: Sequence[Backing]) -> tuple[Block | None, ...]:
    """Those that were asked about, each with what was heard; of the others, only how many there are."""
    rows = [
        (
            Place(backing.start, backing.end),
            backing.claim.text,
            VERDICTS[backing.verdict],
            backing.heard[0].quote if backing.heard else backing.note,
        )
        for backing in claims
        if backing.verdict in PROBED
    ]
    rest = len(claims) - len(rows)
    more = " more" if rows else ""
    told = Text(f"{rest}{more} of its claims {'was' if rest == 1 else 'were'} not asked about.") if rest else None
    return table(("When", "Claim", "Here", "Heard"), rows), told


def _differences(timeline: Timeline) -> Table | None:
    rows = [
        (one.kind, Quote(Place(one.first.start), one.first.quote), Quote(Place(one.second.start), one.second.quote))
        for one in timeline.differences
    ]
    return table(("What", "First", "Then"), rows)


def _sections(timeline: Timeline) -> Table | None:
    rows = [
        (section.section, Place(section.start), clock(section.end - section.start), clock(section.budget))
        for section in timeline.sections
    ]
    return table(("Section", "From", "Took", "Planned"), rows)


def _turns(timeline: Timeline) -> Table | None:
    rows = [
        (
            str(turn.number),
            NAMES[turn.speaker],
            Place(turn.start),
            Place(turn.end),
            f"{_length(turn, timeline):.1f} s",
            turn.reason or "not ended",
        )
        for turn in timeline.turns
    ]
    return table(("Turn", "Who", "From", "To", "Length", "Ended"), rows)


def _length(turn: Turn, timeline: Timeline) -> float:
    """Of the interviewer's: how long it sounded. The opening question has no place in a recording that begins after it."""
    if turn.speaker == "candidate":
        return turn.end - turn.start
    return sum(said.seconds for said in timeline.utterances if said.turn == turn.number)


def _notes(timeline: Timeline) -> Items | None:
    items = tuple(Item(note.text.strip() or "marked", Place(note.media)) for note in timeline.notes)
    return Items(items) if items else None


def _troubles(timeline: Timeline) -> Items | None:
    lost = (Item(f"{gap.end - gap.start:.1f} s were not recorded: {gap.reason}", Place(gap.start)) for gap in timeline.gaps)
    failed = (Item(f"{failure.message} ({failure.code})") for failure in timeline.failures)
    items = (*lost, *failed)
    return Items(items) if items else None
