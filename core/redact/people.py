"""Home folders, user names and mail addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ccbrowse.core.redact.found import Found, Rank
from ccbrowse.core.redact.page import Page
from ccbrowse.core.redact.vocabulary import words

_HOME = re.compile(r"/(?:home|Users)/(?P<name>[\w.\-+]{1,64})")
# Where a home may be mounted; what stands before it must not be the middle of another path.
_MOUNT = re.compile(
    r"(?:/mnt/[a-z]|/cygdrive/[a-z]|/private/var|/var|/export|/usr|/host|/[a-z]"
    r"|//wsl[\w.$]{0,12}/[\w.\-]{1,40})\Z"
)
_MIDDLE = re.compile(r"[\w.~%/\\\-]\Z")
_STARTS = re.compile(r"(?:[\s\"'=:]-[ILFR]|file:/{1,2})\Z")
_WINDOWS_HOME = re.compile(
    r"""(?:users|home|documents\ and\ settings)[\\/]{1,8}
        (?:[^\\/:*?"<>|\s']{1,64}(?:[ ][^\\/:*?"<>|\s']{1,32}){0,2}(?=[\\/])|[^\\/:*?"<>|\s']{1,64})""",
    re.VERBOSE | re.IGNORECASE,
)
_DRIVE = re.compile(
    r"""(?:(?<![A-Za-z0-9])[A-Za-z]:|\\{2,4}[\w.$\-]{1,64}\\{1,2}(?:[A-Za-z]\$|[\w.\-]{1,40}))[\\/]{1,8}\Z"""
)
_FOLDER = re.compile(r"(?:-home-|-Users-)(?P<name>[A-Za-z0-9]{1,64})(?=-)")
_GOES_ON = re.compile(r"[\w\-]|\.\w")
# Before a user's name that is a word too, and behind it.
_ANNOUNCED = re.compile(r"(?:(?:USER|user|LOGNAME|USERNAME)=|~)\Z")
_AT_HOST = re.compile(r"@[\w\-]")
_FOLDER_START = re.compile(r"(?:(?<![\w\-])|(?<![\w\-])[A-Za-z]-|(?<![\w\-])-mnt-[a-z])\Z")
_EMAIL = re.compile(
    r"(?<![\w.+%\-])[\w.+%\-]{1,64}@(?=[\w\-]{1,63}\.)(?:[\w\-]{1,63}\.){1,6}(?P<top>[A-Za-z]{2,24})(?![\w\-])"
)
_NO_TOP = words(
    "png jpg jpeg gif svg webp css js ts tsx jsx py rs go java md json html so service local"
)
_NOBODY = words("""
    user username users you your yourname your-name your_name name me someone somebody xxx shared
    public default all guest linuxbrew example <user> $user . ..
    """)
"""Names in documents, and folders of the system."""

_ROUTES = words("""
    index page pages dashboard settings about login feed news profile main view views screen
    components assets static images api home title header footer content hero banner search
    """)
"""What stands behind `/home/` in the addresses of web applications."""

_WORDS = words(
    """
    user root admin home test node ubuntu debian runner vagrant docker guest will mark main code
    data file build claude dev app git ops web max art rose grace ray may pat don sue lee sam ian
    eve any all one two new old get set add run daemon bin sys nobody www mail backup service
    server client local public agent ci jenkins postgres mysql redis nginx apache system
    """
)
"""User names that are words too: masked only where a user's name must stand."""

_FILE = re.compile(r".\.(?:html?|php|js|tsx?|jsx|css|json|py|md|svg|png|vue|svelte|rb|go|rs)\Z")


def _is_somebody(name: str) -> bool:
    return bool(name.strip(".")) and name.lower() not in _NOBODY


