"""Character references of HTML undone, whoever wrote them. Pure."""

import html
import re

# No character has a number of so many digits, and Python reads none of more than 4,300:
# https://docs.python.org/3/library/stdtypes.html#integer-string-conversion-length-limitation
_ENDLESS = re.compile(r"&#[0-9]{100,};?")


def unescaped(text: str) -> str:
    """Return a text with the characters that its references name; what names none is U+FFFD."""
    return html.unescape(_ENDLESS.sub("\N{REPLACEMENT CHARACTER}", text) if "&#" in text else text)
