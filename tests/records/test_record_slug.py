"""The one grammar of slugs."""

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.records.frontmatter import read
from memory_core.records.slug import DEVICE_NAMES, PATTERN, as_yaml, is_slug, slug_problem, slugify


@pytest.mark.parametrize("text", ["a", "ab", "abc-def", "x9", "a-b-c", "123", "a-1", "a" * 64])
def test_slugs(text):
    assert is_slug(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "-foo",
        "foo-",
        "Foo",
        "foo_bar",
        "foo bar",
        "foo--bar",
        "foo.bar",
        "ä",
        "a" * 65,
        "a\n",
        "a/b",
        "#a",
        "１",
    ],
)
def test_what_is_no_slug(text):
    assert not is_slug(text)


@pytest.mark.parametrize("name", ["con", "nul", "com1", "lpt9"])
def test_names_that_windows_keeps_for_devices_are_refused(name):
    assert name in DEVICE_NAMES
    assert "Windows" in (slug_problem(name) or "")
    assert is_slug(f"{name}-1")


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Retry with jitter!", "retry-with-jitter"),
        ("Don't Panic", "dont-panic"),
        ("データ", ""),
        ("con", "con-record"),
        ("word " * 40, "word-word-word-word-word-word-word-word-word-word-word-word-word"[:64]),
        ("x" * 100, "x" * 64),
    ],
)
def test_slugify_makes_a_slug_or_nothing(text, slug):
    made = slugify(text)
    assert made == slug.rstrip("-")
    assert made == "" or is_slug(made)


@settings(max_examples=300, deadline=None)
@given(
    st.from_regex(PATTERN, fullmatch=True) | st.sampled_from(["null", "on", "2026", "0x1f", "1e5", "010", "2026-01-31"])
)
def test_a_slug_in_yaml_is_read_as_itself(slug):
    """By ours, and by those that know days."""
    written = f"---\nreplaced_by: {as_yaml(slug)}\nrequires: [{as_yaml(slug)}]\n---\n"
    head, problems = read(written)
    assert head
    assert not problems
    assert head.values == {"replaced_by": slug, "requires": [slug]}
    assert yaml.safe_load(as_yaml(slug)) == slug


def test_a_plain_slug_stands_in_yaml_as_it_is():
    assert [as_yaml(slug) for slug in ("use-sqlite", "2026-plan", "v2", "nothing")] == [
        "use-sqlite",
        "2026-plan",
        "v2",
        "nothing",
    ]
