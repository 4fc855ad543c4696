"""Figures of the VS Code extension in a real VS Code: activation, bundle, and the Memory view over many records.

    scripts/editors/setup-code-server.sh         once
    python bench/vscode.py [--records 10000]

Times are of the extension host; `activation` is what VS Code itself reports of its start.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bench.generate import generate
from tests.editors.conftest import pack_extension

CHECKOUT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=10_000)
    records = parser.parse_args().records
    with tempfile.TemporaryDirectory(prefix="omoide-bench-") as folder:
        figures, bundle, package = _measured(Path(folder), records)
    print(f"bundle {bundle / 1000:.0f} KB, package {package / 1000:.0f} KB")
    print(f"activation, as VS Code tells it: {figures['activation']}")
    for name, row in (("view opens", figures["open"]), ("a kind's first rows", figures["rows"])):
        first = f"first {row['first']:.0f}, " if row.get("first") else ""
        print(f"{name}, {records:,} records: {first}median {row['median']:.0f}, p95 {row['p95']:.0f} ms")
    return 0


def _measured(folder: Path, records: int) -> tuple[dict[str, dict[str, float]], int, int]:
    """The figures of the extension host, and the sizes of bundle and package in bytes."""
    vsix, unpacked, project, home = (folder / name for name in ("omoide.vsix", "unpacked", "project", "home"))
    pack_extension(CHECKOUT / "editors/vscode", vsix)
    with zipfile.ZipFile(vsix) as packed:
        packed.extractall(unpacked)
    (home / ".run").mkdir(parents=True, mode=0o700)
    generate(project, records)
    cache = Path(os.environ.get("OMOIDE_E2E_DIR", CHECKOUT / ".e2e"))
    environment = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "HOME": str(home),
        "XDG_RUNTIME_DIR": str(home / ".run"),
        "CODE_SERVER": str(cache / "code-server/node_modules/.bin/code-server"),
        "CHROMIUM": shutil.which("chromium") or shutil.which("google-chrome") or "chromium",
        "EXTENSION": str(unpacked / "extension"),
        "WORKSPACE": str(project),
        "STATE": str(folder / "state"),
        "SUITE": "../../../bench/vscode-suite",
        "RECORDS": str(records + 1),  # and the summary
    }
    script = CHECKOUT / "tests/editors/vscode/run.mjs"
    done = subprocess.run(["node", str(script)], env=environment, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if "FIGURES" in line]
    if done.returncode or not lines:
        raise SystemExit(done.stdout + done.stderr)
    bundle = sum(file.stat().st_size for file in (unpacked / "extension/out").glob("*.js"))
    return json.loads(lines[0].split("FIGURES", 1)[1]), bundle, vsix.stat().st_size


if __name__ == "__main__":
    sys.exit(main())
