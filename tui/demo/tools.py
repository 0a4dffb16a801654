"""Tool calls with their results: a workspace of made-up files that calls read and change."""

import base64
from collections.abc import Mapping, Sequence

from ccbrowse.tui.demo.blocks import Call, image_block
from ccbrowse.tui.demo.eras import Era
from ccbrowse.tui.demo.lines import Row

_AROUND = 3


class Workspace:
    """Files by path below the working directory; each method makes one call and what comes of it."""

    def __init__(self, cwd: str, era: Era, files: Mapping[str, str] | None = None) -> None:
        self.cwd, self.era = cwd, era
        self.files = dict(files or {})
        self._todos: list[Row] = []

    def read(self, path: str, offset: int = 1, limit: int | None = None) -> Call:
        """Read lines of a file, or say that there is none."""
        given: Row = {"file_path": self._full(path)}
        if path not in self.files:
            return _failed("Read", given, f"No such file: {path}")
        if offset > 1:
            given["offset"] = offset
        if limit:
            given["limit"] = limit
        whole = self.files[path].splitlines(keepends=True)
        part = whole[offset - 1 : offset - 1 + limit if limit else None]
        number = self.era.numbering.format
        shown = "".join(number(offset + i) + line for i, line in enumerate(part))
        file = {"filePath": given["file_path"], "content": "".join(part), "numLines": len(part)}
        file |= {"startLine": offset, "totalLines": len(whole)}
        return Call("Read", given, shown.rstrip("\n"), {"type": "text", "file": file})

    def look(self, path: str, data: bytes, size: tuple[int, int]) -> Call:
        """Read an image."""
        block = image_block(data)
        width, height = size
        dimensions = {"originalWidth": width, "originalHeight": height}
        dimensions |= {"displayWidth": width, "displayHeight": height}
        file: Row = {"base64": base64.b64encode(data).decode(), "type": "image/png"}
        file |= {"originalSize": len(data), "dimensions": dimensions}
        result = {"type": "image", "file": file}
        return Call("Read", {"file_path": self._full(path)}, [block], result, images=1)

    def write(self, path: str, text: str) -> Call:
        """Write a file."""
        full = self._full(path)
        before = self.files.get(path)
        self.files[path] = text
        result: Row = {"type": "update" if before is not None else "create", "filePath": full}
        result |= {"content": text, "structuredPatch": [], "originalFile": before}
        if before is not None:
            result["structuredPatch"] = [hunk(before, before, text)]
        if not self.era.leads:
            result["userModified"] = False
        given = {"file_path": full, "content": text}
        return Call("Write", given, f"Wrote {full}", result)

    def edit(self, path: str, old: str, new: str) -> Call:
        """Replace a passage that stands in the file; one that does not is an error."""
        given = {"replace_all": False, "file_path": self._full(path)}
        given |= {"old_string": old, "new_string": new}
        before = self.files.get(path, "")
        if old not in before:
            return _failed("Edit", given, f"This text is not in {path}: {old.strip()[:60]}")
        self.files[path] = before.replace(old, new, 1)
        result = {"filePath": given["file_path"], "oldString": old, "newString": new}
        result |= {"originalFile": before if len(before) < 2_500 else None}
        result |= {"structuredPatch": [hunk(before, old, new)], "userModified": False}
        result["replaceAll"] = False
        return Call("Edit", given, f"Changed {given['file_path']}", result)

    def multi_edit(self, path: str, edits: Sequence[tuple[str, str]]) -> Call:
        """Several replacements in one file, one after the other."""
        before = text = self.files.get(path, "")
        hunks = []
        for old, new in edits:
            hunks.append(hunk(text, old, new))
            text = text.replace(old, new, 1)
        self.files[path] = text
        changes = [{"old_string": old, "new_string": new} for old, new in edits]
        given: Row = {"file_path": self._full(path), "edits": changes}
        result: Row = {"filePath": given["file_path"], "edits": changes}
        result |= {"originalFileContents": before, "structuredPatch": hunks}
        result["userModified"] = False
        return Call("MultiEdit", given, f"Made {len(edits)} edits in {path}", result)

    def bash(
        self, command: str, output: str = "", *, about: str = "", code: int = 0, seconds: float = 2
    ) -> Call:
        """Run a command; another exit code than 0 makes an error of its output."""
        given = {"command": command, "description": about or f"Run {command.split()[0]}"}
        if code:
            text = f"Exit code {code}\n{output}"
            return Call("Bash", given, text, f"Error: {text}", True, seconds)
        result = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
        if not self.era.leads:
            result["noOutputExpected"] = not output
        return Call("Bash", given, output, result, False, seconds)

    def grep(self, pattern: str, hits: Sequence[tuple[str, int, str]]) -> Call:
        """Search; hits are (path, line number, line)."""
        shown = "\n".join(f"{path}:{number}:{line}" for path, number, line in hits)
        given = {"pattern": pattern, "output_mode": "content", "-n": True}
        result = {"mode": "content", "numFiles": 0, "filenames": [], "content": shown}
        result["numLines"] = len(hits)
        return Call("Grep", given, shown or "Nothing found", result)

    def find(self, word: str, limit: int = 12) -> Call:
        """Search the files there are for a word, as `Grep` does."""
        hits = [
            (path, number, line)
            for path, text in self.files.items()
            if word in text
            for number, line in enumerate(text.splitlines(), 1)
            if word in line
        ]
        return self.grep(word, hits[:limit])

    def glob(self, pattern: str, paths: Sequence[str]) -> Call:
        """List files."""
        names = [self._full(path) for path in paths]
        result = {"filenames": names, "durationMs": 18, "numFiles": len(names)}
        result["truncated"] = False
        return Call("Glob", {"pattern": pattern}, "\n".join(names), result)

    def todos(self, **states: str) -> Call:
        """Set the list of things to do: `first_task="completed", next_one="pending"`."""
        names = {key: key.replace("_", " ").capitalize() for key in states}
        new = [
            {"content": names[key], "status": state, "activeForm": f"{names[key]} (now)"}
            for key, state in states.items()
        ]
        result = {"oldTodos": self._todos, "newTodos": new}
        self._todos = new
        return Call("TodoWrite", {"todos": new}, "The list is up to date.", result)

    def task(self, number: int, subject: str) -> Call:
        """Put a task on the list, as newer clients keep it."""
        given = {"subject": subject, "description": subject, "activeForm": f"{subject} (now)"}
        result = {"task": {"id": str(number), "subject": subject}}
        return Call("TaskCreate", given, f"Task #{number} is on the list: {subject}", result)

    def fetch(self, url: str, question: str, answer: str, size: int = 48_213) -> Call:
        """Fetch a page and ask it something."""
        result: Row = {"bytes": size, "code": 200, "codeText": "OK", "result": answer}
        result |= {"durationMs": 1_840, "url": url}
        return Call("WebFetch", {"url": url, "prompt": question}, answer, result, seconds=1.9)

    def _full(self, path: str) -> str:
        return f"{self.cwd}/{path}"


