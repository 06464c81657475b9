"""Live captions."""

from tests.fakes.content import content
from tests.fakes.table import Table, of_kind
from voiceprep.core.captions import agree
from voiceprep.core.events import CaptionChanged, Word
from voiceprep.core.policy import Policy
from voiceprep.core.units import Media


def word(text: str, start: float, end: float) -> Word:
    return Word(text, Media(start), Media(end), 0.9)


def test_captions_firm_up_by_agreement_and_firm_words_stay() -> None:
    t = Table(content(), policy=Policy(captions=True))
    t.start()
    t.say(5, 13, "one two three four five six seven eight")
    t.stop(20)
    t.run()
    captions = of_kind(t.log, CaptionChanged)
    assert len(captions) > 5
    firm: tuple[Word, ...] = ()
    for caption in captions:
        assert caption.firm[: len(firm)] == firm
        firm = caption.firm
    assert len(firm) >= 5


def test_agreement_ignores_case_and_punctuation() -> None:
    before = (word("We", 0, 1), word("had", 1, 2), word("a,", 2, 3))
    now = (word("we", 0, 1), word("had.", 1, 2), word("the", 2, 3))
    assert agree(before, now) == 2
