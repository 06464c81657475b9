"""The language model that may word the interviewer's lines. What is asked is decided in core/interviewer."""
