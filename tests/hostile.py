"""Sessions whose every text tries to become an element of a page, to run in it, or to fetch for it."""

from __future__ import annotations

from collections.abc import Iterator

from exporting import Sheet

CANARY = "http://canary.example"
MARKS = (
    "<script>window.ran=1</script>",
    f"<img src={CANARY}/i onerror='window.ran=1'>",
    f"<svg onload='window.ran=1'><image href='{CANARY}/s'/></svg>",
    f"<iframe src='{CANARY}/f'></iframe><object data='{CANARY}/o'></object>",
    f"<link rel=stylesheet href='{CANARY}/l'><style>@import url({CANARY}/c);</style>",
    f"<meta http-equiv=refresh content='0;url={CANARY}/m'><base href='{CANARY}/'>",
    f"</pre></code></details></article></main><form action='{CANARY}/q'><input autofocus></form>",
    f"![a]({CANARY}/p) <{CANARY}/auto> [b](javascript:window.ran=1)",
    f'[c]({CANARY}/x "t" onmouseover="window.ran=1") [d]: {CANARY}/d',
    f"<a href={CANARY} ping={CANARY}/ping>e</a><video poster={CANARY}/v autoplay></video>",
    "</title></style><script>window.ran=1</script><!--",
    "{{ 7 * 7 }}{% raw %}${7*7}<![CDATA[ ]]>&lt;b&gt;&#60;script&#62;",
    "\"'><details open ontoggle='window.ran=1'><summary>f</summary></details>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src onerror=1&gt;'>",
    "\x1b]8;;http://canary.example\x07g\x1b]8;;\x07 \u202e\u2066 \x00\ud83c \u2028",
)
"""Texts that try to become elements, to run, or to fetch."""


def hostile_sheets() -> Iterator[tuple[str, Sheet]]:
    """Hostile texts in every place of a session that an export shows."""
    everything = "\n\n".join(MARKS)
    for number, mark in enumerate((*MARKS, everything)):
        sheet = Sheet()
        sheet.side("custom-title", customTitle=mark)
        sheet.prompt(mark, version=mark, cwd=f"/x/{mark}", gitBranch=mark)
        sheet.reply(
            {"type": "thinking", "thinking": mark, "signature": "c2ln"},
            mark,
            sheet.call(mark, {mark: mark, "file_path": mark, "command": f"{mark}\n{mark}"}),
            {"type": mark, mark: mark},
            f"```{mark}\n{mark}\n```\n\n# {mark}\n\n- {mark}\n\n> {mark}\n\n`{mark}`",
        )
        sheet.result([{"type": "text", "text": mark}], error=True, beside=mark)
        sheet.prompt([{"type": "image", "source": {"media_type": mark, "data": mark}}])
        sheet.prompt(f"<bash-input>{mark}</bash-input><bash-stdout>{mark}</bash-stdout>")
        sheet.link("attachment", attachment={"type": mark, "displayPath": mark, "content": mark})
        sheet.boundary(mark, trigger=mark, **{mark: mark})
        sheet.link("system", subtype="informational", content=mark)
        sheet.link(mark, content=mark)
        yield f"mark{number}", sheet
