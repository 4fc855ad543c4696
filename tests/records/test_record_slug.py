"""The one grammar of slugs."""

import pytest

from memory_core.records.slug import DEVICE_NAMES, is_slug, slug_problem, slugify


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
