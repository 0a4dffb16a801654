"""How three eras of the client write: what each has, and how it counts."""

from dataclasses import dataclass
from typing import Any

Usage = dict[str, Any]

SONNET_45, OPUS_45 = "claude-sonnet-4-5-20250929", "claude-opus-4-5-20251101"
SONNET_46, HAIKU_45 = "claude-sonnet-4-6", "claude-haiku-4-5-20251001"
OPUS_48, OPUS_55 = "claude-opus-4-8", "claude-opus-5-5"

_OLD_TOKENIZER = ("claude-sonnet-4", "claude-haiku-4", "claude-opus-4-5", "claude-opus-4-6")


@dataclass(frozen=True, slots=True)
class Era:
    """One version of the client and the habits that a reader must know of.

    `leads`: the envelope stands before the content. `thinking_text`: thinking has its words, not
    only a signature. `final_usage`: output tokens and stop reason are those of the whole reply.
    `attaches`: reminders are rows. `renders`: with the text that was sent. `keeps`: boundaries keep
    messages. `logs_requests`: the messages of each request can be found again. `agent_digits`: of a
    subagent's id. `numbering`: how `Read` numbers a line.
    """

    version: str
    model: str
    overhead: int
    leads: bool = False
    thinking_text: bool = False
    final_usage: bool = True
    attaches: bool = True
    renders: bool = False
    keeps: bool = True
    logs_requests: bool = False
    agent_tool: str = "Agent"
    agent_digits: int = 17
    numbering: str = "{}\t"


ERAS = {
    "2.1.11": Era(
        "2.1.11",
        SONNET_45,
        20_300,
        leads=True,
        thinking_text=True,
        final_usage=False,
        attaches=False,
        keeps=False,
        agent_tool="Task",
        agent_digits=7,
        numbering="{:6d}→",
    ),
    "2.1.181": Era("2.1.181", OPUS_48, 23_300),
    "2.1.332": Era("2.1.332", OPUS_55, 15_200, renders=True, logs_requests=True),
}


def tokens(text: str, model: str) -> int:
    """What the API would count for a text, near enough: the tokenizer changed with Opus 4.7."""
    return -(-len(text) // 3) if model.startswith(_OLD_TOKENIZER) else -(-len(text) * 2 // 5)


def usage(
    era: Era, fresh: int, creation: int, cached: int, output: int, thinking: int = 0
) -> Usage:
    """The `usage` of a reply: tokens sent uncached, written to the cache, read from it, and made."""
    sent = {
        "input_tokens": fresh,
        "cache_creation_input_tokens": creation,
        "cache_read_input_tokens": cached,
    }
    if era.leads:
        split = {"ephemeral_5m_input_tokens": creation, "ephemeral_1h_input_tokens": 0}
        return {
            **sent,
            "cache_creation": split,
            "output_tokens": output,
            "service_tier": "standard",
        }
    details = {"output_tokens_details": {"thinking_tokens": thinking}} if era.renders else {}
    late = {"fallback_credit": None} if era.renders else {}
    return {
        **sent,
        "output_tokens": output,
        **details,
        "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
        "service_tier": "standard",
        "cache_creation": {
            "ephemeral_1h_input_tokens": 0,
            "ephemeral_5m_input_tokens": creation,
        },
        "inference_geo": "",
        "iterations": [],
        "speed": "standard",
        **late,
    }


def no_usage(era: Era) -> Usage:
    """The `usage` of a reply that the client made up: nothing was sent, nothing counted."""
    none: Usage = {
        "input_tokens": 0,
        "output_tokens": 0,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
        "service_tier": None,
        "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 0},
    }
    if era.leads:
        return none
    none |= {"inference_geo": None, "iterations": None, "speed": None}
    return none | ({"output_tokens_details": None, "fallback_credit": None} if era.renders else {})
