"""Who sees what: absent is never all, all is said, and nothing widens on the way (R3, R11)."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from memory_core.records.schema import Kind
from memory_core.refactor.transfer import exported, imported
from memory_core.scope import ALL, NOBODY, Caller, hidden_from_all, narrowed, scope_of, seen_by, widens
from memory_core.search import search_records
from memory_core.snapshot import snapshot_of
from tests.cli.conftest import Run
from tests.enrich.doubles import decision, knowledge

SCOPES = {
    "shared": "",
    "codex": "{agent: codex}",
    "session": "{session: s-1}",
    "tenant": "{tenant: acme}",
    "principal": "{principal: ann}",
    "narrow": "{agent: codex, tenant: acme}",
    "typo": "{agnet: codex}",
    "list": "[codex]",
    "empty": "{}",
}
TEXTS = {f"knowledge/{slug}.md": knowledge("deploy notes", scope=scope) for slug, scope in SCOPES.items()}
SNAPSHOT = snapshot_of(TEXTS)
OPEN = {"shared", "empty"}


def names(who: Caller | object) -> set[str]:
    return set(seen_by(SNAPSHOT, who).index.names[Kind.KNOWLEDGE])  # type: ignore[arg-type]


def test_r3_each_identity_sees_exactly_its_own() -> None:
    assert names(NOBODY) == OPEN
    assert names(Caller(agent="codex")) == OPEN | {"codex"}
    assert names(Caller(session="s-1")) == OPEN | {"session"}
    assert names(Caller(agent="codex", tenant="acme")) == OPEN | {"codex", "tenant", "narrow"}
    assert names(Caller(agent="other", tenant="other", session="s-2", principal="bob")) == OPEN
    assert names(ALL) == set(SCOPES)


@pytest.mark.parametrize(
    "scope",
    [
        "{tenant: acme, tenant: globex}",
        "{tenant: acme, tenant: acme}",
        "\n  tenant: acme\n  tenant: globex",
        "\n  tenant: acme\n  tenant: globex\nextra: 1",
        "{tenant: acme}\nscope: {tenant: globex}",
        '{tenant: acme}\n"scope": {}',
        "\nscope: {tenant: acme}",
    ],
)
def test_r3_a_scope_that_is_said_twice_cannot_be_understood(scope: str) -> None:
    """Nobody knows which of the two counts, so nobody but an operator sees the record."""
    snapshot = snapshot_of({"knowledge/a.md": knowledge("x", scope=scope)})
    for caller in (NOBODY, Caller(tenant="acme"), Caller(tenant="globex")):
        assert not seen_by(snapshot, caller).documents
    assert hidden_from_all(snapshot.documents["knowledge/a.md"])
    assert seen_by(snapshot, ALL).documents


def test_another_key_that_is_said_twice_hides_nothing() -> None:
    twice = knowledge("x", scope="\n  tenant: acme", extra="origin: a\norigin: b\n# scope\norigin: c")
    snapshot = snapshot_of({"knowledge/a.md": twice})
    assert seen_by(snapshot, Caller(tenant="acme")).documents
    assert not hidden_from_all(snapshot.documents["knowledge/a.md"])


def test_r3_all_combinations_of_two_agents_two_tenants_and_two_principals() -> None:
    keys = ("agent", "tenant", "principal")
    each = [dict(zip(keys, values, strict=True)) for values in itertools.product("ab", "cd", "ef")]
    texts = {
        f"knowledge/n-{number}.md": knowledge("x", scope="{" + ", ".join(f"{k}: {v}" for k, v in scope.items()) + "}")
        for number, scope in enumerate(each)
    }
    snapshot = snapshot_of(texts)
    for number, scope in enumerate(each):
        assert list(seen_by(snapshot, Caller(**scope)).documents) == [f"knowledge/n-{number}.md"]
        for key in keys:
            less = {k: v for k, v in scope.items() if k != key}
            assert not seen_by(snapshot, Caller(**less)).documents


def test_a_session_kind_never_opens_a_record() -> None:
    assert names(Caller(session_kind="chat")) == names(NOBODY)


def test_r3_scope_comes_before_rank_and_limit() -> None:
    """A record of somebody else's that ranks better takes no place."""
    texts = {f"knowledge/a-{n}.md": knowledge("deploy " * 9, scope="{agent: other}") for n in range(30)}
    texts["knowledge/mine.md"] = knowledge("one mention of deploy among many other words of this text")
    hits = search_records(seen_by(snapshot_of(texts), NOBODY), "deploy", limit=1)
    assert [hit.slug for hit in hits] == ["mine"]


