"""What cannot be true of one answer at once, by what the labels mean: who reasons on after an admission has not quit after it.

Detectors weigh each label by itself; where two that exclude each other are both heard, one of them was misheard. And what
holds next to no word that was ever learnt shows nothing: weights of what is missing still add up to a verdict.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from voiceprep.core.answers.classifier import Asked, Classifier
from voiceprep.core.answers.features import english_words
from voiceprep.core.pack import Detector
from voiceprep.core.text import HANZI

LEAST_TOKENS = 4
"""A shorter answer may be a name and a place, which nobody has learnt."""
KNOWN_SHARE = 0.25
"""Of an answer's words: in 122 written answers at least 0.5 were known, in nonsense 0.1 at most."""
KNOWN_PAIR = 2
"""A known pair of Chinese characters counts for so many: of an answer's pairs 0.27 at least were known, in nonsense none."""
_RUN = re.compile(f"[{HANZI}]+")


def intelligible(text: str, parts: Iterable[str], trained: Classifier) -> bool:
    """Whether enough of an answer, or of one of its `parts`, was ever learnt for the trained part to judge it.

    A very short answer always is; a part that short says nothing of the rest.
    """
    return _known(text, trained, short=True) or any(_known(part, trained, short=False) for part in parts)


def _known(text: str, trained: Classifier, *, short: bool) -> bool:
    words = english_words(text)
    pairs = [left + right for run in _RUN.findall(text) for left, right in pairwise(run)]
    count = len(words) + len(pairs)
    if count < LEAST_TOKENS:
        return short
    numbers = trained.lexicon.numbers | trained.lexicon.fillers
    known = sum(word in trained.clause or word in numbers or word[0].isdigit() for word in words)
    known += KNOWN_PAIR * sum(pair in trained.clause for pair in pairs)
    return known >= KNOWN_SHARE * count


def possible(text: str, detectors: Sequence[Detector], asked: Asked) -> frozenset[str]:
    """The labels that an answer can show at all: none that wants a word it does not have, or another kind of question."""
    spoken = text.casefold()
    return frozenset(one.id for one in detectors if _worded(spoken, one.only) and _asked(one, asked.question))


def _worded(spoken: str, only: Sequence[re.Pattern[str]]) -> bool:
    return not only or any(pattern.search(spoken) for pattern in only)


def _asked(detector: Detector, question: str) -> bool:
    """A question that is not known may be of any kind."""
    if not detector.asked or not question or detector.trained is None:
        return True
    return any(detector.trained.questions[kind].search(question) for kind in detector.asked)


def misheard(heard: Mapping[str, float], detectors: Sequence[Detector], *, replies: bool) -> frozenset[str]:
    """Labels among those heard that the others, or what was asked, rule out.

    Args:
        heard: the labels, each with how likely it is, 0..1.
        detectors: which labels exclude each other (`never_with`), and which can only be shown in a reply (`in_reply`).
        replies: the answer replies to a push-back or a follow-up.
    """
    out = {one.id for one in detectors if one.id in heard and one.in_reply and not replies}
    for one in detectors:
        for other in one.never_with:
            if one.id in heard and other in heard and not {one.id, other} & out:
                out.add(min(one.id, other, key=lambda label: (heard[label], label != one.id)))
    return frozenset(out)
