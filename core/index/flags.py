"""The bits of `SessionIndex.flags`: what a record holds, beside its kind."""

SIDECHAIN = 1
"""It belongs to a subagent."""
REPLAY = 2
"""It repeats an earlier record."""
TYPED = 4
"""A tool result with a person's words beside it."""
TEXT = 8
THINKING = 16
CALL = 32
"""It calls a tool."""
FAILED = 64
"""A tool result that is an error."""
IMAGE = 128
INTERRUPT = 256
"""A note that a person interrupted the client."""
META = 512
"""Made by the client, by its own word (`isMeta`)."""
EMPTY = 1024
"""Nothing to show: no block, or blank text alone."""
SILENT = 2048
"""Thinking of which the client kept only a signature, not the words."""
