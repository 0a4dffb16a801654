"""Short ways to write a story: a turn in one call, a story with its name."""

from collections.abc import Sequence
from dataclasses import dataclass

from ccbrowse.tui.demo.blocks import Block, Say
from ccbrowse.tui.demo.builder import SessionBuilder
from ccbrowse.tui.demo.campaign import Campaign


@dataclass(frozen=True, slots=True)
class Story:
    """A finished session that waits to be moved in time and written.

    `key` names it among the demo's sessions, `title` is what a list should show of it.
    """

    key: str
    title: str
    builder: SessionBuilder
    campaign: Campaign | None = None


def turn(b: SessionBuilder, text: str, *works: Sequence[Block], say: str) -> str:
    """A prompt, replies with calls and their results, and the last words; returns the prompt's uuid."""
    b.clock.tick(b.ids.seconds(15, 120))
    prompt = b.prompt(text)
    finish(b, *works, say=say)
    return prompt


def finish(b: SessionBuilder, *works: Sequence[Block], say: str) -> None:
    """What follows a prompt that has been written."""
    for blocks in works:
        b.work(*blocks)
    b.reply(Say(say))
    b.done()
