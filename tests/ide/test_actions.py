"""Code actions: what is offered where, and that what is chosen leaves nothing to complain of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from memory_core.ide.actions import (
    FIX_ALL,
    MOVE,
    QUICK_FIX,
    REWRITE,
    Archive,
    Asked,
    Create,
    FixAll,
    Made,
    Offer,
    Promote,
    Told,
    made,
    offers,
)
from memory_core.ide.repairs import normal_instant, problems_of
from memory_core.ide.view import View, view_of
from memory_core.lint.check import check, check_all
from memory_core.lint.rule import Context
from memory_core.records.schema import Kind, RecordRef
from memory_core.refactor.referrers import Refusal
from memory_core.snapshot import Snapshot, snapshot_of
from memory_core.testing import CURSOR, fixture
from memory_core.text import LineIndex, Position, Range, apply_edits

NOW = "2026-06-15T12:00:00Z"
BODY = "# Title\n\nIt is so.\n"


def knowledge(slug: str = "here", body: str = BODY, **changes: str | None) -> str:
    fields = {
        "created_at": "2026-06-01T00:00:00Z",
        "updated_at": "2026-06-10T00:00:00Z",
        "kind": "policy",
        "description": "What it is and when to read it.",
        "model_invokation": "false",
        "user_invocable": "true",
        "last_sources": "[]",
    }
    return _file(f"knowledge/{slug}.md", {**fields, **changes}, body)


def decision(slug: str = "here", body: str = BODY, **changes: str | None) -> str:
    fields = {
        "created_at": "2026-06-01T00:00:00Z",
        "updated_at": "2026-06-10T00:00:00Z",
        "sources": "[]",
        "status": "open",
    }
    return _file(f"memory/decisions/{slug}.md", {**fields, **changes}, body)


def request(slug: str = "here", body: str = BODY, **changes: str | None) -> str:
    fields = {"created_at": "2026-06-01T00:00:00Z", "updated_at": "2026-06-10T00:00:00Z", "sources": "[]"}
    return _file(f"memory/requests/{slug}.md", {**fields, **changes}, body)


def workflow(slug: str = "here", body: str = BODY, **changes: str | None) -> str:
    return _file(f"workflow/{slug}.md", {"description": "How it is done.", **changes}, body)


def _file(path: str, fields: dict[str, str | None], body: str) -> str:
    head = "".join(f"{key}: {value}\n" for key, value in fields.items() if value is not None)
    return f"//- {path}\n---\n{head}---\n\n{body}"


@dataclass(frozen=True)
class Case:
    """A fixture read: the first file is the one that is edited."""

    snapshot: Snapshot
    view: View
    told: tuple[Told, ...]

    def offers(
        self, *, at: Range | None = None, only: Sequence[str] | None = None, explicit: bool = True
    ) -> list[Offer]:
        """With the problems that an editor shows at a place: by default the first one, and its place."""
        place = at or self.told[0].range
        near = tuple(told for told in self.told if told.range.start <= place.end and place.start <= told.range.end)
        return offers(self.snapshot, self.view, Asked(place, near, only, explicit), NOW)

    def after(self, offer: Offer) -> Snapshot:
        """The workspace after an action; a record that cannot be made is a failure."""
        done = made(self.snapshot, self.view, offer.plan, NOW)
        assert isinstance(done, Made), done
        assert self.view.document
        text = apply_edits(self.view.text, done.edits)
        return self.snapshot.with_changes(done.changes).with_texts({self.view.document.path: text})


def case(source: str) -> Case:
    read = fixture(source)
    snapshot, path = read.snapshot, next(iter(read.texts))
    told = tuple(Told(found.code, found.message, found.range) for found in check(snapshot, path))
    return Case(snapshot, view_of(snapshot.documents[path]), told)


OLD = decision("old", status="replaced", replaced_by="new") + decision("new")
# A fixture that is wrong in one way, and the action that mends it.
MENDED = [
    (knowledge(body="see #api-kyes\n") + knowledge("api-keys"), "Change to `#api-keys`"),
    (knowledge(body="see #api-kyes\n") + knowledge("api-keys"), "Create the knowledge record `#api-kyes`"),
    (knowledge(body="see #gone\n"), "Create the knowledge record `#gone`"),
    (knowledge(description="'as #gone'"), "Create the knowledge record `#gone`"),
    (knowledge(body="👋 日本 #gone\n"), "Create the knowledge record `#gone`"),
    (workflow(body="run /releese\n") + workflow("release"), "Change to `/release`"),
    (workflow(body="run /releese\n") + workflow("release"), "Create the workflow record `/releese`"),
    (workflow(requires="[api-kyes]") + knowledge("api-keys"), "Change to `api-keys`"),
    (workflow(requires="[gone]"), "Create the knowledge record `#gone`"),
    (workflow(requires="\n  - gone"), "Create the knowledge record `#gone`"),
    (decision(status="replaced", replaced_by="first-choise") + decision("first-choice"), "Change to `first-choice`"),
    (decision(status="replaced", replaced_by="late"), "Create `decision/late`"),
    (knowledge(created_at=None), "Add `created_at: '2026-06-10T00:00:00Z'`|Add `created_at: 2026-06-10T00:00:00Z`"),
    (knowledge(updated_at=None), "Add `updated_at: 2026-06-15T12:00:00Z`"),
    (knowledge(kind=None), "Add `kind: fact`"),
    (knowledge(description=None), "Add `description: Say here what here is and when to read it.`"),
    (knowledge(model_invokation=None), "Add `model_invokation: false`"),
    (knowledge(user_invocable=None), "Add `user_invocable: true`"),
    (knowledge(last_sources=None), "Add `last_sources: []`"),
    (decision(status=None), "Add `status: open`"),
    (decision(status=None, replaced_by="new") + decision("new"), "Add `status: replaced`"),
    (decision(sources=None), "Add `sources: []`"),
    (request(created_at=None, updated_at=None, sources=None), "Add all missing fields"),
    (knowledge(kind=None, last_sources=None, created_at=None), "Add all missing fields"),
    (workflow(description=None), "Add `description: Say here what here is and when to read it.`"),
    (knowledge(created_at="2026-06-01"), "Write `2026-06-01T00:00:00Z`"),
    (knowledge(created_at="2026/6/1 9:30"), "Write `2026-06-01T09:30:00Z`"),
    (knowledge(created_at="2026-06-01T09:30:00"), "Write `2026-06-01T09:30:00Z`"),
    (knowledge(created_at="'2026-06-01 09:30 +0200'"), "Write `2026-06-01T09:30:00+02:00`"),
    (knowledge(model_invokation="no"), "Write `false`"),
    (knowledge(model_invokation="'False'"), "Write `false`"),
    (knowledge(user_invocable="Yes"), "Write `true`"),
    (knowledge(model_invokation=None, model_invocation="false"), "Rename to `model_invokation`"),
    (knowledge(description=None, discription="What it is."), "Rename to `description`"),
    (knowledge(description="as #api-keys says") + knowledge("api-keys"), "Put the value in quotes"),
    (knowledge(description="when: to read it"), "Put the value in quotes"),
    (knowledge(description="@here is special"), "Put the value in quotes"),
    (decision(status="Resolved"), "Write `resolved`"),
    (decision(replaced_by="new") + decision("new"), "Write `replaced`"),
    (decision(replaced_by="new") + decision("new"), "Remove `replaced_by`"),
    (decision("retry-once", status="replaced") + decision("retry-one"), "Add `replaced_by: retry-one`"),
    (decision(status="replaced"), "Change `status` to `resolved`"),
    (decision(status="replaced"), "Change `status` to `open`"),
    (decision(status="replaced", replaced_by="here"), "Remove `replaced_by`, change `status` to `resolved`"),
    (decision(status="replaced", replaced_by="'#new'") + decision("new"), "Write `new`"),
    (decision(updated_at="2026-05-01T00:00:00Z"), "Change `updated_at` to `created_at`"),
    (decision(updated_at="2026-05-01T00:00:00Z"), "Change `updated_at` to now"),
    (decision(sources="\n  - session_id: s-1\n    range: [9, 3]\n"), "Swap the two entries"),
    ("//- knowledge/here.md\n# Title\n\nIt is so.\n", "Add the frontmatter"),
    ("//- memory/decisions/here.md\nIt is so.\n", "Add the frontmatter"),
    ("//- memory/requests/here.md\nIt is so.\n", "Add the frontmatter"),
    ("//- workflow/here.md\nIt is so.\n", "Add the frontmatter"),
    ("//- memory/summary.md\nIt is so.\n", "Add the frontmatter"),
]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("source", "title"), MENDED)
def test_a_fix_leaves_nothing_to_complain_of(source: str, title: str, newline: str) -> None:
    read = fixture(source)
    texts = {path: text.replace("\n", newline) for path, text in read.texts.items()}
    snapshot, path = snapshot_of(texts), next(iter(texts))
    told = tuple(Told(d.code, d.message, d.range) for d in check(snapshot, path))
    here = Case(snapshot, view_of(snapshot.documents[path]), told)
    found = [offer for number in told for offer in here.offers(at=number.range)]
    offer = next((offer for offer in found if offer.title in title.split("|")), None)
    assert offer, [offer.title for offer in found]
    assert offer.kind == QUICK_FIX
    assert offer.solves is not None
    after = here.after(offer)
    beside = {"similar-slugs"}  # of the names that these fixtures need
    left = [(p, d.code, d.message) for p, found in check_all(after).items() for d in found if d.code not in beside]
    assert left == []
    text = after.documents[path].text
    assert text.count("\r\n") == (text.count("\n") if newline == "\r\n" else 0)


def test_a_frontmatter_is_put_behind_the_byte_order_mark() -> None:
    """In front of it, the mark came to stand in the middle of the text."""
    snapshot, path = snapshot_of({"knowledge/here.md": "\ufeff# Title\n"}), "knowledge/here.md"
    told = tuple(Told(d.code, d.message, d.range) for d in check(snapshot, path))
    here = Case(snapshot, view_of(snapshot.documents[path]), told)
    found = [offer for number in told for offer in here.offers(at=number.range)]
    after = here.after(next(offer for offer in found if offer.title == "Add the frontmatter"))
    text = after.documents[path].text
    assert text.startswith("\ufeff---\n")
    assert text.count("\ufeff") == 1


def test_nothing_is_repaired_that_the_editor_does_not_show() -> None:
    here = case(knowledge(kind=None))
    assert offers(here.snapshot, here.view, Asked(here.told[0].range), NOW) == [
        Offer("Archive knowledge/here", MOVE, Archive(RecordRef(Kind.KNOWLEDGE, "here")))
    ]


def test_a_problem_that_is_gone_or_worded_differently_is_not_repaired() -> None:
    here = case(knowledge(model_invokation="no"))
    told = here.told[0]
    for stale in (
        Told(told.code, "Something else.", told.range),
        Told("empty-body", told.message, told.range),
        Told("no-such-code", told.message, told.range),
        Told(told.code, told.message, Range(Position(0, 0), Position(0, 1))),
        Told("", "", told.range),
    ):
        assert offers(here.snapshot, here.view, Asked(told.range, [stale], [QUICK_FIX]), NOW) == []


def test_each_missing_field_has_its_own_fix() -> None:
    here = case(request(created_at=None, sources=None))
    assert [(offer.title, offer.solves) for offer in here.offers(only=[QUICK_FIX])] == [
        ("Add `created_at: 2026-06-10T00:00:00Z`", 0),
        ("Add `sources: []`", 1),
        ("Add all missing fields", 0),
    ]


def test_a_fix_that_is_certain_is_preferred() -> None:
    assert [o.preferred for o in case(knowledge(model_invokation="no")).offers(only=[QUICK_FIX])] == [True]
    assert not any(o.preferred for o in case(decision(status="replaced")).offers(only=[QUICK_FIX]))
    near = case(knowledge(body="#api-kyes\n") + knowledge("api-keys"))
    assert [o.preferred for o in near.offers(only=[QUICK_FIX])] == [True, False]


def test_did_you_mean_offers_the_closest_first() -> None:
    store = knowledge("api-keys") + knowledge("api-key") + knowledge("apt-keys") + knowledge("api-limits")
    here = case(knowledge(body="see #api-keyz.\n") + store)
    assert [offer.title for offer in here.offers(only=[QUICK_FIX])] == [
        "Change to `#api-key`", "Change to `#api-keys`", "Change to `#apt-keys`",
        "Create the knowledge record `#api-keyz`",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("encoding_line", "column"), [("👋👋 #api-kyes", 4), ("日本 #api-kyes x", 6), ("é#b #api-kyes", 7)]
)
def test_row_35_a_fix_behind_an_emoji_replaces_the_right_text(encoding_line: str, column: int) -> None:
    """Automattic/harper#609."""
    here = case(knowledge(body=f"{encoding_line}\n") + knowledge("api-keys"))
    offer = next(offer for offer in here.offers() if offer.title == "Change to `#api-keys`")
    text = here.after(offer).documents["knowledge/here.md"].text
    assert text.endswith(encoding_line.replace("#api-kyes", "#api-keys") + "\n")
    assert column


