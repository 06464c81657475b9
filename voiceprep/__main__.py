"""`python -m voiceprep`."""

from voiceprep.cli.main import run

if __name__ == "__main__":
    run()
