"""Slugs: the one grammar for file names, references, completion and rename."""

from __future__ import annotations

import re

MAX_LENGTH = 64
PATTERN = r"[a-z0-9]+(?:-[a-z0-9]+)*"
_SLUG = re.compile(PATTERN)

# File names that Windows maps to devices, whatever the extension: such a record could not be checked out there.
# https://learn.microsoft.com/windows/win32/fileio/naming-a-file
DEVICE_NAMES = frozenset({"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10))})


def slug_problem(text: str) -> str | None:
    """Why `text` is not a slug, as the end of a sentence; None when it is one."""
    if not text:
        return "is empty"
    if len(text) > MAX_LENGTH:
        return f"has {len(text)} characters, at most {MAX_LENGTH} are allowed"
    if not _SLUG.fullmatch(text):
        return "must be lower-case letters, digits and single hyphens, with a letter or digit at both ends"
    if text in DEVICE_NAMES:
        return "is a device name on Windows, so the file could not exist there"
    return None


def is_slug(text: str) -> bool:
    return slug_problem(text) is None


# Slugs that a reader of YAML 1.1 or 1.2 takes for nothing, a truth value, a number or a day where no quotes stand.
_NO_TEXT = re.compile(
    r"null|true|false|yes|no|on|off|y|n|0x[0-9a-f]+|0b[01]+|0o[0-7]+|\d+(?:e-?\d+)?|\d{4}-\d\d?-\d\d?"
)


def as_yaml(slug: str) -> str:
    """A slug as it stands in frontmatter: in quotes where it would not be read as text."""
    return f"'{slug}'" if _NO_TEXT.fullmatch(slug) else slug


def slugify(text: str, limit: int = MAX_LENGTH) -> str:
    """The nearest slug to some English words, cut at a word; empty when nothing usable is left (all CJK, say)."""
    words = re.findall(r"[a-z0-9]+", text.lower().replace("'", ""))
    slug = ""
    for word in words:
        longer = f"{slug}-{word}" if slug else word[:limit]
        if len(longer) > limit:
            break
        slug = longer
    return f"{slug}-record"[:limit] if slug in DEVICE_NAMES else slug
