"""Text with escape sequences as HTML: bold, faint, colours, links. Pure."""

import re

from markupsafe import Markup, escape

# Select Graphic Rendition (ECMA-48, 8.3.117), and Operating System Command 8 for links.
_SEQUENCE = re.compile(r"\x1b\[(?P<codes>[\d;]*)m|\x1b\]8;;(?P<url>[^\x1b\x07]*)(?:\x1b\\|\x07)")
_CLASSES = {"1": "bold", "2": "faint", "33": "yellow", "36": "cyan"}


def html_of(text: str) -> Markup:
    """Return printed text as HTML.

    Raises:
        KeyError: for a code that the program does not use yet.
    """
    shown, end, looks, url = Markup(""), 0, "", ""
    for found in _SEQUENCE.finditer(text):
        shown += _run(text[end : found.start()], looks, url)
        if found["codes"] is None:
            url = found["url"]
        else:
            codes = [code for code in found["codes"].split(";") if code not in {"", "0"}]
            looks = " ".join(_CLASSES[code] for code in codes)
        end = found.end()
    return shown + _run(text[end:], looks, url)


def _run(text: str, looks: str, url: str) -> Markup:
    if not text:
        return Markup("")
    run = Markup('<span class="{}">{}</span>').format(looks, text) if looks else escape(text)
    return Markup('<a href="{}">{}</a>').format(url, run) if url else run
