"""The long demo session: a login flow reworked over two hundred turns and four segments."""

from collections.abc import Callable
from datetime import datetime

from ccbrowse.tui.demo.agents import Launching
from ccbrowse.tui.demo.areas import AREAS
from ccbrowse.tui.demo.blocks import Say, Think, png
from ccbrowse.tui.demo.builder import SessionBuilder
from ccbrowse.tui.demo.campaign import Campaign
from ccbrowse.tui.demo.eras import HAIKU_45, SONNET_46
from ccbrowse.tui.demo.scene import Story, finish, turn
from ccbrowse.tui.demo.tools import Workspace

TITLE = "Fix login flow"
AUTO_AT = 167_000
"""Where the client compacts by itself, in a window of 200,000 tokens."""
MANUAL_AT, NOW_AT = 98_000, 151_000

_CWD = "/home/robin/acme/api"
_NIGHT = 13 * 3600

Event = Callable[[SessionBuilder, Campaign], None]


def login(start: datetime) -> Story:
    """The story, which a `LiveSession` can go on with."""
    b = SessionBuilder(
        "2.1.332",
        cwd=_CWD,
        model=SONNET_46,
        branch="feature/refresh-tokens",
        start=start,
        seed="login",
        overhead=24_000,
    )
    campaign = Campaign(b, Workspace(_CWD, b.era), AREAS)
    _until(b, campaign, compactions=1)
    _until(b, campaign, compactions=2)
    b.clock.tick(_NIGHT)
    _until(b, campaign, context=MANUAL_AT)
    files = put_back(campaign, 2)
    b.clock.tick(50)
    b.compact(
        campaign.summary(), trigger="manual", instructions="keep the tests", keep=2, files=files
    )
    _until(b, campaign, context=NOW_AT)
    return Story("login", TITLE, b, campaign)


def _until(
    b: SessionBuilder, campaign: Campaign, *, compactions: int = 0, context: int = 0
) -> None:
    """Go on until so many compactions have happened, or the context has reached a size."""
    before = b.compactions
    while b.compactions < max(compactions, before) if compactions else b.context < context:
        event = _EVENTS.get(campaign.number)
        if event and campaign.number not in campaign.told:
            campaign.told.add(campaign.number)
            event(b, campaign)
        for step in campaign.turn():
            compact_if_full(b, campaign, step)


def compact_if_full(b: SessionBuilder, campaign: Campaign, step: str) -> bool:
    """What the client does after a prompt or a result when the window is nearly full."""
    if step not in ("prompt", "result") or b.context < AUTO_AT:
        return False
    seconds = b.ids.seconds(32, 58)
    b.compact(campaign.summary(), keep=1, files=put_back(campaign, 4), seconds=seconds)
    return True


def put_back(campaign: Campaign, count: int) -> list[tuple[str, str]]:
    """The files that were touched last, with their content."""
    paths = list(dict.fromkeys(reversed(campaign.touched)))[:count]
    return [(path, campaign.workspace.files[path]) for path in paths]


def _edited(b: SessionBuilder, campaign: Campaign) -> None:
    b.prompt("Add a refresh token to the login flw")
    b.clock.tick(6)
    b.edit_prompt("Add a refresh token to the login flow")
    b.clock.tick(9)
    b.edit_prompt(
        "Add a refresh token to the login flow, and keep the old cookie working for one release"
    )
    space = campaign.workspace
    finish(
        b,
        [
            Think("The session module first, then the cookie. " * 30),
            Say("I'll read both modules."),
            space.read("src/auth/refresh.py", 1, 80),
            space.read("src/auth/cookies.py", 1, 80),
        ],
        say="The refresh token is in place; the old cookie stays readable and logs a warning.",
    )


def _screenshot(b: SessionBuilder, campaign: Campaign) -> None:
    b.prompt("The button jumps when the error shows, see here", images=[png(64, 40, (36, 59, 107))])
    space = campaign.workspace
    shot = space.look("shots/login-error.png", png(80, 48, (150, 40, 46)), (80, 48))
    finish(
        b,
        [Say("Let me compare it with the last screenshot."), shot],
        say="The error line has no reserved height. I would give it two lines and hide it instead.",
    )


def _rewound(b: SessionBuilder, campaign: Campaign) -> None:
    space = campaign.workspace
    first = turn(
        b,
        "Rewrite the cookie code with a small class",
        [
            Think("A class would hide the two names. " * 12),
            space.read("src/auth/cookies.py", 1, 60),
        ],
        [space.bash("pytest -q tests/test_cookies.py", "....F\n1 failed, 4 passed", code=1)],
        say="The class is there, but one test looks at the raw header and fails now.",
    )
    turn(
        b, "And the other two callers?", say="Both would have to change as well; that is not small."
    )
    b.rewind(first)
    turn(
        b,
        "Leave the cookie code as it is, only name the two constants",
        [space.bash("git diff --stat", " src/auth/cookies.py | 4 ++--")],
        say="Two constants, no class: `COOKIE` and `OLD_COOKIE`.",
    )


def _reviewed(b: SessionBuilder, campaign: Campaign) -> None:
    space = campaign.workspace
    b.prompt("Let a reviewer look at the whole login change before we go on")
    agent = b.launch(
        "Review the login change",
        "Read the change to src/auth and name what could go wrong for users.",
        Say("I will hand this to a reviewer."),
        kind="reviewer",
    )
    child = agent.builder
    for index, path in enumerate(list(space.files)[:12]):
        child.work(Think("What does a caller see here? " * 8), space.read(path, 1 + index, 50))
    helper = child.subagent("Find callers", "List all callers of read_cookie.", _find_callers)
    child.work(space.find("LEEWAY"), Say(f"The helper {helper.description.lower()} was right."))
    b.land(
        agent,
        "Three remarks: the leeway is applied twice in skew.py, the reset link is spent on GET, "
        "and two names for one cookie need an end date.",
    )
    b.reply(
        Say("The reviewer found three points; I have noted them and would start with the leeway.")
    )
    b.done()


