"""The forecast of the next automatic compaction in words, and what it rests on."""

from __future__ import annotations

from ccbrowse.core.forecast import Basis, Forecast
from ccbrowse.core.forecast.ahead import MOST_TURNS
from ccbrowse.core.text import SafeText
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewtypes import Line, Tone, line

_BASES = {
    Basis.SEEN_HERE: SafeText("as this session's own compactions came"),
    Basis.SEEN: SafeText("as in your sessions with this model and client"),
    Basis.SEEN_MODEL: SafeText("as in your sessions with this model"),
    Basis.SETTING: SafeText("as it is set in the environment"),
    Basis.TABLE: SafeText("by the client's usual limits"),
}


def forecast_words(forecast: Forecast) -> SafeText:
    """``next compact ≈ 11 turns (7–16)``"""
    return SafeText("".join(piece.text for piece in forecast_line(forecast)))


def forecast_line(forecast: Forecast) -> Line:
    """The same for the top line: the number strong, the rest muted, so that it may be left out."""
    head = (SafeText("next "), Tone.MUTED)
    if forecast.turns >= MOST_TURNS:
        return line(head, (SafeText("compact far off"), Tone.STRONG))
    if not forecast.high:
        return line(head, (SafeText("compact at any moment"), Tone.STRONG))
    turns = figures.counted(forecast.turns, "turn")
    most = SafeText("…" if forecast.high >= MOST_TURNS else f"{forecast.high:,}")
    interval = SafeText(f" ({forecast.low:,}–{most})")
    words = SafeText(f"compact ≈ {turns}")
    return line(head, (words, Tone.STRONG), (interval, Tone.MUTED))


def forecast_basis(forecast: Forecast) -> SafeText:
    """What it rests on, in a few sentences."""
    words: SafeText = forecast_words(forecast)
    basis: SafeText = _BASES[forecast.basis]
    trigger = SafeText(f"expected at about {forecast.trigger:,} tokens, {basis}")
    turns = figures.counted(forecast.observed, "turn")
    others = figures.counted(forecast.others, "earlier compaction")
    over: SafeText = SafeText(f"{turns} and {others}") if forecast.others else turns
    growth = SafeText(f"a turn adds {figures.short(forecast.growth)}≈, over {over}")
    return SafeText(f"{words}: {trigger}; {growth}. In 8 of 10 cases it comes within the interval.")


def forecast_short(forecast: Forecast) -> SafeText:
    """``next compact ≈ 11 turns (7–16), at about 155,000 tokens by the client's usual limits``"""
    words: SafeText = forecast_words(forecast)
    basis: SafeText = _BASES[forecast.basis]
    return SafeText(f"{words}, at about {forecast.trigger:,} tokens {basis}")


NO_FORECAST = SafeText(
    "no forecast: nothing tells when this conversation would be compacted, or how fast it grows"
)
"""Said where there is none."""
