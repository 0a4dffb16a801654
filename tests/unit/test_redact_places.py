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
