"""Whatever is renamed, archived, promoted or made: what was named before is named after, and nothing else changes.

Stores are made at random: references in bodies and descriptions, lists of every layout, chains of replacements, some of
them open at their end, line ends of every system.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.changes import ChangeSet
from memory_core.layout import record_path
from memory_core.lint.check import check_all
from memory_core.records.schema import Kind, RecordRef
from memory_core.refactor.archive import archive
from memory_core.refactor.new import new_record
from memory_core.refactor.promote import Promotion, promote
from memory_core.refactor.referrers import Refusal, place_refusal
from memory_core.refactor.rename import rename
from memory_core.snapshot import Snapshot, snapshot_of

NOW = "2026-03-01T09:00:00Z"
DATES = "created_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-02T00:00:00Z\n"
SLUGS = ("alpha", "alpha-two", "beta", "2024", "no")
WEAK = "2024"  # `#2024` may be the number of an issue: where there is no such record, nobody complains
MISSING = "gone"
NAMES = st.sampled_from((*SLUGS, MISSING))
PROSE = st.lists(
    st.one_of(
        NAMES.map("#{}".format),
        NAMES.map("(/{})".format),
        NAMES.map("`#{}`".format),
        NAMES.map("**#{}**、".format),
        NAMES.map("https://x.org/#{}".format),
        st.sampled_from(["Text.", "語😀", "\n\n", "\n```\n#alpha\n```\n", "\\#alpha", "\t", "#alphabet", "x#beta"]),
    ),
    min_size=1,
    max_size=8,
).map(" ".join)
DANGLING = ("unknown-reference", "unknown-requires", "unknown-replacement", "broken-chain")


def _quoted(slug: str, style: int) -> str:
    """As a slug may be written: what YAML reads as a number or a boolean only in quotes."""
    plain = slug if slug not in ("2024", "no") else f'"{slug}"'
    return (plain, f"'{slug}'", f'"{slug}"')[style]


@st.composite
def lists(draw: st.DrawFn) -> str:
    """`requires` in one of the layouts of YAML."""
    slugs = [_quoted(slug, draw(st.integers(0, 2))) for slug in draw(st.lists(NAMES, max_size=3, unique=True))]
    match draw(st.integers(0, 3)) if slugs else 0:
        case 0:
            return f"requires: [{', '.join(slugs)}]\n"
        case 1:
            return "requires:\n" + "".join(f"  - {slug}\n" for slug in slugs)
        case 2:
            return "requires:\n" + "".join(f"- {slug}  # why\n" for slug in slugs)
        case _:
            return "requires: [\n" + "".join(f"    {slug},\n" for slug in slugs) + "  ]\n"


@st.composite
def descriptions(draw: st.DrawFn) -> str:
    slug = draw(NAMES)
    written = ("What it is.", f"'Like #{slug} but not.'", f'"Read (#{slug}) first"', f">-\n  Read\n  #{slug} first")
    return f"description: {draw(st.sampled_from(written))}\n"


@st.composite
def stores(draw: st.DrawFn) -> dict[str, str]:
    texts: dict[str, str] = {}
    for slug in draw(st.lists(st.sampled_from(SLUGS), min_size=1, unique=True)):
        flags = "model_invokation: false\nuser_invocable: true\nlast_sources: []\n"
        texts[f"knowledge/{slug}.md"] = f"---\n{DATES}kind: fact\n{draw(descriptions())}{flags}---\n\n{draw(PROSE)}\n"
    for slug in draw(st.lists(st.sampled_from(SLUGS), unique=True)):
        by = draw(st.none() | NAMES)
        status = f"status: replaced\nreplaced_by: {_quoted(by, draw(st.integers(0, 2)))}\n" if by else "status: open\n"
        texts[f"memory/decisions/{slug}.md"] = f"---\n{DATES}sources: []\n{status}---\n\n{draw(PROSE)}\n"
    for slug in draw(st.lists(st.sampled_from(SLUGS), unique=True, max_size=2)):
        texts[f"workflow/{slug}.md"] = f"---\n{draw(descriptions())}{draw(lists())}---\n\n{draw(PROSE)}\n"
    newline, mark = draw(st.sampled_from(["\n", "\r\n", "\r"])), draw(st.sampled_from(["", "\ufeff"]))
    return {path: mark + text.replace("\n", newline) for path, text in texts.items()}


@st.composite
def stores_and_records(draw: st.DrawFn) -> tuple[Snapshot, RecordRef]:
    snapshot = snapshot_of(draw(stores()))
    documents = [document.ref for document in snapshot.documents.values() if document.ref]
    return snapshot, draw(st.sampled_from(documents))


def texts_of(snapshot: Snapshot) -> dict[str, str]:
    return {path: document.text for path, document in snapshot.documents.items()}


def links(
    snapshot: Snapshot, moved: Mapping[RecordRef, RecordRef] | None = None
) -> Counter[tuple[str, RecordRef, str]]:
    """Who names whom where, under the names that records have after a move."""
    moved = moved or {}
    paths = {record_path(old): record_path(new) for old, new in moved.items()}
    return Counter(
        (paths.get(path, path), moved.get(link.target, link.target), link.via)
        for path, document in snapshot.documents.items()
        for link in document.links
    )


def dangling(snapshot: Snapshot, without: str = "") -> Counter[str]:
    """How often each code of a name that leads nowhere is found; not in one file."""
    found = check_all(snapshot)
    return Counter(d.code for path, ds in found.items() if path != without for d in ds if d.code in DANGLING)


@settings(max_examples=100, deadline=None)
@given(stores_and_records(), st.sampled_from(["brand-new", "null", "1e5", "alpha-three"]))
def test_a_rename_keeps_who_names_whom_and_back_it_restores_every_byte(
    given_store: tuple[Snapshot, RecordRef], slug: str
) -> None:
    before, old = given_store
    plan = rename(before, old.kind, old.slug, slug)
    assert isinstance(plan, ChangeSet), plan
    after = before.with_changes(plan)
    new = RecordRef(old.kind, slug)
    assert links(after) == links(before, {old: new})
    assert dangling(after) == dangling(before)
    back = rename(after, new.kind, new.slug, old.slug)
    assert isinstance(back, ChangeSet), back
    again = after.with_changes(back)
    assert links(again) == links(before)
    for path, text in texts_of(before).items():
        # Quotes that the other name needed may stay; nothing else is different.
        assert texts_of(again)[path].replace("'", "").replace('"', "") == text.replace("'", "").replace('"', "")
    if slug in ("brand-new", "alpha-three") and old.slug not in ("2024", "no"):
        assert texts_of(again) == texts_of(before)


@settings(max_examples=100, deadline=None)
@given(stores_and_records())
def test_an_archived_record_leaves_no_new_dangling_name_or_is_refused_with_all_of_them(
    given_store: tuple[Snapshot, RecordRef],
) -> None:
    before, ref = given_store
    path = record_path(ref)
    elsewhere = [link for d in before.documents.values() if d.path != path for link in d.links if link.target == ref]
    plan = archive(before, ref)
    if isinstance(plan, Refusal):
        assert Counter((k.path, k.range) for k in plan.links) == Counter((k.path, k.range) for k in elsewhere)
        plan = archive(before, ref, force=True)
        assert isinstance(plan, ChangeSet)
        after = before.with_changes(plan)
        if ref.kind is Kind.KNOWLEDGE and ref.slug != WEAK:
            more = dangling(after, path) - dangling(before, path)
            assert sum(more.values()) == len(elsewhere)
        return
    assert elsewhere == []
    after = before.with_changes(plan)
    assert dangling(after, path) == dangling(before, path)
    assert texts_of(after) == {p: text for p, text in texts_of(before).items() if p != path}


@settings(max_examples=80, deadline=None)
@given(stores_and_records())
def test_a_promotion_adds_one_record_whose_names_lead_where_those_of_the_original_do(
    given_store: tuple[Snapshot, RecordRef],
) -> None:
    before, ref = given_store
    plan = promote(before, ref, Promotion("promoted"), NOW)
    if isinstance(plan, Refusal):
        return
    after = before.with_changes(plan)
    assert {path: text for path, text in texts_of(after).items() if path != "knowledge/promoted.md"} == texts_of(before)
    original = Counter(link.target for link in before.documents[record_path(ref)].links if link.via == "body")
    assert (
        Counter(link.target for link in after.documents["knowledge/promoted.md"].links if link.via == "body")
        == original
    )


@settings(max_examples=80, deadline=None)
@given(stores(), st.sampled_from([Kind.KNOWLEDGE, Kind.DECISION]), NAMES)
def test_a_new_record_heals_what_dangled_and_changes_no_other(texts: dict[str, str], kind: Kind, slug: str) -> None:
    before = snapshot_of(texts)
    ref = RecordRef(kind, slug)
    if place_refusal(before, ref):
        assert record_path(ref) in texts
        return
    plan = new_record(ref, NOW)
    assert isinstance(plan, ChangeSet)
    after = before.with_changes(plan)
    named = sum(link.target == ref for document in before.documents.values() for link in document.links)
    gone = dangling(before) - dangling(after)
    assert not dangling(after) - dangling(before)
    assert sum(gone.values()) >= (named if slug != WEAK else 0)
    assert {path: text for path, text in texts_of(after).items() if path != record_path(ref)} == texts


def test_a_chain_follows_a_rename_of_each_of_its_steps() -> None:
    """Also one that is open at its end: it leads to the same nothing as before."""

    def decision(by: str) -> str:
        return f"---\n{DATES}sources: []\nstatus: replaced\nreplaced_by: {by}\n---\n\nText.\n"

    before = snapshot_of({f"memory/decisions/{slug}.md": decision(by) for slug, by in ("ab", "bc", "cd")})
    assert dangling(before) == {"broken-chain": 2, "unknown-replacement": 1}
    for slug in "abc":
        plan = rename(before, Kind.DECISION, slug, "moved")
        assert isinstance(plan, ChangeSet)
        assert dangling(before.with_changes(plan)) == dangling(before)
