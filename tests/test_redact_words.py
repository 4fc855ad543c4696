"""What people decide about passwords, tokens and keys, and what code calls them, comes through as it is."""

from __future__ import annotations

import pytest

from memory_core.redact import find, locate, redact
from memory_core.secrets.words import (
    all_words,
    is_algorithm,
    is_identifier,
    is_joined,
    is_jumbled,
    is_path,
    is_place,
)
from tests.secret_forms import ELSEWHERE, SAID


@pytest.mark.parametrize(
    "text",
    [
        "Passwords: argon2id, because bcrypt cuts at 72 bytes.",
        "Password: argon2id (m=64MB,t=3)",
        "Decision: password -> argon2id-v19",
        "We store password: sha512crypt2",
        "password: bcrypt(12)",
        "the password is scrypt(N=2^15)-hashed",
        "パスワードはbcrypt2でハッシュ化します",
        "token -> jwt-rs256-v2",
        "secret -> k8s-secret-v2",
        "signing_key: secp256k1",
        "Signing key: secp256k1 from now on, encryption key: AES256GCM",
        "private_key: Ed25519PrivateKey",
        "def sign(private_key: X25519PrivateKey) -> bytes:",
        "let signing_key = Ed25519SigningKey::generate()",
        "psk: WPA2-PSK",
        "psk: wpa2-enterprise",
        "api key: UUIDv4 per tenant",
        "token: OAuth2PasswordBearer = Depends()",
        "accessToken: AccessTokenV2Dto",
        "refresh_token: RefreshToken2Out",
        "tokenResponse: TokenResponseV2,",
        "type ApiKeyV2 = ApiKeyResponse2;",
        "Secret: ConfigMap2",
        "We always use the design token: color.blue.500 for links.",
        "storybook token: design-tokens-v2-2024",
        "css token: --space-4-5",
        "theme token: radius2Large3",
        "credentialsSecretRef: prod-db-creds-2024a",
        "passwordSecretKey: db-password-v2",
        "credential_id: 0a1b2c3d-0000-1111-2222-333344445555",
        "SECRET_ARN=arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf",
        "public key: MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=",
        "verification key: Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE",
        "Turnstile site_key: 0x4AAAAAAADnPIDROrmt1Wwj",
        "lookup_key: monthly2024ProPlan10Eur",
        "session_key: user42Session7Cache1Eu2",
        "translation_key=home2Title3Welcome4Back",
        "TOKEN_LIMIT=128000tokens",
        "set JWT_SECRET=from-1password-item2",
        "| token | Description2 of the token |",
        "| api_key | string64 | yes |",
        "#define UPLUG_TOKEN 0x54762486",
        "the api key is checked by apiKeyFilter2 and the secret key is rotated",
        "new NetworkCredential(user2, password2)",
        'jwt.sign(payload, "jwt-secret-name-v2")',
        "wallet: see docs/wallet2 and account 0x12ab",
        "parola: vedi il documento2",
        "Schlüssel: ed25519",
        "clave: usuario2",
        "password: Joi.string().regex(/^[a-zA-Z0-9]{3,30}$/)",
        'password = input("Password: ").strip()[:64]',
        'create_user("bob2", "bob2@example.com", None)',
        '(setq token-regexp "[a-z]+2[0-9]+")',
        "DB_PASSWORD=${DB_PASSWORD:?missing2}",
        "Password: see 1Password (Team2 vault), never in git",
        "Password rules: 8-64 chars; no spaces; 1+ digits",
        "the password is (a) hashed and (b) salted, see section 2.1(b).",
        "password: bcrypt.hashSync(req.body.password, 10)",
        "connect(user=user1,password=pw_2,host=host1)",
        "if(password!==confirm2){throw new Error('x2')}",
        "tool --pass 3 --token $TOKEN2 --secret-key ${KEY2} --credentials ./service-account-2.json",
        "the token `color.primary.500` is used, the secret `my-app-secret-v2` is not",
        'mysql -u root -p"$MYSQL_PASS2" db && curl -u user1:$(pass show x2) https://x',
        'f"postgres://{user2}:{pw2}@{host}/db" or redis://:${REDIS_PASS2}@cache',
    ],
)
def test_a_decision_about_secrets_and_the_names_of_code_stay(text: str) -> None:
    """T34: the word that a decision was about was taken out of it, in the log, the record and the summary alike."""
    assert redact(text) == text
    assert not locate(text)


