"""Made-up time and identifiers: the same seed gives the same session, byte for byte."""

import base64
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar

T = TypeVar("T")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Stamp:
    """A moment of a clock, written as text or as milliseconds only when its row is encoded.

    So a finished story can still be moved to the time at which it is to end.
    """

    __slots__ = ("as_number", "ms")

    def __init__(self, ms: int, as_number: bool = False) -> None:
        self.ms = ms
        self.as_number = as_number


class Clock:
    """The time of one session: it moves when told to, and can be shifted as a whole.

    While it is `held` it follows `reach` alone: what a story says of durations does not count.
    """

    def __init__(self, start: datetime) -> None:
        self.ms = _milliseconds(start)
        self.held = False
        self._shift = 0

    def tick(self, seconds: float) -> None:
        """Let time pass."""
        self.ms += 1 if self.held else max(0, round(seconds * 1000))

    def stamp(self, offset_ms: int = 0) -> Stamp:
        """Now, or a little before or after."""
        return Stamp(self.ms + offset_ms)

    def number(self, offset_ms: int = 0) -> Stamp:
        """Now, as a row wants it that counts milliseconds since 1970."""
        return Stamp(self.ms + offset_ms, as_number=True)

    def end_at(self, moment: datetime) -> None:
        """Shift all that was written and will be, so that now is `moment`."""
        self._shift = _milliseconds(moment) - self.ms

    def reach(self, moment: datetime) -> None:
        """Go on to `moment`; never back."""
        self.ms = max(self.ms, _milliseconds(moment) - self._shift)

    def now(self) -> datetime:
        """The present moment, shifted."""
        return _EPOCH + timedelta(milliseconds=self.ms + self._shift)

    def day(self) -> str:
        """The present date, as the client names it to the model."""
        return f"{self.now():%Y-%m-%d}"

    def plain(self, value: object) -> object:
        """What JSON shall hold for a `Stamp`; raises TypeError for anything else."""
        if not isinstance(value, Stamp):
            raise TypeError(f"{type(value).__name__} has no place in a row")
        ms = value.ms + self._shift
        if value.as_number:
            return ms
        text = (_EPOCH + timedelta(milliseconds=ms)).isoformat(timespec="milliseconds")
        return text.replace("+00:00", "Z")


def _milliseconds(moment: datetime) -> int:
    """Milliseconds since 1970, without the rounding of floats."""
    return (moment - _EPOCH) // timedelta(milliseconds=1)


class Ids:
    """Identifiers and small choices, drawn from one seed."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def uuid(self) -> str:
        """A random uuid, version 4."""
        h = f"{self._random.getrandbits(128):032x}"
        return f"{h[:8]}-{h[8:12]}-4{h[13:16]}-a{h[17:20]}-{h[20:]}"

    def name(self, prefix: str, digits: int = 24) -> str:
        """A prefix and so many hexadecimal digits, as message, request, call and agent ids are."""
        return f"{prefix}{self._random.getrandbits(4 * digits):0{digits}x}"

    def signature(self, size: int) -> str:
        """About `size` characters of base64, as the signature of a thinking block looks."""
        return base64.b64encode(self._random.randbytes(max(3, size * 3 // 4))).decode()

    def pick(self, choices: Sequence[T]) -> T:
        """One of several."""
        return choices[self._random.randrange(len(choices))]

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return self._random.randint(low, high)

    def seconds(self, low: float, high: float) -> float:
        """A duration."""
        return low + (high - low) * self._random.random()
