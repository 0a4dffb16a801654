"""Turns of phrase brought to one form before a sentence is taken apart: `signing in` is a `login`."""

import re

from ccbrowse.core.compaction.matcher.quantities import WORDS

_SAME = (
    (r"log(?:ged|ging|s)?[ -](?:in|on)(?! (?:the|a|an|every|all|each|my|our|to the) )", "login"),
    (r"sign(?:ed|ing|s)?[ -](?:in|on)\b(?! the)", "login"),
    (r"sign(?:ed|ing|s)?[ -]up", "signup"),
    (r"tim(?:e|ed|es|ing)[ -]out", "timeout"),
    (r"end[ -]to[ -]end", "e2e"),
    (r"(?:ran |run |runs |running )?out[ -]of[ -]memory", "oom"),
    (r"ran out of ram", "oom"),
    (r"pull[ -]requests?", "pr"),
    (r"(?:merge requests?)", "pr"),
    (r"roll(?:ed|ing|s)?[ -]back", "rollback"),
    (r"set(?:ting|s)?[ -]up", "setup"),
    (r"back(?:ed|ing|s)?[ -]up", "backup"),
    (r"clean(?:ed|ing|s)?[ -]up", "cleanup"),
    (r"hard[ -]?cod(?:e|ed|ing|es)", "hardcode"),
    (r"e-?mails?", "email"),
    (r"time[ -]to[ -]live", "ttl"),
    (r"life[ -]?times?", "lifetime"),
    (r"(?:each|every) night|nightly|once a night", "each night"),
    (r"(?:each|every) day|daily|once a day|per day", "each day"),
    (r"(?:each|every) week|weekly|once a week|per week", "each week"),
    (r"(?:each|every) month|monthly|once a month|per month", "each month"),
    (r"(?:each|every) hour|hourly|once an hour|per hour", "each hour"),
    (r"get(?:s|ting)? rid of|got rid of|gotten rid of", "remove"),
    (r"(?:take|takes|taken|taking|took) out", "removed"),
    (r"(?:throw|throws|thrown|throwing|threw) (?:out|away)", "removed"),
    (r"(?:leave|leaves|leaving|left) out", "omit"),
    (r"(?:give|gives|given|giving|gave) up", "abandoned"),
    (r"(?:look|looks|looked|looking) after", "lookafter"),
    (r"(?:rule|rules|ruled|ruling) out", "excluded"),
    (r"out of (?:the )?scope|off[ -]limits|not (?:wanted|desired|allowed|permitted)", "unwanted"),
    (r"time[ -]limits?|time[ -]caps?|time budgets?", "timelimit"),
    (r"(?:decide|decides|decided|deciding|opted|voted|advised|argued) against", "rejected"),
    (r"(?:on (?:its|their) own|by (?:itself|themselves)|of its own accord)", "automatically"),
    (
        r"(?:considered|deemed|judged|found|thought) (?:to be )?too "
        r"(?:heavy|expensive|slow|complex|big|large|complicated|costly|risky|limited)",
        "rejected",
    ),
    (r"not[ -]null", "notnull"),
    (r"half an hour", "30 minutes"),
    (r"half a minute", "30 seconds"),
    (r"half a second", "500 ms"),
    (r"half a day", "12 hours"),
    (r"(?:a )?quarter of an hour", "15 minutes"),
    (r"hands off", "do not touch"),
    (r"(?:is|are|was|were) gone", "was removed"),
    (r"preferred (?:over|to)", "preferred insteadof"),
    (r"(?:give|gives|gave|given|giving) way to", "was replaced by"),
    (r"(?:make|makes|made|making) way for", "was replaced by"),
    (r"back(?:ed|ing|s)?[ -]off", "backoff"),
    (r"(?:look|looks|looked|looking) (?:at|into)", "consider"),
    (r"(?:stay|stays|keep|keeps|kept|remain|remains|leave|left) out of", "not in"),
    (
        r"no space left(?: on (?:the )?(?:disk|device))?|(?:disk|device|drive) (?:is |was )?full",
        "disk full",
    ),
    (r"(?:broken|broke|break|breaks|breaking) (?:up )?into", "split into"),
    (r"(?:keeps?|kept|go(?:es)? on|continues?) working", "works"),
    (r"log(?:ged|ging|s)?[ -](?:out|off)|sign(?:ed|ing|s)?[ -](?:out|off)", "logout"),
    (r"round(?:ed|ing|s)? up", "roundup"),
    (r"round(?:ed|ing|s)? down", "rounddown"),
    (r"last names?|family names?|surnames?", "surname"),
    (r"case[ -]insensitive(?:ly)?", "insensitive case"),
    (r"(?:upper|capital)[ -]?(?:case|letters?)", "uppercase"),
    (r"(?:lower|small)[ -]?(?:case|letters?)", "lowercase"),
    (r"at (?:the )?most|maximum of|max\.", "max"),
    (r"at (?:the )?least|minimum of|min\.", "min"),
    (r"nothing (?:more than|but|except)|not only|not just", "only"),
    (r"whether or not|if not\b", "whether"),
    (r"no (?:one|body)\b", "nobody"),
    (r"(?:do not|don't|never) (?:forget|fail|hesitate) to", "do"),
    (r"make sure|be sure|see to it", "ensure"),
    (r"instead of|rather than|in (?:place|lieu) of|as opposed to", "insteadof"),
    (r"no longer|not any ?more|no more\b", "nolonger"),
    (r"free (?:of|from)", "without"),
    (r"by hand", "manually"),
    (r"for (?:the time being|now|the moment)", ""),
    (r"per cent", "percent"),
    (r"(?:leave|leaves|leaving|left) off", "stopped"),
    (r"false (?:positives?|hits?|alarms?|matches|match)", "falsepositive"),
    (r"false negatives?|missed (?:hits?|matches)", "falsenegative"),
    (r"text[ -]messages?|sms(?:es)?", "sms"),
    (r"in favou?r of", "favour"),
    (r"(?:postal|post|zip)[ -]?codes?", "postcode"),
    (r"dark[ -]mode", "dark theme"),
    (r"read[ -]only", "read, not write"),
    (r"pop[ -]ups?", "popup"),
    (r"data ?bases?", "database"),
    (r"file ?names?", "filename"),
    (r"open[ -]source", "opensource"),
    (r"key[ -]?boards?", "keyboard"),
    (r"time[ -]?stamps?", "timestamp"),
    (r"time[ -]?zones?", "timezone"),
    (r"white ?spaces?", "whitespace"),
    (r"stand[ -]?alone", "standalone"),
    (r"auto[ -]?sav(?:e|es|ed|ing)", "autosave"),
)
_SAME_FORMS = [form for _, form in _SAME]
_ALL = re.compile(
    r"(?<![\w`/.])(?:" + "|".join(f"({words})" for words, _ in _SAME) + r")(?![\w`/])",
    re.IGNORECASE,
)
_LEFT_ALONE = re.compile(
    r"\b(?:leave|leaves|leaving|left)\b((?:[^.;\n]|\.(?=\w)){1,80}?)\balone\b"
    r"|\b(?:leave|leaves|leaving|left|keep|keeps|kept|keeping)\b((?:[^.;\n]|\.(?=\w)){1,80}?)"
    r"\b(?:unchanged|untouched|intact|as (?:it|they) (?:is|are)|as[ -]is)\b",
    re.IGNORECASE,
)
_UNDONE = re.compile(
    r"\b(is|are|be|was|were|stays?|stayed|remains?|remained) "
    r"un(?!it|if|iq|der|expect|defin|limit|us|sign|compress|nam)(\w{4,}(?:ed|ten|en))\b",
    re.IGNORECASE,
)
_KEPT_OUT = re.compile(
    r"\b(?:leave|leaves|leaving|left|keep|keeps|keeping|kept)\b((?: [^\s.,;:]+){1,5}?) out of\b",
    re.IGNORECASE,
)
_NUMBER_WORD = "|".join(sorted(WORDS, key=len, reverse=True))
_HYPHENED = re.compile(
    rf"\b({_NUMBER_WORD})-(?!(?:{_NUMBER_WORD})\b)(?=[a-z]{{3,}})", re.IGNORECASE
)
_OUT_OF = re.compile(r"\bmov(?:e|ed|es|ing)\b([^.;\n]{1,60}?)\bout of\b", re.IGNORECASE)
_ZERO = re.compile(
    r"\bzero[ -](?=downtime|tolerance|warning|error|dependenc|config|cost|defect)", re.IGNORECASE
)
_LEFT_IN = re.compile(r"\bleave\b(?= [^.;\n]{1,40}?\b(?:in|at|on)\b)", re.IGNORECASE)
_SAME_STATE = re.compile(
    r"\b(?:stays?|stayed|remains?|remained|be|is|are|was) "
    r"(?:unchanged|untouched|intact|as (?:it|they) (?:is|are|was|were))\b",
    re.IGNORECASE,
)
_SWITCH = re.compile(
    r"\b(?:turn|turns|turned|switch|switches|switched|set)\b((?: [^\s.,;:]+){0,4}?) (on|off)\b(?! the| a\b)",
    re.IGNORECASE,
)
_STATE = re.compile(
    r"\b(?:is|are|be|was|were|stays?|stayed|remains?|remained|always) (on|off)\b(?! the| a\b)",
    re.IGNORECASE,
)
_MORE = "more|greater|larger|longer|bigger|higher|older|over|above|beyond|exceed|exceeds|exceeding|later"
_LESS = "less|fewer|lower|smaller|shorter|younger|below|under|beneath|within|earlier"
_COUNT = rf"(?:half |an? |{'|'.join(sorted(WORDS, key=len, reverse=True))}|[\d$€£.])"
_NOT_BEYOND = re.compile(
    rf"\b(?:no|not|never|cannot|\w+n't)\b((?:(?!\b(?:but|and|or|that|which|who|if|when)\b)[^.;:,\n]){{0,50}}?)\b(?:({_MORE})|({_LESS}))"
    rf"(?: than| the)?(?= {_COUNT})",
    re.IGNORECASE,
)
_BEYOND = re.compile(
    rf"\b(?:({_MORE}|more)|({_LESS}|up to))(?: than| the)?(?= {_COUNT})", re.IGNORECASE
)
_ONLY = re.compile(
    r"\b(?:nobody|no one|no-one|none)\b([^.;:\n]{1,60}?)[,]?\s*"
    r"\b(?:except(?: for)?|but|other than|apart from|besides)\b",
    re.IGNORECASE,
)
_RATHER = re.compile(
    r"\b(prefer\w*|chosen?|favou?r\w*|pick(?:ed)?|chose)\b((?: [^\s.,;:]+){1,6}?) over\b",
    re.IGNORECASE,
)
_STOP_AFTER = re.compile(
    rf"\b(?:stop|stops|abort|aborts|terminate|terminates|quit|quits|abandoned|timeout)\b"
    rf"((?: \w+){{0,3}}?) after(?= {_COUNT})",
    re.IGNORECASE,
)
_LIKED_MORE = re.compile(
    r"\b(?:like|likes|liked|love|loves|want|wants|favou?r\w*|trust|trusts)\b((?: [^\s.,;:]+){1,6}?) "
    r"(?:more|better) than\b",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    rf"\b(half|(?:a )?quarter) (past|to) ({_NUMBER_WORD}|\d{{1,2}})\b", re.IGNORECASE
)
_NOT_DONE = re.compile(
    r"\b(?:is|are|was|were|has|have) (?:not|n't|still not) (?:yet )?(?:been )?"
    r"(?:done|finished|completed?|ready)\b(?: yet)?"
    r"|\b(?:isn't|aren't|wasn't|hasn't been|haven't been) (?:yet )?(?:done|finished|completed?|ready)\b"
    r"(?: yet)?"
    r"|\b(?:remains?|is|are) (?:still )?to be done\b|\bstill (?:open|pending|to do|missing)\b"
    r"|\bwhat(?:'s| is| are)? (?:still |yet )?(?:missing|left|open|remaining)\b(?: yet)?(?: is| are)?",
    re.IGNORECASE,
)
_BY = re.compile(r"(?<![\w.])(\d+) by (\d+)(?![\w.])")
_OF = re.compile(r"(?<![\w.])(\d+) (?:out )?of (\d+)(?![\w.])")
_HINTS = re.compile(r"alone|unchanged|untouched|intact|as it|as they|as[ -]is", re.IGNORECASE)
_LIMITED = re.compile(rf"\b(?:{_MORE}|{_LESS}|up to)\b", re.IGNORECASE)
_SWITCHED = re.compile(r" o(?:n|ff)\b", re.IGNORECASE)


