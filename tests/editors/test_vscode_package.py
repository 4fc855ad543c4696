"""How the VS Code extension is packed: the same sources, the same bytes."""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile

import pytest

from tests.editors.conftest import CHECKOUT, pack_extension

pytestmark = pytest.mark.editor


def test_packed_twice_it_is_the_same_bytes(packed_extension, tmp_path, monkeypatch):
    """Elsewhere and later: another folder, another time zone, newer files that others may write."""
    source = CHECKOUT / "editors/vscode"
    copy = tmp_path / "elsewhere"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("node_modules", "out", "*.vsix"))
    (copy / "node_modules").symlink_to(source / "node_modules")
    for file in (copy / "README.md", copy / "LICENSE", copy / "package.json"):
        file.chmod(0o664)
        os.utime(file, (1_900_000_000, 1_900_000_000))
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    pack_extension(copy, tmp_path / "again.vsix")
    assert (tmp_path / "again.vsix").read_bytes() == packed_extension.read_bytes()


def test_every_file_has_the_date_that_was_asked_for(packed_extension, tmp_path, monkeypatch):
    source = CHECKOUT / "editors/vscode"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    done = subprocess.run(
        ["node", "package.mjs", str(tmp_path / "dated.vsix")], cwd=source, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(tmp_path / "dated.vsix") as vsix:
        assert {entry.date_time for entry in vsix.infolist()} == {(2023, 11, 14, 22, 13, 20)}
        assert not [name for name in vsix.namelist() if "node_modules" in name or name.endswith((".ts", ".map"))]
