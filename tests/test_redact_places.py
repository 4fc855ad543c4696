"""Places by which a secret is known in what programs write and people type, and what stands in the same places and is
none. Every secret is made up."""

from __future__ import annotations

import pytest

from memory_core.redact import find, locate, redact
from memory_core.secrets.labels import OTHERS, PASSWORDS
from memory_core.secrets.nets import NETS
from memory_core.using.fence import _MAY_HIDE, quoted
from tests.hardening.keys import keys

KEYS = keys()

WORD = "u8jzPde0" + "IgxLd6GncfBA"
SAID = "Tr0ub4dor" + "&3!x"
HEX = "272d1371" + "c17149d439536b3216fdaeeb"
BASE64 = "q1/W2e3R4t" + "5Y6u7/8o9P0a=="


def _gone(text: str, secret: str) -> None:
    assert secret not in redact(text), redact(text)
    assert secret not in quoted(text), "what an agent is given is looked at by the same measure"
    assert find(text)
    assert any(secret in text[found.start : found.end] for found in locate(text))
    assert redact(redact(text)) == redact(text)


@pytest.mark.parametrize(
    "value",
    [
        *("QWERTY99ZXCV", "A272D1371C17149D439536B3216FDAEEB", "JBSWY3DPEHPK3PXP", "ab9(cd)9xyz!k", "ab9[cd]9xyz!k"),
        *("ab9|cd9xyz!k", "$b9cdefg9xyz!", "&b9cdefg9xyz!", "(b9cdefg9xyz!", "{b9cdefg9xyz!", "hunter2", "s3cr3t!"),
        *(BASE64, "ab/cd9/xyz!k"),
    ],
)
def test_the_signs_of_a_value_do_not_let_it_through(value: str) -> None:
    """T36: the name says it, and generated passwords have such signs."""
    _gone(f"DB_PASSWORD={value}\n", value)
    _gone(f'  "db_password": "{value}",', value)


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("DB_PASSWORD=ab9cd,9xyz!kk", "ab9cd,9xyz!kk"),
        ("DB_PASSWORD=ab9cdgsd;9xyz!kkk", "9xyz!kkk"),
        ("export API_TOKEN=ab9cdefgh}9xyz!kkk", "9xyz!kkk"),
        ('DB_PASSWORD="ab9 cd9 xyz!k"', "ab9 cd9 xyz!k"),
        ('"password": "ab9\\"cd9xyz!k"', "cd9xyz!k"),
        (f"origin https://bob:p@ss{WORD}@github.com/x/y.git (fetch)", WORD),
        (f"postgres://bob:ab/{WORD}@h/x", WORD),
        (f"postgres://bob:ab:{WORD}@h/x", WORD),
        (f"AZURE_OPENAI_KEY={HEX}", HEX),
        (f'"accountKey": "{WORD}"', WORD),
        (f"> X-Auth-Key: {HEX}", HEX),
        (f"Ocp-Apim-Subscription-Key: {HEX}", HEX),
        (f"NONCE_SALT={WORD}", WORD),
        (f'"tokens": ["{WORD}"]', WORD),
        (f"api_keys:\n  - {WORD}\n", WORD),
        ("Secret ID    = 3f2b8c1e-9d4a-4e7b-8a6c-5d1f0e2b7c94", "3f2b8c1e-9d4a-4e7b-8a6c-5d1f0e2b7c94"),
        (f'<machineKey validationKey="{HEX}{HEX}"/>', HEX),
        (f"Bearer {HEX}12345678", HEX),
        ("Bearer 3f2b8c1e-9d4a-4e7b-8a6c-5d1f0e2b7c94", "3f2b8c1e-9d4a-4e7b-8a6c-5d1f0e2b7c94"),
        ("ENCRYPTION_KEY:        Tr0ub4dor&3!x", "Tr0ub4dor&3!x"),
        (f"credentials = '''{SAID}'''", SAID),
        (f"password    {WORD}\nusername    bob", WORD),
        (f"ENV DB_PASSWORD {WORD}", WORD),
        (f'setx DB_PASSWORD "{SAID}"', SAID),
        (f"    DefaultPassword    REG_SZ    {SAID}", SAID),
        (f'    storePassword "{WORD}"\n', WORD),
        (f"id       | 1\npassword | {SAID}\n", SAID),
        (f'"db_password": {{\n  "value": "{WORD}",\n  "sensitive": true', WORD),
        (f'{{"Name": "/prod/db/password","Type": "SecureString","Value": "{SAID}"}}', SAID),
        (f"ParameterKey=DBPassword,ParameterValue={SAID}", SAID),
        (f'{{"value": "{WORD}", "name": "DB_PASSWORD"}}', WORD),
        (f'variable "db_password" {{\n  type = string\n  default = "{WORD}"\n}}', WORD),
        (f"password:\n  value: {WORD}", WORD),
        (f'["password"]=>\n  string(13) "{SAID}"', SAID),
        (f"    [api_token] => {WORD}\n", WORD),
        (f"<clientSecret>{WORD}</clientSecret>", WORD),
        (f"<password>\n  {SAID}\n</password>", SAID),
        (f'<wsse:Password Type="x">{WORD}</wsse:Password>', WORD),
        (f'<string name="api_key">{WORD}</string>', WORD),
        (f'<input name="password" type="hidden" value="{WORD}">', WORD),
        (f"password: !!str {WORD}", WORD),
        (f"jdbc.password=\\\n  {WORD}", WORD),
        (f"Password for 'https://bob@github.com': {WORD}\n", WORD),
        (f'localStorage.setItem("access_token", "{WORD}")', WORD),
        (f'{{"name": "sessionid", "value": "{WORD}", "domain": ".x"}}', WORD),
        (f".example.com\tTRUE\t/\tTRUE\t1735689600\tsessionid\t{WORD}", WORD),
        (f"('Set-Cookie', 'sid={WORD}; Path=/')", WORD),
        (f"('Authorization', 'Token {HEX}')", HEX),
        (f"const apiKey = process.env.API_KEY || '{WORD}'", WORD),
        (f"POSTGRES_PASSWORD: ${{POSTGRES_PASSWORD:-{WORD}}}", WORD),
        (f'if password == "{SAID}":', SAID),
        (f"CREATE USER b IDENTIFIED WITH mysql_native_password BY '{SAID}'", SAID),
        (f"CREATE LOGIN b WITH PASSWORD = N'{SAID}'", SAID),
        (f"requests.get(u, auth=('bob', '{SAID}'))", SAID),
        (f'echo "{WORD}" | docker login ghcr.io -u bob --password-stdin', WORD),
        (f"echo '{SAID}' | sudo -S apt update", SAID),
        (f'Connect-X -UserName bob -Password "{SAID}"', SAID),
        (f'ConvertTo-SecureString "{SAID}" -AsPlainText', SAID),
        (f"keytool -list -keystore a.jks -storepass {WORD}", WORD),
        (f"az login --service-principal -u x -p {WORD} --tenant x", WORD),
        (f"curl -X POST \\\n  -u bob:{WORD} \\\n  https://x", WORD),
        (f"curl https://api.example -u {WORD}:", WORD),
        ("curl -u 'bob:pa$$w0rd!x9' https://x", "pa$$w0rd!x9"),
        (f"curl -b 'session={WORD}' https://x", WORD),
        (f'aws ssm put-parameter --name /a/b --value "{SAID}" --type SecureString', SAID),
        (f"cargo login {WORD}", WORD),
        (f"smbclient //h/s -U 'bob%{SAID}'", SAID),
        ("DB_PASSWORD=ab9$(cd9xyz!k", "ab9$(cd9xyz!k"),
        ('"db_password": "k2<a9xyz>!k7q"', "k2<a9xyz>!k7q"),
        ("password: 'it''s-9xyz!k'", "it''s-9xyz!k"),
        ("postgres://bob:ab'k29!zQ@h/x", "ab'k29!zQ"),
        ("define('AUTH_KEY', 'x9#k(2v!@%z& qw=er+ty ui0op$as-df*gh7');", "x9#k(2v!@%z& qw=er+ty ui0op$as-df*gh7"),
        (f"reg add HKLM\\x /v DefaultPassword /t REG_SZ /d {SAID}", SAID),
        (f"<password>{{AQAAABAAAAAQ{WORD}=}}</password>", WORD),
        (f"<code>password={WORD}</code>", WORD),
        (f'{{"secret": ["{WORD}"]}}', WORD),
        (f"driver.find_element(By.ID, 'password').send_keys('{SAID}')", SAID),
        (f"db.example.com:5432:mydb:bob:{SAID}", SAID),
        (f"USER bob\n331 ok\nPASS {WORD}\n230 ok", WORD),
        ("AUTH PLAIN AGJvYgB1OGp6UGRlMElneExkNkduY2ZCQQ==", "AGJvYgB1OGp6UGRlMElneExkNkduY2ZCQQ=="),
        (f"sqlplus scott/{WORD}@db", WORD),
        (f"vercel env add DB_PASSWORD production <<< {WORD}", WORD),
        (f"Das Passwort lautet {SAID}", SAID),
        (f"我的API密钥是{WORD}", WORD),
        # Names with something else behind them than one sign.
        (f"token (dev) = {WORD}", WORD),
        (f"API_KEY (prod): {WORD}", WORD),
        (f"password of the admin user = {WORD}", WORD),
        (f"password: [{WORD}]", WORD),
        (f"password: <{WORD}>", WORD),
        (f"password - {WORD}", WORD),
        (f"**Password** — `{WORD}`", WORD),
        (f"password -> {WORD}", WORD),
        (f"password\xa0=\xa0{WORD}", WORD),
        (f"### API key\n\n```\n{WORD}\n```", WORD),
        (f"- Password\n  `{WORD}`", WORD),
        (f"<td>Password</td><td>{WORD}</td>", WORD),
        (f"<b>Password:</b> {WORD}", WORD),
        (f'<span class="k">password</span>: <span class="s">"{WORD}"</span>', WORD),
        (f"PHPSESSID={WORD}", WORD),
        (f"jwt: {WORD}", WORD),
        (f"secret.key={WORD}", WORD),
        # Signs as programs spell them.
        (f'{{"DATABASE_URL":"postgres:\\/\\/app:{SAID}@db\\/x"}}', SAID),
        (f"u?user\\u003du\\u0026password\\u003d{WORD}", WORD),
        (f"&#39;password&#39;: &#39;{WORD}&#39;", WORD),
        (f"password%253D{WORD}", WORD),
        (f"postgres%253A%252F%252Fapp%253A{WORD}%2540db", WORD),
        ('{"a":"' + "\\" * 7 + '"password' + "\\" * 7 + '":' + "\\" * 7 + '"' + WORD + "\\" * 7 + '"', WORD),
        # Columns, whose head is a line of its own.
        (f" id | email | password\n----+-------+---------\n  1 | a@b.c | {SAID}\n(1 row)", SAID),
        (f"| id | password |\n+----+------+\n|  1 | {SAID} |", SAID),
        (f"name,url,username,password\nx,https://x,bob,{SAID}\ny,https://y,ann,{WORD}", WORD),
        (f'"url","password"\n"https://x, y","{SAID}"', SAID),
        (f"INSERT INTO users (email, password) VALUES ('a, (b)', '{SAID}'), ('it''s', '{WORD}')", WORD),
        (f"COPY public.users (id, password) FROM stdin;\n1\t{SAID}\n2\t{WORD}\n\\.\n", WORD),
        (f"INSERT INTO users (email, password) VALUES\n('a', '{SAID}'),\n", SAID),
        (f"COPY users (id, password) FROM stdin;\n1\t{SAID}\n2\t", SAID),
        # Long ones, with dots, and of issuers.
        (f"again:\n{KEYS['drawn'] * 9}\n", KEYS["drawn"] * 9),
        (f"the key is {KEYS['drawn']}. Next", KEYS["drawn"]),
        (f"again: {WORD}.{KEYS['drawn']}", KEYS["drawn"]),
        ("eyJ1c2VyX2lkIjo0Mn0.ZvQx7A.xRr1qB48KO6yfCJx6E-Rfzw3SOQ", "xRr1qB48KO6yfCJx6E-Rfzw3SOQ"),
        (f"sntryu_{HEX}{HEX}", HEX),
        (f"key-{HEX[:16]}{HEX[8:24]}", HEX[:16]),
    ],
)
def test_a_secret_is_known_by_its_place_in_settings_columns_and_commands(text: str, secret: str) -> None:
    """T35, T36: found by an opponent in what programs write every day."""
    _gone(text, secret)


