"""Texts with made-up secrets as agents' tools show them and people say them, and ordinary ones that look alike.

`SHOWN`, `SAID`, `ELSEWHERE`: (what it is, text, the secret in it). `ORDINARY`: texts of which nothing may be taken out.
"""

from __future__ import annotations

import html
import json
from urllib.parse import quote

PASS, OTHER = "Vq6n" + "Rw3xTz8K", "m7H!pQ" + "z2#wLd"
KEY, HEX = "bC4dF6gH8" + "jK2lM9nP3qR5sT7v", "5e1d9a70c3" + "b84f26a9d0e7c1b3f58264"
RUN = "Wd5Yt8Lr2Vm9Xc4Bh7" + "Nk1Gs6Zp3Fq0Ja5Ue8"


def _numbered(text: str, pattern: str = "{n:6d}→{line}") -> str:
    return "\n".join(pattern.format(n=n, line=line) for n, line in enumerate(text.split("\n"), 41))


_ENV = f"env:\n  - name: MAIL_PASSWORD\n    value: {PASS}"
_NETRC = f"machine files.acme.test\nlogin carol\npassword {PASS}"
_BLOCK = f"mail:\n  password: |-\n    {OTHER}\n  port: 25"
SHOWN: tuple[tuple[str, str, str], ...] = (
    # As tools show a text: numbers, names of files, marks and instants before each line.
    ("read of a file", _numbered(_ENV), PASS),
    ("read of a file, block below its key", _numbered(_BLOCK), OTHER),
    ("cat -n", _numbered(_NETRC, "{n:6d}\t{line}"), PASS),
    ("bat", _numbered(f"<key>AuthToken</key>\n<string>{KEY}</string>", "{n:4d} │ {line}"), KEY),
    ("nl", _numbered(f"id;mail;password\n7;eve@acme.test;{PASS}", "{n:4d}: {line}"), PASS),
    ("grep", _numbered(_ENV, "deploy/worker.yaml:{n}:{line}"), PASS),
    ("grep with context", _numbered(_NETRC, "home/.netrc-{n}-{line}"), PASS),
    ("one line of context", f"conf/live.env-12-{RUN}", RUN),
    ("ripgrep", _numbered(f"fish_vars\nset -gx SEARCH_API_KEY {KEY}", "{n}:{line}"), KEY),
    ("an added file", "@@ -0,0 +1,3 @@\n" + _numbered(_ENV, "+{line}"), PASS),
    ("a removed line of a diff", f" env:\n-  - name: MAIL_PASSWORD\n-    value: {PASS}", PASS),
    (
        "a changed value in a diff",
        f"@@ -3 +3 @@\n   - name: MAIL_PASSWORD\n-    value: x\n+    value: {PASS}",
        PASS,
    ),
    ("a key behind a plus", f"+{RUN}", RUN),
    ("a quotation", _numbered(f"| who | password |\n|---|---|\n| eve | {PASS} |", "> {line}"), PASS),
    ("a comment", _numbered(_NETRC, "# {line}"), PASS),
    ("another comment", _numbered(_BLOCK, "// {line}"), OTHER),
    ("a box", _numbered(_ENV, "│ {line:<50} │"), PASS),
    ("compose", _numbered(f"Password\n{PASS}", "web-2  | {line}"), PASS),
    ("a pod's log", _numbered(_NETRC, "[pod/web-0/main] {line}"), PASS),
    ("a build's log", _numbered(_ENV, "2026-10-02T08:15:30.55Z {line}"), PASS),
    ("the system's log", _numbered(f"Password:\n{PASS}", "Oct 12 08:15:30 box web[7]: {line}"), PASS),
    ("a number and a quotation", _numbered("> machine files.acme.test\n> login carol\n> password " + PASS), PASS),
    # Inside strings of other formats.
    ("code in JSON", json.dumps({"content": f'os.environ["MAP_TOKEN"] = "{KEY}"'}), KEY),
    ("a call in JSON", json.dumps({"new": f'post(url, auth=("carol", "{PASS}"))'}), PASS),
    ("a default in JSON", json.dumps({"new": f'os.getenv("MAP_SECRET", "{KEY}")'}), KEY),
    ("a property in JSON", json.dumps({"t": f'<property name="mail.password">{PASS}</property>'}), PASS),
    ("lines in JSON", json.dumps({"stdout": _ENV}), PASS),
    ("numbered lines in JSON", json.dumps({"output": _numbered(_NETRC)}), PASS),
    ("JSON in JSON", json.dumps(json.dumps({"content": f'os.environ["MAP_TOKEN"] = "{KEY}"'})), KEY),
    ("a literal of Python", repr(f'it\'s\nos.environ["MAP_TOKEN"] = "{KEY}"'), KEY),
    ("code in a page", html.escape(f'os.environ["MAP_TOKEN"] = "{KEY}"'), KEY),
    ("an element in a page", html.escape(f"<property name='mail.password'>{PASS}</property>"), PASS),
    ("an address that holds code", "q=" + quote(f'post(url, auth=("carol", "{PASS}"))'), PASS),
    ("an address that holds JSON", "data=" + quote(json.dumps({"dbPassword": PASS})), PASS),
)
SAID: tuple[tuple[str, str, str], ...] = (
    ("said en 1", f"I have set the database password to {PASS} this morning.", PASS),
    ("said en 2", f"The API key for the map service is {KEY}", KEY),
    ("said en 3", f"Please use {PASS} as the password for carol", PASS),
    ("said en 4", f"Set MAIL_PASSWORD to {PASS} in the vault", PASS),
    ("said en 5", f"you can log in with carol / {PASS}", PASS),
    ("said en 6", f"the staging token we got yesterday was {KEY}", KEY),
    ("said en 7", f"ssh eve@10.1.2.3 (password {PASS})", PASS),
    ("said en 8", f"we rotated the password from {PASS} to something else", PASS),
    ("said en 9", f"the test account eve@acme.test / {PASS} is for all", PASS),
    ("said de 1", f"Das Passwort für den Testserver lautet {PASS}", PASS),
    ("said de 2", f"Der API-Schlüssel von Acme ist {KEY}", KEY),
    ("said de 3", f"Bitte {PASS} als Kennwort verwenden", PASS),
    ("said de 4", f"Melde dich mit carol / {PASS} an, Zugangsdaten: carol / {PASS}", PASS),
    ("said fr 1", f"Le mot de passe du compte de test est {PASS}", PASS),
    ("said fr 2", f"La clé API de production est {KEY}", KEY),
    ("said fr 3", f"utilise {PASS} comme mot de passe", PASS),
    ("said es 1", f"La contraseña del servidor de pruebas es {PASS}", PASS),
    ("said es 2", f"El token de acceso de Acme es {KEY}", KEY),
    ("said es 3", f"usa {PASS} como contraseña para carol", PASS),
    ("said ja 1", f"ステージングのパスワードを{PASS}に設定しました", PASS),
    ("said ja 2", f"アクセストークンは {KEY} です", KEY),
    ("said ja 3", f"{PASS} をパスワードとして使ってください", PASS),
)
ELSEWHERE: tuple[tuple[str, str, str], ...] = (
    ("presigned", f"https://b.s3.eu-west-1.amazonaws.com/a?X-Amz-Date=2&X-Amz-Signature={HEX}{HEX}", HEX),
    ("key of an address", f"GET https://maps.acme.test/v1/tiles?key={KEY}&z=3", KEY),
    ("items", f"Access:\n- user: carol\n- pass: {PASS}", PASS),
    ("columns", f"login      password\ncarol      {PASS}", PASS),
    ("a variable of Go", f'var smtpPass string = "{PASS}"', PASS),
    ("a weak one in settings", "environment:\n  MYSQL_PASSWORD: sunshine7", "sunshine7"),
    ("a field of a page", f"page.locator('#login-password').fill('{PASS}')", PASS),
)
FORMS = (*SHOWN, *SAID, *ELSEWHERE)

