"""Files that are no records, or hardly: each is one diagnostic, and nothing else is affected."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

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
    "with-nul": (_bytes(GOOD.encode() + b"a\0b\n"), {"hidden-text"}),
    "nul-in-head": (_bytes(GOOD.replace("open", "op\0en").encode()), {"malformed-frontmatter", "hidden-text"}),
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


def _on_opening(monkeypatch: pytest.MonkeyPatch, name: str, act: Callable[[str], None]) -> None:
    """Let something happen at the moment a file is opened, as the system does it to other programs."""
    really = os.open

    def opening(path: Any, *arguments: Any, **options: Any) -> int:
        if str(path).endswith(name):
            act(str(path))
        return really(path, *arguments, **options)

    monkeypatch.setattr(os, "open", opening)


def _one_bad_of_two(answer: Any, bad: str, words: str) -> None:
    found = {file["path"].rpartition("/")[2]: file["diagnostics"] for file in answer["files"]}
    assert found["good.md"] == []
    (problem,) = found[bad]
    assert problem["code"] == "unreadable-file"
    assert words in problem["message"]


def test_a_file_that_may_not_be_read_is_one_problem(omoide, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    decisions = workspace / ".omoide/memory/decisions"
    (decisions / "good.md").write_text(GOOD, encoding="utf-8")
    (decisions / "closed.md").write_text(GOOD, encoding="utf-8")
    (decisions / "closed.md").chmod(0)
    if os.access(decisions / "closed.md", os.R_OK):  # whoever runs the tests may read everything

        def refuse(path: str) -> None:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)

        _on_opening(monkeypatch, "closed.md", refuse)
    outcome = omoide("--json", "lint")
    assert outcome.code == 1
    _one_bad_of_two(outcome.json, "closed.md", "cannot be read (Permission denied): check its permissions")


def test_a_file_that_vanishes_between_listing_and_reading_is_one_problem(
    omoide, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decisions = workspace / ".omoide/memory/decisions"
    (decisions / "good.md").write_text(GOOD, encoding="utf-8")
    (decisions / "gone.md").write_text(GOOD, encoding="utf-8")
    _on_opening(monkeypatch, "gone.md", lambda path: Path(path).unlink(missing_ok=True))
    _one_bad_of_two(omoide("--json", "lint").json, "gone.md", "No such file or directory")
    assert omoide("lint").out == "1 file checked: no problems.\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
@pytest.mark.timeout(30)
def test_a_pipe_is_not_waited_for(omoide, workspace: Path) -> None:
    decisions = workspace / ".omoide/memory/decisions"
    (decisions / "good.md").write_text(GOOD, encoding="utf-8")
    os.mkfifo(decisions / "pipe.md")
    _one_bad_of_two(omoide("--json", "lint").json, "pipe.md", "no ordinary file")


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("/dev/zero", "leaves the memory root"),
        ("../../../outside.md", "leaves the memory root"),
        ("no.md", "to nothing"),
    ],
)
def test_a_link_to_elsewhere_is_not_followed(omoide, workspace: Path, target: str, words: str) -> None:
    decisions = workspace / ".omoide/memory/decisions"
    (workspace / "outside.md").write_text(GOOD, encoding="utf-8")
    (decisions / "good.md").write_text(GOOD, encoding="utf-8")
    (decisions / "link.md").symlink_to(target)
    _one_bad_of_two(omoide("--json", "lint").json, "link.md", words)


def test_a_loop_of_two_links_and_of_a_folder_ends(omoide, workspace: Path) -> None:
    decisions = workspace / ".omoide/memory/decisions"
    (decisions / "good.md").write_text(GOOD, encoding="utf-8")
    (decisions / "one.md").symlink_to("two.md")
    (decisions / "two.md").symlink_to("one.md")
    (decisions / "round").symlink_to(".", target_is_directory=True)
    lines = omoide("lint").out.splitlines()
    assert not [line for line in lines if "good.md" in line]
    assert len(lines) <= 4


@pytest.mark.timeout(30)
def test_aliases_that_grow_without_end_are_refused_in_bounded_work(omoide, workspace: Path) -> None:
    """Nine levels of nine would be 387 million values."""
    import tracemalloc

    (workspace / ".omoide/memory/decisions/bomb.md").write_text(BOMB, encoding="utf-8")
    tracemalloc.start()
    outcome = omoide("lint")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert outcome.code == 1
    assert "malformed-frontmatter" in outcome.out
    assert most < 50_000_000


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_left_as_it_is_by_fix(omoide, workspace: Path, name: str) -> None:
    decisions = workspace / ".omoide/memory/decisions"
    BAD[name][0](decisions / f"{name}.md")
    path = decisions / f"{name}.md"
    before = path.read_bytes() if path.is_file() else None
    outcome = omoide("lint", "--fix", "--json")
    assert (path.read_bytes() if path.is_file() else None) == before
    assert outcome.json["fixed"] == []


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "gitlab"])
def test_all_bad_files_at_once_are_told_in_every_form(omoide, workspace: Path, form: str) -> None:
    decisions = workspace / ".omoide/memory/decisions"
    for name, (make, _) in BAD.items():
        if name != "large":
            make(decisions / f"{name}.md")
    outcome = omoide("lint", "--format", form)
    assert outcome.code == 1
    assert all(name in outcome.out for name, (_, codes) in BAD.items() if codes and name not in ("large", "loop"))


def test_a_file_that_vanishes_while_it_is_read_is_one_problem(workspace: Path) -> None:
    decisions = workspace / ".omoide/memory/decisions"
    (decisions / "good.md").write_text(GOOD, encoding="utf-8")
    (decisions / "gone.md").write_text(GOOD, encoding="utf-8")
    snapshot = Snapshot(listing(workspace / ".omoide").documents)
    (decisions / "gone.md").unlink()
    assert [d.code for d in check(snapshot, "memory/decisions/gone.md")] == ["unreadable-file"]
    assert check(snapshot, "memory/decisions/good.md") == []
