"""The default file name of an export: from the title, safe on every system, never out of its folder."""

import re
from unicodedata import normalize

from ccbrowse.core.export.facts import title_of
from ccbrowse.core.export.options import Options
from ccbrowse.core.export.parts import Part, Scope, segment
from ccbrowse.core.session import Session

MAX_BYTES = 100
"""UTF-8 bytes of a name, ending included."""

SUFFIXES = {"markdown": "md", "html": "html", "json": "json", "jsonl": "jsonl", "text": "txt"}
"""The ending of each format."""

_NO_LETTERS = re.compile(r"[\W_]+")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d|conin|conout)\Z")
_SHORT = 8


def default_name(part: Part, form: str, options: Options) -> str:
    """`<slug>.seg<N>.md` for a segment; other parts are named by what they are."""
    ending = f".{_part_name(part)}.{SUFFIXES[form]}"
    title = title_of(part, options) or options.line(part.session.title.text)
    slug = slug_of(title, MAX_BYTES - len(ending.encode()))
    return (slug or f"session-{_plain(part.session.session_id)}") + ending


def loss_name(session: Session, number: int) -> str:
    """`<slug>.seg<N>.loss.md`: what became of the segment that a compaction closed. Raises NoSuchSession."""
    from ccbrowse.core.compaction import closed_by  # here: no other export needs it

    part = segment(session, closed_by(session, number))
    return default_name(part, "markdown", Options()).removesuffix(".md") + ".loss.md"


def slug_of(title: str, limit: int) -> str:
    """Letters and digits of a title in lower case, joined by `-`, in at most `limit` UTF-8 bytes."""
    words = _NO_LETTERS.sub("-", normalize("NFKC", title).lower()).strip("-")
    cut = words.encode("utf-8", "ignore")[:limit].decode("utf-8", "ignore").strip("-")
    return f"session-{cut}" if _RESERVED.match(cut) else cut


def _part_name(part: Part) -> str:
    uuids = part.session.index.uuids
    agent = f"agent-{_plain(part.session.agent_id)}." if part.session.agent_id else ""
    if part.scope is Scope.SEGMENT:
        return f"{agent}seg{part.segments[0].number}"
    if part.ends is not None:
        first, last = (_plain(uuids[row] or "") for row in part.ends)
        return f"{agent}from-{first}-to-{last}"
    if part.branch is not None:
        return f"{agent}branch-{_plain(uuids[part.branch.leaf] or '')}"
    return f"{agent}all"


def _plain(text: str) -> str:
    """The first letters and digits of an id, which is any string."""
    return re.sub(r"[^A-Za-z0-9]", "", text)[:_SHORT] or "x"
