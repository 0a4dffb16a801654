"""Harmless texts that look like secrets: hashes, ids, lock files, code, placeholders, test data.

All drawn from a seed. A redactor must hand each of them back as it was.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass

from made_text import Draw
from near_misses import NEAR_MISSES


@dataclass(frozen=True, slots=True)
class Harmless:
    """A text without a secret, and what it is."""

    kind: str
    text: str


GIT = (
    "commit «H40»\nAuthor: A. Writer\nDate:   Mon Mar 2 10:22:31 2026 +0000\n\n    «w5»",
    "index «H7»..«H7» 100644",
    "«H7» «w4»",
    "git checkout «H40»",
    "HEAD is now at «H10» «w3»",
    "See https://github.com/acme/app/commit/«H40» for the fix",
    "Merge commit '«H40»' into main",
    "fixed token refresh in «H40»",
    "git show «H40»:src/auth/token.py",
    "«H40»\trefs/heads/feature/api-key-rotation",
    "blob «H40» «D4»\ttests/secrets/test_key.py",
    "parent «H40»\ntree «H40»",
)
IDS = (
    '{"id": "msg_01«A22»", "type": "message", "usage": {"input_tokens": «D4», "output_tokens": 12}}',
    '{"parentUuid": "«uuid»", "sessionId": "«uuid»", "isSidechain": false}',
    '"tool_use_id":"toolu_01«A22»"',
    '{"type":"tool_use","id":"toolu_01«A22»","name":"get_secret_key","input":{"key":"«w»"}}',
    "session «uuid» resumed",
    "request_id=req_011C«A20» status=200",
    "trace_id=«H32» span_id=«H16»",
    "chatcmpl-«A29»",
    "call_«A24»",
    "resume with: claude --resume «uuid»",
    "container «H64» started",
    "cus_«A14» paid in_«A24»",
    "user «uuid» was given a new token",
    '{"id":"«uuid»","name":"«w2»","key":"«w»"}',
    "traceparent: 00-«H32»-«H16»-01",
    "s3 version id «A32»",
    "video youtube.com/watch?v=«U11»",
    '"promptId":"«uuid»","requestId":"req_011C«A20»"',
    "correlation-id: «uuid»",
    "arn:aws:iam::«D12»:role/«w2-»",
    "i-0«H16» running in vpc-0«H16»",
)
_NPM = (
    '    "node_modules/«w»-«w»": {\n      "version": "4.2.1",\n'
    '      "resolved": "https://registry.npmjs.org/«w»/-/«w»-4.2.1.tgz",\n'
    '      "integrity": "sha512-«b64»",\n      "dev": true\n    },'
)
_YARN = (
    'js-tokens@^4.0.0:\n  version "4.0.0"\n'
    '  resolved "https://registry.yarnpkg.com/js-tokens/-/js-tokens-4.0.0.tgz#«H40»"\n'
    "  integrity sha512-«b64»"
)
LOCKS = (
    _NPM,
    _YARN,
    "  /«w»@1.2.3:\n    resolution: {integrity: sha512-«b64»}\n    engines: {node: '>=18'}",
    '[[package]]\nname = "«w»"\nversion = "0.4.9"\nchecksum = "«H64»"',
    '    {file = "secretstorage-3.3.3-py3-none-any.whl", hash = "sha256:«H64»"},',
    "github.com/acme/«w»-token v1.2.3 h1:«b32»\ngithub.com/acme/«w»-token v1.2.3/go.mod h1:«b32»",
    "«w»==4.1.0 \\\n    --hash=sha256:«H64» \\\n    --hash=sha256:«H64»",
    '"«w»@npm:^2.0.0":\n  version: 2.0.0\n  checksum: 10c0/«H64»«H64»\n  languageName: node',
    '  "password-prompt": "^1.1.3",\n  "csrf-tokens": "~3.1.1",\n  "jsonwebtoken": "9.0.2"',
    '"url": "https://files.pythonhosted.org/packages/«H2»/«H2»/«H60»/«w»-1.0.tar.gz"',
    '  sha256 "«H64»"\n  license "MIT"',
    "FROM node:20-alpine@sha256:«H64»",
    '<script src="https://cdn.example.net/«w».js" integrity="sha384-«b48»"></script>',
    "«H64»  «w»-1.2.3.tar.gz",
    "MD5 («w».zip) = «H32»",
    "SHA256 fingerprint is SHA256:«S43»",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA«S44» ops@build",
    "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAB«b200» ops@build",
    '"signature": "Eq«b120»"',
    "Content-MD5: «b16»",
    'ETag: "«H32»"',
    'etag: W/"«H10»-«A27»"',
)
MINIFIED = (
    "!function(«l1»,e){var t=«l1».token,n=e(t);return n.password==e.password?t:void 0}(window);",
    '«l1».apiKey=e.apiKey||t,«l1».headers.Authorization="Bearer "+e.token,e.secret=!0,t.key="«w»";',
    'const{accessToken:«l1»,refreshToken:t}=e;localStorage.setItem("token",«l1»);',
    "e.exports={token:«l1».token,key:t.key,auth:n(function(r){return r.auth.user})};",
    '(self.webpackChunk=self.webpackChunk||[]).push([[«D3»],{"«A4»":function(e,t,n){}}]);',
    'function «l1»(e){return e.replace(/[A-Z]/g,function(t){return"-"+t.toLowerCase()})}',
    'var «l1»={passwordReset:"password_reset",tokenType:"bearer",keyPath:"«w».«w»"};',
    ".«w2-»{background:#«H6»;border:1px solid rgba(0,0,0,.«D2»)}",
    ".sk-circle-fade-dot:nth-child(2){animation-delay:-1.«D1»s}",
    "@font-face{font-family:«w»;src:url(/static/«w».«H20».woff2)}",
    '<link rel="preload" href="/_next/static/chunks/«D4»-«H16».js" as="script">',
    "/*! «w2» */\n//# sourceMappingURL=main.«H8».chunk.js.map",
    'import «w» from "./assets/«w»-«U8».js";',
    '<div class="«w»_«w»__«A5» css-«k6»" data-key="«w2-»">',
    '<path d="M«N2».«D3» «N2»c-1.«D3»-.«D2»l3.«D2»z"/>',
    'var «l1»="ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";',
)
IMAGES = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA«b240»",
    "![logo](data:image/jpeg;base64,/9j/4AAQSkZJRgABAQ«b90»)",
    '{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAA«b600»"}',
    "url(data:font/woff2;base64,d09GMgABAAAA«b90»)",
    "R0lGODlhAQABAIAAAP«b21»",
    "thumb: «b150»",
)
TEXTS_IN_BASE64 = (
    "«w9»",
    '{"cursor": «N6», "dir": "next"}',
    "0«D2»:Repository«D9»",
    "https://acme.test/«w»/«w»?page=2",
    "<svg xmlns='http://www.w3.org/2000/svg' width='«N2»'/>",
    '{"version": 3, "sources": ["«w».ts"], "names": ["«w»", "«w»"]}',
)
_STAND_INS = """
YOUR_API_KEY your-api-key-here <token> <YOUR_TOKEN> xxx xxxxxxxxxxxxxxxx ${TOKEN} $API_KEY {token}
{{api_key}} %API_KEY% changeme CHANGE_ME ******** •••••••• ... [REDACTED] TODO replace-me example
null None REPLACE_WITH_REAL_KEY sk-xxxxxxxxxxxxxxxxxxxxxxxx sk-your-key-here AKIAXXXXXXXXXXXXXXXX
ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx AKIAIOSFODNN7EXAMPLE xoxb-your-token sk_test_your_key
wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY test secret password my-secret-token dummy-token
fake_api_key test-api-key-123 insert-key-here <redacted> $(cat/run/secrets/token) abc123 foobar
`pass-show` op://vault/item/password env:API_TOKEN 00000000-0000-0000-0000-000000000000 12345678
sk-1234567890abcdefghijklmnop ghp_1234567890abcdefghijklmnopqrstuvwxyz hf_... AIzaSy... sk-ant-...
eyJ... eyJhbGciOi... token123 s.xxxxxxxx
"""
STAND_INS = _STAND_INS.split()
STAND_IN_FRAMES = (
    "«E»=«V»",
    '«E»="«V»"',
    "export «E»=«V»",
    '"«E»": "«V»"',
    "«E»: «V»",
    "«E» = '«V»'",
    'curl -H "Authorization: Bearer «V»" https://api.acme.test',
    "Set «E» to «V» in your environment.",
    "--api-key=«V»",
    "--password «V»",
    "+  «E»: «V»",
    "https://api.acme.test/v1?token=«V»",
)
NAMES = "API_KEY TOKEN DB_PASSWORD OPENAI_API_KEY AWS_SECRET_ACCESS_KEY GITHUB_TOKEN clientSecret api_key"
CODE = """
api_key = get_secret_key()
token = os.environ["TOKEN"]
password = getpass.getpass()
const token = await fetchToken(«w»);
self.token = token or self.«w».token
secret = os.getenv("APP_SECRET")
password: str | None = None
def verify_password(password: str, «w»: bytes) -> bool:
if token == expected_token:
return hmac.compare_digest(token, stored_token)
api_key=settings.«w».API_KEY,
max_tokens=4096, stop_sequences=[]
input_tokens: 1834, cache_read_input_tokens: 99120
next_page_token = response.get('nextPageToken')
private_key = serialization.load_pem_private_key(data, password=None)
password = forms.CharField(widget=forms.PasswordInput)
<input type="password" name="password" placeholder="Password" autocomplete="current-password">
const [«w»Password, set«w»Password] = useState('');
export type Props = { token: string; apiKey?: string; onSubmit: (password: string) => void };
await page.getByLabel('Password').fill(«w».password);
password: process.env.DB_PASSWORD,
key: "ArrowDown"
cache_key = f"«w»:{user.id}:{page}"
primary_key=True, unique=True
for key, value in «w».items():
token_type: 'Bearer'
password: ${{ secrets.DB_PASSWORD }}
TOKEN: ${{ secrets.GITHUB_TOKEN }}
token = data.vault_generic_secret.«w».data["token"]
private_key = file("~/.ssh/id_ed25519")
unexpected token '}' in «w».js line 12
SyntaxError: Unexpected token < in JSON at position 0
Error: secret "«w»-tls" not found in namespace «w»
Password authentication failed for user "«w»"
the token expired 3 hours ago, log in again
access token for «w» was refreshed at 10:22:31
Enter your password:
describe('token «w»', () => { it('rejects an expired token', async () => {
assert «w».password_hash != 'plain'
raise ValueError('api_key is missing: set the «w» key')
from «w».secrets import SecretManager, get_secret_value
token_path = Path.home() / '.config' / '«w»' / 'token.json'
--token-file /run/secrets/«w»_token
ssh -i ~/.ssh/«w»_key deploy@«w».example.org
SELECT token, created_at FROM «w»_tokens WHERE user_id = $1 AND token = $2
ALTER TABLE «w» ADD COLUMN password_digest varchar(255) NOT NULL
key = "«w»/«w»/2026-03-01.parquet"
secret_name = "prod/«w»/«w»"
pad_token='<pad>', eos_token='</s>', bos_token='<s>'
passwordPolicy: { minLength: 12, requireDigits: true }
kubectl get secret «w»-tls -o yaml
PASS  src/«w».test.ts (5.12 s)
--- PASS: Test_«w»_Token (0.02s)
test_«w»_password_reset_v2 PASSED [ 42%]
Authorization: `Bearer ${token}`
headers={'Authorization': f'Bearer {token}'}
curl -u "$USER:$PASS" https://example.org
mysql -u root -p «w»
docker run -p 8080:80 -p 5432:5432 «w»/«w»:latest
mkdir -p «w»/«w» && cp -p «w».txt «w»/
ssh -p 2222 «w»@example.org
psql -U app -h localhost -p 5432 orders
git clone git@github.com:acme/app.git
http://localhost:8080/login?next=/account
postgresql://postgres:postgres@localhost:5432/postgres
mongodb://user:password@localhost/db
https://user:pass@example.com/
Cookie: theme=dark; lang=en-GB; consent=accepted
if "-----BEGIN PRIVATE KEY-----" in text: raise Leak
const «w»Token = «w».createToken({ expiresIn: '15m' });
apiKey: config.get<string>('API_KEY'),
""".strip().split("\n")
BLOCKS = (
    "  - name: DB_PASSWORD\n    valueFrom:\n      secretKeyRef:\n        name: «w»-db\n        key: password",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A«b24»\n-----END PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----\nMIID«b45»\n-----END CERTIFICATE-----",
    "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----",
)
DATA = """
{"username": "«w»", "password": "password", "email": "«w»@example.com"}
{"user": "alice", "token": "test-token", "ok": true}
«w»,«w»,«D5»,2026-03-01,«H8»
4111 1111 1111 1111 exp 12/30
«D3».«D6» «D2».«D6»
0x«H8» <_start+«D2»>
2001:db8:«H4»::«H4»
«H2»:«H2»:«H2»:«H2»:«H2»:«H2»
v«D1».«D2».0-rc.1+build.«H7»
2026-03-01T10:22:31.«D3»Z INFO «w».«w» request done in «D3»ms bytes=«D5»
cache key «w»-linux-x64-«H64» restored
Cache hit for: node-cache-Linux-npm-«H64»
layer sha256:«H64»: Pull complete
pod/«w»-«k10»-«k5» 1/1 Running
chunk-«K8».js   12.«D2» kB
/tmp/«w»-«A6»/«w».log
s3://«w2-»/year=2026/part-«D5»-«uuid».snappy.parquet
seed=«D9» lr=3e-4 batch=64 tokens=«N7»
expect(hash('«w»')).toBe('«H64»')
assert digest == "«H40»"
Task «H8» finished: token usage 12,4«D2» of 200,000
fixture id=«k21»
nanoid: «U21»
snowflake «D18»
«w12» token «w5» password «w6»
The key to «w3» is «w2», said the «w».
password must be at least 12 characters and hold a digit («w»)
idempotency-key: «uuid»
x-request-id: «H32»
sec-websocket-accept: «b20»
x-amz-cf-id: «U54»==
nonce-«b16»
Set-Cookie: theme=dark; Path=/; Max-Age=31536000
drwxr-xr-x 2 build build 4096 Mar  1 10:22 «w»
""".strip().split("\n")


def _stand_in(draw: Draw) -> str:
    frame = draw.pick(*STAND_IN_FRAMES)
    return frame.replace("«E»", draw.pick(*NAMES.split())).replace("«V»", draw.pick(*STAND_INS))


def _image(draw: Draw) -> str:
    if draw.random.random() < 0.5:
        return draw.fill(draw.pick(*IMAGES))
    return base64.b64encode(draw.fill(draw.pick(*TEXTS_IN_BASE64)).encode()).decode()


KINDS = {
    "git": GIT,
    "ids": IDS,
    "lock files, hashes": LOCKS,
    "minified, css, html": MINIFIED,
    "images, base64": (),
    "placeholders": (),
    "code, config, commands": (*CODE, *BLOCKS),
    "test data, logs, prose": DATA,
    "near misses": NEAR_MISSES,
}


def harmless(seed: int = 1, count: int = 2000) -> Iterator[Harmless]:
    """`count` texts, the kinds in turn; one in five as it stands in a JSON string."""
    draw = Draw(seed)
    kinds = list(KINDS)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        if kind == "placeholders":
            text = _stand_in(draw)
        elif kind == "images, base64":
            text = _image(draw)
        else:
            text = draw.fill(draw.pick(*KINDS[kind]))
        yield Harmless(kind, json.dumps(text) if number % 5 == 0 else text)
