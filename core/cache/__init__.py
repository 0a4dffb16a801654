"""Facts of session files kept between runs: SQLite in the user's cache folder, safe to delete at any time.

`Cache` is the file, `Listings` what lists show of sessions, `place` where it lies. Nothing here raises for
a cache that cannot be used: `Cache.trouble` says it in one line, and everything is read anew.
"""

from ccbrowse.core.cache.listings import EMPTY, Listings
from ccbrowse.core.cache.place import State, cache_folder, clear, state
from ccbrowse.core.cache.store import Cache

__all__ = [
    "EMPTY",
    "Cache",
    "Listings",
    "State",
    "cache_folder",
    "clear",
    "state",
]
