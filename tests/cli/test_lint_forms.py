"""How `omoide lint` answers: forms for programs, what fails a run, what was fixed; and `omoide explain`."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from memory_core.lint.registry import EXPLAINED

DATES = "created_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-02T00:00:00Z\n"
GOOD = f"---\n{DATES}sources: []\nstatus: open\n---\n\nWe chose.\n"
BAD = GOOD.replace("We chose.", "語 #ghost-slug")
WARNED = GOOD.replace("status: open\n", "status: open\nmood: 1\n")
MENDED = GOOD.replace("status: open", "replaced_by: other\nstatus: replaced")
TO_MEND = GOOD.replace("status: open", "replaced_by: other\nstatus: Open")
A = ".omoide/memory/decisions/a.md"


@pytest.fixture
def decisions(workspace: Path) -> Path:
    return workspace / ".omoide/memory/decisions"


def write(folder: Path, **texts: str) -> None:
    for slug, text in texts.items():
        (folder / f"{slug}.md").write_bytes(text.encode())


def test_every_form_has_one_name(omoide, decisions):
    write(decisions, a=BAD)
    assert omoide("lint", "--format", "text").out == omoide("lint").out
    assert omoide("lint", "--format", "json").out == omoide("--json", "lint").out
    assert omoide("lint", "--format", "sarif").out == omoide("lint", "--sarif").out
    assert omoide("lint", "--format", "github").out == omoide("lint", "--github").out
    assert omoide("lint", "--format", "sarif", "--sarif").code == 1
    for two in (("--format", "text", "--sarif"), ("--format", "gitlab", "--json"), ("--sarif", "--github")):
        outcome = omoide("lint", *two)
        assert outcome.code == 2
        assert "choose one" in outcome.err


def test_sarif_is_given_where_nobody_installed_omoide(omoide, decisions, monkeypatch):
    """A checkout that runs as it is has no version of its own."""

    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", missing)
    write(decisions, a=BAD)
    outcome = omoide("lint", "--sarif")
    assert outcome.code == 1
    assert json.loads(outcome.out)["runs"][0]["tool"]["driver"]["version"] == "0"
    assert omoide("lint", "--format", "xml").code == 2


def test_a_code_quality_report_is_a_list_of_problems(omoide, workspace, decisions, monkeypatch):
    write(decisions, a=BAD, warned=WARNED, good=GOOD)
    monkeypatch.setenv("CI_PROJECT_DIR", str(workspace.parent))
    outcome = omoide("lint", "--format", "gitlab")
    assert outcome.code == 1
    first, second = outcome.json
    assert first.pop("description").startswith("There is no knowledge record `#ghost-slug`")
    assert len(first.pop("fingerprint")) == 32
    assert first == {
        "check_name": "unknown-reference",
        "severity": "major",
        "location": {"path": f"project/{A}", "lines": {"begin": 8, "end": 8}},
    }
    assert (second["check_name"], second["severity"]) == ("unknown-key", "minor")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ((), 0),
        (("--max-warnings", "2"), 0),
        (("--max-warnings", "1"), 1),
        (("--max-warnings", "0"), 1),
        (("--warnings-as-errors",), 1),
        (("--warnings-as-errors", "--max-warnings", "5"), 1),
        (("--max-warnings", "-1"), 2),
        (("--max-warnings", "some"), 2),
    ],
)
def test_warnings_fail_a_run_when_there_are_more_than_may_be(omoide, decisions, options, code):
    write(decisions, a=WARNED, b=WARNED.replace("We chose", "Another thing was settled"))
    assert omoide("lint", *options).code == code


def test_a_run_that_fails_by_its_warnings_says_so(omoide, decisions):
    write(decisions, a=WARNED, b=WARNED.replace("We chose", "Another thing was settled"))
    assert "2 warnings are more than the 1 that may be" in omoide("lint", "--max-warnings", "1").err


def test_quiet_tells_only_what_makes_it_fail(omoide, decisions):
    write(decisions, warned=WARNED)
    assert omoide("lint", "--quiet") == omoide("lint", "-q")
    assert (omoide("lint", "-q").code, omoide("lint", "-q").out) == (0, "")
    write(decisions, a=BAD)
    (line,) = omoide("lint", "-q").out.splitlines()
    assert "error unknown-reference" in line
    assert len(omoide("lint", "-q", "--warnings-as-errors").out.splitlines()) == 2
    answer = omoide("lint", "-q", "--json").json
    assert [d["code"] for file in answer["files"] for d in file["diagnostics"]] == ["unknown-reference"]
    assert answer["counts"]["warnings"] == 1
    assert len(omoide("lint", "-q", "--sarif").json["runs"][0]["results"]) == 1


def test_what_was_fixed_is_listed_for_people(omoide, decisions):
    write(decisions, a=TO_MEND, other=GOOD.replace("We chose", "Another thing"))
    outcome = omoide("lint", "--fix")
    assert outcome.code == 0
    first, second, total = outcome.out.splitlines()
    assert first == f"{A}: fixed invalid-status: Write `open`"
    assert second == f"{A}: fixed status-mismatch: Write `replaced`"
    assert total == "2 files checked: no problems."
    assert (decisions / "a.md").read_text() == MENDED
    assert omoide("lint", "--fix").out == "2 files checked: no problems.\n"


def test_what_was_fixed_is_listed_for_programs(omoide, decisions):
    write(decisions, a=TO_MEND, other=GOOD.replace("We chose", "Another thing"))
    answer = omoide("lint", "--fix", "--json").json
    fixes = [
        {"code": "invalid-status", "title": "Write `open`"},
        {"code": "status-mismatch", "title": "Write `replaced`"},
    ]
    assert (answer["fixed"], answer["left"]) == ([{"path": A, "fixes": fixes}], [])
    again = omoide("lint", "--fix", "--json").json
    assert (again["fixed"], again["left"]) == ([], [])
    assert "fixed" not in omoide("lint", "--json").json


def test_a_form_for_a_program_is_not_mixed_with_the_list_of_fixes(omoide, decisions):
    write(decisions, a=TO_MEND, other=GOOD.replace("We chose", "Another thing"))
    outcome = omoide("lint", "--fix", "--sarif")
    assert outcome.json["version"] == "2.1.0"
    assert "fixed status-mismatch" in outcome.err


def test_what_comments_turn_off_can_be_told_all_the_same(omoide, decisions):
    write(decisions, a=BAD + "<!-- omoide-disable unknown-reference, no-such -->\n", other=WARNED)
    assert "unknown-reference" not in omoide("lint").out
    outcome = omoide("lint", "--ignore-disables")
    assert outcome.code == 1
    assert [line.split()[2] for line in outcome.out.splitlines()[:-1]] == ["unknown-reference:", "unknown-key:"]
    assert omoide("lint", "--ignore-disables", ".omoide/memory/decisions/other.md").code == 0
    assert omoide("lint").code == 0  # what was told is not kept as the answer for others


def test_what_could_be_fixed_is_counted_for_people(omoide, decisions):
    write(decisions, a=TO_MEND, other=GOOD.replace("We chose", "Another thing"))
    write(decisions, broken="---\nstatus: Open\na: [\n---\nText.\n")
    assert omoide("lint").err == "omoide: 1 of these can be fixed by `omoide lint --fix`; `--diff` shows how\n"
    assert omoide("lint", "-q").err == omoide("lint", "--json").err == ""
    omoide("lint", "--fix")
    assert omoide("lint").err == ""


def test_line_ends_stay_when_something_is_fixed(omoide, decisions):
    write(decisions, a=TO_MEND.replace("\n", "\r\n"), other=GOOD.replace("We chose", "Another thing"))
    assert omoide("lint", "--fix").code == 0
    assert (decisions / "a.md").read_bytes() == MENDED.replace("\n", "\r\n").encode()


def test_a_file_that_cannot_be_written_is_named_and_fails_the_run(omoide, decisions, monkeypatch):
    """The editor has it open meanwhile: another text than the one that was looked at is never overwritten."""
    from memory_core.cli import lint_fix

    write(decisions, a=TO_MEND, other=GOOD.replace("We chose", "Another thing"))
    planned = lint_fix._planned

    def and_meanwhile(*arguments):
        answer = planned(*arguments)
        write(decisions, a=TO_MEND + "Another line.\n")
        return answer

    monkeypatch.setattr(lint_fix, "_planned", and_meanwhile)
    outcome = omoide("lint", "--fix", "--json")
    assert outcome.code == 1
    assert (outcome.json["fixed"], outcome.json["left"]) == ([], [A])
    assert (decisions / "a.md").read_text() == TO_MEND + "Another line.\n"


def test_a_diff_shows_what_would_be_fixed_and_writes_nothing(omoide, decisions):
    write(decisions, a=TO_MEND, other=GOOD.replace("We chose", "Another thing"))
    outcome = omoide("lint", "--diff")
    assert outcome.code == 1
    assert "\n-status: Open\n+status: replaced\n" in outcome.out
    assert outcome.err == "omoide: 1 file would be fixed\n"
    assert (decisions / "a.md").read_text() == TO_MEND
    answer = omoide("lint", "--diff", "--json").json
    assert [fix["path"] for fix in answer["fixes"]] == [A]
    assert answer["diff"] in outcome.out
    assert omoide("lint", "--diff", ".omoide/memory/decisions/other.md").code == 0
    omoide("lint", "--fix")
    outcome = omoide("lint", "--diff")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "omoide: 0 files would be fixed\n")


def test_a_diff_is_no_fix_and_no_report(omoide, decisions):
    assert omoide("lint", "--diff", "--fix").code == 2
    assert omoide("lint", "--diff", "--sarif").code == 2


def test_sarif_links_the_rules_to_where_their_pages_are_published(omoide, workspace):
    answer = omoide("lint", "--sarif", "--rules-url", "https://example.org/rules").json
    rules = answer["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["helpUri"] for rule in rules] == [f"https://example.org/rules/{code}.md" for code in sorted(EXPLAINED)]


def test_explain_lists_every_code_with_severity_and_one_line(omoide, folder):
    lines = omoide("explain").out.splitlines()
    assert [line.split()[:2] for line in lines] == [[code, EXPLAINED[code].severity] for code in sorted(EXPLAINED)]
    assert all(line.endswith(EXPLAINED[line.split()[0]].summary) for line in lines)
    listed = omoide("explain", "--json").json["codes"]
    assert [(c["code"], c["severity"], c["summary"]) for c in listed] == [
        (code, EXPLAINED[code].severity, EXPLAINED[code].summary) for code in sorted(EXPLAINED)
    ]


@pytest.mark.parametrize("code", sorted(EXPLAINED))
def test_every_code_is_explained(omoide, folder, code):
    outcome = omoide("explain", code)
    assert outcome.code == 0
    assert outcome.out.startswith(f"# {code}\n\n{EXPLAINED[code].summary}")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("cut-by-coment", "`cut-by-comment`"),
        ("reference-unknown", "`unknown-reference`"),
        ("UNKNOWN_KEY", "`unknown-key`"),
        ("long-body", "`body-too-long`"),
        ("stauts-mismatch", "`status-mismatch`"),
    ],
)
def test_a_wrong_code_is_answered_with_the_nearest(omoide, folder, written, meant):
    outcome = omoide("explain", written)
    assert outcome.code == 2
    assert meant in outcome.err
    assert "? `omoide explain` lists them." in outcome.err


def test_a_code_like_no_other_is_answered_with_no_guess(omoide, folder):
    outcome = omoide("explain", "zzzz")
    assert outcome.code == 2
    assert "There is no code `zzzz`; `omoide explain` lists them." in outcome.err
