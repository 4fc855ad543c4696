"""MemoryWrite, MemoryEdit, MemoryDelete: one change set each, linted before it is written, undone by one command.

The checks are those of the consolidation. An agent makes no provenance: what it writes has no sources, and `origin`
says that a tool wrote it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memory_core.consolidate import writes
from memory_core.consolidate.arguments import clean, target, writable_data
from memory_core.consolidate.draft import Draft, shown
from memory_core.consolidate.schema import MemoryDelete, MemoryEdit
from memory_core.diagnostic import Severity
from memory_core.errors import LockHeld, MemoryCoreError
from memory_core.ids import uuid7
from memory_core.layout import record_path
from memory_core.lint.check import check
from memory_core.records.render import render, replace_body, set_fields
from memory_core.records.schema import Kind, RecordRef, field_of, name_of
from memory_core.refactor.new import new_head
from memory_core.using.fence import as_it_stands
from memory_core.worker import ToolResult
from memory_core.worker import refused as refused_call
from memory_core.workspace import Workspace
from server.mcp.memory import Answer, Memory, refused
from server.mcp.schema import Delete, Edit, Write

MOST_WRITES = 50  # of one process: an agent that wants more is probably in a loop, and a person should look
ORIGIN = "tool"
Step = Callable[[Draft], ToolResult]


def write(memory: Memory, args: Write) -> Answer:
    """A new record, or with `overwrite` another body for one that was read before."""
    ref = target(args.kind, args.slug)
    if isinstance(ref, str):
        return refused(ref)
    return _commit(memory, ref, args.expect_sha256, lambda draft: _written(draft, ref, args), args.reason)


def edit(memory: Memory, args: Edit) -> Answer:
    """One passage, or some fields; everything else keeps its bytes."""
    ref = target(args.kind, args.slug)
    if isinstance(ref, str):
        return refused(ref)
    given = MemoryEdit.model_validate(writable_data(args.model_dump(exclude={"expect_sha256"})))
    return _commit(memory, ref, args.expect_sha256, lambda draft: _edited(draft, ref, given), args.reason)


def delete(memory: Memory, args: Delete) -> Answer:
    """The record goes to the archive; one that is read or referred to needs more than a wish."""
    ref = RecordRef(Kind(args.kind), args.slug)
    given = MemoryDelete.model_validate(writable_data(args.model_dump(exclude={"expect_sha256"})))
    used = memory.open().store.usage_report().uses_of(*ref)
    reason = f"{args.reason}: {args.explanation}"
    return _commit(memory, ref, args.expect_sha256, lambda draft: writes.delete(draft, given, used), reason)


def _edited(draft: Draft, ref: RecordRef, args: MemoryEdit) -> ToolResult:
    """An agent quotes a passage as MemoryRead gave it: with tags escaped that the record has as they are, and that stay
    so in what it puts there."""
    record, old = draft.record(ref), args.old_text
    if record and old is not None and old not in record.body:
        meant = {"old_text": as_it_stands(old, record.body), "new_text": as_it_stands(args.new_text or "", record.body)}
        args = args.model_copy(update=meant)
    return writes.edit(draft, args, ())


def _written(draft: Draft, ref: RecordRef, args: Write) -> ToolResult:
    body = clean(writable_data(args.body))
    fields: dict[str, Any] = {k: clean(writable_data(v)) for k, v in args.fields.model_dump(exclude_none=True).items()}
    unknown = sorted(name for name in fields if field_of(ref.kind, name) is None)
    if unknown:
        return refused_call(f"A {ref.kind} has no field `{unknown[0]}`.")
    if body.lstrip().startswith("---\n"):
        return refused_call("`body` starts with frontmatter: give the Markdown alone, the host writes the head.")
    document = draft.document(ref)
    if document is None:
        text = render(ref.kind, new_head(ref.kind, draft.now, fields, (), ORIGIN), body)
    elif not args.overwrite or args.expect_sha256 is None:
        how = "set `overwrite` and give its `sha256` as `expect_sha256`"
        return refused_call(f"{name_of(ref)} exists: MemoryRead it, then MemoryEdit it, or {how}.")
    else:
        body = as_it_stands(body, document.text)
        try:
            text = set_fields(replace_body(document.text, body), {**fields, "updated_at": draft.now})
        except ValueError as error:
            return refused_call(f"{name_of(ref)} cannot be changed: {error}")
    problem = draft.put(ref, text, (), clean(args.reason))
    done = "created" if document is None else "rewritten"
    return refused_call(problem) if problem else ToolResult(f"{name_of(ref)} {done}.")


def _commit(memory: Memory, ref: RecordRef, expected: str | None, step: Step, reason: str) -> Answer:
    """Take a step on a draft of what is there now, and write it; nothing is written where anything is in the way."""
    with memory.lock:
        if memory.writes >= MOST_WRITES:
            return refused(
                f"This server made {MOST_WRITES} changes already: a person should look before there are more."
            )
        workspace = memory.open()
        try:
            with workspace.store.consolidation_lock(()):
                answer = _committed(memory, workspace, ref, expected, step, reason)
        except LockHeld as error:
            return refused(f"{error} Nothing was changed.")
        except MemoryCoreError as error:
            return refused(str(error))
        memory.writes += not answer.is_error
        return answer


def _committed(
    memory: Memory, workspace: Workspace, ref: RecordRef, expected: str | None, step: Step, reason: str
) -> Answer:
    snapshot = memory.own(workspace)
    document = snapshot.document(ref)
    if document is None and memory.snapshot(workspace).document(ref):
        return refused(f"{name_of(ref)} is another agent's: you may read it, not change it. Nothing was changed.")
    if expected is not None and (document is None or document.digest.hex() != expected):
        return refused(f"{name_of(ref)} is not what you read any more: MemoryRead it again. Nothing was changed.")
    severities = workspace.config.severities()
    draft = Draft(snapshot, workspace.now(), severities)
    result = step(draft)
    if result.is_error:
        return refused(result.text)
    if not draft.changes:
        return Answer(result.text)
    if document is None and (workspace.layout.root / record_path(ref)).exists():
        return refused(f"The slug of {name_of(ref)} is taken: choose another.")  # by one the caller may not see
    run_id = uuid7(workspace.now())
    done = workspace.store.commit(
        draft.changes, run_id=run_id, reason=f"agent: {clean(reason)[:200]}", notes=draft.notes
    )
    if done.conflicts:
        why = "; ".join(f"{path} {done.reasons.get(path, 'changed meanwhile')}" for path in done.conflicts)
        return refused(f"Nothing was changed: {why}.")
    facts = {"run_id": run_id, "changed": list(done.written)}
    workspace.store.append_audit("agent_write", {**facts, "agent": memory.agent, "reason": clean(reason)[:200]})
    problems = check(draft.preview, record_path(ref), severities)
    warnings = [shown(record_path(ref), d) for d in problems if d.severity is Severity.WARNING]
    return Answer("\n".join([f"{result.text} To undo: omoide undo {run_id}", *warnings]), facts=facts)
