"""Install and uninstall: which files would change and how, and the writing of it, so that it can be taken back.

What a file was before is kept in `cache/`, and a file that nobody changed since gets exactly that back; from any other
file only what is ours is taken out.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory_core.agents.text_edit import with_setting, without_setting
from memory_core.agents.wiring import AGENTS, FilePlan, is_resident, plans
from memory_core.errors import Refused
from memory_core.layout import Layout
from memory_core.store.files import read_or_none, remove, require_inside, write_whole
from memory_core.store.git import tracked
from memory_core.store.ordinary import read_bytes
from memory_core.store.programs import program_named

_FOLDERS = frozenset({"hooks", "plugins", ".codex", ".gemini", ".claude", ".opencode", ".vscode", ".github"})
_SETTING = ("memory", "resident_for_code_sessions")


@dataclass(frozen=True, slots=True)
class Change:
    """One file: its text before and after, None where there is or will be none."""

    path: Path
    before: str | None
    after: str | None

    def diff(self, base: Path) -> str:
        name = self.path.relative_to(base).as_posix()
        old, new = (
            ("/dev/null" if self.before is None else f"a/{name}"),
            ("/dev/null" if self.after is None else f"b/{name}"),
        )
        lines = difflib.unified_diff(
            (self.before or "").splitlines(keepends=True), (self.after or "").splitlines(keepends=True), old, new
        )
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def program() -> list[str]:
    """The words that start Omoide from anywhere: the command where it is on PATH, else this interpreter."""
    return ["omoide"] if program_named("omoide") else [sys.executable, "-I", "-m", "memory_core"]


def install(layout: Layout, agent: str, words: Sequence[str], *, resident: bool) -> list[Change]:
    """The changes that wire an agent, none where it is wired so already. StoreError for a file that cannot be changed
    without touching what is not ours."""
    found = [_changed(layout, plan, plan.put) for plan in plans(agent, words, resident=resident)]
    if resident and agent != "agents-md":
        consent = FilePlan("", lambda text: with_setting(text, *_SETTING, "true"), lambda text: text)
        found.append(_changed(layout, consent, consent.put, layout.config))
    return [change for change in found if change.before != change.after]


def uninstall(layout: Layout, agent: str) -> list[Change]:
    """The changes that take it back. The consent to resident context goes with the last agent that has it."""
    kept, _ = _receipts(layout, agent)
    found = []
    for plan in plans(agent, ["omoide"], resident=False):
        path = layout.workspace / plan.path
        _require_in_workspace(layout, path, whole=plan.whole)
        text = _text(path)
        receipt = kept.get(plan.path)
        if receipt and text is not None and receipt["after"] == _hash(text) and _differs_by_ours(plan, text, receipt):
            found.append(Change(path, text, receipt["before"]))
        else:
            found.append(_changed(layout, plan, plan.take))
    others = (name for name in AGENTS if name not in (agent, "agents-md"))
    if not any(is_resident(_texts(layout, name)) for name in others):
        own = FilePlan("", lambda text: text, lambda text: without_setting(text, *_SETTING))
        config = _changed(layout, own, own.take, layout.config)
        found.append(Change(config.path, config.before, config.after or "") if config.before is not None else config)
    return [change for change in found if change.before != change.after]


def _differs_by_ours(plan: FilePlan, text: str, receipt: Mapping[str, Any]) -> bool:
    """Whether a file and what it is said to have been are the same without what is ours, which was not in it then: a
    receipt may come with a repository, and bring a hook of its own, also one that looks like ours."""
    before = receipt["before"] or ""
    try:
        return plan.take(before) == before and plan.take(plan.put(text)) == plan.take(plan.put(before))
    except ValueError:
        return False


def receipt_problem(layout: Layout, agent: str) -> str:
    """Why what files were before is not known, as a sentence; empty where it is, or where nothing was kept."""
    return _receipts(layout, agent)[1]


def write(layout: Layout, agent: str, changes: Sequence[Change], *, removing: bool) -> None:
    """Write the changes and remember what was there. StoreError when a file changed since it was looked at."""
    receipts, _ = _receipts(layout, agent)
    for change in changes:
        if _text(change.path) != change.before:
            raise Refused(f"{change.path} changed meanwhile: nothing was written to it; run the command again.")
        target = Path(os.path.realpath(change.path))
        if change.after is None:
            remove(target)
            _remove_empty(target.parent, layout.workspace)
        else:
            write_whole(target, change.after.encode("utf-8"))
        name = change.path.relative_to(layout.workspace).as_posix()
        earlier = receipts.pop(name, None)
        if change.after is not None and not removing:
            first = earlier["before"] if earlier and earlier["after"] == _hash(change.before or "") else change.before
            receipts[name] = {"before": first, "after": _hash(change.after)}
    _keep_receipts(layout, agent, {} if removing else receipts)


def _changed(layout: Layout, plan: FilePlan, edit: Any, path: Path | None = None) -> Change:
    path = path or layout.workspace / plan.path
    _require_in_workspace(layout, path, whole=plan.whole)
    text = _text(path)
    if text is None and edit is plan.take:
        return Change(path, None, None)
    try:
        after = edit(text or "")
    except ValueError as error:
        raise Refused(f"{path}: {error}: nothing was written; mend the file, or add the entry by hand.") from error
    return Change(path, text, after if after.strip() or (text is not None and not text.strip()) else None)


def _require_in_workspace(layout: Layout, path: Path, *, whole: bool = False) -> None:
    """A link may lead to what comes with it alone. `whole`: a file of ours, which is never written through one."""
    target, workspace = Path(os.path.realpath(path)), Path(os.path.realpath(layout.workspace))
    if not target.is_relative_to(workspace) or _is_gits(target, workspace):
        raise Refused(f"{path} is a symbolic link that leaves the workspace's own files: nothing was written.")
    if (whole and path.is_symlink()) or _leads_to_a_persons_own(layout.workspace, path, target.relative_to(workspace)):
        raise Refused(
            f"{path} is a symbolic link to {target}, which is not the repository's to change: nothing was written; "
            "replace the link by a file."
        )


def _is_gits(target: Path, workspace: Path) -> bool:
    """Whether a path is a `.git` or lies in one, or in another folder that git takes for a repository. Of files, not of
    names: `.GIT` and `GIT~1` are the same folder on some systems."""
    for part in (target, *target.parents)[: len(target.relative_to(workspace).parts)]:
        with suppress(OSError):
            if part.name == ".git" or part.samefile(part.parent / ".git"):
                return True
        if (part / "HEAD").exists() and ((part / "objects").exists() or (part / "commondir").exists()):
            return True
    return False


def _leads_to_a_persons_own(workspace: Path, path: Path, target: Path) -> bool:
    """Whether git tracks a link and not what it leads to, `target` in the workspace: a clone brings the link, the file
    is one that only its person has. A link that git does not track is the person's too."""
    parts = path.relative_to(workspace).parts
    link = next((part for n in range(len(parts)) if (workspace / (part := Path(*parts[: n + 1]))).is_symlink()), None)
    if link is None:
        return False
    known = tracked(workspace, [f":(literal){link.as_posix()}"])
    return bool(known) and not tracked(workspace, [f":(literal){target.as_posix()}"])


