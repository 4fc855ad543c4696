#!/usr/bin/env bash
# Writes requirements.lock: the versions of constraints.txt for every system, each file with its hashes. Run it after a
# change of pyproject.toml or constraints.txt; it asks the package index. Needs `uv`, which it fetches when it is absent.
#   scripts/lock.sh            every version as constraints.txt says
set -euo pipefail
cd "$(dirname "$0")/.."
uv=$(command -v uv || true)
if [ -z "$uv" ]; then
  tools=$(mktemp -d)
  trap 'rm -rf "$tools"' EXIT
  python3 -m venv "$tools"
  "$tools/bin/python" -m pip install -q --disable-pip-version-check uv
  uv="$tools/bin/uv"
fi
"$uv" pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate \
  --all-extras --group dev --group editors --constraint constraints.txt --output-file requirements.lock pyproject.toml
echo "requirements.lock: $(grep -c '==' requirements.lock) packages"
