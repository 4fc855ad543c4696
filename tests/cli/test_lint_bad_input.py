"""Files that are no records, or hardly: each is one diagnostic, and nothing else is affected."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memory_core.lint.check import check
from memory_core.snapshot import Snapshot
from memory_core.store.scan import listing

DATES = "created_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-02T00:00:00Z\n"
GOOD = f"---\n{DATES}sources: []\nstatus: open\n---\n\nWe chose.\n"
HEAD = GOOD.partition("We chose")[0]
BOMB = (
    "---\na: &a [x, x, x, x, x, x, x, x, x]\n"
    + "".join(
        f"{after}: &{after} [{', '.join([f'*{before}'] * 9)}]\n"
        for before, after in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "---\n\nBody.\n"
)


def _folder(path: Path) -> None:
    path.mkdir()


def _loop(path: Path) -> None:
    path.symlink_to(path.name)


def _bytes(data: bytes) -> Callable[[Path], None]:
    return lambda path: void(path.write_bytes(data))


def void(_: object) -> None:
    """For an expression whose value nobody needs."""


BAD: dict[str, tuple[Callable[[Path], None], set[str]]] = {
    "binary": (_bytes(bytes(range(256)) * 20), {"unreadable-file"}),
    "empty": (_bytes(b""), {"missing-frontmatter"}),
    "with-nul": (_bytes(GOOD.encode() + b"a\0b\n"), set()),
    "nul-in-head": (_bytes(GOOD.replace("open", "op\0en").encode()), {"malformed-frontmatter"}),
    "long-line": (_bytes(HEAD.encode() + b"x" * 1_000_000), {"body-too-long", "thin-evidence"}),
    "large": (_bytes(HEAD.encode() + b"We chose #nothing.\n" * 2_700_000), {"unreadable-file"}),
    "folder": (_folder, {"unreadable-file"}),
    "loop": (_loop, {"unreadable-file"}),
    "yaml-bomb": (_bytes(BOMB.encode()), {"malformed-frontmatter", "unknown-key"}),
    "bad-utf8": (_bytes(GOOD.encode() + b"caf\xe9\n"), {"unreadable-file"}),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_reported_and_affects_no_other(omoide, workspace: Path, name: str) -> None:
    """Issue 3, bad input."""
    make, expected = BAD[name]
    decisions = workspace / ".omoide/memory/decisions"
    (decisions / "good.md").write_text(GOOD, encoding="utf-8")
    make(decisions / f"{name}.md")
    outcome = omoide("--json", "lint")
    found = {file["path"]: {d["code"] for d in file["diagnostics"]} for file in json.loads(outcome.out)["files"]}
    # A loop has no file to report it for: it is said of its folder.
    place = ".omoide/memory/decisions" if name == "loop" else f".omoide/memory/decisions/{name}.md"
    assert found == {".omoide/memory/decisions/good.md": set(), place: expected}
    assert outcome.code in (0, 1)


def test_a_file_that_may_not_be_read_is_one_problem(omoide, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may read everything: the system's answer is given here."""
    decisions = workspace / ".omoide/memory/decisions"
    (decisions / "good.md").write_text(GOOD, encoding="utf-8")
    (decisions / "closed.md").write_text(GOOD, encoding="utf-8")
    (decisions / "closed.md").unlink()
    (decisions / "closed.md").mkdir(mode=0)
    outcome = omoide("lint")
    lines = [line for line in outcome.out.splitlines() if "closed.md" in line]
    assert len(lines) == 1
    assert "unreadable-file" in lines[0]
    assert "good.md" not in outcome.out


def test_a_file_that_vanishes_while_it_is_read_is_one_problem(workspace: Path) -> None:
    decisions = workspace / ".omoide/memory/decisions"
    (decisions / "good.md").write_text(GOOD, encoding="utf-8")
    (decisions / "gone.md").write_text(GOOD, encoding="utf-8")
    snapshot = Snapshot(listing(workspace / ".omoide").documents)
    (decisions / "gone.md").unlink()
    assert [d.code for d in check(snapshot, "memory/decisions/gone.md")] == ["unreadable-file"]
    assert check(snapshot, "memory/decisions/good.md") == []
