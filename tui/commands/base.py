"""What a command is: one class, from which bindings, palette, footer and help page derive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar


class Command:
    """One thing that can be done. All is told by the class; it is never made."""

    id: ClassVar[str]
    """Stable name: a user's other keys are set by it."""
    keys: ClassVar[str]
    """Keys as Textual names them, a comma between; the first is the one that is shown most."""
    title: ClassVar[str]
    """One or two words, for the footer and the palette."""
    help: ClassVar[str]
    """A sentence, for the palette and the help page."""
    action: ClassVar[str] = ""
    """The action that is run on the screen."""
    footer: ClassVar[str] = ""
    """Its name in the footer where that is shorter; `-`: not in the footer."""
    bound: ClassVar[bool] = True
    """Whether the screen binds it; False: a widget does."""
    pair: ClassVar[type[Command] | None] = None
    """A command that shares its place on the help page: ``n N``."""
    pairs_in_footer: ClassVar[bool] = False
    """Whether it does so in the footer, too: ``{ }``."""


Commands = Sequence[type[Command]]
