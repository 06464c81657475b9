"""Speech models behind seams: voice activity, recogniser, voices. Each adapter passes its seam's contract tests."""
