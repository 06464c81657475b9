"""Where every pacing rule must fire: stretches that end just below, at and just above each threshold, all times known exactly.

A case names the crossings that must be flagged. Just below, none may; at the threshold itself either is right; above, the span
of the flag must end at the crossing, and it must be raised within a quarter of a second of when what it needs was known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from bench.pacing_scene import Line, Scene, spoken
from voiceprep.core.events import Language, Level, Word
from voiceprep.core.pack import Content, PacingRule, Question, tongue_of
from voiceprep.core.units import Seconds

Place = Literal["below", "at", "above"]
STEPS: dict[Place, Seconds] = {"below": -0.3, "at": 0.0, "above": 0.3}
OFF: dict[Place, float] = {"below": -0.02, "above": 0.02}
"""How far off a threshold rates are, as a share."""
FIRST: Seconds = 4.0
"""Where the candidate's speech begins, after an opening question of three seconds."""
ASKED = 3.0

NEUTRAL: dict[Language, str] = {
    "en": "we went over there on that day and then they came back again with the other people from the house. ",
    "zh": "那天我们过去了一趟然后他们又跟那边的人一起回来了。",
    "mixed": "那天我们过去了一趟然后 they came back 跟那边的人一起回来了。",
}
HEADLINE: dict[Language, str] = {
    "en": "My recommendation is to replay the old traffic first.",
    "zh": "我的建议是先把旧流量重放一遍。",
}
BLUFF: dict[Language, str] = {
    "en": "I'm very comfortable with it, it's basically all handled under the hood.",
    "zh": "这块我很熟，底层会自动处理的。",
}
ADMIT: dict[Language, str] = {"en": "I don't know how that works, I've never done it myself.", "zh": "这个我不懂，没做过。"}
CALL: dict[Language, str] = {
    "en": "So I'd go with fair share and preemption, because the long jobs can wait and the short ones can't.",
    "zh": "所以我选公平份额加抢占，因为长任务等得起，短任务等不起。",
}
QUESTIONS: dict[Language, tuple[str, ...]] = {
    "en": (
        *("How many clusters do we have?", "Who pays for the cards?", "What kinds of jobs are there?"),
        *("How long does the longest job run?", "Which regions are they in?", "Do they have quotas today?"),
        "What happens when a node fails?",
    ),
    "zh": (
        *("现在有几个集群？", "卡的钱谁出？", "都是什么类型的任务？", "最长的任务跑多久？"),
        *("分布在哪些地区？", "他们现在有配额吗？", "节点坏了会怎么样？"),
    ),
}
SOLUTION: dict[Language, str] = {
    "en": "I'd build a central queue with three priority levels.",
    "zh": "我会搭一个中央队列，分三个优先级。",
}
PUSH: dict[Language, str] = {"en": "Finance won't pay for that. Why should they?", "zh": "财务不会为这个出钱的，凭什么？"}
DEFENCE: dict[Language, str] = {
    "en": "As I said, I still think the quotas are right.",
    "zh": "我刚才说过了，我还是觉得配额是对的。",
}
CONCESSION: dict[Language, str] = {
    "en": "You're right, then let's drop the quotas.",
    "zh": "您说得对，那就不做配额了，听您的。",
}


@dataclass(frozen=True, slots=True)
class Expected:
    """A crossing: the flag's level and span. `end` None: where a word happens to end, which nothing else depends on."""

    level: Level
    start: Seconds | None
    end: Seconds | None


@dataclass(frozen=True, slots=True)
class Case:
    rule: str
    place: Place
    scene: Scene
    must: tuple[Expected, ...]
    may: tuple[Expected, ...] = ()
    """At the threshold itself."""
    group: str = field(default="paper")


def cases(content: Content, language: Language) -> Iterator[Case]:
    """Every case on paper of this language. `content` is the round gpu-technical."""
    yield from _timing(content, language)
    yield from _sections(content, language)
    if language != "mixed":
        yield from _headlines(content, language)
        yield from _bluffs(content, language)
        yield from _clarifying(content, language)
        yield from _replies(content, language)
    yield from _rates(content, language)
    yield from _jumps(content, language)
    yield from _fillers(content, language)


