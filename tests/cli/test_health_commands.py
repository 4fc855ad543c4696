"""`omoide audit` and `omoide doctor`: they look, name what is wrong with a remedy, and change nothing."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from memory_core.layout import Layout
from memory_core.staging import DeadLetter, StagingSource
from memory_core.store.filestore import FileStore
from tests.cli.conftest import Outcome, Run

KEY = "sk-" + "a1B2c3D4e5F6g7H8i9J0"


def codes(outcome: Outcome) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for finding in outcome.json["findings"]:
        found.setdefault(finding["code"], []).append(finding["path"])
    return found


def state(root: Path) -> dict[str, str]:
    return {str(p): hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(root.rglob("*")) if p.is_file()}


def test_a_fresh_store_is_healthy(omoide: Run, workspace: Path) -> None:
    outcome = omoide("audit")
    assert (outcome.code, "is healthy" in outcome.out) == (0, True)
    answer = omoide("--json", "audit").json
    assert (answer["findings"], answer["counts"]) == ([], {"errors": 0, "warnings": 0, "notes": 0})


def test_a_secret_that_is_already_stored_is_found_wherever_it_lies(omoide: Run, workspace: Path) -> None:
    """T36: also what was stored before the rules knew its shape."""
    places = ["knowledge/a.md", "memory/_staging/x.json", "memory/_archive/r/a.md", "sessions/s.jsonl", "config.toml"]
    for place in places:
        path = workspace / ".omoide" / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'"key {KEY} end"\n', encoding="utf-8")
        path.chmod(0o600)
    outcome = omoide("--json", "audit")
    assert outcome.code == 1
    assert sorted(codes(outcome)["secret"]) == sorted(places)
    assert KEY not in outcome.out + outcome.err, "the report does not repeat it"


def test_torn_lines_unfinished_runs_dead_locks_and_left_overs_are_named(omoide: Run, workspace: Path) -> None:
    root = workspace / ".omoide"
    files = {
        "memory/_usage/events.jsonl": '{"id": 1}\n{"torn\n',
        "memory/_archive/_pending/r1.json": '{"pid": 1}',
        "memory/_staging/.consolidation.lock": "{}",
        "knowledge/x.md.tmp": "half",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
        (root / name).chmod(0o600)
    found = codes(omoide("--json", "audit"))
    assert found["torn-line"] == ["memory/_usage/events.jsonl"]
    assert found["unfinished-run"] == ["memory/_archive/_pending/r1.json"]
    assert found["dead-lock"] == ["memory/_staging/.consolidation.lock"]
    assert found["left-over"] == ["knowledge/x.md.tmp"]


@pytest.mark.skipif(os.name == "nt", reason="file modes are those of POSIX")
def test_a_log_that_others_may_read_and_a_link_out_of_the_store_are_named(
    omoide: Run, workspace: Path, tmp_path: Path
) -> None:
    log = workspace / ".omoide/sessions/s.jsonl"
    log.parent.mkdir(exist_ok=True)
    log.write_text("{}\n")
    log.chmod(0o644)
    (workspace / ".omoide/knowledge/out.md").symlink_to(tmp_path / "elsewhere.md")
    found = codes(omoide("--json", "audit"))
    assert found["readable-by-others"] == ["sessions/s.jsonl"]
    assert found["link-out"] == ["knowledge/out.md"]


def test_machinery_in_git_is_an_error_and_one_that_git_would_take_a_warning(omoide: Run, workspace: Path) -> None:
    def git(*arguments: str) -> None:
        subprocess.run(["git", "-C", str(workspace), *arguments], check=True, capture_output=True)

    git("init", "-q")
    root = workspace / ".omoide"
    (root / "memory/_usage").mkdir(parents=True, exist_ok=True)
    (root / "memory/_usage/events.jsonl").write_text('{"id": 1}\n')
    (root / "memory/_usage/events.jsonl").chmod(0o600)
    assert "not-ignored" not in codes(omoide("--json", "audit"))
    (root / ".gitignore").unlink()
    assert "not-ignored" in codes(omoide("--json", "audit"))
    git("add", "-f", ".omoide/memory/_usage/events.jsonl")
    found = codes(omoide("--json", "audit"))
    assert "tracked" in found
    assert "not-ignored" not in found


def test_what_failed_and_what_waits_is_part_of_it(omoide: Run, workspace: Path) -> None:
    source = StagingSource(session_id="s", range=(0, 1))
    letter = DeadLetter(id="l", run_id="r", created_at="2026-01-01T00:00:00Z", source=source, reason="it talked prose")
    FileStore(Layout(workspace / ".omoide")).bury(letter)
    (workspace / ".omoide/memory/_staging/bad.json").write_text("{")
    found = codes(omoide("--json", "audit"))
    assert found["dead-letter"] == ["memory/_staging/_dead/l.json"]
    assert found["staging"] == ["memory/_staging/bad.json"]


def test_the_audit_changes_nothing(omoide: Run, workspace: Path) -> None:
    before = state(workspace)
    omoide("audit")
    assert state(workspace) == before


def checks(outcome: Outcome) -> dict[str, Any]:
    return {check["name"]: check for check in outcome.json["checks"]}


def test_the_doctor_names_what_this_machine_has(omoide: Run, workspace: Path) -> None:
    found = checks(omoide("--json", "doctor"))
    assert found["python"]["level"] == "ok"
    assert found["language server"]["level"] == "ok"
    assert found["tokenizer"]["level"] == "ok"
    assert found["store"]["level"] == "ok"
    assert "no network" in found["provider"]["detail"]


def test_the_doctor_works_without_a_workspace(omoide: Run, folder: Path) -> None:
    outcome = omoide("--json", "doctor")
    assert outcome.code == 0
    assert "omoide init" in checks(outcome)["workspace"]["detail"]


def test_a_provider_without_its_model_and_a_bad_setting_are_named(omoide: Run, workspace: Path) -> None:
    (workspace / ".omoide/config.toml").write_text('[provider]\nname = "openai"\n[memory]\nresident = 1\n')
    outcome = omoide("--json", "doctor")
    found = checks(outcome)
    assert outcome.code == 1
    assert "extract_model" in found["provider"]["detail"]
    assert "config.toml:4" in found["settings"]["detail"]


def test_a_second_memory_beside_the_used_one_is_told_of_by_all_who_look(omoide: Run, workspace: Path) -> None:
    left = workspace / ".yoi/memory/decisions/old-one.md"
    left.parent.mkdir(parents=True)
    left.write_text("# Old\n", encoding="utf-8")
    told = f"{workspace / '.yoi'} holds 1 file of a memory and is not used"
    (found,) = omoide("--json", "audit").json["findings"]
    assert (found["code"], found["level"], told in found["message"]) == ("unused-root", "warning", True)
    assert told in omoide("status").err
    assert [told in text for text in omoide("--json", "status").json["unused"]] == [True]
    assert told in " ".join(check["detail"] for check in omoide("--json", "doctor").json["checks"])
