"""The documented forms of tokens: how they begin and what follows; data only.

Lengths are given with room, since vendors lengthen their tokens without notice.
"""

from __future__ import annotations

from typing import NamedTuple


class Form(NamedTuple):
    """Tokens that begin alike: `starts`, separated by blanks, then `body`, a pattern."""

    kind: str
    starts: str
    body: str
    loose: bool = False
    """the start is common in other words too: the body must be drawn at random"""
    whole: bool = False
    """the token must begin where a run of letters, digits, `-` and `_` begins; for long bodies"""


class MarkedForm(NamedTuple):
    """Tokens with their mark somewhere within: `mark`, a text that must be there, and the pattern."""

    kind: str
    mark: str
    pattern: str
    loose: bool = False
    """much else is written like this: the token must be drawn at random"""


A = "[A-Za-z0-9]"
W = "[A-Za-z0-9_-]"
B = "[A-Za-z0-9+/]"
H = "[0-9a-f]"
UUID = f"{H}{{8}}-{H}{{4}}-{H}{{4}}-{H}{{4}}-{H}{{12}}"

FORMS: tuple[Form, ...] = (
    # clouds
    Form("aws-access-key", "AKIA ASIA ABIA ACCA A3T", "[A-Z0-9]{13,17}"),
    Form(
        "aws-session-token", "FwoGZXIvYXdz IQoJb3JpZ2lu", "[A-Za-z0-9+/_%-]{60,}+={0,2}", whole=True
    ),
    Form("aws-bedrock-key", "ABSK", f"{B}{{60,300}}={{0,2}}"),
    Form("aws-bedrock-key", "bedrock-api-key-", f"{B}{{24,}}+={{0,2}}", whole=True),
    Form("aws-mws-token", "amzn.mws.", UUID),
    Form("google-key", "AIza", f"{W}{{32,38}}"),
    Form("google-oauth-token", "ya29.", "[A-Za-z0-9_.-]{24,}+", whole=True),
    Form("google-oauth-token", "1//0", f"{W}{{36,160}}"),
    Form("google-client-secret", "GOCSPX-", f"{W}{{20,40}}"),
    Form("google-key", "GOOG1E GOOG", "[A-Z0-9]{20,60}"),
    Form("firebase-key", "AAAA", f"{W}{{7}}:{W}{{100,200}}"),
    Form("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", f"{H}{{40,64}}"),
    Form("heroku-key", "HRKU-", f"{W}{{32,70}}"),
    Form("alibaba-key", "LTAI", f"{A}{{12,26}}", loose=True),
    Form("tencent-key", "AKID", f"{A}{{28,40}}"),
    Form("scaleway-key", "SCW", "[A-Z0-9]{17}"),
    Form("yandex-key", "AQVN", f"{W}{{35,38}}"),
    Form("yandex-key", "t1.", f"{W}{{80,400}}\\.{W}{{60,100}}"),
    Form("cloudflare-token", "cfut_ cfat_ cfk_", f"{A}{{36,60}}"),
    Form("cloudflare-token", "v1.0-", f"{H}{{24}}-{H}{{100,160}}"),
    Form("vercel-token", "vcp_ vci_ vca_ vcr_ vck_", f"{A}{{20,80}}"),
    Form("vercel-token", "vercel_blob_rw_", "[A-Za-z0-9_]{24,80}"),
    Form("netlify-token", "nfp_ nfo_ nfc_ nfb_", f"{A}{{28,60}}"),
    Form("fly-token", "fo1_", f"{W}{{30,80}}"),
    Form("fly-token", "fm1r_ fm1a_ fm2_", "[A-Za-z0-9+/_-]{40,}+={0,3}", whole=True),
    Form("render-key", "rnd_", f"{A}{{20,60}}", loose=True),
    Form("supabase-key", "sbp_", f"(?:v0_)?{H}{{32,64}}"),
    Form("supabase-key", "sb_secret_", f"{W}{{20,60}}"),
    Form("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", "[A-Za-z0-9_.=-]{24,80}"),
    Form("neon-key", "napi_ npg_", f"{A}{{12,80}}", loose=True),
    Form("tailscale-key", "tskey-", f"[a-z]{{2,10}}-{A}{{6,40}}(?:-{A}{{6,60}})?"),
    Form("pulumi-token", "pul-", f"{H}{{40}}"),
    Form("terraform-token", "atlasv1.", f"{W}{{40,90}}"),
    Form("vault-token", "hvs. hvb. hvr.", f"{W}{{20,300}}"),
    Form("vault-token", "s. b.", f"{A}{{24}}", loose=True, whole=True),
    Form(
        "doppler-token",
        "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. dp.said.",
        f"(?:[a-z0-9_-]{{2,35}}\\.)?{A}{{40,44}}",
    ),
    Form("infisical-token", "st.", f"{H}{{24}}\\.{H}{{32}}\\.{H}{{32}}"),
    Form("onepassword-token", "ops_eyJ", "[A-Za-z0-9+/_-]{60,}+={0,3}", whole=True),
    Form("onepassword-secret-key", "A3-", "[A-Z0-9]{6}-[A-Z0-9]{5,11}(?:-[A-Z0-9]{5}){3,4}"),
    Form("age-key", "AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1", "[0-9A-Z]{50,80}"),
    # forges, registries, builds
    Form("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", "[A-Za-z0-9_]{30,255}"),
    Form("github-token", "github_pat_", "[A-Za-z0-9_]{30,255}"),
    Form("github-token", "v1.", f"{H}{{40}}"),
    Form(
        "gitlab-token",
        "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt- glat-",
        f"{W}{{18,320}}(?:\\.[a-z0-9]{{2}}\\.[a-z0-9]{{9}})?",
    ),
    Form("gitlab-token", "GR1348941", f"{W}{{20,50}}"),
    Form("bitbucket-token", "ATBB", f"{A}{{20,40}}"),
    Form("bitbucket-token", "ATCTT3xFfG ATCTT3", "[A-Za-z0-9_=-]{50,}+", whole=True),
    Form("atlassian-token", "ATATT3xFf ATATT3 ATSTT3 ATOAT3", "[A-Za-z0-9_=-]{40,}+", whole=True),
    Form("trello-token", "ATTA", f"{H}{{64}}"),
    Form("npm-token", "npm_", f"{A}{{34,60}}"),
    Form("pypi-token", "pypi-AgE pypi-", "[A-Za-z0-9_=-]{50,}+", whole=True),
    Form("docker-token", "dckr_pat_ dckr_oat_", f"{W}{{24,60}}"),
    Form("rubygems-key", "rubygems_", f"{H}{{40,64}}"),
    Form("crates-token", "cio", f"{A}{{32}}", loose=True),
    Form("nuget-key", "oy2", "[a-z0-9]{43}"),
    Form("clojars-token", "CLOJARS_", f"{A}{{50,70}}"),
    Form(
        "packagist-token",
        "packagist_uut_ packagist_oat_ packagist_out_ packagist_ort_",
        f"{A}{{40,80}}",
    ),
    Form("jfrog-token", "AKCp", f"{A}{{50,90}}"),
    Form("jfrog-token", "cmVmdGtu", f"{A}{{50,60}}"),
    Form("buildkite-token", "bkua_ bkaj_ bkct_ bkar_", f"{A}{{32,64}}"),
    Form("circleci-token", "CCIPAT_ CCIPRJ_", f"{A}{{16,30}}_{H}{{40}}"),
    Form("sonar-token", "sqa_ sqp_ squ_", f"{H}{{40}}"),
    Form("sourcegraph-token", "sgp_ slk_ sgd_", f"(?:(?:{H}{{16}}|local)_)?{H}{{40,64}}"),
    Form("octopus-key", "API-", "[A-Z0-9]{25,34}", loose=True),
    Form("harness-token", "pat. sat.", f"{W}{{22}}\\.{A}{{24}}\\.{A}{{20}}"),
    Form("swarm-token", "SWMTKN-1-", "[a-z0-9]{40,60}-[a-z0-9]{20,30}"),
    Form("portainer-token", "ptr_", f"{B}{{40,50}}={{0,2}}"),
    # messages, mail, payment
    Form(
        "slack-token",
        "xoxb- xoxp- xoxa- xoxs- xoxr- xoxo- xoxe- xoxc- xapp-",
        "[A-Za-z0-9-]{18,400}",
    ),
    Form("slack-token", "xoxd- xoxe.xoxp- xoxe.xoxb-", "[A-Za-z0-9%+/-]{18,400}={0,2}"),
    Form(
        "stripe-key",
        "sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_ sk_org_live_ sk_org_test_",
        f"{A}{{14,250}}",
    ),
    Form("stripe-webhook-secret", "whsec_", "[A-Za-z0-9+/]{24,80}={0,2}"),
    Form("twilio-key", "SK AC", f"{H}{{32}}"),
    Form("sendgrid-key", "SG.", f"{W}{{16,32}}\\.{W}{{32,64}}"),
    Form("mailgun-key", "key- pubkey-", f"{H}{{32}}"),
    Form("mailchimp-key", "md-", f"{W}{{20,24}}", loose=True),
    Form("brevo-key", "xkeysib- xsmtpsib-", f"{H}{{64}}-{A}{{16}}"),
    Form("resend-key", "re_", f"{A}{{6,10}}_{A}{{20,28}}"),
    Form("telnyx-key", "KEY0", f"{A}{{10,40}}(?:_{A}{{16,30}})?", loose=True),
    Form("square-token", "sq0atp- sq0csp- sq0acp- EAAAE EAAAl", f"{W}{{22,64}}"),
    Form(
        "paypal-secret",
        "access_token$production$ access_token$sandbox$",
        f"[a-z0-9]{{16}}\\${H}{{32}}",
    ),
    Form("plaid-key", "access-sandbox- access-development- access-production-", UUID),
    Form("razorpay-key", "rzp_live_ rzp_test_", f"{A}{{14,24}}"),
    Form("flutterwave-key", "FLWSECK- FLWSECK_TEST- FLWSECK_LIVE-", f"{A}{{12,48}}(?:-X)?"),
    Form("adyen-key", "AQE", "[A-Za-z0-9+/=]{40,}+-[A-Za-z0-9+/=]{20,}+", whole=True),
    Form("lob-key", "live_ test_", f"{H}{{35}}"),
    Form("mollie-key", "live_ test_", f"{A}{{30}}", loose=True),
    Form("easypost-key", "EZAK EZTK", f"{A}{{50,60}}"),
    Form("shippo-token", "shippo_live_ shippo_test_", f"{H}{{40}}"),
    Form("shopify-token", "shpat_ shpca_ shppa_ shpss_ shpua_ shptka_ shpit_", f"{A}{{24,64}}"),
    Form("discord-token", "mfa.", f"{W}{{60,100}}"),
    Form("intercom-token", "dG9rO", f"{B}{{50,60}}={{0,2}}", loose=True),
    Form("zapier-key", "sk-ak-", f"{W}{{20,80}}"),
    # models
    Form("anthropic-key", "sk-ant-", f"{W}{{16,400}}"),
    Form("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-service- sk-None-", f"{W}{{20,400}}"),
    Form("openrouter-key", "sk-or-v1- sk-or-", f"{A}{{32,80}}"),
    Form("langfuse-key", "sk-lf-", UUID),
    Form("helicone-key", "sk-helicone-", f"{W}{{20,80}}"),
    Form("openai-key", "sk-", f"{W}{{20,200}}", loose=True),
    Form("elevenlabs-key", "sk_", f"{H}{{40,64}}"),
    Form("openai-key", "sess-", f"{A}{{32,64}}", loose=True),
    Form("huggingface-token", "hf_ api_org_", f"{A}{{28,60}}"),
    Form("groq-key", "gsk_", f"{A}{{40,70}}"),
    Form("xai-key", "xai-", f"{A}{{60,100}}"),
    Form("perplexity-key", "pplx-", f"{A}{{40,70}}"),
    Form("replicate-token", "r8_", f"{A}{{32,45}}"),
    Form("nvidia-key", "nvapi-", f"{W}{{50,90}}"),
    Form("fireworks-key", "fw_ fpk_", f"{A}{{20,40}}", loose=True),
    Form("together-key", "tgp_v1_", f"{W}{{36,60}}"),
    Form("cerebras-key", "csk-", f"{A}{{40,60}}"),
    Form("voyage-key", "pa-", f"{W}{{40,50}}", loose=True),
    Form("pinecone-key", "pcsk_", "[A-Za-z0-9_]{40,90}"),
    Form("langsmith-key", "lsv2_pt_ lsv2_sk_ ls__", f"{H}{{32}}(?:_{H}{{10}})?"),
    Form("wandb-key", "wandb_v1_", f"{W}{{30,120}}"),
    Form("tavily-key", "tvly-", f"(?:dev-|prod-)?{W}{{20,60}}"),
    Form("firecrawl-key", "fc-", f"{H}{{32}}"),
    Form("jina-key", "jina_", f"{W}{{40,80}}"),
    Form("llama-cloud-key", "llx-", f"{A}{{40,60}}"),
    Form("apify-token", "apify_api_", f"{A}{{30,44}}"),
    Form("e2b-key", "e2b_", f"{H}{{40}}"),
    Form("runpod-key", "rpa_", f"{A}{{36,60}}"),
    Form("modal-token", "ak- as-", f"{A}{{22}}", loose=True),
    Form("cursor-key", "crsr_ key_", f"{H}{{64}}"),
    Form("zhipu-key", "glm-", f"{H}{{32}}\\.{A}{{16}}"),
    Form("databricks-token", "dapi dkea dose", f"{H}{{32}}(?:-\\d)?"),
    # watching, tracking, planning
    Form("newrelic-key", "NRAK- NRII- NRIQ- NRRA- NRBR- NRJS-", f"{W}{{16,60}}"),
    Form("sentry-token", "sntrys_", "[A-Za-z0-9+/_=-]{40,}+", whole=True),
    Form("sentry-token", "sntryu_ sntrya_ sntryi_", f"{H}{{64}}"),
    Form("grafana-token", "glsa_", f"{A}{{32}}_{A}{{8}}"),
    Form("grafana-token", "glc_", "[A-Za-z0-9+/_-]{32,}+={0,3}", whole=True),
    Form("grafana-token", "eyJrIjoi", "[A-Za-z0-9+/_-]{50,}+={0,3}", whole=True),
    Form("honeycomb-key", "hcaik_ hcbik_ hcalk_ hcxik_ hcxlk_ hcamk_", "[a-z0-9_]{24,80}"),
    Form(
        "dynatrace-token", "dt0c01. dt0s01. dt0s02. dt0s06. dt0s08.", "[A-Z0-9]{24}\\.[A-Z0-9]{64}"
    ),
    Form("posthog-key", "phx_ phs_", f"{A}{{32,60}}"),
    Form("launchdarkly-key", "sdk- api- mob- rel-", UUID),
    Form("linear-key", "lin_api_ lin_oauth_ lin_wh_", f"{A}{{32,80}}"),
    Form("notion-token", "ntn_ secret_", f"{A}{{40,60}}"),
    Form("airtable-token", "pat", f"{A}{{14}}\\.{H}{{64}}"),
    Form("figma-token", "figd_ figu_ figo_", f"{W}{{30,80}}"),
    Form("asana-token", "0/ 1/ 2/", f"(?:\\d{{12,20}}/){{0,2}}\\d{{0,20}}:?{H}{{32}}", loose=True),
    Form("clickup-token", "pk_", "\\d{6,10}_[A-Z0-9]{32}"),
    Form("hubspot-token", "pat-na1- pat-na2- pat-eu1- pat-ap1-", UUID),
    Form("typeform-token", "tfp_", "[A-Za-z0-9_.=-]{40,80}"),
    Form("contentful-token", "CFPAT-", f"{W}{{40,50}}"),
    Form("postman-key", "PMAK-", f"{H}{{24}}-{H}{{34}}"),
    Form("readme-key", "rdme_", "[a-z0-9]{60,80}"),
    Form("prefect-key", "pnu_ pnb_", f"{A}{{36}}"),
    Form("dropbox-token", "sl.u. sl.", f"{W}{{100,}}+", whole=True),
    Form("facebook-token", "EAAC EAAB EAAD EAAG EAAI EAAJ EAAM", f"{A}{{60,}}+", whole=True),
    Form("twitter-token", "AAAAAAAAAAAAAAAAAAAAA", "[A-Za-z0-9%]{60,140}"),
    Form("mapbox-token", "sk.eyJ tk.eyJ", f"{W}{{20,400}}\\.{W}{{16,40}}"),
    Form("adobe-secret", "p8e-", f"{A}{{32}}"),
    Form("frameio-token", "fio-u-", f"{W}{{60,70}}"),
    Form("sanity-token", "sk", f"{A}{{100,200}}", loose=True),
    Form("algolia-key", "algolia_", f"{H}{{32}}"),
    Form("workos-key", "sk_live_ sk_test_", "[A-Za-z0-9_]{30,120}"),
    Form("statsig-key", "secret-", f"{A}{{36,50}}", loose=True),
    Form("stytch-secret", "secret-test- secret-live-", "[A-Za-z0-9_=-]{30,50}"),
    Form("inngest-key", "signkey-prod- signkey-test- signkey-branch-", f"{H}{{32,64}}"),
    Form("unkey-key", "unkey_", f"{A}{{16,40}}"),
    Form("polar-token", "polar_oat_ polar_pat_ polar_whs_", f"{A}{{32,60}}"),
    Form("deno-token", "ddp_ ddw_ ddo_", f"{A}{{36,50}}"),
    Form("weblate-token", "wlu_ wlp_", f"{A}{{36,44}}"),
    Form("zoho-token", "1000.", f"{H}{{32}}\\.{H}{{32}}"),
    Form("ripple-seed", "xprv", f"{A}{{100,115}}"),
    Form("netbox-token", "nbt_", f"{A}{{12}}\\.{A}{{40}}"),
    # standards: hashes that were made to keep passwords can be tried against
    Form("password-hash", "$2a$ $2b$ $2x$ $2y$", r"\d\d\$[A-Za-z0-9./]{53}"),
    Form(
        "password-hash",
        "$5$ $6$ $y$ $7$ $gy$ $1$ $apr1$",
        r"(?:[A-Za-z0-9./=]{1,32}\$){1,2}[A-Za-z0-9./]{20,90}",
    ),
    Form(
        "password-hash",
        "$argon2id$ $argon2i$ $argon2d$",
        r"v=\d{1,3}\$[a-z0-9=,]{5,40}\$[A-Za-z0-9+/]{8,90}\$[A-Za-z0-9+/]{16,180}",
    ),
    Form(
        "password-hash",
        "pbkdf2_sha256$ pbkdf2_sha1$ bcrypt_sha256$$2b$",
        r"\d{1,7}\$[A-Za-z0-9./]{5,64}\$?[A-Za-z0-9+/=.]{16,100}",
    ),
    Form("password-hash", "scrypt:32768:8:1$", r"[A-Za-z0-9./]{8,40}\$[0-9a-f]{64,130}"),
    Form("jwt", "eyJ", f"{W}{{8,}}+\\.(?:eyJ)?{W}{{8,}}+(?:\\.{W}{{0,}}+){{0,3}}", whole=True),
)
"""In no order: the longest start that fits is tried first."""

