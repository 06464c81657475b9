from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voiceprep.core.annotation import Anchor, Annotation, Change, WordIndex, anchored, history, noted
from voiceprep.core.events import NoteAdded, Word
from voiceprep.core.units import At, Media


def words(text: str, start: float = 0.0, every: float = 0.5) -> tuple[Word, ...]:
    return tuple(
        Word(piece, Media(start + n * every), Media(start + n * every + 0.4), 0.9) for n, piece in enumerate(text.split())
    )


def remark(name: str, start: float = 1.0, text: str = "") -> Annotation:
    return Annotation(name, "user", "note", Anchor(Media(start), Media(start)), text)


def put(name: str, text: str = "") -> Change:
    return Change("set", "2026-12-01T09:00:00Z", remark(name, text=text))


UNDO, REDO = Change("undo", ""), Change("redo", "")


def ids(*changes: Change) -> list[str]:
    return [each.id for each in history(changes).annotations]


def test_undo_and_redo_go_back_and_forth_and_a_new_change_forgets_what_was_undone() -> None:
    assert ids(put("a"), put("b"), UNDO) == ["a"]
    assert ids(put("a"), put("b"), UNDO, REDO) == ["a", "b"]
    assert ids(put("a"), put("b"), UNDO, put("c"), REDO) == ["a", "c"]
    assert ids(put("a"), UNDO, UNDO, UNDO, REDO) == ["a"]


def test_an_edit_is_undone_to_what_stood_there_before() -> None:
    assert history([put("a", "one"), put("a", "two")]).annotations[0].text == "two"
    assert history([put("a", "one"), put("a", "two"), UNDO]).annotations[0].text == "one"


def test_what_was_removed_comes_back_also_a_note_of_the_log() -> None:
    (live,) = noted([NoteAdded(at=At(3.0), media=Media(2.0), text="")])
    assert live.kind == "star"
    remove = Change("remove", "", id=live.id)
    assert history([remove], [live]).annotations == ()
    assert history([remove, UNDO], [live]).annotations == (live,)


@given(st.lists(st.sampled_from(["set", "remove", "undo", "redo"]), max_size=30))
def test_undoing_everything_leaves_what_was_given_and_redoing_it_brings_all_back(ops: list[str]) -> None:
    first = remark("live-1")
    made = [
        put(f"n{n}") if op == "set" else Change(op, "", id=f"n{n - 1}")  # type: ignore[arg-type]  # sampled from its values
        for n, op in enumerate(ops)
    ]
    before = history(made, [first])
    undone = [*made, *[UNDO] * len(made)]
    assert history(undone, [first]).annotations == (first,)
    steps = sum(1 for _ in _undoable(made))
    assert history([*made, *[UNDO] * steps, *[REDO] * steps], [first]).annotations == before.annotations


def _undoable(changes: list[Change]) -> list[Change]:
    found = list(changes)
    out = []
    while (step := history(found).undoes) is not None:
        out.append(step)
        found.append(UNDO)
    return out


def test_a_range_of_words_keeps_its_quote_and_its_place() -> None:
    index = WordIndex(words("we cut the queue by forty percent"))
    anchor = index.of_words(2, 3)
    assert (anchor.quote, anchor.start, anchor.end) == ("the queue", 1.0, 1.9)
    with pytest.raises(IndexError):
        index.of_words(5, 9)
    with pytest.raises(IndexError):
        index.of_words(3, 2)


def test_after_another_decoding_the_words_are_found_by_time_and_text() -> None:
    old = WordIndex(words("we cut the queue by forty percent"))
    note = Annotation("n1", "user", "label", old.of_words(3, 3), "metric")
    longer = WordIndex(words("so well, we cut the Queue, by 40 percent", start=0.2))
    moved = anchored(note, longer)
    assert longer.quote(moved.anchor.first or 0, moved.anchor.last or 0) == "Queue,"
    assert (moved.anchor.start, moved.anchor.end, moved.anchor.quote) == (1.5, 1.9, "queue")


def test_where_the_quote_is_gone_the_place_decides_and_where_no_word_is_the_place_stays() -> None:
    old = WordIndex(words("we cut the queue by forty percent"))
    note = Annotation("n1", "user", "label", old.of_words(3, 3), "metric")
    other = WordIndex(words("we cut the cue by forty percent"))
    assert anchored(note, other).anchor.first == 3
    gone = anchored(note, WordIndex(()))
    assert (gone.anchor.first, gone.anchor.last) == (None, None)
    assert replace(gone, anchor=note.anchor) == note


def test_of_two_places_that_read_alike_the_nearer_is_taken() -> None:
    text = "the queue was long and then the queue was short"
    index = WordIndex(words(text))
    note = Annotation("n1", "user", "label", index.of_words(6, 7))
    late = WordIndex(words(text, start=0.7))
    assert anchored(note, late).anchor.first == 6


def test_chinese_is_found_character_by_character() -> None:
    index = WordIndex(words("我 们 先 砍 掉 了 两 个 队 列"))
    anchor = index.of_words(8, 9)
    assert anchor.quote == "队列"
    again = anchored(
        Annotation("n1", "user", "label", anchor), WordIndex(words("嗯 ， 我 们 先 砍 掉 了 两 个 队 列", every=0.45))
    )
    assert again.anchor.first == 10


def test_a_moment_between_two_words_hangs_on_the_time_alone() -> None:
    index = WordIndex(words("one two three"))
    assert index.at(0.45, 0.45) is None
    assert index.at(0.6, 0.6) == (1, 1)
    assert index.at(-1.0, 9.0) == (0, 2)
    assert index.anchor(0.5, 0.9).quote == "two"
