"""Files by their distinguishing parts: which file of a session a mention in a summary means, if one."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ccbrowse.core.compaction.matcher.lexicon import EXTENSIONS
from ccbrowse.core.compaction.matcher.sentences import Sentence
from ccbrowse.core.compaction.matcher.terms import is_name
from ccbrowse.core.compaction.matcher.words import words

_MENTION = re.compile(
    r"(?:[A-Za-z]:[\\/]|[a-z]{2,6}://|~[\\/]|(?:\.{1,3}|…)?[\\/])?"
    r"(?:(?:[\w.@%+$*…-]|\{[\w,. -]+\}|\[[\w.-]+\]|\([\w-]+\)(?=[\\/]))+[\\/])*"
    r"(?:[\w.@%+$*-]|\{[\w,. -]+\}|\[[\w.-]+\])+[\\/]?"
)
_BRACES = re.compile(r"\{([\w,. -]+)\}")
_SPACED = re.compile(r"[`\"“']([^`\"”'\n]{1,200})[`\"”']")
_BARE_FILES = words(
    """
    makefile dockerfile gemfile rakefile procfile jenkinsfile vagrantfile justfile podfile brewfile
    license readme changelog cmakelists.txt codeowners .gitignore .env .dockerignore .nvmrc
    .editorconfig .npmrc .prettierrc .eslintrc .babelrc .htaccess .bashrc .zshrc
    """
)

Parts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mention:
    """A file named in a sentence: its parts from the outermost on; `folders` named around it, each
    with whether it is surely one."""

    parts: Parts
    sentence: int
    folders: tuple[tuple[Parts, bool], ...] = ()


def parts(path: str) -> Parts:
    """The parts of a path of any system, for comparison."""
    path = re.sub(r"^[a-z]{2,6}://|^[A-Za-z]:(?=[\\/])", "", path.strip())
    found = [part for part in re.split(r"[\\/]+", path) if part not in ("", ".", "~", "…", "...")]
    return tuple(part.casefold() for part in found if part != "..")


def is_file(parts_: Parts) -> bool:
    """Whether the last part looks like a file's name."""
    name = parts_[-1]
    dot = name.rfind(".")
    return name in _BARE_FILES or (dot >= 0 and name[dot + 1 :] in EXTENSIONS)


def ends_with(path: Parts, tail: Parts) -> bool:
    """Whether a path ends in these parts."""
    return len(tail) <= len(path) and path[len(path) - len(tail) :] == tail


def expand(text: str) -> list[str]:
    """A text with its braces spelt out: `a.{h,c}` is two. At most a few."""
    found = [text]
    for _ in range(3):
        match = _BRACES.search(found[0])
        if match is None or len(found) > 64:
            break
        choices = [choice.strip() for choice in match[1].split(",")]
        found = [_BRACES.sub(choice, one, count=1) for one in found for choice in choices]
    return found


def mentions_in(text: str) -> Iterator[Parts]:
    """The files and folders that a text names; folders end in an empty part."""
    for match in _MENTION.finditer(text):
        raw = match[0].rstrip(".,;:!?*")
        raw = raw if raw.startswith(("**/", "*.", "*/")) else raw.lstrip("*")
        if (
            "/" not in raw
            and "\\" not in raw
            and "." not in raw
            and raw.casefold() not in _BARE_FILES
        ):
            continue
        for one in expand(raw):
            found = parts(one)
            if not found:
                continue
            if one.endswith(("/", "\\")):
                yield (*found, "")
            elif is_file(found) or len(found) > 1:
                yield found
    for match in _SPACED.finditer(text):
        if " " in match[1] and ("/" in match[1] or "\\" in match[1]):
            found = parts(match[1])
            if found and is_file(found):
                yield found


