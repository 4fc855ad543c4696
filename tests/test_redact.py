"""Secrets out of text; ordinary text stays. Every secret here is made up, and put together so that no scanner trips."""

from __future__ import annotations

import time

import pytest

from memory_core import redact as redact_module
from memory_core.redact import beginning, brief, find, locate, part, redact
from memory_core.secrets.shapes import LIBRARY

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
    """`secrets.shapes.LIBRARY` says for each plugin what a line must hold. A change of the library is looked at."""
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


WORD = "Zx9" + "kfw02Qm7pL"  # of a length and kind that only its place tells from any other word
PEM_LINES = [LETTERS + LETTERS[:28], LETTERS[::-1] + LETTERS[:28], LETTERS[:9] + "=="]


def _pem(kind: str, end_of_line: str = "\n") -> str:
    return end_of_line.join([f"-----BEGIN {kind}-----", *PEM_LINES, f"-----END {kind}-----"])


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"redis://:{WORD}@cache.local:6379/0", WORD),
        (f"git clone https://{WORD * 2}@git.example/x.git", WORD * 2),
        (f"next=postgres%3A%2F%2Fme%3A{WORD}%40db%2Fx", WORD),
        ("DB_PASS=" + WORD, WORD),
        ("ansible_ssh_pass: " + WORD, WORD),
        ("password: pa$$w0rd" + "!x9", "pa$$w0rd!x9"),
        ('"password": "P@ss;wo' + 'rd1"', "P@ss;word1"),
        ("'secret' => 'abc(def)9" + "xyz'", "abc(def)9xyz"),
        (r"{\"password\": \"" + WORD + r"\"}", WORD),
        (r"{\\\"token\\\": \\\"" + WORD + r"\\\"}", WORD),
        ("password := " + WORD, WORD),
        ("token%3D" + WORD, WORD),
        ("passphrase: " + WORD, WORD),
        ("password: |\n  " + WORD, WORD),
        ("token: >-\n  " + WORD, WORD),
        ("PrivateKey = " + WORD, WORD),
        ("ENCRYPTION_KEY=" + WORD, WORD),
        ("https://a.example/c?sv=1&sig=" + WORD, WORD),
        (f'- name: DB_PASSWORD\n  value: "{WORD}"', WORD),
        ('{"name":"API_TOKEN","value":"' + WORD + '"}', WORD),
        (f'<add key="password" value="{WORD}"/>', WORD),
        (f"<password><![CDATA[{WORD}]]></password>", WORD),
        (f"| password | {WORD} |", WORD),
        (f"machine h.example login me password {WORD}", WORD),
        (f"sshpass -p {WORD} ssh h", WORD),
        (f"mysql -u me -p{WORD} db", WORD),
        (f"docker login -u me -p {WORD}", WORD),
        (f"Cookie: theme=dark; sessionid={WORD}; a=b", WORD),
        ("Set-Cookie: sid=" + WORD + "; Path=/", WORD),
        ("Authorization: token " + WORD, WORD),
        ('"Authorization": "Bearer ' + WORD + '"', WORD),
        ("Authorization: " + WORD, WORD),
        ('{"auths":{"ghcr.io":{"auth":"bWU6' + 'ZHExQUN0T2Q0"}}}', "bWU6ZHExQUN0T2Q0"),
        ("//npm.example/:_auth=bWU6" + "ZHExQUN0T2Q0", "bWU6ZHExQUN0T2Q0"),
        ("the password for prod is " + WORD, WORD),
        ("my password is: " + WORD, WORD),
        ("トークンは " + WORD + " です", WORD),
        ("APIキーは" + WORD + "です", WORD),
        ("пароль: " + WORD, WORD),
        ("whsec_" + LETTERS, LETTERS),
        ("Run_ghp_" + "abcdefghij" * 3, "abcdefghij" * 3),
        ("sk-\x1b[m\x1b[Kproj-" + LETTERS[:20], LETTERS[:20]),
        ("ghp_" + LETTERS[:9] + "\u200b" + LETTERS[9:], LETTERS[9:]),
    ],
)
def test_a_secret_is_known_by_its_place_in_what_programs_write(text: str, secret: str) -> None:
    """T36: found by an opponent, each of them in ordinary tool output."""
    from memory_core.using.fence import quoted

    assert secret not in redact(text)
    assert secret not in quoted(text), "what an agent is given is looked at by the same measure"
    assert find(text)
    assert any(secret in text[found.start : found.end] for found in locate(text))
    assert redact(redact(text)) == redact(text)


