"""Strict loading of prompts/ and rubrics/ into the frozen values of core/pack.py."""
