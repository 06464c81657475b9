# ruff: noqa: E501, SIM905  (patterns and word lists read worse when they are wrapped)
"""What a sentence is about, so that two claims are only held against each other when they are about the same. Pure.

A subject is a set of terms: stems of the content words, by one name in English and Chinese where the field has one. Beside it stand
the qualifiers ("at peak", "planned", "he said"): a planned figure is never held against one that was reached.
"""

from __future__ import annotations

import re

from voiceprep.core.text import HANZI

_SAME = {
    "迁移": "migrat", "利用率": "utiliz", "使用率": "utiliz", "上线": "launch", "发布": "launch", "启动": "start", "开始": "start",
    "结束": "end", "试点": "pilot", "灰度": "rollout", "配额": "quota", "故障": "outage", "事故": "outage", "等待": "wait", "延迟": "latency",
    "集群": "cluster", "训练": "train", "推理": "inference", "团队": "team", "预算": "budget", "设计": "design", "工程师": "engineer",
    "客户": "customer", "组长": "lead", "组": "team", "卡": "gpu", "省": "sav", "停": "stop", "错误率": "error rate", "用户": "user", "平台": "platform", "功能": "feature", "砍掉": "drop", "下线": "drop", "加入": "join",
    "ship": "launch", "releas": "launch", "begin": "start", "began": "start", "kick": "start", "finish": "end", "cut": "drop",
    "kill": "drop", "kafka": "kafka", "utilis": "utiliz", "utilization": "utiliz", "utilisation": "utiliz", "roll": "rollout",
}  # fmt: skip
_HAN_SAME = re.compile("|".join(sorted((word for word in _SAME if not word.isascii()), key=len, reverse=True)))

PHASES = frozenset(
    "plan design test pilot rollout launch review approv hir argu wait build train negotiat prepar debug ramp start end delay slip "
    "propos pay cost sav budget draft discuss fix interview 设计 测试 评审 审批 讨论 准备 延期 推迟 付费 方案".split()
)
"""Terms that make another thing of a subject: planning the migration is not the migration."""
GENERIC = frozenset(
    "boss director manager vp cto lead people 老板 总监 经理 领导 同事 团队 team group project job system thing people work feature one person 项目 团队 系统 工作 事情".split()
)
"""Terms that alone name nothing."""

_STOP = frozenset(
    """a an the and or but so of to in on at for from by with as into over about around than then that this these those it its i we you he
    she they them us me him her my our your his their is are was were be been being am do does did done have has had having will would can
    could should may might must not no yes if when while because since until which who whom whose what why how where there here up down out
    off all any some each every both few more most other same just only very really quite also too well now still ever never again once
    back after before between through during per via let lets like um uh er oh okay ok yeah so right actually basically kind sort bit lot
    take took taken takes taking last lasted go went gone going get got getting make made making need needed use used spend spent come came
    say said says tell told think thought guess know mean see saw give gave run ran running put keep kept find found ask asked have happen
    happened become became want wanted long large big much many number figure share percent percentage count times time result week weeks month months
    quarter quarters year years day days hour hours minute minutes second seconds roughly approximately total overall whole altogether
    including almost nearly maybe perhaps probably remember exactly precisely sure please one two three ones first earlier later ago today
    question answer mention mentioned rose rise risen fell fall fallen drop dropped dropping grew grow climb climbed increase increased
    decrease decreased reach reached improve improved reduced reduce eventually finally end final ultimately own owned nobody weekend
    everyone sorry in's don't didn't wasn't isn't i'd i'm it's we'd we're we've i've that's there's""".split()
)
_HAN_STOP = re.compile(
    "花了?|用了?|持续|一共|总共|大概|大约|差不多|左右|再说一遍|多久|多少|几|提到了?|提高|提升|升到|降到了?|降低|涨到|到了|最后|最终|后来|当时|其实|然后|就是|因为|所以|"
    "但是|可是|不过|而且|结果|我们|你们|他们|她们|咱们|我|你|他|她|它|这个|那个|这|那|哪个|哪|谁|什么|时候|怎么|呢|吗|吧|啊|嗯|呃|哦|的|了|是|有|在|从|到|和|跟|与|把|被|"
    "让|给|对|也|都|还|就|才|很|挺|没有?|不|会|要|能|可以|应该|说|讲|做|搞|过|着|里面?|上面?|中|个|张|条|次|周|天|月|年|那边|前后|占比?|大家|前|后|出的?|最|只|做完"
)
_HAN = re.compile(f"[{HANZI}]+")
_LATIN = re.compile(r"[A-Za-z]/[A-Za-z]|[A-Za-z][A-Za-z0-9'-]*")

