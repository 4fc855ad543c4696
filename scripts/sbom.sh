#!/usr/bin/env bash
# Writes the bill of materials of what is shipped, CycloneDX in JSON: omoide.cdx.json (the Python package with its extras)
# and extension.cdx.json (the VS Code extension). Installs by requirements.lock into a new environment, so it asks the
# package index.
#   scripts/sbom.sh [FOLDER]   the folder for both files; `sbom` by default
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-sbom}
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m venv "$work/tools"
"$work/tools/bin/python" -m pip install -q --disable-pip-version-check "cyclonedx-bom>=7,<8"
# What is shipped is the locked versions of what the project asks for, without the tools of its developers.
python3 -m venv --without-pip "$work/shipped"
"$work/tools/bin/python" -m pip --python "$work/shipped/bin/python" install -q --disable-pip-version-check \
  --constraint constraints.txt ".[mcp,semantic]"
"$work/tools/bin/cyclonedx-py" environment --pyproject pyproject.toml --output-reproducible --mc-type application \
  --output-format JSON --output-file "$folder/omoide.cdx.json" "$work/shipped/bin/python"
(cd editors/vscode && npm sbom --sbom-format cyclonedx --package-lock-only --omit dev) >"$folder/extension.cdx.json"
python3 - "$folder" <<'PY'
import json, pathlib, sys

for file in sorted(pathlib.Path(sys.argv[1]).glob("*.cdx.json")):
    print(f"{file}: {len(json.loads(file.read_text(encoding='utf-8')).get('components', []))} components")
PY
