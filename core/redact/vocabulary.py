"""Word lists behind the judgement of names and values; data only."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text, apart at blanks."""
    return frozenset(text.split())


COMMON_PAIRS = words(
    """
    th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve
    co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no
    ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts
    mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab gh ty op wo
    sa ay ex ke fr oo av ag if ap gr od bo sp rd do uc bu ei ov by rm ep tt oc fa ef cu rn sc gi
    da yo cr cl du ga qu ue ff ba ey ls va um pp ua up lu go ht ru ug ds pi rc rr eg au ck ew mu
    br bi pt
    """
)
"""Pairs of letters that make up most of English text and of names in programs."""

DUMMY_WORDS = words(
    """
    password passwd passphrase passcode pass pwd pw secrets secret tokens token keys key apikey
    api auth authorization authentication credentials credential creds cred bearer basic session
    cookie jwt oauth user username name email login logout signin signup account admin root guest
    owner client server service app application web db database sql http https url uri host port
    test testing tests example sample demo dummy fake mock stub spec fixture foo bar baz qux
    quux foobar foobaz
    my your our their some any new old other another wrong invalid valid bad good correct
    incorrect right strong weak super very secure insecure safe not real the this that here there
    change changeme me placeholder insert replace with todo tbd fixme none null nil undefined
    default string str text value values var variable const bytes int number bool boolean object
    type kind field input output form label hint title message error errors abc abcd abcdef xyz
    qwerty asdf access refresh private public local localhost dev prod development production
    staging sandbox live hidden masked redacted removed omitted confidential expired first second
    third one two three hello world lorem ipsum letmein anything something whatever random
    generated required optional enter confirm confirmation forgot reset show hide toggle min max
    length strength must at least characters match matches mismatch current update create get set
    put has is was no empty blank missing provided given supplied raw plain plaintext hash hashed
    encrypted encoded decoded salted bcrypt argon scrypt sha md utf base aes rsa hmac id ids uuid
    path file env config settings options param params query body header headers data request
    response result item items list map args argument return self ctx context state props event
    target parent manager provider handler helper factory store storage cache vault for from of to
    in on by and or a an as it be we you
    """
)
"""Words that a value of a credential's name is made of when it is none: in tests, forms, code."""

PASSWORD_WORDS = words(
    """
    password passwd passwort passphrase passcode pwd pswd pass pw psw kennwort contrasena
    contraseña senha wachtwoord motdepasse hasło heslo lösenord adgangskode salasana jelszó parola şifre
    пароль 密码 密碼 口令 パスワード 비밀번호
    """
)
SECRET_WORDS = words(
    """
    secret token apikey apitoken authtoken accesstoken accesskey secretkey privatekey jwt bearer
    credential credentials creds cred psk pat appsecret clientsecret apisecret authkey
    """
)
WEAK_WORDS = words(
    """
    key auth cookie session sid sessionid salt sig signature seed
    """
)
"""These name a secret only beside a value that can hardly be anything else."""

GLUED_ENDS = ("password", "passwd", "secret", "token", "apikey", "secretkey", "accesskey")
"""Ends of names written in one word: `dbpassword`, `githubtoken`."""

QUALIFIERS = words(
    """
    prod production prd dev develop development staging stage stg test testing live sandbox local
    new old current previous prev default primary secondary main backup base value val string str
    raw plain plaintext b64 base64 hex env encoded dec decoded literal bot read write rw ro
    """
)
"""What may stand behind the word that counts: `SECRET_KEY_BASE`, `TOKEN_PROD`, `password2`."""

KEY_MAKERS = words(
    """
    api access secret private auth authentication authorization encryption encrypt encrypting
    decryption signing sign signed master account service shared deploy deployment admin app
    application integration subscription storage client server session hmac aes rsa ssh gpg pgp
    jwt cookie crypto cipher fernet consumer restricted live ingest ingestion insert write user
    personal recovery root webhook bot project rest developer preshared psk wireguard host license
    licence function functions maps ai llm model merchant
    """
)
"""What turns a mere `key` into a credential."""

KEY_SPOILERS = words(
    """
    public publishable primary foreign cache sort partition idempotency object row hash map dict
    index unique composite natural surrogate range query group react element item parent child sub
    translation i18n message locale config registry dedupe lookup column field property
    prop attr attribute option setting metadata json yaml data node edge graph tree
    shortcut hot arrow enter escape tab modifier press keyboard short routing distribution shard
    """
)
TOKEN_SPOILERS = words(
    """
    pad padding eos bos unk mask sep cls special next continuation continue page pagination cursor
    sync resume cancel cancellation abort start end stop last first per max min num n total count
    design comment keyword punctuation operator string literal identifier unexpected expected
    whitespace newline indent output input prompt completion reasoning cached each every previous
    current lexer parser syntax regex word sub
    """
)
"""Neighbours of `token` that make it a piece of text, a place in a list or a count."""

