"""When the next automatic compaction comes: in turns, with an interval, and what that rests on.

`triggers` says at what size the client compacts, by what was seen, what is set (`settings`), or the
usual limits; `elsewhere` reads other sessions; `ahead` adds how fast this conversation grows;
`backtest` holds past forecasts against what came.
"""

from ccbrowse.core.autocompact import Seen, seen_triggers, turn_sizes
from ccbrowse.core.forecast.ahead import Forecast, forecast_session, turns_left
from ccbrowse.core.forecast.backtest import Backtest, Closed, back_test, closed_segments
from ccbrowse.core.forecast.elsewhere import seen_elsewhere
from ccbrowse.core.forecast.settings import settings_in_force
from ccbrowse.core.forecast.triggers import Basis, Trigger, find_trigger

__all__ = [
    "Backtest",
    "Basis",
    "Closed",
    "Forecast",
    "Seen",
    "Trigger",
    "back_test",
    "closed_segments",
    "find_trigger",
    "forecast_session",
    "seen_elsewhere",
    "seen_triggers",
    "settings_in_force",
    "turn_sizes",
    "turns_left",
]
