"""The app's own theme: dark and calm; any of Textual's can be chosen instead."""

from __future__ import annotations

from textual.theme import Theme

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
