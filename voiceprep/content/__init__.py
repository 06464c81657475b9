"""Rounds, interviewers and rubrics: files under prompts/ and rubrics/, read strictly into frozen values."""

from voiceprep.content.loader import (
    Rubrics,
    check_all,
    finished_rounds,
    interviewer,
    load_content,
    load_rounds,
    load_rubrics,
    round_alone,
    round_ids,
)
from voiceprep.content.problems import Problem

__all__ = [
    "Problem",
    "Rubrics",
    "check_all",
    "finished_rounds",
    "interviewer",
    "load_content",
    "load_rounds",
    "load_rubrics",
    "round_alone",
    "round_ids",
]