class People:
    """Finds the places where a person's name stands; built once for a home and a user name."""

    def __init__(self, home: str = "", user: str = "") -> None:
        home = home.rstrip("/\\") if len(home) > 1 else ""
        self._user = user or re.split(r"[\\/]", home)[-1]
        self._home = _home_pattern(home)
        self._folder = _folder_pattern(home, self._user)
        self._alone = len(self._user) > 2 and self._user.lower() not in _WORDS

    def scan(self, page: Page) -> Iterator[Found]:
        """Homes, each to become `~`, and names, each to become `user`."""
        yield from _posix(page)
        yield from _windows(page)
        for place in page.places("-home-", "-users-"):
            folder = _FOLDER.match(page.text, place)
            starts = _FOLDER_START.search(page.text, max(0, place - 8), place)
            if folder and starts and _is_somebody(folder["name"]):
                yield _as_name(*folder.span("name"), page.text)
        if self._user and _is_somebody(self._user):
            yield from self._itself(page.text, page.places(self._user.lower()))
            yield from self._in_folders(page.text, page.places(_dashed(self._user.lower())))

    def _itself(self, text: str, places: Iterable[int]) -> Iterator[Found]:
        """The user's name: at the end of the given home, or alone."""
        for start in places:
            end, before = start + len(self._user), text[start - 1 : start]
            if before in {"/", "\\"} and self._home and not _GOES_ON.match(text, end):
                home = self._home.search(text, max(0, start - 400), end)
                if home:
                    yield _as_home(home.start(), end, text)
                    continue
            whole = not before.isalnum() and not text[end : end + 1].isalnum()
            if (
                whole
                and text.startswith(self._user, start)
                and self._stands_for_a_user(text, start, end)
            ):
                yield _as_name(start, end, text)

    def _stands_for_a_user(self, text: str, start: int, end: int) -> bool:
        """A rare name always; one that is a word too only where names of users stand."""
        if self._alone or _ANNOUNCED.search(text, max(0, start - 12), start):
            return True
        pair = f" {self._user} "
        twice = text.startswith(pair, end) or text.endswith(pair, 0, start)
        return twice or bool(
            _AT_HOST.match(text, end) and text[start - 1 : start] not in {".", "-"}
        )

    def _in_folders(self, text: str, places: Iterable[int]) -> Iterator[Found]:
        """The name within the given home, as the names of project folders spell it."""
        for start in places if self._folder else ():
            end = start + len(self._user)
            ends = text[start - 1 : start] == "-" and not text[end : end + 1].isalnum()
            if ends and self._folder and self._folder.search(text, max(0, start - 400), end):
                yield _as_name(start, end, text)


def _dashed(path: str) -> str:
    """A path as the client writes it into the name of a project's folder."""
    return re.sub(r"[^A-Za-z0-9]", "-", path)


def _home_pattern(home: str) -> re.Pattern[str] | None:
    """The given home, wherever it lies, at the end of a text; separators may be doubled by escapes."""
    if home in {"", "/root"}:
        return None
    parts = [re.escape(part) for part in re.split(r"[\\/]+", home)]
    body = r"[\\/]{1,8}".join(parts[1:]) if home[0] == "/" else r"[\\/]{1,8}".join(parts)
    return re.compile(rf"(?<![\w.~\-]){'/' if home[0] == '/' else ''}{body}\Z")


def _folder_pattern(home: str, user: str) -> re.Pattern[str] | None:
    """The given home in the names of project folders: `-home-ada-lovelace-src`."""
    if not home.endswith(user) or not user:
        return None
    return re.compile(rf"(?<![\w\-]){re.escape(_dashed(home))}\Z")


def _posix(page: Page) -> Iterator[Found]:
    text = page.text
    for place in page.places("/home/", "/users/"):
        match = _HOME.match(text, place)
        if match is None:
            continue
        name = match["name"].rstrip(".")
        if not _is_somebody(name) or _FILE.search(name) or name.lower() in _ROUTES:
            continue
        mount = _MOUNT.search(text, max(0, place - 64), place)
        start = mount.start() if mount else place
        before = text[max(0, start - 8) : start]
        if not _MIDDLE.search(before) or _STARTS.search(before):
            yield _as_home(start, match.start("name") + len(name), text)


def _windows(page: Page) -> Iterator[Found]:
    text = page.text
    for place in page.places("users\\", "users/", "home\\", "documents and settings\\"):
        match = _WINDOWS_HOME.match(text, place)
        drive = _DRIVE.search(text, max(0, place - 120), place) if match else None
        if match and drive and _is_somebody(re.split(r"[\\/]", match.group())[-1]):
            yield _as_home(drive.start(), match.end(), text)


def _as_home(start: int, end: int, text: str) -> Found:
    return Found(start, end, Rank.PERSON, "home-path", text[start:end], "~")


def _as_name(start: int, end: int, text: str) -> Found:
    return Found(start, end, Rank.PERSON, "user-name", text[start:end], "user")


def scan_emails(page: Page) -> Iterator[Found]:
    """Mail addresses; `git@host:` and names of files with an `@` are none."""
    text = page.text
    if "@" not in text:
        return
    for match in _EMAIL.finditer(text):
        if match["top"].lower() in _NO_TOP:
            continue
        if match.group().startswith("git@") and text[match.end() : match.end() + 1] in {":", "/"}:
            continue
        yield Found(*match.span(), Rank.PERSON, "email", match.group().lower())
