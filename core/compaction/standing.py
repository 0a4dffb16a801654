"""What still stands after the boundary word for word: carried-over records, and content put back."""

from collections.abc import Sequence

from ccbrowse.core.compaction.items import Raw
from ccbrowse.core.compaction.matcher import ends_with, path_parts
from ccbrowse.core.compaction.model import ItemKind, PutBack
from ccbrowse.core.segments import Segment
from ccbrowse.core.session import Session

_LEAST = 12
"""Characters that a text must have to be looked for in any file put back: shorter ones are anywhere."""


class Standing:
    """Answers, exactly, whether an item's record was carried over or its content put back."""

    def __init__(self, session: Session, opened: Segment, put_back: Sequence[PutBack]) -> None:
        self._kept = set(opened.carried_over)
        self._put_back = [each for each in put_back if not each.is_reference]
        self._references = [each for each in put_back if each.is_reference]
        self._lines = [_lines(each.content) for each in self._put_back]
        self._paths = [path_parts(each.path) if each.path else () for each in self._put_back]

    def kept(self, raw: Raw) -> bool:
        """Whether the item's record, or one of those that touched the file, was carried over."""
        if raw.kind is ItemKind.FILE and raw.touches:
            return any(row in self._kept for row in raw.touches)
        return raw.row in self._kept

    def put_back(self, raw: Raw) -> str | None:
        """What put the item's content back, in words; None where nothing did."""
        if raw.kind is ItemKind.FILE:
            return self._file(raw.path)
        if raw.kind is ItemKind.ERROR:
            return None
        if raw.kind is ItemKind.TOOL_CALL and raw.tool == "Read":
            return self._file(raw.path)
        content = raw.content or raw.text
        wanted = _lines(content)
        for each, path, lines in zip(self._put_back, self._paths, self._lines, strict=True):
            same = bool(raw.path and path) and _same(path, path_parts(raw.path or ""))
            if raw.path and path and not same:
                continue
            if not same and len(content.strip()) < _LEAST:
                continue
            if wanted and (wanted <= lines or (same and content.strip() in each.content)):
                return _said(each)
        return None

    def reference(self, raw: Raw) -> str | None:
        """The bare reference that names the item's file after the boundary."""
        if raw.path is None or raw.kind not in (ItemKind.FILE, ItemKind.TOOL_CALL):
            return None
        mine = path_parts(raw.path)
        for each in self._references:
            if each.path and _same(path_parts(each.path), mine):
                return f"named after the summary: {each.label}"
        return None

    def _file(self, path: str | None) -> str | None:
        if path is None:
            return None
        mine = path_parts(path)
        for each, its in zip(self._put_back, self._paths, strict=True):
            if its and each.type in ("file", "already_read_file") and _same(its, mine):
                return _said(each)
        return None


def _said(each: PutBack) -> str:
    return f"put back: {each.label}"


def _same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return ends_with(one, other) or ends_with(other, one)


def _lines(text: str) -> set[str]:
    return {line for part in text.split("\n") if (line := part.strip())}