_QUALIFIERS = {
    "planned": r"\b(?:plan(?:ned)?|promis\w+|estimat\w+|goal|target\w*|expect\w*|budgeted|supposed|aim\w*|hop(?:ed|ing)|commit\w*|forecast\w*|"
    r"scheduled|deadline|asked for)\b|承诺|计划|目标|预计|原定|预估|排期|答应",
    "told": r"\b(?:he|she|they|boss|manager|director|vp)\s+(?:said|claimed|told|thought|believed|says|insisted)\b|(?:他|她|他们|对方|老板|总监)(?:说|觉得|认为)|听说|声称",
    "average": r"\b(?:average|mean|typical(?:ly)?|usual(?:ly)?)\b|平均|一般",
    "median": r"\b(?:median|p50)\b|中位",
    "tail": r"\bp9\d+\b|\b(?:ninety|95th|99th)\w*\s+percentile|分位",
    "peak": r"\b(?:peak|worst|max(?:imum)?|most|highest|at best|best)\b|高峰|峰值|最高|最多|最大|最好|最坏",
    "least": r"\b(?:lowest|min(?:imum)?|at least|least)\b|最低|最少|至少|最小|低谷",
    "before": r"\b(?:at first|initially|originally|before|used to|started (?:at|with)|in the beginning)\b|一开始|最初|起初|之前|原来|本来",
    "after": r"\b(?:in the end|eventually|afterwards|ended up|today|by now|nowadays)\b|现在|如今|目前|后来",
    "wanted": r"\b(?:want(?:ed|s)?|ask(?:ed|s)? (?:me |us )?for|offer(?:ed|s)?|request(?:ed|s)?|demand(?:ed|s)?|propos(?:ed|es))\b|想要|要求|要让|提出|报价",
    "small": r"\bsmall(?:er|est)?\b|小(?!时|伙|结|李|王|张|刘|陈|林|周|赵)",
    "large": r"(?<!how )\b(?:large|big)(?:r|er|st|est)?\b|大(?!概|约|家|会|促)",
    "each": r"\b(?:each|per|every)\b|每",
    "extra": r"\b(?:another|extra|additional)\b|又|再(?!说|报|讲)|另外|还要",
    "by": r"\b(?:by|until|till|within)\b(?=\s+(?:\w+\s+)?(?:$|then|the end))|之前$",
}
_COMPILED = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _QUALIFIERS.items()}


def qualifiers(text: str) -> frozenset[str]:
    """Which of the conditions hold under which a figure or a date was named."""
    return frozenset(name for name, pattern in _COMPILED.items() if pattern.search(text))


_LABEL = re.compile(
    r"\b(?P<ordinal>first|second|third|fourth|fifth|other|next|last|new|old|former|previous)\b(?!\s+(?:time|of all|thing))|\b(?-i:(?P<letter>[B-HJ-Z])|(?P<a>A)(?=\s*(?:的|$|[,.，。]|\s(?:had|was|went|took|is))))(?![\w'])"
    r"|\b(?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|(?P<han_day>(?:周|星期|礼拜)[一二三四五六日天]|[年月季]初|[年月季]底)"
    r"|(?P<han>第[一二三四五六七八九十]|[一二三四五六七八九十甲乙丙\dA-Z]号|另[外一]|别的|其他|新|旧|老(?!板)|上一|下一)"
    rf"|\b(?:when|after|before|by the time)\s+(?:(?:I|we|he|she|they|it|the|my|our)\s+)?(?P<when>[a-z]+)|(?P<han_when>[{HANZI}]{{1,3}})(?:的时候|之后|以后|之前|以前)",
    re.IGNORECASE,
)


def labels(text: str) -> frozenset[str]:
    """What tells one thing of a kind from another: the second pool, pool B, 二号池, "when I left"."""
    return frozenset(str(found.lastgroup) + ":" + found[str(found.lastgroup)].lower() for found in _LABEL.finditer(text))


def terms(text: str) -> frozenset[str]:
    """The content of a piece of text: stems of Latin words, known Chinese words, and pairs of neighbours of other characters."""
    found = {stemmed for word in _LATIN.findall(text) if (stemmed := _term(word.lower()))}
    found |= {_SAME[match[0]] for match in _HAN_SAME.finditer(text)}
    for run in _HAN.findall(_HAN_STOP.sub(" ", _HAN_SAME.sub(" ", text))):
        found |= {run[at : at + 2] for at in range(len(run) - 1)}
    return frozenset(found)


def _term(word: str) -> str:
    plain = word.removesuffix("'s")
    if plain in _STOP or len(plain) == 1:
        return ""
    stemmed = stem(plain)
    return _SAME.get(plain) or _SAME.get(stemmed, stemmed)


_ENDINGS = tuple("ations ation ating ated ates ate ings ing ied ies ions ion ed es s e y".split())
_ROOT = 3
"""A stem has at least so many letters;"""
_SHORT_ROOT = 6
"""... one shorter than this keeps its "at": migrat, but utiliz."""


def stem(word: str) -> str:
    """A crude stem, enough to join migrate, migrated and migration."""
    ending = next((ending for ending in _ENDINGS if word.endswith(ending) and len(word) - len(ending) >= _ROOT), "")
    root = word[: len(word) - len(ending)]
    if ending.startswith("at") and len(root) < _SHORT_ROOT:
        root += "at"
    doubled = bool(ending) and len(root) > _ROOT and root[-1] == root[-2] and root[-1] not in "sl"
    return root[:-1] if doubled else root
