"""What an audit looks for, by name, and the codes that each check finds. The one table behind text, JSON and SARIF.

Finds nothing itself.
"""

from __future__ import annotations

from memory_core.store.health import Finding

CHECKS: dict[str, tuple[str, dict[str, str]]] = {
    "duplicates": (
        "Records that say nearly the same.",
        {
            "near-duplicate": "Two records say nearly the same.",
            "similar-slugs": "Several records have nearly the same name.",
        },
    ),
    "references": (
        "References to what is not there, and chains that go in a circle.",
        {
            "unknown-reference": "A `#slug` names no knowledge record.",
            "unknown-workflow": "A `/slug` names no workflow.",
            "unknown-place": "A path or a link leads to no record.",
            "unknown-requires": "A workflow requires knowledge that is not there.",
            "unknown-replacement": "A decision is replaced by one that is not there.",
            "broken-chain": "A chain of replaced decisions leads nowhere.",
            "replacement-cycle": "Decisions replace each other in a circle.",
            "self-replacement": "A decision replaces itself.",
        },
    ),
    "anchors": (
        "Evidence that is not where a record says.",
        {
            "source-changed": "What a record quotes is not in the log any more.",
            "source-gone": "The log of a source is gone.",
            "log-unreadable": "A log that records point at cannot be read.",
            "doubtful-evidence": "A staged candidate's evidence does not hold, so that no record is made of it.",
        },
    ),
    "secrets": (
        "Keys, tokens and passwords, in records and in everything else below the root.",
        {"secret": "A file holds what looks like a secret.", "secret-in-record": "A record holds a secret."},
    ),
    "language": (
        "Records in another language than their people's.",
        {"wrong-language": "A record is written in another language than the settings or its evidence."},
    ),
    "resident": (
        "What agents are given unasked, against its budget and its use.",
        {
            "over-resident-budget": "A record does not fit into the resident context.",
            "description-too-long": "A description is too long for the resident context.",
            "resident-unread": "A record costs tokens in every session and was never read.",
        },
    ),
    "unread": ("Records that nobody reads.", {"unread": "A record was not read since it was written."}),
    "recall loops": (
        "Recalled text that is on its way to be remembered again.",
        {"recall-loop": "Text that a memory put into a session was stored as if somebody had said it."},
    ),
    "scope": (
        "Scopes that contradict each other.",
        {
            "scope-unclear": "A scope cannot be understood, so that nobody sees the record.",
            "scope-conflict": "A record names another that not all its readers may see.",
            "scope-wider": "A record is shown to more than the session it comes from was for.",
        },
    ),
    "index": (
        "The index against the records.",
        {
            "stale-index": "The index believes something of a file that it does not hold.",
            "index-behind": "Files changed since the index was written.",
        },
    ),
    "enrichers": (
        "What enrichers know against the records.",
        {
            "enricher-ghost": "An enricher knows records that are gone.",
            "enricher-behind": "An enricher was not sent everything.",
            "enricher-left-over": "Files of an enricher that is not configured.",
        },
    ),
    "store": (
        "The files of the store: readable, whole, private, shared as meant.",
        {
            "lint": "Records have errors that the linter lists.",
            "staging": "A staging file cannot be read.",
            "dead-letter": "A slice could not be extracted.",
            "review": "A run waits for a person.",
            "link-out": "A link leads out of the store.",
            "not-searched": "A file is too large to be searched.",
            "unreadable": "A file cannot be read.",
            "readable-by-others": "Other users may read a private file.",
            "torn-line": "A log has lines that cannot be read.",
            "unfinished-run": "A run was interrupted.",
            "dead-lock": "A lock names no running process.",
            "left-over": "A temporary file was left.",
            "tracked": "Git holds local files of the store.",
            "not-ignored": "Git would take local files of the store.",
            "records-ignored": "Git ignores the records.",
            "damaged-receipt": "A receipt cannot be read.",
            "unused-root": "A second memory lies beside the one that is used.",
        },
    ),
    "losses": (
        "The store against what it was at earlier audits.",
        {
            "slow-loss": "There is less of something than there was.",
            "record-gone": "A record that candidates went into is gone, and no command removed it.",
            "line-gone": "A line of the summary that a candidate went into is gone, and no run took it out.",
        },
    ),
}

CODES = {code: text for _, codes in CHECKS.values() for code, text in codes.items()}
CHECK_OF = {code: check for check, (_, codes) in CHECKS.items() for code in codes}


def check_of(finding: Finding) -> str:
    """The check that a finding belongs to."""
    return CHECK_OF.get(finding.code, "store")
