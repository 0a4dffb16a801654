"""Places where credentials stand, one by one, and what looks like them and is none."""

from __future__ import annotations

import base64
import json

import pytest
from made_text import Draw

from ccbrowse.core.redact import Redactor

# `«s»` is the secret; the blanks around it are filled too.
PASSWORDS = """
curl --user "bob:«s»" https://acme.test
curl -ubob:«s» https://acme.test
wget --user=bob --password=«s» https://acme.test
redis-cli -h cache -a «s» ping
mongosh "mongodb://h" -u bob -p «s»
mysqldump -u root -p'«s»' shop
mysql --user=root --password="«s»" shop
echo «s» | sudo -S apt update
echo "«s»" | docker login --username bob --password-stdin
psql "host=h user=u password=«s» dbname=d"
setx DB_PASSWORD «s»
$env:DB_PASSWORD = '«s»'
$secure = ConvertTo-SecureString "«s»" -AsPlainText -Force
sqlcmd -S h -U sa -P «s»
ldapsearch -D cn=admin -w «s» -b dc=x
openssl enc -aes-256-cbc -in a -out b -pass pass:«s»
zip -P «s» a.zip b
7z x a.7z -p«s»
gpg --batch --passphrase «s» -d f
htpasswd -cb .htpasswd bob «s»
helm install x --set auth.password=«s» --set a=b
ansible-playbook x.yml -e "ansible_become_pass=«s»"
smbclient //h/s -U bob%«s»
keytool -genkey -storepass «s» -alias a
db.internal:5432:app:bob:«s»
sasl.jaas.config=PlainLoginModule required username="u" password="«s»";
jdbc:mysql://h:3306/d?user=root&password=«s»&ssl=true
jdbc:oracle:thin:scott/«s»@h:1521:orcl
Driver={ODBC};Server=h;UID=u;PWD=«s»
smtp://bob%40acme.test:«s»@smtp.acme.test:587
postgres://u:«s»@h1:5432,h2:5432/d
ALTER USER bob IDENTIFIED BY '«s»';
SET PASSWORD FOR 'u' = PASSWORD('«s»');
rabbitmqctl add_user bob «s»
echo "bob:«s»" | sudo chpasswd
terraform apply -var "db_password=«s»"
java -Djavax.net.ssl.keyStorePassword=«s» -jar x
aws ssm put-parameter --name /db/password --value «s» --type SecureString
xfreerdp /u:bob /p:«s» /v:h
requirepass «s»
spring.datasource.password: «s»
<password>«s»</password>
define('DB_PASSWORD', '«s»');
conn = connect(host="h", user="u", passwd="«s»")
requests.get(url, auth=("bob", "«s»"))
The password is «s»
user=admin pass=«s»
admin password -> «s»
Passwort: «s»
密码：«s»
""".strip().split("\n")
TOKENS = """
Authenticated with key «s»
here is my token:«n»«n»«s»«n»«n»please use it
API key:«n»```«n»«s»«n»```
| API key | «s» |
**Token:** `«s»`
http POST https://acme.test/login token=«s»
npm config set //registry.npmjs.org/:_authToken «s»
Authorization: Token «s»
authorization: ApiKey «s»
X-Auth-Token: «s»
Ocp-Apim-Subscription-Key: «s»
https://acme.test/cb#access_token=«s»&token_type=bearer
curl -b "session=«s»" https://acme.test
cookie: __Secure-next-auth.session-token=«s»
"client_secret": "«s»"
<add key="ApiKey" value="«s»" />
<key>APIToken</key>«n»<string>«s»</string>
headers["X-Api-Key"] = "«s»"
localStorage.setItem("token", "«s»")
secret: process.env.S ?? "«s»"
let apiKey: String = "«s»"
var apiKey string = "«s»"
#define API_KEY "«s»"
ENV API_TOKEN «s»
doppler configure set token «s»
CREATE SECRET s (TYPE S3, KEY_ID 'x', SECRET '«s»');
I rotated «s» since it was the token
""".strip().split("\n")
HARMLESS = (
    "the token in commit 3f2a9c0d8e7b6a5f4e3d2c1b0a9f8e7d6c5b4a39 was revoked",
    '{"sessionId": "0b351d94-ce50-4364-b58c-42518ed30087"}',
    "session_id=0b351d94-ce50-4364-b58c-42518ed30087",
    "PASS: test_parser_v2 in 3.21s",
    "PWD=/srv/acme/app_v2",
    "const x = a.password?b.token:void 0",
    "--- a/src/secrets.py\n+++ b/src/secrets.py",
    "ssh-add -l: SHA256:6Qe9cBS+1WVeJPlLt6o/tqM+xV0qvnubF9tljJVUTdU ada (ED25519)",
    "https://example.test:8080/a@b",
    "git@github.com:acme/app.git",
    "if token == '#bygroup': pass",
    "password: Optional[SecretStr] = Field(default=None)",
    "TEST_ENCRYPTION_KEY1 = make_key(TEST_ENCRYPTION_KEY2)",
    "r'(?:key|pwd|password|pass|token)\\s*=\\s*'",
    "docker run -p 127.0.0.1:8080:80 nginx",
    "The Authorization: Bearer scheme is described below",
)


