"""Pacing rules, one a file. Pure: a rule is a machine that raises `FlagRaised` (see core/machine.py)."""
