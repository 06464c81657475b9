"""The thing that a claim is about, short enough to be said: "the quota policy"."""

from __future__ import annotations

import re

from voiceprep.content.patterns import compiled
from voiceprep.core.pack import Tongue
from voiceprep.core.text import ONE_HANZI
from voiceprep.intake.lexicon import MOST_CHARACTERS, MOST_WORDS, Lexicon

_EN_TOKEN = re.compile(r"[A-Za-z0-9][\w+#&/.'’-]*|[^\w\s]")
_ADJECTIVE = re.compile(r"(?:\w+-)+\w+$|\w+(?:able|ible|ive|al|ous|ful|less|ic|ed|ent|ant|ly)$")
_ARTICLE = frozenset({"a", "an", "the"})
_OWN = frozenset(
    {"our", "their", "its", "my", "his", "her", "this", "these", "all", "several", "multiple", "various", "key", "new"}
)
_LATIN = re.compile(r"[A-Za-z]+")
_UNCOUNTED = re.compile(r"[\s，。？！、；：“”]")
_ZH_CUT = re.compile(r"[^\w\s+#&./%％、·-]|--|\s-\s")
"""Any mark but those that names are written with ends a thing."""
_ZH_FIGURE = re.compile(r"(?<![A-Za-z\d-])(?:[\d一二三四五六七八九十百]+(?:\.\d+)?\s*(?:%|％|倍|万|亿|个百分点)|\d)")


def object_of(rest: str, tongue: Tongue, lexicon: Lexicon) -> str:
    """What `rest`, the words after the verb, begins with: a noun phrase that fits its slot, or "" where none can be said."""
    return _english(rest, lexicon) if tongue == "en" else _chinese(rest, lexicon)


def length_of(text: str, tongue: Tongue) -> int:
    """As the limits of spoken lines count it: English words, or Chinese characters with a Latin word as two."""
    return len(text.split()) if tongue == "en" else len(_LATIN.sub("xx", _UNCOUNTED.sub("", text)))


def fits(text: str, tongue: Tongue, slot: str) -> bool:
    return length_of(text, tongue) <= (MOST_WORDS if tongue == "en" else MOST_CHARACTERS)[slot]


# --- English -------------------------------------------------------------------------------------------------------------


def _english(rest: str, lexicon: Lexicon) -> str:
    tokens = _noun_phrase(_EN_TOKEN.findall(rest), lexicon)
    named = not (tokens and tokens[0].lower() in _ARTICLE)
    while tokens and tokens[0].lower() in _ARTICLE | _OWN:
        tokens = tokens[1:]
    tokens = _shortened(tokens)
    while tokens and tokens[-1].lower() in {"and", "or", "of", "&", "the", "a"}:
        tokens = tokens[:-1]
    if not tokens or not any(re.search(r"[A-Za-z]{2}", token) for token in tokens):
        return ""
    if len(tokens) == 1 and (tokens[0].lower() in lexicon.common or tokens[0].lower() in lexicon.file.after.en):
        return ""
    single_name = named and len(tokens) == 1 and tokens[0][0].isupper() and not tokens[0].endswith("s")
    said = " ".join(tokens)
    return said if single_name or tokens[0][0].isdigit() else f"the {said}"


def _noun_phrase(tokens: list[str], lexicon: Lexicon) -> list[str]:
    """Up to the first word that says what for, how or with what result. "Scalable, multi-tenant scheduler" is one thing."""
    kept: list[str] = []
    ends = frozenset(lexicon.file.after.en)
    for index, word in enumerate(tokens):
        following = tokens[index + 1] if index + 1 < len(tokens) else ""
        if word == ",":
            if kept and all(_ADJECTIVE.match(each.lower()) or each.lower() in _ARTICLE for each in kept) and following:
                kept = []  # so far only its qualities were told
                continue
            break
        if not kept and (word == "%" or (following == "%" and word[0].isdigit())):
            continue  # "30% cost savings": the figure is told beside the thing
        if not re.match(r"\w", word) and word != "&":
            break
        if kept and (word.lower() in ends or _is_figure(word, following)):
            break
        if not kept and word.lower() in ends:
            return []
        kept.append("and" if word == "&" else word.rstrip("."))
    return kept


def _is_figure(word: str, following: str) -> bool:
    return word[0].isdigit() and (following == "%" or word.lower().endswith("x"))


def _shortened(tokens: list[str]) -> list[str]:
    """What fits, with an article: the first of several things, then the head without its qualities; never half a word."""
    most = MOST_WORDS["object"] - 1
    if len(tokens) > most:
        for joint in ("and", "of"):
            if joint in tokens[1:]:
                cut = tokens[: tokens.index(joint, 1)]
                tokens = cut or tokens
            if len(tokens) <= most:
                break
    return tokens if len(tokens) <= most else tokens[-4:]  # English has the head of a thing last


# --- Chinese -------------------------------------------------------------------------------------------------------------


def _chinese(rest: str, lexicon: Lexicon) -> str:
    text = _ZH_CUT.split(rest.strip().lstrip("了过的"), maxsplit=1)[0].strip()
    figure = _ZH_FIGURE.search(text, 1)
    if figure is not None and length_of(text[: figure.start()], "zh") >= 2:  # noqa: PLR2004  (one character is no thing)
        before = text[: figure.start()]
        # "管理 12 人的团队": a figure in the middle of a thing stays, one after it goes.
        text = text if re.search(r"的.{2,}$", text[figure.end() :]) else before
    for pattern in lexicon.file.after.zh:
        if (end := compiled(pattern).search(text, 2)) is not None:
            text = text[: end.start()]
    for tail in lexicon.file.tails.zh:
        text = re.sub(tail, "", text)
    text = text.strip(" 、和与及的并，,/")
    if not fits(text, "zh", "object"):
        text = _chinese_shortened(text)
    letters = ONE_HANZI.findall(text) or re.findall(r"[A-Za-z]{2,}", text)
    return text if letters and length_of(text, "zh") >= 2 and not _is_common(text, lexicon) else ""  # noqa: PLR2004


def _is_common(text: str, lexicon: Lexicon) -> bool:
    return text in lexicon.common


def _chinese_shortened(text: str) -> str:
    """The first of several things, then what stands last, behind a 的: in Chinese, too, the head of a thing comes last."""
    parts = [part for part in re.split(r"、|以及|及其|及|和|与|/", text) if length_of(part, "zh") >= 3]  # noqa: PLR2004
    first: str = parts[0] if parts else text
    for candidate in (first, *reversed(first.split("的"))):
        if length_of(candidate, "zh") >= 3 and fits(candidate, "zh", "object"):  # noqa: PLR2004
            return candidate
    return ""
