"""Which sentence of a summary, if any, shows that a text is spoken of there. Pure: no session, no files.

    matcher = Matcher(summary, texts, known_paths)    # texts: what the rarity of words is learned from
    matcher.match_text("Never touch billing.py")      # -> Evidence(sentence, …) | None
    matcher.match_path("/srv/api/src/auth/session.py")
    matcher.match_error("KeyError: 'ttl'")

`sentences` takes texts apart, `terms` sentences, by the shapes in `lexicon` and with turns of phrase in
one form (`phrases`); `stems`, `synonyms` and `quantities` say which terms are the same, `common` and
`rarity` what a term shows, `polarity` what a sentence denies. `paths` knows files by their
distinguishing parts, `errors` the telling lines of an output. `summary` indexes the summary's terms,
`shortlist` looks first which texts are worth it, `pairing` and `scoring` weigh one sentence against
another, `contradictions` hold apart what only looks alike, `matching` decides.
"""

from ccbrowse.core.compaction.matcher.errors import error_lines
from ccbrowse.core.compaction.matcher.matching import Evidence, Matcher
from ccbrowse.core.compaction.matcher.paths import ends_with
from ccbrowse.core.compaction.matcher.paths import parts as path_parts
from ccbrowse.core.compaction.matcher.sentences import Sentence, sentences

__all__ = [
    "Evidence",
    "Matcher",
    "Sentence",
    "ends_with",
    "error_lines",
    "path_parts",
    "sentences",
]
