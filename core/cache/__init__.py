"""Facts of session files kept between runs: SQLite in the user's cache folder, safe to delete at any time.

`Cache` is the file, `Listings` what lists show of sessions, `open_session` opens one with what is known of
its structure, `state` and `clear` are for the file as a whole. Nothing here raises for a cache that cannot
be used: `Cache.trouble` says it in one line, and everything is read anew.
"""

from ccbrowse.core.cache.listings import EMPTY, Listings
from ccbrowse.core.cache.place import State, cache_folder, clear, state
from ccbrowse.core.cache.store import Cache
from ccbrowse.core.cache.structures import LONG, Opening, open_session

__all__ = [
    "EMPTY",
    "LONG",
    "Cache",
    "Listings",
    "Opening",
    "State",
    "cache_folder",
    "clear",
    "open_session",
    "state",
]
