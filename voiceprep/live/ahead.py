"""Lines that are known before they are said: which those are, which may stay on the disk, and their rendering."""

from __future__ import annotations

import contextlib
from functools import cache

from voiceprep.core.drills.drill import DrillContent
from voiceprep.core.interviewer.phrases import all_phrasings, backchannels, known_lines
from voiceprep.core.pack import Content, RoundPack, Tongue
from voiceprep.core.policy import Policy
from voiceprep.errors import VoiceprepError
from voiceprep.live.interpreter import sentences
from voiceprep.speech.tts.base import Utterance, VoiceStyle
from voiceprep.speech.tts.cache import Keeps, RenderRequest
from voiceprep.speech.tts.ear import for_ear
from voiceprep.speech.tts.voice_set import VoiceSet


async def render_ahead(voices: VoiceSet, content: Content, tongue: Tongue, style: VoiceStyle, seed: int) -> None:
    """Known lines with a voice that is too slow to wait for, in the background."""
    lines = [piece for line in known_lines(content.round, tongue, seed) for piece in sentences(line)]
    await voices.render_ahead(RenderRequest(for_ear(piece, tongue), tongue, style) for piece in lines)


def no_secret(shipped: RoundPack, tongue: Tongue) -> Keeps:
    """What may stay on the disk when the session is deleted: lines that are in the files of the round, whatever the session.

    All others speak of the candidate: they quote the CV or what was said, or a language model made them from that.
    """

    @cache  # a second of work where lines are many, and only a voice that remembers asks
    def public() -> frozenset[str]:
        lines = all_phrasings(shipped, tongue)
        return frozenset(for_ear(piece, tongue) for line in lines for piece in sentences(line))

    return lambda text: text in public()


def at_once(content: Content, policy: Policy, tongue: Tongue, seed: int) -> list[str]:
    """What must sound at once or not at all: sounds of listening, and the cues of a drill."""
    if isinstance(content, DrillContent):
        return [mark.text[tongue] for mark in content.drill.marks if mark.spoken]
    return backchannels(content.round, tongue, seed) if policy.backchannels else []


async def sounds_of(voices: VoiceSet, texts: list[str], tongue: Tongue, style: VoiceStyle) -> dict[str, Utterance]:
    """These by their text, rendered before the session begins."""
    sounds = {}
    with contextlib.suppress(VoiceprepError):  # the first line will tell of a voice that fails; nobody misses an "mm-hm"
        for text in texts:
            sounds[text] = await voices.render(for_ear(text, tongue), tongue, style)
    return sounds