class PathIndex:
    """The files that a summary names, and those that the session knows.

    A mention means a file when it is the end of its path, or the path the end of it, and no other
    known path fits as well, or better: `folders` are those that paths are told from. A bare name under
    a folder's name is taken with that folder.
    """

    def __init__(
        self, summary: Sequence[Sentence], known: Iterable[str], folders: Iterable[str] = ()
    ) -> None:
        self._homes = [parts(folder) for folder in folders]
        self._by_base: dict[str, list[Mention]] = {}
        self._stems: dict[str, list[int]] = {}
        self._known: dict[str, set[Parts]] = {}
        self._known_stems: dict[str, set[Parts]] = {}
        self._read(summary)
        for path in known:
            self.learn(parts(path))

    def learn(self, path: Parts) -> None:
        """Another file of the session."""
        if path and path[-1]:
            self._known.setdefault(path[-1], set()).add(path)
            self._known_stems.setdefault(_stem(path[-1]), set()).add(path)

    def _read(self, summary: Sequence[Sentence]) -> None:
        folders: dict[int, list[tuple[Parts, bool]]] = {}
        for number, sentence in enumerate(summary):
            files = []
            for found in mentions_in(sentence.text):
                if not found[-1]:
                    folders.setdefault(number, []).append((found[:-1], True))
                elif not is_file(found):
                    folders.setdefault(number, []).append((found, False))
                if found[-1]:
                    files.append(found)
            around = [f for n in (number, *sentence.above) for f in folders.get(n, ())]
            for found in files:
                mention = Mention(found, number, tuple(around))
                self._by_base.setdefault(found[-1], []).append(mention)
            for name in _names(sentence.text):
                self._stems.setdefault(name, []).append(number)

    def find(self, path: str) -> int | None:
        """The number of the sentence that names a file, the fullest mention first; None where none does."""
        target = parts(path)
        if not target:
            return None
        best: tuple[int, int] | None = None
        for mention in self._by_base.get(target[-1], ()):
            length = self._fits(mention, target)
            if length and (best is None or length > best[0]):
                best = (length, mention.sentence)
        if best is not None:
            return best[1]
        return self._by_stem(path, target)

    def _fits(self, mention: Mention, target: Parts) -> int:
        """How many parts of a mention fit a file; 0 where it means another, or may."""
        found = mention.parts
        if ends_with(target, found):
            length = len(found)
        elif ends_with(found, target) and len(target) > 1:
            length = len(target)
        elif len(target) == 1 and found == target:
            length = 1
        else:
            return 0
        if found == target or any((*home, *found) == target for home in self._homes):
            return length
        if any((*home, *found) in self._known.get(found[-1], ()) for home in self._homes):
            return 0
        rivals = any(ends_with(path, found) for path in self._others(target))
        folders = self._folders(mention) if len(found) == 1 else []
        if folders:
            fitting = [len(folder) for folder in folders if _inside(folder, target[:-1])]
            return 1 + max(fitting) if fitting else 0
        return 0 if rivals else length

    def _folders(self, mention: Mention) -> list[Parts]:
        """The folders around a bare name: those written as such, and those that hold known files."""
        return [
            folder
            for folder, sure in mention.folders
            if sure
            or any(_inside(folder, path[:-1]) for path in self._known.get(mention.parts[-1], ()))
        ]

    def _others(self, target: Parts) -> Iterator[Parts]:
        """Other files with the same name that the session or the summary knows."""
        for path in self._known.get(target[-1], ()):
            if not ends_with(path, target) and not ends_with(target, path):
                yield path
        for mention in self._by_base.get(target[-1], ()):
            path = mention.parts
            if not ends_with(path, target) and not ends_with(target, path):
                yield path

    def _by_stem(self, path: str, target: Parts) -> int | None:
        """A file meant by its name without the ending, where that is a name of its own making."""
        name = _stem(target[-1])
        numbers = self._stems.get(name)
        written = path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
        if not numbers or len(name) < 5 or not is_name(_stem(written)):
            return None
        others = [p for p in self._known_stems.get(name, ()) if p != target]
        if any(not ends_with(p, target) and not ends_with(target, p) for p in others):
            return None
        if any(_stem(base) == name for base in self._by_base):
            return None  # the summary names a file of that name, and it is another one
        return numbers[0]


def _stem(base: str) -> str:
    return base.split(".", 1)[0] if not base.startswith(".") else base


def _names(text: str) -> Iterator[str]:
    """Names of programs' making in a sentence, and dotted ones' last parts."""
    for match in re.finditer(r"(?<![\w./\\-])[A-Za-z]\w{4,}(?![\w/\\]|\.[a-z])", text):
        if is_name(match[0]):
            yield match[0].casefold()


def _inside(folder: Parts, path: Parts) -> bool:
    """Whether the parts of a folder stand in a path one after the other."""
    size = len(folder)
    return any(path[i : i + size] == folder for i in range(len(path) - size + 1))
