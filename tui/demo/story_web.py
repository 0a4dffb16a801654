"""Sessions of the middle era: an export with kept messages and a fork, a theme, a damaged file."""

from datetime import datetime

from ccbrowse.tui.demo.areas import Area
from ccbrowse.tui.demo.blocks import Say, Think, png
from ccbrowse.tui.demo.builder import SessionBuilder
from ccbrowse.tui.demo.campaign import Campaign
from ccbrowse.tui.demo.compaction import OPENING
from ccbrowse.tui.demo.eras import SONNET_46
from ccbrowse.tui.demo.scene import Story, finish, turn
from ccbrowse.tui.demo.tools import Workspace

_CWD = "/home/robin/acme/web"

EXPORT_AREAS = (
    Area(
        "quoting in CSV",
        "exports/csv_writer.py",
        "write_row",
        "a field holds a line break",
        "quote every text field and double the quotes inside",
        "spreadsheets disagree on everything else",
        "fields are quoted only when they hold a comma",
    ),
    Area(
        "large results",
        "exports/stream.py",
        "stream_rows",
        "a result has two million rows",
        "send pages of a thousand rows as they come",
        "a worker has half a gigabyte and no more",
        "the whole result is joined into one string",
    ),
    Area(
        "date columns",
        "exports/dates.py",
        "format_day",
        "the account and the server live in two time zones",
        "write dates in the account's zone and name the zone in the header",
        "the books of a company close at its own midnight",
        "dates are cut out of the UTC time",
    ),
    Area(
        "download links",
        "exports/links.py",
        "make_link",
        "a link is shared with the whole company",
        "tie a link to its account and let it live for a day",
        "an export often holds more than the reader may see",
        "links are numbered one after the other",
    ),
)


def exports(start: datetime) -> Story:
    """Three compactions: by hand with instructions, by hand after a resume, and of the end only."""
    b = SessionBuilder("2.1.181", cwd=_CWD, branch="export-rework", start=start, seed="exports")
    space = Workspace(_CWD, b.era)
    campaign = Campaign(b, space, EXPORT_AREAS)
    _turns(campaign, 14)
    b.ai_title("Export rework")
    b.command("model", "", "The model stays claude-opus-4-8")
    files = [(path, space.files[path]) for path in campaign.touched[-1:]]
    b.compact(
        campaign.summary(),
        trigger="manual",
        instructions="keep the column names and the cases that failed",
        keep=3,
        files=files,
        named=["exports/stream.py"],
    )
    _turns(campaign, 11)
    b.resume(5_400)
    b.compact(campaign.summary(), trigger="manual", relink=True)
    _turns(campaign, 6)
    asked = turn(b, "Should exports be signed?", say="Only if somebody checks the signature later.")
    turn(b, "Who would?", say="Nobody at the moment; auditors have asked twice.")
    b.summarize_from(
        asked, f"{OPENING}\n\nSigning exports was discussed: nobody checks signatures yet."
    )
    turn(b, "Then leave signatures out", say="Left out, with a note in the decision log.")
    b.title("Export rework")
    return Story("exports", "Export rework", b, campaign)


def exports_fork(original: Story) -> Story:
    """Another try at the links, in a fork of the export session."""
    b = original.builder.fork("exports-fork", marked=True)
    space = Workspace(_CWD, b.era)
    b.clock.tick(1_800)
    turn(
        b,
        "In this copy: try signed links after all, only to see how much code it takes",
        [Think("Signing needs a key and a date. " * 9), space.bash("wc -l exports/links.py", "64")],
        say="About thirty lines and one setting. It is not much, but nobody reads it.",
    )
    b.title("Export rework, signed links")
    return Story("fork", "Export rework, signed links", b)


def theme(start: datetime) -> Story:
    """A short session with images, both ways."""
    b = SessionBuilder("2.1.181", cwd=_CWD, model=SONNET_46, start=start, seed="theme")
    space = Workspace(_CWD, b.era)
    b.prompt("The dark theme has one grey too many, look", images=[png(48, 32, (26, 27, 38))])
    shot = space.look("shots/dark.png", png(96, 64, (41, 46, 66)), (96, 64))
    b.work(Say("I compare it with the last shot."), shot)
    b.reply(Say("The border and the muted text share a grey that nothing else uses."))
    b.done()
    b.ai_title("Dark theme without the extra grey")
    edit = space.write("theme/dark.css", ":root { --line: #3b4261; --muted: #565f89; }\n")
    turn(b, "Use the palette's own", [edit], say="Both come from the palette now: line and muted.")
    turn(b, "And in the light one?", say="There it is right already; the greys have names.")
    return Story("theme", "Dark theme without the extra grey", b)


def uploads(start: datetime) -> Story:
    """A file that a crash and a full disk have left in a bad state."""
    b = SessionBuilder("2.1.181", cwd=_CWD, branch="uploads", start=start, seed="uploads")
    space = Workspace(_CWD, b.era, {"uploads/queue.js": "export const queue = [];\n" * 40})
    turn(
        b,
        "Uploads stall at 99 %, why?",
        [space.read("uploads/queue.js")],
        say="The last part waits.",
    )
    b.ai_title("Uploads that stall")
    b.prompt("Waits for what?")
    b.work(space.bash("node trace.js", "part 12 of 12: waiting for checksum"))
    b.reply(Say("For a checksum that the worker never sends."))
    b.damage("half")
    b.done()
    b.prompt("Send it, then")
    b.damage("nul")
    finish(b, say="Sent with the last part; the stall is gone.")
    b.unknown("upload-probe", linked=False, attempt=3, note="a record of a type nobody knows")
    b.unknown("checkpoint", label="before the retry")
    b.prompt("Any \ud83d left in the file names?")
    b.reply(Say("Yes, two names"), Say("hold half an emoji. \ud83d"))
    b.damage("glued")
    b.done()
    b.prompt("Rename them")
    b.raw(b'{"type":"user","message":{"role":"us\n')
    b.raw(b"[1, 2, 3]\n\n")
    b.work(space.bash("node rename.js --dry-run", "2 names would change"))
    b.damage("utf8")
    b.reply(Say("Two names would change; I have not touched them yet."))
    b.damage("stub")
    b.done()
    b.replay(4)
    turn(b, "Do it", [space.bash("node rename.js", "2 names changed")], say="Done, both renamed.")
    b.prompt("And the thumbnails?")
    b.damage("cut")
    b.turns -= 1  # a line that was not finished is no prompt yet
    return Story("uploads", "Uploads that stall", b)


def _turns(campaign: Campaign, count: int) -> None:
    """So many turns of a campaign, without looking at the context."""
    for _ in range(count):
        for _step in campaign.turn():
            pass