def question(content: Content, id: str) -> Question:  # noqa: A002  (the field's own name)
    return next(one for one in content.round.questions if one.id == id)


def opening(content: Content, language: Language, id: str = "two-racks", text: str = "") -> Line:  # noqa: A002
    tongue = tongue_of(language)
    asked = text or question(content, id).line.phrasings[tongue][0]
    return Line(0.0, ASKED, "question", id, asked, section=content.round.sections[0].id, budget=0.0)


def reached(rule: PacingRule, start: Seconds, length: Seconds) -> tuple[Expected, ...]:
    """The crossings of a stretch that lasts for `length` seconds."""
    return tuple(Expected(t.level, start, start + t.value) for t in rule.thresholds if t.value < length)


def _crossing(name: str, rule: PacingRule, start: Seconds, build: Callable[[Seconds], Scene]) -> Iterator[Case]:
    for threshold in rule.thresholds:
        for place, step in STEPS.items():
            length = threshold.value + step
            scene = build(length)
            edge = (Expected(threshold.level, start, start + threshold.value),) if place == "at" else ()
            yield Case(name, place, scene, reached(rule, start, length - 1e-6), edge)


# --- voice activity and turns ---------------------------------------------------------------------------------------------


def _timing(content: Content, language: Language) -> Iterator[Case]:
    line = opening(content, language)

    def floor(length: Seconds) -> Scene:
        end = FIRST + length
        lines = (line, Line(end, end + 3, "followup"))
        return Scene(lines, tuple(_phrases(FIRST, end - 0.05)), (), end + 8, language)

    def inside(length: Seconds) -> Scene:
        begun = 10.0 + length
        return Scene((line,), ((FIRST, 10.0), (begun, begun + 5)), (), begun + 6, language)

    def before(length: Seconds) -> Scene:
        begun = ASKED + length
        return Scene((line,), ((begun, begun + 5),), (), begun + 6, language)

    yield from _crossing("monologue", content.pacing["monologue"], FIRST, floor)
    yield from _crossing("long_pause", content.pacing["long_pause"], 10.0, inside)
    yield from _crossing("long_pause", content.pacing["long_pause"], ASKED, before)
    for wanted, high in ((0.48, False), (0.52, False), (0.68, True), (0.72, True)):
        yield _share(content, language, wanted, high=high)


def _phrases(start: Seconds, end: Seconds, length: Seconds = 8.0, gap: Seconds = 0.7) -> Iterator[tuple[Seconds, Seconds]]:
    """Speech with breaths between phrases; its end is exact."""
    now = start
    while end - now > length + gap + 1.0:
        yield now, now + length
        now += length + gap
    yield now, end


def _share(content: Content, language: Language, wanted: float, *, high: bool) -> Case:
    """Twelve minutes in which the candidate speaks for this share, in turns of a minute."""
    lines, voiced = [opening(content, language)], []
    period, count = 60.0, 12
    for number in range(count):
        start = ASKED + number * period
        voiced.append((start, start + wanted * period))
        lines.append(Line(start + period - 3, start + period, "followup"))
    end = ASKED + count * period
    crossed = wanted > 0.7 if high else wanted < 0.5
    must = (Expected("notice", ASKED, None),) if crossed else ()
    place: Place = "above" if crossed else "below"
    return Case("talk_share", place, Scene(tuple(lines), tuple(voiced), (), end, language), must)


