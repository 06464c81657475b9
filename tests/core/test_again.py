"""The Bar Raiser asks a second time for what was claimed, and never says what it was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.consistency import told
from tests.fakes.content import content, line
from tests.fakes.table import Table, of_kind
from voiceprep.content import load_content
from voiceprep.core.claims.ledger import Claim, ledger_of
from voiceprep.core.events import AskedAgain, Event, QuestionAsked, Speak
from voiceprep.core.interviewer.again import FORMS, SLOT, form_of, subject_of
from voiceprep.core.interviewer.broken_off import stopped_at
from voiceprep.core.interviewer.director import Director, Heard
from voiceprep.core.pack import Content, Line, Stopped, Tongue
from voiceprep.core.text import text_of


def claims(text: str) -> tuple[Claim, ...]:
    return told([("", text)]).ask_again()


@pytest.mark.parametrize(
    ("text", "tongue", "form", "subject"),
    [
        ("So the migration took eight weeks.", "en", "duration", "the migration"),
        ("Our autoscaler took eleven minutes to notice.", "en", "duration", "your autoscaler"),
        ("Utilization rose from 87% to 94% in a quarter.", "en", "share", "utilization"),
        ("We had twelve engineers on the platform.", "en", "count", "engineers"),
        ("We launched the quota page in March.", "en", "date", "the quota page"),
        ("I decided to drop Kafka.", "en", "decider", "drop Kafka"),
        ("灰度用了九周。", "zh", "duration", "灰度"),
        ("利用率从百分之八十七提到了百分之九十四。", "zh", "share", "利用率"),
        ("配额系统是去年三季度上线的。", "zh", "date", "配额系统"),
        ("我们决定砍掉预览功能。", "zh", "decider", "砍掉预览功能"),
        ("migration 花了 8 个 week。", "en", "duration", "migration"),
    ],
)
def test_the_subject_is_named_without_its_value(text: str, tongue: Tongue, form: str, subject: str) -> None:
    assert (form, subject) in [(form_of(claim), subject_of(claim, tongue)) for claim in claims(text)]


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("所以又跑了三周，换了一批任务。", ""),
        ("所以迁移又跑了三周。", ""),
        ("后来再花了两个月。", ""),
        ("一开始用了六周。", ""),
        ("还拖了三个月。", ""),
        ("另外灰度用了九周。", "灰度"),
        ("然后迁移过程花了八周。", "迁移过程"),
        ("用户从三万涨到五万，留存率从百分之四十提到百分之五十。", "留存率"),
    ],
)
def test_a_subject_in_chinese_is_a_noun(text: str, subject: str) -> None:
    """A clause that drops its subject has an adverb or a verb in that place."""
    assert {name for claim in claims(text) if (name := subject_of(claim, "zh"))} == ({subject} if subject else set())


def test_a_subject_in_english_is_a_noun() -> None:
    assert [subject_of(claim, "en") for claim in claims("Afterwards utilization rose from 87% to 94%.")] == [""]


@pytest.mark.parametrize(
    "text", ["It took eight weeks.", "Half of the anger is not knowing.", "The calls come in steps of one second."]
)
def test_what_has_no_plain_name_is_not_asked_for(text: str) -> None:
    assert not any(subject_of(claim, "en") for claim in claims(text))


def going_over() -> Content:
    """A round whose second section goes over the first once more."""
    made = content(questions=2)
    once_more = replace(made.round.questions[1], kind="consistency", section="second")
    lines: dict[str, Line] = {
        form: Line(f"again.{form}", {"en": (f"Again: {SLOT}?",), "zh": (f"再说一遍：{SLOT}？",)}) for form in FORMS
    }
    return replace(made, round=replace(made.round, questions=(made.round.questions[0], once_more), again=lines))


def test_it_asks_for_the_claim_first_and_each_only_once() -> None:
    made = going_over()
    director = Director(made.round, made.endings, "en", 1)
    director.open()
    heard = Heard("an answer", frozenset(), again=claims("The migration took eight weeks."))
    first = [director.reply(heard, 60.0 * n) for n in range(1, 8)]
    asked = [choice for choice in first if choice.again is not None]
    assert [choice.text for choice in asked] == ["Again: the migration?"]
    assert (asked[0].question, asked[0].move) == ("q2", "probe_detail")
    after = first[first.index(asked[0]) + 1]
    assert after.again is None
    assert after.question == "q2"


def test_what_was_not_heard_may_be_asked_again() -> None:
    made = going_over()
    director = Director(made.round, made.endings, "en", 1)
    director.open()
    heard = Heard("an answer", frozenset(), again=claims("The migration took eight weeks."))
    while (choice := director.reply(heard, 60.0)).again is None:
        pass
    director.undo()
    assert director.reply(heard, 60.0).again == choice.again


def test_without_a_claim_the_fixed_questions_stand() -> None:
    made = going_over()
    director = Director(made.round, made.endings, "en", 1)
    director.open()
    choices = [director.reply(Heard("an answer", frozenset()), 60.0 * n) for n in range(1, 8)]
    assert any(choice.question == "q2" for choice in choices)
    assert not any(choice.again for choice in choices)


def interview(stopped: Stopped | None = None) -> Table:
    """A candidate who tells of eight weeks, and of eleven when asked again."""
    made = going_over()
    table = Table(replace(made, round=replace(made.round, stopped=stopped)))
    table.start()
    table.run(until=5.0)
    for _ in range(14):
        if table.conductor.ended:
            break
        begin = table.now + 3.0
        line_ = next(event.text for event in reversed(table.log) if isinstance(event, Speak))
        answer = "It took eleven weeks, and that's my answer." if line_.startswith("Again") else TOLD
        table.say(begin, begin + 12.0, answer)
        table.run(until=begin + 60.0)
    return table


TOLD = "The migration took eight weeks. The metric was queue time and we had a cluster of gpu cards, and that's my answer."


def test_a_session_asks_again_and_its_log_tells_what_differs() -> None:
    log = interview().log
    again = of_kind(log, AskedAgain)
    assert [event.quote for event in again] == ["The migration took eight weeks."]
    asked = next(event for event in of_kind(log, QuestionAsked) if event.of == again[0].of)
    assert asked.text == "Again: the migration?"
    found = ledger_of(log).differences()
    assert [(one.first.quote, one.second.quote) for one in found] == [
        ("The migration took eight weeks.", "It took eleven weeks,")
    ]
    spoken = text_of(word for event in log for word in getattr(event, "words", ()))
    assert found[0].second.quote in spoken


def test_what_was_claimed_before_it_broke_off_is_asked_for_once_in_all() -> None:
    def parts(*ends: float) -> list[list[Event]]:
        logs: list[list[Event]] = []
        stopped: Stopped | None = None
        for end in ends:
            logs.append([event for event in interview(stopped).log if event.at <= end])
            stopped = stopped_at(logs[-1], stopped)
        return logs

    whole = interview().log
    asked = next(event.at for event in whole if isinstance(event, QuestionAsked) and event.question == "q2")
    first, second, third = parts(asked + 1.0, 100.0, 1000.0)
    assert of_kind(first, AskedAgain) == []
    assert [event.quote for event in of_kind(second, AskedAgain)] == ["The migration took eight weeks."]
    assert of_kind(third, AskedAgain) == []


def test_the_shipped_round_has_a_line_for_each_thing_and_quotes_none() -> None:
    for form in FORMS:
        shipped = load_content("gpu-bar-raiser").round.again[form]
        for texts in shipped.phrasings.values():
            assert len(texts) >= 3
            assert all(text.count(SLOT) == 1 for text in texts)


def test_a_line_without_a_place_for_the_subject_is_refused() -> None:
    from voiceprep.content.schema import AgainFile

    plain = line("again").phrasings
    with pytest.raises(ValueError, match="subject"):
        AgainFile(en=list(plain["en"]), zh=list(plain["zh"]))
