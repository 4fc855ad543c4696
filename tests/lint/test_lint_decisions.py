"""Rules about a decision's status and what replaced it."""

import pytest

from tests.lint.lint_fixture import check_lint, codes, decision, diagnostics, fixed, request


def decisions(**heads: str) -> str:
    return "".join(f"//- memory/decisions/{slug}.md\n{decision(head)}" for slug, head in heads.items())


def replaced(by: str) -> str:
    return f"status: replaced\nreplaced_by: {by}\n"


@pytest.mark.parametrize("status", ["open", "resolved"])
def test_the_statuses_without_a_successor(status):
    check_lint(decisions(a=f"status: {status}\n"))


@pytest.mark.parametrize(
    ("written", "meant"), [("Open", "open"), ("RESOLVED", "resolved"), ("' open'", "open"), ("done", None)]
)
def test_another_status_is_an_error_and_corrected_when_only_its_case_is_wrong(written, meant):
    source = decisions(a=f"status: {written}\n")
    found = diagnostics(source, "memory/decisions/a.md")
    assert [d.code for d in found] == ["invalid-status"]
    assert found[0].range.end.character - found[0].range.start.character == len(written)
    assert fixed(source, "memory/decisions/a.md") == (decision(f"status: {meant}\n") if meant else None)


def test_a_status_that_is_no_text_is_an_invalid_field():
    assert codes(decisions(a="status: true\n"), "memory/decisions/a.md") == ["invalid-field"]


def test_a_successor_that_exists_is_clean():
    check_lint(decisions(a=replaced("b"), b="status: open\n"))


def test_a_successor_that_does_not_exist():
    check_lint(decisions(a=replaced("gone\n//           ^^^^ unknown-replacement")))


def test_a_request_of_that_name_is_no_successor():
    other = f"//- memory/requests/b.md\n{request()}"
    assert codes(decisions(a=replaced("b")) + other, "memory/decisions/a.md") == ["unknown-replacement"]


def test_a_near_successor_is_offered_and_left_to_a_person():
    source = decisions(a=replaced("use-postgress"), **{"use-postgres": "status: open\n"})
    found = diagnostics(source, "memory/decisions/a.md")
    assert [fix.title for fix in found[0].fixes] == ["Change to `use-postgres`"]
    assert fixed(source, "memory/decisions/a.md") is None


def test_a_decision_that_replaces_itself_is_reported_once():
    check_lint(decisions(a=replaced("a\n//           ^ self-replacement")))


def test_a_circle_of_two_is_reported_on_both():
    mark = "\n//           ^ replacement-cycle"
    check_lint(decisions(a=replaced("b" + mark), b=replaced("a" + mark)))


def test_a_circle_of_three_and_a_decision_that_leads_into_it():
    mark = "\n//           ^ replacement-cycle"
    check_lint(
        decisions(a=replaced("b" + mark), b=replaced("c" + mark), c=replaced("a" + mark), d=replaced("b" + mark))
    )


def test_a_later_step_that_dangles_is_said_on_the_first_and_is_an_error_on_the_last():
    source = decisions(
        a=replaced("b\n//           ^ broken-chain"), b=replaced("gone\n//           ^^^^ unknown-replacement")
    )
    check_lint(source)
    related = diagnostics(source, "memory/decisions/a.md")[0].related[0]
    assert (related.path, related.range.start.line) == ("memory/decisions/b.md", 5)


def test_a_long_chain_that_ends_is_clean_and_a_very_long_one_is_no_endless_work():
    heads = {f"d{n:03}": replaced(f"d{n + 1:03}") for n in range(400)} | {"d400": "status: open\n"}
    source = decisions(**heads)
    assert codes(source, "memory/decisions/d390.md") == []
    assert codes(source, "memory/decisions/d000.md") == ["replacement-cycle"]


def test_replaced_without_a_successor():
    check_lint(decisions(a="status: replaced\n//      ^^^^^^^^ status-mismatch\n"))


def test_a_successor_under_another_status_is_fixed_where_the_successor_exists():
    source = decisions(a="status: open\nreplaced_by: b\n", b="status: open\n")
    assert codes(source, "memory/decisions/a.md") == ["status-mismatch"]
    assert fixed(source, "memory/decisions/a.md") == decision("status: replaced\nreplaced_by: b\n")


def test_a_successor_that_is_unknown_changes_no_status():
    source = decisions(a="status: open\nreplaced_by: gone\n")
    assert codes(source, "memory/decisions/a.md") == ["status-mismatch", "unknown-replacement"]
    assert fixed(source, "memory/decisions/a.md") is None


def test_replaced_by_that_is_no_slug():
    assert codes(decisions(a=replaced("Use Postgres")), "memory/decisions/a.md") == ["invalid-field"]
