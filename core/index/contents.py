"""What the content of a message holds, as flags; its calls, the results it holds, and its words."""

from ccbrowse.core.index.flags import CALL, EMPTY, FAILED, IMAGE, SILENT, TEXT, THINKING
from ccbrowse.core.records.heads import BlockHead, Content

FLAGS: dict[str | None, int] = {
    "tool_use": CALL,
    "thinking": THINKING,
    "redacted_thinking": THINKING,
    "image": IMAGE,
    "document": IMAGE,
}
"""The flags of blocks whose type says all."""


def reply_flags(content: Content) -> int:
    """The flags of a reply's content."""
    if not isinstance(content, list):
        return TEXT if content and not content.isspace() else EMPTY
    flags, silent = 0, True
    for block in content:
        if isinstance(block, BlockHead):
            found = FLAGS.get(block.type) or _less_common(block)
            silent = silent and (found != THINKING or block.says_nothing())
            flags |= found
        elif block and not block.isspace():
            flags |= TEXT
    return (flags | SILENT if flags & THINKING and silent else flags) or EMPTY


def _less_common(block: BlockHead) -> int:
    if block.type == "text":
        return TEXT if block.text and not block.text.isspace() else 0
    return CALL if _is_call(block.type) else TEXT


def _is_call(kind: str | None) -> bool:
    """`tool_use`, and those that the API runs itself: `server_tool_use`, `mcp_tool_use`."""
    return kind == "tool_use" or (kind is not None and kind.endswith("_tool_use"))


def calls_of(content: Content) -> list[BlockHead]:
    """The blocks of a reply that call a tool."""
    if not isinstance(content, list):
        return []
    return [block for block in content if isinstance(block, BlockHead) and _is_call(block.type)]


def user_contents(content: Content) -> tuple[int, str, list[str]]:
    """The flags of a user record's content (CALL: it holds a result), its text, the calls answered."""
    if not isinstance(content, list):
        return 0, content or "", []
    flags, texts, answered = 0, list[str](), list[str]()
    for block in content:
        if not isinstance(block, BlockHead):
            texts.append(block or "")
        elif block.type == "tool_result" or block.tool_use_id:
            flags |= CALL | (FAILED if block.is_error else 0)
            if block.tool_use_id:
                answered.append(block.tool_use_id)
        elif block.type == "text":
            if block.text is not None:
                texts.append(block.text)
        else:
            flags |= FLAGS.get(block.type, 0) & IMAGE
    return flags, texts[0] if len(texts) == 1 else "\n".join(texts), answered
