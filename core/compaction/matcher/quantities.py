"""Numbers with their units, so that `45 min` and `45 minutes` are one, `30 s` and `30 MB` are not."""

import re
from dataclasses import dataclass

_UNITS: dict[str, tuple[str, float]] = {}


def _unit(kind: str, factor: float, *names: str) -> None:
    for name in names:
        _UNITS[name] = (kind, factor)


_unit("time", 1e-9, "ns", "nanosecond", "nanoseconds")
_unit("time", 1e-6, "us", "µs", "μs", "microsecond", "microseconds")
_unit("time", 1e-3, "ms", "msec", "msecs", "millis", "millisecond", "milliseconds")
_unit("time", 1, "s", "sec", "secs", "second", "seconds")
_unit("time", 60, "min", "mins", "minute", "minutes")
_unit("time", 3600, "h", "hr", "hrs", "hour", "hours")
_unit("time", 86_400, "d", "day", "days")
_unit("time", 604_800, "week", "weeks")
_unit("time", 2_592_000, "month", "months")
_unit("time", 31_536_000, "year", "years", "yr", "yrs")
_unit("bytes", 1, "b", "byte", "bytes")
_unit("bytes", 1e3, "kb", "kib", "ki", "kilobyte", "kilobytes")
_unit("bytes", 1e6, "mb", "mib", "mi", "megabyte", "megabytes", "megs")
_unit("bytes", 1e9, "gb", "gib", "gi", "gigabyte", "gigabytes", "gigs")
_unit("bytes", 1e12, "tb", "tib", "ti", "terabyte", "terabytes")
_unit("percent", 1, "%", "percent", "pct", "per cent")
_unit("length", 1, "m", "meter", "meters", "metre", "metres")
_unit("length", 1e3, "km", "kilometer", "kilometers", "kilometre", "kilometres")
_unit("length", 1e-2, "cm", "centimeter", "centimeters", "centimetre", "centimetres")
_unit("length", 1e-3, "mm", "millimeter", "millimeters", "millimetre", "millimetres")
_unit("pixels", 1, "px", "pixel", "pixels")
_unit("frequency", 1, "hz", "hertz")
_unit("frequency", 1e3, "khz")
_unit("frequency", 1e6, "mhz")
_unit("frequency", 1e9, "ghz")
_unit("current", 1, "a", "amp", "amps")
_unit("current", 1e-3, "ma")
_unit("current", 1e-6, "ua", "µa")
_unit("voltage", 1, "v", "volt", "volts")
_unit("voltage", 1e-3, "mv")
_unit("power", 1, "w", "watt", "watts")
_unit("power", 1e3, "kw")
_unit("speed", 1, "km/h", "kmh", "kph")
_unit("degrees", 1, "°", "°c", "degree", "degrees", "celsius")
_unit("money", 1, "$", "€", "£", "usd", "eur", "chf", "gbp", "dollar", "dollars", "euro", "euros")
_unit("money", 1e-2, "cent", "cents")
_unit("per second", 1, "rps", "qps", "req/s", "fps")
_unit("beats", 1, "bpm")
_unit("decibel", 1, "db", "dbi", "dbm")

_SCALES = {"k": 1e3, "thousand": 1e3, "million": 1e6, "billion": 1e9, "hundred": 1e2, "dozen": 12.0}

_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")

WORDS: dict[str, float] = {
    **{word: float(number) for number, word in enumerate(_ONES)},
    **{word: 10.0 * number for number, word in enumerate(_TENS, 2)},
    **{
        f"{tens}-{one}": 10.0 * number + value
        for number, tens in enumerate(_TENS, 2)
        for value, one in enumerate(_ONES[1:10], 1)
    },
    **{"dozen": 12.0, "hundred": 100.0, "thousand": 1000.0, "million": 1e6, "hundreds": 100.0},
}
"""Numbers that are spelt out."""

_UNIT_NAMES = sorted((re.escape(name) for name in _UNITS), key=len, reverse=True)
PATTERN = (
    r"(?<![\w.])(?P<coin>[$€£])?"
    r"(?P<digits>[-−]?\d{1,3}(?:[,_'’\u202f]\d{3})+(?:\.\d+)?|[-−]?\d+(?:[.,]\d+)?(?:e[-+−]?\d+)?|[-−]?\.\d+)"
    r"(?:[\s\u00a0-]?(?P<scale>k|thousand|million|billion)\b)?"
    r"(?:[\s\u00a0\u202f-]?(?P<unit>" + "|".join(_UNIT_NAMES) + r")(?![\w]))?"
    r"(?!\w)"
)
"""A number, with its thousands separated or not, its unit and scale behind it, a currency before it."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in the base unit of its kind; `kind` is empty where no unit stands by it.

    `plain` is the number as it was written, `spelt` whether in words: those are often no count at all.
    """

    value: float
    kind: str
    plain: float
    spelt: bool = False

    @property
    def is_distinct(self) -> bool:
        """Whether hardly another number is the same by chance: it has three digits that count."""
        return not self.spelt and len(f"{abs(self.plain):.6g}".replace(".", "").strip("0")) > 2

    def agrees(self, other: "Quantity") -> bool:
        """Whether both mean the same amount. One without a unit may mean any."""
        if self.kind and other.kind:
            return self.kind == other.kind and near(self.value, other.value)
        return near(self.plain, other.plain)

    def could_be(self, other: "Quantity") -> bool:
        """Whether the other may stand in this one's place, with another value."""
        if self.kind == other.kind:
            return True
        return not (self.kind and other.kind) and not other.spelt


def near(a: float, b: float) -> bool:
    """Equal, but for the error of the way to the base unit."""
    return a == b or abs(a - b) <= 1e-9 * max(abs(a), abs(b))


def quantity(found: re.Match[str]) -> Quantity:
    """The quantity of a match of `PATTERN`."""
    digits = found["digits"].replace("−", "-")
    if re.fullmatch(r"[-]?\d+,\d{1,2}", digits):
        digits = digits.replace(",", ".")  # a decimal comma
    plain = float(re.sub(r"[,_'’\u202f]", "", digits))
    plain *= _SCALES.get((found["scale"] or "").lower(), 1)
    name = (found["unit"] or found["coin"] or "").lower()
    kind, factor = _UNITS.get(name, ("", 1))
    return Quantity(plain * factor, kind, plain)


def spelt(word: str, following: str) -> Quantity:
    """The quantity of a number in words, and of the unit that may follow it."""
    kind, factor = _UNITS.get(following, ("", 1)) if len(following) > 2 else ("", 1)
    return Quantity(WORDS[word] * factor, kind, WORDS[word], spelt=True)
