"""A list of what can be copied, on the screens that have something."""

from __future__ import annotations

from ccbrowse.core.text import SafeText
from ccbrowse.tui.screens.base import Paned
from ccbrowse.tui.viewmodels.handing import Copyable, copy_choices


def offer_copies(screen: Paned, found: list[Copyable]) -> None:
    """Let the person choose, and copy it."""
    from ccbrowse.tui.screens.dialogs import Pick

    def chosen(key: str | None) -> None:
        if key is not None and key.isdecimal():
            each = found[int(key)]
            screen.host.copy_to_clipboard(each.text)
            screen.say(SafeText(f"copied: {each.name}"))

    if found:
        hint = SafeText("enter copies · esc leaves")
        screen.app.push_screen(Pick(SafeText("copy"), copy_choices(found), hint, hint), chosen)
