"""Export and import: lossless, byte for byte, and a change set where there is something already."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.enrich.doubles import decision, knowledge


def tree(workspace: Path) -> dict[str, str]:
    root = workspace / ".omoide"
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for folder in ("knowledge", "workflow", "memory/decisions", "memory/requests", "memory/_usage")
        for path in sorted((root / folder).rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def records(workspace: Path) -> Path:
    root = workspace / ".omoide"
    (root / "knowledge/a.md").write_bytes(knowledge("one\r\ntwo ```x```").encode())
    (root / "knowledge/b.md").write_bytes(("\ufeff" + knowledge("日本語", scope="{agent: codex}")).encode())
    (root / "knowledge/odd.md").write_bytes(b"no frontmatter, no newline")
    (root / "memory/decisions/c.md").write_text(decision("By pipeline."), encoding="utf-8")
    (root / "memory/_usage").mkdir(exist_ok=True)
    (root / "memory/_usage/events.jsonl").write_text('{"id": "1"}\n')
    return workspace


def test_a_round_trip_is_byte_identical(omoide: Run, records: Path, tmp_path: Path) -> None:
    before = tree(records)
    assert omoide("export", "--all-scopes", "--out", str(tmp_path / "all.json")).code == 0
    for path in before:
        (records / ".omoide" / path).unlink()
    assert omoide("import", str(tmp_path / "all.json"), "--all-scopes").code == 0
    assert tree(records) == before
    done = omoide("import", str(tmp_path / "all.json"), "--all-scopes", "--json").json
    assert (done["changes"], len(done["same"])) == ([], 4)


def test_an_import_can_be_undone(omoide: Run, records: Path, tmp_path: Path) -> None:
    omoide("export", "--all-scopes", "--out", str(tmp_path / "all.json"))
    (records / ".omoide/knowledge/a.md").unlink()
    run = omoide("import", str(tmp_path / "all.json"), "--all-scopes", "--json").json["run_id"]
    assert (records / ".omoide/knowledge/a.md").exists()
    assert omoide("undo", run).code == 0
    assert not (records / ".omoide/knowledge/a.md").exists()


def test_what_is_there_with_other_text_is_a_conflict_and_nothing_is_written(
    omoide: Run, records: Path, tmp_path: Path
) -> None:
    omoide("export", "--all-scopes", "--out", str(tmp_path / "all.json"))
    path = records / ".omoide/knowledge/a.md"
    path.write_text(knowledge("edited since"))
    (records / ".omoide/memory/decisions/c.md").unlink()
    before = tree(records)
    done = omoide("import", str(tmp_path / "all.json"), "--all-scopes", "--json")
    assert done.code == 1
    assert done.json["conflicts"] == [{"path": "knowledge/a.md", "reason": "is there with other text"}]
    assert tree(records) == before
    assert omoide("import", str(tmp_path / "all.json"), "--all-scopes", "--replace", "knowledge/a.md").code == 0
    assert "one" in path.read_text()


def test_a_dry_run_writes_nothing(omoide: Run, records: Path, tmp_path: Path) -> None:
    omoide("export", "--all-scopes", "--out", str(tmp_path / "all.json"))
    (records / ".omoide/knowledge/a.md").unlink()
    before = tree(records)
    assert "+one" in omoide("import", str(tmp_path / "all.json"), "--all-scopes", "--dry-run").out
    assert tree(records) == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d["records"][0].update(text="changed"), "its hash differs"),
        (lambda d: d["records"][0].update(path="../../etc/passwd"), "no place for a record"),
        (lambda d: d["records"][0].update(path="memory/_staging/a.md"), "no place for a record"),
        (lambda d: d["records"].append(d["records"][0]), "a record twice"),
        (lambda d: d.update(version=2), "of version 1"),
        (lambda d: d.update(records={}), "are no list"),
        (lambda d: d["records"].append(3), "no path or no text"),
    ],
)
def test_a_file_that_is_no_export_changes_nothing(
    omoide: Run, records: Path, tmp_path: Path, change: object, said: str
) -> None:
    path = tmp_path / "all.json"
    omoide("export", "--all-scopes", "--out", str(path))
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data)  # type: ignore[operator]
    path.write_text(json.dumps(data), encoding="utf-8")
    before = tree(records)
    done = omoide("import", str(path), "--all-scopes")
    assert done.code == 2
    assert said in done.err
    assert tree(records) == before


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[]", b"[" * 100_000])
def test_damaged_bytes_are_one_line(omoide: Run, records: Path, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "all.json"
    path.write_bytes(data)
    done = omoide("import", str(path))
    assert (done.code, len(done.err.splitlines())) == (2, 1)


def test_markdown_is_for_people_and_keeps_fences_inside(omoide: Run, records: Path) -> None:
    out = omoide("export", "--markdown").out
    assert "## knowledge/a.md\n\n````markdown\n---\n" in out
    assert "knowledge/b.md" not in out, "scoped to somebody else"


def test_a_file_is_never_replaced(omoide: Run, records: Path, tmp_path: Path) -> None:
    (tmp_path / "all.json").write_text("mine")
    assert omoide("export", "--out", str(tmp_path / "all.json")).code == 2
    assert (tmp_path / "all.json").read_text() == "mine"


def logs_of(workspace: Path) -> dict[str, bytes]:
    root = workspace / ".omoide"
    paths = [*(root / "sessions").glob("*"), *(root / "memory/_usage").glob("*"), root / "memory/_resolutions.jsonl"]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths if path.is_file()}


@pytest.fixture
def histories(records: Path) -> Path:
    """Logs as they may be: set aside, torn at the end, with bytes of another encoding, with a line end of Windows."""
    root = records / ".omoide"
    (root / "sessions").mkdir(exist_ok=True)
    (root / "sessions/s1.jsonl").write_bytes(b'{"kind": "session_start"}\r\n{"text": "\xff\xfe"}\n{"torn')
    (root / "sessions/claude-code.s2.jsonl").write_text('{"text": "日本語 \\ud800"}\n', encoding="utf-8")
    (root / "sessions/empty.jsonl").write_bytes(b"")
    (root / "memory/_usage/events-1.jsonl").write_bytes(b'{"id": "0"}\n\x80\n')
    (root / "memory/_usage/totals-1.json").write_text("{}")
    (root / "memory/_resolutions.jsonl").write_text('{"candidate": "x"}\n')
    return records


def test_a_round_trip_with_sessions_is_byte_identical(omoide: Run, histories: Path, tmp_path: Path) -> None:
    before, logs = tree(histories), logs_of(histories)
    file = str(tmp_path / "all.json")
    assert omoide("export", "--all-scopes", "--sessions", "--out", file).code == 0
    for path in (*before, *logs):
        (histories / ".omoide" / path).unlink(missing_ok=True)
    done = omoide("import", file, "--all-scopes", "--sessions", "--json")
    assert (done.code, len(done.json["logs"]), done.json["logs_left"]) == (0, 7, [])
    assert (tree(histories), logs_of(histories)) == (before, logs)
    again = omoide("import", file, "--all-scopes", "--sessions", "--json").json
    assert (again["changes"], again["logs"], again["logs_left"]) == ([], [], [])
    other = str(tmp_path / "again.json")
    omoide("export", "--all-scopes", "--sessions", "--out", other)
    first, second = (json.loads(Path(name).read_text("utf-8")) for name in (file, other))
    assert {**first, "created_at": ""} == {**second, "created_at": ""}


def test_what_waits_goes_along_since_the_pointers_of_sessions_go_by_it(
    omoide: Run, histories: Path, tmp_path: Path
) -> None:
    """A store was moved by export and import: what was staged and not yet consolidated was nowhere in the new one."""
    staging = histories / ".omoide/memory/_staging"
    candidates = staging / "01960000-0000-7000-8000-000000000001.json"
    offer = staging / "_offers/ship.json"
    offer.parent.mkdir(parents=True)
    candidates.write_text('{"source": {"session_id": "s1", "range": [0, 1]}, "decisions": [{"chosen": "Postgres"}]}')
    offer.write_text("{}")
    file = str(tmp_path / "all.json")
    assert omoide("export", "--all-scopes", "--out", file).code == 0
    before = {path: path.read_bytes() for path in (candidates, offer)}
    for path in before:
        path.unlink()
    assert omoide("import", file, "--all-scopes").code == 0
    assert {path: path.read_bytes() for path in before} == before
    candidates.write_text("{}")  # edited since: this store's own
    assert candidates.name in omoide("import", file, "--all-scopes").err
    assert candidates.read_text() == "{}"
    assert "logs" not in omoide("export").json or not omoide("export").json["logs"]


def test_what_was_closed_stays_closed_where_this_store_has_a_history_of_its_own(
    omoide: Run, histories: Path, tmp_path: Path
) -> None:
    """A candidate that a person discarded was open again, beside one of the same file that waits."""
    name = "01960000-0000-7000-8000-000000000001"
    candidates = histories / f".omoide/memory/_staging/{name}.json"
    resolutions = histories / ".omoide/memory/_resolutions.jsonl"
    source = {"session_id": "s1", "range": [0, 1]}
    waiting = {"source": source, "decisions": [{"chosen": "Use Postgres"}, {"chosen": "Use Kafka"}]}
    candidates.parent.mkdir(parents=True, exist_ok=True)
    candidates.write_text(json.dumps(waiting))
    resolutions.write_bytes(b"")
    assert omoide("staging", "close", f"{name}/decisions/0", "--action", "discarded", "--reason", "private").code == 0
    closing = resolutions.read_text()
    file = str(tmp_path / "all.json")
    assert omoide("export", "--all-scopes", "--out", file).code == 0
    candidates.unlink()
    own = '{"candidate": "x/decisions/0", "action": "applied", "reason": "r", "recorded_at": "2026-01-01T00:00:00Z"}\n'
    resolutions.write_text(own)
    assert omoide("import", file, "--all-scopes").code == 0
    assert resolutions.read_text() == own + closing
    assert [each["chosen"] for each in omoide("staging", "--json").json["candidates"]] == ["Use Kafka"]


def test_an_empty_log_is_no_history_that_stands_in_the_way(omoide: Run, histories: Path, tmp_path: Path) -> None:
    """The records came, and "import again" was the answer for ever."""
    logs, file = logs_of(histories), str(tmp_path / "all.json")
    assert omoide("export", "--all-scopes", "--out", file).code == 0
    (histories / ".omoide/memory/_resolutions.jsonl").write_bytes(b"")
    assert omoide("import", file, "--all-scopes").code == 0
    assert logs_of(histories) == logs


def test_sessions_go_along_only_when_an_operator_says_so(omoide: Run, histories: Path, tmp_path: Path) -> None:
    assert omoide("export", "--sessions").code == 2
    assert omoide("export", "--sessions", "--as", "agent=codex").code == 2
    assert "sessions" not in omoide("export", "--all-scopes").json
    assert omoide("export").json["logs"] == {}
    file = str(tmp_path / "all.json")
    omoide("export", "--all-scopes", "--sessions", "--out", file)
    assert omoide("import", file, "--sessions").code == 2
    before = logs_of(histories)
    for path in before:
        (histories / ".omoide" / path).unlink()
    done = omoide("import", file, "--all-scopes")
    assert "3 session logs of the file left out" in done.err
    assert set(logs_of(histories)) == {name for name in before if not name.startswith("sessions/")}


def test_a_session_with_other_content_is_a_conflict_and_nothing_is_written(
    omoide: Run, histories: Path, tmp_path: Path
) -> None:
    file = str(tmp_path / "all.json")
    omoide("export", "--all-scopes", "--sessions", "--out", file)
    (histories / ".omoide/sessions/s1.jsonl").write_text("another\n")
    (histories / ".omoide/knowledge/a.md").unlink()
    before = tree(histories), logs_of(histories)
    done = omoide("import", file, "--all-scopes", "--sessions", "--json")
    assert done.code == 1
    assert done.json["conflicts"] == [{"path": "sessions/s1.jsonl", "reason": "is there with other content"}]
    assert (tree(histories), logs_of(histories)) == before


def test_every_log_that_is_not_taken_is_said(omoide: Run, histories: Path, tmp_path: Path) -> None:
    file = tmp_path / "all.json"
    omoide("export", "--all-scopes", "--sessions", "--out", str(file))
    data = json.loads(file.read_text("utf-8"))
    data["logs"] |= {"../../evil": "x", "usage/../x": "x", "audit": "x", "usage/events-2.jsonl": 7}
    data["logs"]["usage"] = "other\n"
    data["sessions"] |= {"../evil.jsonl": "x", "s9.txt": "x", "s8.jsonl": {"base64": "?"}}
    file.write_text(json.dumps(data), encoding="utf-8")
    before = tree(histories), logs_of(histories)
    done = omoide("import", str(file), "--all-scopes", "--sessions")
    assert done.code == 0
    for name in ("`../../evil`", "`usage/../x`", "`audit`", "`usage/events-2.jsonl`", "`usage`"):
        assert name in done.err
    for name in ("`sessions/../evil.jsonl`", "`sessions/s9.txt`", "`sessions/s8.jsonl`"):
        assert name in done.err
    assert (tree(histories), logs_of(histories)) == before
    assert "of the file left out: --all-scopes" in omoide("import", str(file)).err


def test_a_dry_run_shows_how_a_conflict_differs_and_never_what_is_hidden(
    omoide: Run, records: Path, tmp_path: Path
) -> None:
    file = str(tmp_path / "all.json")
    omoide("export", "--all-scopes", "--out", file)
    for slug, scope in (("a", ""), ("b", "{agent: codex}")):
        (records / f".omoide/knowledge/{slug}.md").write_text(knowledge(f"edited {slug}", scope=scope))
    shown = omoide("import", file, "--dry-run")
    assert shown.code == 1
    assert "-edited a" in shown.out
    assert "edited b" not in shown.out
    assert "-edited b" in omoide("import", file, "--dry-run", "--all-scopes").out


def test_files_that_are_no_records_go_along_as_they_are_and_nothing_else_does(
    omoide: Run, records: Path, tmp_path: Path
) -> None:
    root = records / ".omoide"
    strays = {"knowledge/Bad Name.md": b"text\n", "knowledge/latin.md": b"---\nkind: fact\n---\ncaf\xe9\n"}
    for path, data in strays.items():
        (root / path).write_bytes(data)
    file = tmp_path / "all.json"
    done = omoide("export", "--all-scopes", "--out", str(file))
    assert "knowledge/latin.md goes along as it is" in done.err
    assert omoide("export").json["logs"] == {}, "only an operator's export has them"
    for path in strays:
        (root / path).unlink()
    assert omoide("import", str(file), "--all-scopes").code == 0
    assert {path: (root / path).read_bytes() for path in strays} == strays
    data = json.loads(file.read_text("utf-8"))
    evil = {
        "stray/knowledge/a2.md": "a record",
        "stray/../x.md": "x",
        "stray/config.toml": "x",
        "stray/knowledge/x.sh": "x",
    }
    data["logs"] |= evil | {"stray/memory/_archive/x.md": "x"}
    file.write_text(json.dumps(data), encoding="utf-8")
    done = omoide("import", str(file), "--all-scopes")
    for name in evil:
        assert f"`{name}` is left out" in done.err
    assert not (root / "knowledge/a2.md").exists()
    assert not (root / "memory/_archive/x.md").exists()


def test_the_undo_of_an_import_takes_back_the_logs_that_came_and_its_own_undo_brings_them(
    omoide: Run, histories: Path, tmp_path: Path
) -> None:
    omoide("export", "--all-scopes", "--sessions", "--out", str(tmp_path / "all.json"))
    brought = logs_of(histories)
    for path in brought:
        (histories / ".omoide" / path).unlink()
    empty = tree(histories), logs_of(histories)
    words = ("import", str(tmp_path / "all.json"), "--all-scopes", "--sessions", "--json")
    run = omoide(*words).json["run_id"]
    assert logs_of(histories) == brought
    taken = omoide("undo", run, "--json").json
    assert taken["logs_removed"]
    assert taken["logs_left"] == []
    assert (tree(histories), logs_of(histories)) == empty
    assert omoide("undo", run).out.strip() == "That run is taken back already."
    again = omoide("undo", taken["undo_run_id"], "--json").json
    assert again["logs_restored"] == taken["logs_removed"]
    assert logs_of(histories) == brought
    assert omoide("undo", again["undo_run_id"]).code == 0
    assert (tree(histories), logs_of(histories)) == empty


def test_a_log_that_was_used_since_or_that_a_record_rests_on_stays_and_is_said(
    omoide: Run, histories: Path, tmp_path: Path
) -> None:
    omoide("export", "--all-scopes", "--sessions", "--out", str(tmp_path / "all.json"))
    sessions = histories / ".omoide/sessions"
    for path in sessions.glob("*.jsonl"):
        path.unlink()
    omoide("import", str(tmp_path / "all.json"), "--all-scopes", "--sessions")
    run = omoide("undo", "--json").json["runs"][0]["run_id"]
    first, second = sorted(sessions.glob("*.jsonl"))[:2]
    with first.open("ab") as log:
        log.write(b'{"kind": "extension"}\n')
    rests = decision("Rests on it.").replace("sources: []", f"sources: [{{session_id: {second.stem}, range: [0, 0]}}]")
    (histories / ".omoide/memory/decisions/rests.md").write_text(rests)
    outcome = omoide("undo", run)
    assert outcome.code == 0
    assert f"sessions/{first.name} was used or changed since: it stays" in outcome.err
    assert f"sessions/{second.name} is what a record rests on: it stays" in outcome.err
    assert first.exists()
    assert second.exists()