def outside(
    text: str, records: str = "", *, only: Sequence[str] | None = None, explicit: bool = True, **view: bool
) -> list[Offer]:
    """Actions at `$0`, or between two of them, of a text outside the root."""
    pieces = text.split(CURSOR)
    plain = "".join(pieces)
    lines = LineIndex(plain)
    end = len(pieces[0]) + (len(pieces[1]) if len(pieces) > 2 else 0)
    selection = Range(lines.position(len(pieces[0])), lines.position(end))
    return offers(fixture(records).snapshot, View(plain, **view), Asked(selection, (), only, explicit), NOW)


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("see #go$0ne", ["Create the knowledge record `#gone`"]),
        ("see #api-kyes$0", ["Change to `#api-keys`", "Create the knowledge record `#api-kyes`"]),
        ("see #api-k$0eys", []),
        ("`#go$0ne`", []),
        ("```\n#go$0ne\n```", []),
        ("https://x.org/#go$0ne", []),
        ("fixes #1$02", []),
        ("color #ff$0f", []),
        ("run /rel$0ease", ["Create the workflow record `/release`"]),
        ("plain wo$0rds", []),
        ("$0", []),
    ],
)
def test_a_name_in_any_text_can_be_mended(text: str, titles: list[str]) -> None:
    assert [offer.title for offer in outside(text, knowledge("api-keys"))] == titles


