"""Secrets out of text; ordinary text stays. Every secret here is made up, and put together so that no scanner trips."""

from __future__ import annotations

import time

import pytest

from memory_core import redact as redact_module
from memory_core.redact import find, locate, redact
from memory_core.secret_shapes import LIBRARY

LETTERS = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ0cD2fG4hJ6"
SECRETS = {
    "openai": "sk-" + LETTERS,
    "openai project": "sk-proj-" + LETTERS + "-_" + LETTERS,
    "anthropic": "sk-ant-api03-" + LETTERS + "-" + LETTERS,
    "stripe": "sk_live_" + LETTERS[:24],
    "github": "ghp_" + LETTERS,
    "github fine": "github_pat_" + LETTERS + "_" + LETTERS,
    "gitlab": "glpat-" + LETTERS[:20],
    "slack": "xoxb-" + "123456789012-" + LETTERS[:24],
    "aws id": "AKIA" + "ABCDEFGHIJ234567",
    "google": "AIza" + (LETTERS + LETTERS)[:35],
    "jwt": "eyJ" + LETTERS + ".eyJ" + LETTERS + "." + LETTERS,
    "npm": "npm_" + LETTERS,
    "huggingface": "hf_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH",
    "pypi": "pypi-AgEIcHlwaS5vcmc" + LETTERS + LETTERS,
}


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("around", ["{}", "key is {} ok", "KEY={}\n", '"{}"', "キーは{}です", "`{}`,"])
def test_a_secret_is_replaced_wherever_it_stands(name: str, around: str) -> None:
    """T36"""
    secret = SECRETS[name]
    cleaned = redact(around.format(secret))
    assert secret not in cleaned
    assert "[redacted " in cleaned


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("Authorization: Bearer " + LETTERS, LETTERS),
        ("postgres://admin:" + "hunter2secret" + "@db.local/x", "hunter2secret"),
        ("DATABASE_PASSWORD=" + "correct-horse-9", "correct-horse-9"),
        ('{"api_key": "' + LETTERS + '"}', LETTERS),
        ("aws_secret_access_key = " + LETTERS + "/+" + "abcd", LETTERS),
        ("password: " + "Tr0ub4dor&3", "Tr0ub4dor&3"),
    ],
)
def test_an_assigned_secret_is_replaced_and_its_name_stays(text: str, secret: str) -> None:
    cleaned = redact(text)
    assert secret not in cleaned
    assert cleaned[:6] == text[:6]


def test_a_private_key_goes_as_a_whole_also_when_it_is_cut_off() -> None:
    body = "\n".join([LETTERS] * 5)
    text = f"-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----"
    assert LETTERS not in redact(text)
    assert LETTERS not in redact(text[:120])


@pytest.mark.parametrize(
    "text",
    [
        "The token count is 1234 and the password field is required.",
        "token = get_token(request)",
        "commit 1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "018f4c2e-7b1a-7c3d-9e2f-0a1b2c3d4e5f",
        "src/auth/password_reset.py:120",
        'api_key_env = "OPENAI_API_KEY"',
        "秘密にする必要はありません。パスワード欄を追加する。",
        "https://example.org/a/b?c=d#e",
        "Use max_tokens=32000 and tokens_per_day=2000000.",
        "",
    ],
)
def test_ordinary_text_is_unchanged(text: str) -> None:
    """T34: a scan that drops too much destroys the record."""
    assert redact(text) == text


def test_redacting_twice_changes_nothing_more() -> None:
    once = redact("\n".join(SECRETS.values()) + "\npassword=" + "abc123def456")
    assert redact(once) == once


def test_find_names_the_kinds_and_not_the_values() -> None:
    kinds = find(f"{SECRETS['github']} and {SECRETS['aws id']}")
    assert kinds[:2] == ["github-token", "aws-key"]


@pytest.mark.parametrize("text", ["\ud800\x00" * 100, "a" * 200_000, "=" * 50_000, "-----BEGIN " * 2_000])
def test_no_text_makes_it_fail_or_hang(text: str) -> None:
    redact(text)


