"""The shell around the core: clock, inbox, interpreter, session."""
