"""Plans for legacy rows: kept by default, applied once, taken back whole (R31-R35)."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.legacy.plan import PROMOTED, Plan, plain_counts, plan_of, read_plan
from memory_core.legacy.row import Row
from memory_core.sessions.pointer import Pointer
from memory_core.sessions.resume import resume
from memory_core.store.filestore import FileStore
from memory_core.store.legacy_files import apply, backup, roll_back, run_of
from memory_core.store.legacy_purge import kept_path, planned, purge
from memory_core.store.legacy_receipts import Receipt, read_receipt, receipts
from memory_core.store.legacy_sources import LegacyRows, read_sources
from memory_core.store.session_store import SessionStore
from tests.conftest import DiskFault

AT = "2026-01-31T09:00:00Z"
ROWS = [
    {"key": "user_msg_1", "content": "Use tabs.", "session_id": "s", "agent": "codex", "timestamp": AT},
    {"key": "assistant_resp_1", "content": "Done.", "session_id": "s", "agent": "codex", "timestamp": AT},
    {"key": "user_msg_2", "content": "[Memory context]\n- Use tabs."},
    {"key": "user_msg_3", "content": "Deploy on Fridays, password=hunter2xyz9."},
    {"key": "user_msg_4", "content": ""},
    {"key": "editor", "category": "core", "content": "vim \x1b[2J"},
]

KEPT_ROW = {"key": "note", "content": "Kept."}


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    layout = Layout(tmp_path / ".omoide")
    layout.legacy.mkdir(parents=True)
    (layout.legacy / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    (layout.legacy / "MEMORY.md").write_text("- **user_msg_9**: from markdown\n", encoding="utf-8")
    with closing(sqlite3.connect(layout.legacy / "brain.db")) as database, database:
        database.execute("create table memories (id text, key text, content text, category text, agent_id text)")
        row = ("1", "user_msg_8", "'; drop table memories; --", "conversation", "codex")
        database.execute("insert into memories values (?, ?, ?, ?, ?)", row)
    return layout


def found(layout: Layout) -> LegacyRows:
    return read_sources(layout)


def row(layout: Layout, key: str) -> Row:
    return next(row for row in found(layout).rows if row.key == key)


def plan(layout: Layout, **wishes: object) -> Plan:
    rows = found(layout)
    return plan_of(AT, rows.sources, rows.rows, **wishes)  # type: ignore[arg-type]


def everything(layout: Layout) -> Plan:
    ids = [row(layout, key).id for key in ("user_msg_3", "editor")]
    return plan(layout, move=True, promote=ids, expire=["noise", "empty"])


def carry_out(layout: Layout, made: Plan) -> Receipt:
    return apply(layout, made, plain_counts(made))


def tree(layout: Layout) -> dict[str, str]:
    """What is there besides backups and receipts, which are the way back and stay."""
    own = (layout.archive, layout.receipts, layout.legacy / "_applied")
    return {
        path.relative_to(layout.root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(layout.root.rglob("*"))
        if path.is_file()
        and not any(folder in path.parents for folder in own)
        and path.name != ".gitignore"
        and path.suffix != ".tmp"
    }


def test_r34_the_default_plan_keeps_every_row_and_makes_nothing(layout: Layout) -> None:
    """R33, R34"""
    made = plan(layout)
    assert plain_counts(made) == {"kept": 8, "moved": 0, "promoted": 0, "expired": 0}
    receipt = carry_out(layout, made)
    assert receipt.created == {}
    assert FileStore(layout).load().documents == {}
    assert FileStore(layout).staging().files == ()


def test_a_scan_changes_no_byte(layout: Layout) -> None:
    before = tree(layout)
    assert len(found(layout).rows) == 8
    assert tree(layout) == before
    assert not layout.receipts.exists()


def test_r33_each_disposition_has_its_outcome(layout: Layout) -> None:
    receipt = carry_out(layout, everything(layout))
    assert receipt.counts == {"kept": 2, "moved": 2, "promoted": 2, "expired": 2}
    (log,) = layout.sessions.glob("*.jsonl")
    session = SessionStore(layout.sessions).read(log.stem)
    assert [entry.text for entry in session.entries if entry.subtype == "recovered"] == ["Use tabs.", "Done."]
    assert session.agent == "codex"
    staged = FileStore(layout).staging()
    assert {file.discussions[0].topic for file in staged.files} == {"user_msg_3", "editor"}
    assert len(staged.open) == 2
    folder = layout.archive / f"legacy-{receipt.run}"
    expired = [json.loads(line) for line in (folder / "expired.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {(item["key"], item["rule"]) for item in expired} == {("user_msg_2", "noise"), ("user_msg_4", "empty")}
    assert FileStore(layout).load().documents == {}, "promotion goes through staging"


def test_r33_recovered_turns_never_pose_as_a_conversation(layout: Layout) -> None:
    carry_out(layout, everything(layout))
    (log,) = layout.sessions.glob("*.jsonl")
    session = SessionStore(layout.sessions).read(log.stem)
    assert resume(session).items == ()
    assert {str(entry.kind) for entry in session.entries} == {"session_start", "system"}


def test_what_is_staged_holds_no_secret_and_no_control_character(layout: Layout) -> None:
    carry_out(layout, everything(layout))
    text = "".join(path.read_text(encoding="utf-8") for path in layout.staging.glob("*.json"))
    assert "hunter2xyz9" not in text
    assert "\\u001b" not in text
    assert "\x1b" not in text


def test_r32_a_rollback_restores_every_byte(layout: Layout) -> None:
    before = tree(layout)
    receipt = carry_out(layout, everything(layout))
    assert tree(layout) != before
    receipt, changed = roll_back(layout, receipt.run)
    assert (receipt.state, changed) == ("rolled back", [])
    assert tree(layout) == before
    assert roll_back(layout, receipt.run)[0].state == "rolled back"


def test_r32_a_rollback_counts_no_extract_as_a_change(layout: Layout) -> None:
    """How far a recovered log was read stands in the log itself."""
    before = tree(layout)
    receipt = carry_out(layout, everything(layout))
    store = FileStore(layout)
    (log,) = layout.sessions.glob("*.jsonl")
    session = SessionStore(layout.sessions).read(log.stem)
    left = log.read_bytes()
    store.advance(session, Pointer(len(session.entries) - 1))
    assert log.read_bytes() != left
    receipt, changed = roll_back(layout, receipt.run)
    assert (receipt.state, changed) == ("rolled back", [])
    assert tree(layout) == before


@pytest.mark.skipif(os.name == "nt", reason="a mode says nothing on Windows")
def test_what_a_plan_puts_away_is_for_its_owner_alone(layout: Layout) -> None:
    carry_out(layout, everything(layout))
    places = [path for folder in (layout.legacy / "_applied", layout.receipts) for path in (folder, *folder.rglob("*"))]
    assert [path for path in places if path.exists() and path.stat().st_mode & 0o077] == []


def test_r32_a_rollback_refuses_what_changed_and_lists_it(layout: Layout) -> None:
    receipt = carry_out(layout, everything(layout))
    (log,) = layout.sessions.glob("*.jsonl")
    log.write_bytes(log.read_bytes() + b"\n")
    staged = sorted(layout.staging.glob("*.json"))
    staged[0].unlink()
    before = tree(layout)
    _, changed = roll_back(layout, receipt.run)
    assert sorted(changed) == sorted(path.relative_to(layout.root).as_posix() for path in (log, staged[0]))
    assert tree(layout) == before


def test_r32_a_crash_at_every_step_can_be_finished_or_taken_back(tmp_path: Path, dying_disk: DiskFault) -> None:
    steps = 0
    while True:
        root = tmp_path / str(steps) / ".omoide"
        layout = Layout(root)
        layout.legacy.mkdir(parents=True)
        (layout.legacy / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
        made = everything(layout)
        before = tree(layout)
        with dying_disk(steps) as disk:
            carry_out(layout, made)
        if read_receipt(layout, run_of(made)) is not None and steps % 2:
            roll_back(layout, run_of(made))
            assert tree(layout) == before, steps
        else:
            assert carry_out(layout, made).state == "done"
            assert len(list(layout.staging.glob("*.json"))) == 2, steps
            roll_back(layout, run_of(made))
            assert tree(layout) == before, steps
        if not disk.died:
            break
        steps += 1
    assert steps > 15


def test_r32_a_crash_at_every_step_of_a_rollback_can_be_finished(tmp_path: Path, dying_disk: DiskFault) -> None:
    steps = 0
    while True:
        layout = Layout(tmp_path / str(steps) / ".omoide")
        layout.legacy.mkdir(parents=True)
        (layout.legacy / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
        made = everything(layout)
        before = tree(layout)
        carry_out(layout, made)
        with dying_disk(steps) as disk:
            roll_back(layout, run_of(made))
        assert roll_back(layout, run_of(made))[1] == [], steps
        assert tree(layout) == before, steps
        if not disk.died:
            break
        steps += 1
    assert steps > 5


def test_applying_twice_changes_nothing(layout: Layout) -> None:
    made = everything(layout)
    first = carry_out(layout, made)
    before = tree(layout)
    assert carry_out(layout, made) == first
    assert tree(layout) == before
    assert len(receipts(layout)[0]) == 1


def test_a_source_that_changed_since_the_plan_is_refused(layout: Layout) -> None:
    made = everything(layout)
    path = layout.legacy / "rows.jsonl"
    path.write_bytes(path.read_bytes() + b'{"content": "more"}\n')
    before = tree(layout)
    with pytest.raises(StoreError, match=r"rows\.jsonl changed since the plan"):
        carry_out(layout, made)
    path.unlink()
    with pytest.raises(StoreError, match="is gone since"):
        carry_out(layout, made)
    path.write_bytes(b"")
    assert set(tree(layout)) == set(before)


def test_r35_noise_is_never_promoted_by_a_wish_or_by_an_edited_plan(layout: Layout) -> None:
    noise = row(layout, "user_msg_2")
    with pytest.raises(StoreError, match="never promoted: it is noise"):
        plan(layout, promote=[noise.id])
    made = plan(layout)
    edited = replace(made, rows=tuple(replace(r, disposition="promoted") if r.id == noise.id else r for r in made.rows))
    with pytest.raises(StoreError, match="never promoted"):
        carry_out(layout, edited)


def test_r34_promotion_has_a_cap(layout: Layout) -> None:
    text = "".join(json.dumps({"key": f"user_msg_{n}", "content": f"fact {n}"}) + "\n" for n in range(PROMOTED + 1))
    (layout.legacy / "rows.jsonl").write_text(text, encoding="utf-8")
    ids = [r.id for r in found(layout).rows if r.source.endswith("rows.jsonl")]
    with pytest.raises(StoreError, match="at most 20"):
        plan(layout, promote=ids)
    made = plan(layout)
    edited = replace(made, rows=tuple(replace(r, disposition="promoted") if r.id in ids else r for r in made.rows))
    with pytest.raises(StoreError, match="at most 20"):
        carry_out(layout, edited)


def test_a_row_without_a_disposition_stops_a_plan(layout: Layout) -> None:
    made = plan(layout)
    with pytest.raises(StoreError, match="not in the plan"):
        carry_out(layout, replace(made, rows=made.rows[1:]))


def test_an_expiry_needs_a_rule_that_names_the_row(layout: Layout) -> None:
    made = plan(layout)
    target = row(layout, "user_msg_3")
    for rule in ("", "noise", "because"):
        rows = tuple(replace(r, disposition="expired", rule=rule) if r.id == target.id else r for r in made.rows)
        with pytest.raises(StoreError, match="rule"):
            carry_out(layout, replace(made, rows=rows))
    with pytest.raises(StoreError, match="no rule `old`"):
        plan(layout, expire=["old"])


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"schema": 1}', '{"schema": 1, "rows": [{}], "sources": [], "created_at": ""}']
)
def test_a_damaged_plan_is_one_clear_line(text: str) -> None:
    with pytest.raises(StoreError, match="plan"):
        read_plan(text)


def test_a_plan_survives_its_file(layout: Layout) -> None:
    made = everything(layout)
    assert read_plan(made.to_json()) == made


def test_another_programs_file_stays_where_it_is(layout: Layout, tmp_path: Path) -> None:
    foreign = tmp_path / "brain.jsonl"
    foreign.write_text(json.dumps(ROWS[3]) + "\n")
    rows = read_sources(layout, [foreign])
    made = plan_of(AT, rows.sources, rows.rows, promote=[rows.rows[0].id])
    before = foreign.read_bytes()
    receipt = carry_out(layout, made)
    assert foreign.read_bytes() == before
    assert roll_back(layout, receipt.run)[1] == []
    assert foreign.read_bytes() == before


def test_something_new_in_the_sources_place_is_not_replaced(layout: Layout) -> None:
    receipt = carry_out(layout, everything(layout))
    (layout.legacy / "rows.jsonl").write_text("new\n")
    _, changed = roll_back(layout, receipt.run)
    assert changed == [".omoide/memory/_legacy/rows.jsonl"]
    assert (layout.legacy / "rows.jsonl").read_text() == "new\n"


def test_a_damaged_database_is_said_and_the_rest_is_read(layout: Layout) -> None:
    (layout.legacy / "brain.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 200)
    rows = found(layout)
    assert len(rows.rows) == 7
    assert list(rows.problems) == [".omoide/memory/_legacy/brain.db"]


def test_a_link_out_of_the_root_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/rows.jsonl").write_text('{"content": "secret"}\n')
    layout = Layout(tmp_path / ".omoide")
    layout.legacy.parent.mkdir(parents=True)
    layout.legacy.symlink_to(tmp_path / "out")
    with pytest.raises(StoreError, match="symbolic link"):
        found(layout)


def test_r31_legacy_rows_are_read_by_nothing_else(layout: Layout) -> None:
    """R31: neither before nor after a plan is one of them a record, a candidate or a hit."""
    store = FileStore(layout)
    assert store.load().documents == {}
    carry_out(layout, plan(layout))
    assert store.load().documents == {}
    assert store.staging().files == ()
    assert not list(layout.sessions.glob("*")) if layout.sessions.exists() else True


def purge_run(layout: Layout, **wishes: object) -> str:
    return carry_out(layout, everything(layout) if not wishes else plan(layout, **wishes)).run


def words_in(layout: Layout) -> bytes:
    return b"\n".join(path.read_bytes() for path in sorted(layout.root.rglob("*")) if path.is_file())


def test_r32_a_purge_deletes_expired_rows_only_and_lists_what_went(layout: Layout) -> None:
    run = purge_run(layout)
    before = planned(layout, run)
    assert (before.rows, before.kept) == (2, 2)
    assert b"[Memory context]" in words_in(layout)
    staged = [file.read_bytes() for file in sorted(layout.staging.glob("*.json"))]
    done = purge(layout, run)
    assert done.files == before.files
    text = words_in(layout)
    assert b"[Memory context]" not in text
    assert b"from markdown" in text
    assert b"drop table" in text
    kept = read_sources(layout, [kept_path(layout, run)]).rows
    assert {(row.key, row.session) for row in kept} == {("user_msg_8", ""), ("user_msg_9", "")}
    receipt = read_receipt(layout, run)
    assert receipt
    assert (receipt.state, receipt.purged) == ("purged", before.files)
    assert not any((layout.root / path).exists() for path in before.files)
    assert [file.read_bytes() for file in sorted(layout.staging.glob("*.json"))] == staged
    assert purge(layout, run).files == before.files, "again, it changes nothing"


def test_r32_what_was_purged_cannot_be_taken_back_or_applied_again(layout: Layout) -> None:
    made = everything(layout)
    run = carry_out(layout, made).run
    purge(layout, run)
    with pytest.raises(StoreError, match="was purged"):
        roll_back(layout, run)
    with pytest.raises(StoreError, match="purged"):
        carry_out(layout, made)


def test_r32_a_crash_at_every_step_of_a_purge_can_be_finished(tmp_path: Path, dying_disk: DiskFault) -> None:
    steps = 0
    while True:
        layout = Layout(tmp_path / str(steps) / ".omoide")
        layout.legacy.mkdir(parents=True)
        (layout.legacy / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in [*ROWS, KEPT_ROW]))
        run = purge_run(layout)
        with dying_disk(steps) as disk:
            purge(layout, run)
        purge(layout, run)
        receipt = read_receipt(layout, run)
        assert receipt
        assert (receipt.state, len(receipt.purged)) == ("purged", 3), steps
        assert [row.key for row in read_sources(layout, [kept_path(layout, run)]).rows] == ["note"], steps
        assert b"[Memory context]" not in words_in(layout), steps
        if not disk.died:
            break
        steps += 1
    assert steps > 5


def test_r34_a_purge_never_takes_a_kept_row_along_without_a_word(layout: Layout) -> None:
    """A damaged row's bytes are in the source alone, so the source stays."""
    (layout.legacy / "rows.jsonl").write_bytes(b'{"key": "user_msg_1", "content": ""}\n\xff\xfe broken\n')
    run = carry_out(layout, plan(layout, expire=["empty"])).run
    with pytest.raises(StoreError, match="1 damaged row"):
        purge(layout, run)
    assert b"\xff\xfe broken" in words_in(layout)
    assert purge(layout, run, everything=True).rows == 4
    assert b"\xff\xfe broken" not in words_in(layout)


