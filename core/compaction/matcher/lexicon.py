"""What the lexer goes by: the shapes of terms, endings of files, words that tell what stands beside them."""

import re

from ccbrowse.core.compaction.matcher.quantities import PATTERN
from ccbrowse.core.compaction.matcher.words import words

EXTENSIONS = words(
    """
    py pyi pyx ipynb ts tsx js jsx mjs cjs mts cts vue svelte astro css scss sass less html htm xhtml
    xml xsl svg json jsonl json5 yaml yml toml ini cfg conf env properties lock md mdx rst txt adoc tex
    bib csv tsv parquet arrow sql db sqlite prisma graphql gql proto thrift go mod sum rs c h cc cpp cxx
    hpp hh inl cu cuh m mm java kt kts groovy gradle scala sbt clj cljs edn ex exs erl hs elm ml mli mll
    mly fs fsx cs csproj sln vb php phtml twig blade rb erb gemspec rake lua pl pm r rmd jl nim zig v sv
    vhd vhdl asm s wat wasm dart swift sh bash zsh fish ps1 bat cmd mk make cmake bazel bzl dockerfile
    tf tfvars hcl nix service timer socket plist storyboard xib gd tscn tres godot unity prefab shader
    glsl hlsl frag vert wgsl f f90 f95 for dts overlay kconfig log pdf png jpg jpeg gif webp ico bmp wav
    mp3 ogg mp4 zip tar gz tgz whl jar war class o so dll exe bin iso img dat sav rda rds xls xlsx ods
    docx odt pptx po pot xliff xlf snap patch diff pem crt key
    """
)
"""Endings that make a name with a dot the name of a file."""


LEXER = re.compile(
    r"(?P<url>https?://[^\s<>\"'`)\]]+)"
    r"|(?P<version>(?<![\w.])v?\d+(?:\.\d+){2,}(?:[-+][\w.]+)?(?:/\d+)?(?!\w))"
    r"|(?P<size>(?<![\w.])\d+(?:\.\d+)?\s?[x×]\s?\d+(?:\.\d+)?(?!\w)|(?<![\w./])\d+/\d+(?![\w/])"
    r"|(?<![\w.:])\d{1,3}(?:\.\d+)?:\d{1,5}(?::\d\d)?(?!\w))"
    r"|(?P<path>(?<![\w.])(?:[A-Za-z]:[\\/]|[~.]{0,2}/|[a-z]{2,6}://)?(?:[\w.@%+\-$*…]+|\{[\w,.\- ]+\})"
    r"(?:[\\/](?:[\w.@%+\-$*…]|\{[\w,.\- ]+\}|\[[\w.]+\])+)+/?"
    r"|(?<![\w./])[~.]{0,2}/(?:[\w.@%+\-$*]|\{[\w,.\- ]+\})+/?)"
    r"|(?P<date>(?<!\w)\d{4}-\d\d-\d\d(?!\w))"
    r"|(?P<flag>(?<![\w-])--[A-Za-z][\w-]*|(?<![\w-])-[A-Za-z](?![\w-]))"
    r"|(?P<number>" + PATTERN + r")"
    r"|(?P<short>[^\W\d_]+['’](?:t|s|re|ll|ve|d|m)(?!\w))"
    r"|(?P<name>[@#$]?[^\W\d]\w*(?:(?:\.|::|->|\\|#)[^\W\d]\w*|-\w+)*[!?]?(?:\(\))?|[@#$]?\d+[A-Za-z_]\w*|#[\w-]+)"
    r"|(?P<long>\d+)"
    r"|(?P<sign>[.,;:()!?\[\]{}–—|\"'`’“”„«»-])",
    re.IGNORECASE,
)
HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
CODE = re.compile(r"`+[^`\s]+`+")
BEFORE_POINT = re.compile(r"(?<![\w./-])([a-z]{3,})(?:\.[a-z_]\w+)*\.[A-Z]\w+")
QUOTED = re.compile(r"(?<![\w])[\"'“„‘`]([^\s\"'`“”]{1,60})[\"'”“’](?!\w)")
QUOTED_CODE = re.compile(r"`[^`\n]* [^`\n]*`")
WIDE = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
FOLDER = re.compile(
    r"[._\d-]|^(?:src|lib|libs|app|apps|core|test|tests|docs|doc|pkg|packages|internal|cmd|tools|scripts"
    r"|config|assets|public|server|client|modules|components|include|examples|web|api)/",
    re.IGNORECASE,
)
PLACE = re.compile(r"\.([A-Za-z]\w{0,9}):\d+(?::\d+)?(?!\w)")
HTTP_VERBS = words("GET PUT POST PATCH DELETE HEAD")
NAMING = words(
    """namespace branch service account package tag host cluster bucket job image container called named user
    role group queue topic pool project profile module repo repository node pod volume stack index"""
)
GENERIC = words(
    """entries items rows lines times records elements things points values files attempts units more max min
    total"""
)
ERROR_WORDS = frozenset(("error", "exception", "warning", "failure"))
GOES_ON = re.compile(r"\s+[a-z]")
NOT_DONE = re.compile(
    r"un(?!it|if|iq|iv|der|til|ion|expect|defin|limit|us|sign|compress|nam|read|seen|known)(\w{4,}(?:ed|ten|en))$"
)
MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
