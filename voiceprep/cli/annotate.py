"""`voiceprep annotate ID`: notes, stars and labels of your own, at a time or on words; all can be undone."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from voiceprep.cli.output import console, messages, print_json
from voiceprep.cli.sessions import Id, open_archive
from voiceprep.core.text import says_something
from voiceprep.errors import UsageError

if TYPE_CHECKING:
    from voiceprep.core.annotation import Anchor, Annotation, Change, History, Kind
    from voiceprep.store.annotations import Annotations

CODE = "bad-annotation"
_PLACE = re.compile(r"[-+]?\d+(\.\d*)?|\d+:[0-5]?\d(\.\d*)?|\d+:[0-5]?\d:[0-5]?\d(\.\d*)?", re.ASCII)
EXAMPLE = 'voiceprep annotate ID --at 83.2 --note "say the number first"'


def seconds(place: str) -> float:
    """Seconds of a place as people write it: ``83.2``, ``1:23``, ``1:02:03``. Raises BadParameter."""
    if _PLACE.fullmatch(place.strip()) is None:
        raise typer.BadParameter(f"{place} is no place in a recording: write 83.2, 1:23 or 1:02:03")
    total = 0.0
    for part in place.strip().split(":"):
        total = 60.0 * total + float(part)
    return total


def annotate(
    session: Id,
    at: Annotated[
        float | None, typer.Option(metavar="PLACE", parser=seconds, help="Where in the recording: 83.2, 1:23 or 1:02:03.")
    ] = None,
    until: Annotated[
        float | None, typer.Option(metavar="PLACE", parser=seconds, help="... and how far, for a stretch.")
    ] = None,
    words: Annotated[
        str | None, typer.Option(metavar="N[-M]", help="On these words of the transcript, counted from 0, both included.")
    ] = None,
    note: Annotated[str | None, typer.Option(metavar="TEXT", help="Write this there.")] = None,
    star: Annotated[bool, typer.Option("--star", help="Mark the place.")] = False,
    label: Annotated[str | None, typer.Option(metavar="NAME", help="Give it a label.")] = None,
    correct: Annotated[str | None, typer.Option(metavar="TEXT", help="These words should read TEXT.")] = None,
    edit: Annotated[str | None, typer.Option(metavar="ANNOTATION", help="Change the text or the place of one.")] = None,
    remove: Annotated[str | None, typer.Option(metavar="ANNOTATION", help="Take one away.")] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Take the last change back.")] = False,
    redo: Annotated[bool, typer.Option("--redo", help="Make it again.")] = False,
    list_: Annotated[bool, typer.Option("--list", help="Show all annotations, a machine's as well.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Annotate a session: note, star or label a time or some words; edit, remove, undo, redo.

    Nothing that was written is ever lost: changes are added to annotations.jsonl in the session's folder, and what holds now
    stands in annotations.json.
    """
    wanted = {
        "note": note is not None and edit is None,
        "star": star,
        "label": label is not None and edit is None,
        "correction": correct is not None,
        "edit": edit is not None,
        "remove": remove is not None,
        "undo": undo,
        "redo": redo,
        "list": list_,
    }
    chosen = [name for name, it_is in wanted.items() if it_is]
    if len(chosen) != 1:
        what = "say what to do" if not chosen else f"{' and '.join(chosen)} at once is too much"
        raise UsageError(f"{what}: --note, --star, --label, --correct, --edit, --remove, --undo, --redo or --list", code=CODE)
    folder = open_archive().find(session)
    if list_:
        _list(folder, as_json=as_json)
        return
    from voiceprep.review.page import annotations_of

    annotations, index, duration = annotations_of(folder)
    action = chosen[0]
    if action in {"undo", "redo"}:
        before = annotations.history()
        change = annotations.undo() if undo else annotations.redo()
        if as_json:
            print_json({"session": folder.name, "done": action, "change": asdict(change)})
        else:
            messages().print(_told(change, before, annotations.history()), markup=False)
        return
    if remove is not None:
        _tell(folder, "removed", annotations.remove(remove), as_json=as_json)
        return
    anchor = _anchor(at, until, words, index, duration)
    text = next((given for given in (note, label, correct) if given is not None), None)
    if edit is not None:
        if text is None and anchor is None:
            raise UsageError("say what to change: a text with --note or --label, or another place", code=CODE)
        _tell(folder, "changed", annotations.edit(edit, text=text, anchor=anchor), as_json=as_json)
        return
    _tell(folder, "added", _added(annotations, action, anchor, text), as_json=as_json)


def _added(annotations: Annotations, action: str, anchor: Anchor | None, text: str | None) -> Annotation:
    if anchor is None:
        raise UsageError("say where: --at SECONDS or --words N-M", code=CODE, hint=EXAMPLE)
    if action == "correction" and anchor.first is None:
        raise UsageError("a correction stands on words: --words N-M", code=CODE)
    if action != "star" and not says_something(text or ""):
        raise UsageError(f"an empty {action} says nothing", code=CODE, hint="--star marks a place without words")
    kind: Kind = {"note": "note", "star": "star", "label": "label", "correction": "correction"}[action]  # type: ignore[assignment]  # its own values
    return annotations.add(kind, anchor, text or "")


def _anchor(at: float | None, until: float | None, words: str | None, index: Any, duration: float) -> Anchor | None:
    """The place that was given, or None. Raises UsageError for one that is outside of the recording."""
    if words is not None:
        if at is not None or until is not None:
            raise UsageError("a place is either a time or words, not both", code=CODE)
        return _on_words(words, index)
    if at is None:
        if until is not None:
            raise UsageError("--until needs --at", code=CODE)
        return None
    end = at if until is None else until
    from voiceprep.store.annotations import check_place

    check_place(at, end, duration)
    made: Anchor = index.anchor(at, end)
    return made


def _on_words(words: str, index: Any) -> Anchor:
    first, _, last = words.partition("-")
    try:
        made: Anchor = index.of_words(int(first), int(last or first))
    except ValueError as error:
        raise UsageError(f"--words {words} is not like 10 or 10-14", code=CODE) from error
    except IndexError as error:
        count = len(index.words)
        there = f"its words are 0 to {count - 1}" if count else "it has no words"
        raise UsageError(f"the transcript has no words {words}: {there}", code=CODE) from error
    return made


def _tell(folder: Path, done: str, annotation: Annotation, *, as_json: bool) -> None:
    if as_json:
        print_json({"session": folder.name, "done": done, "annotation": asdict(annotation)})
    else:
        messages().print(f"{done.capitalize()}: {annotation.kind} {annotation.id}", markup=False)


def _told(change: Change, before: History, after: History) -> str:
    """What an undo or a redo did: ``label n3 removed``."""
    name = change.annotation.id if change.annotation else change.id
    was, now = (next((each for each in one.annotations if each.id == name), None) for one in (before, after))
    if now is None:
        return f"{was.kind if was else 'annotation'} {name} removed"
    return f"{now.kind} {name} {'is back' if was is None else 'changed'}"


def _list(folder: Path, *, as_json: bool) -> None:
    from voiceprep.cli.review_page import Page
    from voiceprep.content.review import load_review
    from voiceprep.review.page import annotations_of, review_of

    made = review_of(folder)
    if as_json:
        history = annotations_of(folder)[0].history()
        document = made.to_json()
        print_json(
            {
                "session": folder.name,
                "annotations": document["annotations"],
                "undo": history.undoes is not None,
                "redo": history.redoes is not None,
            }
        )
        return
    page = Page(made, load_review())
    for each in made.annotations:
        console().print(page.note(each), soft_wrap=True)
