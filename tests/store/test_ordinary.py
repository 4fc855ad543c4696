"""The one place that opens what somebody else may have put there."""

from __future__ import annotations

import ast
import os
import socket
from pathlib import Path

import pytest

from memory_core.store.ordinary import is_odd, on_another_machine, open_binary, open_ordinary, read_bytes, read_text

ROOT = Path(__file__).resolve().parents[2]
APPEND = os.O_RDWR | os.O_CREAT | os.O_APPEND
posix = pytest.mark.skipif(os.name != "posix", reason="pipes, sockets and devices in a folder")

# Files that no user, repository or agent puts there: of the system, of the package, new ones of ours, a person's own.
ALONE = {"memory_core/store/ordinary.py", "memory_core/store/process.py", "memory_core/store/scan.py"}


def make(path: Path, kind: str) -> Path:
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "device":
            path.symlink_to("/dev/zero")
        case "socket":
            os.chdir(path.parent)
            with socket.socket(socket.AF_UNIX) as end:
                end.bind(path.name)
    return path


@posix
@pytest.mark.parametrize("kind", ["pipe", "folder", "device", "socket"])
def test_what_is_no_ordinary_file_is_refused_and_never_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)
    path = make(tmp_path / "x", kind)
    assert is_odd(path)
    for attempt in (lambda: read_bytes(path), lambda: open_binary(path), lambda: open_ordinary(path, APPEND)):
        with pytest.raises(OSError, match=r"no ordinary file|directory"):
            attempt()


def test_an_ordinary_file_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"a\r\nb\rc\n")
    assert read_bytes(path) == b"a\r\nb\rc\n"
    assert read_text(path) == "a\nb\nc\n"
    assert not is_odd(path)
    assert not is_odd(tmp_path / "none")
    with open_binary(path) as stream:
        assert Path(stream.name) == path


def test_a_file_that_is_not_there_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_bytes(tmp_path / "none")


def test_store_agents_and_server_read_files_nowhere_else() -> None:
    """`Path.read_bytes` and its kin wait for a pipe that stands in a file's place."""
    found = []
    for folder in ("memory_core/store", "memory_core/agents", "server"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and name not in ALONE:
                    reads = node.func.attr in ("read_bytes", "read_text")
                    opens = node.func.attr == "open" and any(
                        isinstance(a, ast.Constant) and a.value in ("r", "rb") for a in node.args
                    )
                    found += [f"{name}:{node.lineno}"] if reads or opens else []
    assert found == []


@pytest.mark.parametrize(
    ("path", "here", "answer"),
    [
        ("//server/share/x", "C:/work", True),
        ("\\\\server\\share\\x", "/home/a", True),
        ("\\\\server\\share\\x", "\\\\server\\share\\y", False),
        ("\\\\other\\share\\x", "\\\\wsl.localhost\\Ubuntu\\home\\a", True),
        ("\\\\?\\UNC\\Server\\share", "\\\\server\\share\\y", False),
        ("\\\\?\\UNC\\server\\share", "C:/work", True),
        ("\\\\?\\C:\\x", "C:/work", False),
        ("\\\\.\\pipe\\x", "C:/work", True),
        ("../x", "/home/a", False),
        ("C:/x", "C:/work", False),
    ],
)
def test_a_path_to_another_machine_is_told(path: str, here: str, answer: bool) -> None:
    """A `.git` file that names one would have Windows log in there when a folder is opened."""
    assert on_another_machine(path, Path(here)) is answer
