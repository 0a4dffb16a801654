"""Words that mean the same in talk about programs, words that mean the opposite, and rivals for one place."""

import re

from ccbrowse.core.compaction.matcher.stems import stem

_GROUPS = """
    add introduce insert append create implement produce generate
    remove delete drop erase purge eliminate discard scrap
    fix repair correct resolve solve cure patch remedy / change modify alter edit touch adjust amend tweak
    replace swap substitute exchange / show display present render appear visible
    keep retain preserve stay remain
    use utilise employ apply / forbid prohibit ban disallow / allow permit let / need require must
    want wish desire like ask demand insist / check verify validate ensure inspect / fail break crash
    start begin launch boot / stop end halt terminate quit / finish complete done
    wait postpone defer delay later / choose select pick opt settle decide decision
    find detect discover locate / get fetch retrieve obtain receive pull
    send deliver dispatch transmit post / store save persist / load read / delete purge / hide conceal
    move shift relocate transfer / split shard divide partition / merge combine join unify
    copy duplicate double clone / build compile / run execute / call invoke / speed performance fast quick
    big large huge / small little tiny / old legacy former previous outdated / wrong incorrect faulty bad
    right correct proper / empty blank / whole entire complete full / limit cap maximum max / minimum min
    error exception fault / problem issue trouble bug / warning caution
    setting config configuration option preference settings / folder directory / file document
    picture image photo / screen page view / email mail / phone mobile smartphone
    customer shopper buyer client / person people human somebody / database db / repository repo
    environment env / documentation docs documents / authentication auth login signin
    authorisation permission privilege right / password passphrase / method routine
    parameter argument arg param / variable var / constant const / executable binary
    library lib package dependency / directory dir / text string wording words / message notice
    colour color hue / grey gray greyscale grayscale / key shortcut hotkey / remap rebind reassign
    interval period / lifetime ttl / expire lapse / memory ram heap / disk storage
    internet online connection connected / job task / pipeline ci / release version / deploy rollout ship
    production prod / development dev / specification spec / mock stub fake / chart graph plot diagram
    log logging / monitor watch observe / alert alarm notify notification / restore recover
    schedule cron timer / nightly night / quota allowance / average mean / amount sum total
    price cost expense fee / expensive costly cost / cheap inexpensive / invoice bill / twice second again
    single alone sole / unique distinct / equal same identical / sequence order / default standard
    automatic automatically auto itself / manual manually hand / private internal / secret credential
    encrypt cipher / hash digest / request query / reply answer response respond / endpoint route
    certificate cert / administrator admin / colleague coworker teammate / guard protect / safe secure
    danger risk / sample measure / shrink scale reduce resize lower decrease
    grow increase raise rise extend enlarge / exceed surpass over / sub under below beneath
    translate translation localise / synonym alias / heading title headline caption
    wording phrase language / conflict clash collision / restart reboot / install setup / upgrade update
    rollback revert undo / review reviewed / approve approval accept / reject refuse decline deny
    ignore disregard / skip omit / exclude except exempt / lack miss absent missing
    exact precise / approximately about roughly / because since / embed embedded / font typeface
    print printed printing / cache cached / latency delay / freeze hang stuck / slow sluggish / loop cycle
    batch chunk / parallel concurrent simultaneous / asynchronous async / mandatory compulsory required
    abandon give up / finished ready complete done / pending open outstanding remaining unfinished
    bigger larger / look seem / handle treat process / transform convert / vat tax / postal postcode zip
    weekend saturday sunday / reason cause / hand over / polite courteous / maintain lookafter / group class
    supply give provide / interrupt isr / reachable reach / forget lose / monster enemy
    easy trivial simple / hard difficult / emit output / happen occur arise come / sign signature
    visitor guest / subscribe subscriber signup subscription / theme template / host hosted / tool toolchain
    reliable robust / calculate compute / wrapper wrap / owner own belong
    restriction constraint limitation / malloc allocate alloc / timeout timelimit
    identifier id ids / differ different / printer print / idle inactive inactivity
    short concise brief terse / ship bundle / deterministic determinism / work function usable
    shell sh bash terminal console / importer import / exporter export / parser parse / scheduler schedule
    formatter format / installer install / crawler crawl / scanner scan / renderer render / builder build
    uploader upload / downloader download / converter convert / tokenizer tokenize / serializer serialize
    optimizer optimize / scraper scrape / tolerate accept / depend rely / temporary temp tmp
    consider contemplate / collapse fold collapsible / narrow tight / surname lastname / deadline due
    confirm confirmation acknowledge / reserve reserved / sequential serial / spinner loader
    separator delimiter / accent diacritic umlaut / finance accounting / salary wage / hr personnel
    holiday vacation / employee staff worker / company firm business organisation / team crew
    lawyer legal attorney / contract agreement / supplier vendor / shipment delivery / basket cart
    discount rebate / coupon voucher / refund reimbursement / purchase buy / sale sell / warehouse depot
    stock inventory / article product goods / label tag / comment remark / announcement announce
    subscriber recipient / teacher instructor / pupil student learner / lesson course / doctor physician
    car vehicle automobile / trip journey travel / hotel lodging / place location spot / city town
    street road / house home building / child kid / sensor detector probe / device gadget appliance
    machine computer host node / laptop notebook / screen display monitor / dialog modal popup
    sidebar rail / tooltip hint / icon symbol / cursor pointer / click press tap / animation animate
    sound audio / song music track / film movie video / voice speech / player gamer / level stage
    hero protagonist character / opponent adversary rival / jump leap hop / speed velocity pace
    health hitpoint / damage harm hurt / quest mission / shape form / width breadth / edge border margin
    centre middle / gap space spacing / card tile / navigation nav / slider carousel / dropdown select
    bookmark favourite favorite / metric measurement / counter count / outage downtime / replica copy
    artifact artefact / cron scheduler / webhook callback / consumer subscriber / payload body
    scheme schema / migration migrate / relation association / retry reattempt / cancel abort
    flag switch option / editor ide / plugin extension addon / linter lint / pointer reference
    recursion recursive / iterate iteration loop / array list / dictionary hashmap map dict
    enum enumeration / interface protocol / inherit inheritance / annotation decorator
    dependency dependencies / vulnerability vulnerabilities / license licence / survey questionnaire
    respondent participant / classify classification / train training / dataset corpus / prediction predict
    threshold cutoff / experiment trial / figure plot / axis axes / bibliography references
    tutorial walkthrough / manual handbook guide / spelling orthography / typo misspelling
    rewrite rework refactor restructure / tidy clean cleanup / shorten truncate cut trim / prolong lengthen
    widen broaden / strengthen harden / loosen relax / optimise optimize / clarify explain describe
    illustrate demonstrate / compare contrast / evaluate assess judge / recommend suggest propose advise
    agree consent / object oppose / complain complaint / promise guarantee / remind reminder / assist help
    notice spot / confuse confusing / accidentally accident / intentionally deliberately purposely
    temporary temporarily interim provisional / permanent permanently / frequent often / rare rarely seldom
    immediate immediately instantly straightaway / gradual gradually / recent recently lately
    obvious clear / stale outdated obsolete / corrupt corrupted damaged / partial partially partly
    specific particular / generic general / typical usual / strange odd weird
    important crucial essential vital / urgent pressing / useful helpful / beautiful pretty / quiet silent
    loud noisy / readable legible / continue resume proceed / router routing
    live reside stay / deadlock deadlocked / sure certain / leaderboard ranking / score result
    readable legible / ill sick / buy acquire / tablet ipad 
"""

