#!/usr/bin/env bash
# The main job: the page, where somebody sits in front of a browser; else a round in this terminal, and without a microphone a
# demonstration of it. TERMINAL=1 asks for the terminal. Called by make practice with the round and the language.
set -euo pipefail
cd "$(dirname "$0")/.."
round=$1 talk=$2
.venv/bin/voiceprep doctor
if [ -z "${TERMINAL:-}" ] && [ -t 1 ] && { [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || [ "$(uname)" = Darwin ]; }; then
  echo "Opening the page; TERMINAL=1 make practice holds a round in this terminal instead."
  exec .venv/bin/voiceprep serve --open
fi
exec .venv/bin/voiceprep practice "$round" --lang "$talk" --demo-if-no-microphone
