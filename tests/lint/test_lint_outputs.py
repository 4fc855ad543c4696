"""Diagnostics for other programs: SARIF, GitHub annotations, and the form in which they are kept."""

import json
from pathlib import Path
from urllib.parse import unquote

import pytest

from memory_core.diagnostic import Diagnostic, Fix, Related, Severity
from memory_core.lint import as_text
from memory_core.lint.annotations import annotation_lines
from memory_core.lint.check import check_all
from memory_core.lint.registry import EXPLAINED
from memory_core.lint.sarif import sarif
from memory_core.snapshot import snapshot_of
from memory_core.text import Position, Range, TextEdit, apply_edits
from tests.lint.lint_fixture import decision, knowledge

A = "memory/decisions/a.md"
PATH = f".omoide/{A}"
TEXT = decision("status: Open\nmodd: 1\n", "😀語 #retry-polcy, 50 %\n")
SNAPSHOT = snapshot_of({A: TEXT, "knowledge/retry-policy.md": knowledge()})


def found() -> dict[str, list[Diagnostic]]:
    return {f".omoide/{path}": diagnostics for path, diagnostics in check_all(SNAPSHOT).items()}


def log(**files):
    return sarif(files or found(), base="file:///project/", version="1.2.3", root=".omoide")


def one(severity: Severity = Severity.ERROR, message: str = "m", **more) -> Diagnostic:
    return Diagnostic("unknown-key", severity, message, Range(Position(3, 2), Position(3, 7)), **more)


def test_sarif_names_its_version_its_tool_and_how_columns_are_counted():
    answer = log()
    assert (answer["version"], len(answer["runs"])) == ("2.1.0", 1)
    run = answer["runs"][0]
    assert run["tool"]["driver"]["name"] == "omoide"
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["originalUriBaseIds"] == {"SRCROOT": {"uri": "file:///project/"}}


def test_sarif_has_every_rule_with_its_page_and_results_point_at_them():
    run = log()["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == sorted(EXPLAINED)
    for rule in rules:
        assert rule["help"]["markdown"].startswith(f"# {rule['id']}\n")
        assert rule["shortDescription"]["text"] == EXPLAINED[rule["id"]].summary
        assert "\n" not in rule["fullDescription"]["text"] != ""
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
        assert "helpUri" not in rule
    assert [result["ruleId"] for result in run["results"]] == ["invalid-status", "unknown-key", "unknown-reference"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]


def test_sarif_rules_link_to_their_pages_where_those_are_published():
    answer = sarif({}, base="file:///w/", version="1", root=".omoide", help_base="https://example.org/rules/")
    assert "https://example.org/rules/unknown-key.md" in [
        rule["helpUri"] for rule in answer["runs"][0]["tool"]["driver"]["rules"]
    ]


def test_sarif_lines_and_columns_count_from_1_in_code_points():
    result = log()["runs"][0]["results"][2]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": PATH, "uriBaseId": "SRCROOT"}
    assert place["region"] == {"startLine": 9, "startColumn": 4, "endLine": 9, "endColumn": 16}
    assert TEXT.split("\n")[8][4 - 1 : 16 - 1] == "#retry-polcy"


def test_sarif_fixes_do_what_the_fixes_do():
    """Read back from the regions, as a viewer would apply them."""
    results = log()["runs"][0]["results"]
    diagnostics = found()[PATH]
    assert len(results) == len(diagnostics)
    for result, diagnostic in zip(results, diagnostics, strict=True):
        fixes = result.get("fixes", [])
        assert [fix["description"]["text"] for fix in fixes] == [fix.title for fix in diagnostic.fixes]
        for fix, meant in zip(fixes, diagnostic.fixes, strict=True):
            (change,) = fix["artifactChanges"]
            edits = [TextEdit(_range(r["deletedRegion"]), r["insertedContent"]["text"]) for r in change["replacements"]]
            assert apply_edits(TEXT, edits) == apply_edits(TEXT, meant.edits)


def _range(region) -> Range:
    start = Position(region["startLine"] - 1, region["startColumn"] - 1)
    return Range(start, Position(region["endLine"] - 1, region["endColumn"] - 1))


def test_sarif_related_places_lie_under_the_root():
    related = Related("knowledge/b c.md", Range(Position(0, 0), Position(0, 3)), "here")
    result = log(**{"a.md": [one(related=(related,))]})["runs"][0]["results"][0]
    (place,) = result["relatedLocations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == ".omoide/knowledge/b%20c.md"
    assert (place["id"], place["message"]["text"]) == (0, "here")


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("a b/#c%.md", "a%20b/%23c%25.md"),
        ("/home/u/config.toml", "file:///home/u/config.toml"),
        ("C:/Users/u/config.toml", "file:///C:/Users/u/config.toml"),
    ],
)
def test_sarif_paths_are_uris(path, uri):
    result = log(**{path: [one()]})["runs"][0]["results"][0]
    location = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location["uri"] == uri
    assert ("uriBaseId" in location) == (not uri.startswith("file:"))
    assert unquote(uri).endswith(path)