def test_a_store_without_scopes_is_the_same_object() -> None:
    """Invisible where nobody uses it: nothing is parsed and nothing copied."""
    snapshot = snapshot_of({"knowledge/a.md": knowledge("x")})
    assert seen_by(snapshot, NOBODY) is snapshot


def test_frontmatter_that_cannot_be_read_and_speaks_of_a_scope_is_hidden() -> None:
    broken = "---\nscope: {agent: codex\nkind: [\n---\nsecret plan\n"
    assert not seen_by(snapshot_of({"knowledge/a.md": broken}), NOBODY).documents
    harmless = "---\nkind: [\n---\nabout the scope of a variable\n"
    assert seen_by(snapshot_of({"knowledge/a.md": harmless}), NOBODY).documents


@pytest.mark.parametrize("key", ["Scope", "SCOPE", "scopes"])
def test_a_key_that_can_only_be_meant_as_scope_hides_its_record(key: str) -> None:
    """R3: a slip of the pen must not show a record to everybody."""
    text = knowledge("x").replace("---\n", f"---\n{key}: {{tenant: acme}}\n", 1)
    assert not seen_by(snapshot_of({"knowledge/a.md": text}), NOBODY).documents
    assert not seen_by(snapshot_of({"knowledge/a.md": text}), Caller(tenant="acme")).documents
    assert seen_by(snapshot_of({"knowledge/a.md": text}), ALL).documents


def test_r11_what_is_made_of_two_records_is_seen_by_nobody_who_might_not_see_both() -> None:
    assert narrowed([{}, {"agent": "a"}, {"tenant": "t"}]) == {"agent": "a", "tenant": "t"}
    assert narrowed([{"agent": "a"}, {"agent": "b"}]) is None
    assert widens({"agent": "a"}, {})
    assert widens({"agent": "a"}, {"agent": "b"})
    assert not widens({"agent": "a"}, {"agent": "a", "tenant": "t"})
    assert not widens({}, {"agent": "a"})


def test_r11_a_scope_survives_export_and_import() -> None:
    data = exported(SNAPSHOT, ALL, "2026-01-31T09:00:00Z")
    back = imported(snapshot_of({}), data, ALL)
    assert {change.path: change.after for change in back.changes} == TEXTS
    record = SNAPSHOT.documents["knowledge/narrow.md"].record
    assert record is not None
    assert scope_of(record) == {"agent": "codex", "tenant": "acme"}


def test_r11_an_export_holds_only_what_its_caller_may_see() -> None:
    data = exported(SNAPSHOT, Caller(agent="codex"), "2026-01-31T09:00:00Z", {"usage": "{}"})
    assert {record["path"] for record in data["records"]} == {f"knowledge/{n}.md" for n in OPEN | {"codex"}}
    assert data["logs"] == {}, "logs name records of everybody"


def test_r11_an_import_never_widens_a_record_that_is_there() -> None:
    there = snapshot_of({"knowledge/a.md": knowledge("x", scope="{agent: codex}")})
    data = exported(snapshot_of({"knowledge/a.md": knowledge("y")}), ALL, "2026-01-31T09:00:00Z")
    found = imported(there, data, ALL, replace=["knowledge/a.md"])
    assert found.conflicts == {"knowledge/a.md": "would be shown to more than may see it now: change its scope by hand"}


