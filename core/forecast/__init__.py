"""When the next automatic compaction comes: in turns, with an interval, and what that rests on.

`triggers` says at what size the client compacts; `growth` how fast this conversation grows; `ahead`
puts both together; `backtest` holds past forecasts against what came.
"""

from ccbrowse.core.forecast.ahead import Forecast, forecast_session, turns_left
from ccbrowse.core.forecast.backtest import Backtest, Closed, back_test, closed_segments
from ccbrowse.core.forecast.growth import turn_sizes
from ccbrowse.core.forecast.triggers import Basis, Seen, Trigger, find_trigger, seen_triggers

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
    "seen_triggers",
    "turn_sizes",
    "turns_left",
]