def test_an_editor_that_only_wonders_is_not_told_of_paths_and_code() -> None:
    assert outside("cd /tm$0p", explicit=False) == []
    assert outside("#inc$0lude", explicit=False, markdown=False, prose=False) == []
    assert len(outside("#inc$0lude", explicit=True, markdown=False, prose=False)) == 1
    assert len(outside("see #go$0ne", explicit=False)) == 1
    assert len(outside("/releas$0", workflow("release"), explicit=False)) == 2


CREATED = [
    (knowledge(body="#x-1\n"), RecordRef(Kind.KNOWLEDGE, "x-1")),
    (workflow(requires="[x-1]"), RecordRef(Kind.KNOWLEDGE, "x-1")),
    (decision(status="replaced", replaced_by="x-1"), RecordRef(Kind.DECISION, "x-1")),
]


@pytest.mark.parametrize(("source", "ref"), CREATED)
def test_a_missing_record_is_made_under_its_kind(source: str, ref: RecordRef) -> None:
    here = case(source)
    offer = next(offer for offer in here.offers() if isinstance(offer.plan, Create))
    document = here.after(offer).document(ref)
    assert document
    assert document.record
    assert document.record.value("created_at" if ref.kind is not Kind.WORKFLOW else "description")
    assert "# X 1" in document.text