def test_a_purge_without_an_expired_row_is_refused(layout: Layout) -> None:
    run = carry_out(layout, plan(layout)).run
    with pytest.raises(StoreError, match="expired no row"):
        purge(layout, run)


def test_a_purge_leaves_what_lies_elsewhere_and_says_so(layout: Layout, tmp_path: Path) -> None:
    outside = tmp_path / "other.jsonl"
    outside.write_text(json.dumps({"key": "user_msg_1", "content": ""}) + "\n")
    rows = read_sources(layout, [outside])
    run = carry_out(layout, plan_of(AT, rows.sources, rows.rows, expire=["empty"])).run
    assert purge(layout, run).elsewhere == (rows.sources[0].path,)
    assert outside.exists()


@pytest.mark.parametrize("path", ["knowledge/a.md", "../x", "memory/_archive/other/x", "config.toml", "/etc/passwd"])
def test_a_forged_receipt_purges_nothing_outside_its_own_run(layout: Layout, path: str) -> None:
    run = purge_run(layout)
    receipt = read_receipt(layout, run)
    assert receipt
    forged = replace(receipt, state="purging", purged={path: "x"})
    (layout.receipts / f"legacy-{run}.json").write_text(forged.to_json())
    with pytest.raises(StoreError, match="names files that no purge deletes"):
        purge(layout, run)