_OPPOSITES = """
    new old /
    keep move / stay leave / keep leave / different equal / enable disable / allow forbid / include exclude
    add remove / keep remove / start stop / show hide / open close / lock unlock / pass fail / succeed fail
    increase decrease / raise lower / before after / above below / first last / min max / true false
    on off / public private / optional mandatory / sync async / ascending descending / accept reject
    encrypt decrypt / online offline / manual automatic / left right / top bottom / import export
    push pull / install uninstall / mount unmount / upload download / light dark / fast slow
    horizontal vertical / inline external / synchronous asynchronous / encode decode / black white
    lossless lossy / mutable immutable / internal external / visible invisible / load refuse
    strict lenient / keep rename / keep change / keep break / keep split / fail work / optional need
    create reuse / sensitive insensitive / valid invalid / active inactive / correct wrong
    complete incomplete / visible hide / safe unsafe / known unknown / used unused / signed unsigned
    expected unexpected / stable unstable / available unavailable / authorised unauthorised
    subscribe unsubscribe / limited unlimited / sorted unsorted / defined undefined / supported unsupported
    blocking nonblocking / direct indirect / consistent inconsistent / static dynamic / static interactive
    soft hard / hover click / parallel sequential / rise fall / roundup rounddown / up down / higher lower
    big small / long short / early late / allow reject / temporary permanent / local remote / global local
    bold plain / loud quiet / strong weak / wide narrow / empty full / eager lazy / greedy lazy
    singular plural / uppercase lowercase / relative absolute / synchronous background / buy sell / win lose
    forward backward / client server / frontend backend / input output / read write / source target
    sender recipient / parent child / ascend descend / grow shrink / expand collapse / attach detach
    connect disconnect / login logout / whitelist blacklist / allowlist denylist / inclusive exclusive
    odd even / vertical horizontal / portrait landscape / row column / indoor outdoor / cold hot / wet dry
    day night / morning evening / summer winter / reuse recreate / pending done / pending implement
    pending complete
"""

