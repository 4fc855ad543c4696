"""`source-changed`: a source does not say what its session's log says: entries, hash or excerpt. Needs facts about
logs."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Severity
from memory_core.lint.facts import AnchorFound, LogFacts
from memory_core.lint.rule import Context, Problem, Rule, place_of
from memory_core.lint.sources import AnchorPlace, SourcePlace, sources_of
from memory_core.text import counted


def check(context: Context) -> Iterator[Problem]:
    logs = context.facts.logs or {}
    for source in sources_of(context) if logs else ():
        log = logs.get(source.session_id)
        if log is not None:
            yield from _source(source, log)


def _source(source: SourcePlace, log: LogFacts) -> Iterator[Problem]:
    if source.span and source.range_entry and source.span[1] >= len(log.hashes):
        message = (
            f"The log of this session has {counted(len(log.hashes), 'entry')}: entry {source.span[1]} is not there."
        )
        yield Problem(message + " Correct the range or the session.", place_of(source.range_entry))
    for anchor in source.anchors:
        yield from _anchor(anchor, log)


def _anchor(anchor: AnchorPlace, log: LogFacts) -> Iterator[Problem]:
    """One problem an anchor: where the hash is wrong, the text is too."""
    if anchor.span is None:
        return
    first, last = anchor.span
    inside = range(max(0, first), min(last + 1, len(log.hashes)))
    found = log.anchors.get(anchor.key)
    moved = found is not None and found.entry is not None and found.entry not in inside
    if anchor.sha256 and anchor.sha256.item.value not in (log.hashes[index] for index in inside):
        yield Problem(_told(anchor, log, found, moved=moved), place_of(anchor.sha256))
        return
    if moved and anchor.excerpt and not anchor.sha256:
        yield Problem(_told(anchor, log, found, moved=moved), place_of(anchor.excerpt))
        return
    if not anchor.excerpt:
        return
    quoted = " ".join(str(anchor.excerpt.item.value).split()).removesuffix("…").rstrip()
    texts = [log.texts[index] for index in inside if index in log.texts]
    # What is a secret was decided when the excerpt was made, perhaps by other rules than today's.
    if texts and quoted and "[redacted" not in quoted and not any(quoted in text for text in texts):
        message = "The excerpt is not what the log says at this entry: quote it as it stands, or remove the excerpt."
        yield Problem(message, place_of(anchor.excerpt))


def _told(anchor: AnchorPlace, log: LogFacts, found: AnchorFound | None, *, moved: bool) -> str:
    """What became of an entry whose hash is not at its place any more, and what to do about it."""
    wanted = anchor.sha256.item.value if anchor.sha256 else None
    if moved and found is not None:
        changed = " and was changed since" if found.changed else ""
        remedy = f"what was quoted is entry {found.entry} now{changed}, so correct `entry_range`"
    elif found is not None and found.entry is not None:
        return "The log's entry was changed since it was quoted: check the record against it."
    elif found is not None:
        return "What was quoted is not in the log any more: the record's own excerpt is all that is left of it."
    elif wanted in log.hashes:
        remedy = f"what was quoted is entry {log.hashes.index(wanted)} now, so correct `entry_range`"
    else:
        remedy = "check the record against it"
    return f"The log holds another entry at this place: {remedy}."


RULE = Rule("source-changed", Severity.WARNING, "A source does not say what its log says.", check)