@pytest.mark.parametrize("sources", [(), (("memory/_legacy/nothing.jsonl", "0" * 64, ""),)])
def test_a_purge_by_a_receipt_of_other_sources_is_refused_and_deletes_nothing(
    layout: Layout, sources: tuple[tuple[str, str, str], ...]
) -> None:
    """It would delete none of the rows, and say that they are gone for good."""
    run = purge_run(layout)
    receipt = read_receipt(layout, run)
    assert receipt
    (layout.receipts / f"legacy-{run}.json").write_text(replace(receipt, sources=sources).to_json())
    before = words_in(layout)
    with pytest.raises(StoreError, match="names other sources than its plan"):
        purge(layout, run, everything=True)
    assert words_in(layout) == before


def test_only_rows_whose_copies_are_deleted_count_as_gone(layout: Layout) -> None:
    run = purge_run(layout)
    receipt = read_receipt(layout, run)
    assert receipt
    whole = planned(layout, run, everything=True).rows
    name = next(path for path, _, _ in receipt.sources if path.endswith("rows.jsonl"))
    forged = replace(receipt, counts={"expired": 900, "kept": 900})
    (layout.receipts / f"legacy-{run}.json").write_text(forged.to_json())
    assert planned(layout, run, everything=True).rows == whole, "counts of a receipt are not believed"
    backup(layout, run, name).unlink()
    assert 0 < purge(layout, run, everything=True).rows < whole