_RIVALS = """
    postgresql postgres mysql mariadb sqlite oracle mongodb cassandra dynamodb cockroachdb duckdb couchdb
    redis memcached valkey
    kafka rabbitmq sqs nats activemq pulsar
    npm yarn pnpm bun
    pip poetry uv conda pipenv
    react vue angular svelte solid
    django flask fastapi tornado
    express fastify koa hapi
    pytest unittest nose
    jest vitest mocha jasmine
    cypress playwright selenium puppeteer
    webpack vite rollup esbuild parcel
    aws azure gcp
    json yaml toml xml csv parquet avro protobuf
    rest graphql grpc soap
    jwt opaque
    bcrypt argon2 argon2id scrypt pbkdf2
    rsa ed25519 ecdsa
    sha1 sha256 sha512 md5
    gzip zstd brotli lz4 snappy
    nginx apache caddy traefik haproxy envoy
    docker podman
    ubuntu debian alpine fedora centos
    windows macos linux
    ios android
    chrome firefox safari edge
    python ruby java kotlin go rust swift php perl typescript javascript
    english german french spanish italian polish japanese portuguese dutch chinese russian arabic turkish
    monday tuesday wednesday thursday friday saturday sunday
    january february march april june july august september october november december
    red green blue yellow orange purple pink black white brown turquoise grey
    staging production development
    github gitlab bitbucket
    grafana kibana datadog
    sentry rollbar bugsnag
    s3 gcs
    tabs spaces
    utc cet est pst
    get post put patch delete
    left right center
    mit apache gpl bsd
    daily weekly monthly hourly yearly
    day week month quarter
    euro dollar pound franc
    h1 h2 h3
    uuid ulid snowflake
    monorepo polyrepo
    tailwind bootstrap bulma
    opengl vulkan metal directx
    utf-8 latin-1 utf-16
    celsius fahrenheit
    north south east west
    admin editor viewer
    alphabetically chronologically
    first second third
    tcp udp
    http https ftp sftp
    morning evening noon
"""


def _lines(text: str) -> list[list[str]]:
    """The groups of a table: they stand on lines of their own, or between slashes."""
    return [words for group in re.split(r"\n|/", text) if (words := group.split())]


def _concepts() -> dict[str, str]:
    known: dict[str, str] = {}
    for words in _lines(_GROUPS):
        stems = [stem(word) for word in words]
        first = next((known[word] for word in stems[:1] if word in known), stems[0])
        for word in stems:
            known.setdefault(word, first)
    return known


_CONCEPTS = _concepts()


def concept(word: str) -> str:
    """What stands for a stem and its synonyms."""
    return _CONCEPTS.get(word, word)


def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for one, other in _lines(_OPPOSITES):
        a, b = concept(stem(one)), concept(stem(other))
        if a == b:
            continue
        found.setdefault(a, set()).add(b)
        found.setdefault(b, set()).add(a)
    return {word: frozenset(others) for word, others in found.items()}


OPPOSITES = _opposites()
"""By concept: the concepts that say the opposite."""


def _rivals() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, words in enumerate(_lines(_RIVALS)):
        for word in words:
            found.setdefault(word, set()).add(number)
            found.setdefault(stem(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


RIVALS = _rivals()
"""By word or stem: the numbers of the lists of things of which a sentence means one and not another."""
