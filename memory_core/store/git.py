"""What git would say of a folder, asked without the repository's own settings, which name programs that git runs.

Looks and starts git where only git knows; writes nothing into the repository. Whatever is no ordinary repository (bare,
or marked by a `.git` file that leads nowhere) counts as none.
"""

from __future__ import annotations

import errno
import hashlib
import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from memory_core.store.ordinary import on_another_machine, read_bytes, read_text
from memory_core.store.programs import program_named

_PATIENCE_S = 10.0
_WITHOUT_PROGRAMS = ("-c", "core.fsmonitor=false")  # the person's own settings may name one
_OF_THE_PERSON = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM")
_LONG_HASHES = "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n"
_CHANGES_NOTHING = {"GIT_ALLOW_PROTOCOL": "none", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}


@dataclass(frozen=True, slots=True)
class Repository:
    """`top`: the work tree's folder; `own`: where its index lies; `common`: what all its work trees share."""

    top: Path
    own: Path
    common: Path


def git_root(folder: Path) -> Path | None:
    """The top of the git work tree a folder lies in; None outside a repository. Starts no program."""
    found = repository_of(folder)
    return found.top if found else None


def repository_of(folder: Path) -> Repository | None:
    """The repository whose work tree a folder lies in, by its `.git`."""
    folder = folder.absolute()
    for top in (folder, *folder.parents):
        mark = top / ".git"
        try:
            if mark.is_dir():
                return Repository(top, mark, mark)
            if mark.is_file() and (text := read_text(mark)).startswith("gitdir:"):
                named = text.removeprefix("gitdir:").strip()
                if on_another_machine(named, top):
                    return None
                own = Path(os.path.realpath(top / named))
                shared = own / "commondir"
                shares = read_text(shared).strip() if shared.is_file() else "."
                if on_another_machine(shares, top):
                    return None
                common = Path(os.path.realpath(own / shares))
                return Repository(top, own, common) if own.is_dir() else None
        except (OSError, UnicodeDecodeError, ValueError):
            continue
    return None


def tracked(folder: Path, names: Sequence[str]) -> list[str] | None:
    """Those files below the names that git tracks, relative to the folder; None without git or a repository."""
    return _lines(folder, "ls-files", names)


def ignored(folder: Path, names: Sequence[str]) -> list[str] | None:
    """Those of the names that git ignores; None without git or a repository."""
    return _lines(folder, "check-ignore", names)


def _lines(folder: Path, command: str, names: Sequence[str]) -> list[str] | None:
    """What git prints. `core.fsmonitor`, filters, `include` and fetches of what is missing all run programs that the
    settings in a repository name, and a folder of a clone may be a repository with settings of its own. So git is
    given a repository of ours with nothing in it but the list of tracked files and the patterns to exclude."""
    if not names:
        return []
    git, found = program_named("git"), repository_of(folder)
    if git is None or found is None:
        return None
    kept = {name: value for name, value in os.environ.items() if name[:4] != "GIT_" or name in _OF_THE_PERSON}
    with tempfile.TemporaryDirectory(prefix="omoide-git-") as made:
        ours = Path(made)
        try:
            _stand_in(ours, found)
            done = subprocess.run(
                [git, f"--git-dir={ours}", f"--work-tree={found.top}", *_WITHOUT_PROGRAMS, command, "--", *names],
                capture_output=True,
                timeout=_PATIENCE_S,
                check=False,
                text=True,
                cwd=folder,
                env={**kept, **_CHANGES_NOTHING},
            )
        except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
            return None
    return done.stdout.splitlines() if done.returncode in (0, 1) else None


def _stand_in(ours: Path, found: Repository) -> None:
    """Fill a folder with what git takes for a repository: no settings, no objects, the list of tracked files. OSError
    where that list is of no kind that git would read rightly."""
    (ours / "objects").mkdir()
    (ours / "refs").mkdir()
    (ours / "info").mkdir()
    (ours / "HEAD").write_text("ref: refs/heads/main\n", encoding="ascii")
    for source, name in ((found.own, "index"), (found.common, "info/exclude")):
        if (source / name).is_file():
            (ours / name).write_bytes(read_bytes(source / name))
    for part in found.own.glob("sharedindex.*"):  # where git keeps most of the list apart
        (ours / part.name).write_bytes(read_bytes(part))
    if (ours / "index").is_file() and _has_long_hashes(read_bytes(ours / "index")):
        (ours / "config").write_text(_LONG_HASHES, encoding="ascii")


def _has_long_hashes(index: bytes) -> bool:
    """Whether a list of tracked files is of a repository with SHA-256, told by its own hash at its end: read as if it
    were of the other kind, it would hold other names. OSError where it is neither."""
    for long, size, of in ((True, 32, hashlib.sha256), (False, 20, hashlib.sha1)):
        if index[-size:] in (of(index[:-size]).digest(), bytes(size)):  # zeros with `index.skipHash`
            return long
    raise OSError(errno.EILSEQ, "no list of tracked files")
