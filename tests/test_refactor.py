"""Rename, archive, promote and new as pure change sets: every reference stays right, every other byte stays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.changes import ChangeSet
from memory_core.lint.check import check, errors
from memory_core.records.schema import FIELDS, Kind, RecordRef
from memory_core.refactor.archive import archive
from memory_core.refactor.diff import unified
from memory_core.refactor.history import renames_in, under_present_names
from memory_core.refactor.new import LAST_SOURCES, new_record
from memory_core.refactor.promote import Promotion, promote
from memory_core.refactor.referrers import BROKEN_HEAD, Refusal
from memory_core.refactor.rename import rename
from memory_core.snapshot import Document, Snapshot, snapshot_of
from memory_core.usage import use_event

NOW = "2026-03-01T09:00:00Z"
DATES = "created_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-02T00:00:00Z\n"


def knowledge(body: str = "Text.\n", description: str = "What it is. Read when.") -> str:
    return (
        f"---\n{DATES}kind: fact\ndescription: {description}\nmodel_invokation: false\nuser_invocable: true\n"
        f"last_sources: []\n---\n\n{body}"
    )


def decision(body: str = "# Use A\n\nBecause.\n", status: str = "open", more: str = "", sources: str = "[]") -> str:
    return f"---\n{DATES}sources: {sources}\nstatus: {status}\n{more}---\n\n{body}"


def workflow(requires: str, body: str = "Do it.\n") -> str:
    return f"---\ndescription: What it does. When.\nrequires: {requires}\n---\n{body}"


def done(plan: ChangeSet | Refusal) -> ChangeSet:
    assert isinstance(plan, ChangeSet), plan
    return plan


def refused(plan: ChangeSet | Refusal, words: str) -> Refusal:
    assert isinstance(plan, Refusal), plan
    assert words in plan.reason
    return plan


def after(plan: ChangeSet | Refusal, path: str) -> str:
    text = done(plan).files[path].after
    assert text is not None
    return text


def renamed(texts: Mapping[str, str], new: str = "new", kind: Kind = Kind.KNOWLEDGE) -> ChangeSet | Refusal:
    return rename(snapshot_of(texts), kind, "old", new)


OLD = "knowledge/old.md"
NEW = "knowledge/new.md"
X = "knowledge/x.md"


def test_a_rename_moves_the_file_and_changes_nothing_in_it() -> None:
    plan = done(renamed({OLD: knowledge(), X: knowledge("No reference.\n")}))
    assert {(c.op, c.path) for c in plan} == {("delete", OLD), ("create", NEW)}
    assert plan.files[NEW].after == knowledge() == plan.files[OLD].before


def test_every_reference_that_resolves_follows_and_code_and_urls_do_not() -> None:
    body = (
        "See #old, (#old) and 決定は#old。\n`#old` stays, [a](#old), https://x.org/#old and issue#old too.\n"
        "```\n#old\n```\n#old-er and #older are others; /old is a workflow.\n"
    )
    text = after(renamed({OLD: knowledge(), X: knowledge(body)}), X)
    assert text == knowledge(
        "See #new, (#new) and 決定は#new。\n`#old` stays, [a](#old), https://x.org/#old and issue#old too.\n"
        "```\n#old\n```\n#old-er and #older are others; /old is a workflow.\n"
    )


@pytest.mark.parametrize("quote", ["'{}'", '"{}"', "{}", ">-\n  {}"])
def test_descriptions_follow_however_they_are_written(quote: str) -> None:
    text = knowledge(description=quote.format("Read (#old) first"))
    assert after(renamed({OLD: knowledge(), X: text}), X) == text.replace("#old", "#new")


@pytest.mark.parametrize(
    "requires",
    ["[old]", "[other, old]", "['old', \"other\"]", '\n  - other\n  - "old"  # first', "\n- old"],
)
def test_requires_follow_and_keep_their_layout(requires: str) -> None:
    texts = {OLD: knowledge(), "knowledge/other.md": knowledge(), "workflow/w.md": workflow(requires, "See #old.\n")}
    text = after(renamed(texts), "workflow/w.md")
    assert text == workflow(requires.replace("old", "new"), "See #new.\n")


@pytest.mark.parametrize("slug", ["2024", "true", "null", "1e5", "0x1f", "no", "2026-01-01"])
def test_a_slug_that_yaml_reads_as_something_else_is_quoted(slug: str) -> None:
    texts = {OLD: knowledge(), "workflow/w.md": workflow("[old]")}
    plan = done(renamed(texts, slug))
    preview = snapshot_of(texts).with_changes(plan)
    record = preview.record(RecordRef(Kind.WORKFLOW, "w"))
    assert record is not None
    assert record.requires == (slug,)


def test_a_decision_is_followed_in_replaced_by_and_a_workflow_in_its_invocations() -> None:
    texts = {
        "memory/decisions/old.md": decision(),
        "memory/decisions/x.md": decision(status="replaced", more="replaced_by: old\n"),
        OLD: knowledge("See #old.\n"),
    }
    plan = done(rename(snapshot_of(texts), Kind.DECISION, "old", "new"))
    assert set(plan.files) == {"memory/decisions/old.md", "memory/decisions/new.md", "memory/decisions/x.md"}
    assert plan.files["memory/decisions/x.md"].after == decision(status="replaced", more="replaced_by: new\n")
    texts = {"workflow/old.md": workflow("[]"), X: knowledge("Run /old now, not src/old or #old.\n")}
    plan = done(rename(snapshot_of(texts), Kind.WORKFLOW, "old", "new"))
    assert plan.files[X].after == knowledge("Run /new now, not src/old or #old.\n")


def test_paths_and_links_by_path_follow_and_what_others_said_does_not() -> None:
    body = (
        "Replaces `decisions/old`, memory/decisions/old.md and [it](../memory/decisions/old.md#why) "
        "[and][r]; decisions/older, https://x.org/decisions/old stay.\n\n"
        "[r]: <../../.omoide/memory/decisions/old.md>\n\n"
        "```\ndecisions/old\n```\n\n## Evidence\n\n- a person:\n  > as decisions/old says\n"
    )
    head = "Like `decisions/old`. Read when."
    own = decision("# Old\n\nSee [above](old.md#why).\n")
    texts = {"memory/decisions/old.md": own, X: knowledge(body, head), OLD: knowledge("decisions/old-2\n")}
    plan = renamed(texts, "2024", Kind.DECISION)
    text = after(plan, X)
    assert "Like `decisions/2024`. Read when." in text
    assert "Replaces `decisions/2024`, memory/decisions/2024.md and [it](../memory/decisions/2024.md#why) " in text
    assert "decisions/older, https://x.org/decisions/old stay." in text
    assert "[r]: <../../.omoide/memory/decisions/2024.md>" in text
    assert "```\ndecisions/old\n```" in text
    assert "> as decisions/old says" in text
    assert after(plan, "memory/decisions/2024.md") == own.replace("old.md", "2024.md")
    assert OLD not in done(plan).files


def test_a_record_that_names_itself_is_moved_and_followed() -> None:
    assert after(renamed({OLD: knowledge("I am #old.\n")}), NEW) == knowledge("I am #new.\n")


def test_line_ends_byte_order_mark_and_a_missing_last_line_end_stay() -> None:
    """T55: whatever a file is like, only the names in it change."""
    text = "\ufeff" + knowledge("One #old\n\u2028two\x0c#old\nthree #old").replace("\n", "\r\n")
    assert after(renamed({OLD: knowledge(), X: text}), X) == text.replace("#old", "#new")


@pytest.mark.parametrize(
    ("new", "words"),
    [
        ("Not A Slug", "must be lower-case"),
        ("con", "device name"),
        ("", "is empty"),
        ("old", "has this name already"),
        ("x", "exists already"),
        ("twin", "differs from knowledge/twin in case only"),
    ],
)
def test_a_name_that_cannot_be_given_is_refused(new: str, words: str) -> None:
    """T57: a twin in another case is no free name."""
    texts = {OLD: knowledge(), X: knowledge(), "knowledge/Twin.md": knowledge()}
    refused(renamed(texts, new), words)


def test_what_is_not_there_or_has_one_place_cannot_be_renamed() -> None:
    refused(renamed({X: knowledge()}), "There is no knowledge/old")
    summary = {"memory/summary.md": "---\nupdated_at: 2026-01-01T00:00:00Z\n---\nText.\n"}
    refused(rename(snapshot_of(summary), Kind.SUMMARY, "summary", "new"), "cannot be renamed")


BROKEN = "---\ndescription: 'See #old\nstatus: [\n---\nText.\n"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (X, BROKEN),
        (X, "---\ndescription: See #old\nnever closed\n"),
        (X, "---\ndescription: see (#old)\nkind: [\n---\nText.\n"),
        ("workflow/w.md", "---\nrequires: [old\n---\nText.\n"),
        ("workflow/w.md", "---\nrequires: []\nrequires: [old]\n---\nText.\n"),
    ],
)
def test_a_broken_head_that_names_the_record_refuses_with_its_place(path: str, text: str) -> None:
    """T55: an unparseable head is left alone."""
    refusal = refused(renamed({OLD: knowledge(), path: text}), "broken")
    assert {link.path for link in refusal.links} == {path}


def test_a_broken_head_that_names_something_else_is_no_obstacle_and_its_body_follows() -> None:
    text = BROKEN.replace("#old", "#older") + "And #old.\n"
    assert after(renamed({OLD: knowledge(), X: text}), X) == text.replace("#old.", "#new.")


def test_a_broken_record_can_be_renamed_itself_and_keeps_its_bytes() -> None:
    text = "no head at all, says #nothing\n"
    assert after(renamed({OLD: text}), NEW) == text


def test_a_file_that_is_not_utf8_is_never_written() -> None:
    unreadable = Document(X, knowledge("See #old \ufffd\n"), unreadable="`knowledge/x.md` is not UTF-8.")
    snapshot = snapshot_of({OLD: knowledge()}).with_documents({X: unreadable})
    assert refused(rename(snapshot, Kind.KNOWLEDGE, "old", "new"), "cannot be read").links[0].path == X
    refused(rename(snapshot, Kind.KNOWLEDGE, "x", "y"), "not UTF-8")


def test_a_slug_written_with_escapes_is_refused_rather_than_left_behind() -> None:
    texts = {OLD: knowledge(), "workflow/w.md": workflow('["\\x6fld"]')}
    refused(renamed(texts), "cannot be replaced alone")


PIECES = st.sampled_from(
    ["#old", "#older", " ", "\n", "\r\n", "`", "```", "text", "。", "(", ")", "/old", "<!--", "-->", "$", "http://"]
)


@given(st.lists(PIECES, max_size=25), st.booleans())
def test_after_any_rename_the_same_places_name_the_record(pieces: list[str], mark: bool) -> None:
    """No reference is lost, none is made, and a rename back restores every byte."""
    body = "".join(pieces)
    before = snapshot_of({OLD: knowledge(), X: ("\ufeff" if mark else "") + knowledge(body)})
    there = before.with_changes(done(rename(before, Kind.KNOWLEDGE, "old", "brand-new")))
    old, new = RecordRef(Kind.KNOWLEDGE, "old"), RecordRef(Kind.KNOWLEDGE, "brand-new")
    assert len(there.index.backlinks.get(new, ())) == len(before.index.backlinks.get(old, ()))
    assert there.index.backlinks.get(old, ()) == ()
    back = there.with_changes(done(rename(there, Kind.KNOWLEDGE, "brand-new", "old")))
    assert {p: d.text for p, d in back.documents.items()} == {p: d.text for p, d in before.documents.items()}


def test_archive_removes_what_nobody_refers_to() -> None:
    ref = RecordRef(Kind.KNOWLEDGE, "old")
    snapshot = snapshot_of({OLD: knowledge("I am #old.\n"), X: knowledge("`#old`\n")})
    assert [(c.op, c.path) for c in done(archive(snapshot, ref))] == [("delete", OLD)]


def test_archive_names_every_place_that_would_dangle_and_force_overrules() -> None:
    ref = RecordRef(Kind.KNOWLEDGE, "old")
    snapshot = snapshot_of({OLD: knowledge(), X: knowledge("\nSee #old\n"), "workflow/w.md": workflow("[old]")})
    refusal = refused(archive(snapshot, ref), "knowledge/x.md, workflow/w.md")
    assert [(k.path, k.range.start.line, k.via) for k in refusal.links] == [
        (X, 11, "body"),
        ("workflow/w.md", 2, "requires"),
    ]
    assert [c.op for c in done(archive(snapshot, ref, force=True))] == ["delete"]


def test_archive_is_refused_over_a_link_by_path_and_not_over_a_path_in_a_note() -> None:
    old = {"memory/decisions/old.md": decision()}
    ref = RecordRef(Kind.DECISION, "old")
    link = archive(snapshot_of({**old, X: knowledge("[it](../memory/decisions/old.md)\n")}), ref)
    assert [place.via for place in refused(link, X).links] == ["link"]
    done(archive(snapshot_of({**old, X: knowledge("Replaces `decisions/old`: old.\n")}), ref))


def test_archive_takes_a_broken_head_for_a_reference() -> None:
    snapshot = snapshot_of({OLD: knowledge(), "workflow/w.md": "---\nrequires: [old\n---\nText.\n"})
    refusal = refused(archive(snapshot, RecordRef(Kind.KNOWLEDGE, "old")), "workflow/w.md")
    assert [link.via for link in refusal.links] == [BROKEN_HEAD]


def test_archive_refuses_the_summary_and_what_is_not_there() -> None:
    refused(archive(Snapshot(), RecordRef(Kind.SUMMARY, "summary")), "rewritten")
    refused(archive(Snapshot(), RecordRef(Kind.DECISION, "a")), "There is no decision/a")


DECIDED = RecordRef(Kind.DECISION, "use-a")
D = "memory/decisions/use-a.md"


def promoted(text: str, wish: Promotion | None = None, **more: str) -> ChangeSet | Refusal:
    return promote(snapshot_of({D: text, **more}), DECIDED, wish or Promotion(), NOW)


def test_promotion_makes_clean_knowledge_and_the_record_stays() -> None:
    """C5, R11: sources and scope go along, the most recent sources only, residency is off."""
    sources = "".join(f"\n  - session_id: s{n}\n    range: [{n}, {n}]" for n in range(LAST_SOURCES + 2))
    scope = "description: How we do A. Read when choosing.\nscope:\n  agent: codex\n"
    plan = done(
        promoted(decision("# Use A\r\n\r\nBecause #old.\r\n", more=scope, sources=sources), None, **{OLD: knowledge()})
    )
    assert list(plan.files) == ["knowledge/use-a.md"]
    document = Document("knowledge/use-a.md", plan.files["knowledge/use-a.md"].after or "")
    record = document.record
    assert record is not None
    assert record.description == "How we do A. Read when choosing."
    assert record.value("model_invokation") is False
    assert record.value("scope") == {"agent": "codex"}
    assert [s.session_id for s in record.sources] == [f"s{n}" for n in range(2, LAST_SOURCES + 2)]
    assert record.body == "\n# Use A\n\nBecause #old.\n"
    preview = snapshot_of({OLD: knowledge()}).with_documents({document.path: document})
    assert errors(check(preview, document.path)) == []


def test_a_promotion_may_have_its_own_name_and_description() -> None:
    plan = promoted(decision(), Promotion("a-first", "Prefer A. Read before choosing.", "rule"))
    head = after(plan, "knowledge/a-first.md")
    assert "description: Prefer A. Read before choosing.\n" in head
    assert "kind: rule\n" in head


def test_without_a_description_the_title_says_what_and_when() -> None:
    assert "description: Use A. Read it before work on use a.\n" in after(promoted(decision()), "knowledge/use-a.md")


@pytest.mark.parametrize(
    ("text", "wish", "words"),
    [
        (decision(), Promotion("old"), "exists already"),
        (decision(), Promotion("No Slug"), "must be lower-case"),
        (decision(status="replaced", more="replaced_by: use-b\n"), Promotion(), "replaced by decision/use-b"),
        (decision("\n"), Promotion(), "no text"),
        ("---\nstatus: [\n---\nText.\n", Promotion(), "broken head"),
        ("no head", Promotion(), "broken head"),
    ],
)
def test_a_promotion_that_would_mislead_is_refused(text: str, wish: Promotion, words: str) -> None:
    refused(promoted(text, wish, **{OLD: knowledge()}), words)


def test_only_decisions_and_requests_are_promoted() -> None:
    refused(
        promote(snapshot_of({OLD: knowledge()}), RecordRef(Kind.KNOWLEDGE, "old"), Promotion(), NOW), "only decisions"
    )
    refused(promote(Snapshot(), DECIDED, Promotion(), NOW), "There is no decision/use-a")


@pytest.mark.parametrize("kind", list(Kind))
def test_a_new_record_has_every_required_field_and_no_error(kind: Kind) -> None:
    plan = done(new_record(RecordRef(kind, "summary" if kind is Kind.SUMMARY else "fresh"), NOW))
    snapshot = Snapshot().with_changes(plan)
    (document,) = snapshot.documents.values()
    head = document.record.head if document.record else None
    assert head is not None
    assert {field.name for field in FIELDS[kind] if field.required} <= set(head.entries)
    assert errors(check(snapshot, document.path)) == []


def test_a_diff_shows_line_ends_and_a_missing_one() -> None:
    changes = ChangeSet().with_file("knowledge/a.md", "a\u2028b\r\nold", "a\u2028b\r\nnew\n")
    assert unified(changes) == (
        "--- a/knowledge/a.md\n+++ b/knowledge/a.md\n@@ -1,2 +1,2 @@\n a\u2028b\r\n-old\n"
        "\\ No newline at end of file\n+new\n"
    )


def _at(hour: int) -> datetime:
    return datetime(2026, 3, 1, hour, tzinfo=UTC)


def _audit(hour: int, event: str, **fields: object) -> str:
    return json.dumps({"occurred_at": _at(hour).isoformat(), "event": event, **fields})


def _renamed(hour: int, old: str, new: str) -> str:
    return _audit(hour, "rename", run_id=f"r{hour}", kind="knowledge", slug=old, new_slug=new)


def _names(audit: list[str], *used: tuple[int, str]) -> list[str]:
    events = [
        use_event(
            RecordRef(Kind.KNOWLEDGE, slug), "t", source="MemoryRead", actor="human", session_id=None, now=_at(hour)
        )
        for hour, slug in used
    ]
    return [event.records[0].slug for event in under_present_names(events, renames_in(audit))]


def test_uses_follow_every_rename_after_them_and_none_before() -> None:
    audit = [_renamed(3, "a", "b"), _renamed(5, "b", "c"), "torn {", '"rename"', _audit(6, "undo")]
    # At 4 a record named `a` is another one: the first is called `b` by then.
    assert _names(audit, (2, "a"), (4, "b"), (4, "a"), (6, "c"), (2, "z")) == ["c", "c", "a", "c", "z"]


def test_an_undone_rename_is_followed_back_and_so_is_the_undoing_of_that() -> None:
    undo = _audit(4, "undo", run_id="u4", undone="r3", restored=["knowledge/a.md", "knowledge/b.md"])
    again = _audit(6, "undo", run_id="u6", undone="u4", restored=["knowledge/b.md"])
    assert _names([_renamed(3, "a", "b"), undo], (2, "a"), (3, "b")) == ["a", "a"]
    assert _names([_renamed(3, "a", "b"), undo, again], (2, "a"), (5, "a")) == ["b", "b"]
    kept = _audit(4, "undo", run_id="u4", undone="r3", restored=[])
    assert _names([_renamed(3, "a", "b"), kept], (2, "a")) == ["b"]


def test_another_kind_with_the_same_slug_keeps_its_uses() -> None:
    other = _audit(3, "rename", run_id="r", kind="decision", slug="a", new_slug="b")
    assert _names([other], (2, "a")) == ["a"]