def test_a_record_that_one_may_not_see_is_a_conflict_that_tells_nothing() -> None:
    there = snapshot_of({"knowledge/a.md": knowledge("secret plan", scope="{agent: codex}")})
    data = exported(snapshot_of({"knowledge/a.md": knowledge("y", scope="{agent: codex}")}), ALL, "x")
    assert imported(there, data, NOBODY, replace=["knowledge/a.md"]).conflicts == {
        "knowledge/a.md": "is there with other text"
    }


@pytest.fixture
def records(workspace: Path) -> Path:
    folder = workspace / ".omoide/knowledge"
    for slug in ("shared", "codex", "session"):
        (folder / f"{slug}.md").write_text(TEXTS[f"knowledge/{slug}.md"], encoding="utf-8")
    return workspace


def found(omoide: Run, *options: str) -> list[str]:
    return sorted(hit["slug"] for hit in omoide("search", "deploy", "--json", *options).json["hits"])


def test_search_and_read_go_by_who_asks(omoide: Run, records: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R3: without an identity one sees what is shared; all is said in so many words."""
    assert found(omoide) == ["shared"]
    assert found(omoide, "--as", "agent=codex") == ["codex", "shared"]
    assert found(omoide, "--session", "s-1") == ["session", "shared"]
    assert found(omoide, "--all-scopes") == ["codex", "session", "shared"]
    assert omoide("read", "knowledge", "codex").code == 1
    assert omoide("read", "knowledge", "codex", "--as", "agent=codex").code == 0
    assert omoide("read", "knowledge", "codex", "--all-scopes").code == 0
    monkeypatch.setenv("OMOIDE_AGENT", "codex")
    assert found(omoide) == ["codex", "shared"]


def test_what_is_hidden_is_like_what_is_not_there(omoide: Run, records: Path) -> None:
    hidden = omoide("read", "knowledge", "codex")
    absent = omoide("read", "knowledge", "codec")
    assert hidden.err.replace("codex", "codec") == absent.err
    assert omoide("search", "deploy", "--json").json["stored"] == 1


@pytest.mark.parametrize("option", [("--as", "agnet=x"), ("--as", "agent"), ("--as", "agent=x", "--all-scopes")])
def test_a_wrong_identity_is_misuse(omoide: Run, records: Path, option: tuple[str, ...]) -> None:
    assert omoide("search", "deploy", *option).code == 2


@pytest.mark.parametrize(
    "command",
    [("archive", "knowledge", "{}"), ("rename", "knowledge", "{}", "else-where"), ("promote", "decision", "{}")],
    ids=lambda command: command[0],
)
def test_r3_what_one_may_not_see_one_cannot_change(
    omoide: Run, workspace: Path, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refused in the words for a name that does not exist; its agent may, and the operator."""
    root = workspace / ".omoide"
    path, make = ("knowledge", knowledge) if command[1] == "knowledge" else ("memory/decisions", decision)
    (root / path / "hidden-one.md").write_text(make("We decided it.", scope="{agent: codex}"), encoding="utf-8")
    before = {path: path.read_bytes() for path in root.rglob("*.md")}

    def run(slug: str, *options: str) -> tuple[int, str]:
        done = omoide(*(word.format(slug) for word in command), *options)
        return done.code, (done.out + done.err).replace(slug, "SLUG")

    absent = run("hidden-two", "--as", "agent=claude")
    assert absent[0] == 1
    assert run("hidden-one", "--as", "agent=claude") == absent
    monkeypatch.setenv("OMOIDE_AGENT", "claude")
    assert run("hidden-one") == absent
    monkeypatch.delenv("OMOIDE_AGENT")
    (root / "config.toml").write_text('[grants]\nclaude = ["codex"]\n')
    assert run("hidden-one", "--as", "agent=claude") == absent, "a grant is for reading"
    assert {path: path.read_bytes() for path in root.rglob("*.md")} == before
    assert run("hidden-one", "--as", "agent=codex", "--dry-run")[0] == 0
    assert run("hidden-one", "--all-scopes", "--dry-run")[0] == 0
    assert run("hidden-one")[0] == 0, "who says nothing at a terminal is the one who could edit the file"