@pytest.mark.parametrize("kind", ["RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"])
@pytest.mark.parametrize("end_of_line", ["\n", "\r\n", "\\n", "\\\\n", "\n+", "\n> "])
def test_a_private_key_goes_with_its_last_short_line(kind: str, end_of_line: str) -> None:
    whole = _pem(kind, end_of_line)
    for text in (whole, whole.partition(end_of_line)[2] if end_of_line in ("\n", "\r\n", "\n+", "\n> ") else whole):
        assert not any(line in redact(f"before\n{text}\nafter") for line in PEM_LINES), text
        assert redact(f"before\n{text}\nafter").startswith("before\n")
        assert redact(f"before\n{text}\nafter").endswith("\nafter")


def test_a_private_key_in_base64_goes_as_a_whole_and_a_certificate_stays() -> None:
    from base64 import b64encode

    packed = b64encode(_pem("EC PRIVATE KEY").encode()).decode()
    lines = "\n    ".join(packed[at : at + 64] for at in range(0, len(packed), 64))
    for text in (f"client-key-data: {packed}\nuser: x", f"key:\n    {lines}\n"):
        assert not any(packed[at : at + 20] in redact(text) for at in range(64, len(packed) - 20, 20))
    assert "user: x" in redact(f"client-key-data: {packed}\nuser: x")
    public = b64encode(_pem("CERTIFICATE").encode()).decode() * 2
    assert redact(f"ca: {public}") == f"ca: {public}"


@pytest.mark.parametrize(
    "text",
    [
        "'password' => 'required|min:8|confirmed'",
        "password: ${DB_PASSWORD_2}",
        'password: "{{ vault_pass_1 }}"',
        "private_key: keys-rsa2048.pem",
        "cookie: consent=yes; theme=dark",
        "basic authentication with auth: required",
        "author=someone1 authority: level2",
        "Authorization: Bearer $TOKEN",
        "| password | The field on page 2 |",
        "pass: 12 of 14 tests2 passed",
        "キーはsnake_case_2で書く",
        "name: DB_HOST\n  value: db1.example.internal",
        "\x1b[31mtoken\x1b[0m count \u200b is fine",
        "-----END CERTIFICATE-----",
        "https://first.last2longname.of.somebody@example.org/x",
    ],
)
def test_what_stands_in_such_places_and_is_none_stays(text: str) -> None:
    """T34"""
    assert redact(text) == text
    assert not locate(text)


def test_what_is_cut_is_looked_at_before() -> None:
    """Half a key is no key any more: it was shown in messages that end in the middle of one."""
    for before in range(0, 90, 3):
        text = "x " * before + SECRETS["github"] + " and more"
        for shown in (brief(text, 100), brief(text * 200, 100)):
            assert len(shown) <= 100
            assert LETTERS[:8] not in shown
    assert brief("a" * 1_000_000, 100).endswith("…")
    text = f"a {_pem('RSA PRIVATE KEY')} b"
    start = text.index(PEM_LINES[1])
    assert part(text, start, start + 20) == "[redacted private-key]"
    assert part(text, 0, 2) == "a "


@pytest.mark.parametrize("between", [" ", "\n", "."])
def test_what_a_secret_made_shorter_does_not_bring_half_a_key_to_the_front(between: str) -> None:
    """Behind a private key, what lies at the cut is shown first. T36"""
    key, wide = _pem("RSA PRIVATE KEY").replace(PEM_LINES[0], "\n".join(PEM_LINES[:1] * 40)), f"x{between}"
    for room in range(len(key), len(key) + 60):
        shown = beginning(f"{key}{wide * 4}{SECRETS['github']}{between}" + wide * 4_000, room)
        assert shown.startswith("[redacted private-key]"[: len(shown)])
        assert "ghp_" not in shown
        assert PEM_LINES[0] not in shown


def test_places_of_split_keys_are_those_of_the_text_itself() -> None:
    text = f"\x1b[1mkey\x1b[0m {SECRETS['github'][:9]}\x1b[K{SECRETS['github'][9:]} \u200bend"
    (found,) = locate(text)
    assert text[found.start : found.end].replace("\x1b[K", "") == SECRETS["github"]


