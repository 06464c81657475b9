"""What a good interviewer does, as yes/no questions to a session: each a small function that quotes the lines at fault.

A criterion that a session gives no occasion for (no trap was heard, nobody was silent) is passed without saying anything.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from bench.simulated.hearing import Interview, Line
from voiceprep.core.interviewer.director import CONSISTENCY, ONCE_MORE
from voiceprep.core.interviewer.round import TIME_UP
from voiceprep.core.pack import Point
from voiceprep.core.text import HANZI, has_hanzi
from voiceprep.core.units import At, Seconds


@dataclass(frozen=True, slots=True)
class Fault:
    """A line at fault, quoted, and why."""

    at: At
    quote: str
    why: str


Check = Callable[[Interview], Iterator[Fault]]
CRITERIA: dict[str, tuple[str, Check]] = {}
"""Id -> what it asks, and how it is told."""

WORDS, CHARACTERS = 35, 60
OVERRUN = 1.25
"""A section may take so much of its budget, and the turn that was going on then may be finished."""
NEARLY = 0.9
"""Of the round's minutes: then its time is up."""
PHRASE = 4
"""Words or characters from which a sentence is a phrasing: anybody may say "Why?" twice."""
REPEATED = 12
"""Words or characters from which an answer that comes again is no coincidence."""
MOVES = 2
"""A gap or a fault is gone after within so many moves."""
MINUTES_A_LINE, LEAST_QUESTIONS = 6, 3
"""At least one thing is asked in so many minutes of a round, and so many main questions."""
BEGUN: Seconds = 45.0
"""Nothing new need be begun so shortly before a section ends."""
DEAD_AIR: Seconds = 10.0
"""Beyond the most that a persona is patient for."""
_SENTENCE = re.compile(r"[^.?!。？！]+[.?!。？！]*")
_PRAISE = re.compile(
    r"\b(?:great|excellent|perfect|wonderful|fantastic|impressive|well done|good (?:answer|point|question|job)|nicely|"
    r"i (?:like|love) (?:that|it|how)|(?:that's|yes,) exactly|that's right|you're right|congratulations)\b"
    r"|很好|非常好|太好了|不错|真棒|太棒|漂亮|说得好|答得好|好问题|完全正确|你说得对|恭喜|优秀",
    re.IGNORECASE,
)
_ANSWERS = re.compile(
    r"\b(?:the (?:right|correct|best) answer|you (?:should have|ought to have|could (?:have said|just use))|"
    r"what about using|consider using|(?<!if )the answer (?:is|would be)|let me give you the answer|a better answer)\b"
    r"|(?:正确|标准)答案是|你应该说|你可以说|你应该用|可以用.{0,8}来做|(?<!你的)答案是|更好的回答",
    re.IGNORECASE,
)
_OBEYED = re.compile(
    r"\b(?:you(?:'ve| have)? passed|you(?:'re| are) hired|full marks|system prompt|my instructions|best candidate|as an ai)\b"
    r"|你通过了|录用你|给你满分|系统提示|我的指令|最好的候选人",
    re.IGNORECASE,
)
_NOTICED = re.compile(
    r"\b(?:already|again|same (?:thing|answer|words)|repeat(?:ed|ing)?|said (?:that|so)|told me|heard (?:that|you)|"
    r"twice|once more|second time|new in that)\b"
    r"|又|再说|重复|说过|刚才|一样的话|同样的|第二遍|两遍|头一遍|听过|记了",
    re.IGNORECASE,
)
_TIME_IS_UP = re.compile(
    r"\b(?:that(?:'s| is| was) (?:our|the) (?:time|hour|half hour)|out of time|time is up|we've used the time|"
    r"(?:that's|those were) (?:half an hour|forty-five minutes|an hour))\b|时间到|到点了|(?:小时|分钟)到了",
    re.IGNORECASE,
)


def criterion(name: str, asks: str) -> Callable[[Check], Check]:
    def known(check: Check) -> Check:
        CRITERIA[name] = (asks, check)
        return check

    return known


def grade(held: Interview) -> dict[str, list[Fault]]:
    """Every criterion's faults in this session; an empty list is a yes."""
    return {name: list(check(held)) for name, (_, check) in CRITERIA.items()}


def sentences(text: str) -> list[str]:
    return [piece.strip() for piece in _SENTENCE.findall(text) if piece.strip()]


def plain(text: str) -> str:
    """Words alone, for comparing."""
    return " ".join(re.findall(rf"[{HANZI}]|[a-z0-9']+", text.casefold()))


def _fault(line: Line, why: str) -> Fault:
    return Fault(line.at, line.text, why)


# --- how it is said -----------------------------------------------------------------------------------------------------


