"""Small sessions beside the main work: release notes, text that wants to harm, a cleared one."""

from datetime import datetime

from ccbrowse.tui.demo.blocks import Say
from ccbrowse.tui.demo.builder import SessionBuilder
from ccbrowse.tui.demo.eras import HAIKU_45
from ccbrowse.tui.demo.events import command_text
from ccbrowse.tui.demo.scene import Story, turn
from ccbrowse.tui.demo.tools import Workspace

_CWD = "/home/robin/notes"

HOSTILE = {
    "a title for the window": "\x1b]0;owned\x07",
    "a clipboard": "\x1b]52;c;cm0gLXJmIH4=\x07",
    "a cleared screen": "\x1b[2J\x1b[H",
    "a colour without end": "\x1b[31mred from here",
    "an 8-bit sequence": "\x9b31mred again",
    "a device string": "\x1bP1$r0m\x1b\\",
    "a bell and a backspace": "\x07\x08\x08\x08gone",
    "carriage returns": "100 %\rFAILED",
    "markup": "[bold]loud[/red] [@click=app.quit]quit[/] [/] \\[",
    "tags": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "reversed text": "invoice\u202egnp.exe\u202c and \u2066hidden\u2069",
    "nothing at all": "zero\u200b\u200d\u2060width",
    "wide and joined": "日本語 👩‍👩‍👧‍👦 e\u0301 \U0001f3f3\ufe0f\u200d\U0001f308",
    "separators": "one\u2028two\u2029three\x85four",
    "one long word": "x" * 600,
    "a lone surrogate": "half \ud83d only",
    "special tokens": "<|endoftext|> <|fim_prefix|>",
    "fences": "```\n~~~\n```` inside",
}
"""Texts that have broken terminals, markup and exports, by what they pretend to be."""


def docs(start: datetime) -> Story:
    """Release notes, written with a small model."""
    b = SessionBuilder("2.1.181", cwd=_CWD, model=HAIKU_45, start=start, seed="docs")
    space = Workspace(_CWD, b.era, {"2.4.md": "# 2.4\n\n- exports stream\n- login: two names\n"})
    turn(
        b,
        "Turn 2.4.md into release notes that a customer understands",
        [space.read("2.4.md")],
        say="Exports of any size now start at once. Nobody is logged out by this update.",
    )
    b.ai_title("Release notes for 2.4")
    note = space.write(
        "2.4-notes.md", "# What is new in 2.4\n\nExports of any size start at once.\n"
    )
    turn(b, "Write that to a file", [note], say="Written to 2.4-notes.md.")
    turn(b, "In German too", say="Exporte jeder Größe beginnen sofort. Niemand wird abgemeldet.")
    turn(b, "と日本語でも", say="どんな大きさの書き出しもすぐに始まります。")
    return Story("docs", "Release notes for 2.4", b)


def hostile(start: datetime) -> Story:
    """Control sequences, markup and odd characters wherever text can stand."""
    b = SessionBuilder("2.1.332", cwd=_CWD, start=start, seed="hostile")
    space = Workspace(_CWD, b.era)
    turn(b, "What do odd characters do to a log viewer?", say="Let us try some, one at a time.")
    for name, text in HOSTILE.items():
        turn(
            b,
            f"Show {name}: {text}",
            [Say(f"Here is {name}: {text}"), space.bash(f"printf '{name}'", f"{text}\n{text}")],
            say=f"That was {name}.\n\n{text}\n\nStill here.",
        )
    b.title("[red]Odd\x1b[31m characters[/] \u202etxt.")
    return Story("hostile", "[red]Odd\x1b[31m characters[/] \u202etxt.", b)


def cleared(start: datetime) -> Story:
    """A session that was cleared and then hardly used."""
    b = SessionBuilder("2.1.181", cwd=_CWD, model=HAIKU_45, start=start, seed="cleared")
    b.side("mode", mode="normal")
    b.caveat()
    b.user_row(command_text("clear", ""))
    b.tree(
        {
            "type": "system",
            "subtype": "local_command",
            "content": "<local-command-stdout></local-command-stdout>",
            "level": "info",
        },
        extra={"isMeta": False},
    )
    turn(b, "How many days has February next year?", say="Twenty-eight.")
    return Story("cleared", "How many days has February next year?", b)
