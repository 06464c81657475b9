#!/usr/bin/env bash
# Write constraints.txt: the exact versions that an empty environment gets from pyproject.toml today.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --quiet --disable-pip-version-check -e '.[dev]'
{
    echo "# The exact versions that are installed and tested. Written by: make constraints"
    "$folder/venv/bin/python" -m pip freeze --exclude-editable --exclude pip --exclude setuptools
} >"$folder/constraints.txt"
mv "$folder/constraints.txt" constraints.txt
