"""Text to Kokoro's phonemes: Mandarin by misaki, English by the converter that comes with hibari (same alphabet)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib import util

from voiceprep.core.pack import Tongue
from voiceprep.speech.tts.ear import spell_latin

IDS: dict[str, int] = {
    symbol: first + offset
    for first, symbols in (
        (1, ";:,.!?"),
        (9, '—…"()“” \u0303ʣʥʦʨᵝꭧAI'),
        (31, "O"),
        (33, "Q"),
        (35, "ST"),
        (39, "W"),
        (41, "Yᵊabcdef"),
        (50, "hijklmnopqrstuvwxyzɑɐɒæ"),
        (75, "βɔɕç"),
        (80, "ɖðʤə"),
        (85, "ɚɛɜ"),
        (90, "ɟ"),
        (92, "ɡ"),
        (99, "ɥ"),
        (101, "ɨɪʝ"),
        (110, "ɯɰŋɳɲɴø"),
        (118, "ɸθœ"),
        (123, "ɹ"),
        (125, "ɾɻ"),
        (128, "ʁɽʂʃʈʧ"),
        (135, "ʊʋ"),
        (138, "ʌɣɤ"),
        (142, "χʎ"),
        (147, "ʒʔ"),
        (156, "ˈˌː"),
        (162, "ʰ"),
        (164, "ʲ"),
        (169, "↓"),
        (171, "→↗↘"),
        (177, "ᵻ"),
    )
    for offset, symbol in enumerate(symbols)
}
"""The model's alphabet: its phonemes and their numbers."""

LONGEST = 380
"""Phonemes of one pass. The model takes 510; well below, its rhythm holds."""

LATIN = re.compile(r"([A-Za-z](?:[A-Za-z.'’ -]*[A-Za-z])?)")
BREAKS = (re.compile(r"(?<=[.!?…]) +"), re.compile(r"(?<=[,;:—]) +"), re.compile(r" +"))


class Phonemes:
    """Loads what the languages need when they are first needed. English needs hibari; without it, letters are spelled."""

    def __init__(self) -> None:
        self._english: dict[bool, Callable[[str], str]] = {}
        self._chinese: Callable[[str], tuple[str, None]] | None = None

    def __call__(self, text: str, language: Tongue, *, british: bool = False) -> list[str]:
        """Phonemes of the text, in pieces for one pass of the model each."""
        spoken = self._mandarin(text) if language == "zh" else self._in_english(text, british=british)
        known = "".join(symbol for symbol in spoken if symbol in IDS)
        return [piece for piece in pieces(known) if any(symbol.isalpha() for symbol in piece)]

    def _in_english(self, text: str, *, british: bool) -> str:
        if british not in self._english:
            from hibari.g2p import G2P  # type: ignore[import-untyped]  # it ships no types

            self._english[british] = G2P(british=british)
        from hibari import Hibari  # type: ignore[import-untyped]

        return " ".join(self._english[british](sentence) or "" for sentence in Hibari.split_sentences(text))

    def _mandarin(self, text: str) -> str:
        if self._chinese is None:
            from misaki.zh import ZHG2P  # type: ignore[import-untyped]  # it ships no types

            self._chinese = ZHG2P()
        if not english_is_here():
            text = spell_latin(text)
        spoken = ""
        # split() with a group: Chinese and Latin by turns, Chinese first.
        for place, run in enumerate(LATIN.split(text)):
            if not run.strip():
                continue
            sound = self._in_english(run, british=False) if place % 2 else self._chinese(run)[0]
            spoken += sound if not spoken or sound[0] in ",.!?;:" else f" {sound}"
        return spoken


def english_is_here() -> bool:
    """Whether English can be converted to phonemes."""
    return util.find_spec("hibari") is not None


def pieces(phonemes: str) -> Iterator[str]:
    """Cut at sentences, else at clauses, else at words, else anywhere: at most LONGEST phonemes each."""
    phonemes = phonemes.strip()
    while len(phonemes) > LONGEST:
        cuts = (max((m.end() for m in at.finditer(phonemes, 0, LONGEST)), default=0) for at in BREAKS)
        cut = next(filter(None, cuts), LONGEST)
        yield phonemes[:cut].strip()
        phonemes = phonemes[cut:].strip()
    if phonemes:
        yield phonemes