def wrapped(text: str) -> tuple[str, ...]:
    """As it is, in a JSON string, in one within another, and as lines that a diff adds."""
    once = json.dumps({"content": text, "n": 1})
    return text, once, json.dumps([once]), "\n".join("+" + line for line in text.split("\n"))


@pytest.mark.parametrize("frame", PASSWORDS)
def test_a_password_in_its_place_is_masked(frame: str) -> None:
    secret = Draw(7).fill("«plain»")
    for text in wrapped(frame.replace("«s»", secret)):
        masked = Redactor().redact(text)
        assert secret not in masked
        assert "[redacted:" in masked


@pytest.mark.parametrize("frame", TOKENS)
def test_a_token_without_a_form_is_known_by_what_stands_around_it(frame: str) -> None:
    secret = Draw(8).fill("«A40»")
    for text in wrapped(frame.replace("«n»", "\n").replace("«s»", secret)):
        assert secret not in Redactor().redact(text)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert Redactor().redact(text) == text
    assert Redactor().redact(json.dumps(text)) == json.dumps(text)


def test_only_the_secret_goes_and_the_rest_can_be_read() -> None:
    password = Draw(9).fill("«plain»")
    text = f"postgres://app:{password}@db.internal:5432/orders?ssl=1 failed"
    assert Redactor().redact(text) == (
        "postgres://app:[redacted:connection-password#1]@db.internal:5432/orders?ssl=1 failed"
    )


@pytest.mark.parametrize("cut", [0, 1, 2])
def test_private_keys_go_whole_cut_off_or_with_line_numbers(cut: int) -> None:
    key = Draw(10).fill("«pem»")
    lines = key.split("\n")
    forms = (
        "\n".join(lines[: len(lines) - 1 if cut else len(lines)]),
        "\n".join(f"{n:>6}→{line}" for n, line in enumerate(lines, 1)),
        json.dumps("\n".join("+" + line for line in lines)),
    )
    masked = Redactor().redact(f"before\n{forms[cut]}\nafter")
    assert "[redacted:private-key#1]" in masked
    assert masked.startswith("before\n")
    assert masked.endswith("\nafter")
    assert not any(line in masked for line in lines[1:-1])


def test_a_mention_of_a_private_key_is_none() -> None:
    text = (
        'if "-----BEGIN RSA PRIVATE KEY-----" in text and "-----END RSA PRIVATE KEY-----" in text:'
    )
    assert Redactor().redact(text) == text


