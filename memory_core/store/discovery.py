"""Find a memory root, or make one when asked to. A root never appears as a side effect."""

from __future__ import annotations

import os
import stat
from functools import lru_cache
from pathlib import Path

from memory_core.errors import StoreError, WorkspaceError
from memory_core.layout import GITIGNORE, MARKER, RECORD_FOLDERS, ROOT_NAMES, Layout
from memory_core.store.ordinary import on_another_machine, read_text

DEPENDENCIES = frozenset({"node_modules", "bower_components", "site-packages", "dist-packages"})


def find_root(start: Path) -> Layout | None:
    """The root of the nearest folder, from `start` (a folder or a file, existing or not) upwards, that holds
    `.omoide/memory` or `.yoi/memory`; for a linked git worktree without one, the main worktree's."""
    start = start.absolute()
    for folder in (start, *start.parents):
        if not DEPENDENCIES.isdisjoint(folder.parts):  # a package that a project depends on brings no memory into it
            continue
        if (layout := root_in(folder)) is not None:
            return layout
        main = main_worktree(folder)
        if main and (layout := root_in(main)) is not None:
            return layout
    return None


def root_in(folder: Path) -> Layout | None:
    """The root that lies directly in a folder. `.omoide` alone is not one: the marker is its `memory`."""
    for name in ROOT_NAMES:
        try:
            if (folder / name / MARKER).is_dir() and not _of_others(folder / name) and not _led_out(folder / name):
                return Layout(folder / name)
        except OSError:  # a folder that may not be looked into holds no root for us
            continue
    return None


def unused_beside(layout: Layout) -> dict[Path, int]:
    """The folders beside a root that would be roots of the same project and are not used since it is, as where a team
    moves `.yoi` to `.omoide` and somebody's own files stay; the number of files of a memory in each."""
    found: dict[Path, int] = {}
    for name in ROOT_NAMES:
        other = layout.root.parent / name
        try:
            if name == layout.root.name or led_to(other) or not other.is_dir() or other.samefile(layout.root):
                continue
            # Sessions of an agent of that name are read anyway.
            tops = {place.split("/")[0] for place in RECORD_FOLDERS}
            files = sum(p.is_file() and p.name != ".gitkeep" for top in tops for p in (other / top).rglob("*"))
        except OSError:  # what may not be looked into is no loss of ours to tell
            continue
        if files:
            found[other] = files
    return found


def said_of_unused(layout: Layout) -> list[str]:
    """What `unused_beside` found, each in one sentence with the way to bring it in."""
    used = layout.root.name
    return [
        f"{other} holds {files} {'file' if files == 1 else 'files'} of a memory and is not used, as {used} is: move "
        f"what is missing to the same places there (`cp -Rn {other.name}/. {used}/` replaces nothing), and remove it"
        for other, files in unused_beside(layout).items()
    ]


def _of_others(root: Path) -> bool:
    """Whether another user made a root where everybody may, as in `/tmp`: it would count for all who work below."""
    if os.name != "posix":  # everybody may make a folder at the top of the drive of Windows, nowhere else
        return str(root.parent).rstrip("\\/").casefold() == os.environ.get("SYSTEMDRIVE", "C:").casefold()
    above = root.parent.stat()
    if not above.st_mode & stat.S_IWOTH:
        return False
    # Drives of Windows in a Linux beside it, and what a container is given, are one user's and open to everybody.
    trusted = {os.geteuid()} if above.st_mode & stat.S_ISVTX else {os.geteuid(), above.st_uid}
    return root.stat().st_uid not in trusted


def _led_out(root: Path) -> bool:
    """Whether a root is a link out of its folder that came with the repository, to the memory of another project. One
    that git does not know, in a project that it knows, is a person's own doing."""
    folder = root.parent
    if Path(os.path.realpath(root)).is_relative_to(os.path.realpath(folder)):  # also for what Windows calls a junction
        return False
    try:
        link, index = root.lstat(), _index_of(folder)
        return _came_along(root, (link.st_ino, link.st_mtime_ns, link.st_ctime_ns), index)
    except OSError:
        return True


def _index_of(folder: Path) -> tuple[int, int] | None:
    """What tells the list of files that git tracks from another one; None where there is none."""
    from memory_core.store.git import repository_of

    found = repository_of(folder)
    if found is None or not (found.own / "index").is_file():
        return None
    status = (found.own / "index").stat()
    return status.st_ino, status.st_mtime_ns


