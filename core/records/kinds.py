"""The kinds of record, as the index keeps them: one byte each."""

from enum import IntEnum


class Kind(IntEnum):
    """What a record is to a reader. The order has no meaning; the cache holds the values, and what another
    version of the code has cached is not read."""

    PROMPT = 1
    """What a person sent: typed or pasted (`user`)."""
    COMMAND = 2
    """A slash or bash command and its output, as the client wrote it down (`user`)."""
    META = 3
    """A user record made by the client: caveats, reminders, notes of an interruption (`user`)."""
    SUMMARY = 4
    """The summary that a compaction left (`user`)."""
    RESULT = 5
    """The result of a tool call (`user`); it may hold a person's words beside it."""
    ASSISTANT = 6
    """A reply, or one fragment of it."""
    ERROR = 7
    """A reply that no model made: an API error, or a placeholder (`<synthetic>`)."""
    BOUNDARY = 8
    """A `compact_boundary`."""
    MICRO_BOUNDARY = 9
    """A `microcompact_boundary`: some results were emptied for the model; no segment starts."""
    SYSTEM = 10
    """Any other system record."""
    QUEUED_PROMPT = 11
    """A prompt sent while the client worked, of which only an attachment tells."""
    ATTACHMENT = 12
    """What the client sent along: files, reminders, listings."""
    PROGRESS = 13
    """Progress of a running tool; older clients hang replies on it."""
    LINK = 14
    """A record of a type unknown to us that has a uuid and a parent: it carries links."""
    SIDE = 15
    """Bookkeeping: titles, modes, snapshots, and all types without links."""
    REQUEST = 16
    """A logged API request, or a part of one (`api-request…`)."""
    BAD = 17
    """A line that holds no record."""


USER_KINDS = frozenset({Kind.PROMPT, Kind.COMMAND, Kind.META, Kind.SUMMARY, Kind.RESULT})
"""Records of type `user`."""

REPLY_KINDS = frozenset({Kind.ASSISTANT, Kind.ERROR})
"""Records of type `assistant`."""

MESSAGE_KINDS = USER_KINDS | REPLY_KINDS
"""Records that `messages` counts."""

CHAIN_KINDS = MESSAGE_KINDS | {Kind.BOUNDARY}
"""Records that stand in a `chain`."""

LINK_KINDS = CHAIN_KINDS | {
    Kind.MICRO_BOUNDARY,
    Kind.SYSTEM,
    Kind.QUEUED_PROMPT,
    Kind.ATTACHMENT,
    Kind.PROGRESS,
    Kind.LINK,
}
"""Records that can be a parent."""

SIDE_TYPES = frozenset(
    (
        *("file-history-snapshot", "file-history-delta", "queue-operation", "last-prompt", "mode"),
        *("permission-mode", "custom-title", "ai-title", "summary", "agent-name", "agent-color"),
        *("agent-setting", "tag", "pr-link", "cost-state", "content-replacement", "tools-used"),
        *("atis-latch", "bridge-session", "worktree-state", "relocated", "continued-in"),
        *("attribution-snapshot", "speculation-accept", "journal"),
    )
)
"""Types of bookkeeping: never links, even where a uuid stands on them."""
