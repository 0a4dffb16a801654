"""The index of what was said: which parts of which files can hold some words, so that a search of prompts,
replies, summaries and titles reads only these.

`words` tells the words of lines, `store` keeps them (SQLite's FTS5, in the user's cache folder) and
answers, `filling` brings the index up to date. The index proves nothing: what it names is read and judged
as every search does it, and what it does not cover is read whole.
"""

from ccbrowse.core.talk.filling import fill
from ccbrowse.core.talk.store import Covered, Talk, triples

__all__ = ["Covered", "Talk", "fill", "triples"]
