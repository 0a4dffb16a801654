"""Sessions of an early client: few kinds of records, boundaries that keep nothing."""

from datetime import datetime

from ccbrowse.tui.demo.areas import Area
from ccbrowse.tui.demo.blocks import Say, Think
from ccbrowse.tui.demo.builder import SessionBuilder
from ccbrowse.tui.demo.campaign import Campaign
from ccbrowse.tui.demo.eras import OPUS_45
from ccbrowse.tui.demo.scene import Story, turn
from ccbrowse.tui.demo.tools import Workspace

_CWD = "/home/robin/acme/billing"
_AUTO_AT = 155_000

SCHEMA_AREAS = (
    Area(
        "the invoice table",
        "billing/invoices.py",
        "split_invoice",
        "an invoice has lines in two currencies",
        "store the currency with each line and the sum with the invoice",
        "a sum without a currency means nothing",
        "the currency is read from the account at display time",
    ),
    Area(
        "the migration itself",
        "billing/migrate.py",
        "copy_batch",
        "the copy is interrupted half way",
        "copy in batches and remember the last id that was done",
        "eleven million rows do not fit into one evening",
        "a second run starts from the first row again",
    ),
    Area(
        "rounding",
        "billing/rounding.py",
        "round_amount",
        "a cent is left over after a split",
        "give the rest to the largest line",
        "a sum that is a cent off stops the export to the bank",
        "each line is rounded on its own",
    ),
)

_TOTALS = '''def total(lines, start=1):
    """The sum of the lines of a bill."""
    amount = 0
    for index in range(start, len(lines)):
        amount += lines[index].amount
    return amount
'''


def schema(start: datetime) -> Story:
    """A migration over three segments, with the automatic compaction of that time."""
    b = SessionBuilder(
        "2.1.11", cwd=_CWD, branch="schema-v2", start=start, seed="schema", overhead=71_000
    )
    space = Workspace(_CWD, b.era)
    campaign = Campaign(b, space, SCHEMA_AREAS)
    plan = space.todos(copy_the_table="in_progress", switch_readers="pending", drop="pending")
    turn(b, "Plan the move of the invoices to the new table", [plan], say="Three steps, as listed.")
    b.summary_title("Migrate schema")
    while b.compactions == 0:
        for step in campaign.turn():
            if step in ("prompt", "result") and b.context >= _AUTO_AT:
                b.compact(campaign.summary(), seconds=74)
    b.prompt("Ask somebody to count the rows")
    agent = b.launch("Count rows", "Count the rows of both tables.", kind="Explore")
    agent.builder.work(space.bash("psql -c 'select count(*)'", "11204331\n11204330"))
    b.land(agent, "11,204,331 in the old table, 11,204,330 in the new one.")
    b.reply(Say("One row is missing in the new table."))
    b.clock.tick(16 * 3600)
    for _ in range(9):
        for _step in campaign.turn():
            pass
    b.compact(campaign.summary(), trigger="manual", instructions="the missing row is what matters")
    turn(
        b,
        "Where is the missing row?",
        [space.todos(copy_the_table="completed", switch_readers="in_progress", drop="pending")],
        [space.bash("psql -f diff.sql", "id 4711: currency is null")],
        say="Invoice 4711 has no currency. The copy skips it silently; that is the bug to fix.",
    )
    return Story("schema", "Migrate schema", b, campaign)


def totals(start: datetime) -> Story:
    """A small bug in a command, with an interruption and several edits in one call."""
    b = SessionBuilder("2.1.11", cwd=_CWD, model=OPUS_45, start=start, seed="totals")
    space = Workspace(_CWD, b.era, {"billing/totals.py": _TOTALS})
    turn(
        b,
        "`bill total` is off by the first line. Find out why, change nothing yet",
        [Think("Off by one at the start, probably. " * 4), space.read("billing/totals.py")],
        say="`start` defaults to 1, but lines count from 0: the first line is skipped.",
    )
    b.summary_title("Totals off by one")
    b.prompt("Rewrite the whole command")
    b.interrupt("I will start with the")
    edits = [("start=1", "start=0"), ("The sum of", "The sum of all")]
    turn(
        b,
        "No, only fix the default and say so in the docstring",
        [space.multi_edit("billing/totals.py", edits)],
        [space.bash("pytest -q tests/test_totals.py", "6 passed in 0.11s")],
        say="Fixed: the default is 0 and the docstring says that all lines count.",
    )
    b.leave()
    return Story("totals", "Totals off by one", b)
