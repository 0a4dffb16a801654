"""A file's stamp as the cache keeps it: with the code that has read the file."""

from struct import Struct

from ccbrowse.core.cache.maker import maker
from ccbrowse.core.lines import Stamp

_pack = Struct(">IQQQq").pack


def stamp_bytes(stamp: Stamp) -> bytes:
    """A stamp in bytes: another one as soon as the file, or our code, has changed."""
    return _pack(maker(), stamp.device, stamp.inode, stamp.size, stamp.mtime_ns)
