"""`omoide lint` and `omoide explain`, as a person and as a program see them."""

from pathlib import Path

import pytest

DATES = "created_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-02T00:00:00Z\n"
GOOD = f"---\n{DATES}sources: []\nstatus: open\n---\n\nWe chose.\n"
BAD = GOOD.replace("We chose.", "語 #ghost-slug")
WARNED = GOOD.replace("status: open\n", "status: open\nmood: 1\n")
UNKNOWN = ".omoide/memory/decisions/bad.md:8:3: error unknown-reference: There is no knowledge record `#ghost-slug`"


@pytest.fixture
def decisions(workspace: Path) -> Path:
    return workspace / ".omoide/memory/decisions"


def write(folder: Path, **texts: str) -> None:
    for slug, text in texts.items():
        (folder / f"{slug}.md").write_bytes(text.encode())


def test_a_clean_workspace(omoide, decisions):
    write(decisions, good=GOOD)
    outcome = omoide("lint")
    assert (outcome.code, outcome.out) == (0, "1 file checked: no problems.\n")


def test_an_error_is_one_line_with_its_place_and_exit_code_1(omoide, decisions):
    write(decisions, good=GOOD, bad=BAD)
    outcome = omoide("lint")
    assert outcome.code == 1
    line, total = outcome.out.splitlines()
    assert line.startswith(UNKNOWN)
    assert total == "2 files checked: 1 error."


def test_a_warning_fails_only_when_asked_to(omoide, decisions):
    write(decisions, warned=WARNED)
    assert omoide("lint").code == 0
    assert "1 warning" in omoide("lint").out
    assert omoide("lint", "--warnings-as-errors").code == 1


def test_the_machine_answer_lists_every_file(omoide, workspace, decisions):
    """Contract: the shape of `lint --json`; positions from 0, in code points."""
    write(decisions, good=GOOD, bad=BAD)
    outcome = omoide("lint", "--json")
    assert outcome.code == 1
    answer = outcome.json
    assert answer["workspace"] == str(workspace)
    assert answer["counts"] == {"files": 2, "errors": 1, "warnings": 0, "hints": 0}
    bad, good = answer["files"]
    assert good == {"path": ".omoide/memory/decisions/good.md", "diagnostics": []}
    (found,) = bad["diagnostics"]
    assert found.pop("message").startswith("There is no knowledge record")
    assert found == {
        "code": "unknown-reference",
        "severity": "error",
        "range": {"start": {"line": 7, "character": 2}, "end": {"line": 7, "character": 13}},
        "fixes": [],
    }


def test_only_what_is_named_is_checked(omoide, workspace, decisions, monkeypatch):
    write(decisions, good=GOOD, bad=BAD)
    assert omoide("lint", str(decisions / "good.md")).code == 0
    assert omoide("lint", ".omoide/memory/requests").out.startswith("0 files checked")
    assert omoide("lint", ".omoide/memory").code == 1
    assert omoide("lint", ".").code == 1
    monkeypatch.chdir(decisions)
    assert omoide("lint", "good.md").code == 0
    assert omoide("lint", "../decisions/bad.md", "good.md").out.endswith("2 files checked: 1 error.\n")


@pytest.mark.parametrize("path", ["missing.md", "outside.md", ".omoide/config.toml", ".omoide/knowledge/missing.md"])
def test_a_path_that_is_no_record_is_misuse(omoide, workspace, path):
    (workspace / "outside.md").write_text("x", encoding="utf-8")
    outcome = omoide("lint", path)
    assert outcome.code == 2
    assert path in outcome.err


def test_bad_files_are_reported_beside_the_good_ones(omoide, decisions):
    write(decisions, good=GOOD, broken="---\na: [\n---\n", Bad_Name=GOOD)
    (decisions / "latin.md").write_bytes(b"---\nstatus: caf\xe9\n---\n")
    outcome = omoide("lint")
    assert outcome.code == 1
    codes = [line.split(" ")[2] for line in outcome.out.splitlines()[:-1]]
    assert codes == ["invalid-slug:", "malformed-frontmatter:", "unreadable-file:"]


def test_severities_of_the_settings_count_and_their_problems_are_a_file(omoide, workspace, decisions):
    write(decisions, bad=BAD)
    config = workspace / ".omoide/config.toml"
    config.write_text('[lint]\nunknown-reference = "hint"\nno-such = "off"\n', encoding="utf-8")
    outcome = omoide("lint", "--json")
    assert outcome.code == 0
    assert [(f["path"], [d["code"] for d in f["diagnostics"]]) for f in outcome.json["files"]] == [
        (".omoide/config.toml", ["invalid-config"]),
        (".omoide/memory/decisions/bad.md", ["unknown-reference"]),
    ]
    assert outcome.json["counts"] == {"files": 2, "errors": 0, "warnings": 1, "hints": 1}


def test_fix_writes_what_is_certain_once(omoide, workspace, decisions):
    write(decisions, a=GOOD.replace("open", "Open").replace("\n", "\r\n"), broken="---\nstatus: Open\na: [\n---\n")
    broken = (decisions / "broken.md").read_bytes()
    outcome = omoide("lint", "--fix")
    assert outcome.code == 1
    assert "fixed 1 file" in outcome.err
    assert (decisions / "a.md").read_bytes() == GOOD.replace("\n", "\r\n").encode()
    assert (decisions / "broken.md").read_bytes() == broken
    again = omoide("lint", "--fix", ".omoide/memory/decisions/a.md")
    assert (again.code, again.err) == (0, "")


def test_fix_with_nothing_to_fix_leaves_no_trace(omoide, workspace, decisions):
    write(decisions, good=GOOD)
    before = sorted(path for path in (workspace / ".omoide").rglob("*"))
    assert omoide("lint", "--fix").code == 0
    assert sorted(path for path in (workspace / ".omoide").rglob("*")) == before


def test_outside_a_workspace_it_says_what_to_do(omoide, folder):
    outcome = omoide("lint")
    assert outcome.code == 2
    assert "omoide init" in outcome.err


def test_explain_prints_the_page_of_a_code(omoide, folder):
    outcome = omoide("explain", "cut-by-comment")
    assert outcome.code == 0
    assert outcome.out.startswith("# cut-by-comment\n")
    assert omoide("explain", "cut-by-comment", "--json").json["severity"] == "warning"


def test_explain_without_a_code_lists_all_and_a_wrong_one_is_misuse(omoide, folder):
    assert "unknown-reference" in omoide("explain").out
    outcome = omoide("explain", "cut-by-coment")
    assert outcome.code == 2
    assert "did you mean `cut-by-comment`" in outcome.err
