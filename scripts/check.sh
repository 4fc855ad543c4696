#!/usr/bin/env bash
# Every check of the project in one command, on a fresh machine too: makes .venv with the tested versions, then runs
# style, types, import contracts and all tests. Needs Python 3.11+ and Node 20+.
#   scripts/check.sh            everything; tests of editors that are not on this machine are skipped and say how to get them
#   scripts/check.sh --fast     without the real editors
# With CI=true nothing is skipped: a missing editor is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."
fast=${1:-}

say() { printf '\n== %s\n' "$*"; }

say "environment"
[ -x .venv/bin/python ] || python3 -m venv .venv
.venv/bin/python -m pip install -q --disable-pip-version-check "pip==25.3"
.venv/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
.venv/bin/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
export PATH="$PWD/.venv/bin:$PATH"

say "style"
ruff check .
ruff format --check .

say "types"
mypy

say "import contracts"
lint-imports --no-cache | tail -n 8

say "VS Code extension"
(cd editors/vscode && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && npm run --silent check && npm run --silent lint && npm run --silent package)

if [ "$fast" = "--fast" ]; then
  say "tests without editors"
  exec pytest -q -n 2 -m "not editor"
fi

if [ "${CI:-}" = true ]; then
  say "VS Code for tests"
  bash scripts/editors/setup-code-server.sh --current
fi

say "tests"
pytest -q -n 2 -m "not editor"
say "tests in real editors"
exec pytest -q -m editor