def test_what_the_scanner_library_looks_for_is_what_lines_are_given_to_it_for() -> None:
    """`secret_shapes.LIBRARY` says for each plugin what a line must hold. A change of the library is looked at."""
    plugins = [redact_module._plugin(module, name) for _, module, name in LIBRARY]
    found = [pattern.pattern for plugin in plugins for pattern in plugin.denylist]
    assert found == [
        r'(?:\s|=|:|"|^)AKC[a-zA-Z0-9]{10,}(?:\s|"|$)', r'(?:\s|=|:|"|^)AP[\dABCDEF][a-zA-Z0-9]{8,}(?:\s|"|$)',
        r"AccountKey=[a-zA-Z0-9+\/=]{88}", r"[MNO][a-zA-Z\d_-]{23,25}\.[a-zA-Z\d_-]{6}\.[a-zA-Z\d_-]{27}",
        r"[0-9a-z]{32}-us[0-9]{1,2}", r"\/\/.+\/:_authToken=\s*((npm_.+)|([A-Fa-f0-9-]{36})).*",
        r"SG\.[a-zA-Z0-9_-]{22}\.[a-zA-Z0-9_-]{43}", r"sq0csp-[0-9A-Za-z\\\-_]{43}", r"(?:r|s)k_live_[0-9a-zA-Z]{24}",
        r"\d{8,10}:[0-9A-Za-z_-]{35}", r"AC[a-z0-9]{32}", r"SK[a-z0-9]{32}",
    ]  # fmt: skip


def test_a_line_of_slashes_before_a_setting_of_npm_is_no_bomb() -> None:
    """A plugin of the library takes the square of such a line; it took seconds each, and a log may hold thousands."""
    line = "/" * 19_000 + "/:_authToken=${NPM_TOKEN}\n"
    start = time.process_time()
    redact(line * 5)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("my password is hunter2secretXX, keep it", "hunter2secretXX"),
        ("the passphrase was 'correct!horse9'", "correct!horse9"),
        ("パスワードは Tr0ub4dor&3 です", "Tr0ub4dor&3"),
        ("密码是：Zx9!kfw02", "Zx9!kfw02"),
        ("비밀번호는 Zx9!kfw02 입니다", "Zx9!kfw02"),
        ("deploy --password Sup3rS3cret --region eu", "Sup3rS3cret"),
        ("gh auth --with-token abcd1234efgh", "abcd1234efgh"),
        ("<password>Sup3rS3cret</password>", "Sup3rS3cret"),
        ("Authorization: Basic Ym9iOnMzY3JldHB3ZA==", "Ym9iOnMzY3JldHB3ZA=="),
        ('{"Authorization": "Basic Ym9iOnMzY3JldHB3ZA=="}', "Ym9iOnMzY3JldHB3ZA=="),
        ("curl -sS -u bob:s3cretpw https://x.example", "s3cretpw"),
        ("AWS_SECRET_ACCESS_KEY=abJalrXUtnFEMI/K7MDENG/bPxRfiCYGFEDCBKEY", "abJalrXUtnFEMI/K7MDENG/bPxRfiCYGFEDCBKEY"),
        ("https://hooks.slack.com/services/T0ABCDEF1/B0ABCDEF2/a1B2c3D4e5F6g7H8i9J0k1L2", "a1B2c3D4e5F6g7H8i9J0k1L2"),
    ],
)
def test_secrets_told_without_a_sign_of_assignment_are_found(text: str, secret: str) -> None:
    """T36: people and command lines name a secret in other ways than `name=value`."""
    assert secret not in redact(text)
    assert find(text)
    assert any(secret in text[found.start : found.end] for found in locate(text))


@pytest.mark.parametrize(
    "text",
    [
        "the password is required.",
        "the password is hashed with bcrypt",
        "パスワードは8文字以上12文字以下にする",
        "パスワードはsha256で保存する",
        "run it with --token value and --api-key YOUR_API_KEY",
        "curl -u $USER:$PASS https://x.example",
        "use basic authentication",
        "docker run -u 1000:1000 image",
    ],
)
def test_talk_about_secrets_is_none(text: str) -> None:
    assert redact(text) == text
    assert not locate(text)
