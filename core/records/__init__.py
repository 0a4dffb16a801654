"""All knowledge of the client's record format and its versions: one line in, one record out.

Start here to teach ccbrowse a new record type: `kinds` names it, `heads` decodes what the index needs of
it, `prompts` tells a person's words from the client's, `blocks` opens its content, `repair` reads what is
damaged. Which kind a record is taken for is decided where it is indexed, in `core/index/filling.py`.
"""

from ccbrowse.core.records.attachments import attachment_of, queued_blocks, sent_file
from ccbrowse.core.records.blocks import (
    Block,
    Image,
    Other,
    Part,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    blocks,
)
from ccbrowse.core.records.boundaries import CompactFacts, compact_facts
from ccbrowse.core.records.kinds import (
    CHAIN_KINDS,
    LINK_KINDS,
    MESSAGE_KINDS,
    REPLY_KINDS,
    USER_KINDS,
    Kind,
)
from ccbrowse.core.records.prompts import command_of, typed_text
from ccbrowse.core.records.repair import Oddity, decode, decode_odd

__all__ = [
    "CHAIN_KINDS",
    "LINK_KINDS",
    "MESSAGE_KINDS",
    "REPLY_KINDS",
    "USER_KINDS",
    "Block",
    "CompactFacts",
    "Image",
    "Kind",
    "Oddity",
    "Other",
    "Part",
    "Text",
    "Thinking",
    "ToolCall",
    "ToolResult",
    "attachment_of",
    "blocks",
    "command_of",
    "compact_facts",
    "decode",
    "decode_odd",
    "queued_blocks",
    "sent_file",
    "typed_text",
]
