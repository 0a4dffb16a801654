"""The tokenizers at hand, both offline: tiktoken with the packaged encoding, or ctok where installed.

Nothing is loaded before the first count, which costs about a tenth of a second, and nothing is ever
fetched: tiktoken by itself would download its encoding.
"""

import gzip
from binascii import a2b_base64
from functools import cache
from importlib import import_module
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from ccbrowse.core.counting import NotAway, away
from ccbrowse.core.estimate.counters import PieceCounter, TokenCounter

if TYPE_CHECKING:
    from tiktoken import Encoding

CL100K: Final = "cl100k_base"
"""Name of tiktoken's encoding that is packaged here; also the name its counter bears."""

CTOK: Final = "ctok"
"""Name that the counters of the optional package ctok bear."""

_CL100K_FILE = "cl100k_base.tiktoken.gz"
_CL100K_PATTERN = "|".join(
    (
        r"'(?i:[sdmt]|ll|ve|re)",
        r"[^\r\n\p{L}\p{N}]?+\p{L}++",
        r"\p{N}{1,3}+",
        r" ?[^\s\p{L}\p{N}]++[\r\n]*+",
        r"\s++$",
        r"\s*[\r\n]",
        r"\s+(?!\S)",
        r"\s",
    )
)
_CL100K_SPECIAL = {
    "<|endoftext|>": 100257,
    "<|fim_prefix|>": 100258,
    "<|fim_middle|>": 100259,
    "<|fim_suffix|>": 100260,
    "<|endofprompt|>": 100276,
}

_CTOK_OLDEST = (1, 3)
_CTOK_VERSIONS = {"4.6-": "3.0", "4.7-4.9": "4.7", "5": "4.8"}

_loading = Lock()


def tiktoken_counter() -> TokenCounter:
    """The default counter: tiktoken's ``cl100k_base``, built at its first count from packaged data."""
    return _TIKTOKEN


@cache
def ctok_counter(family: str) -> TokenCounter:
    """Counts of a family of Claude's tokenizers by the optional package ctok, without message frames.

    Raises `ImportError` at the first count where ctok is not installed.
    """
    version = _CTOK_VERSIONS[family]

    def count_piece(piece: str) -> int:
        counted = _count_away(f"{CTOK}:{family}", piece)
        if counted is not None:
            return counted
        token_count, frame = _ctok(version)
        return max(0, int(token_count(piece, version)) - frame)

    return PieceCounter(CTOK, count_piece)


def counter_of(name: str) -> TokenCounter:
    """The counter of a name as a child process is told it: `CL100K`, or `CTOK` with a family behind it."""
    encoding, _, family = name.partition(":")
    return ctok_counter(family) if encoding == CTOK else tiktoken_counter()


def default_counter(family: str) -> TokenCounter:
    """The best counter at hand for a family of models: ctok if it is installed, else tiktoken."""
    return ctok_counter(family) if ctok_is_installed() else tiktoken_counter()


@cache
def ctok_is_installed() -> bool:
    """Whether the extra ``ccbrowse[claude]`` is there, in a version that counts as ours expects."""
    from importlib import metadata  # with resources below, it would make up most of this import

    try:
        found = metadata.version(CTOK)
    except metadata.PackageNotFoundError:
        return False
    numbers = [int(part) for part in found.split(".")[:2] if part.isdigit()]
    return tuple(numbers) >= _CTOK_OLDEST


def _count_cl100k(piece: str) -> int:
    counted = _count_away(CL100K, piece)
    return len(_cl100k().encode_ordinary(piece)) if counted is None else counted


def _count_away(name: str, piece: str) -> int | None:
    """The tokens as a child process counts them; None where this process is to count."""
    other = away()
    if other is None:
        return None
    try:
        counted = other.count(name, piece)
    except NotAway:
        return None
    if counted is None:
        raise ValueError("the tokenizer failed on the text")
    return counted


_TIKTOKEN: Final = PieceCounter(CL100K, _count_cl100k)


def _cl100k() -> "Encoding":
    with _loading:  # two threads at once would both build it
        return _build_cl100k()


@cache
def _build_cl100k() -> "Encoding":
    # Imported here: tiktoken costs more than a start can spare.
    from importlib import resources

    from tiktoken import Encoding

    packed = resources.files("ccbrowse.core.data").joinpath(_CL100K_FILE).read_bytes()
    return Encoding(
        CL100K,
        pat_str=_CL100K_PATTERN,
        mergeable_ranks=_ranks(gzip.decompress(packed)),
        special_tokens=_CL100K_SPECIAL,
    )


def _ranks(table: bytes) -> dict[bytes, int]:
    # Lines of "base64 rank" in rank order without a hole, which a test holds; so ranks need no parsing.
    tokens = table.split()[::2]
    return dict(zip(map(a2b_base64, tokens), range(len(tokens)), strict=True))


def _ctok(version: str) -> tuple[Any, int]:
    with _loading:
        return _load_ctok(version)


@cache
def _load_ctok(version: str) -> tuple[Any, int]:
    token_count = import_module(CTOK).token_count
    # ctok counts a whole message. A lone "a" is one token, so the rest of its count is the frame.
    return token_count, int(token_count("a", version)) - 1
