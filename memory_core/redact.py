"""Secrets out of text before it leaves the process or reaches a file. Placeholders keep the kind, never the value."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

# Kinds the scanner library misses, or finds only inside quotes. A value is at least as long as real ones are.
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("private-key", re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL)),
    ("api-key", re.compile(r"\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9]{16,}\b")),
    ("github-token", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})\b")),
    ("gitlab-token", re.compile(r"\bgl(?:pat|dt|rt)-[A-Za-z0-9_-]{16,}")),
    ("slack-token", re.compile(r"\bxox[abeprs]-[A-Za-z0-9-]{10,}")),
    ("aws-key", re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    ("google-key", re.compile(r"\bAIza[0-9A-Za-z_-]{35}")),
    ("jwt", re.compile(r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}")),
    ("bearer", re.compile(r"(?i)(?<=bearer )[A-Za-z0-9._~+/-]{20,}=*")),
    ("password", re.compile(r"(?i)(?<=://)[^\s:/@]{1,64}:[^\s:/@]{3,}(?=@)")),
    (
        "secret",
        re.compile(
            r"(?i)(?<![A-Za-z])(?:[A-Z0-9_]*(?:api_?key|secret|passw(?:or)?d|token|access_?key)[A-Z0-9_]*)"
            r"\s*[=:]\s*[\"']?(?!\[redacted|(?:true|false|null|none|undefined)\b)(?P<value>[^\s\"',;)}\]]{8,})"
        ),
    ),
)


def redact(text: str) -> str:
    """The text with every secret replaced by `[redacted <kind>]`. Never raises; text without secrets is unchanged."""
    for kind, pattern in _PATTERNS:
        text = pattern.sub(lambda match, kind=kind: _replace(match, kind), text)  # type: ignore[misc]
    for value, kind in _scan(text):
        text = text.replace(value, f"[redacted {kind}]")
    return text


def find(text: str) -> list[str]:
    """The kinds of secret in a text, in order of first appearance."""
    found = [kind for kind, pattern in _PATTERNS if pattern.search(text)]
    return list(dict.fromkeys([*found, *(kind for _, kind in _scan(text))]))


def _replace(match: re.Match[str], kind: str) -> str:
    if "value" not in match.re.groupindex:
        return f"[redacted {kind}]"
    start = match.start("value") - match.start()
    value = match["value"]
    if not _looks_secret(value):
        return match.group()
    return f"{match.group()[:start]}[redacted {kind}]{match.group()[start + len(value):]}"


def _looks_secret(value: str) -> bool:
    """Whether an assigned value may be a secret: code such as `token=get_token(` or a path is none."""
    return bool(re.search(r"\d", value)) and not re.search(r"[(/{<$\[]", value)


def _scan(text: str) -> list[tuple[str, str]]:
    """What the scanner library finds: (value, kind). Lines of 20,000 characters and more are left to the patterns."""
    plugins = _plugins()
    found = []
    for line in text.splitlines():
        if 8 <= len(line) < 20_000:
            for plugin in plugins:
                for value in plugin.analyze_string(line):
                    if isinstance(value, str) and len(value) >= 8:
                        found.append((value, str(plugin.secret_type).lower().replace(" ", "-")))
    return found


@lru_cache(maxsize=1)
def _plugins() -> tuple[Any, ...]:
    from detect_secrets.plugins import artifactory, azure_storage_key, discord, mailchimp, npm, sendgrid, square_oauth
    from detect_secrets.plugins import stripe, telegram_token, twilio

    return (
        artifactory.ArtifactoryDetector(),
        azure_storage_key.AzureStorageKeyDetector(),
        discord.DiscordBotTokenDetector(),
        mailchimp.MailchimpDetector(),
        npm.NpmDetector(),
        sendgrid.SendGridDetector(),
        square_oauth.SquareOAuthDetector(),
        stripe.StripeDetector(),
        telegram_token.TelegramBotTokenDetector(),
        twilio.TwilioKeyDetector(),
    )