@pytest.mark.parametrize("value", ["argon2id", "AES-256-GCM", "jwt-rs256-v2", "WPA2-PSK", "UUIDv4", "bcrypt(12)"])
def test_names_of_algorithms_are_known(value: str) -> None:
    assert is_algorithm(value)


@pytest.mark.parametrize("value", ["correct-horse-9", "bcrypt9Xk2", "Summer2024", "sha256:9f86d081", "jwt2x9k"])
def test_what_is_more_than_an_algorithm_is_none(value: str) -> None:
    assert not is_algorithm(value)


def test_words_are_told_from_what_was_drawn() -> None:
    assert all_words("hash_password(user2, URL, x1)")
    assert not all_words("hash(" + "kQ2x7b9)")
    assert is_identifier("AccessTokenV2Dto")
    assert not is_identifier("Xk29" + "fL8ZrTw7q1")
    assert is_joined("prod-db-creds-2024a")
    assert not is_joined("ab12" + "-x9k2q8")
    assert is_jumbled("qXbTR" + "kPwWmZ")
    assert not is_jumbled("resetPasswordInputs")


def test_paths_are_made_of_words() -> None:
    assert all(map(is_path, ("/run/secrets/db2", "kv/prod2", "C:\\Users\\me", "https://x/" + "k9Xq2")))
    assert not any(map(is_path, ("/Xk29" + "fL8ZrT", "q1/W2e3R4t" + "5Y6u7", "Xk29\\8ZrT" + "w7q1")))


def test_places_to_fill_have_nothing_drawn_beside_them() -> None:
    assert all(map(is_place, ("${TOKEN}", "<your key>", "$password", "YOUR_KEY_2", "{user}-{id}")))
    assert not any(map(is_place, ("$Xk29" + "fL8ZrT", "Xk29{f}8ZrT" + "w7q1", "Xk29fL|8ZrT" + "w7q1")))


@pytest.mark.parametrize(("text", "secret"), [form[1:] for form in (*SAID, *ELSEWHERE)])
def test_a_said_secret_is_taken_out(text: str, secret: str) -> None:
    """In five languages, with words between the label and what was drawn."""
    shown = redact(text)
    assert secret not in shown
    assert redact(shown) == shown
    assert find(text)
    assert any(secret in text[found.start : found.end] for found in locate(text))


@pytest.mark.parametrize("secret", ["Xk7vQ2" + "mRt9Lp", "9f3b1c7ad2e84f60" + "b5a1c3e7d9f0a2b4"])
@pytest.mark.parametrize(
    "said",
    [
        "the password is {}",
        "I changed the admin password to {}",
        "the token for the mirror was {}, I think",
        "Passwort auf {} geändert",
        "Das Kennwort lautet: {}",
        "Le nouveau mot de passe est « {} »",
        "La nueva contraseña del admin es {}.",
        "パスワードを {} に変更しました",
        "login with admin / {}",
        "ssh bob@10.0.0.4 (pw {})",
        "password changed from old to {}",
    ],
)
def test_no_word_around_a_said_secret_goes_with_it(said: str, secret: str) -> None:
    before, _, after = said.partition("{}")
    shown = redact(said.format(secret))
    assert shown.startswith(before.strip("« "))
    assert secret not in shown
    assert shown.endswith(after.strip("» "))


@pytest.mark.parametrize(
    "text",
    [
        "google-site-verification=rXOxyZounnZasA8Z7oaD3c14JdjS9aKSWvsR1EbUSIQ",
        "ipfs QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPc3",
        "password: required\npass: 14\n- pass: 120",
        "password = hashed2",
    ],
)
def test_what_everybody_may_know_stays(text: str) -> None:
    assert redact(text) == text
    assert not locate(text)
