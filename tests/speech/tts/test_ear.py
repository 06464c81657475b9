"""What is heard for what is shown."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from voiceprep.core.text import has_hanzi
from voiceprep.speech.tts.ear import for_ear, has_latin, spell_latin
from voiceprep.speech.tts.ear.lexicon import lexicon

ENGLISH = [
    # acronyms and terms
    ("Your SLA on GPUs?", "Your S.L.A on G.P.U's?"),
    ("the API and the gpu", "the A.P.I and the G.P.U"),
    ("tell us the id", "tell us the id"),
    ("Why K8s over Slurm?", "Why koobernettees over Slurm?"),
    ("PostgreSQL, gRPC, NVLink, PCIe", "postgress, G.R.P.C, N.V link, P.C.I.E"),
    ("MIG slices for CE, PM, MVP, GA, ARR", "mig slices for C.E, P.M, M.V.P, G.A, A.R.R"),
    ("CI/CD and A/B tests on I/O", "C.I C.D and A.B tests on I.O"),
    ("RDMA over RoCE on InfiniBand", "R.D.M.A over rocky on infinny band"),
    ("the XKCD way", "the X.K.C.D way"),
    ("C++ vs. C#, e.g. here", "C plus plus versus C sharp, for example here"),
    ("WHY NOT NOW", "WHY NOT NOW"),
    # names with numbers
    ("8xH100 or A100?", "eight times H one hundred or A-one hundred?"),
    ("GB200, L40S, S3, EC2", "G.B two hundred, L forty S, S three, E.C two"),
    ("fp16 and int8", "F.P sixteen and int eight"),
    ("GPT-4 and Llama-3.1", "G.P.T-four and Llama three point one"),
    # percentiles, percent, ranges, multiples
    ("p99 or P95 or p99.9", "P ninety-nine or P ninety-five or P ninety-nine point nine"),
    ("99.9% of 5–10%", "ninety-nine point nine percent of five to ten percent"),
    ("from 10-20 ms", "from ten to twenty milliseconds"),
    ("100ms-2s", "one hundred milliseconds to two seconds"),
    ("2x faster, 10-20x cheaper, 1.5x", "two times faster, ten to twenty times cheaper, one point five times"),
    ("10+ teams", "ten plus teams"),
    ("~10 users, <10ms, >= 3", "about ten users, less than ten milliseconds, at least three"),
    # numbers and units
    ("1 GB, 2 GB, 1.5GB", "one gigabyte, two gigabytes, one point five gigabytes"),
    ("30s, 5 min, 2h", "thirty seconds, five minutes, two hours"),
    ("5 GB/s at 100 req/s", "five gigabytes per second at one hundred requests per second"),
    ("10k QPS, 5M users, 2B rows", "ten thousand Q.P.S, five million users, two billion rows"),
    ("10,000 and 1,234,567", "ten thousand and one million two hundred thirty-four thousand five hundred sixty-seven"),
    ("0.5 or .5", "zero point five or point five"),
    ("agent 007", "agent zero zero seven"),
    ("-5, +3% and 10 - 5", "minus five, plus three percent and ten minus five"),
    ("a 5-minute, 3-way split", "a five-minute, three-way split"),
    ("1st, 2nd, 22nd", "first, second, twenty-second"),
    ("3/4, 1/2, 2/3, 7/9", "three quarters, one half, two thirds, seven over nine"),
    ("a 3:1 ratio, 1024x768", "a three to one ratio, one thousand twenty-four by seven hundred sixty-eight"),
    # mathematics
    ("2 * 3 = 6", "two times three equals six"),
    ("O(n log n), O(n^2), O(1)", "O of n log n, O of n squared, O of one"),
    ("n^2, 2^10, 10^-3, 1e6", "n squared, two to the ten, ten to the minus three, one times ten to the six"),
    ("a < b", "a less than b"),
    # money
    ("$2.50/GPU-hour", "two dollars and fifty cents per G.P.U hour"),
    ("$1, $0.05, $3.2M, $0.002", "one dollar, five cents, three point two million dollars, zero point zero zero two dollars"),
    ("£10–20k a month", "ten to twenty thousand pounds a month"),
    ("in $/token", "in dollars per token"),
    # dates, times, versions
    ("in 2024, FY2025, the 1990s", "in twenty twenty-four, FY twenty twenty-five, the nineteen nineties"),
    ("2024 tokens, 2048 wide", "two thousand twenty-four tokens, two thousand forty-eight wide"),
    ("Q3 2025, 2025-03-14", "Q three twenty twenty-five, March fourteenth, twenty twenty-five"),
    ("3:30 pm, 9:05, 5pm, 24/7", "three thirty P.M, nine oh five, five P.M, twenty-four seven"),
    ("v1.28, v2, 1.28.3", "version one point twenty-eight, version two, one point twenty-eight point three"),
    # what is only for the eye
    ("**Bold** and *it* and _so_ and ~~no~~", "Bold and it and so and no"),
    ("call `max_batch_size` or getUserById", "call max batch size or get User By Id"),
    ("# Plan\n- first\n- second\n1. third", "Plan. first. second. third."),
    ("one\ntwo", "one two"),
    ("see [the docs](https://a.b/c) or https://x.y/z?q=1.", "see the docs or the link."),
    ("before\n```python\nprint(1)\n```\nafter", "before. after"),
    ("| a | b |\n|---|---|\n| c | d |", "a, b. c, d."),
    ("great 😀👍🏽 work ✅", "great work"),
    ("<b>now</b> (about half) — right...", "now, about half, right,"),
    ("latency/throughput and/or cost", "latency throughput and or cost"),
    ("R&D", "R and D"),
    ("“quoted” and 'so'", "quoted and 'so'"),
    ("ＧＰＵ ９９％", "G.P.U ninety-nine percent"),
    ("你好 there", "你好 there"),
    ("", ""),
    ("   \n ", ""),
    ("😀", ""),
    ("***", ""),
]

CHINESE = [
    ("你的P99延迟从250ms降到100ms", "你的 P九十九延迟从二百五十毫秒降到一百毫秒"),
    ("SLA是99.9%", "S.L.A 是百分之九十九点九"),
    ("为什么用K8s？", "为什么用 koobernettees？"),
    ("2个方案，2倍，2x，2台，2月", "两个方案，两倍，两倍，两台，二月"),
    ("2000台，20000人，12000", "两千台，两万人，一万两千"),
    ("12个，112个", "十二个，一百一十二个"),
    ("10k QPS", "一万 Q.P.S"),
    ("3-5天，5%-10%", "三到五天，百分之五到十"),
    ("1.5万，3亿，2万", "一点五万，三亿，两万"),
    ("2024年3月14日", "二零二四年三月十四日"),
    ("2025-03-14", "二零二五年三月十四日"),
    ("2025 Q3", "二零二五年 Q三"),
    ("Q3 2025", "二零二五年第三季度"),
    ("14:30，7:05pm，9点", "十四点三十分，晚上七点零五分，九点"),
    ("3/4，1:1", "四分之三，一比一"),
    ("v1.28", "版本一点二十八"),
    ("-5，+3%", "负五，加百分之三"),
    ("$3.2M，¥100，$2/hour", "三百二十万美元，一百元，每小时两美元"),
    ("100 req/s，5GB/s", "每秒一百个请求，每秒五 G.B"),
    ("8xH100", "八倍 H一百"),
    ("O(n log n)", "O n log n"),
    ("2 * 3 = 6", "二乘三等于六"),
    ("第1个，10+个，100多人", "第一个，十多个，一百多人"),
    ("**加粗**和`code`", "加粗和code"),
    ("- 一\n- 二", "一。二。"),
    ("看https://a.b/c。", "看链接。"),
    ("（全角）ＡＢＣ，１２３", "全角，ABC，一百二十三"),
    ("为什么😀", "为什么"),
    ("60B参数", "六百亿参数"),
    ("007", "零零七"),
    ("", ""),
]


@pytest.mark.parametrize(("shown", "heard"), ENGLISH)
def test_english(shown: str, heard: str) -> None:
    assert for_ear(shown, "en") == heard


@pytest.mark.parametrize(("shown", "heard"), CHINESE)
def test_chinese(shown: str, heard: str) -> None:
    assert for_ear(shown, "zh") == heard


WRITTEN = st.text(
    alphabet=st.sampled_from(list("aAkKmMbBxXGPUvs0123456789.,:;/-–+*_^%$#~<>=()[]`|\"'&@ \n你好年个两，。万😀²")), max_size=60
)


@given(text=st.one_of(WRITTEN, st.text(max_size=60)), language=st.sampled_from(["en", "zh"]))
@example(text="1" * 5000, language="en")
@example(text="9.9.9-1/2x3%$" * 200, language="zh")
@settings(max_examples=300, deadline=None)
def test_case_089_nothing_is_left_for_the_eye(text: str, language: str) -> None:
    heard = for_ear(text, "zh" if language == "zh" else "en")
    assert not re.search(r"[0-9*_#|<>`\n]", heard)
    assert heard == heard.strip()
    assert "  " not in heard


@given(text=st.text(alphabet=st.sampled_from(list("我们的系统延迟很低为什么，。？")), min_size=1, max_size=40))
def test_chinese_words_all_survive(text: str) -> None:
    words = re.findall(r"[\u4e00-\u9fff]", text)
    for language in ("en", "zh"):
        assert re.findall(r"[\u4e00-\u9fff]", for_ear(text, "en" if language == "en" else "zh")) == words


def test_a_long_text_is_read_in_one_go() -> None:
    text = "We cut p99 from 250ms to 100 ms for $2.50/hour on 8xH100, O(n log n). " * 300
    heard = for_ear(text, "en")
    assert heard.count("P ninety-nine") == 300


def test_plain_english_is_left_alone() -> None:
    text = "Tell me about a decision you made yourself, and what you would do differently; it's fine to think first."
    assert for_ear(text, "en") == text


def test_latin_is_spelled_for_a_voice_that_has_no_latin() -> None:
    heard = spell_latin("你的 G.P.U 集群")
    assert not has_latin(heard)
    assert heard.startswith("你的")
    assert heard.endswith("集群")
    assert has_hanzi(heard)
    assert set(lexicon().letters_zh) == set("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
