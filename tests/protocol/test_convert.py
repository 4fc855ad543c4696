"""The translation layer by itself: what no machine of ours can show over stdio."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.convert.columns import Encoding, from_code_points, to_code_points
from server.convert.uris import from_path, to_path
from server.settings import Settings, parse


@given(st.text(max_size=20), st.sampled_from(Encoding))
def test_columns_survive_the_way_out_and_back(line: str, encoding: Encoding) -> None:
    for column in range(len(line) + 1):
        assert to_code_points(line, from_code_points(line, column, encoding), encoding) == column


def test_a_column_inside_a_character_is_its_start() -> None:
    assert to_code_points("a👋b", 2, Encoding.UTF16) == 1
    assert to_code_points("aéb", 2, Encoding.UTF8) == 1


def test_a_column_outside_is_the_nearest_end() -> None:
    assert to_code_points("日本", 99, Encoding.UTF16) == 2
    assert to_code_points("日本", -1, Encoding.UTF16) == 0
    assert to_code_points("ab", -1, Encoding.UTF8) == 0


def test_a_lone_surrogate_is_counted() -> None:
    assert from_code_points("a\ud83dé", 3, Encoding.UTF8) == 1 + 3 + 2
    assert from_code_points("a\ud83dé", 3, Encoding.UTF16) == 3


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///c%3A/a%20b/x.md", "C:/a b/x.md"),
        ("file:///C:/a b/x.md", "C:/a b/x.md"),
        ("file:///c:/x.md", "C:/x.md"),
        ("file://server/share/x.md", "//server/share/x.md"),
        ("file://localhost/x.md", "/x.md"),
        ("FILE:///x.md", "/x.md"),
        ("file:///a%23b", "/a#b"),
        ("file:///a#b", "/a#b"),
        ("file:///100%25", "/100%"),
    ],
)
def test_bug_46_paths_of_uris(uri: str, path: str) -> None:
    """esbonio#60, vscode-languageserver-node#1280: a drive is written in several ways, and is one."""
    assert to_path(uri) == Path(path)


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "vscode-notebook-cell:/a#x", "https://example.org/x.md", ""])
def test_what_is_no_file_has_no_path(uri: str) -> None:
    assert to_path(uri) is None


def test_uris_of_paths() -> None:
    assert from_path(Path("/a b/日#.md")) == "file:///a%20b/%E6%97%A5%23.md"
    assert from_path(Path("//server/share/x.md")) == "file://server/share/x.md"


@pytest.mark.parametrize("data", [None, {}, {"omoide": {}}, {"server": {"command": []}, "trace": {"server": "off"}}])
def test_no_settings_are_the_defaults(data: object) -> None:
    assert parse(data) == (Settings(), [])


def test_settings_are_read_bare_and_under_their_name() -> None:
    wanted = Settings(provider="openai", diagnostics="workspace", hover=False)
    data = {"provider": "openai", "diagnostics": "workspace", "hover": False}
    assert parse(data) == parse({"omoide": data}) == (wanted, [])
    assert parse({"diagnostics": False})[0].diagnostics == "off"


@pytest.mark.parametrize("data", [5, [1], "x"])
def test_settings_that_are_no_object_are_told(data: object) -> None:
    settings, problems = parse(data)
    assert settings == Settings()
    assert problems == ["The setting `omoide` must be an object; the defaults are used."]


@pytest.mark.parametrize("encoding", list(Encoding))
def test_a_long_line_is_measured_as_a_short_one_is(encoding: Encoding) -> None:
    """Every place on a long line costs the same: the line is measured once."""
    line = "a日é😀\udc00" * 300
    codec, size = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}[encoding.value]
    for column in (0, 1, 4, 5, 749, len(line), len(line) + 9):
        assert from_code_points(line, column, encoding) == len(line[:column].encode(codec, "surrogatepass")) // size


def test_lines_are_measured_on_several_threads_at_once() -> None:
    """What was measured is kept for all of them: one that looked it through while another added to it failed."""
    lines = [f"é{number}" + "x" * 600 for number in range(1_000)]
    turn = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            found = list(threads.map(lambda line: from_code_points(line, 1, Encoding.UTF8), lines * 2))
    finally:
        sys.setswitchinterval(turn)
    assert found == [2] * len(found)