def test_a_record_that_was_made_meanwhile_is_left_alone() -> None:
    snapshot = fixture(knowledge("here") + knowledge("gone")).snapshot
    refused = made(snapshot, View("#gone"), Create(RecordRef(Kind.KNOWLEDGE, "gone")), NOW)
    assert isinstance(refused, Refusal)
    assert "exists already" in refused.reason
    twin = snapshot_of({"knowledge/Gone.md": "x"})
    assert isinstance(made(twin, View("#gone"), Create(RecordRef(Kind.KNOWLEDGE, "gone")), NOW), Refusal)


TOP = Range(Position(1, 0), Position(1, 0))
FAR = Range(Position(40, 0), Position(40, 0))
LONG = "# Title\n" + "\nline\n" * 30


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        (decision(body=LONG), [REWRITE, MOVE]),
        (request(body=LONG), [REWRITE, MOVE]),
        (knowledge(body=LONG), [MOVE]),
        (workflow(body=LONG), [MOVE]),
        (decision(body=LONG, status="replaced", replaced_by="new") + decision("new"), [MOVE]),
        ("//- memory/summary.md\n---\nupdated_at: 2026-06-01T00:00:00Z\n---\n" + LONG, []),
        ("//- knowledge/No_Slug.md\n---\n---\n" + LONG, []),
        ("//- knowledge/notes.txt\n---\n---\n" + LONG, []),
    ],
)
def test_a_record_as_a_whole_is_changed_from_its_top(source: str, kinds: list[str]) -> None:
    here = case(source)
    asked = Asked(TOP)
    assert [offer.kind for offer in offers(here.snapshot, here.view, asked, NOW)] == kinds
    assert offers(here.snapshot, here.view, Asked(FAR), NOW) == []
    named = offers(here.snapshot, here.view, Asked(FAR, only=["refactor"]), NOW)
    assert [offer.kind for offer in named] == kinds