def test_a_damaged_receipt_hides_no_other(layout: Layout) -> None:
    run = purge_run(layout)
    for name, text in (("legacy-0123456789abcdef.json", "{"), ("legacy-x.json", '{"schema": 1}')):
        (layout.receipts / name).write_text(text)
    found, damaged = receipts(layout)
    assert [receipt.run for receipt in found] == [run]
    assert sorted(damaged) == ["memory/_receipts/legacy-0123456789abcdef.json", "memory/_receipts/legacy-x.json"]
    assert all("is damaged" in why for why in damaged.values())


@pytest.mark.parametrize("run", ["", "../x", "٠١٢٣٤٥٦٧٨٩٠١٢٣٤٥", "ⅷ" * 16, "0" * 15, "A" * 16, "0" * 16 + "\n"])
def test_a_name_that_is_no_run_is_no_receipt(layout: Layout, run: str) -> None:
    """Letters and digits of other scripts are letters and digits too, and no names of ours."""
    assert read_receipt(layout, run) is None


def test_r11_a_row_of_a_tenant_stays_the_tenants(layout: Layout) -> None:
    """Its tenant and principal were dropped, so that what was made of it was everybody's."""
    whose = {"tenant_id": "acme", "principal": "ann"}
    rows = [
        {"key": "user_msg_1", "content": "Use tabs.", "session_id": "s", "agent": "codex", "timestamp": AT, **whose},
        {"key": "user_msg_1", "content": "Use spaces.", "session_id": "s", "agent": "codex", "timestamp": AT},
        {"key": "editor", "category": "core", "content": "vim", **whose},
    ]
    for path in layout.legacy.iterdir():
        path.unlink()
    (layout.legacy / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    carry_out(layout, plan(layout, move=True, promote=[row(layout, "editor").id]))
    scope = {"tenant": "acme", "principal": "ann"}
    sessions = [SessionStore(layout.sessions).read(log.stem) for log in layout.sessions.glob("*.jsonl")]
    assert {(str(dict(s.scope)), s.entries[-1].text) for s in sessions} == {
        (str({"agent": "codex"} | scope), "Use tabs."),
        (str({"agent": "codex"}), "Use spaces."),
    }
    (staged,) = FileStore(layout).staging().files
    assert staged.source.scope == scope
