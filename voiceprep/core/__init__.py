"""The pure heart: facts in, decisions and commands out. No clock, no I/O, no randomness (docs/architecture.md)."""
