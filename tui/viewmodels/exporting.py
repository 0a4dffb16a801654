"""What is said of an export: what was masked in it, what was written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ccbrowse.core.export import Written
from ccbrowse.core.export.wording import masked_words
from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.viewmodels import figures


def about_masks(
    counts: Mapping[str, int] | None, *, would: bool = False, whole: bool = True
) -> SafeText:
    """How much of what kind was masked, or would be; None: masking is off.

    `whole` is off where only the beginning was looked at.
    """
    if counts is None:
        return SafeText("Nothing is masked: secrets and home paths are written as they stand.")
    words = display_text(masked_words(counts))
    if not whole:
        found = words or "nothing"
        return SafeText(f"would mask, as far as it was looked at: {found}")
    if not words:
        return SafeText("nothing was found to mask")
    return SafeText(f"would mask: {words}" if would else f"masked: {words}")


def wrote_words(written: Sequence[Written], counts: Mapping[str, int] | None) -> SafeText:
    """What was written, and what was masked in it."""
    size = figures.byte_size(sum(each.size for each in written))
    where = display_text(
        str(written[0].path.absolute())
    )  # a bare name leaves one to guess the folder
    more = len(written) - 1
    pages = f" and {more} more {'page' if more == 1 else 'pages'}" if more else ""
    gone = sum(len(each.removed) for each in written)
    less = f", {gone} of the longer one that was there removed" if gone else ""
    return SafeText(f"wrote {where}{pages}, {size}{less}; {about_masks(counts)}")