@pytest.mark.parametrize(
    "form",
    [
        'os.environ["API_KEY"] = "{}"',
        "ENV['DB_PASSWORD'] = '{}'",
        'config[:password] = "{}"',
        'const PASSWORD: &str = "{}";',
        'const apiKey: string = "{}"',
        'var apiKey string = "{}"',
        'password = b"{}"',
        'password = """{}"""',
        'os.Setenv("API_KEY", "{}")',
        "define('DB_PASSWORD', '{}');",
        'user.setPassword("{}")',
        "ALTER USER app IDENTIFIED BY '{}';",
        "CREATE ROLE app LOGIN PASSWORD '{}'",
        "**Password:** {}",
        "**Password**: `{}`",
        "password:            {}",
        "DB_TOKEN        = {}",
        "&quot;password&quot;: &quot;{}&quot;",
        "q=password%22%3A%22{}",
        "password：{}",
        "PASSWORD＝{}",
        "the API key is {}",
        "api key: {}",
        "secret key: {}",
        "openssl rsa -passin pass:{} -in k",
        "gpg --batch --passphrase {} -d f",
        "redis-cli -h cache -a {} ping",
        "  pass: {}",
        "dbpass={}",
        "pw: {}",
        "Kennwort: {}",
        "https://discord.com/api/webhooks/123456789012345678/{0}{0}{0}{0}",
    ],
)
def test_a_secret_is_known_by_its_place_in_code_and_documents(form: str) -> None:
    """T35, T36: subscripts, types, setters, SQL, bold Markdown, columns, wide signs."""
    text = form.format(WORD)
    assert WORD not in redact(text)
    assert find(text)
    assert any(
        text[found.start : found.end].startswith(WORD[:4]) or WORD in text[found.start : found.end]
        for found in locate(text)
    )


@pytest.mark.parametrize(
    "text",
    [
        "The password is incorrect!",
        "Is your password required?",
        "the password is “hashed” with bcrypt",
        "the password is sha256-hashed and base64-encoded",
        "password for the admin is optional…",
        "Das Passwort ist ungültig!",
        "senha é obrigatória!",
        "пароль: обязателен!",
        "password: 必須です。英数字で入力します",
        "主キーはOrderItemId2Columnを使う",
        "トークンはOAuth2AccessTokenを使う",
        "密钥为AES256Gcm128Bits",
        "토큰은 JsonWebToken2Service에서 발급",
        "--- PASS: TestSHA256Sum (0.00s)",
        "const password = result.groups?.password1",
        "token = exports2.STRICT_TOKEN",
        "private_key: x25519.X25519PrivateKey",
        "authorization = base64.decode2bytes(header)",
        "secretName: my-app-tls-v2",
        "tokenizer: cl100k_base",
        "url = replace(password='********')",
        "pwd: 필수입력항목입니다.",
        "github.com/pkg/errors v0.9.1 h1:FEBLx1zS214owpjy7qsBeixbURkuhQAwrK5UwLGTwt4=",
        "ED25519 key fingerprint is SHA256:uNiVztksCsDhcc0u9e8BrqXVxyBy0tmEAc4TkEcQ1hA",
        "anyio/_core.py,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0",
        "at _ZNSt6vectorIiSaIiEE9push_backEOi12ABCdEfGh1Ij2K",
        "  \\ PhpToken\n  \\ APCIterator APCuIterator\n",
        'if "-----BEGIN RSA PRIVATE KEY-----" in text:\n    return Kind.KEY\n# and what follows (all of it) stays\n',
        "all tests pass: TestBase64Decode2",
    ],
)
def test_code_checksums_and_talk_come_through(text: str) -> None:
    """T34: what the wider nets must not take along."""
    assert redact(text) == text
    assert not locate(text)


def test_a_key_is_found_on_a_line_of_any_length() -> None:
    """What the library looks for was not looked for on lines of 20,000 characters and more: minified JSON."""
    key = "sq0" + "csp-" + (LETTERS * 2)[:43]
    text = '{"a":"' + "word " * 5_000 + f'","b":"{key}"' + ',"c":"' + "word " * 5_000 + '"}'
    assert key not in redact(text)
    assert any(key in text[found.start : found.end] for found in locate(text))


def test_places_and_text_agree_about_a_key_of_digits() -> None:
    text = "use sk-live-" + "4829104829104829" + " here"
    assert redact(text) == "use [redacted api-key] here"
    assert [text[found.start : found.end] for found in locate(text)] == [text[4:28]]
