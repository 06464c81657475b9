"""Voice activity."""
