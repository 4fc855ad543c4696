"""`secret-in-record`: a key, token or password in a file that is shared through git. The message never repeats it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_core.diagnostic import Fix, Severity
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.redact import Secret, locate
from memory_core.text import TextEdit

# Ids and hashes that the host writes into sources are random by nature.
_ID_BEFORE = re.compile(r"(?:session_id|segment_id|native_id|call_id|evidence_id|sha256)[\"']?:\s*[\"']?\Z")


def check(context: Context) -> Iterator[Problem]:
    text = context.document.text
    for secret in locate(text):
        in_head = secret.start < context.record.body_start
        if in_head and _ID_BEFORE.search(text, max(0, secret.start - 30), secret.start):
            continue
        place = context.lines.range(secret.start, secret.end)
        message = (
            f"This looks like a secret ({secret.kind}): remove it here, and revoke it if the file was ever shared."
        )
        yield Problem(message, place, (Fix("Replace it by a note", (TextEdit(place, _note(secret, in_head)),)),))


def _note(secret: Secret, in_head: bool) -> str:
    """In the head a bracket would begin a list, so the note there is one plain word."""
    return f"redacted-{secret.kind}" if in_head else f"[redacted {secret.kind}]"


RULE = Rule("secret-in-record", Severity.ERROR, "A record holds a key, token or password.", check, guesses=True)