def _failed(name: str, given: Row, text: str) -> Call:
    """A call that the tool refused."""
    shown = f"<tool_use_error>{text}</tool_use_error>"
    return Call(name, given, shown, f"Error: {text}", True)


def hunk(before: str, old: str, new: str) -> Row:
    """The change as one hunk of a patch: whole lines, with a few around them."""
    at = max(0, before.find(old))
    end = at + len(old)
    head, stop = before.rfind("\n", 0, at) + 1, before.find("\n", max(at, end - 1))
    tail = before[end : stop if stop >= 0 else None]
    first = before.count("\n", 0, at)
    lines = before.splitlines()
    gone, come = ((before[head:at] + text + tail).splitlines() for text in (old, new))
    start = max(0, first - _AROUND)
    lead, trail = lines[start:first], lines[first + len(gone) :][:_AROUND]
    marked = [
        *(f" {line}" for line in lead),
        *(f"-{line}" for line in gone),
        *(f"+{line}" for line in come),
        *(f" {line}" for line in trail),
    ]
    around = len(lead) + len(trail)
    old_lines, new_lines = around + len(gone), around + len(come)
    place = {"oldStart": start + 1, "oldLines": old_lines, "newStart": start + 1}
    return {**place, "newLines": new_lines, "lines": marked}