@pytest.mark.parametrize(
    "text",
    [
        "./tests/k.pem:1:-----BEGIN RSA PRIVATE KEY-----\n./src/components/authentication/login.ts:12: ok\nand more",
        "It looks for `-----BEGIN RSA PRIVATE KEY-----`; see src/security/keys/PrivateKeyLoader.java. We use Postgres.",
        "raise ValueError('no -----BEGIN PRIVATE KEY-----')\n\ndef test_the_loader_refuses_certificates(): ...",
        "ALTER TABLE m ADD CONSTRAINT pk_organizationmemberships PRIMARY KEY (id)",
        "CREATE UNIQUE INDEX pk_users_organizationmemberships_v2",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ7Yk3mQ2xR8pL5vN4wT6zB1cD9fG0hK2sJ7uE3qX8aM bob@host",
        '"password_changed_at": "2024-01-01T00:00:00Z"',
        "  existingSecret: my-db-secret-v2",
        "imagePullSecrets: regcred-v2",
        "password = random_password.db_v2.result",
        'password: "MY_PASSWORD_2"',
        "primary_key=abcdefgh12345678ab9",
        "cache_key: user2profile4settings6",
        "registry=http://localhost:4873/@scope/package",
        "https://mastodon.example:443/@bob@example.org",
        "TOKEN=$(cat token2.txt)",
        "SECRET=get_secret2(name)",
        "PWD=/home/bob/project2",
        "\tToken  oauth2.Token2",
        "token token_2;",
        "echo build-2 | tee log",
        "PASSWORD_FILE=/run/secrets/db2",
        'headers.set("x-request-id", "abc12345def")',
        "| id | password |\n+----+------+\n|  1 | x |",
        "def f(user, password):\n    return login(user, b2c3d4)\n",
        "| tiktoken | 0.4.5 | MIT |\n| urllib3 | 2.8.0 | MIT |",
        "| Field | Token |\n|---|---|\n| model | claude-3-opus |",
        "token_expires_at=2024-01-01T00:00:00Z",
        'PASSWORD_HELP="Use 8 characters or more"',
        "SyntaxError: Unexpected token: name2_of_thing",
        "authorization: OAuth2PasswordBearer = Depends()",
        "curl -u admin:admin http://localhost:9200",
        "ghp_" + "x" * 36,
        "sk-ant-" + "x" * 40,
        "com.x.MyVeryLongClassNameForTesting2With3Numbers4AndMoreWords",
        "test_should_Return2Items_When3ItemsAreGiven4Times5AndMore",
        "https://docs.example.com/document/d/some_page2/edit3.html#section4",
        '"sessionId": "3f2b8c1e-9d4a-4e7b-8a6c-5d1f0e2b7c94"',
        "token (the second one): Identifier2",
        "the token - see step2.3 of the plan",
        "password: [str, Depends2]",
        '"image": "iVBORw0KGgo' + KEYS["drawn"] * 3 + '"',
        f"-----BEGIN CERTIFICATE-----\nMIID{KEYS['drawn']}\n{KEYS['drawn']}ab12\n-----END CERTIFICATE-----",
    ],
)
def test_what_stands_in_such_places_of_code_is_none(text: str) -> None:
    """T34"""
    assert redact(text) == text
    assert not locate(text)


