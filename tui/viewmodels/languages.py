"""Which lexer a file's name asks for."""

from __future__ import annotations

from pathlib import PurePath

_LANGUAGES = {
    ".py": "python", ".js": "javascript", ".ts": "typescript", ".tsx": "tsx", ".json": "json",
    ".md": "markdown", ".sh": "bash", ".rs": "rust", ".go": "go", ".c": "c", ".h": "c",
    ".cpp": "cpp", ".java": "java", ".rb": "ruby", ".toml": "toml", ".yaml": "yaml",
    ".yml": "yaml", ".html": "html", ".css": "css", ".sql": "sql", ".kt": "kotlin",
    ".jsx": "jsx", ".cs": "csharp", ".php": "php", ".swift": "swift", ".lua": "lua",
    ".vue": "vue", ".xml": "xml", ".ini": "ini", ".diff": "diff", ".patch": "diff",
}  # fmt: skip


def language_of(path: str) -> str:
    """A lexer's name for a path; empty where its ending says nothing."""
    return _LANGUAGES.get(PurePath(path).suffix.lower(), "")
