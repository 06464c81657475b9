"""Interviewers that are not part of the core. The embedded one is core/round.py and core/director.py."""