def test_the_gate_of_hooks_lets_through_whatever_a_net_may_catch() -> None:
    """`using.fence` loads `redact` only for texts that may hold something: it knows every word of the tables."""
    words = [word for net in NETS for word in net.words]
    assert len(words) > 100
    assert [word for word in words if not _MAY_HIDE.search(word)] == []


def test_words_of_a_net_are_in_lower_case() -> None:
    """They are looked for in a text in lower case."""
    for net in NETS:
        assert all(word == word.lower() for word in (*net.words, *net.beside))


@pytest.mark.parametrize(
    "form",
    [
        # Something around the value, or nothing between it and its name.
        'password: Optional("{}")',
        "password: Some({})",
        "password=Optional[{}]",
        "'api_key': SecretStr('{}')",
        "{{'password': b'{}'}}",
        'password = Just "{}"',
        '{{password,<<"{}">>}}',
        ':password "{}"',
        '#define WIFI_PASSWORD "{}"',
        "setenv API_TOKEN {}",
        "SetEnv API_SECRET {}",
        'proxy_set_header X-Api-Key "{}";',
        "bindpw {}",
        "rootpw {}",
        'set(API_KEY "{}")',
        "API_KEY ?= {}",
        'password <- "{}"',
        '(setq openai-api-key "{}")',
        'Dim password As String = "{}"',
        'let token = String::from("{}");',
        'char wifi_pass[] = "{}";',
        'ENV["API_TOKEN"] || "{}"',
        'password: process.env.DB_PASS || "{}",',
        "password `{}`",
        "the secret key {}",
        # Calls that take one.
        'WiFi.begin("home", "{}")',
        'DriverManager.getConnection(url, "app", "{}")',
        'mysqli_connect("localhost", "app", "{}", "db")',
        'new PDO("mysql:host=x", "app", "{}")',
        'new NetworkCredential("app", "{}")',
        'new AzureKeyCredential("{}")',
        'jwt.sign(payload, "{}")',
        'User.objects.create_user("bob", "b@x", "{}")',
        # Options and commands.
        "tool --pass {}",
        "tool --db-pass {}",
        "tool --pw {}",
        "tool --secret-key {}",
        "tool --secret-access-key {}",
        "tool --credentials {}",
        "vault login {}",
        "consul kv put db/password {}",
        "7z x a.7z -p{}",
        "lftp -u bob,{} sftp://h",
        "xfreerdp /u:bob /p:{} /v:h",
        "htpasswd -b users admin {}",
        "curl --basic-auth admin:{} https://x",
        'echo "{}" | gh secret set DEPLOY',
        "echo {} | wrangler secret put API",
        # Rows and answers.
        "-[ RECORD 1 ]---\nid       | 1\npassword | {}\n",
        "Key         Value\n---         -----\npassword    {}\nusername    app",
        "A temporary password is generated for root@localhost: {}",
        '1) "requirepass"\n2) "{}"',
    ],
)
@pytest.mark.parametrize("secret", [WORD, "vPDXQ" + "Fon4Rru", SAID])
def test_a_secret_is_known_by_its_place_in_code_calls_and_commands(form: str, secret: str) -> None:
    """T36: general nets; of each form every drawn value came out, or those with one digit."""
    if secret == SAID and "the secret key" in form:
        return  # in talk a key is of letters and digits
    _gone(f"here:\n{form.format(secret)}\nbye", secret)


