"""Text that anybody wrote, made fit for formats that forbid some of it."""

import re

# All control characters but tab and line feed, halves of surrogate pairs, two non-characters:
# what XML forbids (https://www.w3.org/TR/xml/#charsets) or UTF-8 can't write, and DEL to U+009F,
# which XML merely discourages.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def clean(text: str) -> str:
    """Return the text with blanks for what can't be printed, every line break a line feed."""
    return _UNPRINTABLE.sub(" ", "\n".join(text.splitlines()))


def flat(text: str) -> str:
    """Return the text on one line, its words parted by single blanks."""
    return " ".join(_UNPRINTABLE.sub(" ", text).split())
