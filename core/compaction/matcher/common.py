"""Words that show little: those of grammar, which count nothing, and those that every session is full of."""

from ccbrowse.core.compaction.matcher.stems import stem
from ccbrowse.core.compaction.matcher.words import words

STOP_WORDS = words(
    """
    a about above after again all almost already also although always am among an and another any
    anybody anyone anything anyway are as at away back be became because become becomes been before
    behind being below beneath beside besides between beyond both but by came can come comes could did
    do does doing done down during each either else enough especially etc even ever every everybody
    everyone everything fairly far few first for from further furthermore get gets getting given gives
    goes going got had has have having he hence her here hers him his how however i if in indeed inside
    instead into is it its itself just kind least let lets like likely little lot lots made mainly make
    makes making many may maybe me might mine more moreover most mostly much must my namely near nearly
    next now of off often oh ok okay on once one only onto or other others otherwise ought our ours out
    over own per perhaps please possible possibly probably put quite rather really regarding
    respectively s said same say says see seems several shall she should simply since so some somebody
    somehow someone something sometimes somewhat somewhere soon still such t than thank thanks that the
    their theirs them then there therefore these they thing things this those though through throughout
    thus to together too toward towards under unless until up upon us very via was way we well went were
    what whatever when whenever where whereas whether which while who whoever whole whom whose why will
    with within would yes yet you your yours yourself theirs themselves ourselves himself herself
    anymore whichever despite don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't
    cannot couldn't shouldn't mustn't hasn't haven't hadn't ain't it's that's there's let's we'll i'll
    you'll they'll i'm you're we're they're i've you've we've they've i'd you'd we'd he's she's who's
    what's not no nor never none nobody nothing neither without whatsoever
    der die das den dem des ein eine einen einem einer eines und oder aber auch ist sind waren wird
    werden wurde haben nicht kein keine keinen keiner keinem nie niemals ohne statt mit von zu zum zur
    bei im am an auf aus für in so wie als wenn dass damit sich wir ich sie es noch nur schon soll
    sollen muss müssen darf dürfen kann bitte also insteadof nolonger unwanted
    """
)
"""Words of grammar; denials among them are for `polarity`."""

_COMMON = words(
    """
    add adds added adding accept actual allow ask asked available bad based begin better bit bug call
    called case cause caused certain change changed changes check checked choose class clean clear code
    come command common complete contain contains correct create created current currently decide
    decided decision default define depend detail different do edit end ensure error errors exactly
    example exist existing expect explain fact fail failed false feature figure file files fill final
    find fine finish fix fixed follow following format found full function functions general give go
    good great group handle happen hard have hold hope idea implement implementation important improve
    include includes including input instead issue item keep kept kind know large last later lead leave
    left line lines list long look main make many mark matter mean means message method move moved
    multiple must name named need needed needs new note notes now number object ok old open option order
    output own page part pass people place plan point present problem process project provide question
    quick reach read ready real reason request require required rest result results return right run
    running runs safe save script second section see select send session set several shall short should
    show shows simple single size small solve sort source special specific start state status stay step
    stop store string stuff style summary support sure system take task test tests text thing think time
    todo today word words tool total touch try turn type update updated use used user users uses using
    usual value values version wait want wanted wants wish work worked working works write written wrong
    year task tasks item items entry entries goal request requests requested pending done team
    min max directory
    folder folders path paths module modules package component program app application service server
    client data record records field fields key keys table content contents
    """
)
_ASIDE = words(
    """
    decide decided decision want wants wanted wish wishes like ask asked asks insist insists please say
    said tell told need needs prefer prefers suggest agree agreed user chose choose chosen choice settle
    settled avoid refrain forbid prohibit ban disallow refuse went think believe mention mentioned note
    remember instruct instructed instruction stated
    """
)
ASIDE = frozenset(stem(word) for word in _ASIDE)
"""Stems of words that say that something was said or decided, not what."""

COMMON = frozenset(stem(word) for word in _COMMON)
"""Stems that are everywhere in talk about programs: alone they show nothing."""