@pytest.mark.parametrize(
    "form",
    [
        "cast send --private-key 0x{} 0xabc",
        "Private Key: 0x{}",
        'accounts: ["0x{}"]',
        'accounts: ["0x' + "1f" * 32 + '", "0x{}"]',
        'new Wallet("0x{}")',
        'privateKeyToAccount("0x{}")',
        "Private Keys\n=====\n(0) 0x{}\n(1) 0x" + "1f" * 32,
    ],
)
def test_a_private_key_of_ethereum_is_known_by_what_stands_before_it(form: str) -> None:
    """T36: it looks like any hash."""
    _gone(form.format("9a0b1c2d" * 8), "9a0b1c2d" * 8)
    assert redact("the transaction 0x" + "9a0b1c2d" * 8) == "the transaction 0x" + "9a0b1c2d" * 8


@pytest.mark.parametrize("label", [*PASSWORDS, *OTHERS])
@pytest.mark.parametrize("between", [": ", " : ", "：", ": «"])
def test_a_password_is_known_by_its_label_in_many_languages(label: str, between: str) -> None:
    """T36"""
    _gone(f"{label}{between}{WORD}\n", WORD)
    _gone(f"{label.capitalize()}{between}{SAID}\n", SAID)
    assert redact(f"{label}{between}documento\n") == f"{label}{between}documento\n"