VENDORS = {
    "aws": "aws-secret-key", "amazon": "aws-secret-key", "s3": "aws-secret-key",
    "azure": "azure-key", "gcp": "google-key", "google": "google-key", "gemini": "google-key",
    "firebase": "google-key", "github": "github-token", "gh": "github-token",
    "gitlab": "gitlab-token", "bitbucket": "bitbucket-token", "atlassian": "atlassian-token",
    "jira": "atlassian-token", "confluence": "atlassian-token", "slack": "slack-token",
    "stripe": "stripe-key", "twilio": "twilio-key", "sendgrid": "sendgrid-key",
    "mailgun": "mailgun-key", "mailchimp": "mailchimp-key", "mailjet": "mailjet-key",
    "mandrill": "mailchimp-key", "postmark": "postmark-token", "resend": "resend-key",
    "npm": "npm-token", "pypi": "pypi-token", "docker": "docker-token", "hf": "huggingface-token",
    "huggingface": "huggingface-token", "openai": "openai-key", "anthropic": "anthropic-key",
    "claude": "anthropic-key", "mistral": "mistral-key", "cohere": "cohere-key",
    "groq": "groq-key", "together": "together-key", "replicate": "replicate-token",
    "perplexity": "perplexity-key", "deepseek": "deepseek-key", "xai": "xai-key",
    "fireworks": "fireworks-key", "openrouter": "openrouter-key", "voyage": "voyage-key",
    "elevenlabs": "elevenlabs-key", "deepgram": "deepgram-key", "assemblyai": "assemblyai-key",
    "pinecone": "pinecone-key", "weaviate": "weaviate-key", "qdrant": "qdrant-key",
    "wandb": "wandb-key", "langsmith": "langsmith-key", "langchain": "langsmith-key",
    "telegram": "telegram-token", "discord": "discord-token", "vault": "vault-token",
    "terraform": "terraform-token", "tfe": "terraform-token", "databricks": "databricks-token",
    "datadog": "datadog-key", "dd": "datadog-key", "newrelic": "newrelic-key",
    "relic": "newrelic-key", "sentry": "sentry-token", "linear": "linear-key",
    "notion": "notion-token", "shopify": "shopify-token", "digitalocean": "digitalocean-token",
    "heroku": "heroku-key", "cloudflare": "cloudflare-token", "cf": "cloudflare-token",
    "fastly": "fastly-token", "grafana": "grafana-token", "doppler": "doppler-token",
    "supabase": "supabase-key", "planetscale": "planetscale-token", "vercel": "vercel-token",
    "netlify": "netlify-token", "railway": "railway-token", "render": "render-key",
    "fly": "fly-token", "linode": "linode-token", "hetzner": "hetzner-token",
    "hcloud": "hetzner-token", "vultr": "vultr-key", "scaleway": "scaleway-key",
    "alibaba": "alibaba-key", "aliyun": "alibaba-key", "tencent": "tencent-key",
    "tencentcloud": "tencent-key", "ibm": "ibm-key", "oracle": "oracle-key",
    "okta": "okta-token", "auth0": "auth0-secret", "clerk": "clerk-key", "algolia": "algolia-key",
    "pagerduty": "pagerduty-key", "opsgenie": "opsgenie-key", "circleci": "circleci-token",
    "circle": "circleci-token", "travis": "travis-token", "codecov": "codecov-token",
    "snyk": "snyk-token", "sonar": "sonar-token", "buildkite": "buildkite-token",
    "jenkins": "jenkins-token", "artifactory": "jfrog-token", "jfrog": "jfrog-token",
    "nexus": "nexus-token", "rubygems": "rubygems-key", "nuget": "nuget-key",
    "cargo": "crates-token", "crates": "crates-token", "spotify": "spotify-secret",
    "twitch": "twitch-token", "twitter": "twitter-token", "facebook": "facebook-token",
    "linkedin": "linkedin-secret", "paypal": "paypal-secret", "square": "square-token",
    "plaid": "plaid-key", "coinbase": "coinbase-key", "binance": "binance-key",
    "razorpay": "razorpay-key", "trello": "trello-key", "asana": "asana-token",
    "airtable": "airtable-token", "hubspot": "hubspot-token", "salesforce": "salesforce-token",
    "zendesk": "zendesk-token", "intercom": "intercom-token", "figma": "figma-token",
    "mapbox": "mapbox-token", "dropbox": "dropbox-token", "elastic": "elastic-key",
    "elasticsearch": "elastic-key", "splunk": "splunk-token", "honeycomb": "honeycomb-key",
    "segment": "segment-key", "mixpanel": "mixpanel-key", "posthog": "posthog-key",
    "launchdarkly": "launchdarkly-key", "tailscale": "tailscale-key", "ngrok": "ngrok-token",
    "wireguard": "wireguard-key", "wg": "wireguard-key", "django": "django-secret", "rails": "rails-secret",
    "flask": "flask-secret", "laravel": "laravel-key", "nextauth": "nextauth-secret",
}  # fmt: skip
"""A word in a name, or just before it, and the kind of secret that it makes of the value."""
