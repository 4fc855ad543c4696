"""What programs outside rely on: keys of `--json` in their order, exit codes, a command for each step on both sides."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from memory_core.cli.main import COMMANDS as CLI_COMMANDS
from memory_core.store.session_store import SessionStore
from server.app import COMMANDS as EDITOR_COMMANDS
from tests.cli.conftest import Run

RULE = "From now on, always run the linter before you commit, because broken builds cost us a day."


@pytest.fixture
def session(workspace: Path) -> str:
    """A session of our own format in which a person makes a rule."""
    sessions = SessionStore.of_workspace(workspace)
    made = sessions.create("my-agent", session_kind="code", cwd=str(workspace))
    sessions.append(made, "user_message", text=RULE)
    sessions.append(made, "assistant_message", text="Understood, I will run the linter before each commit.")
    return made


def begins(data: dict[str, Any], keys: Iterable[str]) -> bool:
    """Whether these keys are there in this order; others may stand between them or behind."""
    wanted = list(keys)
    return [key for key in data if key in wanted] == wanted


def test_answers_for_programs_have_the_keys_of_their_format(omoide: Run, workspace: Path, session: str) -> None:
    (listed,) = omoide("--json", "sessions").json["sessions"]
    keys = ["session_id", "agent", "path", "entries", "started_at", "updated_at", "unextracted_tokens", "gaps"]
    assert list(listed) == keys
    shown = omoide("--json", "sessions", "show", session).json
    assert begins(shown, ["session_id", "agent", "gaps", "entries"])
    assert begins(shown["entries"][1], ["index", "kind", "speaker", "ts", "text", "native_id", "line"])
    (hit, *_) = omoide("--json", "sessions", "search", "linter").json["hits"]
    assert begins(hit, ["session_id", "entry", "kind", "speaker", "excerpt", "score"])

    (run,) = omoide("--json", "extract", "--session", session).json["runs"]
    assert begins(run, ["session_id", "range", "status", "reason", "staging_id", "counts", "usage"])
    assert list(run["counts"]) == ["decisions", "discussions", "attempts", "requests"]
    assert (run["status"], run["range"]) == ("staged", [0, 2])
    done = omoide("--json", "consolidate").json
    assert begins(done, ["run_id", "status", "changes", "closed", "left", "conflicts", "usage"])
    assert list(done["changes"][0]) == ["op", "kind", "slug"]
    assert list(done["closed"][0]) == ["candidate", "action", "reason"]

    change = next(change for change in done["changes"] if change["kind"] != "summary")
    record = omoide("--json", "read", change["kind"], change["slug"]).json
    assert list(record) == ["kind", "slug", "path", "frontmatter", "body"]
    (found, *_) = omoide("--json", "search", "linter").json["hits"]
    assert begins(found, ["kind", "slug", "description", "excerpt", "line", "score"])
    lines = (workspace / record["path"]).read_text(encoding="utf-8").splitlines()
    same = next(h for h in omoide("--json", "search", "linter").json["hits"] if h["slug"] == change["slug"])
    assert lines[same["line"]].strip() == same["excerpt"].splitlines()[0]
    (row, *_) = omoide("--json", "usage", "report").json["records"]
    figures = ["estimated_tokens_per_injection", "estimated_total_resident_exposure_tokens"]
    counts = ["use_count", "last_used_at", "source_breakdown", "resident_exposure_count"]
    assert list(row) == ["kind", "slug", *counts, *figures]


def test_a_dry_run_for_programs_shows_what_would_be_written(omoide: Run, workspace: Path, session: str) -> None:
    """Else its answer is the same as that of a run which wrote everything."""
    omoide("extract", "--session", session)
    dry = omoide("--json", "consolidate", "--dry-run").json
    assert "+++ b/" in dry["diff"]
    assert not list((workspace / ".omoide").glob("*/**/[a-z]*.md"))
    assert "diff" not in omoide("--json", "consolidate").json


def test_an_export_answers_programs_too(omoide: Run, workspace: Path, session: str, tmp_path: Path) -> None:
    """Markdown, or nothing at all, stood where a program looked for JSON."""
    told = omoide("--json", "sessions", "export", session).json
    assert begins(told, ["session_id", "agent", "format", "entries", "text"])
    assert RULE in told["text"]
    out = tmp_path / "session.md"
    told = omoide("--json", "sessions", "export", session, "--out", str(out)).json
    assert (told["path"], RULE in out.read_text(encoding="utf-8")) == (str(out), True)
    written = omoide("--json", "export", "--out", str(tmp_path / "all.json")).json
    assert written == {"path": str(tmp_path / "all.json"), "records": 0, "left_out": 0, "sessions": 0}
    assert omoide("--json", "export", "--markdown").code == 2


def test_a_diagnostic_for_programs_has_its_place_in_code_points(omoide: Run, workspace: Path) -> None:
    path = workspace / ".omoide/workflow/release.md"
    path.write_text("---\ndescription: How we cut a release. 🙂\n---\n\n🙂🙂 See #ghost.\n", encoding="utf-8")
    done = omoide("--json", "lint")
    assert done.code == 1
    assert list(done.json) == ["workspace", "files", "counts"]
    assert done.json["workspace"] == str(workspace)
    (file,) = (file for file in done.json["files"] if file["diagnostics"])
    assert file["path"] == ".omoide/workflow/release.md"
    (problem,) = file["diagnostics"]
    assert list(problem) == ["code", "severity", "message", "range", "fixes"]
    assert problem["range"] == {"start": {"line": 4, "character": 7}, "end": {"line": 4, "character": 13}}
    assert done.json["counts"] == {"files": 1, "errors": 1, "warnings": 0, "hints": 0}


class _Interrupted:
    """A standard input at which somebody presses Ctrl-C."""

    encoding = "utf-8"

    @property
    def buffer(self) -> _Interrupted:
        return self

    def read(self, *_: int) -> str:
        raise KeyboardInterrupt

    def isatty(self) -> bool:
        return False


def test_an_exit_code_tells_fine_refused_misused_and_interrupted(
    omoide: Run, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert omoide("status").code == 0
    assert omoide("read", "knowledge", "no-such-record").code == 1
    for misuse in (("lint", "--no-such-option"), ("no-such-command",), ("new", "decision", "con")):
        assert omoide(*misuse).code == 2, misuse
    assert omoide("--workspace", str(workspace.parent), "status").code == 2
    monkeypatch.setattr(sys, "stdin", _Interrupted())
    assert omoide("expand", "-").code == 130


def test_every_step_can_be_taken_on_the_command_line_and_in_the_editor() -> None:
    """T52: there was no command to look at a memory, to prune it or to bring it up to date."""
    editor = {name for name, _ in EDITOR_COMMANDS}
    looking, making = ("status", "search", "sessions", "staging"), ("extract", "consolidate", "undo")
    records = ("new", "rename", "promote", "archive", "lint", "expand")
    for step in (*looking, *making, *records):
        assert step in CLI_COMMANDS
        assert f"omoide.{step}" in editor


def test_no_log_found_is_said_and_is_no_silent_success(omoide: Run, workspace: Path) -> None:
    """T54: a run that saw no files at all looked like one that found nothing new, for months."""
    for command in (("extract",), ("extract", "--all"), ("extract", "--if-due")):
        done = omoide(*command)
        assert f"no session log of {workspace} was found" in done.err, command
    assert "`omoide sessions places` lists all" in omoide("sessions").err


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_the_repository_is_never_written_to(omoide: Run, workspace: Path, session: str) -> None:
    """T41: a forced push wiped 79 files of a memory. Branches, history, list of tracked files: all is as it was."""
    subprocess.run(["git", "init", "-q", "."], cwd=workspace, check=True)
    subprocess.run(["git", "add", "-A"], cwd=workspace, check=True)
    before = _files(workspace / ".git")
    assert omoide("extract", "--session", session).code == 0
    run_id = omoide("--json", "consolidate").json["run_id"]
    for command in (("undo", run_id), ("audit",), ("status",), ("lint",), ("install", "claude-code", "--yes")):
        assert omoide(*command).code == 0, command
    assert _files(workspace / ".git") == before


def test_a_memory_is_its_projects_own(omoide: Run, workspace: Path, tmp_path: Path) -> None:
    """T49: what was remembered in one project was used in another."""
    other = tmp_path / "other"
    other.mkdir()
    assert omoide("--workspace", str(other), "init").code == 0
    dates = "created_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-01T00:00:00Z"
    flags = "model_invokation: true\nuser_invocable: true\nlast_sources: []"
    text = f"---\n{dates}\nkind: rule\ndescription: Tabs. Read before you indent.\n{flags}\n---\n\nUse tabs.\n"
    (workspace / ".omoide/knowledge/tabs.md").write_text(text, encoding="utf-8")
    assert "#tabs" in omoide("context").out
    assert omoide("--json", "search", "tabs").json["hits"]
    assert "tabs" not in omoide("--workspace", str(other), "context").out
    assert omoide("--workspace", str(other), "--json", "search", "tabs").json == {"hits": [], "stored": 0}
    assert omoide("--workspace", str(other), "--json", "expand", "#tabs").json["records"] == []


def test_a_checkout_that_was_moved_keeps_its_memory_and_its_pointers(
    omoide: Run, workspace: Path, session: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T50: another path was no memory, or a second one."""
    assert omoide("--json", "extract", "--session", session).json["runs"][0]["status"] == "staged"
    monkeypatch.chdir(tmp_path)
    moved = workspace.rename(tmp_path / "elsewhere")
    at = ("--workspace", str(moved), "--json")
    assert [found["session_id"] for found in omoide(*at, "sessions").json["sessions"]] == [session]
    assert omoide(*at, "extract", "--session", session).json["runs"][0]["status"] == "nothing"
    assert omoide(*at, "consolidate").json["status"] == "committed"
    assert omoide("--workspace", str(moved), "lint", "--evidence").out.endswith("no problems.\n")
