"""Harmless lines that come as near to a secret as one can: words of the trade, and nothing behind them."""

from __future__ import annotations

LINES = r"""
sk-...
export OPENAI_API_KEY=sk-...
OPENAI_API_KEY=sk-your-key-here
ANTHROPIC_API_KEY=sk-ant-xxxxxxxxxxxxxxxx
api_key = "YOUR_API_KEY"
api_key: <token>
token: $TOKEN
token: ${TOKEN}
token: ${{ secrets.GITHUB_TOKEN }}
password: {{ vault_db_password }}
password = os.environ["DB_PASSWORD"]
password = os.getenv("DB_PASSWORD", "")
const token = process.env.GITHUB_TOKEN;
let password = prompt("Password:");
String password = request.getParameter("password");
password=$(cat /run/secrets/db_password)
PASSWORD="$1"
--password "$DB_PASSWORD"
--password=$DB_PASSWORD
--token <your-token>
curl -u "$USER:$PASS" https://example.org
curl -H "Authorization: Bearer $TOKEN" https://x
curl -H "Authorization: Bearer <token>" https://x
Authorization: Bearer YOUR_ACCESS_TOKEN
Authorization: Bearer ...
Authorization: Basic <base64>
https://user:password@example.com/
https://<user>:<password>@host/
postgres://user:pass@localhost:5432/db
postgres://USER:PASSWORD@HOST:PORT/DATABASE
mongodb://username:password@localhost
AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE
AKIAXXXXXXXXXXXXXXXX
ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
ghp_...
xoxb-your-token
-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----
password: ********
password: ••••••••
password: xxxxxxxx
password: changeme
password: null
password: ""
password: None
password: undefined
password: true
password: string
password: str | None = None
"password": {"type": "string"}
"token": {"type": "string", "description": "The bearer token"}
password: Optional[str]
type Props = { token: string; apiKey?: string }
interface Auth { password: string }
def login(user, password): ...
def f(token: str, secret: bytes = b"") -> None:
self.token = token
self._secret = secret
token = get_token()
token = await getToken();
password = getpass.getpass()
passwd = generate_password(length=16)
secret = random_secret(32)
secrets.token_hex(32)
api_key = config.get("api_key")
key = sorted(items, key=lambda x: x[1])
keys = [k for k in d.keys()]
for key, value in tokens.items():
primary_key=True
foreign_key: users.id
key: value
"key": "ArrowDown"
event.key === "Enter"
<div key={item.id} secret={false}>
key={`row-${index}`}
public_key: ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ ada@host
-----BEGIN PUBLIC KEY-----
-----BEGIN CERTIFICATE-----
Password reset email sent.
The password must be at least 8 characters.
Enter your password:
the password is wrong
the token is invalid or expired
Your token has expired, please log in again
secret: see 1Password
secret/data/myapp
vault kv get secret/myapp
kubectl get secret my-secret -o yaml
secretName: tls-cert
secretKeyRef: {name: db-secret, key: password}
passwordSecretRef: db-credentials
tokenizer = AutoTokenizer.from_pretrained("bert-base")
tokens = tokenizer.encode(text)
eos_token: </s>
pad_token_id: 50256
cl100k_base tokens: 1234
token_type: bearer
token_endpoint: https://auth.example.org/oauth/token
"grant_type": "authorization_code"
auth: required
auth_method: password
authenticator: AllowAllAuthenticator
author: Ada Lovelace
authority: https://login.example.org
access_key_rotation_days: 90
PasswordAuthentication no
PermitRootLogin without-password
password_hash = bcrypt.hashpw(password.encode(), salt)
hashed_password VARCHAR(255) NOT NULL
ALTER TABLE users ADD COLUMN password_digest text;
SELECT token FROM sessions WHERE id = ?
INSERT INTO users (name, password) VALUES (?, ?)
INSERT INTO users (name, password) VALUES ($1, $2)
VALUES (:name, :password)
CREATE USER app WITH PASSWORD :'pw'
| user | password |
| field | token | required |
username,password
export PATH=$PATH:/usr/local/bin
set -o pipefail
read -s PASSWORD
echo "$PASSWORD" | docker login -u me --password-stdin
docker login -u "$U" -p "$P"
mysql -u root -p
mysql -uroot -p"$MYSQL_PASSWORD" db
psql "postgresql://$USER:$PASS@db/app"
redis-cli -a "$REDIS_PASSWORD"
sshpass -e ssh host
ssh -i ~/.ssh/id_ed25519 user@host
gpg --recv-keys 0xDEADBEEFDEADBEEF
GPG key fingerprint: ABCD 1234 ABCD 1234 ABCD  1234 ABCD 1234 ABCD 1234
SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8
MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48
The authenticity of host can't be established.
net user
net user ada /delete
passwd: password updated successfully
sudo: a password is required
[sudo] password for ada:
expect "password:"
send "yes\r"
BUILD_ID=20261201.4
VERSION=1.2.3-rc.1+build.5
NODE_OPTIONS=--max-old-space-size=4096
LS_COLORS=rs=0:di=01;34:ln=01;36
SSH_AUTH_SOCK=/tmp/ssh-XXXXXXabc/agent.1234
TOKEN_FILE=/var/run/secrets/kubernetes.io/serviceaccount/token
PASSWORD_FILE=/run/secrets/db
AWS_PROFILE=default
AWS_REGION=eu-central-1
NEXTAUTH_URL=http://localhost:3000
SECRET_NAME=my-app-secret
API_KEY_HEADER=X-Api-Key
KEY_LENGTH=256
TOKEN_TTL=3600
cookie: accept all cookies
Set-Cookie: theme=dark; Path=/
Cookie: lang=en-GB
session_timeout: 30m
csrf_exempt
csrf_token()
<input type="password" name="password" placeholder="Password">
<input type="hidden" name="csrf" value="">
<password>${db.password}</password>
<label for="password">Password</label>
placeholder="sk-ant-..."
"apiKeyHelper": "~/.claude/helper.sh"
"permissions": {"allow": ["Bash(npm run test:*)"]}
com.example.security.PasswordEncoder
org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder
java.security.KeyStore.PasswordProtection
PasswordResetTokenRepositoryImplementation
test_password_reset_token_is_single_use
AuthenticationFailedException: Bad credentials
node_modules/jsonwebtoken/index.js:12
src/auth/tokens/refreshTokenService.test.ts
/usr/lib/python3/dist-packages/keyring/backends/SecretService.py
ERR_OSSL_EVP_UNSUPPORTED
error: The process '/usr/bin/git' failed with exit code 128
mot de passe : oublié ?
mot de passe oublié
contraseña incorrecta
contraseña: obligatoria
Passwort: vergessen?
Das Passwort ist falsch.
密码：必填
密码不能为空
パスワード: 必須
пароль: обязателен
key-value store
keyboard: us-intl
monkey: banana
passport: required
passage: chapter-12
bypass: /health
compass: north
tokenize: true
secretary: Jane
credentials: include
credentials: same-origin
credential_process = /opt/bin/awscreds
fetch(url, { credentials: 'include' })
withCredentials: true
auth=('user', 'pass')
auth: { username: 'user', password: 'password' }
client_id: my-app
clientId: 'a1b2c3d4'
"client_email": "x@p.iam.gserviceaccount.com"
zip -r a.zip b
7z x a.7z
openssl rand -hex 32
openssl pkcs12 -in a.p12 -passin env:PASS
https://hooks.slack.com/services/T000/B000/XXX
https://hooks.zapier.com/hooks/catch/
https://example.org/oauth/callback?code=...
https://example.org/?token=<token>
https://example.org/?key=value&page=2
https://docs.example.org/api-keys#create-a-token
AssertionError: expected token 'IDENT' to match 'NUMBER'
SyntaxError: Unexpected token '}' in JSON at position 42
Unexpected token < in JSON
expected token ';' before 'return'
Expected password to be 'string'
token 'function_declaration' not allowed here
$2b$ is the prefix of bcrypt hashes
use $6$ for sha512-crypt
"result": "ok", "type": "password_reset"
{"type":"password","result":"success"}
*:*:*:*:*
0.0.0.0:8080:80:tcp
localhost:5432:mydb
at Object.<anonymous> (/app/src/token.js:12:34)
drwxr-xr-x 2 root root 4096 Dec  1 00:00 secrets
-rw------- 1 ada ada 1679 id_rsa
12:34:56:78:9a:bc
2001:db8::ff00:42:8329
fe80::1ff:fe23:4567:890a
Twilio SID format: AC followed by 32 hex characters
xoxe.xoxp-... rotates every 12 hours
AWS_SESSION_TOKEN=...
aws_session_token = <paste here>
"integrity": "sha512-«b64»",
    secret-service: 4.0.0(«H32»)
narHash = "sha256-«b32»=";
--token-color: #«H6»;
secret: #«H8»
.css-«H6»{color:#«H6»}
key-width: calc(100% - «D2»px);
+49 30 «D8»
call 555-«D4»
ISBN 978-3-16-«D6»-0
max_tokens: «D4»
port 5432 password attempts: «D1»
uses: actions/checkout@«H40» # v4
refs/heads/fix-password-reset «H40»
const wasm="AGFzbQEAAAAB«b90»"
//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjoz«b75»
PASS src/auth_v2.test.ts
PASS test_login_2
AUTH required
AUTH PLAIN LOGIN CRAM-MD5
250-AUTH LOGIN PLAIN XOAUTH2
a1 LOGIN failed
user LOGIN ok
log in with GitHub:
log in as root:root
login with your Google account
credentials: include / omit
creds: ~/.aws/credentials
screen.getByLabelText('Password'), 'user'
cy.get('#password').type(Cypress.env('PASS'))
cy.get('#password').type('password')
driver.find_element(By.ID, "password").send_keys(password)
Bearer, Basic and Digest are schemes
erl -setcookie $COOKIE -name a
""".strip().split("\n")

TABLES = (
    "| option | token | default |\n|---|---|---|\n| `--api-key` | API_KEY | none |",
    "| field | password | required |\n|---|---|---|\n| login | min. 8 characters | yes |",
    "name,password,role\nada,********,admin\nbob,,user",
    " Column | Type | Password \n--------+------+----------\n id | integer | not null\n",
    "INSERT INTO users (name, password, token) VALUES (?, ?, ?), (NULL, DEFAULT, NOW());",
    "key,token,count\nlogin,VerifyToken,3\nlogout,IDENT,4",
    "     1→apiVersion: v1\n     2→kind: Secret\n     3→data: {}",
    "12-PASSWORD=$1\n13-TOKEN=${2:-none}",
)
"""Tables and lists with such headings."""

NEAR_MISSES = (*LINES, *TABLES)