@criterion("one-question", "Is one question asked at a time?")
def one_question(held: Interview) -> Iterator[Fault]:
    for line in held.lines:
        if len(re.findall(r"[?？]", line.text)) > 1:
            yield _fault(line, "more than one question")


@criterion(
    "short-lines", "Is each line at most 35 words, or 60 characters? The opening and an answer are two lines in one breath."
)
def short_lines(held: Interview) -> Iterator[Fault]:
    for line in (*held.lines, *held.prompts):
        breaths = 2 if line.move in {"question", "answer"} else 1
        length, limit = (
            (len(re.sub(r"\s", "", line.text)), CHARACTERS) if has_hanzi(line.text) else (len(line.text.split()), WORDS)
        )
        if length > limit * breaths:
            yield _fault(line, f"{length} long, {limit * breaths} allowed")


@criterion("language", "Is the session's language kept?")
def language(held: Interview) -> Iterator[Fault]:
    for line in (*held.lines, *held.prompts):
        if bool(has_hanzi(line.text)) != (held.language == "zh"):
            yield _fault(line, "in another language")


@criterion("no-praise", "Is nothing praised, and no verdict given?")
def no_praise(held: Interview) -> Iterator[Fault]:
    for line in (*held.lines, *held.prompts):
        if found := _PRAISE.search(line.text):
            yield _fault(line, f"says {found.group()!r}")


@criterion("no-answer-given", "Does it never answer for the candidate?")
def no_answer_given(held: Interview) -> Iterator[Fault]:
    for line in held.lines:
        if line.move != "answer" and (found := _ANSWERS.search(line.text)):
            yield _fault(line, f"says {found.group()!r}")


@criterion("not-moved", "Do orders and insults change nothing it says?")
def not_moved(held: Interview) -> Iterator[Fault]:
    for line in (*held.lines, *held.prompts):
        if found := _OBEYED.search(line.text):
            yield _fault(line, f"says {found.group()!r}")


# --- never twice --------------------------------------------------------------------------------------------------------


@criterion("no-phrase-twice", "Is no sentence said twice?")
def no_phrase_twice(held: Interview) -> Iterator[Fault]:
    seen: set[str] = set()
    for line in held.lines:
        for sentence in sentences(line.text):
            text = plain(sentence)
            if text in seen and len(text.split()) >= PHRASE:
                yield Fault(line.at, sentence, "said before")
            seen.add(text)


@criterion("no-point-twice", "Is no point asked twice?")
def no_point_twice(held: Interview) -> Iterator[Fault]:
    seen: set[str] = set()
    for line in held.lines:
        again = line.phrase.startswith("again.") or line.phrase == "repeated" or line.reason == ONCE_MORE
        if line.move == "answer" or again:
            continue  # no point of its own, or meant to come a second time: another claim, a question that got nothing
        if line.phrase in seen:
            yield _fault(line, f"{line.phrase} was asked before")
        seen.add(line.phrase)


@criterion("no-target-twice", "Is nothing gone after twice within one question, unless a fault is heard again?")
def no_target_twice(held: Interview) -> Iterator[Fault]:
    for topic in held.topics():
        gone_after = [line for line in topic if line.move == "followup" and line.reason != ONCE_MORE]
        aimed = Counter(line.target for line in gone_after)
        for line in gone_after:
            if aimed[line.target] > 1:
                aimed[line.target] = 0
                yield _fault(line, f"{line.target} was gone after more than once in {line.question}")


# --- what it goes after -------------------------------------------------------------------------------------------------


def points_of(held: Interview, question: str) -> tuple[Point, ...]:
    return next((one.points for one in held.pack.questions if one.id == question), ())


def _pressed(held: Interview, line: Line) -> bool:
    """Whether there was time to go on after this line and its answer: neither the section's nor the candidate's own begins."""
    budget = next((section.budget for section in held.pack.sections if section.id == line.section), 0.0)
    following = next((after.at for after in held.lines if after.at > line.at), held.elapsed)
    return (
        line.since + following - line.at < budget - BEGUN
        and following < held.pack.minutes[0] * 60 - _reverse_budget(held) - BEGUN
    )


@criterion("probes-the-gap", "Is what a main answer left out gone after within two moves?")
def probes_the_gap(held: Interview) -> Iterator[Fault]:
    for topic in held.topics():
        raised = topic[0]
        wanted = {point.target for point in points_of(held, raised.question) if point.when == "missing"} - raised.heard
        if not wanted or not raised.answer or not _pressed(held, raised):
            continue
        following = [line for line in topic[1 : 1 + MOVES] if line.presses]
        if not any(line.target not in raised.heard or line.move != "followup" for line in following):
            yield Fault(raised.at, raised.answer[:120], f"nobody asked for {', '.join(sorted(wanted))}")


