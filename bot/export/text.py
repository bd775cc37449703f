"""Text that anybody wrote, made fit for formats that forbid some of it."""

import re

from bot.domain.untrusted_text import CONTROLS

# XML forbids two non-characters beside them (https://www.w3.org/TR/xml/#charsets).
_UNPRINTABLE = re.compile(f"[{CONTROLS}\ufffe\uffff]")


def clean(text: str) -> str:
    """Return the text with blanks for what can't be printed, every line break a line feed."""
    return _UNPRINTABLE.sub(" ", "\n".join(text.splitlines()))


def flat(text: str) -> str:
    """Return the text on one line, its words parted by single blanks."""
    return " ".join(_UNPRINTABLE.sub(" ", text).split())