def _sections(content: Content, language: Language) -> Iterator[Case]:
    budget, planned = 300.0, content.round.minutes[0] * 60.0
    first, theirs = content.round.sections[0].id, next(s.id for s in content.round.sections if s.kind == "reverse")

    def section(length: Seconds) -> Scene:
        left = 20.0 + length
        begun = Line(20.0, 23.0, "move_on", section=first + "-x", budget=budget)
        lines = (opening(content, language), begun, Line(left, left + 3, "move_on", section="later", budget=9000.0))
        return Scene(lines, ((10.0, 12.0),), (), left + 6, language)

    overrun = content.pacing["section_overrun"]
    for threshold in overrun.thresholds:
        for place, step in STEPS.items():
            length = threshold.value * budget + step
            must = tuple(
                Expected(t.level, 20.0, 20.0 + t.value * budget) for t in overrun.thresholds if t.value * budget < length - 1e-6
            )
            edge = (Expected(threshold.level, 20.0, 20.0 + threshold.value * budget),) if place == "at" else ()
            yield Case("section_overrun", place, section(length), must, edge)
    for name in ("round_overrun", "own_questions"):
        rule = content.pacing[name]
        for threshold in rule.thresholds:
            for place, step in STEPS.items():
                left = planned + threshold.value + step
                lines: tuple[Line, ...] = (opening(content, language),)
                if name == "own_questions":
                    lines = (*lines, Line(left, left + 3, "move_on", section=theirs))
                must = tuple(
                    Expected(t.level, 0.0, planned + t.value) for t in rule.thresholds if planned + t.value < left - 1e-6
                )
                edge = (Expected(threshold.level, 0.0, planned + threshold.value),) if place == "at" else ()
                end = left + 4 if name == "own_questions" else left
                yield Case(name, place, Scene(lines, ((10.0, 12.0),), (), end, language), must, edge)


# --- words ----------------------------------------------------------------------------------------------------------------


def _talk(
    start: Seconds, until: Seconds, language: Language, last: str = "", first: str = ""
) -> tuple[tuple[tuple[Seconds, Seconds], ...], tuple[Word, ...]]:
    """Unbroken neutral talk from `start`, opened by `first`; `last` is said from `until` on."""
    words: list[Word] = []
    if first:
        words += spoken(first, start, language)[1]
    begin = words[-1].end + 0.05 if words else start
    neutral = spoken(NEUTRAL[language] * 60, begin, language)[1]
    words += [word for word in neutral if word.end <= until]
    words[-1] = replace(words[-1], text=words[-1].text.rstrip(".。") + ("." if language == "en" else "。"))
    if last:
        words += spoken(last, until, language)[1]
    end = words[-1].end + 0.05
    return ((start, end),), tuple(words)


def _headlines(content: Content, language: Language) -> Iterator[Case]:
    rule = content.pacing["late_headline"]
    text = {"en": "How would you test a new scheduling policy?", "zh": "新的调度策略你会怎么测？", "mixed": ""}[language]

    def build(length: Seconds) -> Scene:
        voiced, words = _talk(FIRST, FIRST + length, language, HEADLINE[language])
        return Scene((opening(content, language, "ab-test", text),), voiced, words, voiced[-1][1] + 8, language)

    yield from _crossing("late_headline", rule, FIRST, build)


def _bluffs(content: Content, language: Language) -> Iterator[Case]:
    def build(length: Seconds) -> Scene:
        voiced, words = _talk(FIRST, FIRST + length, language, ADMIT[language], BLUFF[language])
        return Scene((opening(content, language, "gang-needed"),), voiced, words, voiced[-1][1] + 8, language)

    yield from _crossing("bluffing", content.pacing["bluffing"], FIRST, build)


def _clarifying(content: Content, language: Language) -> Iterator[Case]:
    line, asked = opening(content, language, "design-scheduler"), QUESTIONS[language]
    counts: dict[Place, int] = {"below": 5, "at": 6, "above": 7}
    for place, count in counts.items():
        voiced, words = spoken(_joined(asked[:count], language), FIRST, language)
        must = (Expected("warning", FIRST, None),) if count > 5 else ()
        yield Case("over_clarifying", place, Scene((line,), voiced, words, voiced[-1][1] + 8, language), must)

    def build(length: Seconds) -> Scene:
        first = _joined(asked[:2], language)
        voiced, words = _talk(FIRST, FIRST + length, language, CALL[language], first)
        return Scene((line,), voiced, words, voiced[-1][1] + 8, language)

    yield from _crossing("over_clarifying", content.pacing["over_clarifying_time"], FIRST, build)
    for text, fires in (
        (_joined((SOLUTION[language], asked[0]), language), True),
        (_joined((asked[0], SOLUTION[language]), language), False),
    ):
        voiced, words = spoken(text, FIRST, language)
        must = (Expected("warning", FIRST, None),) if fires else ()
        scene = Scene((line,), voiced, words, voiced[-1][1] + 8, language)
        yield Case("solution_jump", "above" if fires else "below", scene, must)