def _find_callers(child: Launching) -> str:
    space = Workspace(_CWD, child.era)
    hits = [("src/web/login.py", 41, "    entry = read_cookie(request)")]
    child.work(space.grep("read_cookie", hits))
    child.work(space.bash("git grep -c read_cookie", "src/web/login.py:1\nsrc/auth/logout.py:2"))
    return "Three calls: one in src/web/login.py, two in src/auth/logout.py."


def _queued(b: SessionBuilder, campaign: Campaign) -> None:
    space = campaign.workspace
    b.prompt("Run everything once, slow tests too")
    call = b.reply(space.bash("pytest -q --slow", "412 passed in 96.40s", seconds=97)).calls[0]
    b.enqueue("and tell me the five slowest")
    b.answer(call)
    b.queued_prompt("and tell me the five slowest")
    b.work(space.bash("pytest -q --durations=5", "12.1s test_load\n9.8s test_sso\n7.7s test_mail"))
    b.reply(
        Say(
            "412 pass. The slowest are the load test, single sign-on and mail; all wait on purpose."
        )
    )
    b.done()
    b.title(TITLE)


def _asides(b: SessionBuilder, campaign: Campaign) -> None:
    b.shell("git status --short", " M src/auth/refresh.py\n M tests/test_refresh.py")
    b.command("context", "", f"{b.context // 1000}k of 200k used")
    space = campaign.workspace
    call = space.bash("tail -4000 app.log", "", about="Read the log")
    long = b.long_output(call, "12:00:01 INFO worker ready\n" * 1_500)
    turn(b, "Is the service up?", [long], say="Yes, for three hours without a restart.")


def _interrupted(b: SessionBuilder, campaign: Campaign) -> None:
    b.prompt("List every place where a token is compared")
    b.interrupt("There are many. I will go through the modules one by one, beginning with")
    turn(
        b, "Only in src/auth, please", [campaign.workspace.find("==")], say="Two places, both safe."
    )


def _background(b: SessionBuilder, campaign: Campaign) -> None:
    b.prompt("Let somebody measure the login in the background while we go on")
    agent = b.launch(
        "Measure the login", "Time a hundred logins.", kind="general-purpose", background=True
    )
    b.reply(Say("It runs in the background; I will tell you when it is done."))
    b.done()
    space = Workspace(_CWD, b.era)
    agent.builder.work(space.bash("python bench/login_load.py -n 100", "median 84 ms, p95 143 ms"))
    turn(
        b,
        "Meanwhile: is the README still right?",
        say="One line is old: it names the former cookie.",
    )
    b.land(agent, "A hundred logins: median 84 ms, 95 % below 143 ms.")
    b.reply(Say("The measurement is back: median 84 ms, 95 % below 143 ms."))
    b.done()


def _deep_dive(b: SessionBuilder, campaign: Campaign) -> None:
    """A subagent whose own context fills up and is compacted."""
    b.prompt("Find out why the old importer is slow, take your time")
    agent = b.launch(
        "Profile the importer",
        "Profile the importer and explain it.",
        kind="Explore",
        model=HAIKU_45,
    )
    child, space = agent.builder, campaign.workspace
    paths = list(space.files)
    step = 0
    while child.context < AUTO_AT:
        child.work(Think("Which call dominates here? " * 520), space.read(paths[step % 20], 20, 30))
        step += 1
    child.compact(
        "This session is being continued from a previous conversation that ran out of context.\n\n"
        "The importer reads row by row; parsing dates takes two thirds of the time. Still open: "
        "whether the dates can be parsed in batches."
    )
    child.work(
        space.bash("python -m cProfile importer.py | head", "  61 % parse_date\n  20 % insert")
    )
    b.land(agent, "Dates are parsed one by one: 61 % of the time. A cache of days would do.")
    b.reply(Say("It is the dates: each is parsed on its own. A cache by day removes most of that."))
    b.done()


def _in_parallel(b: SessionBuilder, campaign: Campaign) -> None:
    space = campaign.workspace
    b.prompt("Check the three modules of the mobile login side by side")
    b.work(
        Say("All three at once."),
        space.read("src/auth/mobile.py", 1, 40),
        space.read("src/auth/devices.py", 1, 40),
        space.read("src/auth/missing.py"),
        interleave=True,
    )
    page = "https://docs.example/tokens"
    answer = "Ninety days is the longest lifetime that the guide allows for apps."
    b.work(
        space.task(1, "Shorten app tokens"), space.fetch(page, "How long may a token live?", answer)
    )
    b.reply(
        Say("The first two agree; the third file does not exist. The guide allows ninety days.")
    )
    b.done()


def _second_rewind(b: SessionBuilder, campaign: Campaign) -> None:
    asked = turn(
        b, "Could we drop the throttle altogether?", say="We could, but guessing gets cheap."
    )
    turn(b, "How cheap?", say="About forty thousand tries a day from one machine.")
    b.rewind(asked)
    turn(b, "Keep the throttle, but name its numbers", say="`TRIES` and `MINUTES`, at the top.")


_EVENTS: dict[int, Event] = {
    4: _edited,
    10: _screenshot,
    18: _rewound,
    27: _reviewed,
    38: _queued,
    52: _asides,
    66: _interrupted,
    83: _background,
    101: _deep_dive,
    118: _in_parallel,
    140: _second_rewind,
}
