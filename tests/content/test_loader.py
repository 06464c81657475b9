"""Every rule of the loader refuses its broken sample, and says where and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.content.conftest import Copy
from voiceprep.content import check_all, load_content, load_rounds
from voiceprep.content.places import Places
from voiceprep.errors import BadInputError, UsageError

ROUND = "prompts/rounds/gpu-hm-screen.toml"
PERSONA = "prompts/personas/hiring-manager.md"
SIGNALS = "rubrics/signals.toml"
PACING = "rubrics/pacing.toml"
ENDINGS = "rubrics/endings.toml"
VERBS = "rubrics/verbs.toml"
TECHNICAL = "prompts/rounds/gpu-technical.toml"
MANAGER = "prompts/rounds/anyscale-hm.toml"

BROKEN = {
    "unknown key": (ROUND, 'persona = "hiring', 'colour = "red"\npersona = "hiring', "colour", "is not a known key"),
    "missing key": (ROUND, 'source = "Reported', '# source = "Reported', "source", "is missing"),
    "missing language": (
        ROUND,
        'zh = [\n  "还有吗？",\n  "还想知道点什么？",\n  "还有别的问题吗？",\n]',
        "",
        "more.zh",
        "is missing",
    ),
    "two phrasings": (ROUND, '  "What else?",\n', "", "more.en", "has 2 phrasings"),
    "no mark at the end": (ROUND, '"What else?"', '"What else"', "more.en[0]", "does not end like a sentence"),
    "repeated phrasing": (ROUND, '  "What else?",\n', '  "Is there another question?",\n', "more.en", "same phrasing twice"),
    "long English": (ROUND, '"What else?"', f'"{"and so on " * 12}?"', "more.en[0]", "has 37 words"),
    "long Chinese": (ROUND, '"还有吗？"', f'"{"还有没有" * 16}？"', "more.zh[0]", "has 64 characters"),
    "Chinese in English": (ROUND, '"What else?"', '"What 还有?"', "more.en[0]", "Chinese characters"),
    "no Chinese": (ROUND, '"还有吗？"', '"More?"', "more.zh[0]", "no Chinese"),
    "two questions": (ROUND, '"What else?"', '"What else? And why?"', "more.en[0]", "more than one question"),
    "unknown target": (
        ROUND,
        'target = "own_decision"',
        'target = "own_decison"',
        "questions[0].points[0].target",
        "is not one of",
    ),
    "unknown section": (ROUND, 'section = "background"', 'section = "backround"', "questions[0].section", "is not one of"),
    "unknown persona": (ROUND, 'persona = "hiring-manager"', 'persona = "hiring-manger"', "persona", "is not one of"),
    "duplicate question": (ROUND, 'id = "cv-policy"', 'id = "recent-project"', "questions[1].id", "is there already"),
    "duplicate rung": (
        ROUND,
        'id = "role-cost"',
        'id = "role-against"',
        "questions[0].points[0].chain[1].id",
        "is there already",
    ),
    "duplicate answer": (ROUND, 'id = "hardest"', 'id = "success"', "answers[1].id", "is there already"),
    "not an id": (ROUND, 'id = "cv-policy"', 'id = "CV policy"', "questions[1].id", "is not an id"),
    "pushback on nothing": (
        ROUND,
        'when = ["lecture", "tech_only"]',
        'when = ["lectures"]',
        "pushbacks[0].when[0]",
        "is not one of",
    ),
    "kind of pushback": (ROUND, 'kind = "premise"', 'kind = "premiss"', "pushbacks[0].kind", "should be 'cost'"),
    "budgets": (ROUND, "budget_minutes = 7", "budget_minutes = 70", "sections", "add up to 108 minutes"),
    "text for a number": (ROUND, "minutes = [45, 60]", 'minutes = ["45", 60]', "minutes[0]", "integer"),
    "nested too deep": (ROUND, "minutes = [45, 60]", f"minutes = {'{a=' * 500}1{'}' * 500}", "", "nests too deeply"),
    "not TOML": (ROUND, "minutes = [45, 60]", "minutes = 45, 60", "", "is not TOML"),
    "persona key": (PERSONA, "pace = 0.97", "pace = 0.97\nmood = 1", "mood", "is not a known key"),
    "persona patience": (PERSONA, "patience_long_seconds = 130", "patience_long_seconds = 0.5", "", "shorter than"),
    "persona prompt": (PERSONA, "prompt_after_seconds = 60", "", "", "come together"),
    "persona fence": (PERSONA, "+++\nname", "name", "", "between two +++ lines"),
    "bad pattern": (
        SIGNALS,
        "'\\bi was the one who\\b',",
        "'\\bi was (the one',",
        "detectors.own_decision.en[1]",
        "not a regular expression",
    ),
    "pattern that repeats too often": (
        SIGNALS,
        "'\\bi was the one who\\b',",
        "'(i was){99999999999}',",
        "detectors.own_decision.en[1]",
        "repetition number is too large",
    ),
    "pattern that will mean something else": (
        SIGNALS,
        "'\\bi was the one who\\b',",
        "'[[a]i was',",
        "detectors.own_decision.en[1]",
        "nested set",
    ),
    "unknown fragment": (
        SIGNALS,
        "'\\bi was the one who\\b',",
        "'{nmu} was',",
        "detectors.own_decision.en[1]",
        "not one of the fragments",
    ),
    "bad pattern with a fragment": (
        SIGNALS,
        "'\\bi was the one who\\b',",
        "'{num} (was',",
        "detectors.own_decision.en[1]",
        "not a regular expression",
    ),
    "unknown need": (
        SIGNALS,
        'needs = ["boundary_admission"]',
        'needs = ["boundary_admision"]',
        "detectors.boundary_reasoning.needs[0]",
        "is not one of",
    ),
    "duplicate point in another question": (
        ROUND,
        'id = "define"',
        'id = "role"',
        "questions[1].points[0].id",
        "is there already, as questions[0].points[0]: a point's id is its own in the whole round",
    ),
    "a point named like a question": (ROUND, 'id = "define"', 'id = "hard-team"', "questions[6].id", "is there already"),
    "move of a point": (ROUND, 'id = "define"', 'id = "define"\nmove = "answer"', "questions[1].points[0].move", "should be"),
    "unknown verb": (
        ROUND,
        'kind = "cv"',
        'kind = "cv"\nverb = "juggle"',
        "questions[1].verb",
        "'juggle' is not one of: implement, none, prioritise, start",
    ),
    "pushback in no question": (
        ROUND,
        'when = ["lecture", "tech_only"]',
        'when = ["lecture"]\nquestions = ["hard-tem"]',
        "pushbacks[0].questions[0]",
        "is not one of",
    ),
    "unreachable pushback": (
        ROUND,
        'when = ["lecture", "tech_only"]',
        'when = ["lecture"]\nquestions = ["hard-team"]\nsections = ["background"]',
        "pushbacks[0].questions",
        "none of these questions is asked in one of its sections",
    ),
    "a clock for nothing": (
        TECHNICAL,
        'when = ["bluff"]',
        "when = []",
        "interjections[4].when",
        'is empty, so there is nothing to be heard: measured = "heard" counts from that',
    ),
    "a hard end of the reverse section": (
        ROUND,
        'id = "your-questions"',
        'id = "your-questions"\nhard = true',
        "sections[3].hard",
        "end with the round",
    ),
    "order of a section": (ROUND, 'id = "background"', 'id = "background"\norder = "some"', "sections[0].order", "should be"),
    "no line for generic questions": (ROUND, "[generic]", "[generics]", "generic", "is missing"),
    "fact without a language": (
        MANAGER,
        'topics.zh = ["多少客户",',
        'topics.cn = ["多少客户",',
        "questions[6].facts[0].topics.zh",
        "is missing",
    ),
    "fact twice": (MANAGER, 'id = "how-slow"', 'id = "how-many"', "questions[6].facts[1].id", "is there already"),
    "challenge of nothing": (
        ROUND,
        'target = "over_clarify"',
        'target = "over_clarifying"',
        "challenges[1].target",
        "is not one of",
    ),
    "text still to be written": (ROUND, '"What else?"', '"TODO ask for more?"', "more.en[0]", "is still to be written"),
    "persona severity": (PERSONA, "severity = 2", "severity = 4", "severity", "less than or equal to 3"),
    "persona signal": (PERSONA, '["nod", "notes"]', '["nod", "wink"]', "signals[1]", "should be 'nod'"),
    "persona listens": (PERSONA, "backchannel_every_seconds = 30", "", "", "backchannels and backchannel_every_seconds come"),
    "persona listens aloud": (PERSONA, "every_seconds = 30", "every_seconds = 5", "backchannel_every_seconds", ""),
    "persona says interesting": (PERSONA, '["nod", "notes"]', '["nod", "interesting"]', "", "come together or not at all"),
    "verbs": (VERBS, 'first = ["recommendation",', 'first = ["recomendation",', "verbs.prioritise.first[0]", "is not one of"),
    "pattern of a verb": (
        VERBS,
        '"(?:怎么|如何)取舍"',
        '"(?:怎么|如何取舍"',
        "verbs.prioritise.zh[4]",
        "not a regular expression",
    ),
    "endings": (ENDINGS, "[listening]", "[listenings]", "listening", "is missing"),
    "threshold without a number": (PACING, "after_seconds = 120\n", "", "monologue.thresholds[0]", "exactly one of"),
    "thresholds in disorder": (
        PACING,
        "after_seconds = 300",
        "after_seconds = 100",
        "monologue",
        "from the mildest to the worst",
    ),
    "rule without a level": (PACING, "[long_pause]", "[long_paws]", "long_pause.source", "is missing"),
}


@pytest.mark.parametrize(("file", "old", "new", "key", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_refused_with_place_and_reason(
    files: Copy, file: str, old: str, new: str, key: str, reason: str
) -> None:
    files.change(file, old, new)
    files.keep_rounds(file, ROUND)  # the others are read elsewhere, and there are over a hundred cases here
    rubrics = files.rubrics if file.startswith("rubrics/") else None  # those shipped are built once for all of them
    found = [problem for problem in check_all(files.prompts, rubrics) if problem.file == file]
    assert any(problem.key == key and reason in problem.reason for problem in found), [str(problem) for problem in found]
    with pytest.raises(BadInputError) as refused:
        load_rounds(files.prompts, rubrics)
    assert refused.value.code == "bad-pack"
    assert file in refused.value.message
    assert reason in refused.value.message


def _without(text: str, start: str, end: str) -> str:
    """The text without what stands from `start` up to `end`."""
    first = text.index(start)
    return text[:first] + text[text.index(end, first) :]


def test_an_empty_ladder_is_refused(files: Copy) -> None:
    path = files.root / ROUND
    text = path.read_text(encoding="utf-8")
    first, last = text.index("[[questions.points]]"), text.index('[[questions]]\nid = "cv-policy"')
    path.write_text(text[:first] + "points = []\n" + text[last:], encoding="utf-8")
    reasons = [str(problem) for problem in files.problems()]
    assert any("questions[0].points: has 0 points" in reason for reason in reasons), reasons


def test_a_shallow_ladder_is_refused(files: Copy) -> None:
    path = files.root / ROUND
    text = path.read_text(encoding="utf-8")
    shallow = _without(text, "[[questions.points.chain]]", '[[questions.points]]\nid = "result"')
    path.write_text(shallow, encoding="utf-8")
    assert any("no ladder is 3 deep" in problem.reason for problem in files.problems())


def test_a_persona_that_is_not_there_is_named(files: Copy) -> None:
    (files.root / PERSONA).unlink()
    with pytest.raises(BadInputError, match="hiring-manager"):
        load_content("gpu-hm-screen", files.prompts, files.rubrics)


def test_every_problem_of_a_file_is_told_with_its_line(files: Copy) -> None:
    files.change(ROUND, '"What else?"', '"What else? Why?"')
    files.change(ROUND, 'target = "own_decision"', 'target = "nonsense"')
    files.change(ROUND, 'id = "cv-policy"', 'id = "recent-project"')
    lines = (files.root / ROUND).read_text(encoding="utf-8").splitlines()
    found = {problem.key: problem for problem in files.problems()}
    assert set(found) == {"more.en[0]", "questions[0].points[0].target", "questions[1].id"}
    for key, text in [("more.en[0]", "What else? Why?"), ("questions[0].points[0].target", "nonsense")]:
        line = found[key].line
        assert line is not None
        assert text in lines[line - 1]


def test_the_line_of_a_persona_counts_from_the_start_of_its_file(files: Copy) -> None:
    files.change(PERSONA, "pace = 0.97", "pace = 9.7")
    (problem,) = files.problems()
    assert problem.line is not None
    assert (files.root / PERSONA).read_text(encoding="utf-8").splitlines()[problem.line - 1] == "pace = 9.7"


def test_a_mistyped_round_is_guessed() -> None:
    with pytest.raises(UsageError) as refused:
        load_content("gpu-hm-scren")
    assert refused.value.exit_code == 2
    assert refused.value.hint == "Did you mean gpu-hm-screen?"


def test_an_unknown_round_lists_those_that_are_there() -> None:
    with pytest.raises(UsageError) as refused:
        load_content("nope")
    assert "gpu-hm-screen" in refused.value.hint
    assert "anyscale-system-design" in refused.value.hint


def test_a_file_that_is_no_text_is_no_traceback(files: Copy) -> None:
    (files.root / ROUND).write_bytes(b"\xff\xfe\x00bad")
    with pytest.raises(BadInputError, match="cannot be read"):
        load_content("gpu-hm-screen", files.prompts, files.rubrics)


def test_an_empty_folder_has_no_round(tmp_path: Path, files: Copy) -> None:
    with pytest.raises(BadInputError, match="has no round"):
        load_rounds(tmp_path / "nothing", files.rubrics)


def test_a_changed_file_is_read_again(files: Copy) -> None:
    assert load_content("gpu-hm-screen", files.prompts, files.rubrics).pacing["monologue"].thresholds[0].value == 120
    files.change(PACING, "after_seconds = 120", "after_seconds = 90.5")
    assert load_content("gpu-hm-screen", files.prompts, files.rubrics).pacing["monologue"].thresholds[0].value == 90.5


def test_a_round_may_bring_its_own_thresholds() -> None:
    values = {
        name: [threshold.value for threshold in load_content(name).pacing["monologue"].thresholds]
        for name in ("gpu-hm-screen", "anyscale-system-design")
    }
    assert values == {"gpu-hm-screen": [120, 300, 720], "anyscale-system-design": [120, 300, 1320]}


def test_places_are_found_through_nested_tables_and_arrays() -> None:
    places = Places('a = 1\n[[q]]\nid = "x"\n[[q.p]]\nen = [\n  "one",\n  "two",\n]\n[[q]]\n[[q.p]]\nid = "y"\n')
    assert places.line(("a",)) == 1
    assert places.line(("q", 0, "p", 0, "en", 1)) == 7
    assert places.line(("q", 1, "p", 0, "id")) == 11
    assert places.line(("q", 1, "p", 0, "absent")) == 10
    assert places.line(("nowhere",)) is None
