"""What is wrong with records as a whole: the linter's findings that concern the store, language, loops, scopes.

Pure: a snapshot and facts go in. Whatever one record's author sees in the editor anyway is counted, not repeated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from memory_core.diagnostic import Diagnostic, Severity
from memory_core.extract.language import detect, is_written_in
from memory_core.health.checks import CHECK_OF
from memory_core.ids import rfc3339
from memory_core.language_names import NAMES, language_name
from memory_core.layout import record_path
from memory_core.legacy.judge import recalled
from memory_core.records.record import Record
from memory_core.records.schema import Kind
from memory_core.scope import hidden_from_all, scope_of, widens
from memory_core.snapshot import Snapshot
from memory_core.staging import StagingFile
from memory_core.store.health import Finding
from memory_core.text import counted
from memory_core.usage.rows import RecordUsage

LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "note"}
UNREAD_DAYS = 30  # a record that is younger had no chance yet
_ECHO = 160  # characters; a shorter record may well be said again by chance
_WIDE = ("ja", "zh", "ko")
_CODE = re.compile(r"(?P<fence>`{3,}|~{3,}).*?(?:(?P=fence)|\Z)|`[^`\n]*`", re.DOTALL)  # shown there, not recalled


def of_linter(checked: Mapping[str, Sequence[Diagnostic]]) -> Iterator[Finding]:
    """The problems that the audit has a check for, one by one; all other errors as one number."""
    errors = 0
    for path, diagnostics in checked.items():
        for d in diagnostics:
            if d.code in CHECK_OF:
                yield Finding(LEVELS[d.severity], d.code, path, d.message, d.range.start.line + 1)
            elif d.severity is Severity.ERROR:
                errors += 1
    if errors:
        yield Finding("error", "lint", "", f"{counted(errors, 'other error')} in records: `omoide lint` lists them.")


def of_language(snapshot: Snapshot, setting: str) -> Iterator[Finding]:
    """Records whose words are not in the language that is set. With `auto` a record is to be in the language of the
    people it comes from, as far as its evidence quotes them."""
    automatic = setting == "auto"
    for path, record in _records(snapshot):
        quotes = list(_quotes(record))
        wanted = detect(quotes) if automatic else _code(setting)
        text = f"{record.description or ''}\n\n{record.body}"
        if wanted in NAMES and (found := _other_language(text, wanted, quotes, automatic=automatic)):
            why = "its people wrote" if automatic else "is what the settings ask for"
            message = f"It is in {language_name(found)}; {language_name(wanted)} {why}: rewrite it, or set `language`."
            yield Finding("warning", "wrong-language", path, message)


def of_loops(snapshot: Snapshot, staged: Iterable[StagingFile]) -> Iterator[Finding]:
    """Text that a memory put into a session, in records and on its way into them."""
    for path, record in _records(snapshot):
        if recalled(_CODE.sub(" ", record.body)):
            text = "It holds recalled text with its marks: take out what was not said by anybody."
            yield Finding("error", "recall-loop", path, text)
        elif any(recalled(quote) for quote in _quotes(record)):
            text = "It rests on evidence that is recalled text: nobody said it; look at its sources."
            yield Finding("warning", "recall-loop", path, text)
    whole = {path: _flat(record.body) for path, record in _records(snapshot)}
    bodies = {path: body for path, body in whole.items() if len(body) >= _ECHO}
    for file in staged:
        said = _flat(file.to_json().replace("\\n", " "))
        name = f"memory/_staging/{file.id}.json"
        if recalled(said):
            yield Finding("error", "recall-loop", name, "A candidate holds recalled text: `omoide staging close` it.")
        elif echo := next((path for path, body in bodies.items() if body in said), None):
            text = f"A candidate repeats {echo} to the letter: it was probably recalled; `omoide staging close` it."
            yield Finding("warning", "recall-loop", name, text)


def of_scopes(snapshot: Snapshot, sessions: Mapping[str, Mapping[str, str]]) -> Iterator[Finding]:
    """Scopes that cannot be understood, that hide what others name, and that are wider than their session's.
    `sessions`: the scope by session id, of those that have one."""
    scopes = {}
    for path, document in sorted(snapshot.documents.items()):
        if hidden_from_all(document):
            text = "Its scope cannot be understood, so that nobody sees it: mend it, or read it with --all-scopes."
            yield Finding("error", "scope-unclear", path, text)
        elif document.record is not None and "scope" in document.text:
            scopes[path] = scope_of(document.record)
    narrow = {path: scope for path, scope in scopes.items() if scope}
    for path, record in _records(snapshot) if narrow or sessions else ():
        own = scopes.get(path, {})
        named = {record_path(link.target) for link in snapshot.documents[path].links} if narrow else set()
        for other in sorted(named & narrow.keys() - {path}):
            if widens(narrow[other], own):
                text = f"It names {other}, which not all its readers may see: for them the name leads nowhere."
                yield Finding("warning", "scope-conflict", path, text)
        for session in sorted({source.session_id for source in record.sources} & sessions.keys()):
            if widens(sessions[session], own):
                who = ", ".join(f"{key} {value}" for key, value in sorted(sessions[session].items()))
                text = f"It comes from a session of {who} and is shown to more: give it that scope, or promote it."
                yield Finding("warning", "scope-wider", path, text)


def of_use(snapshot: Snapshot, rows: Sequence[RecordUsage], now: datetime) -> Iterator[Finding]:
    """Records that nobody reads, and those that cost tokens in every session for nothing (T51). Without any use logged
    nothing is said: then nobody counts."""
    read = {(row.kind, row.slug) for row in rows if row.use_count}
    costly = {(row.kind, row.slug): row for row in rows if row.resident_exposure_count and not row.use_count}
    before = now - timedelta(days=UNREAD_DAYS)
    for path, record in _records(snapshot) if rows else ():
        key = (record.ref.kind.value, record.ref.slug)
        written = record.updated_at or record.created_at
        if row := costly.get(key):
            cost = row.estimated_total_resident_exposure_tokens
            text = f"Resident {counted(row.resident_exposure_count, 'time')}, {cost:,} tokens, never read."
            yield Finding("note", "resident-unread", path, text)
        if record.ref.kind is Kind.SUMMARY or key in read or key in costly or written is None or written > before:
            continue
        text = f"Not read since it was written ({rfc3339(written)[:10]}): is it needed?"
        yield Finding("note", "unread", path, text)


def _records(snapshot: Snapshot) -> Iterator[tuple[str, Record]]:
    for path, document in sorted(snapshot.documents.items()):
        record = document.record
        if record is not None and not document.unreadable:
            yield path, record


def _quotes(record: Record) -> Iterator[str]:
    """What people said, as the anchors of a record have it."""
    for source in record.sources:
        for anchor in source.anchors:
            excerpt = anchor.get("excerpt")
            if anchor.get("speaker") == "human" and isinstance(excerpt, str):
                yield excerpt


def _code(setting: str) -> str:
    """`ja` for `ja`, `ja-JP` and `Japanese`; what is none of the known languages stays as it is."""
    lowered = setting.strip().lower()
    named = {name.lower(): code for code, name in NAMES.items()}
    return named.get(lowered) or re.split(r"[-_ ]", lowered)[0]


def _other_language(text: str, wanted: str, quotes: Sequence[str], *, automatic: bool) -> str | None:
    """The language of a text that is not in the wanted one; None where it may be. Scripts tell for sure; languages of
    one script are told apart by their commonest words, which a few quoted sentences of people are too short for."""
    found = detect([paragraph for paragraph in text.split("\n\n") if paragraph.strip()])
    if found in (None, wanted) or {found, wanted} == {"ja", "zh"}:
        return None
    if not is_written_in(wanted, [text], quotes if automatic else ()):
        return found
    if wanted in _WIDE or found in _WIDE:
        return None  # by script it is what it should be; some words of it are not
    return None if automatic and "ru" not in (found, wanted) else found


def _flat(text: str) -> str:
    return " ".join(text.split()).casefold()