def _joined(parts: tuple[str, ...], language: Language) -> str:
    return ("" if language == "zh" else " ").join(parts)


def _replies(content: Content, language: Language) -> Iterator[Case]:
    ask = opening(content, language, "design-scheduler")
    push = Line(0.0, ASKED, "pushback", "design-scheduler", PUSH[language])
    waits: dict[Place, Seconds] = {"above": 0.7, "at": 1.0, "below": 1.3}
    for name, text in (("instant_defence", DEFENCE[language]), ("instant_concession", CONCESSION[language])):
        for move in ("pushback", "question"):
            for place, wait in waits.items():
                start = ASKED + wait
                voiced, words = spoken(text, start, language)
                line = push if move == "pushback" else ask
                fires = move == "pushback" and place == "above"
                must = (Expected("warning", ASKED, None),) if fires else ()
                may = (Expected("warning", ASKED, None),) if move == "pushback" and place == "at" else ()
                scene = Scene((line,), voiced, words, voiced[-1][1] + 8, language)
                yield Case(name, place if move == "pushback" else "below", scene, must, may)


UNIT: dict[Language, tuple[str, str]] = {
    "en": ("go ", "words"),
    "zh": ("去", "characters"),
    "mixed": ("去", "syllables"),
}
"""One unit of speech, so that a rate is exact, and what it is called in the thresholds."""


def _rates(content: Content, language: Language) -> Iterator[Case]:
    unit = UNIT[language][0]
    for way, sign in (("slow", -1), ("fast", 1)):
        rule = content.pacing[f"speaking_rate_{way}_{language}"]
        for threshold in rule.thresholds:
            for place, share in OFF.items():
                pace = threshold.value * (1 + sign * share)
                voiced, words = spoken(unit * int(pace * 1.5), FIRST, language, pace)
                crossed = [t for t in rule.thresholds if sign * (pace - t.value) > 0]
                must = tuple(Expected(t.level, None, None) for t in crossed)
                scene = Scene((opening(content, language),), voiced, words, voiced[-1][1] + 8, language)
                yield Case("speaking_rate", place, scene, must)


def _jumps(content: Content, language: Language) -> Iterator[Case]:
    """Ninety calm seconds, then a reply to a push-back that is faster; and the same against a pace known from before."""
    rule, unit, own = content.pacing["pace_jump"], UNIT[language][0], {"en": 130.0, "zh": 230.0, "mixed": 220.0}[language]
    for known in (0.0, own):
        for threshold in rule.thresholds:
            for place, step in OFF.items():
                calm, calm_words = spoken(unit * int(own * 1.5), FIRST, language, own)
                line = Line(calm[-1][1] + 2, calm[-1][1] + 5, "pushback")
                pace = own * (1 + threshold.value + step)
                fast, fast_words = spoken(unit * int(pace * 0.6), line.end + 2, language, pace)
                must = tuple(Expected(t.level, None, None) for t in rule.thresholds if pace > own * (1 + t.value))
                lines = (opening(content, language), line)
                words = (*calm_words, *fast_words)
                scene = Scene(lines, (*calm, *fast), words, fast[-1][1] + 8, language, own_rate=known)
                yield Case("pace_jump", place, scene, must)


def _fillers(content: Content, language: Language) -> Iterator[Case]:
    rule, filler = content.pacing["fillers"], "嗯，" if language == "zh" else "um, "
    for threshold in rule.thresholds:
        for place, off in OFF.items():
            count = int(threshold.value) + (off > 0)
            pieces = 240 if language != "en" else 150  # sixty seconds at the usual pace
            if language == "mixed":
                pieces = 220
            every = pieces // (count + 1)
            text = ""
            for number in range(pieces):
                due = number % every == every // 2 and number // every < count
                text += filler if due else UNIT[language][0]
            voiced, words = spoken(text, FIRST, language)
            must = tuple(Expected(t.level, None, None) for t in rule.thresholds if count > t.value)
            scene = Scene((opening(content, language),), voiced, words, voiced[-1][1] + 8, language)
            yield Case("fillers", place, scene, must)
