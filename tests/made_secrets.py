"""Made-up secrets of documented forms, each put into the kinds of text where people leave them.

Nothing here was ever valid: every token is drawn from a seed when the tests run, so the repository
holds no string that a scanner could take for a leak. `Draw.fill` tells how the forms are written.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from made_text import Draw


@dataclass(frozen=True, slots=True)
class Maker:
    """A kind of secret, its forms, and the texts around it."""

    kind: str
    forms: str
    """separated by blanks"""
    names: str = ""
    """environment names; a kind without a form of its own is known by these alone"""
    words: str = ""
    """what a sentence calls it"""
    around: str = ""
    """the header, address or command that it stands in as `«s»`, where it never stands alone"""

    def make(self, draw: Draw) -> str:
        return draw.fill(draw.pick(*self.forms.split(" ")))


M = Maker
TOKENS: tuple[Maker, ...] = (
    M("aws-access-key", "AKIA«T16» ASIA«T16»", "AWS_ACCESS_KEY_ID", "AWS access key id"),
    M("aws-secret", "«S40»", "AWS_SECRET_ACCESS_KEY aws_secret_key", "AWS secret access key"),
    M("gcp-api-key", "AIza«U35»", "GOOGLE_API_KEY GEMINI_API_KEY", "Google API key"),
    M("gcp-oauth-token", "ya29.«U120»", "GCLOUD_ACCESS_TOKEN", "Google access token"),
    M("gcp-client-secret", "GOCSPX-«U28»", "GOOGLE_CLIENT_SECRET", "client secret"),
    M("azure-client-secret", "«A3»8Q~«U34»", "AZURE_CLIENT_SECRET", "Azure client secret"),
    M("azure-storage-key", "«b64»", "AZURE_STORAGE_KEY", "storage account key"),
    M("github-token", "ghp_«A36» gho_«A36» ghs_«A36»", "GITHUB_TOKEN GH_TOKEN", "GitHub token"),
    M("github-fine-grained", "github_pat_«A22»_«A59»", "GITHUB_PAT", "fine-grained token"),
    M("gitlab-token", "glpat-«U20» gldt-«U20» glrt-«U20»", "GITLAB_TOKEN", "GitLab token"),
    M("bitbucket-token", "ATBB«A32»", "BITBUCKET_APP_PASSWORD", "Bitbucket app password"),
    M("atlassian-token", "ATATT3xFfGF0«U170»=«K8»", "JIRA_API_TOKEN", "Jira API token"),
    M("slack-bot-token", "xoxb-«D12»-«D13»-«A24»", "SLACK_BOT_TOKEN", "Slack bot token"),
    M("slack-app-token", "xapp-1-A«K10»-«D13»-«H64»", "SLACK_APP_TOKEN", "app-level token"),
    M("stripe-key", "sk_live_«A24» sk_test_«A24» rk_live_«A24»", "STRIPE_SECRET_KEY", "Stripe key"),
    M("stripe-webhook", "whsec_«A32»", "STRIPE_WEBHOOK_SECRET", "webhook secret"),
    M("twilio-api-key", "SK«H32»", "TWILIO_API_KEY", "Twilio key"),
    M("twilio-auth-token", "«H32»", "TWILIO_AUTH_TOKEN", "Twilio auth token"),
    M("sendgrid-key", "SG.«U22».«U43»", "SENDGRID_API_KEY", "SendGrid key"),
    M("mailgun-key", "key-«H32»", "MAILGUN_API_KEY", "Mailgun key"),
    M("mailchimp-key", "«H32»-us12 «H32»-us4", "MAILCHIMP_API_KEY", "Mailchimp key"),
    M("npm-token", "npm_«A36»", "NPM_TOKEN", "npm token"),
    M("pypi-token", "pypi-AgEIcHlwaS5vcmc«U120»", "PYPI_TOKEN TWINE_PASSWORD", "PyPI token"),
    M("docker-token", "dckr_pat_«U27»", "DOCKER_PASSWORD DOCKERHUB_TOKEN", "Docker Hub token"),
    M("rubygems-key", "rubygems_«H48»", "GEM_HOST_API_KEY", "RubyGems key"),
    M("huggingface-token", "hf_«L34»", "HF_TOKEN", "Hugging Face token"),
    M("openai-key", "sk-«A20»T3BlbkFJ«A20»", "OPENAI_API_KEY", "OpenAI key"),
    M("openai-project", "sk-proj-«U74»T3BlbkFJ«U74»", "OPENAI_API_KEY", "OpenAI key"),
    M(
        "anthropic-key",
        "sk-ant-api03-«U93»AA sk-ant-oat01-«U93»AA",
        "ANTHROPIC_API_KEY",
        "Claude key",
    ),
    M("mistral-key", "«A32»", "MISTRAL_API_KEY", "Mistral API key"),
    M("cohere-key", "«A40»", "COHERE_API_KEY CO_API_KEY", "Cohere API key"),
    M("groq-key", "gsk_«A52»", "GROQ_API_KEY", "Groq key"),
    M("xai-key", "xai-«A80»", "XAI_API_KEY", "xAI key"),
    M("perplexity-key", "pplx-«A48»", "PERPLEXITY_API_KEY", "Perplexity key"),
    M("replicate-token", "r8_«A37»", "REPLICATE_API_TOKEN", "Replicate token"),
    M("openrouter-key", "sk-or-v1-«H64»", "OPENROUTER_API_KEY", "OpenRouter key"),
    M("deepseek-key", "sk-«H32»", "DEEPSEEK_API_KEY", "DeepSeek key"),
    M("elevenlabs-key", "sk_«H48»", "ELEVENLABS_API_KEY", "ElevenLabs key"),
    M("telegram-token", "«N1»«D9»:AA«U33»", "TELEGRAM_BOT_TOKEN", "bot token"),
    M("discord-token", "M«A25».«A6».«U38» N«A23».«A6».«U27»", "DISCORD_TOKEN", "Discord bot token"),
    M("jwt", "«jwt»", "ACCESS_TOKEN ID_TOKEN", "access token"),
    M("vault-token", "hvs.«U92» hvb.«U92»", "VAULT_TOKEN", "Vault token"),
    M("terraform-token", "«A14».atlasv1.«U67»", "TFE_TOKEN", "Terraform Cloud token"),
    M("databricks-token", "dapi«H32» dapi«H32»-2", "DATABRICKS_TOKEN", "Databricks token"),
    M("datadog-key", "«H32»", "DD_API_KEY DATADOG_API_KEY", "Datadog API key"),
    M("newrelic-key", "NRAK-«K27»", "NEW_RELIC_API_KEY", "New Relic key"),
    M("newrelic-license", "«H36»NRAL", "NEW_RELIC_LICENSE_KEY", "license key"),
    M("sentry-token", "sntryu_«H64»", "SENTRY_AUTH_TOKEN", "Sentry token"),
    M("linear-key", "lin_api_«A40»", "LINEAR_API_KEY", "Linear key"),
    M("notion-token", "ntn_«D11»«A35» secret_«A43»", "NOTION_TOKEN", "Notion token"),
    M("shopify-token", "shpat_«H32» shpca_«H32» shpss_«H32»", "SHOPIFY_TOKEN", "Shopify token"),
    M("digitalocean-token", "dop_v1_«H64»", "DIGITALOCEAN_TOKEN DO_TOKEN", "DigitalOcean token"),
    M("heroku-key", "«uuid»", "HEROKU_API_KEY", "Heroku API key"),
    M("heroku-token", "HRKU-AA«U58»", "HEROKU_API_KEY", "Heroku key"),
    M("cloudflare-token", "«U40»", "CLOUDFLARE_API_TOKEN CF_API_TOKEN", "Cloudflare API token"),
    M("cloudflare-global-key", "«H37»", "CLOUDFLARE_API_KEY", "Cloudflare API key"),
    M("fastly-token", "«U32»", "FASTLY_API_TOKEN", "Fastly API token"),
    M("grafana-token", "glsa_«A32»_«H8»", "GRAFANA_TOKEN", "Grafana token"),
    M("doppler-token", "dp.pt.«A43»", "DOPPLER_TOKEN", "Doppler token"),
    M("onepassword-token", "ops_eyJ«U300»", "OP_SERVICE_ACCOUNT_TOKEN", "1Password token"),
    M("supabase-key", "sbp_«H40» sb_secret_«U31»", "SUPABASE_ACCESS_TOKEN", "Supabase token"),
    M("planetscale-token", "pscale_tkn_«U43» pscale_pw_«U43»", "PSCALE_TOKEN", "PlanetScale token"),
    M("age-key", "AGE-SECRET-KEY-1«Q58»", "AGE_KEY SOPS_AGE_KEY", "age key"),
    M("wireguard-key", "«b32»", "WG_PRIVATE_KEY PrivateKey", "WireGuard private key"),
    M("password", "«password»", "DB_PASSWORD SMTP_PASSWORD ADMIN_PASS", "database password"),
    M("secret-key", "«U50»", "SECRET_KEY JWT_SECRET SESSION_SECRET", "signing secret"),
    M("service-token", "«H40» «A32» «U24»", "API_TOKEN INTERNAL_API_KEY", "service token"),
    M("tailscale-key", "tskey-auth-«A12»CNTRL-«A32»", "TS_AUTHKEY", "Tailscale auth key"),
    M("postman-key", "PMAK-«H24»-«H34»", "POSTMAN_API_KEY", "Postman key"),
    M("hubspot-token", "pat-na1-«uuid»", "HUBSPOT_TOKEN", "HubSpot token"),
    M("airtable-token", "pat«A14».«H64»", "AIRTABLE_TOKEN", "Airtable token"),
    M("figma-token", "figd_«U40»", "FIGMA_TOKEN", "Figma token"),
    M("netlify-token", "nfp_«A36»", "NETLIFY_AUTH_TOKEN", "Netlify token"),
    M("algolia-key", "«H32»", "ALGOLIA_ADMIN_KEY", "Algolia admin key"),
    M("okta-token", "00«U40»", "OKTA_API_TOKEN", "Okta API token"),
)
"""Secrets that stand by themselves, beside a name or a word."""


def _in(kind: str, form: str, around: str) -> Maker:
    return Maker(kind, form, around=around)


PLACED: tuple[Maker, ...] = (
    _in("postgres-url", "«plain»", "postgresql://svc_app:«s»@«host»:5432/orders"),
    _in("mysql-url", "«plain»", "mysql+pymysql://root:«s»@«host»/shop?charset=utf8mb4"),
    _in("mongodb-url", "«plain»", "mongodb+srv://writer:«s»@cluster0.ab1cd.mongodb.net/app"),
    _in("redis-url", "«plain»", "rediss://:«s»@«host»:6380/0"),
    _in("amqp-url", "«plain»", "amqps://worker:«s»@«host»:5671/%2F"),
    _in(
        "ado-connection", "«plain»", "Server=tcp:«host»,1433;User ID=sa;Password=«s»;Encrypt=True;"
    ),
    _in("azure-connection", "«b64»", "AccountName=acme;AccountKey=«s»;EndpointSuffix=x.net"),
    _in("https-password", "«plain»", "https://deploy:«s»@git.acme.test/infra/app.git"),
    _in("sentry-dsn", "«H32»", "https://«s»@o«D6».ingest.sentry.io/«D7»"),
    _in("bearer-header", "«U43»", "Authorization: Bearer «s»"),
    _in("basic-header", "«login»", "Authorization: Basic «s»"),
    _in("api-key-header", "«A32»", "X-Api-Key: «s»"),
    _in("session-cookie", "«A32»", "Cookie: theme=dark; connect.sid=«s»; lang=en"),
    _in("set-cookie", "«H40»", "Set-Cookie: sessionid=«s»; Path=/; HttpOnly; SameSite=Lax"),
    _in("slack-webhook", "T«K8»/B«K10»/«A24»", "https://hooks.slack.com/services/«s»"),
    _in("discord-webhook", "«U68»", "https://discord.com/api/webhooks/«D18»/«s»"),
    _in("telegram-url", "«N1»«D9»:AA«U33»", "https://api.telegram.org/bot«s»/getUpdates"),
    _in(
        "signed-url",
        "«H64»",
        "https://acme.s3.amazonaws.com/r.pdf?X-Amz-Expires=9&X-Amz-Signature=«s»",
    ),
    _in(
        "sas-url", "«sas»", "https://acme.blob.core.windows.net/c/f.csv?sv=2023-11-03&sp=r&sig=«s»"
    ),
    _in("curl-user", "«plain»", "curl -s -u admin:«s» https://api.acme.test/v1/users"),
    _in("mysql-command", "«plain»", "mysql -h «host» -u root -p«s» shop"),
    _in("password-option", "«plain»", "deployctl login --user ops --password «s» --region eu"),
    _in("sshpass", "«plain»", "sshpass -p «s» ssh ops@«host» uptime"),
    _in("docker-login", "«plain»", "docker login -u ci -p «s» registry.acme.test"),
    _in("pgpassword", "«plain»", "PGPASSWORD=«s» psql -h «host» -U app orders"),
    _in("npmrc", "«uuid»", "//registry.acme.test/:_authToken=«s»"),
    _in("netrc", "«plain»", "machine api.acme.test login deploy password «s»"),
    _in("sql-password", "«plain»", "CREATE USER report WITH PASSWORD '«s»';"),
    _in("private-key", "«pem»", "«s»"),
    _in("pgp-key", "«pgp»", "«s»"),
)
"""Secrets that are known by the place where they stand."""


@dataclass(frozen=True, slots=True)
class Planted:
    """A text with one secret in it, as it is written there."""

    kind: str
    context: str
    text: str
    shown: str
    """the secret as the text spells it; no half of it may be left"""


def camel(name: str) -> str:
    """A name of the environment as code spells it."""
    if name not in {name.lower(), name.upper()}:
        return name[0].lower() + name[1:]
    first, *rest = name.lower().split("_")
    return first + "".join(word.capitalize() for word in rest)


def escaped(text: str) -> str:
    """As it stands in a JSON string."""
    return json.dumps(text)[1:-1]


def encoded(text: str) -> str:
    """In base64."""
    return base64.b64encode(text.encode()).decode()


CODES = ("\x1b[31m", "\x1b[0m", "\x1b[1;32m", "\x1b[K", "\x1b[38;5;208m", "\x1b[m")


def split(draw: Draw, text: str) -> str:
    """With terminal codes between its signs."""
    every = draw.random.choice((1, 3, 7))
    return "".join(draw.pick(*CODES) + c if i % every == 0 else c for i, c in enumerate(text))


# `S` is the secret, `E` its name in an environment, `C` the same in camel case, `l` in small letters,
# `o` as an option of a command, `W` what a sentence calls it.
FRAMES: dict[str, tuple[str, ...]] = {
    "prose": (
        "I put the «W» in the vault, it is «S» until Friday.", "The «W» is «S».", "«W»: «S»",
        "Please use this «W»: `«S»` and then rerun the job", "Set the «W» to «S», then restart.",
        "their «W» («S») was in the old config", "I used «S» as the «W», it works now.",
    ),
    "code": (
        'const «C» = "«S»";', "«l» = '«S»'", 'client = Client(«l»="«S»", timeout=30)',
        'os.environ["«E»"] = "«S»"', "    «C»: '«S»',", '«l»: str = "«S»"', 'var «C» string = "«S»"',
        'private static final String «E» = "«S»";', '«l» = os.getenv("«E»", "«S»")',
        "const «C» = process.env.«E» || '«S»'",
    ),
    ".env": ("«E»=«S»", 'PORT=8080\n«E»="«S»"\nDEBUG=0', "«E»='«S»'", "# deploy\n«E»=«S»\nHOST=x.org"),
    "json": ('{"env": {"«E»": "«S»"}, "n": 3}', '«C» = "«S»"\nnext line', "export «E»=«S»\necho ok"),
    "url": ("GET https://api.acme.test/v2/items?limit=20&access_token=«S»&page=2 200",
            "https://api.acme.test/v1/me?api_key=«S»", "see https://acme.test/cb#token=«S»"),
    "diff": ('@@ -1,4 +1,4 @@\n import os\n+«E»="«S»"\n # end', "@@ -3 +3 @@\n-  «l»: «S»\n+  x: 1",
             '@@ -1 +1 @@\n+    «C» = "«S»"', "-export «E»=«S»\n+export X=1"),
    "shell": (
        "export «E»=«S»", "«E»='«S»' ./deploy.sh --prod", "docker run -e «E»=«S» acme/app",
        'curl -H "Authorization: Bearer «S»" https://api.acme.test', "vercel env add «E» «S»",
        "heroku config:set «E»=«S» -a shop", "acme --«o» «S» --verbose", "acme --«o»='«S»'",
        '$env:«E» = "«S»"', "kubectl create secret generic app --from-literal=«E»=«S»",
        "gh secret set «E» --body '«S»'",
    ),
    "base64": ("«S»", "«E»=«S»", '{"«C»": "«S»"}'),
    "ansi": ("\x1b[36m«E»\x1b[0m=«S»\x1b[0m\r\n",),
    "yaml": (
        "«l»: «S»", '  «C»: "«S»"', "env:\n  - name: «E»\n    value: «S»", "      - «E»=«S»",
        "services:\n  web:\n    environment:\n      «E»: '«S»'",
    ),
    "toml, ini, hcl": (
        '[auth]\n«l» = "«S»"', "[default]\n«l»=«S»", '«l» = "«S»" # rotate',
        'provider "x" {\n  «l» = "«S»"\n}', 'variable "«l»" {\n  default = "«S»"\n}',
    ),
    "log": (
        "2026-03-01T10:22:31Z INFO starting with «E»=«S» port=8080",
        '[10:22:31] DEBUG config {"«C»": "«S»", "retries": 3}',
        "ERROR auth failed: «W» «S» was rejected (401)", "level=warn msg=reload «l»=«S» took=12ms",
    ),
}  # fmt: skip
WRAPPED_BASE64 = (
    "echo «S» | base64 -d",
    'data:\n  app.env: "«S»"',
    "atob('«S»')",
    "blob (base64): «S»",
)


def _framed(maker: Maker, frame: str, name: str, secret: str) -> str:
    small = name.lower()
    parts = {
        "E": name,
        "C": camel(name),
        "l": small,
        "o": small.replace("_", "-"),
        "W": maker.words,
    }
    for sign, part in parts.items():
        frame = frame.replace(f"«{sign}»", part)
    return frame.replace("«S»", secret)


def in_frame(draw: Draw, maker: Maker, context: str, secret: str) -> Planted:
    """A secret beside its name, in a text of that kind."""
    frame, name = draw.pick(*FRAMES[context]), draw.pick(*maker.names.split())
    shown = secret
    if context == "url":
        shown = quote(secret, safe="")
    elif context == "ansi":
        shown = split(draw, secret)
    text = _framed(maker, frame, name, shown)
    if context == "json":
        shown = escaped(escaped(secret)) if frame.startswith("{") else escaped(secret)
        text = json.dumps({"type": "text", "content": text, "ok": True})
        if draw.random.random() < 0.3:
            text = text.replace('\\"', "\\u0022")
    elif context == "base64":
        shown = encoded(text)
        text = draw.pick(*WRAPPED_BASE64).replace("«S»", shown)
    return Planted(maker.kind, context, text, shown)


def in_place(draw: Draw, maker: Maker, context: str, secret: str) -> Planted:
    """A secret in its header, address or command, and that in a text of that kind."""
    snippet = draw.fill(maker.around.replace("«s»", secret))
    shown = secret
    match context:
        case "prose":
            text = f"This is what I ran:\n\n```\n{snippet}\n```\nand it answered 200."
        case "code":
            text = f'value = """{snippet}"""\n'
        case "json":
            text, shown = json.dumps({"role": "user", "content": snippet}), escaped(secret)
        case "diff":
            text = "\n".join(["@@ -0,0 +1 @@", *("+" + line for line in snippet.split("\n"))])
        case "log":
            text = f"2026-03-01 10:22:31 DEBUG {snippet}"
        case "yaml":
            text = "notes: |\n    {}\nnext: 1".format(snippet.replace("\n", "\n    "))
        case "base64":
            text, shown = f"echo {encoded(snippet)} | base64 -d", encoded(snippet)
        case "ansi":
            shown = split(draw, secret)
            text = snippet.replace(secret, shown)
        case _:
            text = quote(f"https://acme.test/?next={snippet}", safe=":/?=")
            shown = quote(secret, safe=":/?=")
    return Planted(maker.kind, context, text, shown)


PLACE_CONTEXTS = ("prose", "code", "json", "url", "diff", "log", "yaml", "base64", "ansi")


def planted(seed: int = 1) -> Iterator[Planted]:
    """Every kind in every context that suits it, the same for the same seed."""
    draw = Draw(seed)
    for maker in TOKENS:
        for context in FRAMES:
            yield in_frame(draw, maker, context, maker.make(draw))
    for maker in PLACED:
        for context in PLACE_CONTEXTS:
            yield in_place(draw, maker, context, maker.make(draw))
