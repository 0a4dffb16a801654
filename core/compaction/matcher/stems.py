"""Words to stems: light, for English as people write it about programs. Other languages pass unchanged."""

import re
from functools import lru_cache

_IRREGULAR = {
    "written": "write", "wrote": "write", "ran": "run", "kept": "keep", "took": "take",
    "taken": "take", "chose": "choose", "chosen": "choose", "choice": "choose", "held": "hold",
    "went": "go", "gone": "go", "made": "make", "built": "build", "sent": "send", "shown": "show",
    "showed": "show", "found": "find", "broke": "break", "broken": "break", "got": "get",
    "gotten": "get", "came": "come", "began": "begin", "begun": "begin",
    "fell": "fall", "fallen": "fall", "rose": "rise", "risen": "rise", "grew": "grow",
    "grown": "grow", "gave": "give", "given": "give", "threw": "throw", "thrown": "throw",
    "knew": "know", "known": "know", "saw": "see", "seen": "see", "said": "say", "told": "tell",
    "meant": "mean", "met": "meet", "lost": "lose", "loss": "lose", "led": "lead", "bought": "buy",
    "brought": "bring", "thought": "think", "caught": "catch", "drew": "draw", "drawn": "draw",
    "froze": "freeze", "frozen": "freeze", "spent": "spend", "stored": "store", "stood": "stand",
    "swapped": "swap", "hidden": "hide", "hid": "hide", "forgot": "forget", "forgotten": "forget",
    "forbade": "forbid", "forbidden": "forbid", "men": "man", "women": "woman", "people": "person",
    "children": "child", "indices": "index", "indexes": "index", "vertices": "vertex",
    "matrices": "matrix", "analyses": "analysis", "criteria": "criterion", "data": "data",
    "media": "media", "slept": "sleep", "woke": "wake", "awoken": "wake", "bound": "bind",
    "understood": "understand", "rewrote": "rewrite", "rewritten": "rewrite", "rebuilt": "rebuild",
    "overwrote": "overwrite", "overwritten": "overwrite", "reran": "rerun", "wound": "wind",
    "paid": "pay", "payment": "pay", "laid": "lay", "fed": "feed", "decision": "decide",
    "expiry": "expire", "expiration": "expire", "deletion": "delete", "proof": "prove",
    "analyse": "analysis", "analyze": "analysis", "failure": "fail", "removal": "remove",
    "approval": "approve", "refusal": "refuse", "renewal": "renew", "retrieval": "retrieve",
    "weekly": "week", "monthly": "month", "yearly": "year", "hourly": "hour", "daily": "day",
    "better": "good", "best": "good", "less": "few", "fewer": "few", "older": "old",
    "oldest": "old", "newer": "new", "newest": "new", "later": "late", "bigger": "big",
    "biggest": "big", "larger": "large", "largest": "large", "smaller": "small",
    "smallest": "small", "faster": "fast", "fastest": "fast", "slower": "slow",
    "slowest": "slow", "higher": "high", "highest": "high", "lower": "low", "lowest": "low",
    "longer": "long", "longest": "long", "shorter": "short", "shortest": "short",
    "cheaper": "cheap", "cheapest": "cheap", "shrank": "shrink", "shrunk": "shrink",
    "process": "process", "access": "access", "address": "address", "class": "class",
    "news": "news", "series": "series", "species": "species", "status": "status", "bus": "bus",
    "alias": "alias", "aliases": "alias", "canvas": "canvas", "redis": "redis", "kubernetes": "kubernetes",
    "https": "https", "css": "css", "aws": "aws", "dns": "dns", "tls": "tls", "js": "js",
    "this": "this", "thing": "thing", "string": "string", "strings": "string", "during": "during",
    "nothing": "nothing", "something": "something", "anything": "anything", "need": "need",
    "bed": "bed", "red": "red", "embed": "embed", "embedded": "embed", "speed": "speed",
    "feed": "feed", "seed": "seed", "string's": "string", "king": "king", "ring": "ring",
    "spring": "spring", "bring": "bring", "ping": "ping", "pinged": "ping", "thread": "thread",
    "used": "use", "using": "use", "agreed": "agree", "freed": "free", "guaranteed": "guarantee",
    "tied": "tie", "dying": "die", "died": "die", "lying": "lie", "seeing": "see", "being": "be",
    "synchronise": "sync", "synchronised": "sync", "synchronize": "sync", "synchronized": "sync",
    "synchronisation": "sync", "synchronization": "sync", "synchronous": "synchronous",
    "proceed": "proceed", "exceed": "exceed", "succeed": "succeed", "success": "succeed",
    "successful": "succeed", "successfully": "succeed", "analyzed": "analysis",
    "analysed": "analysis", "analysing": "analysis", "analyzing": "analysis", "setting": "setting",
    "settings": "setting", "building": "build", "meeting": "meeting", "rating": "rate",
    "missing": "missing", "warning": "warning", "warnings": "warning", "heading": "heading",
}  # fmt: skip
"""Forms that no rule reaches, and words that a rule would cut wrongly."""

