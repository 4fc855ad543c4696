"""`omoide audit`: each fault is planted and found, nothing is written, a slow loss is seen (issue 10.6, T65)."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from memory_core.health.checks import CHECK_OF, CHECKS
from memory_core.health.figures import Figures, losses
from memory_core.health.survey import survey
from memory_core.ids import rfc3339
from memory_core.layout import Layout
from memory_core.staging import Anchor, Discussion, StagingFile, StagingSource
from memory_core.store.cache import Cache, Row
from memory_core.store.files import append_lines, make_folder, remove, rename, write_whole
from memory_core.store.filestore import FileStore
from memory_core.store.health import findings
from memory_core.store.load import stamp_of
from memory_core.store.untouched import untouched
from memory_core.workspace import open_workspace
from tests.cli.conftest import Outcome, Run
from tests.enrich.doubles import decision, knowledge

OLD = "2025-01-31T09:00:00Z"
WORDS = "Deploys go out from the release branch after the smoke tests passed, and never on a Friday afternoon. " * 3
JAPANESE = "リリースブランチからのみデプロイします。金曜日の午後にはデプロイしません。"
TRANSCRIPT = '<omoide-memory kind="context">\nUse tabs.\n</omoide-memory>'


def put(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")
    if path.startswith(("sessions/", "memory/_")):
        (root / path).chmod(0o600)


def with_source(session: str, body: str = "Deploy.", **anchor: object) -> str:
    plain = {"entry_range": [0, 0], "speaker": "human", "kind": "message", **anchor}
    source = json.dumps([{"session_id": session, "range": [0, 0], "anchors": [plain] if anchor else []}])
    return knowledge(body).replace("last_sources: []", f"last_sources: {source}")


def start(session: str, **scope: str) -> str:
    line = {"kind": "session_start", "id": "1", "ts": OLD, "session_id": session, "agent": "codex", "scope": scope}
    said = {"kind": "user_message", "id": "2", "ts": OLD, "text": "Deploy from the release branch."}
    return json.dumps(line) + "\n" + json.dumps(said) + "\n"


def use(slug: str, event: str = "use", **more: object) -> str:
    used = {"kind": "knowledge", "slug": slug, "file_bytes": 1, "file_tokens_estimate": 1, **more}
    source = "MemoryRead" if event == "use" else "ResidentInjection"
    plain = {"id": "1", "occurred_at": OLD, "session_id": None, "event": event, "source": source, "actor": "agent"}
    return json.dumps(plain | {"records": [used]}) + "\n"


def stage(root: Path, text: str) -> None:
    anchor = Anchor(evidence_id="E1", entry_range=(0, 0), kind="message", speaker="human", sha256="0" * 64, excerpt="x")
    file = StagingFile(
        id="0190b3a0-0000-7000-8000-000000000001",
        run_id="0190b3a0-0000-7000-8000-000000000002",
        created_at=OLD,
        source=StagingSource(session_id="s", range=(0, 0)),
        discussions=(Discussion(topic="t", points=(text,), evidence=(anchor,)),),
    )
    FileStore(Layout(root)).stage(file)


def near(root: Path) -> None:
    put(root, "knowledge/a.md", knowledge(WORDS))
    put(root, "knowledge/b.md", knowledge(WORDS))


def cycle(root: Path) -> None:
    put(root, "memory/decisions/a.md", decision("x", status="replaced", replaced_by="b"))
    put(root, "memory/decisions/b.md", decision("x", status="replaced", replaced_by="a"))


def resident(root: Path) -> None:
    put(root, "config.toml", "[memory]\nresident_token_budget = 210\n")
    text = knowledge("x", description="a long description " * 8).replace("invokation: false", "invokation: true")
    put(root, "knowledge/a.md", text)


def unread(root: Path) -> None:
    old = knowledge("x").replace("2026-01-31", "2025-01-31")
    put(root, "knowledge/a.md", old)
    put(root, "knowledge/read.md", old)
    put(root, "memory/_usage/events.jsonl", use("read"))


def changed_anchor(root: Path) -> None:
    put(root, "sessions/s1.jsonl", start("s1"))
    put(root, "knowledge/a.md", with_source("s1", entry_range=[1, 1], sha256="0" * 64, excerpt="Never said."))


def wrong_language(root: Path) -> None:
    put(root, "config.toml", '[memory]\nlanguage = "Japanese"\n')
    put(root, "knowledge/a.md", knowledge(WORDS, description="the way of a release"))
    put(root, "knowledge/fine.md", knowledge(JAPANESE, description="リリースの手順です"))


def scope_conflict(root: Path) -> None:
    put(root, "knowledge/a.md", knowledge("See #mine."))
    put(root, "knowledge/mine.md", knowledge("x", scope="{agent: codex}"))


def stale_index(root: Path) -> None:
    put(root, "knowledge/a.md", knowledge("one"))
    path = root / "knowledge/a.md"
    os.utime(path, ns=(10**18, 10**18))
    stamp = stamp_of(str(path))
    assert stamp
    Cache(Layout(root)).update({"knowledge/a.md": Row(stamp, b"of something else", "{}")})


def ghost(root: Path) -> None:
    put(root, "config.toml", '[enricher.semantic]\ntype = "semantic"\n')
    state = {"schema": 1, "model": "use-multilingual-3/chunks-1", "known": {"knowledge/gone": "r"}, "pending": []}
    put(root, "cache/enrichers/semantic.json", json.dumps(state))


# What is planted, and what must be found of it: check → (fault, code, path).
PLANTED: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "duplicates": (near, "near-duplicate", "knowledge/a.md"),
    "a dangling reference": (
        lambda root: put(root, "knowledge/a.md", knowledge("See #nowhere-to-go.")), "unknown-reference",
        "knowledge/a.md",
    ),
    "a dangling replacement": (
        lambda root: put(root, "memory/decisions/a.md", decision("x", status="replaced", replaced_by="gone")),
        "unknown-replacement", "memory/decisions/a.md",
    ),
    "a circle": (cycle, "replacement-cycle", "memory/decisions/a.md"),
    "an anchor that does not fit": (changed_anchor, "source-changed", "knowledge/a.md"),
    "an anchor whose log is gone": (
        lambda root: put(root, "knowledge/a.md", with_source("gone")), "source-gone", "knowledge/a.md"
    ),
    "a secret in a log": (
        lambda root: put(root, "sessions/s.jsonl", '{"text": "sk-a1B2c3D4e5F6g7H8i9J0"}\n'), "secret",
        "sessions/s.jsonl",
    ),
    "a wrong language": (wrong_language, "wrong-language", "knowledge/a.md"),
    "another language than people's": (
        lambda root: put(root, "knowledge/a.md", with_source("s", JAPANESE * 2, excerpt="We deploy from the branch.")),
        "wrong-language", "knowledge/a.md",
    ),
    "an oversize resident part": (resident, "over-resident-budget", "knowledge/a.md"),
    "a record nobody reads": (unread, "unread", "knowledge/a.md"),
    "a resident record nobody reads": (
        lambda root: [
            put(root, "knowledge/a.md", knowledge("x")),
            put(root, "memory/_usage/events.jsonl", use("a", "resident_exposure", injected_tokens=40)),
        ],
        "resident-unread", "knowledge/a.md",
    ),
    "recalled text in a record": (
        lambda root: put(root, "knowledge/a.md", knowledge(TRANSCRIPT)), "recall-loop", "knowledge/a.md"
    ),
    "evidence that is recalled text": (
        lambda root: put(root, "knowledge/a.md", with_source("s", excerpt="[Memory context] use tabs")),
        "recall-loop", "knowledge/a.md",
    ),
    "recalled text in a candidate": (
        lambda root: stage(root, "[Memory context]\n- use tabs"),
        "recall-loop", "memory/_staging/0190b3a0-0000-7000-8000-000000000001.json",
    ),
    "a record repeated by a candidate": (
        lambda root: [put(root, "knowledge/a.md", knowledge(WORDS)), stage(root, f"So I said: {WORDS}")],
        "recall-loop", "memory/_staging/0190b3a0-0000-7000-8000-000000000001.json",
    ),
    "a scope nobody understands": (
        lambda root: put(root, "knowledge/a.md", knowledge("x", scope="{agnet: codex}")), "scope-unclear",
        "knowledge/a.md",
    ),
    "a shared record that names a scoped one": (scope_conflict, "scope-conflict", "knowledge/a.md"),
    "a record wider than its session": (
        lambda root: [
            put(root, "sessions/s1.jsonl", start("s1", tenant="acme")), put(root, "knowledge/a.md", with_source("s1"))
        ],
        "scope-wider", "knowledge/a.md",
    ),
    "an index that believes something else": (stale_index, "stale-index", "knowledge/a.md"),
    "a damaged index": (
        lambda root: put(root, "cache/index.sqlite3", "SQLite format 3\0 and no more"), "stale-index",
        "cache/index.sqlite3",
    ),
    "an enricher's ghost": (ghost, "enricher-ghost", "cache/enrichers/semantic.json"),
    "an enricher nobody configured": (
        lambda root: put(root, "cache/enrichers/old.json", "{}"), "enricher-left-over", "cache/enrichers/old.json"
    ),
    "a damaged receipt": (
        lambda root: put(root, "memory/_receipts/legacy-0123456789abcdef.json", "{"), "damaged-receipt",
        "memory/_receipts/legacy-0123456789abcdef.json",
    ),
}  # fmt: skip


def state(root: Path) -> dict[str, tuple[str, int]]:
    return {
        str(path): (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def places(outcome: Outcome) -> set[tuple[str, str]]:
    return {(finding["code"], finding["path"]) for finding in outcome.json["findings"]}


@pytest.mark.parametrize(("plant", "code", "path"), PLANTED.values(), ids=PLANTED.keys())
def test_a_planted_fault_is_found_and_nothing_is_written(
    plant: Callable[[Path], object], code: str, path: str, omoide: Run, workspace: Path
) -> None:
    root = workspace / ".omoide"
    assert (code, path) not in places(omoide("--json", "audit"))
    plant(root)
    before = state(root)
    assert (code, path) in places(omoide("--json", "audit"))
    assert state(root) == before


def test_every_check_that_can_be_planted_is_planted() -> None:
    """The table of checks and the table of this test do not drift apart; files and losses have tests of their own."""
    planted = {CHECK_OF[code] for _, code, _ in PLANTED.values()}
    assert planted >= CHECKS.keys() - {"losses"}


def test_a_fine_store_with_all_of_it_is_healthy(omoide: Run, workspace: Path) -> None:
    """What looks like a fault and is none: scopes that agree, a quotation, a documented tag, fresh unread records."""
    root = workspace / ".omoide"
    now = rfc3339(datetime.now(UTC))
    fresh = knowledge(f"See #mine. {WORDS}", scope="{agent: codex}").replace("2026-01-31T09:00:00Z", now)
    put(root, "knowledge/a.md", fresh)
    put(
        root, "knowledge/mine.md", knowledge("Ours alone.", scope="{agent: codex}").replace("2026-01-31T09:00:00Z", now)
    )
    put(root, "knowledge/tag.md", knowledge("The tag is `<omoide-memory>`.").replace("2026-01-31T09:00:00Z", now))
    put(root, "sessions/s1.jsonl", start("s1", agent="codex"))
    put(root, "memory/_usage/events.jsonl", use("mine"))
    outcome = omoide("--json", "audit")
    assert outcome.json["findings"] == []
    assert outcome.code == 0


def test_the_exit_code_says_whether_there_is_an_error(omoide: Run, workspace: Path) -> None:
    near(workspace / ".omoide")
    assert omoide("audit").code == 0
    assert omoide("audit", "--warnings-as-errors").code == 1
    put(workspace / ".omoide", "knowledge/c.md", knowledge("See #nowhere-to-go."))
    assert omoide("audit").code == 1


def test_sarif_names_rule_place_and_check(omoide: Run, workspace: Path) -> None:
    cycle(workspace / ".omoide")
    near(workspace / ".omoide")
    outcome = omoide("audit", "--sarif")
    assert outcome.code == 1
    (run,) = outcome.json["runs"]
    rules = run["tool"]["driver"]["rules"]
    found: dict[str, Any] = {result["ruleId"]: result for result in run["results"]}
    result = found["replacement-cycle"]
    place = result["locations"][0]["physicalLocation"]
    assert rules[result["ruleIndex"]]["id"] == "replacement-cycle"
    assert "check `references`" in rules[result["ruleIndex"]]["help"]["text"]
    assert place["artifactLocation"]["uri"].startswith(".omoide/memory/decisions/")
    assert place["region"]["startLine"] > 1
    assert found["near-duplicate"]["level"] == "warning"
    schema = json.loads((Path(__file__).parents[1] / "data/sarif-2.1.0-subset.schema.json").read_text("utf-8"))
    assert list(Draft7Validator(schema).iter_errors(outcome.json)) == []


def test_an_index_that_is_behind_what_was_just_written_is_no_news(omoide: Run, workspace: Path) -> None:
    """The next start reads it; only what nobody read for long is worth a note."""
    root = workspace / ".omoide"
    put(root, "knowledge/a.md", knowledge("one"))
    put(root, "knowledge/b.md", knowledge("another, of other things"))
    rows = {name: Row((1, 1, 1), b"as it was", "{}") for name in ("knowledge/a.md", "knowledge/b.md")}
    Cache(Layout(root)).update(rows)
    (root / "knowledge/b.md").unlink()
    assert "index-behind" not in omoide("audit", "--no-keep", "-v").out
    day_ago = time.time() - 86_400
    os.utime(root / "knowledge/a.md", (day_ago, day_ago))
    assert "index-behind" in omoide("audit", "--no-keep", "-v").out


def test_many_findings_of_one_kind_are_a_few_lines_and_all_of_the_json(omoide: Run, workspace: Path) -> None:
    for number in range(14):
        put(workspace / ".omoide", f"knowledge/k{number}.md", knowledge(f"See #nowhere-to-go. {number}"))
    out = omoide("audit").out
    assert out.count("[unknown-reference]") == 11
    assert "and 4 more" in out
    assert omoide("audit", "-v").out.count("[unknown-reference]") == 14
    assert omoide("--json", "audit").json["counts"]["errors"] == 14


def test_a_record_that_git_took_away_is_named_with_the_way_back(omoide: Run, workspace: Path) -> None:
    """Its candidates stay closed, so that nothing else would tell; what a command removed or renamed is no news."""
    root = workspace / ".omoide"
    for name in ("swept", "archived", "renamed"):
        put(root, f"memory/decisions/{name}.md", decision(f"Use {name} things for the {name} part."))
        line = {"candidate": f"x-{name}/decisions/0", "action": "applied", "reason": "r", "recorded_at": OLD}
        line |= {"records": [f"decision/{name}", "summary"], "run_id": f"run-{name}"}
        with (root / "memory/_resolutions.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")

    def gone() -> list[tuple[str, str]]:
        found = omoide("--json", "audit", "--no-keep").json["findings"]
        return [(f["path"], f["message"]) for f in found if f["code"] == "record-gone"]

    assert gone() == []
    assert omoide("archive", "decision", "archived").code == 0
    assert omoide("rename", "decision", "renamed", "other").code == 0
    (root / "memory/decisions/swept.md").unlink()
    ((path, message),) = gone()
    assert path.endswith("memory/decisions/swept.md")
    assert "omoide undo run-swept" in message


def test_a_lost_record_is_named_whose_name_was_removed_once_before(omoide: Run, workspace: Path) -> None:
    """Of its name a command had taken another record away: that one is no news, and this one was never told of."""
    root = workspace / ".omoide"

    def made(slug: str) -> None:
        """A record of a run, and a candidate that went into it."""
        run_id = omoide("--json", "new", "knowledge", slug, "--description", "Of things.").json["run_id"]
        line = {"candidate": f"{run_id}/decisions/0", "action": "applied", "reason": "r", "recorded_at": OLD}
        with (root / "memory/_resolutions.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(line | {"records": [f"knowledge/{slug}"], "run_id": run_id}) + "\n")

    def gone() -> list[tuple[str, str]]:
        found = omoide("--json", "audit", "--no-keep").json["findings"]
        return [(f["path"], f["message"].partition(" went")[0]) for f in found if f["code"] == "record-gone"]

    made("renamed")
    assert omoide("rename", "knowledge", "renamed", "other").code == 0
    made("archived")
    assert omoide("archive", "knowledge", "archived").code == 0
    assert gone() == []
    for slug in ("renamed", "archived"):
        made(slug)
        assert gone() == []
        (root / f"knowledge/{slug}.md").unlink()
        assert [(Path(path).stem, message) for path, message in gone()] == [(slug, "1 candidate")]
        made(slug)


def test_a_slow_loss_is_seen(omoide: Run, workspace: Path, home: Path) -> None:
    """T65: every single audit looks healthy; only the figures of earlier ones show what was lost."""
    root = workspace / ".omoide"
    for number in range(10):
        put(root, f"knowledge/k{number}.md", knowledge(f"Fact number {number} is about {chr(97 + number) * 9}."))
    assert omoide("audit").code == 0
    for number in range(3):
        (root / f"knowledge/k{number}.md").unlink()
        outcome = omoide("--json", "audit", "--no-keep")
    texts = [f["message"] for f in outcome.json["findings"] if f["code"] == "slow-loss"]
    assert any(text.startswith("records: 10 on ") and ", 7 now" in text for text in texts)
    assert outcome.json["before"]["changes"]["records"] == -3
    assert "records -3" in omoide("audit").out
    shown = omoide("audit", "--history")
    assert [line.split()[1] for line in shown.out.splitlines()[1:]] == ["10", "7"]
    assert len(omoide("--json", "audit", "--history").json["audits"]) == 2


def test_what_is_long_ago_or_little_is_no_loss() -> None:
    now = datetime(2026, 6, 1, tzinfo=UTC)

    def found(before: int, present: int, days: int, name: str = "records") -> int:
        past = [Figures(rfc3339(now - timedelta(days=days)), {name: before})]
        return len(list(losses(now, {name: present}, past)))

    assert found(100, 80, 10) == 1
    assert found(100, 95, 10) == 0
    assert found(100, 80, 400) == 0
    assert found(4, 0, 10) == 0
    assert found(100, 99, 10, "resolutions") == 1, "that log only grows"
    assert found(100, 80, -30_000) == 0, "a forged date proves nothing"


def test_damaged_figures_are_said_and_the_others_count(
    omoide: Run, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMOIDE_STATE", str(tmp_path / "state"))
    omoide("audit")
    (path,) = (tmp_path / "state/audit").glob("*.jsonl")
    assert path.stat().st_mode & 0o077 == 0
    with path.open("ab") as stream:
        stream.write(b'{"torn\n[1]\n\xff\n{"at": 3, "numbers": {"records": "many"}}\n')
    outcome = omoide("--json", "audit", "--history")
    assert (len(outcome.json["audits"]), outcome.code) == (2, 0)
    assert "3 lines cannot be read" in outcome.err
    path.unlink()
    path.mkdir()
    outcome = omoide("audit")
    assert outcome.code == 0
    assert "are not kept" in outcome.err


def test_an_audit_can_write_nothing_below_the_root(workspace: Path) -> None:
    """By construction: also code that would write, and a database, get an error while an audit lasts."""
    root = workspace / ".omoide"
    before = state(root)
    attempts: tuple[Callable[[], object], ...] = (
        lambda: (root / "knowledge/x.md").write_text("x"),
        lambda: (root / "memory/summary.md").open("ab"),
        lambda: os.open(root / "y", os.O_CREAT | os.O_WRONLY),
        lambda: (root / "config.toml").unlink(),
        lambda: (root / "config.toml").rename(root / "z"),
        lambda: (root / "new").mkdir(),
        lambda: (root / "link").symlink_to("config.toml"),
        lambda: (root / "config.toml").chmod(0o777),
        lambda: sqlite3.connect(root / "cache.db"),
        lambda: write_whole(root / "knowledge/x.md", b"x"),
        lambda: append_lines(root / "memory/_logs/audit.jsonl", "{}\n"),
        lambda: remove(root / "config.toml"),
        lambda: rename(root / "config.toml", "z"),
        lambda: make_folder(root / "cache/new"),
    )
    with untouched(root):
        for attempt in attempts:
            with pytest.raises(OSError, match="nothing is written during an audit"):
                attempt()
        (workspace / "elsewhere").write_text("fine")
    assert state(root) == before
    (root / "knowledge/x.md").parent.mkdir(exist_ok=True)
    (root / "knowledge/x.md").write_text("x")


def test_what_an_audit_would_have_cached_is_not(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs set aside are summed up, sessions looked for: both keep what they found elsewhere, and here nothing."""
    root = workspace / ".omoide"
    put(root, "memory/_usage/events-1.jsonl", use("a"))
    put(root, "sessions/s1.jsonl", start("s1"))
    put(root, "knowledge/a.md", with_source("s1"))
    before = state(root)
    assert survey(open_workspace(workspace)).figures.numbers["uses"] == 1
    assert state(root) == before
    with closing(sqlite3.connect(root / "cache.db")):
        pass


