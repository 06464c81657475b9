"""How the sound of an utterance ends."""
