"""No sign of a password lets it through, and nothing that is refused takes a secret along. Every secret is made up."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from random import Random

import pytest

from memory_core.redact import find, locate, redact

SIGNS = "!#$%&()*+,-.:;<=>?@[]^_{|}~\\/'\"`"
FIRST, SECOND = "Xk29" + "fL", "8ZrT" + "w7q1"
PLACES: dict[str, Callable[[str], str]] = {
    "variables": lambda v: f"DB_PASSWORD={v}",
    "variables in lower case": lambda v: f"db_password={v}",
    "variables in single quotes": lambda v: f"DB_PASSWORD='{v}'",
    "variables in double quotes": lambda v: f'DB_PASSWORD="{v}"',
    "yaml": lambda v: f"password: {v}",
    "properties": lambda v: f"spring.datasource.password={v}",
    "ini": lambda v: f"[client]\nuser=root\npassword={v}",
    "json": lambda v: json.dumps({"password": v}),
    "docker inspect": lambda v: '"Env": [' + json.dumps("DB_PASSWORD=" + v) + ', "PATH=/usr/bin"]',
    "connection string": lambda v: json.dumps({"Default": f"Server=db;User Id=app;Password={v};Encrypt=true"}),
    "libpq": lambda v: f"host=db user=u password={v} sslmode=require",
    "java": lambda v: f"Config(user=app, password={v}, host=db)",
    "go": lambda v: f"{{User:app Password:{v} Host:db}}",
    "python": lambda v: f"{{'password': '{v}'}}",
    "terraform plan": lambda v: f'      + password = "{v}"',
    "kubectl describe": lambda v: f"      DB_PASSWORD:  {v}",
    "markdown": lambda v: f"Password: `{v}`",
    "a prompt": lambda v: f"root@h's password: {v}",
    "sql": lambda v: f"CREATE USER a WITH PASSWORD '{v}';",
    "netrc": lambda v: f"machine h login a password {v}",
    "xml": lambda v: f"<password>{v}</password>",
    "talk": lambda v: f"the password is {v}",
    "curl": lambda v: f"curl -u 'admin:{v}' https://x",
    "an option": lambda v: f"tool --password '{v}' x",
    "an option with a sign": lambda v: f"tool --password='{v}' x",
    "mysql": lambda v: f"mysql -uroot -p'{v}' db",
    "sshpass": lambda v: f"sshpass -p '{v}' ssh root@h",
    "a label": lambda v: f"пароль: {v}",
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("sign", SIGNS)
def test_no_sign_lets_a_password_through(place: str, sign: str) -> None:
    """T36: one of them was enough, on every exit, in most of these places."""
    write = PLACES[place]
    if sign in "'\"`" and (sign in write("") or place in ("talk", "a label")):
        return  # what ends the quotes of a place; quotes of one's own are said around a password
    for value in (f"{FIRST}{sign}{SECOND}", f"{sign}{FIRST}{SECOND}", f"{FIRST}{SECOND}{sign}"):
        shown = redact(f"here:\n{write(value)}\nbye\n")
        assert FIRST not in shown, value
        assert SECOND not in shown, value
        assert shown.startswith("here:\n")
        assert shown.endswith("\nbye\n")
        assert locate(write(value))
        assert find(write(value))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Server=db;Password=K7v,Qm2(xZ9;Encrypt=true", ("Server=db", ";Encrypt=true")),
        ("a=1&password=K7v,Qm2(xZ9&b=2", ("a=1", "&b=2")),
        ("login(user=ann, password=K7v,Qm2(xZ9, host=db)", ("user=ann", "host=db)")),
        ('run "password=K7v,Qm2(xZ9", then (see below)', ('", then (see below)',)),
        ("<p>password=K7v,Qm2(xZ9</p> and more", ("</p> and more",)),
        (r'{"log": "password=K7v,Qm2(xZ9\nthe next line"}', (r"\nthe next line",)),
    ],
)
def test_a_password_ends_where_its_format_goes_on(text: str, kept: tuple[str, ...]) -> None:
    shown = redact(text)
    assert "Qm2" not in shown
    assert not [part for part in kept if part not in shown], shown


def test_a_token_in_place_of_a_persons_name_goes_with_the_password() -> None:
    assert FIRST not in redact(f"https://{FIRST}{SECOND}:x-oauth-basic@git.example/x.git")


def test_a_number_of_a_line_before_a_name_hides_nothing() -> None:
    for before in ("12:", "config.ini:12:", "2026-01-01T10:00:", "style ", "theme "):
        assert FIRST not in redact(f"{before}password={FIRST}{SECOND}"), before


def test_a_token_in_code_ends_where_the_code_goes_on() -> None:
    shown = redact("[![badge](https://x/badge.svg?token=bRzR3RyOXZ)](https://x/gh/y)")
    assert shown == "[![badge](https://x/badge.svg?token=[redacted secret])](https://x/gh/y)"


@pytest.mark.parametrize("place", ["variables", "variables in double quotes", "json", "yaml", "sql"])
@pytest.mark.parametrize("size", [12, 15, 18, 24])
def test_base64_is_no_path(place: str, size: int) -> None:
    """What `openssl rand -base64` draws often holds a slash; a third of it passed. A few still look like words."""
    source = Random(size)
    values = [b64encode(source.randbytes(size)).decode() for _ in range(200)]
    left = [value for value in values if value in redact(PLACES[place](value))]
    assert len(left) <= 0.1 * len(values), left


@pytest.mark.parametrize(
    "text",
    [
        "password=hash_password(user2, salt)",
        "password: config.values[index2]",
        "token = exports2[name]",
        "password=self.vault.read(path2),",
        "f(password=pw1, other=x2)",
        "password = read_password2(\n    user)",
        "password: /run/secrets/db2",
        "password: vault/prod/db2",
        "password: C:\\Users\\me\\password2",
        "secret: ./certs/server2",
        "password: str|None2",
        "password: $PASSWORD_2",
        'password: "{user}-{password2}"',
        "https://bob:${TOKEN2}@git.example/x.git",
        "https://bob:{token2}@git.example/x.git",
        "password -> ${DB_PASSWORD}",
    ],
)
def test_code_paths_and_places_to_fill_are_no_passwords(text: str) -> None:
    """T34: the signs do not tell, what stands between them does."""
    assert redact(text) == text
    assert not locate(text)


HEX = "4f1d9c2ab7e84c6d" + "9a0b1c2d3e4f5a6b"
WEAK = "Summer" + "2024!x"


@pytest.mark.parametrize("secret", [HEX, WEAK, "Kx7mQ2" + "vLp9Zt"])
@pytest.mark.parametrize(
    "form",
    [
        '{{"SecretString": "{{\\"username\\":\\"admin\\",\\"password\\":\\"{}\\"}}"}}',
        '{{"SecretString": "{{\\"username\\": \\"admin\\", \\"password\\": \\"{}\\"}}"}}',
        '{{"credentials": "{{\\"password\\":\\"{}\\"}}"}}',
        '{{"tokenResponse": "{{\\"access_token\\":\\"{}\\"}}"}}',
        "#token_type=bearer&expires_in=3600&access_token={}",
        "GET /v1?token_count=5&api_key={}",
        "POST /login?password_policy=strict&password={}",
        "https://x/y?token=abc&api_key={}",
        "token_endpoint_auth_method=client_secret_post&client_secret={}",
    ],
)
def test_what_is_refused_does_not_take_the_secret_in_it_along(form: str, secret: str) -> None:
    """T36: the outer name caught first, what it caught looked like none, and the search went on behind it."""
    text = form.format(secret)
    assert secret not in redact(text)
    assert any(secret in text[found.start : found.end] or found.start >= text.index(secret) for found in locate(text))


@pytest.mark.parametrize("unit", ["token=", 'secret="', "password: $(", "password={{", "api_key: `", '"value": "'])
def test_names_in_what_is_refused_are_no_bomb(unit: str) -> None:
    from tests.hardening.growth import grows_with_the_text_alone

    assert grows_with_the_text_alone(redact, unit, 8_000)
