"""Writes docs/dependencies.md: every package that an installation of Omoide brings, its version, licence and why.

Reads the metadata of what is installed here; asks no registry. Run it after a change of pyproject or constraints:
`python scripts/dependencies.py`, or with `--check` to see whether the page is current.
"""

from __future__ import annotations

import importlib.metadata as metadata
import re
import sys
import tomllib
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/dependencies.md"


def licence(name: str) -> str:
    """The licence as the package declares it: an SPDX expression, a classifier, or the first line of its field."""
    about = metadata.metadata(name)
    if found := about.get("License-Expression"):
        return found
    classes = [c.rpartition(" :: ")[2] for c in about.get_all("Classifier") or () if c.startswith("License ::")]
    classes = [c for c in classes if c != "OSI Approved"]
    field = (about.get("License") or "").strip().splitlines()
    return ", ".join(classes) or (field[0][:60] if field else "not declared: look at its page")


def closure(wanted: list[Requirement]) -> dict[str, set[str]]:
    """Every package that requirements bring, and what asks for it."""
    found: dict[str, set[str]] = {}
    queue = [(requirement, "Omoide") for requirement in wanted]
    while queue:
        requirement, by = queue.pop()
        name = canonicalize_name(requirement.name)
        new = name not in found
        found.setdefault(name, set()).add(by)
        if not new and not requirement.extras:
            continue
        for line in metadata.requires(name) or ():
            inner = Requirement(line)
            extras = ["", *requirement.extras]
            environment = {str(key): str(value) for key, value in default_environment().items()}
            marked = inner.marker
            wanted_here = not marked or any(marked.evaluate({**environment, "extra": extra}) for extra in extras)
            if wanted_here and canonicalize_name(inner.name) != name:
                queue.append((inner, name))
    return found


def table(found: dict[str, set[str]], leave_out: set[str]) -> list[str]:
    rows = ["| Package | Version | Licence | Asked for by |", "| --- | --- | --- | --- |"]
    for name in sorted(found.keys() - leave_out):
        by = ", ".join(sorted(found[name], key=lambda who: (who != "Omoide", who)))
        rows.append(f"| {name} | {metadata.version(name)} | {licence(name)} | {by} |")
    return rows


def page() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    base = closure([Requirement(line) for line in project["dependencies"]])
    lines = [
        "# Dependencies",
        "",
        "Made by `python scripts/dependencies.py` from the metadata of the versions in `constraints.txt`; do not edit.",
        "Known vulnerabilities: `pip-audit --no-deps --disable-pip -r constraints.txt` and, in `editors/vscode`,",
        "`npm audit --package-lock-only`; `.github/workflows/ci.yml` runs both each week. `requirements.lock` has the",
        "hashes of every file (`scripts/lock.sh` writes it; the check installs nothing else), and `scripts/sbom.sh`",
        "writes the bill of materials of the package and of the VS Code extension, CycloneDX in JSON.",
        "",
        "## Every installation",
        "",
        *table(base, set()),
    ]
    for extra, requirements in project["optional-dependencies"].items():
        more = closure([Requirement(line) for line in requirements])
        lines += ["", f"## With `omoide[{extra}]`", "", *table(more, set(base))]
    text = "\n".join(lines) + "\n"
    return re.sub(r"[ \t]+\n", "\n", text)


def main() -> None:
    text = page()
    if "--check" in sys.argv:
        sys.exit(0 if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text else f"{PAGE} is out of date")
    PAGE.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