def test_logs_are_not_read_when_that_is_asked_for(omoide: Run, workspace: Path) -> None:
    put(workspace / ".omoide", "knowledge/a.md", with_source("gone"))
    assert "source-gone" not in {code for code, _ in places(omoide("--json", "audit", "--no-logs"))}


def test_a_record_of_a_legacy_row_has_no_session_to_miss(omoide: Run, workspace: Path) -> None:
    """Its source is the archive of a plan, which is no session log."""
    put(workspace / ".omoide", "knowledge/a.md", with_source("legacy-0123456789abcdef"))
    assert "source-gone" not in {code for code, _ in places(omoide("--json", "audit"))}


def test_every_code_of_the_audit_is_explained(omoide: Run, workspace: Path) -> None:
    for code in CHECK_OF:
        done = omoide("explain", code)
        assert (done.code, code in done.out) == (0, True), code
    assert omoide("--json", "explain", "scope-conflict").json["check"] == "scope"
    assert omoide("explain", "no-such-code").code == 2


def test_the_page_and_the_table_of_checks_agree() -> None:
    page = (Path(__file__).parents[2] / "docs/audit.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1].strip() for line in page.splitlines() if line.startswith("| ")]
    assert [row for row in rows if row not in ("Check", "---")] == list(CHECKS)


def test_a_lock_left_by_a_killed_run_holds_no_secret(tmp_path: Path) -> None:
    """The number by which it knows its holder was taken for a key, and the audit failed after every kill."""
    layout = Layout(tmp_path / ".omoide")
    layout.staging.mkdir(parents=True)
    store = FileStore(layout)
    with store.consolidation_lock(()):
        left = layout.lock.read_bytes()
    assert b'"token"' in left
    layout.lock.write_bytes(left)
    layout.lock.chmod(0o600)
    assert [finding.code for finding in findings(layout) if finding.path.endswith(".lock")] in ([], ["dead-lock"])
    layout.lock.write_bytes(left.replace(b'"host"', b'"api_key": "sk-proj-Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6", "host"'))
    assert "secret" in {finding.code for finding in findings(layout)}