_BRITISH = re.compile(r"(col|fav|behavi|hon|flav|neighb|lab|harb|rum|vap|arm)our")
_VOWEL = re.compile("[aeiouy]")
_DOUBLE = re.compile(r"([bcdfgklmnprt])\1$")

_ENDINGS = (
    ("isations", "is", 3), ("izations", "is", 3), ("isation", "is", 3), ("ization", "is", 3),
    ("ations", "", 4), ("ation", "", 4), ("ator", "", 4), ("ctor", "ct", 4), ("ism", "", 4),
    ("ate", "", 4), ("iveness", "ive", 3), ("fulness", "ful", 3), ("ically", "ic", 3),
    ("ments", "", 4), ("ment", "", 4), ("nesses", "", 4), ("ness", "", 4), ("ables", "", 4),
    ("able", "", 4), ("ibly", "", 4), ("ably", "", 4), ("ible", "", 4), ("ances", "", 5),
    ("ance", "", 5), ("ences", "", 5), ("ence", "", 5), ("ities", "", 4), ("ity", "", 4),
    ("ions", "", 4), ("ion", "", 4), ("ally", "al", 4), ("ly", "", 4),
)  # fmt: skip
"""What makes nouns, adjectives and adverbs: the ending, what stands for it, the least that is left."""


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of a word in lower case: what its common forms have in common."""
    word = word.removesuffix("'s").removesuffix("’s").strip("'’")
    if word in _IRREGULAR:
        return _end(_IRREGULAR[word])
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    word = _plural(_BRITISH.sub(r"\1or", word))
    return _end(_IRREGULAR[word] if word in _IRREGULAR else _verb(word))


def _plural(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


def _verb(word: str) -> str:
    """A participle's ending off: `running`, `stopped`, `caching`."""
    if word.endswith(("eed", "een")):
        return word
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    for ending in ("ingly", "edly", "ing", "ed"):
        if word.endswith(ending):
            rest = word[: -len(ending)]
            if len(rest) < 3 or not _VOWEL.search(rest):
                return word
            if rest.endswith("at") and len(rest) > 5:
                return rest[:-2]
            if _DOUBLE.search(rest) and not rest.endswith(("ll", "ss", "ff")):
                return rest[:-1]
            return rest
    return word


def _end(word: str) -> str:
    """Endings that make nouns of verbs and the like off, then the last vowel."""
    for ending, instead, least in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= least:
            word = word[: -len(ending)] + instead
            break
    word = re.sub(r"i[sz]e?$", "is", word) if len(word) > 5 else word
    if word.endswith(("tre", "bre")) and len(word) > 4:
        word = word[:-2] + "er"  # centre, fibre: as center and fiber
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    if word.endswith("y") and len(word) > 3:
        word = word[:-1] + "i"
    if word.endswith("ll") and len(word) > 4:
        word = word[:-1]
    return word