def plain(text: str) -> str:
    """The text with its turns of phrase in one form each."""
    text = _OUT_OF.sub(r"removed\1from", _ZERO.sub("no ", text))
    text = _HYPHENED.sub(r"\1 ", _KEPT_OUT.sub(r"not\1 in", text))
    text = _LEFT_IN.sub("keep", text) if "eave" in text and not _HINTS.search(text) else text
    if _HINTS.search(text):
        text = _LEFT_ALONE.sub(lambda m: f"do not touch{m[1] or m[2]}", text)
        text = _SAME_STATE.sub("not change", text)
    text = _UNDONE.sub(r"\1 not \2", text)
    if _SWITCHED.search(text):
        text = _SWITCH.sub(lambda m: f"{_switch(m[2])}{m[1]}", text)
        text = _STATE.sub(lambda m: f"is {_switch(m[1])}d", text)
    text = _NOT_DONE.sub("pending", _LIKED_MORE.sub(r"prefer\1 insteadof", text))
    text = _CLOCK.sub(_time_of_day, text) if " past " in text or " to " in text else text
    text = _RATHER.sub(r"\1\2 insteadof", _ONLY.sub(r"only\1", text))
    if _LIMITED.search(text):
        text = _NOT_BEYOND.sub(lambda m: f"{m[1]}{'max' if m[2] else 'min'}", text)
        text = _BEYOND.sub(lambda m: "min" if m[1] else "max", text)
    text = _OF.sub(r"\1/\2", _BY.sub(r"\1x\2", text))
    text = _ALL.sub(lambda m: _SAME_FORMS[(m.lastindex or 1) - 1], text)
    return _STOP_AFTER.sub(r"timelimit\1", text)


def _time_of_day(found: re.Match[str]) -> str:
    """`half past two` as it stands on a clock."""
    named = found[3].lower()
    hour = int(WORDS[named]) if named in WORDS else int(named)
    if not 0 <= hour <= 24:
        return found[0]
    minutes = 30 if found[1].lower() == "half" else 15
    if found[2].lower() == "to":
        hour, minutes = (hour - 1) % 24, 60 - minutes
    return f"{hour:02d}:{minutes:02d}"


def _switch(word: str) -> str:
    return "enable" if word.lower() == "on" else "disable"