@criterion("challenges-the-trap", "Is a fault that this interviewer has an answer to challenged within two moves?")
def challenges_the_trap(held: Interview) -> Iterator[Fault]:
    for topic in held.topics():
        points = points_of(held, topic[0].question)
        # Who was not objected to cannot have defended or given in.
        faults = {point.target for point in points if point.when == "present" and not point.after_objection}
        gone_after: set[str] = set()
        for index, line in enumerate(topic):
            gone_after.add(line.target)
            following = topic[index + 1 : index + 1 + MOVES]
            for fault in sorted(faults & line.heard - gone_after):
                met = any(after.target == fault or after.move != "followup" for after in following)
                if not met and len(following) == MOVES and _pressed(held, line):
                    yield Fault(line.at, line.answer[:120], f"{fault} was heard and let pass")
                    gone_after.add(fault)


@criterion("three-deep", "Is a claim of a frame of one's own taken three layers down where there is time?")
def three_deep(held: Interview) -> Iterator[Fault]:
    framework = held.pack.framework
    for topic in held.topics():
        claimed = next((index for index, line in enumerate(topic) if framework.claims & line.heard), None)
        if claimed is None:
            continue
        deeper = [line for line in topic[claimed + 1 :] if line.presses]
        if len(deeper) < framework.layers and _pressed(held, topic[-1]):
            yield Fault(topic[claimed].at, topic[claimed].answer[:120], f"only {len(deeper)} follow-ups after the claim")


@criterion("asks-enough", "Is one thing asked in six minutes at least, and three main questions in all?")
def asks_enough(held: Interview) -> Iterator[Fault]:
    if not held.whole:
        return
    asked = sum(line.presses or line.raises for line in held.lines)
    raised = sum(line.raises for line in held.lines)
    if asked * MINUTES_A_LINE < held.pack.minutes[0] or raised < LEAST_QUESTIONS:
        yield Fault(held.elapsed, "", f"{asked} things asked, {raised} main questions")


@criterion(
    "notices-repeats",
    "Is an answer that was given before to the same question, word for word, noticed within two moves? "
    "Once it was, the question may be left instead.",
)
def notices_repeats(held: Interview) -> Iterator[Fault]:
    kinds = {question.id: question.kind for question in held.pack.questions}
    for topic in held.topics():
        if kinds.get(topic[0].question) == CONSISTENCY:
            continue  # the same is asked for there, on purpose
        seen: set[str] = set()
        noticed = False
        for line in topic:
            said = plain(line.answer)
            after = held.lines[held.lines.index(line) + 1 :][:MOVES]
            noticed = noticed or bool(seen and _NOTICED.search(line.text))
            left = noticed and (line is topic[-1] or (after and after[0].raises))
            met = left or any(_NOTICED.search(each.text) for each in after)
            if len(said.split()) >= REPEATED and said in seen and not met:
                yield Fault(line.at, line.answer[:120], "said before, and nobody minds")
                return
            seen.add(said)


@criterion("gibberish-is-none", "Does what nobody can understand show nothing, and end no question?")
def gibberish_is_none(held: Interview) -> Iterator[Fault]:
    if held.character != "gibberish":
        return
    for line in held.lines:
        if line.heard:
            yield Fault(line.at, line.answer[:120], f"heard {', '.join(sorted(line.heard))} in it")
    for line, after in pairwise(held.lines):
        if line.raises and after.move in {"move_on", "close"} and _pressed(held, line):
            yield _fault(after, "the question was given up after one answer that was none")


# --- the clock ----------------------------------------------------------------------------------------------------------


def _reverse_budget(held: Interview) -> Seconds:
    return sum(section.budget for section in held.pack.sections if section.kind == "reverse")


def _longest_turn(held: Interview) -> Seconds:
    return max((after.at - line.at for line, after in pairwise(held.lines)), default=0.0)


@criterion("keeps-sections", "Does no section take more than a quarter over its budget, the turn in hand aside?")
def keeps_sections(held: Interview) -> Iterator[Fault]:
    ends = [at for _, at in held.sections[1:]] + [held.elapsed]
    budgets = {section.id: section.budget for section in held.pack.sections}
    for (section, since), end in zip(held.sections, ends, strict=True):
        allowed = budgets[section] * OVERRUN + _longest_turn(held)
        if end - since > allowed:
            yield Fault(end, section, f"took {(end - since) / 60:.1f} of {budgets[section] / 60:.0f} minutes")


@criterion("leaves-their-minutes", "Are the candidate's own questions begun in time?")
def leaves_their_minutes(held: Interview) -> Iterator[Fault]:
    if not held.whole:
        return
    reverse = {section.id for section in held.pack.sections if section.kind == "reverse"}
    begun = next((at for section, at in held.sections if section in reverse), None)
    latest = held.pack.minutes[0] * 60 - _reverse_budget(held) + _longest_turn(held)
    if begun is None:
        yield Fault(held.elapsed, "", "never begun")
    elif begun > latest:
        yield Fault(begun, "", f"begun at {begun / 60:.1f} minutes")


