"""Removal and escaping of control characters in untrusted text. Pure.

Such characters control a terminal, reverse the text behind them or forge a line: the control
characters (Unicode's Cc), the separators of lines and paragraphs, the signs that embed, override or
isolate a direction of text (Unicode Standard Annex 9, explicit formatting) and the halves of
surrogate pairs. The marks U+200E and U+200F, which concern the next letter alone, and the joiners
in emoji and some scripts are kept.
"""

import html
import re

_BLANKS = "\x0b-\r\x1c-\x1f\x85\u2028\u2029"
_STEERING = "\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069"
_HALVES = "\ud800-\udfff"
# Without tab and line feed, which a text of several lines may have.
CONTROLS = _STEERING + _BLANKS + _HALVES

_BLANK = re.compile(f"[{_BLANKS}]")
_LOST = re.compile(f"[{_STEERING}]")
_HALF = re.compile(f"[{_HALVES}]")
_ANY = re.compile(f"[{CONTROLS}]")
# XML forbids two non-characters beside the controls (https://www.w3.org/TR/xml/#charsets).
_UNPRINTABLE = re.compile(f"[{CONTROLS}\ufffe\uffff]")
_ANY_IN_LINE = re.compile(f"[{CONTROLS}\t\n\\\\]")
# No character has a number of so many digits, and Python reads none of more than 4,300:
# https://docs.python.org/3/library/stdtypes.html#integer-string-conversion-length-limitation
_ENDLESS = re.compile(r"&#[0-9]{100,};?")
_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\\": r"\\"}


def clean(text: str) -> str:
    """Replace unprintable characters with blanks and every line break with a line feed."""
    return _UNPRINTABLE.sub(" ", "\n".join(text.splitlines()))


def flat(text: str) -> str:
    """Return the text on one line, its words separated by single blanks."""
    return " ".join(_UNPRINTABLE.sub(" ", text).split())


def without_controls(text: str) -> str:
    """Return a text without control characters but tabs and line feeds.

    Separators become blanks, and half a surrogate pair the replacement character, U+FFFD.
    """
    if text.isprintable() or not _ANY.search(text):  # as nearly every text
        return text
    return _HALF.sub("\ufffd", _LOST.sub("", _BLANK.sub(" ", text)))


def escaped(json: str) -> str:
    r"""Return JSON, or another text, with control characters in JSON's escapes: `\u202e`."""
    return _ANY.sub(_escape, json)


def escaped_line(text: str) -> str:
    r"""Return a text on one line, with its tabs, line feeds and backslashes escaped too: `\n`."""
    return _ANY_IN_LINE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return _SHORT.get(found[0]) or f"\\u{ord(found[0]):04x}"


def unescaped(text: str) -> str:
    """Return a text with its HTML character references resolved, invalid ones to U+FFFD."""
    return html.unescape(_ENDLESS.sub("\N{REPLACEMENT CHARACTER}", text) if "&#" in text else text)
