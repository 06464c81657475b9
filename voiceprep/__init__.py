"""voiceprep: a local, voice-based live mock interviewer."""

import os

__version__ = "0.1.0"

# Libraries that would report home are told not to, here, before any of them is imported: nothing leaves the machine.
for _name in ("ORT_DISABLE_TELEMETRY", "HF_HUB_DISABLE_TELEMETRY", "DO_NOT_TRACK"):
    os.environ.setdefault(_name, "1")