_L, _R = "(?<![A-Za-z0-9])", "(?![A-Za-z0-9])"
_LW, _RW = r"(?<![\w\-])", r"(?![\w\-])"
_SERVICES = "(?:St|SB|EH|RS|RH|Io|CR|SH|Ba|ML)"
_TRADE = "sk|pat|api|apikey|key|secret|token|tok|live|test|prod|oauth|access|refresh|sat|pst|v1"

MARKED_FORMS: tuple[MarkedForm, ...] = (
    MarkedForm("azure-key", "Q~", r"(?<![\w.~\-])[\w.~\-]{3}[78]Q~[\w.~\-]{31,37}(?![\w~])"),
    MarkedForm("azure-key", "JQQJ99", f"{_L}{A}{{40,60}}JQQJ99{A}{{20,40}}{_R}"),
    MarkedForm("azure-key", "AzF", rf"{_LW}{W}{{44}}AzF[A-Za-z]\w{{5,8}}={{0,2}}"),
    MarkedForm(
        "azure-key", "+A", rf"(?<![A-Za-z0-9+/]){B}{{32,76}}\+A{_SERVICES}{B}{{5,8}}={{0,2}}"
    ),
    MarkedForm("azure-devops-token", "AZDO", f"{_L}{A}{{76}}AZDO{A}{{4}}{_R}"),
    MarkedForm("terraform-token", ".atlasv1.", rf"{_L}{A}{{14}}\.atlasv1\.[\w\-=]{{40,90}}"),
    MarkedForm("openai-key", "T3BlbkFJ", f"{_L}sk-{W}{{16,100}}T3BlbkFJ{W}{{16,100}}"),
    MarkedForm("mailchimp-key", "-us", rf"{_L}{H}{{32}}-us\d{{1,2}}(?!\w)"),
    MarkedForm("mailgun-key", "-", rf"(?<![A-Za-z0-9\-]){H}{{32}}-{H}{{8}}-{H}{{8}}{_RW}"),
    MarkedForm("newrelic-key", "NRAL", f"{_L}{A}{{34,38}}NRAL{_R}"),
    MarkedForm("telegram-token", ":AA", rf"(?<!\d)\d{{6,12}}:AA{W}{{30,36}}{_RW}"),
    MarkedForm(
        "discord-token", ".", rf"(?<![\w\-.])[MNO]{W}{{23,28}}\.{W}{{6}}\.{W}{{27,45}}{_RW}", True
    ),
    MarkedForm("rapidapi-key", "msh", f"{_L}{H}{{10}}msh{H}{{15}}p1{H}{{6}}jsn{H}{{12}}{_R}"),
    MarkedForm("sentry-dsn", "@", rf"(?<=://){H}{{32}}(?::{H}{{32}})?(?=@[\w.\-]{{1,200}}/\d)"),
    MarkedForm("salesforce-token", "00D", rf"{_L}00D{A}{{12,15}}![\w.]{{80,140}}"),
    MarkedForm("zhipu-key", ".", rf"(?<![\w.]){H}{{32}}\.{A}{{16}}(?![\w.])"),
    MarkedForm(
        "convex-key",
        "|",
        rf"{_LW}(?:prod|dev|preview|project):[a-z0-9:\-]{{4,60}}\|[\w+/=]{{40,200}}",
    ),
    MarkedForm("ngrok-token", "_", rf"(?<!\w)[12]{A}{{26}}_{A}{{20,24}}(?!\w)", True),
    MarkedForm("duffel-key", "duffel_", f"duffel_(?:test|live)_{W}{{40,50}}"),
    MarkedForm(
        "vendor-key",
        "_",
        f"{_L}(?:[a-z][a-z0-9]{{1,14}}[_-]){{1,2}}(?:{_TRADE})(?:[_-][a-z0-9]{{2,4}})?[_-]{A}{{20,200}}{_R}",
        True,
    ),
)
"""The last one is what vendors without a form of their own in this table tend to do."""
