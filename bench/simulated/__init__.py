"""Candidates of known character, sent into every round: they are written, so how the interviewer met them can be graded."""