def test_a_long_key_in_base64_is_seen_by_its_beginning() -> None:
    key = Draw(12).fill("«pem»") + "\n" + "x" * 9000
    data = base64.b64encode(key.encode()).decode()
    masked = Redactor().redact(f"client-key-data: {data}\nother: 1")
    assert masked == "client-key-data: [redacted:private-key#1]\nother: 1"


@pytest.mark.parametrize(
    "frame",
    [
        'let api_key = String::from("«s»");',
        '`apiKey=${"«s»"}`',
        '{"name":"API_KEY","value":"«s»"}',
        'gh secret set API_KEY -b"«s»"',
        "export API_KEY=$(echo «s»)",
        "api_key: >-\n  «s»",
        "curl -H 'X-Api-Key: «s»' https://acme.test",
        "printf '%s' '«s»' | gh secret set API_KEY",
        "API_KEY=${API_KEY:-«s»}",
    ],
)
@pytest.mark.parametrize("form", ["«A32»", "«H40»", "-«U31»"])
def test_a_value_behind_a_call_a_fold_or_an_option_is_masked(frame: str, form: str) -> None:
    secret = Draw(13).fill(form)
    assert secret[1:] not in Redactor().redact(frame.replace("«s»", secret))


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ('Authorization: Digest username="b", nonce="n", response="«s»"', "«H32»"),
        (
            "Authorization: AWS4-HMAC-SHA256 Credential=x, SignedHeaders=host, Signature=«s»",
            "«H64»",
        ),
        ("Authorization: Token token=«s»", "«A32»"),
        ("otpauth://totp/acme:bob?secret=«s»&issuer=acme", "«T32»"),
        ("cloudinary://123456789012345:«s»@acme", "«U27»"),
        ("postgres://u:ab/«s»@h:5432/d", "«A12»"),
        ("https://«s»@github.com/acme/x.git", "«A40»"),
        ('key="«s»"', "«A32»"),
        ("ENCRYPTION_KEY=«s»", "«H64»"),
        ("TELEGRAM_API_HASH=«s»", "«H32»"),
        ('{"auths":{"r.io":{"auth":"«s»"}}}', "«login»"),
        ("wallet private key «s»", "0x«H64»"),
        ("a lone «s» in the text", "«A18»/«A10»+«A10»"),
    ],
)
def test_rarer_places(text: str, form: str) -> None:
    for seed in range(5):
        secret = Draw(seed).fill(form)
        for whole in wrapped(text.replace("«s»", secret)):
            assert secret not in Redactor().redact(whole), whole


def test_words_of_a_wallet_go_as_one() -> None:
    phrase = Draw(3).words(12)
    assert Redactor().redact(f'mnemonic: "{phrase}"') == 'mnemonic: "[redacted:seed-phrase#1]"'
    assert Redactor().redact(f"SEED_PHRASE={phrase} x") == "SEED_PHRASE=[redacted:seed-phrase#1] x"
    assert Redactor().redact("mnemonic: first letters only") == "mnemonic: first letters only"


def test_a_putty_key_loses_its_private_lines() -> None:
    draw = Draw(14)
    lines = "\n".join(draw.fill("«S64»") for _ in range(4))
    text = f"PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 4\n{lines}\nPrivate-MAC: {draw.fill('«H64»')}\n"
    assert Redactor().redact(text) == "PuTTY-User-Key-File-3: ssh-rsa\n[redacted:private-key#1]\n"


def test_a_passphrase_of_words_is_masked_and_a_label_is_not() -> None:
    assert Redactor().redact('passphrase = "velvet canyon orbit tissue"') == (
        'passphrase = "[redacted:password#1]"'
    )
    assert (
        Redactor().redact('password: "Enter your new password"')
        == 'password: "Enter your new password"'
    )
    assert Redactor().redact('password = "swordfish"') == 'password = "[redacted:password#1]"'
    assert Redactor().redact("password = swordfish") == "password = swordfish"
