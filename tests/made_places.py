"""More secrets, in the files and commands where they are met, as tools show these: numbered, quoted, nested.

Drawn from a seed like those of `made_secrets`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from made_secrets import Planted, planted
from made_text import Draw

TIMES = 4
"""In how many ways each is shown, of all there are."""

_KEY = "-----BEGIN «k1»PRIVATE KEY-----"

# A kind, the form of the secret, and the text around it: `«s»` is the secret, `\n` a line's end.
PLACES: tuple[tuple[str, str, str], ...] = (
    # tokens that are newer than most lists
    ("anthropic-admin", "sk-ant-admin01-«U93»AA", "use «s» for it"),
    ("anthropic-refresh", "sk-ant-ort01-«U93»AA", '{"refreshToken":"«s»"}'),
    ("claude-cookie", "sk-ant-sid01-«U93»AA", "Cookie: sessionKey=«s»"),
    ("openai-service", "sk-svcacct-«U74»T3BlbkFJ«U74»", "print('«s»')"),
    ("nvidia-key", "nvapi-«U64»", "«s»"),
    ("pinecone-key", "pcsk_«A6»_«A63»", "«s»"),
    ("langsmith-key", "lsv2_pt_«H32»_«H10»", "«s»"),
    ("fireworks-key", "fw_«A24»", "FIREWORKS: «s»"),
    ("bedrock-key", "ABSK«b120»", "key «s»"),
    ("gitlab-trigger", "glptt-«H40»", "curl -F token=«s» https://x.test"),
    ("gitlab-job", "glcbt-64_«U20»", "job «s»"),
    ("slack-rotating", "xoxe.xoxp-1-«A160»", "tok «s»"),
    ("square-token", "sq0csp-«U43»", "s «s»"),
    ("crates-token", "cio«A32»", '[registry]\ntoken = "«s»"'),
    ("nuget-key", "oy2«k43»", "nuget push x.nupkg -k «s»"),
    ("pulumi-token", "pul-«H40»", "pulumi login «s»"),
    ("onepassword-key", "A3-«K6»-«K11»-«K5»-«K5»-«K5»", "Secret Key: «s»"),
    ("fly-token", "fo1_«U43»", "FLY «s»"),
    ("sentry-org-token", "sntrys_eyJ«S100»=", "SENTRY «s»"),
    ("posthog-key", "phx_«A43»", "«s»"),
    ("grafana-cloud", "glc_eyJ«S100»=", "grafana «s»"),
    ("azure-devops", "«login»", "git -c http.extraheader='Authorization: Basic «s»' fetch"),
    ("teams-webhook", "«H32»",
     "https://acme.webhook.office.com/webhookb2/«uuid»@«uuid»/IncomingWebhook/«s»/«uuid»"),
    ("zapier-webhook", "«D2»«k3»«D2»", "https://hooks.zapier.com/hooks/catch/1234567/«s»/"),
    ("google-chat-webhook", "«U43»",
     "https://chat.googleapis.com/v1/spaces/AA/messages?key=AIza«U35»&token=«s»%3D"),
    ("password-hash", "$2y$10$«A53»", "ada:«s»"),
    ("password-hash", "$6$«A16»$«A86»", "root:«s»:19000:0:99999:7:::"),
    ("password-hash", "$argon2id$v=19$m=65536,t=3,p=4$«A22»$«A43»", '"hash": "«s»"'),
    # clouds
    ("aws-table", "«S40»",
     "+------------------+------+\n|  AccessKeyId     |  AKIA«T16»  |\n|  SecretAccessKey |  «s»  |"),
    ("aws-text", "«S40»", "ACCESSKEY\tAKIA«T16»\t2026-01-01T00:00:00Z\t«s»\tActive\tada"),
    ("aws-session-token", "«S600»", "[default]\naws_access_key_id = ASIA«T16»\naws_session_token = «s»"),
    ("aws-in-code", "«S40»", "new S3({credentials: {accessKeyId: 'AKIA«T16»', secretAccessKey: '«s»'}})"),
    ("azure-bus", "«b32»", "Endpoint=sb://x.test/;SharedAccessKeyName=Root;SharedAccessKey=«s»"),
    ("gcs-signature", "«U340»", "https://storage.googleapis.com/b/o?X-Goog-Signature=«s»"),
    ("cloudfront-signature", "«U340»", "https://d1.cloudfront.net/x?Expires=1&Signature=«s»&Key-Pair-Id=K1"),
    ("twilio-pair", "«H32»", "Client('AC«H32»', '«s»')"),
    # private keys, in part and in pieces
    ("private-key", "«pem»", "«s»"),
    ("private-key-in-code", "«S64»",
     'KEY = (\n    "-----BEGIN PRIVATE KEY-----\\n"\n    "«s»\\n"\n    "-----END PRIVATE KEY-----\\n"\n)'),
    ("private-key-cut-off", "«S64»", "-----BEGIN RSA PRIVATE KEY-----\n«S64»\n«s»"),
    ("private-key-cut-on", "«S64»", "«s»\n«S64»\n«S20»==\n-----END RSA PRIVATE KEY-----"),
    ("gcp-service-account", "«S64»",
     '"private_key": "-----BEGIN PRIVATE KEY-----\\n«s»\\n«S30»==\\n-----END PRIVATE KEY-----\\n",'),
    # files
    ("kubernetes-secret", "«login»",
     "apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  conf.txt: «s»"),
    ("kubernetes-string", "«plain»", "apiVersion: v1\nkind: Secret\nstringData:\n  DB_PASS: «s»"),
    ("kubernetes-env", "«plain»", 'env:\n- name: POSTGRES_PASSWORD\n  value: "«s»"'),
    ("docker-auth", "«login»", '{"auths": {"https://index.docker.io/v1/": {"auth": "«s»"}}}'),
    ("npmrc-login", "«login»", "_auth=«s»\nalways-auth=true"),
    ("netrc-lines", "«plain»", "machine api.acme.test\n  login ada\n  password «s»"),
    ("pgpass", "«plain»", "localhost:5432:mydb:ada:«s»"),
    ("pgpass-any", "«plain»", "$ cat ~/.pgpass\n*:*:*:postgres:«s»"),
    ("my-cnf", "«plain»", '[client]\nuser=root\npassword="«s»"'),
    ("tfvars", "«plain»", 'db_password = "«s»"\nregion = "eu-west-1"'),
    ("terraform-variable", "«plain»",
     'variable "admin_password" {\n  type    = string\n  default = "«s»"\n}'),
    ("terraform-state", "«A24»",
     '{"type": "random_password", "instances": [{"attributes": {"length": 24, "result": "«s»"}}]}'),
    ("ansible", "«plain»", "ansible_become_pass: «s»\nansible_user: ada"),
    ("ansible-inventory", "«plain»", "web1 ansible_host=10.0.0.1 ansible_ssh_pass=«s» ansible_port=22"),
    ("wordpress-salt", "«@62»x", "define('AUTH_KEY',         '[«s»');"),
    ("django-secret", "«@50»", "SECRET_KEY = 'django-insecure-«s»'"),
    ("laravel-key", "«b32»", "APP_KEY=base64:«s»"),
    ("wifi-password", "«plain»", 'network={\n  ssid="home"\n  psk="«s»"\n}'),
    ("wireguard-shared", "«b32»", "[Peer]\nPublicKey = x\nPresharedKey = «s»"),
    ("totp-seed", "«T32»", "TOTP_SECRET=«s»"),
    ("gh-hosts", "gho_«A36»", "github.com:\n    user: ada\n    oauth_token: «s»"),
    ("git-remote", "glpat-«U20»", '[remote "origin"]\n\turl = https://oauth2:«s»@gitlab.test/a.git'),
    ("systemd-unit", "«plain»", 'Environment="API_TOKEN=«s»"'),
    ("compose-list", "«plain»", "environment:\n  - POSTGRES_USER=ada\n  - POSTGRES_PASSWORD=«s»"),
    ("yaml-block", "«plain»", "db:\n  password: |\n    «s»\n  port: 1"),
    ("yaml-fold", "«plain»", "password: >-\n  «s»"),
    ("csv-column", "«plain»", "username,password\nada,«s»\nbob,«plain»\n"),
    ("markdown-column", "«plain»", "| user | password |\n|---|---|\n| ada | «s» |"),
    ("psql-column", "«plain»", " id | name | password \n----+------+----------\n  1 | ada  | «s»\n(1 row)"),
    ("sql-insert", "«plain»", "INSERT INTO users (name, password) VALUES ('ada', '«s»');"),
    ("jupyter-url", "«H64»", "http://localhost:8888/lab?token=«s»"),
    # commands
    ("proxy-user", "«plain»", "curl --proxy-user ada:«s» https://x.test"),
    ("form-login", "«plain»", "curl -d 'grant_type=password&username=ada&password=«s»' https://x.test"),
    ("cookie-option", "«U32»", "curl -b 'sessionid=«s»; theme=dark' https://x.test"),
    ("httpie", "«plain»", "http -a ada:«s» GET https://x.test"),
    ("net-user", "«plain»", "net user ada «s» /add"),
    ("powershell-login", "«plain»", "New-Object System.Net.NetworkCredential('ada', '«s»')"),
    ("powershell-option", "«plain»", "Connect-Thing -Username ada -Password «s»"),
    ("cmd-variable", "«plain»", "set DB_PASSWORD=«s»\r\n"),
    ("fish-variable", "«plain»", "set -gx DB_PASSWORD «s»"),
    ("heredoc", "«plain»", "cat > .env <<EOF\nDB_HOST=db\nDB_PASSWORD=«s»\nEOF"),
    ("expect-script", "«plain»", 'expect "assword:"\nsend "«s»\\r"'),
    ("kubernetes-literal", "«plain»", "kubectl create secret generic s --from-literal=thing=«s»"),
    ("docker-variable", "«plain»", "docker run -e MYSQL_ROOT_PASSWORD=«s» -d mysql"),
    ("aws-secret-string", "«plain»",
     "aws secretsmanager put-secret-value --secret-id x --secret-string '«s»'"),
    ("printed-environment", "«A20»", "HOME=/root\nAPI_KEY=«s»\nPATH=/bin"),
    # code, pages, headers, sentences
    ("python-dict", "«plain»", "{'user': 'ada', 'password': '«s»', 'n': 1}"),
    ("python-bytes", "«plain»", "{b'password': b'«s»'}"),
    ("setter", "«plain»", 'ds.setPassword("«s»");'),
    ("c-define", "«plain»", '#define WIFI_PASSWORD "«s»"'),
    ("xml-value", "«plain»", '<add key="SmtpPassword" value="«s»" />'),
    ("html-field", "«plain»", '<input type="password" name="pw" value="«s»">'),
    ("html-entities", "«plain»", "&quot;password&quot;: &quot;«s»&quot;"),
    ("har-header", "«U40»", '{"name":"Authorization","value":"token «s»"}'),
    ("oauth-code", "«U40»", "GET /callback?code=«s»&state=xyz"),
    ("reset-link", "«U40»", "https://x.test/reset-password?token=«s»"),
    ("in-a-query", "«A16»", "redirect=https%253A%252F%252Fada%253A«s»%2540h%252F"),
    ("osc-link", "ghp_«A36»", "\x1b]8;;https://x.test/?token=«s»\x07link\x1b]8;;\x07"),
    ("log-fields", "«plain»", "level=info user=ada password=«s» host=db"),
    ("jenkins-secret", "AQAAABAAAAAw«S60»=", "<secret>{«s»}</secret>"),
    ("irc-password", "«plain»", "/msg NickServ IDENTIFY «s»"),
    ("oracle-tool", "«plain»", "impdp system/«s»@orcl directory=x"),
    ("mail-login", "«login»", "AUTH PLAIN «s»"),
    ("pop-login", "«plain»", "USER ada\nPASS «s»\n+OK"),
    ("imap-login", "«plain»", "a1 LOGIN ada «s»\na1 OK"),
    ("redis-login", "«plain»", "127.0.0.1:6379> AUTH «s»\nOK"),
    ("browser-test", "«plain»", "cy.get('#password').type('«s»')"),
    ("browser-driver", "«plain»", 'driver.find_element(By.ID, "password").send_keys("«s»")'),
    ("typed-by-label", "«plain»", "await user.type(screen.getByLabelText('Password'), '«s»')"),
    ("said-login", "«plain»", "please log in with ada:«s» and look"),
    ("said-credentials", "«plain»", "creds: ada / «s»"),
    ("erlang-cookie", "«C20»", "erl -setcookie «s» -name a"),
    ("bearer-protocol", "«U43»", "Sec-WebSocket-Protocol: bearer, «s»"),
    ("docker-inspected", "«plain»", '"Env": ["PATH=/bin", "MYSQL_ROOT_PASSWORD=«s»"]'),
    ("postman-variable", "«plain»", '{"key": "password", "value": "«s»", "enabled": true}'),
    ("graphql", "«plain»", 'mutation { login(email: "a@b.c", password: "«s»") { token } }'),
    ("vault-table", "«plain»", "Key         Value\n---         -----\npassword    «s»\nusername    ada"),
    ("french", "«plain»", "mot de passe : «s»"),
    ("spanish", "«plain»", "contraseña: «s»"),
    ("polish", "«plain»", "hasło: «s»"),
    ("korean", "«plain»", "비밀번호: «s»"),
    ("digits-first", "«N1»x«C2»_«C2»«l2»-«C2»«l1»", '{"password": "«s»"}'),
)  # fmt: skip


def _each_line(put: Callable[[int], str]) -> Callable[[str], str]:
    return lambda text: "\n".join(put(n) + line for n, line in enumerate(text.split("\n"), 1))


def nested(depth: int) -> Callable[[str], str]:
    """JSON in a string of JSON, as often."""

    def wrapped(text: str) -> str:
        for _ in range(depth):
            text = json.dumps({"content": text, "ok": True})
        return text

    return wrapped


WAYS: dict[str, Callable[[str], str]] = {
    "alone": lambda text: text,
    "numbered": _each_line("{:6d}→".format),
    "numbered in json": lambda text: nested(1)(_each_line("{:6d}→".format)(text)),
    "numbered by grep": _each_line("conf/app.txt:{}:".format),
    "diff": lambda text: "@@ -0,0 +1 @@\n" + _each_line(lambda n: "+")(text),
    "quoted": _each_line(lambda n: "> "),
    "indented": _each_line(lambda n: "      "),
    "fenced": lambda text: f"Here it is:\n```\n{text}\n```\nDone.",
    "in python": lambda text: repr({"text": text}),
    "lines of windows": lambda text: text.replace("\n", "\r\n"),
    "json twice": nested(2),
    "json four times": nested(4),
}


def placed(seed: int = 1) -> Iterator[Planted]:
    """Each of PLACES in some of the ways, the same for the same seed."""
    draw = Draw(seed)
    for kind, form, around in PLACES:
        for way in draw.random.sample(sorted(WAYS), TIMES):
            secret = draw.fill(form)
            text = draw.fill(around.replace("«s»", secret))
            yield Planted(kind, way, WAYS[way](text), secret)


def every_secret(seed: int = 1) -> Iterator[Planted]:
    """The secrets that are judged by: kinds by contexts, and those of PLACES."""
    yield from planted(seed)
    yield from placed(seed)