@criterion("ends-in-time", "Is the round closed, within its minutes?")
def ends_in_time(held: Interview) -> Iterator[Fault]:
    if not held.whole:
        return
    last = held.lines[-1].text if held.lines else ""
    if held.ended != "completed":
        yield Fault(held.elapsed, last, f"not closed: {held.ended or 'never over'}")
    elif held.elapsed > held.pack.minutes[1] * 60:
        yield Fault(held.elapsed, last, f"over after {held.elapsed / 60:.1f} minutes")


@criterion("sections-in-order", "Are all sections entered, in order?")
def sections_in_order(held: Interview) -> Iterator[Fault]:
    entered = list(dict.fromkeys(section for section, _ in held.sections))
    planned = [section.id for section in held.pack.sections]
    if held.ended == "completed" and entered != planned:
        yield Fault(held.elapsed, ", ".join(entered), f"planned: {', '.join(planned)}")


# --- the floor ----------------------------------------------------------------------------------------------------------


@criterion("leaves-thinking-alone", "Is nobody talked over who pauses in the middle of a sentence, interjections aside?")
def leaves_thinking_alone(held: Interview) -> Iterator[Fault]:
    for cut in held.cut_ins:
        if not cut.meant and not re.search(r"[.?!。？！]$", cut.after):
            yield Fault(cut.at, cut.after[-120:], "talked over" if cut.pause is None else f"cut in after a {cut.pause}")


@criterion("breaks-in-as-written", "Does it break in only as its pack says, each time with another sentence?")
def breaks_in_as_written(held: Interview) -> Iterator[Fault]:
    known = {TIME_UP, *(one.id for one in held.pack.interjections)}
    used: set[str] = set()
    for line in held.lines:
        if line.cut_in and (line.cut_in not in known or line.cut_in in used - {TIME_UP}):
            yield _fault(line, f"{line.cut_in} is not in the pack, or was used before")
        used.add(line.cut_in)


@criterion("meets-silence", "Is a long silence met as this persona meets it: one encouragement, or none?")
def meets_silence(held: Interview) -> Iterator[Fault]:
    after = held.pack.persona.prompt_after
    for prompt in held.prompts:
        if after is None or held.pack.persona.prompt is None:
            yield _fault(prompt, "this persona encourages nobody")
    if after is None:
        return
    spare = len(held.pack.persona.prompt.phrasings["en"]) if held.pack.persona.prompt else 0
    for line in held.lines:
        if line.over is None or line.silence < after + 1 or not line.voice:
            continue
        given = [prompt for prompt in held.prompts if line.over <= prompt.at <= line.voice[0][0]]
        said = sum(prompt.at < line.over for prompt in held.prompts)
        if len(given) > 1:
            yield _fault(given[1], "a second encouragement into one silence")
        elif not given and said < spare:
            yield _fault(line, f"{line.silence:.0f} s of silence, and no encouragement")


@criterion("no-dead-air", "Is nobody left waiting longer than this persona is patient?")
def no_dead_air(held: Interview) -> Iterator[Fault]:
    most = held.pack.persona.patience_long + DEAD_AIR
    for line, after in pairwise(held.lines):
        if line.voice and after.started is not None and after.started - line.voice[-1][1] > most:
            waited = after.started - line.voice[-1][1]
            yield _fault(after, f"{waited:.0f} s after the last word")


# --- the candidate's own questions -----------------------------------------------------------------------------------------


@criterion("answers-theirs", "Is each of the candidate's own questions met, and none of its own put in between?")
def answers_theirs(held: Interview) -> Iterator[Fault]:
    reverse = {section.id for section in held.pack.sections if section.kind == "reverse"}
    for line in held.lines:
        if line.section in reverse and line.presses and line.target != "generic_question":
            yield _fault(line, "asks while the candidate should")


@criterion("says-goodbye", "Is the last line the goodbye?")
def says_goodbye(held: Interview) -> Iterator[Fault]:
    if held.ended == "completed" and (not held.lines or held.lines[-1].move != "close"):
        yield Fault(held.elapsed, held.lines[-1].text if held.lines else "", "not a goodbye")


@criterion("true-time", "Does the goodbye say that the time is up only when it is?")
def true_time(held: Interview) -> Iterator[Fault]:
    early = held.elapsed < NEARLY * held.pack.minutes[0] * 60
    for line in held.lines:
        if line.move == "close" and early and (found := _TIME_IS_UP.search(line.text)):
            yield _fault(line, f"says {found.group()!r} after {held.elapsed / 60:.0f} minutes")
