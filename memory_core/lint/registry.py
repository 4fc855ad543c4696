"""Every rule and every code of the linter, as two explicit tables. Adding a rule is a file, a line here and a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from memory_core.diagnostic import Severity
from memory_core.lint.rule import Rule
from memory_core.lint.rules import (
    body_too_long,
    broken_chain,
    cut_by_comment,
    dates_order,
    description_too_long,
    empty_body,
    empty_description,
    hidden_text,
    invalid_field,
    invalid_status,
    merge_conflict,
    missing_field,
    misspelled_key,
    near_duplicate,
    over_resident_budget,
    replacement_cycle,
    reversed_range,
    secret_in_record,
    self_replacement,
    similar_slugs,
    source_changed,
    source_gone,
    status_mismatch,
    thin_evidence,
    too_many_sources,
    unknown_key,
    unknown_place,
    unknown_reference,
    unknown_replacement,
    unknown_requires,
    unknown_workflow,
)

RULES: tuple[Rule, ...] = (
    merge_conflict.RULE,
    missing_field.RULE,
    invalid_field.RULE,
    cut_by_comment.RULE,
    unknown_key.RULE,
    misspelled_key.RULE,
    invalid_status.RULE,
    status_mismatch.RULE,
    unknown_replacement.RULE,
    self_replacement.RULE,
    replacement_cycle.RULE,
    broken_chain.RULE,
    reversed_range.RULE,
    dates_order.RULE,
    empty_description.RULE,
    empty_body.RULE,
    description_too_long.RULE,
    body_too_long.RULE,
    too_many_sources.RULE,
    thin_evidence.RULE,
    similar_slugs.RULE,
    near_duplicate.RULE,
    over_resident_budget.RULE,
    secret_in_record.RULE,
    hidden_text.RULE,
    source_gone.RULE,
    source_changed.RULE,
    unknown_reference.RULE,
    unknown_workflow.RULE,
    unknown_requires.RULE,
    unknown_place.RULE,
)


@dataclass(frozen=True, slots=True)
class Code:
    """A code that a diagnostic may carry, with its usual severity and one sentence."""

    code: str
    severity: Severity
    summary: str


# Found while a file is located, read and parsed, before any rule can run, or while suppressions are applied.
_OUTSIDE_RULES = (
    Code("invalid-path", Severity.ERROR, "A file lies where no record can be."),
    Code("invalid-slug", Severity.ERROR, "A file name is not a slug."),
    Code("unreadable-file", Severity.ERROR, "A file cannot be read as UTF-8 text."),
    Code("missing-frontmatter", Severity.ERROR, "A record does not start with frontmatter."),
    Code("malformed-frontmatter", Severity.ERROR, "The frontmatter is not valid YAML."),
    Code("duplicate-key", Severity.ERROR, "A frontmatter key is given twice."),
    Code("unknown-disable", Severity.HINT, "A disabling comment names a code that does not exist."),
)

# Of `config.toml`. They cannot be graded by the file they are about: that could hide what it is not trusted with.
_OF_SETTINGS = (
    Code("invalid-config", Severity.WARNING, "A setting is unknown or has a bad value."),
    Code("untrusted", Severity.WARNING, "A setting of a workspace that is not trusted is ignored."),
)

_GRADED = (*_OUTSIDE_RULES, *(Code(rule.code, rule.severity, rule.summary) for rule in RULES))

CODES: frozenset[str] = frozenset(code.code for code in _GRADED)
"""The codes that `[lint]` in the settings and disabling comments may name."""

EXPLAINED: Mapping[str, Code] = MappingProxyType({code.code: code for code in (*_GRADED, *_OF_SETTINGS)})
"""Every code there is, by name."""

GUESSES: frozenset[str] = frozenset(rule.code for rule in RULES if rule.guesses)
"""The codes whose fixes are offered to a person but not applied by `lint --fix`."""
