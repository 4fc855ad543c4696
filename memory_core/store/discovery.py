"""Find a memory root, or make one when asked to. A root never appears as a side effect."""

from __future__ import annotations

import os
from pathlib import Path

from memory_core.errors import StoreError, WorkspaceError
from memory_core.layout import GITIGNORE, MARKER, RECORD_FOLDERS, ROOT_NAMES, Layout
from memory_core.store.ordinary import read_text


def find_root(start: Path) -> Layout | None:
    """The root of the nearest folder, from `start` (a folder or a file, existing or not) upwards, that holds
    `.omoide/memory` or `.yoi/memory`; for a linked git worktree without one, the main worktree's."""
    start = start.absolute()
    for folder in (start, *start.parents):
        if (layout := root_in(folder)) is not None:
            return layout
        main = _main_worktree(folder)
        if main and (layout := root_in(main)) is not None:
            return layout
    return None


def root_in(folder: Path) -> Layout | None:
    """The root that lies directly in a folder. `.omoide` alone is not one: the marker is its `memory`."""
    for name in ROOT_NAMES:
        try:
            if (folder / name / MARKER).is_dir():
                return Layout(folder / name)
        except OSError:  # a folder that may not be looked into holds no root for us
            continue
    return None


def not_a_root(start: Path) -> Path | None:
    """What stands from `start` upwards where a root would be and cannot be one, a file in place of a folder."""
    start = start.absolute()
    for folder in (start, *start.parents):
        for name in ROOT_NAMES:
            for path in (folder / name, folder / name / MARKER):
                if os.path.lexists(path) and not path.is_dir():
                    return path
    return None


def _main_worktree(folder: Path) -> Path | None:
    """The main worktree's folder when `folder` is a linked one (git marks it by a file `.git`)."""
    try:
        text = read_text(folder / ".git") if (folder / ".git").is_file() else ""
    except (OSError, UnicodeDecodeError):
        return None
    if not text.startswith("gitdir:"):
        return None
    git_dir = Path(os.path.realpath(folder / text.removeprefix("gitdir:").strip()))  # does not raise for a circle
    # <main>/.git/worktrees/<name>; a submodule's is <main>/.git/modules/<name>, which is a repository of its own.
    if git_dir.parent.name != "worktrees":
        return None
    common = git_dir.parent.parent
    return common.parent if common.name == ".git" else None


def create_root(workspace: Path) -> tuple[Layout, list[Path]]:
    """Make `.omoide/` in a workspace, or complete the one that is there; returns what was created, which may be
    nothing. Files that exist keep their bytes."""
    if not workspace.is_dir():
        raise WorkspaceError(f"{workspace} is not a folder: create it first, or name another with --workspace.")
    layout = root_in(workspace) or Layout(workspace / ROOT_NAMES[0])
    created: list[Path] = []
    try:
        for folder in (layout.root, *(layout.root / name for name in RECORD_FOLDERS)):
            if not folder.is_dir():
                folder.mkdir(parents=True)
                created.append(folder)
        for path, text in ((layout.root / ".gitignore", GITIGNORE), (layout.config, _CONFIG)):
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


def git_root(folder: Path) -> Path | None:
    """The top of the git work tree a folder lies in; None without git or outside a repository."""
    import subprocess  # finding a root does without it, and a hook waits for each import

    try:
        done = subprocess.run(
            ["git", "-C", str(folder), "rev-parse", "--show-toplevel"], capture_output=True, timeout=5, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return None
    top = done.stdout.decode("utf-8", "replace").strip()
    return Path(top) if done.returncode == 0 and top else None
