"""Reading another agent's records on purpose: named one by one, for reading alone, and never handed on (R3, R22)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_core.config import merge, parse
from memory_core.records.schema import Kind
from memory_core.records.scope import Caller, granted
from memory_core.scope import seen_by
from memory_core.snapshot import snapshot_of
from server.mcp.memory import Memory
from server.mcp.reading import read
from server.mcp.schema import Edit, Read
from server.mcp.writing import edit
from tests.cli.conftest import Run
from tests.enrich.doubles import decision, knowledge

TEXTS = {
    "knowledge/mine.md": knowledge("deploy", scope="{agent: codex}"),
    "knowledge/theirs.md": knowledge("deploy", scope="{agent: claude}"),
    "memory/decisions/theirs.md": decision("deploy", scope="{agent: claude}"),
    "knowledge/third.md": knowledge("deploy", scope="{agent: third}"),
    "knowledge/tenant.md": knowledge("deploy", scope="{agent: claude, tenant: acme}"),
    "knowledge/session.md": knowledge("deploy", scope="{agent: claude, session: s-1}"),
}
SNAPSHOT = snapshot_of(TEXTS)


def seen(grants: dict[str, list[str]], **who: str) -> set[str]:
    caller = granted(Caller(**who), grants)  # type: ignore[arg-type]
    return {path.removesuffix(".md") for path in seen_by(SNAPSHOT, caller).documents}


def test_r3_a_grant_opens_what_it_names_and_nothing_else() -> None:
    own = {"knowledge/mine"}
    both = {"knowledge/theirs", "memory/decisions/theirs"}
    assert seen({}, agent="codex") == own
    assert seen({"codex": ["claude"]}, agent="codex") == own | both
    assert seen({"codex": ["claude/knowledge"]}, agent="codex") == own | {"knowledge/theirs"}
    assert seen({"codex": ["claude/decision"]}, agent="codex") == own | {"memory/decisions/theirs"}
    assert seen({"other": ["claude"]}, agent="codex") == own
    assert seen({"codex": ["claude"]}) == set(), "a caller without an agent has no grant"


def test_r3_a_grant_opens_no_tenant_session_or_principal() -> None:
    assert "knowledge/tenant" not in seen({"codex": ["claude"]}, agent="codex")
    assert "knowledge/tenant" in seen({"codex": ["claude"]}, agent="codex", tenant="acme")
    assert "knowledge/session" not in seen({"codex": ["claude"]}, agent="codex", session="s-2")


def test_r3_a_grant_is_not_handed_on() -> None:
    grants = {"codex": ["claude"], "claude": ["third"]}
    assert "knowledge/third" not in seen(grants, agent="codex")
    assert "knowledge/third" in seen(grants, agent="claude")


def test_an_agents_name_may_have_a_slash() -> None:
    texts = {"knowledge/a.md": knowledge("x", scope="{agent: org/claude}")}
    caller = granted(Caller(agent="codex"), {"codex": ["org/claude"]})
    assert list(seen_by(snapshot_of(texts), caller).index.names[Kind.KNOWLEDGE]) == ["a"]


@pytest.mark.parametrize("value", ['"claude"', "[]", '["*"]', '["claude/*"]', "[1]", '[""]', "true"])
def test_a_grant_names_agents_and_never_all(value: str) -> None:
    config, problems = parse(f"[grants]\ncodex = {value}\n", trusted=True)
    if value == "[]":
        assert (config.grants, problems) == ({"codex": ()}, [])
    else:
        assert config.grants == {}
        assert "must be a list of agents by name" in problems[0].message
        assert problems[0].range.start.line == 1


def test_the_workspaces_grants_stand_over_the_persons() -> None:
    user = parse('[grants]\ncodex = ["a"]\nclaude = ["b"]\n', trusted=True)[0]
    own = parse('[grants]\ncodex = ["c"]\n', trusted=False)[0]
    assert merge(user, own).grants == {"codex": ("c",), "claude": ("b",)}


@pytest.fixture
def records(workspace: Path) -> Path:
    for path, text in TEXTS.items():
        place = workspace / ".omoide" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    (workspace / ".omoide/config.toml").write_text('[grants]\ncodex = ["claude"]\n', encoding="utf-8")
    return workspace


def test_a_grant_holds_in_search_read_expand_and_export(omoide: Run, records: Path) -> None:
    own = ("--as", "agent=codex")
    found = {f"{hit['kind']}/{hit['slug']}" for hit in omoide("--json", "search", "deploy", *own).json["hits"]}
    assert found == {"knowledge/mine", "knowledge/theirs", "decision/theirs"}
    assert omoide("read", "knowledge", "theirs", *own).code == 0
    assert omoide("read", "knowledge", "theirs", "--as", "agent=third").code == 1
    assert "deploy" in omoide("expand", "see #theirs", *own).out
    assert {r["path"] for r in omoide("export", *own).json["records"]} == {
        "knowledge/mine.md", "knowledge/theirs.md", "memory/decisions/theirs.md",
    }  # fmt: skip


def test_a_grant_is_for_reading_and_changes_nothing(records: Path) -> None:
    memory = Memory(records, agent="codex")
    shown = read(memory, Read(kind="knowledge", slug="theirs"))
    assert not shown.is_error
    path = records / ".omoide/knowledge/theirs.md"
    before = path.read_bytes()
    facts = shown.facts or {}
    args = {"kind": "knowledge", "slug": "theirs", "old_text": "deploy", "new_text": "x", "reason": "because I say so"}
    refused = edit(memory, Edit.model_validate({**args, "expect_sha256": facts["sha256"]}))
    assert refused.is_error
    assert "another agent's: you may read it, not change it" in refused.text
    assert path.read_bytes() == before


def test_a_name_that_is_hidden_is_not_suggested(records: Path) -> None:
    """What one may not see is as if it were not there: also as the nearest name to a typing error."""
    answer = read(Memory(records, agent="codex"), Read(kind="knowledge", slug="thirt"))
    assert answer.is_error
    assert "third" not in answer.text
    assert "third" in read(Memory(records, agent="third"), Read(kind="knowledge", slug="thirt")).text


def test_a_tenant_and_a_principal_come_from_the_environment_too(
    omoide: Run, records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (records / ".omoide/knowledge/acme.md").write_text(knowledge("deploy", scope="{tenant: acme, principal: ann}"))
    assert omoide("read", "knowledge", "acme").code == 1
    monkeypatch.setenv("OMOIDE_TENANT", "acme")
    assert omoide("read", "knowledge", "acme").code == 1
    monkeypatch.setenv("OMOIDE_PRINCIPAL", "ann")
    assert omoide("read", "knowledge", "acme").code == 0
    assert omoide("read", "knowledge", "acme", "--as", "principal=bob").code == 1
    memory = Memory(records, tenant="acme", principal="ann")
    assert not read(memory, Read(kind="knowledge", slug="acme")).is_error
    assert read(Memory(records, tenant="acme"), Read(kind="knowledge", slug="acme")).is_error
