"""The app's own themes: a dark one and a light one, one of high contrast, one without colours.

Any of Textual's can be chosen instead. Nothing on a screen is told by colour alone, so that the last one
loses no fact.
"""

from __future__ import annotations

from difflib import get_close_matches

from textual.theme import BUILTIN_THEMES, Theme

from ccbrowse.core.errors import CcbrowseError

NAME = "ccbrowse"

THEME = Theme(
    name=NAME,
    primary="#7aa2f7",
    secondary="#bb9af7",
    accent="#e0af68",
    warning="#e0af68",
    error="#f7768e",
    success="#9ece6a",
    foreground="#c0caf5",
    background="#1a1b26",
    surface="#222436",
    panel="#2a2d42",
    dark=True,
    variables={
        "border": "#3b4261",
        "block-cursor-background": "#7aa2f7",
        "input-cursor-background": "#c0caf5",
        "input-selection-background": "#7aa2f7 35%",
        "footer-key-foreground": "#e0af68",
    },
)
"""Primary for tools and structure, accent for the person and the boundaries."""

LIGHT = Theme(
    name="ccbrowse-light",
    primary="#2e5aa8",
    secondary="#7a4fb5",
    accent="#8a5300",
    warning="#8a5300",
    error="#b3243b",
    success="#33691e",
    foreground="#24283b",
    background="#f7f7fa",
    surface="#ececf2",
    panel="#e1e2ea",
    dark=False,
    variables={
        "border": "#b4b8c9",
        "block-cursor-background": "#2e5aa8",
        "input-cursor-background": "#24283b",
        "input-selection-background": "#2e5aa8 30%",
        "footer-key-foreground": "#8a5300",
    },
)
"""The same for light terminals."""

CONTRAST = Theme(
    name="ccbrowse-contrast",
    primary="#5fd7ff",
    secondary="#ffafff",
    accent="#ffd75f",
    warning="#ffd75f",
    error="#ff8787",
    success="#87ff87",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#262626",
    dark=True,
    variables={
        "border": "#ffffff",
        "block-cursor-background": "#ffd75f",
        "block-cursor-foreground": "#000000",
        "input-cursor-background": "#ffffff",
        "input-selection-background": "#005f87",
        "footer-key-foreground": "#ffd75f",
        "text-primary": "#5fd7ff",
        "text-accent": "#ffd75f",
        "text-warning": "#ffd75f",
        "text-error": "#ff8787",
        "text-success": "#87ff87",
    },
)
"""White and bright colours on black: at least seven to one each."""

MONO = Theme(
    name="ccbrowse-mono",
    primary="#ffffff",
    secondary="#d0d0d0",
    accent="#ffffff",
    warning="#e4e4e4",
    error="#ffffff",
    success="#d0d0d0",
    foreground="#d0d0d0",
    background="#121212",
    surface="#1c1c1c",
    panel="#262626",
    dark=True,
    variables={
        "border": "#585858",
        "block-cursor-background": "#d0d0d0",
        "block-cursor-foreground": "#121212",
        "input-cursor-background": "#ffffff",
        "input-selection-background": "#585858",
        "footer-key-foreground": "#ffffff",
        **{
            f"text-{name}": "#ffffff"
            for name in ("primary", "accent", "warning", "error", "success")
        },
    },
)
"""Greys alone: weight, underlines and signs tell what colours tell elsewhere."""

THEMES = (THEME, LIGHT, CONTRAST, MONO)
"""The app's own, the usual one first."""


def check_theme(name: str) -> None:
    """Raise CcbrowseError for a theme that does not exist, with the one that may be meant."""
    known = [*(theme.name for theme in THEMES), *BUILTIN_THEMES]
    if name not in known:
        near = get_close_matches(name, known, 1, 0.5)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(known))}"
        raise CcbrowseError(f"no such theme: {name}", "", hint)
