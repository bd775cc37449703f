"""The looks of a reply's pieces, the same on every platform."""

from enum import Enum


class Shape(Enum):
    """The form of a piece."""

    HEADER = "header"
    NAME = "name"
    FAINT = "faint"
    WORDS = "words"
    BULLET = "bullet"
    QUOTE = "quote"
    VERBATIM = "verbatim"


class Look(Enum):
    """The style of words; a `SIGN` is the level of a notice, `FAINT` words have their own line."""

    PLAIN = "plain"
    BOLD = "bold"
    FAINT = "faint"
    SIGN = "sign"
