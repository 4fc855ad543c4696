"""SARIF 2.1.0 against a schema of what the standard requires, for all kinds of problems, names and columns."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from memory_core.diagnostic import Diagnostic, Severity
from memory_core.lint.check import check_all
from memory_core.lint.code_quality import code_quality
from memory_core.lint.fingerprint import fingerprints
from memory_core.lint.sarif import sarif
from memory_core.snapshot import snapshot_of
from memory_core.text import Position, Range
from tests.lint.lint_fixture import decision, knowledge, workflow
from tests.lint.test_every_rule import FIRES

SCHEMA = json.loads((Path(__file__).parents[1] / "data/sarif-2.1.0-subset.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft7Validator(SCHEMA)


def log(files: dict[str, list[Diagnostic]], base: str = "file:///project/", **more: Any) -> dict[str, Any]:
    """A log as it is read back, which is valid and whose parts fit each other."""
    answer = json.loads(json.dumps(sarif(files, base=base, version="1.2.3", root=".omoide", **more)))
    VALIDATOR.validate(answer)
    (run,) = answer["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        for place in (*result["locations"], *result.get("relatedLocations", ())):
            region = place["physicalLocation"]["region"]
            start, end = (region["startLine"], region["startColumn"]), (region["endLine"], region["endColumn"])
            assert start <= end
            assert (
                place["physicalLocation"]["artifactLocation"].get("uriBaseId", "SRCROOT") in run["originalUriBaseIds"]
            )
    assert len({json.dumps(r["partialFingerprints"]) for r in run["results"]}) == len(run["results"])
    return answer


def test_the_schema_is_one_and_refuses_what_is_wrong() -> None:
    Draft7Validator.check_schema(SCHEMA)
    good = log({"a.md": [problem()]})

    def broken(change: Callable[[Any, Any], object]) -> bool:
        bad = copy.deepcopy(good)
        change(bad["runs"][0], bad["runs"][0]["results"][0])
        return not VALIDATOR.is_valid(bad)

    region = "locations"
    assert broken(lambda run, result: run.pop("columnKind"))
    assert broken(lambda run, result: result.pop("message"))
    assert broken(lambda run, result: result.update(level="hint"))
    assert broken(lambda run, result: result.update(severity="error"))
    assert broken(lambda run, result: result[region][0]["physicalLocation"]["region"].update(startLine=0))
    assert broken(lambda run, result: result[region][0]["physicalLocation"]["artifactLocation"].update(uri="a b.md"))
    assert broken(lambda run, result: result[region][0]["physicalLocation"]["artifactLocation"].update(uri="/a.md"))
    assert broken(lambda run, result: run["originalUriBaseIds"]["SRCROOT"].update(uri="file:///project"))


def problem(code: str = "unknown-key", start: tuple[int, int] = (3, 2), end: tuple[int, int] = (3, 7)) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, "m", Range(Position(*start), Position(*end)))


@pytest.mark.parametrize("code", sorted(FIRES))
def test_the_problems_of_every_rule_make_a_valid_log(code: str) -> None:
    given_case = FIRES[code]
    found = check_all(given_case.snapshot, facts=given_case.facts)
    answer = log({f".omoide/{path}": diagnostics for path, diagnostics in found.items()})
    assert code in [result["ruleId"] for result in answer["runs"][0]["results"]]


def test_a_clean_workspace_is_a_run_without_results() -> None:
    """An empty list says that it was looked at; no list would say that it was not (3.14.23)."""
    assert log({"a.md": []})["runs"][0]["results"] == []


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_columns_count_code_points_behind_any_script(newline: str) -> None:
    line = "語👩\u200d🚀 e\u0301 עברית\t#ghost-slug"
    text = decision(body=f"{line}\n").replace("\n", newline)
    found = check_all(snapshot_of({"memory/decisions/a.md": text}))
    (result,) = log({f".omoide/{path}": d for path, d in found.items()})["runs"][0]["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "#ghost-slug"
    assert region["startLine"] == region["endLine"] == 8


NAMES = [
    "a b",
    "a#b?c",
    "100%",
    "%41",
    "a:b",
    "語 👩‍🚀",
    "a\nb",
    "a\tb",
    'it\'s "q"',
    "a\\b",
    "..a",
    "a;b&c=d",
    "[x]{y}",
]


@pytest.mark.parametrize("name", NAMES)
def test_an_odd_name_is_a_relative_uri_that_leads_back_to_it(name: str) -> None:
    path = f".omoide/memory/decisions/{name}.md"
    answer = log({path: [problem()]})
    uri = answer["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert unquote(urljoin("file:///project/", uri)) == f"file:///project/{path}"


def test_settings_of_the_user_have_a_whole_uri_also_where_the_name_is_no_utf8() -> None:
    answer = log({"/home/u\udcff/config.toml": [problem("invalid-config")]})
    place = answer["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "file:///home/u%FF/config.toml"}


PLACES = st.tuples(st.integers(0, 50), st.integers(0, 50))


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(
        st.text(min_size=1, max_size=8).map(lambda name: f"m/{name}"),
        st.lists(st.tuples(PLACES, PLACES), max_size=4),
        max_size=3,
    )
)
def test_any_names_and_places_make_a_valid_log(files: dict[str, list[tuple[tuple[int, int], tuple[int, int]]]]) -> None:
    log({path: [problem("body-too-long", min(pair), max(pair)) for pair in pairs] for path, pairs in files.items()})


TEXTS = {
    "memory/decisions/a.md": decision("status: Open\nmodd: 1\n", "#gone and #gone\n"),
    "knowledge/b.md": knowledge("x" * 9_000),
    "workflow/c.md": workflow("requires: [gone]\n"),
}


def names(texts: dict[str, str]) -> dict[str, list[str]]:
    return fingerprints(check_all(snapshot_of(texts)))


def test_a_problem_keeps_its_fingerprint_while_lines_move_and_texts_grow() -> None:
    grown = {
        "memory/decisions/a.md": TEXTS["memory/decisions/a.md"].replace("#gone and", "A line.\n\nMore #gone and"),
        "knowledge/b.md": knowledge("y" * 12_345),
        "workflow/c.md": "---\n# A comment.\n" + TEXTS["workflow/c.md"].removeprefix("---\n"),
    }
    assert names(grown) == names(TEXTS)


def test_problems_that_say_the_same_are_told_apart_and_a_repaired_one_leaves_the_others() -> None:
    before = names(TEXTS)["memory/decisions/a.md"]
    assert len(set(before)) == len(before) == 4
    repaired = TEXTS | {"memory/decisions/a.md": TEXTS["memory/decisions/a.md"].replace("Open", "open")}
    assert set(names(repaired)["memory/decisions/a.md"]) < set(before)
    moved = names({"memory/decisions/z.md": TEXTS["memory/decisions/a.md"]})["memory/decisions/z.md"]
    assert not set(moved) & set(before)


def test_a_code_quality_report_has_the_same_fingerprints() -> None:
    found = check_all(snapshot_of(TEXTS))
    of_gitlab = [entry["fingerprint"] for entry in code_quality(found)]
    of_sarif = [r["partialFingerprints"]["omoide/v1"] for r in log(found)["runs"][0]["results"]]
    assert of_gitlab == of_sarif
    assert [e["location"]["lines"]["begin"] for e in code_quality(found)] == [
        d.range.start.line + 1 for diagnostics in found.values() for d in diagnostics
    ]