_CODE = """def rotate(token: str, key: bytes) -> str:
    # the token is refreshed every 15 minutes, see docs/auth.md
    if token == os.environ["SESSION_TOKEN"]:
        raise ValueError("token is the same\\nas before")
    return hmac.new(key, token.encode(), "sha256").hexdigest()"""
_YAML = """apiVersion: apps/v1
env:
  - name: DB_PASSWORD
    valueFrom:
      secretKeyRef:
        name: db-credentials
        key: password
  - name: TOKEN_TTL
    value: "3600"
image: ghcr.io/acme/web@sha256:9b2cbb1f3e6e4b2a0c7de1f3a2b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6"""
_TALK = """We keep API keys in the vault, never in config.toml
Password
must be at least twelve characters
token
bucket of 100 requests a second"""
_TABLE = """| setting | password |
|---|---|
| minimum | 12 characters |
| hash | argon2id |"""
_LOG = """commit 9f3b1c7ad2e84f60b5a1c3e7d9f0a2b4c5d6e7f8
request id 550e8400-e29b-41d4-a716-446655440000 failed: invalid_token
pod web-7d9f8b6c5d-x2x9k restarted, key rotation: kid=2026-11
created: 2026-10-02T08:15:30Z, model claude-sonnet-4-5-20250929"""
_MARKS = (
    *("{n:6d}→{line}", "{n:6d}\t{line}", "{n}:{line}", "{n:4d} | {line}", "src/auth.py:{n}:{line}"),
    *("src/auth.py-{n}-{line}", "+{line}", "-{line}", "> {line}", "# {line}", "// {line}", "│ {line} │"),
    *("web-1  | {line}", "2026-10-02T08:15:30.55Z {line}", "[pod/web-0/main] {line}"),
)
_PROSE = """The password is required and the user name is optional
set the password to at least 12 characters
We changed the token lifetime from 15m to 30m
Use bcrypt as the password hash
use SHA256 as the key derivation function
The API key for Acme is stored in 1Password
The access token is valid for 3600s and the refresh token for 30d
the key for the cache is user_id:v2
Set DB_PASSWORD to the value from the vault
Set TOKEN_TTL to 3600
Set API_KEY_HEADER to X-Acme-Key
the token type is Bearer, the key type is RSA-4096
log in with admin / the password from the vault
login with GitHub / Google
log in as admin with two-factor authentication
Das Passwort ist in 1Password gespeichert
Das Passwort für staging ist im Tresor
Der Token ist 15 Minuten gültig
Der API-Key ist in der Datei config/prod2.toml
nimm argon2id als Passwort-Hash
Zugangsdaten: siehe Tresor / Abschnitt 3
Le mot de passe du compte est stocké dans Vault2
La clé API est obligatoire depuis v2.14.3
Le jeton est valable 15min
utilise bcrypt2 comme algorithme de mot de passe
La contraseña del admin es obligatoria desde 2024-11-02
El token de acceso es un JWT con RS256
La clave primaria es user_id2
usa sha512 como hash de contraseña
パスワードは8文字以上にしてください
トークンは15分で期限切れになります
APIキーは環境変数OPENAI_API_KEYから読みます
鍵はAES-256-GCMで作ります
The secret is named payments-webhook-signing-v2
The token comes from src/auth/token_service2.test.ts
token was issued by https://auth.acme.test/oauth2/v2
the key is ~/.ssh/id_ed25519
the password field is called user_password2
The key is sorted by created_at2 and then id
the password of the fixture is empty
key=value, auth=oauth2, code=404
GET /v1/search?key=name&auth=oauth2&code=200 HTTP/1.1
https://docs.acme.test/guide?key=getting-started-2&code=E1234
user   password_changed_at
bob    2026-10-02
password: required
password: string
passwordHash: argon2id
pass: 120, fail: 3
- user: admin
- pass: 14
page.fill("#password", password)
await page.locator('input[name=password]').fill(user.password)
AUTH LOGIN is off, AUTH is required
IDENTIFIED BY password
var dbPass string = os.Getenv("DB_PASS")
the password is checked by auth.verify_password(user, raw2)
see https://a.test/x?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=3600"""
ORDINARY: tuple[str, ...] = (
    *(_numbered(text, mark) for text in (_CODE, _YAML, _TALK, _TABLE) for mark in _MARKS[:13]),
    *(_numbered(_LOG, mark) for mark in _MARKS),
    *(write(text) for text in (_CODE, _YAML, _TALK, _LOG) for write in (json.dumps, html.escape, repr)),
    *(quote(text) for text in (_TALK, _LOG)),
    *(json.dumps({"content": _numbered(text)}) for text in (_CODE, _YAML)),
    *_PROSE.split("\n"),
    _PROSE,
)
