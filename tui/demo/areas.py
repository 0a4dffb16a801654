"""What the long demo session is about: the corners of a login flow, each with its own trouble."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Area:
    """One corner: what it is called, where it lives, what can go wrong, what is decided and why."""

    name: str
    path: str
    function: str
    risk: str
    choice: str
    reason: str
    finding: str

    @property
    def noun(self) -> str:
        """The module's name, as a word for identifiers."""
        return self.path.rsplit("/", 1)[-1].removesuffix(".py")

    @property
    def tests(self) -> str:
        """Where its tests are."""
        return f"tests/test_{self.noun}.py"


AREAS = (
    Area(
        "refresh tokens",
        "src/auth/refresh.py",
        "rotate_refresh",
        "two tabs refresh in the same second",
        "accept the previous token for thirty seconds after a rotation",
        "otherwise the slower tab is thrown back to the login page",
        "the old token is dropped before the new one is stored",
    ),
    Area(
        "the session cookie",
        "src/auth/cookies.py",
        "read_cookie",
        "a browser still sends the cookie of the last release",
        "read both names for one release and write only the new one",
        "a sudden change would log out everybody on deploy day",
        "the reader gives up at the first name that it does not know",
    ),
    Area(
        "login throttling",
        "src/auth/throttle.py",
        "allow_attempt",
        "a whole office shares one address",
        "count by account and address together, ten tries in five minutes",
        "the address alone locks out people who did nothing wrong",
        "the counter is never reset after a login that worked",
    ),
    Area(
        "password reset",
        "src/auth/reset.py",
        "use_link",
        "a mail scanner opens the link before the person does",
        "spend the link on the form that is sent, not on the first look",
        "scanners follow every link but they never submit a form",
        "a plain GET marks the link as used",
    ),
    Area(
        "logging out everywhere",
        "src/auth/logout.py",
        "end_sessions",
        "a request is under way while its session ends",
        "let running requests finish and refuse the next ones",
        "half a request is worse than one that comes a second too late",
        "the cache keeps ended sessions for a minute",
    ),
    Area(
        "the audit trail",
        "src/audit/trail.py",
        "record_event",
        "the audit store is slow or down",
        "write to a local queue first and drain it in the background",
        "nobody should fail to log in because a log is full",
        "events are written inside the login transaction",
    ),
    Area(
        "one-time codes",
        "src/auth/totp.py",
        "check_code",
        "a phone's clock is a minute off",
        "accept one step before and after, and never the same code twice",
        "a wider window would make guessing easier for no gain",
        "a code can be used again within its half minute",
    ),
    Area(
        "remembered devices",
        "src/auth/devices.py",
        "known_device",
        "a browser update changes the fingerprint",
        "trust a signed cookie and drop the fingerprint",
        "fingerprints change often and tell too much",
        "the fingerprint includes the full version of the browser",
    ),
    Area(
        "form tokens",
        "src/web/csrf.py",
        "check_token",
        "a form stays open over lunch",
        "tie the token to the session and renew it on each page",
        "people lose long texts when a form expires under their hands",
        "tokens run out after twenty minutes whatever the session does",
    ),
    Area(
        "error pages",
        "src/web/errors.py",
        "show_problem",
        "an error page tells whether an account exists",
        "answer the same way, in the same time, for both cases",
        "a list of valid addresses is worth something to others",
        "the unknown account answers forty milliseconds sooner",
    ),
    Area(
        "signing keys",
        "src/crypto/keys.py",
        "current_key",
        "a key is replaced while old tokens are still out",
        "keep two old keys for checking and sign with the newest only",
        "tokens live for a week and keys for a month",
        "the key list is read once at start and never again",
    ),
    Area(
        "clock skew",
        "src/core/skew.py",
        "within_leeway",
        "two servers disagree by a few seconds",
        "allow thirty seconds on either side in one place only",
        "three places had three different allowances",
        "the leeway is added twice on the refresh path",
    ),
    Area(
        "the session table",
        "src/db/sessions.py",
        "prune_sessions",
        "the nightly clean-up locks the table",
        "delete in batches of five hundred, oldest first",
        "one long delete blocks every login for its duration",
        "the index on the expiry column is missing",
    ),
    Area(
        "API keys",
        "src/auth/api_keys.py",
        "verify_key",
        "a key is pasted with a trailing newline",
        "strip what surrounds the key and compare in constant time",
        "half the tickets about broken keys were about white space",
        "keys are compared with a plain equality test",
    ),
    Area(
        "e-mail verification",
        "src/auth/verify.py",
        "confirm_address",
        "somebody changes the address twice in a row",
        "let only the newest link count and say so on the page",
        "the older link would bring the older address back",
        "both links stay valid for a day",
    ),
    Area(
        "single sign-on",
        "src/auth/sso.py",
        "finish_callback",
        "the identity provider answers twice",
        "keep the state for ten minutes and make the second answer harmless",
        "some providers retry when the first answer takes long",
        "the second answer creates a second account",
    ),
    Area(
        "login metrics",
        "src/metrics/logins.py",
        "count_login",
        "a label with user names makes the series explode",
        "label by outcome and client only",
        "a million series cost more than all the rest together",
        "the user name is part of the label",
    ),
    Area(
        "support access",
        "src/admin/support.py",
        "act_as",
        "somebody in support forgets to switch back",
        "end it after fifteen minutes and show a red bar until then",
        "an open door is only safe while somebody looks at it",
        "nothing ends the borrowed session",
    ),
    Area(
        "settings",
        "src/config/auth.py",
        "load_settings",
        "a misspelt name is silently ignored",
        "refuse unknown names and point at the nearest known one",
        "the staging server ran a week with the wrong lifetime",
        "unknown names are dropped without a word",
    ),
    Area(
        "the login page",
        "src/web/login.py",
        "render_login",
        "a password manager fills the wrong field",
        "name the fields as the standard says and keep one form",
        "two forms on one page confuse most of the managers",
        "the e-mail field has no autocomplete hint",
    ),
    Area(
        "mobile clients",
        "src/auth/mobile.py",
        "exchange_code",
        "an app sleeps for a month with its token",
        "give apps ninety days and ask for the fingerprint on return",
        "nobody types a long password on a phone twice",
        "apps get the lifetime of a browser session",
    ),
    Area(
        "the list of sessions",
        "src/web/session_list.py",
        "list_sessions",
        "the same laptop shows up nine times",
        "group by device and show the newest use of each",
        "people ended the wrong session because all looked alike",
        "each refresh adds a line of its own",
    ),
    Area(
        "account lockout",
        "src/auth/lockout.py",
        "lock_account",
        "an attacker locks people out on purpose",
        "slow down instead of locking and tell the owner by mail",
        "a lock is a gift to whoever wants to annoy",
        "five wrong passwords lock an account for good",
    ),
    Area(
        "background clean-up",
        "src/jobs/cleanup.py",
        "sweep_expired",
        "two workers sweep the same rows",
        "take a lease of two minutes before a sweep",
        "double work is harmless but it doubles the load as well",
        "the sweep has no lease and no limit",
    ),
    Area(
        "cross-origin rules",
        "src/web/origins.py",
        "allowed_origin",
        "a test server is left on the list",
        "read the list from settings and log what is refused",
        "nobody could say why a preview page had stopped working",
        "the list is a regular expression with an unescaped dot",
    ),
    Area(
        "the load test",
        "bench/login_load.py",
        "run_load",
        "the test hits its own rate limit",
        "give the test its own client id and a budget of its own",
        "half of the measured errors were the throttle at work",
        "all virtual users share one address",
    ),
)