@pytest.mark.parametrize(
    ("severity", "level", "command"),
    [(Severity.ERROR, "error", "error"), (Severity.WARNING, "warning", "warning"), (Severity.HINT, "note", "notice")],
)
def test_severities_in_the_words_of_each_form(severity, level, command):
    assert log(**{"a.md": [one(severity)]})["runs"][0]["results"][0]["level"] == level
    assert next(annotation_lines({"a.md": [one(severity)]})).startswith(f"::{command} ")


def test_sarif_can_be_written_as_json():
    assert json.loads(json.dumps(log())) == log()


def test_an_annotation_is_one_line_with_its_place():
    line = list(annotation_lines(found()))[-1]
    start = f"::error file={PATH},line=9,endLine=9,col=4,endColumn=15,title=unknown-reference::"
    assert line.startswith(start + "There is no knowledge record `#retry-polcy`")


def test_an_annotation_escapes_what_means_something_to_the_runner():
    """As the documentation of workflow commands has it: `%`, CR and LF everywhere, `:` and `,` in properties."""
    line = next(annotation_lines({"a,b:c%.md": [one(message="50 %\r\n::error::x, y: z")]}))
    assert "file=a%2Cb%3Ac%25.md," in line
    assert line.endswith("::50 %25%0D%0A::error::x, y: z")
    assert "\n" not in line


def test_an_annotation_over_several_lines_has_no_columns():
    span = Range(Position(0, 4), Position(2, 1))
    line = next(annotation_lines({"a.md": [Diagnostic("thin-evidence", Severity.WARNING, "m", span)]}))
    assert line == "::warning file=a.md,line=1,endLine=3,title=thin-evidence::m"


def test_an_annotation_of_an_empty_range_has_a_column():
    line = next(
        annotation_lines({"a.md": [Diagnostic("empty-body", Severity.WARNING, "m", Range(*2 * [Position(0, 0)]))]})
    )
    assert "col=1,endColumn=1" in line


def test_diagnostics_come_back_from_the_cache_as_they_were():
    fix = Fix(
        "語",
        (TextEdit(Range(Position(1, 2), Position(3, 4)), "x\r\n😀\ud800"), TextEdit(Range(*2 * [Position(9, 9)]), "")),
    )
    related = Related("knowledge/a.md", Range(Position(0, 0), Position(0, 0)), "there")
    files = {"a.md": [one(fixes=(fix,), related=(related,)), one(Severity.HINT)], "b.md": [], **found()}
    assert as_text.unpacked(as_text.packed(files)) == files


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"a": [[1]]}', '{"a": [["c", "x", "m", [0, 0, 0, 0], [], []]]}', '{"a": 1}']
)
def test_what_is_no_kept_answer_is_refused(text):
    with pytest.raises((ValueError, TypeError)):
        as_text.unpacked(text)


HOOKS = (Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")


def test_the_hooks_run_the_linter():
    import yaml

    changed, everything = yaml.safe_load(HOOKS)
    assert (changed["id"], changed["entry"], changed["language"]) == ("omoide-lint", "omoide lint", "python")
    assert changed["pass_filenames"] is True
    assert (everything["pass_filenames"], everything["always_run"]) == (False, True)
    docs = (Path(__file__).parents[2] / "docs/ci.md").read_text(encoding="utf-8")
    assert all(f"id: {hook['id']}\n" in docs for hook in (changed, everything))


@pytest.mark.parametrize(
    ("path", "checked"),
    [
        (".omoide/memory/summary.md", True),
        (".omoide/memory/decisions/a.md", True),
        ("services/billing/.yoi/knowledge/a.md", True),
        (".omoide/workflow/a.md", True),
        (".omoide/memory/attempts/deep/a.txt", True),  # no record, and the linter says so
        (".omoide/memory/_usage/events.jsonl", False),
        (".omoide/memory/_archive/x/memory/decisions/a.md", False),
        (".omoide/memory/.keep", False),
        (".omoide/config.toml", False),
        ("docs/memory/a.md", False),
        ("x.omoide/memory/a.md", False),
    ],
)
def test_the_hook_is_given_what_the_linter_takes_for_records(path, checked):
    import re

    import yaml

    assert bool(re.search(yaml.safe_load(HOOKS)[0]["files"], path)) == checked
