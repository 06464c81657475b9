"""`voiceprep review ID`: one page to read first, a picture, and everything that the session shows."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from voiceprep.cli.output import console, messages, print_json
from voiceprep.cli.sessions import Id, open_archive, tell_if_running
from voiceprep.errors import MissingError, UsageError
from voiceprep.review.figure import Kind

if TYPE_CHECKING:
    from voiceprep.core.pack import Tongue
    from voiceprep.review.document import QuizItem, Review

FORMATS: Mapping[str, Kind] = {".png": "png", ".svg": "svg"}


def review(
    session: Id = "latest",
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole review as one JSON document.")] = False,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the session into FILE: .png or .svg, by its name.")
    ] = None,
    dark: Annotated[bool, typer.Option("--dark", help="... on dark paper.")] = False,
    lang: Annotated[
        str | None, typer.Option(metavar="en|zh", help="Language of the review; the session's, unless given.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="The transcript as well, with all annotations.")] = False,
    brief: Annotated[bool, typer.Option("--brief", help="The first page alone.")] = False,
    quiz: Annotated[bool, typer.Option("--quiz", help="Guess what the interviewer's face meant, before you are told.")] = False,
) -> None:
    """Look back on a session: what happened, what mattered, what to practise next.

    Everything is computed from the session's folder; review.json there is written anew. Times are places in the recording.
    """
    tongue = _tongue(lang)
    kind = None if picture is None else picture_kind(picture)
    folder = open_archive().find(session)
    from voiceprep.review.page import review_of, write
    from voiceprep.review.results import keep_missing_results

    keep_missing_results(folder)
    made = review_of(folder, tongue)
    tell_if_running(folder)
    if made.facts.ended and tongue is None:
        with contextlib.suppress(MissingError):  # somebody else's disk: it can be read all the same
            write(folder, made)
    if picture is not None and kind is not None:
        from voiceprep.review.kept_review import kept_picture

        write_picture(picture, kept_picture(folder, kind, "dark" if dark else "light", tongue))
    if as_json:
        print_json(made.to_json())
    elif quiz:
        _ask(folder, made)
    elif picture is None or everything or brief:
        show(made, everything=everything, brief=brief)


def show(made: Review, *, everything: bool = False, brief: bool = False) -> None:
    """Print a review."""
    from voiceprep.cli.review_page import Page
    from voiceprep.content.review import load_review

    out = console()
    page = Page(made, load_review(), out.width)
    out.print(page.first())
    if not brief:
        out.print(page.details())
    if everything:
        out.print(page.transcript())


def _tongue(lang: str | None) -> Tongue | None:
    if lang not in {None, "en", "zh"}:
        raise UsageError(f"--lang {lang} is neither en nor zh", code="bad-setting")
    return cast("Tongue | None", lang)


def picture_kind(file: Path) -> Kind:
    """A picture's format, by its file's name. Raises UsageError (`unknown-format`)."""
    kind = FORMATS.get(file.suffix.lower())
    if kind is None:
        raise UsageError(
            f"{file.name} is neither .png nor .svg", code="unknown-format", hint="The picture's format goes by its name"
        )
    return kind


def write_picture(file: Path, data: bytes) -> None:
    """Write a picture and say where. Raises UsageError (`output-unwritable`)."""
    try:
        file.write_bytes(data)
    except OSError as error:
        raise UsageError(f"cannot write to {file}: {error.strerror or error}", code="output-unwritable") from error
    messages().print(f"Drawn into {file}", markup=False, soft_wrap=True)


def _ask(folder: Path, made: Review) -> None:
    """The quiz: each signal with what had just been said; the reading is kept as an annotation."""
    if not made.quiz:
        messages().print("This interviewer gave no micro-signals.", markup=False)
        return
    if not sys.stdin.isatty():
        raise UsageError("nobody can be asked here", code="not-a-terminal", hint="voiceprep review --json has the quiz as data")
    right = sum(_answered(folder, made, item) for item in made.quiz)
    console().print(f"{right}/{len(made.quiz)}", style="bold")


def _answered(folder: Path, made: Review, item: QuizItem) -> bool:
    from voiceprep.cli.output import printable
    from voiceprep.content.review import load_review
    from voiceprep.core.annotation import Anchor
    from voiceprep.core.text import mmss
    from voiceprep.store.annotations import Annotations

    texts, tongue, out = load_review(), made.tongue, console()
    said = f"“{printable(item.said.quote)}”" if item.said else ""
    out.print(f"\n{mmss(item.at)}  {said}", style="italic", markup=False)
    choices = [texts.say("meant", one, tongue) for one in ("on-track", "off-track")]
    out.print(f"  {texts.say('signs', item.signal, tongue)}. {texts.say('page', 'ask', tongue)}", markup=False)
    out.print(f"  1 {choices[0]}   2 {choices[1]}", markup=False)
    reading = "on-track" if typer.prompt("", type=int, prompt_suffix="> ") == 1 else "off-track"
    Annotations(folder).add("reading", Anchor(item.at, item.at), reading, item.id)
    correct = reading == item.meant
    meant = texts.say("meant", item.meant, tongue)
    out.print(f"  {texts.say('page', 'right' if correct else 'wrong', tongue, meant=meant)}", markup=False)
    return correct
