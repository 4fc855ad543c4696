"""`omoide lint` and `omoide explain`, as a person and as a program see them."""

import os
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

    def files() -> list[Path]:
        return sorted(path for path in (workspace / ".omoide").rglob("*") if "cache" not in path.parts)

    before = files()
    assert omoide("lint", "--fix").code == 0
    assert files() == before


def test_sarif_and_annotations_are_other_forms_of_the_answer(omoide, workspace, decisions):
    write(decisions, bad=BAD)
    outcome = omoide("lint", "--sarif")
    assert outcome.code == 1
    run = outcome.json["runs"][0]
    assert [result["ruleId"] for result in run["results"]] == ["unknown-reference"]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == ".omoide/memory/decisions/bad.md"
    assert run["originalUriBaseIds"]["SRCROOT"]["uri"] == workspace.as_uri() + "/"
    outcome = omoide("lint", "--github")
    assert outcome.code == 1
    start = "::error file=.omoide/memory/decisions/bad.md,line=8,endLine=8,col=3,endColumn=13,title=unknown-reference::"
    assert outcome.out.startswith(start)


def test_a_workspace_deeper_in_a_checkout_has_paths_from_the_checkout(omoide, workspace, decisions, monkeypatch):
    write(decisions, bad=BAD)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(workspace.parent))
    assert "file=project/.omoide/memory/decisions/bad.md," in omoide("lint", "--github").out
    base = omoide("lint", "--sarif").json["runs"][0]["originalUriBaseIds"]["SRCROOT"]["uri"]
    assert base == workspace.parent.as_uri() + "/"
    monkeypatch.setenv("GITHUB_WORKSPACE", str(workspace / "elsewhere"))
    assert "file=.omoide/memory/decisions/bad.md," in omoide("lint", "--github").out


def test_one_form_at_a_time(omoide, workspace):
    assert omoide("lint", "--sarif", "--github").code == 2
    assert omoide("lint", "--sarif", "--json").code == 2


def test_a_root_is_found_from_the_file(omoide, workspace, decisions, monkeypatch):
    """A hook runs at the top of a repository, and the memory may lie deeper."""
    write(decisions, good=GOOD, bad=BAD)
    monkeypatch.chdir(workspace.parent)
    assert omoide("lint", "project/.omoide/memory/decisions/good.md").code == 0
    assert UNKNOWN in omoide("lint", "project/.omoide/memory/decisions/bad.md").out
    assert omoide("lint").code == 2


def test_the_same_answer_with_and_without_a_cache(omoide, workspace, decisions):
    write(decisions, bad=BAD, warned=WARNED, good=GOOD.replace("We chose", "The build takes 3 minutes on old machines"))
    write(workspace / ".omoide/memory/requests", a=GOOD.replace("status: open\n", "").replace("We chose", "We agreed"))
    age(workspace)
    first = omoide("lint", "--json").json
    assert (workspace / ".omoide/cache/index.sqlite3").is_file()
    assert omoide("lint", "--json").json == first
    assert omoide("lint", "--json").json == first
    (workspace / ".omoide/cache/index.sqlite3").write_bytes(b"damaged" * 1000)
    assert omoide("lint", "--json").json == first


def test_a_kept_answer_is_not_given_for_other_records_or_settings(omoide, workspace, decisions):
    write(decisions, bad=BAD)
    age(workspace)
    assert omoide("lint").code == 1
    assert omoide("lint").code == 1
    config = workspace / ".omoide/config.toml"
    config.write_text('[lint]\nunknown-reference = "off"\n', encoding="utf-8")
    assert omoide("lint").code == 0
    config.write_text("", encoding="utf-8")
    assert omoide("lint").code == 1
    write(decisions, bad=GOOD)
    assert omoide("lint").code == 0


def age(workspace: Path) -> None:
    """What was written just now may change without its time telling: such files are not taken from the cache."""
    for path in (workspace / ".omoide").rglob("*.md"):
        os.utime(path, (1_700_000_000, 1_700_000_000))


def test_near_duplicates_are_seen_also_when_one_file_is_asked_about(omoide, workspace, decisions):
    note = GOOD.replace("We chose.", "The build takes {} minutes on old machines.")
    write(decisions, a=note.format(3), b=note.format(5))
    outcome = omoide("lint", ".omoide/memory/decisions/a.md")
    assert "a.md:8:1: warning near-duplicate: Says nearly the same as `decision/b`" in outcome.out
    assert omoide("lint").out.endswith("2 files checked: 2 warnings.\n")


def test_the_budget_of_the_settings_decides_what_is_resident(omoide, workspace):
    flags = "kind: fact\ndescription: What it is.\nmodel_invokation: true\nuser_invocable: true\nlast_sources: []\n"
    write(workspace / ".omoide/knowledge", a=f"---\n{DATES}{flags}---\n\nSo.\n")
    assert omoide("lint").code == 0
    (workspace / ".omoide/config.toml").write_text("[memory]\nresident_token_budget = 3\n", encoding="utf-8")
    assert "warning over-resident-budget" in omoide("lint").out


def test_evidence_is_compared_with_the_logs_of_the_workspace(omoide, workspace, decisions):
    from hashlib import sha256

    entries = [
        '{"kind":"session_start","id":"1","ts":"2026-01-01T00:00:00Z","session_id":"s-1","agent":"omoide"}',
        '{"kind":"user_message","id":"2","ts":"2026-01-01T00:00:01Z","text":"Please use  tabs in Go files."}',
    ]
    log = workspace / ".omoide/sessions/s-1.jsonl"
    log.parent.mkdir(exist_ok=True)
    log.write_text("".join(f"{entry}\n" for entry in entries), encoding="utf-8")
    digest = omoide_hash(omoide, log)
    assert digest in {sha256(entry.encode()).hexdigest() for entry in entries}

    def record(session="s-1", last=1, excerpt="Please use tabs", sha=digest):
        anchor = f'    anchors:\n      - entry_range: [1, 1]\n        sha256: "{sha}"\n        excerpt: "{excerpt}"\n'
        source = f"sources:\n  - session_id: {session}\n    range: [1, {last}]\n{anchor}"
        return GOOD.replace("sources: []\n", source)

    write(decisions, good=record(), gone=record("s-9"), far=record(last=7), other=record(sha="0" * 64))
    write(decisions, said=record(excerpt="Please use spaces"))
    assert "source-" not in omoide("lint").out
    found = {
        file["path"].rpartition("/")[2]: [(d["code"], d["severity"]) for d in file["diagnostics"]]
        for file in omoide("lint", "--evidence", "--json").json["files"]
    }
    assert found == {
        "good.md": [],
        "gone.md": [("source-gone", "hint")],
        "far.md": [("source-changed", "warning")],
        "other.md": [("source-changed", "warning")],
        "said.md": [("source-changed", "warning")],
    }
    assert omoide("lint", "--evidence", ".omoide/memory/decisions/gone.md").out.startswith(
        ".omoide/memory/decisions/gone.md:5:17: hint source-gone"
    )


def omoide_hash(omoide, log: Path) -> str:
    """The hash that an anchor of the log's second entry holds."""
    from memory_core.store.session_files import read_log

    digest = read_log(log).entries[1].sha256
    assert digest is not None
    return digest


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
