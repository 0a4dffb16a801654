"""Two shorter sessions of the newest client: a test that fails now and then, a day of API errors."""

from datetime import datetime

from ccbrowse.tui.demo.blocks import Say, Think
from ccbrowse.tui.demo.builder import SessionBuilder
from ccbrowse.tui.demo.scene import Story, finish, turn
from ccbrowse.tui.demo.tools import Workspace

_CWD = "/home/robin/acme/api"
_TEST = """from app.mail import queue


def test_queue_is_drained(store, worker):
    for number in range(20):
        queue.put(store, f"letter {number}")
    worker.run(seconds=0.2)
    assert queue.size(store) == 0
"""
_QUEUE = '''"""Letters that wait to be sent."""


def put(store, letter):
    """Add a letter at the end."""
    store.append("letters", letter)


def size(store):
    """How many letters wait."""
    return len(store.all("letters"))


def drain(store, send):
    """Send all letters, oldest first."""
    while size(store):
        send(store.pop("letters"))
'''


def flaky(start: datetime) -> Story:
    """A hunt for a flaky test; its last command is still running."""
    b = SessionBuilder("2.1.332", cwd=_CWD, branch="main", start=start, seed="flaky")
    space = Workspace(_CWD, b.era, {"tests/test_mail.py": _TEST, "app/mail/queue.py": _QUEUE})
    turn(
        b,
        "test_queue_is_drained fails about once in ten runs on CI. Never on my machine. Ideas?",
        [
            Think("Time and order are the usual suspects. " * 20),
            Say("I will look at the test and at the queue."),
            space.read("tests/test_mail.py"),
            space.read("app/mail/queue.py"),
        ],
        say="The test waits a fifth of a second and hopes. On a busy machine the worker gets no turn.",
    )
    b.ai_title("Hunt a flaky test")
    turn(
        b,
        "Can you make it fail here?",
        [space.bash("pytest -q tests/test_mail.py --count 50", "50 passed in 14.1s", seconds=14)],
        [
            Say("It needs load. Once more with both cores busy:"),
            space.bash(
                "stress -c 2 & pytest -q tests/test_mail.py --count 50",
                "FAILED test_queue_is_drained[17]\n1 failed, 49 passed in 15.9s",
                code=1,
                seconds=16,
            ),
        ],
        say="Yes: one of fifty under load. It is the waiting, not the queue.",
    )
    b.prompt("Two people look at once: who else sleeps in tests, and who else polls?")
    sleeper = b.launch("Find sleeps", "List the tests that sleep.", kind="Explore", background=True)
    poller = b.launch("Find polls", "List the code that polls.", kind="Explore", background=True)
    b.reply(Say("Both searches run in the background."))
    b.done()
    sleeper.builder.work(space.grep("sleep", [("tests/test_sync.py", 31, "    time.sleep(0.5)")]))
    poller.builder.work(space.grep("while size", [("app/mail/queue.py", 16, "    while size(s):")]))
    b.land(sleeper, "One more test sleeps: tests/test_sync.py, line 31.")
    b.reply(Say("Only one more test sleeps: tests/test_sync.py."))
    b.land(poller, "Only the queue polls.")
    b.reply(Say("And only the queue polls."))
    b.done()
    turn(
        b,
        "Replace the wait by a signal",
        [
            Think("The worker can say when the queue is empty. " * 10),
            space.edit("tests/test_mail.py", "worker.run(seconds=0.2)", "worker.run_until_idle()"),
        ],
        [space.bash("pytest -q tests/test_mail.py", "1 passed in 0.08s")],
        say="The test now waits for the worker's own signal and takes eight hundredths of a second.",
    )
    b.clock.tick(40)
    b.prompt("Run it two thousand times under load, to be sure")
    b.reply(
        Say("This takes a few minutes."),
        space.bash("stress -c 2 & pytest -q tests/test_mail.py --count 2000"),
    )
    return Story("flaky", "Hunt a flaky test", b)


def errors(start: datetime) -> Story:
    """Retries, an overloaded API, a rate limit, a session that is left and taken up again."""
    b = SessionBuilder("2.1.332", cwd=_CWD, branch="feature/quota", start=start, seed="errors")
    space = Workspace(_CWD, b.era, {"app/quota.py": _QUEUE.replace("letter", "call")})
    turn(
        b,
        "Limit calls by account: a thousand an hour, and say so in the headers",
        [space.read("app/quota.py")],
        say="The counter belongs in the store, next to the account. Three headers will do.",
    )
    b.ai_title("Rate limit by account")
    b.prompt("Write it")
    b.retry(1, 10, 529, "overloaded_error")
    b.retry(2, 10, 529, "overloaded_error")
    finish(
        b,
        [space.write("app/limits.py", "LIMIT = 1_000\nHEADER = 'X-Calls-Left'\n")],
        say="It took three tries to get through to the API, but here it is.",
    )
    b.prompt("And the tests")
    for attempt in range(1, 4):
        b.retry(attempt, 3, 529, "overloaded_error")
    b.api_error(
        "529 the service is overloaded; try again later.", "server_error", 529, "overloaded_error"
    )
    b.done()
    b.clock.tick(900)
    b.prompt("And the tests, please")
    b.api_error("429 the limit of this hour is used up.", "rate_limit", 429, "rate_limit_error")
    b.done()
    b.leave()
    b.resume(4_200)
    b.prompt("Again: the tests for the limit")
    test = space.write("tests/test_limits.py", "def test_limit():\n    assert True\n")
    finish(b, [test], say="Two tests: the thousandth call passes, the next one does not.")
    b.prompt("Show me the slow query log of today")
    call = b.reply(space.bash("tail -f slow.log", seconds=40)).calls[0]
    b.interrupt_call(call)
    turn(
        b,
        "Without following it",
        [space.bash("cat slow.log", "", about="Read the log")],
        say="It is empty: no slow query today.",
    )
    return Story("errors", "Rate limit by account", b)