def _text(path: Path) -> str | None:
    data = read_or_none(path)
    try:
        return None if data is None else data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(f"{path} is not UTF-8 (byte {error.start}): nothing was written.") from error


def _texts(layout: Layout, agent: str) -> Mapping[str, str]:
    found = ((plan.path, _text(layout.workspace / plan.path)) for plan in plans(agent, ["omoide"], resident=False))
    return {path: text for path, text in found if text is not None}


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _receipt_path(layout: Layout, agent: str) -> Path:
    return layout.cache / f"installed-{agent}.json"


def _receipts(layout: Layout, agent: str) -> tuple[dict[str, dict[str, Any]], str]:
    """What files were before, by path, and a sentence where some of it cannot be used: then only what is ours is taken
    out of those files."""
    path = _receipt_path(layout, agent)
    require_inside(layout.root, path)
    kept: dict[str, dict[str, Any]] = {}
    try:
        value = json.loads(read_bytes(path))
        rows = value.items()
    except FileNotFoundError:
        return {}, ""
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no JSON object"
        return {}, f"{path} cannot be used ({why}): files are not given back as they were, only what is ours goes."
    for name, row in rows:
        if isinstance(row, dict) and isinstance(row.get("before", 0), str | None) and isinstance(row.get("after"), str):
            kept[name] = {"before": row["before"], "after": row["after"]}
    bad = sorted(set(value) - set(kept))
    return kept, f"{path} is damaged: only what is ours goes from {', '.join(bad)}." if bad else ""


def _keep_receipts(layout: Layout, agent: str, receipts: Mapping[str, Any]) -> None:
    path = _receipt_path(layout, agent)
    if not receipts:
        remove(path)
        return
    with suppress(OSError):  # without it, uninstall takes out what is ours and leaves the rest
        write_whole(path, json.dumps(receipts, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def _remove_empty(folder: Path, workspace: Path) -> None:
    """Remove folders that were made for a file of ours, as long as nothing else is in them."""
    while folder != workspace and folder.name in _FOLDERS:
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent
