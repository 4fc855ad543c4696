"""Every code of the linter in one table: a text that it finds, the same text put right, and every way to turn it off.

What a rule finds in detail is tested beside it; this table is what makes a new rule without such tests fail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

from memory_core.diagnostic import Diagnostic, Severity
from memory_core.document import Document
from memory_core.lint.check import check
from memory_core.lint.duplicates import find_duplicates
from memory_core.lint.facts import NO_FACTS, LintFacts, LogFacts
from memory_core.lint.registry import CODES, EXPLAINED
from memory_core.lint.resident import resident_plan
from memory_core.snapshot import Snapshot, snapshot_of
from tests.lint.lint_fixture import DATES, SOURCE, decision, knowledge, request, summary, workflow

D = "memory/decisions/here.md"
K = "knowledge/here.md"
W = "workflow/here.md"
Facts = Callable[[Snapshot], LintFacts]


@dataclass(frozen=True)
class Case:
    """`texts` in which the record at `path` has the problem; with `healed` over them it has not."""

    path: str
    texts: Mapping[str, str]
    healed: Mapping[str, str | None]
    facts_of: Facts = lambda _: NO_FACTS
    unreadable: str | None = None

    @property
    def snapshot(self) -> Snapshot:
        made = snapshot_of(self.texts)
        if self.unreadable:
            made = made.with_documents({self.path: Document(self.path, self.texts[self.path], self.unreadable)})
        return made

    @property
    def mended(self) -> Snapshot:
        kept = {path: text for path, text in self.texts.items() if path not in self.healed}
        return snapshot_of(kept | {path: text for path, text in self.healed.items() if text is not None})

    @property
    def facts(self) -> LintFacts:
        return self.facts_of(self.snapshot)


def one(bad: str, good: str, path: str = D, **others: str) -> Case:
    """A problem of one text among other records, whose paths are written with `__` for `/`."""
    around = {f"{name.replace('__', '/').replace('_', '-')}.md": text for name, text in others.items()}
    return Case(path, {path: bad, **around}, {path: good})


def _duplicates(snapshot: Snapshot) -> LintFacts:
    return LintFacts(duplicates=find_duplicates(snapshot))


def _budget(snapshot: Snapshot) -> LintFacts:
    return LintFacts(resident=resident_plan(snapshot, 60))


def _logs(snapshot: Snapshot) -> LintFacts:
    return LintFacts(logs={"s-1": LogFacts(tuple(f"{n:064x}" for n in range(6))), "s-9": None})


def _sources(session: str = "s-1", span: str = "[3, 4]", times: int = 1) -> str:
    return "sources:\n" + f"  - session_id: {session}\n    range: {span}\n" * times


REPLACED = "status: replaced\nreplaced_by: {}\n"
KEY = "AKIA" + "QYLPMN5HHHFPZAM2"

FIRES: dict[str, Case] = {
    "invalid-path": Case("memory/attempts/a.md", {"memory/attempts/a.md": "x"}, {"memory/attempts/a.md": None}),
    "invalid-slug": Case("knowledge/Not_So.md", {"knowledge/Not_So.md": knowledge()}, {"knowledge/Not_So.md": None}),
    "unreadable-file": Case(D, {D: decision()}, {}, unreadable="`here.md` is not UTF-8."),
    "missing-frontmatter": one("Only text.\n", decision()),
    "malformed-frontmatter": one("---\na: [\n---\nText.\n", decision()),
    "duplicate-key": one(decision("status: open\nstatus: open\n"), decision()),
    "unknown-disable": one(decision(body="x <!-- omoide-disable no-such -->\n"), decision(body="x\n")),
    "merge-conflict": one(decision(body="<<<<<<< HEAD\nOne.\n=======\nTwo.\n>>>>>>> b\n"), decision(body="One.\n")),
    "missing-field": one(decision(""), decision()),
    "invalid-field": one(decision().replace("2026-01-02T00:00:00Z", "yesterday"), decision()),
    "cut-by-comment": one(
        knowledge(description="description: See #here and more\n"),
        knowledge(description="description: 'See #here and more'\n"),
        K,
    ),
    "unknown-key": one(decision("status: open\nmood: 1\n"), decision()),
    "misspelled-key": one(workflow("model_invocation: true\n"), workflow("model_invokation: true\n"), W),
    "invalid-status": one(decision("status: done\n"), decision()),
    "status-mismatch": one(decision("status: replaced\n"), decision()),
    "unknown-replacement": one(
        decision(REPLACED.format("gone")), decision(REPLACED.format("other")), memory__decisions__other=decision()
    ),
    "self-replacement": one(decision(REPLACED.format("here")), decision()),
    "replacement-cycle": Case(
        D,
        {D: decision(REPLACED.format("other")), "memory/decisions/other.md": decision(REPLACED.format("here"))},
        {"memory/decisions/other.md": decision()},
    ),
    "broken-chain": Case(
        D,
        {D: decision(REPLACED.format("other")), "memory/decisions/other.md": decision(REPLACED.format("gone"))},
        {"memory/decisions/other.md": decision()},
    ),
    "reversed-range": one(decision(sources=_sources(span="[9, 1]")), decision(sources=_sources(span="[1, 9]"))),
    "dates-order": one(decision().replace("2026-01-02", "2025-01-02"), decision()),
    "empty-description": one(knowledge(description="description: ''\n"), knowledge(), K),
    "empty-body": one(decision(body="\n"), decision()),
    "description-too-long": one(
        knowledge(description=f"description: {'x' * 1_025}\n").replace("vokation: false", "vokation: true"),
        knowledge(description=f"description: {'x' * 1_024}\n").replace("vokation: false", "vokation: true"),
        K,
    ),
    "body-too-long": one(
        decision(body="x" * 8_001, sources="sources:\n" + SOURCE * 2),
        decision(body="x" * 8_000, sources="sources:\n" + SOURCE * 2),
    ),
    "too-many-sources": one(decision(sources=_sources(times=11)), decision(sources=_sources(times=10))),
    "thin-evidence": one(
        decision(body="x" * 1_500, sources=_sources()), decision(body="x" * 1_500, sources=_sources(times=2))
    ),
    "similar-slugs": Case(
        "memory/decisions/db-pool.md",
        {f"memory/decisions/{slug}.md": decision() for slug in ("db-pool", "db-pol", "db-pools")},
        {"memory/decisions/db-pols.md": None, "memory/decisions/db-pol.md": None},
    ),
    "near-duplicate": Case(
        D,
        {D: decision(body="The build takes 3 minutes on old machines.\n"),
         "memory/requests/other.md": request("The build takes 5 minutes on old machines.\n")},
        {"memory/requests/other.md": request("Nobody works on Fridays in the second half of May.\n")},
        _duplicates,
    ),
    "over-resident-budget": Case(
        K,
        {K: knowledge(description=f"description: {'word ' * 60}\n").replace("vokation: false", "vokation: true")},
        {K: knowledge()},
        _budget,
    ),
    "secret-in-record": one(decision(body=f"The key is `{KEY}`.\n"), decision(body="The key is in the vault.\n")),
    "hidden-text": one(decision(body="Never delete.\U000e0052\U000e0075\n"), decision(body="Never delete.\n")),
    "source-gone": Case(
        D, {D: decision(sources=_sources("s-9"))}, {D: decision(sources=_sources("s-1"))}, _logs
    ),
    "source-changed": Case(
        D, {D: decision(sources=_sources(span="[3, 9]"))}, {D: decision(sources=_sources(span="[3, 4]"))}, _logs
    ),
    "unknown-reference": one(knowledge("See #gone.\n"), knowledge("See #here.\n"), K),
    "unknown-place": one(knowledge("See [it](gone.md).\n"), knowledge("See [it](here.md).\n"), K),
    "unknown-workflow": one(
        knowledge("Run /delpoy.\n"), knowledge("Run /deploy or /tmp.\n"), K, workflow__deploy=workflow()
    ),
    "unknown-requires": one(
        workflow("requires: [gone]\n"), workflow("requires: [other]\n"), W, knowledge__other=knowledge()
    ),
}  # fmt: skip


def problems(case: Case, snapshot: Snapshot | None = None, severity: Severity | str | None = "own") -> list[Diagnostic]:
    code = next(code for code, known in FIRES.items() if known is case)
    levels = {} if severity == "own" else {code: severity}
    given = snapshot or case.snapshot
    found = check(given, case.path, levels, case.facts_of(given))  # type: ignore[arg-type]
    return [d for d in found if d.code == code]


def test_every_code_is_in_the_table() -> None:
    assert set(FIRES) == CODES
    assert set(EXPLAINED) - CODES == {"invalid-config", "untrusted"}  # of the settings, which have tests of their own


@pytest.mark.parametrize("code", sorted(FIRES))
def test_it_fires_with_its_severity_and_says_what_to_do_inside_the_text(code: str) -> None:
    case = FIRES[code]
    found = problems(case)
    assert found
    lines = case.snapshot.documents[case.path].lines
    for d in found:
        assert d.severity is EXPLAINED[code].severity
        assert d.message[:1].isupper() or d.message[:1] in "`0123456789#/"
        assert d.message.rstrip()[-1] in ".?"
        assert d.range.start <= d.range.end
        for place in (d.range.start, d.range.end):
            assert lines.position(lines.offset(place)) == place


@pytest.mark.parametrize("code", sorted(FIRES))
def test_it_is_silent_about_the_same_text_put_right(code: str) -> None:
    case = FIRES[code]
    assert problems(case, case.mended) == []


@pytest.mark.parametrize("code", sorted(FIRES))
def test_the_workspace_turns_it_off_or_gives_it_another_severity(code: str) -> None:
    case = FIRES[code]
    assert problems(case, severity=None) == []
    for severity in Severity:
        assert {d.severity for d in problems(case, severity=severity)} == {severity}


@pytest.mark.parametrize("code", sorted(FIRES))
def test_a_comment_turns_it_off_in_its_file(code: str) -> None:
    """As the rule's page says."""
    case = FIRES[code]
    text = case.texts[case.path]
    document = Document(case.path, f"{text}\n<!-- omoide-disable {code} -->\n", case.unreadable)
    silenced = case.snapshot.with_documents({case.path: document})
    assert problems(case, silenced) == []
    other = Document(case.path, f"{text}\n<!-- omoide-disable broken-chain, empty-body -->\n", case.unreadable)
    if code not in ("broken-chain", "empty-body"):
        assert problems(case, case.snapshot.with_documents({case.path: other}))


def test_a_complete_record_of_each_kind_has_none_of_the_problems() -> None:
    texts = {
        D: decision(),
        K: knowledge(),
        W: workflow(),
        "memory/summary.md": summary(),
        "memory/requests/here.md": request(),
    }
    made = snapshot_of(texts)
    facts = LintFacts(duplicates=find_duplicates(made), resident=resident_plan(made, 5_000), logs={})
    assert {path: check(made, path, {}, facts) for path in texts} == {path: [] for path in texts}
    assert DATES in texts[D]