@lru_cache(maxsize=64)
def _came_along(root: Path, _link: tuple[int, int, int], _index: tuple[int, int] | None) -> bool:
    """See `_led_out`; OSError where git gives no answer. Git is asked once of each `_link` and `_index`: an editor's
    server looks for the root of a text at every key."""
    folder = root.parent
    # Where case makes no difference, git knows the link by a name that is spelled otherwise.
    if root.name not in {path.name for path in folder.iterdir()}:
        return True
    from memory_core.store.git import git_root, tracked

    known = tracked(folder, [root.name])
    if known is None:
        raise OSError("git does not say what it tracks")
    if known:
        return True
    # What lies unpacked in the work tree of something else is as unknown to git as its link.
    return git_root(folder) != folder and not tracked(folder, ["."])


def not_a_root(start: Path) -> Path | None:
    """What stands from `start` upwards where a root would be and cannot be one, a file in place of a folder."""
    start = start.absolute()
    for folder in (start, *start.parents):
        for name in ROOT_NAMES:
            for path in (folder / name, folder / name / MARKER):
                if os.path.lexists(path) and not path.is_dir():
                    return path
            if (folder / name / MARKER).is_dir() and root_in(folder) is None:
                return folder / name
    return None


def main_worktree(folder: Path) -> Path | None:
    """The main worktree's folder when `folder` is a linked one (git marks it by a file `.git`)."""
    git_dir = linked_git_dir(folder)
    if git_dir is None:
        return None
    common = git_dir.parent.parent
    return common.parent if common.name == ".git" else None


def linked_git_dir(folder: Path) -> Path | None:
    """What the main worktree keeps of a linked one, `<main>/.git/worktrees/<name>`, where both name each other: a file
    `.git` in an archive may name any project of the person who unpacks it."""
    try:
        text = read_text(folder / ".git") if (folder / ".git").is_file() else ""
        named = text.removeprefix("gitdir:").strip()
        if named == text.strip() or on_another_machine(named, folder):
            return None
        if led_to(folder / ".git"):
            return None
        git_dir = Path(os.path.realpath(folder / named))  # does not raise for a circle
        # A submodule's is <main>/.git/modules/<name>, which is a repository of its own.
        if git_dir.parent.name != "worktrees":
            return None
        said = read_text(git_dir / "gitdir").strip()
        if on_another_machine(said, folder):
            return None
        back = git_dir / said
        return git_dir if os.path.realpath(back) == os.path.realpath(folder / ".git") else None
    except (OSError, UnicodeDecodeError, ValueError):
        return None


def led_to(path: Path) -> bool:
    """Whether a path is a link: what it shows lies, and belongs, elsewhere."""
    return os.path.realpath(path) != os.path.join(os.path.realpath(path.parent), path.name)  # noqa: PTH118 - both texts


def create_root(workspace: Path) -> tuple[Layout, list[Path]]:
    """Make `.omoide/` in a workspace, or complete the one that is there; returns what was created, which may be
    nothing. Files that exist keep their bytes."""
    if not workspace.is_dir():
        raise WorkspaceError(f"{workspace} is not a folder: create it first, or name another with --workspace.")
    layout = root_in(workspace) or Layout(workspace / ROOT_NAMES[0])
    from memory_core.store.files import require_inside

    created: list[Path] = []
    folders = (layout.root, *(layout.root / name for name in RECORD_FOLDERS))
    if _led_out(layout.root):
        raise StoreError(f"{layout.root} is a symbolic link that leaves this project: remove it.")
    for folder in folders[1:]:
        require_inside(layout.root, folder)
    try:
        for folder in folders:
            if not folder.is_dir():
                folder.mkdir(parents=True)
                created.append(folder)
        kept = layout.root / MARKER / ".gitkeep", ""  # git drops empty folders, and a clone would be no memory without
        for path, text in ((layout.root / ".gitignore", GITIGNORE), (layout.config, _CONFIG), kept):
            if not os.path.lexists(path):  # a link to nothing must not be written through
                path.write_text(text, encoding="utf-8", newline="\n")
                created.append(path)
    except FileExistsError as error:
        raise StoreError(f"{error.filename} is not a folder: move it away, then run `omoide init` again.") from error
    except OSError as error:
        place = error.filename or layout.root
        raise StoreError(f"{place} cannot be created ({error.strerror}): check space and permissions.") from error
    return layout, created


_CONFIG = """\
# Settings of this workspace, shared through git. Every key is optional.
# A provider's address and key belong to your own configuration, not here.

# [memory]
# extract_threshold = 20000           # new tokens that make an extract due; 0, the default, is off
# consolidation_threshold_files = 5   # staging files that make a consolidation due
# language = "auto"                   # of records: auto follows the people

# [provider]
# name = "openai"                     # any OpenAI-compatible server; the default is "builtin"

# [lint]
# similar-slugs = "off"               # a rule's severity: error, warning, hint or off
"""