def test_a_promoted_decision_becomes_knowledge() -> None:
    here = case(decision("retry-twice", body="# Retry twice\n\nNever more.\n"))
    (offer,) = offers(here.snapshot, here.view, Asked(TOP, only=[REWRITE]), NOW)
    assert isinstance(offer.plan, Promote)
    after = here.after(offer)
    assert set(after.documents) == {"memory/decisions/retry-twice.md", "knowledge/retry-twice.md"}
    assert check(after, "knowledge/retry-twice.md") == []
    assert isinstance(made(after, here.view, offer.plan, NOW), Refusal)


@pytest.mark.parametrize(
    ("only", "kinds"),
    [
        (None, [QUICK_FIX, FIX_ALL]),
        ([], []),
        (["quickfix"], [QUICK_FIX]),
        (["source"], [FIX_ALL]),
        (["source.fixAll"], [FIX_ALL]),
        (["source.fixAll.omoide"], [FIX_ALL]),
        (["source.fixAll.other"], []),
        (["source.organizeImports"], []),
        (["quick"], []),
        (["refactor.inline"], []),
        (["refactor.rewrite", "quickfix"], [QUICK_FIX]),
    ],
)
def test_only_the_kinds_that_were_asked_for(only: list[str] | None, kinds: list[str]) -> None:
    here = case(knowledge(body=LONG, user_invocable="yes"))
    found = [offer.kind for offer in here.offers(only=only) if offer.kind != MOVE]
    assert found == kinds


def test_fix_all_is_not_offered_where_nothing_is_wrong_unless_asked_for() -> None:
    here = case(knowledge(body=LONG))
    assert offers(here.snapshot, here.view, Asked(FAR), NOW) == []
    (offer,) = offers(here.snapshot, here.view, Asked(FAR, only=["source.fixAll"]), NOW)
    assert made(here.snapshot, here.view, offer.plan, NOW) == Made()


def test_fix_all_applies_what_is_certain_and_no_guess() -> None:
    source = knowledge(
        body="see #api-kyes\n", model_invokation="no", user_invocable="YES", description="a #api-keys b", kind=None
    )
    after = case(source + knowledge("api-keys")).after(Offer("", FIX_ALL, FixAll()))
    assert [d.code for d in check(after, "knowledge/here.md")] == ["missing-field", "unknown-reference"]
    assert "description: 'a #api-keys b'\nmodel_invokation: false\nuser_invocable: true\n" in (
        after.documents["knowledge/here.md"].text
    )


def test_fix_all_minds_what_the_workspace_has_turned_off() -> None:
    here = case(knowledge(user_invocable="yes"))
    assert made(here.snapshot, here.view, FixAll(), NOW, {"invalid-field": None}) == Made()


def test_a_head_that_cannot_be_read_is_never_rewritten() -> None:
    broken = "//- knowledge/here.md\n---\ndescription: 'never closed\nuser_invocable: yes\n---\nx\n"
    here = case(broken)
    assert made(here.snapshot, here.view, FixAll(), NOW) == Made()
    assert [offer.kind for offer in here.offers(only=[QUICK_FIX])] == []


def test_row_36_a_huge_record_is_not_linted_for_its_actions() -> None:
    """Automattic/harper#1142, #1331: saving waited for seconds until a long text was checked."""
    here = case(knowledge(body="# Title\n" + "word " * 110_000))
    assert offers(here.snapshot, here.view, Asked(FAR, only=["source.fixAll"]), NOW) == []
    assert made(here.snapshot, here.view, FixAll(), NOW) == Made()


def test_row_36_only_the_rules_of_what_was_told_run() -> None:
    """What the editor does not show is not looked for, neither by all rules nor by one."""
    here = case(decision(status="replaced", body="#gone\n", kind="x", created_at="2026-06-01"))
    document, record = here.view.document, here.view.record
    assert document
    assert record
    assert sorted({told.code for told in here.told}) == [
        "invalid-field", "status-mismatch", "unknown-key", "unknown-reference"
    ]  # fmt: skip
    context = Context(here.snapshot, document, record)
    assert problems_of(context, ()) == []
    assert [found.code for found in problems_of(context, ["status-mismatch"])] == ["status-mismatch"]
    assert problems_of(context, ["no-such-code", "empty-body"]) == []
    assert offers(here.snapshot, here.view, Asked(TOP, only=[QUICK_FIX]), NOW) == []


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2026-01-31", "2026-01-31T00:00:00Z"),
        ("2026-1-3", "2026-01-03T00:00:00Z"),
        ("2026/01/31", "2026-01-31T00:00:00Z"),
        ("2026.01.31", "2026-01-31T00:00:00Z"),
        ("2026-01-31 9:05", "2026-01-31T09:05:00Z"),
        ("2026-01-31T09:05:07", "2026-01-31T09:05:07Z"),
        ("2026-01-31t09:05:07.123z", "2026-01-31T09:05:07Z"),
        ("2026-01-31 09:05 UTC", "2026-01-31T09:05:00Z"),
        ("2026-01-31 09:05 +0900", "2026-01-31T09:05:00+09:00"),
        ("2026-01-31T09:05+09:00", "2026-01-31T09:05:00+09:00"),
        (" 2026-01-31 ", "2026-01-31T00:00:00Z"),
        ("31/01/2026", None),
        ("3/4/2026", None),
        ("2026-13-01", None),
        ("2026-02-30", None),
        ("2026-01-31 25:00", None),
        ("20260131", None),
        ("yesterday", None),
        ("2026-01", None),
        ("", None),
        ("2026-01-31 09:05 CEST", None),
    ],
)
def test_instants_as_people_write_them(written: str, meant: str | None) -> None:
    assert normal_instant(written) == meant
