"""Typed text as it was meant, whatever keyboard, editor or chat made it. Pure.

The cost is in proportion to the length, and what is plain already stays as it is. Reading a text
twice gives what reading it once gives.
"""

import re
import unicodedata

# Those that Unicode calls dashes, and signs that keyboards have in their place.
DASHES = (
    "-\u058a\u05be\u1400\u1806\u2010\u2011\u2012\u2013\u2014\u2015\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d"
    "\u301c\u3030\u30a0\ufe31\ufe32\ufe58\ufe63\uff0d\U00010ead"
    "\u02d7\u207b\u208b\u2212\u2796\u30fc\uff70"
)
# Without width: soft hyphens, joiners of words, marks of direction, byte order marks, tags; and the
# frame that telephones put around a digit.
_WIDTHLESS = re.compile(
    "[\u00ad\u034f\u20e3\u061c\u180b-\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e007f]+"
)
# Letters beyond Latin, and emoji: between two of them a joiner changes how they are written.
_JOINED = "\u0370-\u1fff\u2100-\u2757\u2763-\u2dff\u3041-\ufdff\ufe70-\ufefe\U00010000-\U000dffff"
_JOINERS = "\u200c\u200d"
_LONELY = re.compile(
    rf"(?<![{_JOINED}{_JOINERS}\ufe0f])[{_JOINERS}]+|[{_JOINERS}]++(?![{_JOINED}])"
)
_VARIANTS = re.compile(rf"(?<![{_JOINED}])[\ufe00-\ufe0f]+")
_BLANKS = (
    "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u202f\u205f\u3000"
)
_QUOTES = (
    "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u2036\u275d\u275e\u2760\u2e42\u300a\u300b"
    "\u300c\u300d\u300e\u300f\u301d\u301e\u301f\ufe41\ufe42\ufe43\ufe44\uff62\uff63\U0001f676\U0001f677\U0001f678"
)
_APOSTROPHES = (
    "\u2018\u2019\u201a\u201b\u2039\u203a\u2032\u2035\u02bb\u02bc\u00b4\u275b\u275c\u275f"
)
_COLONS = "\u2236\ua789\ufe13\ufe30"
_SMALL = {sign: unicodedata.normalize("NFKC", chr(sign)) for sign in range(0xFE50, 0xFE6C)}
_PLAIN = (
    {sign: chr(sign - 0xFEE0) for sign in range(0xFF01, 0xFF5F)}
    | {sign: plain for sign, plain in _SMALL.items() if plain.isascii()}
    | str.maketrans(dict.fromkeys(_BLANKS, " "))
    | str.maketrans(dict.fromkeys(_QUOTES, '"'))
    | str.maketrans(dict.fromkeys(_APOSTROPHES, "'"))
    | str.maketrans(dict.fromkeys(_COLONS, ":"))
)
# Single quotation marks of any language around words; between letters they are apostrophes.
_SINGLE = re.compile(
    r"(?<!\w)[\u2018\u201a\u201b\u2039\u203a]"
    r"([^\u2018\u2019\u201a\u201b\u2039\u203a\n]*(?:\u2019(?=\w)[^\u2018\u2019\u201a\u201b\u2039\u203a\n]*)*)"
    r"[\u2018\u2019\u2039\u203a](?!\w)"
)
# Two single ones for a double one.
_PAIR = re.compile("\u2018\u2018|\u2019\u2019|\u201a\u201a")
# As in TeX: two single ones for a double one. Between them stand no others.
_INSIDE = r"(?:(?!,,)[^'`\n])+"
_DOUBLED = re.compile(rf"(?<![\w'`])(?:''|``|,,)(?!['`])({_INSIDE}(?:'(?!'){_INSIDE})*)''(?![\w'])")
_GUILLEMETS = re.compile(r"(?<!\w)([\u00ab\u2039])([^\u00ab\u00bb\u2039\u203a\n]*)([\u00bb\u203a])")
_CLOSED = {"\u00ab": "\u00bb", "\u2039": "\u203a"}
# Behind a blank, or as the first word in quotation marks that are a value.
_BEFORE_WORD = re.compile(rf'(?:(?<!\S)|(?<=:"))(?!-+[\w"])[{re.escape(DASHES)}]+(?=[\w"])')
# A day, a week, a quarter, or a range of numbers with a hyphen or a minus that does not break.
_DAY = re.compile(
    rf"(?<!\w)(\d{{4}})[{re.escape(DASHES)}](\d\d)[{re.escape(DASHES)}](?=\d\d(?!\d))"
)
_PART_OF_YEAR = re.compile(rf"(?<!\w)(\d{{4}})[{re.escape(DASHES)}](?=[WwQq]\d)")
_HYPHEN = re.compile("(?<=\\d)[\u2010\u2011\u2212\ufe63](?=\\d)")
# The language that a fence may name.
_FENCED = re.compile(
    r"```(?:[ \t]*"
    r"(?:text|txt|plain(?:text)?|none|console|terminal|cmd|powershell|shell|bash|zsh|fish|sh|md|markdown|ansi|ya?ml|json|ini|toml|diff|fix|css|html|xml|js|ts|py|python|sql|tex|latex)"
    r"[ \t]*\n)?",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\A(?:/papers|@?broadsheet)[,:]?\s+(?=`)", re.IGNORECASE)
_LONGEST_COMPOSED = 4096  # letters; composing many marks costs the square of them
STOPS = ".,;!\u2026\u3001\u3002\uff61"


def as_meant(text: str) -> str:
    """Return a typed text with plain signs.

    A dash of any width before a word is `-`, a quotation mark of any language `"`, an apostrophe
    `'`, a full-width sign the plain one; what has no width goes, but where it joins letters or
    emoji. A text wholly in code marks is what stands in them.
    """
    if not text.isascii():
        text = _plain(text)
    if "`" in text:
        text = without_code_marks(text)
    if "''" in text:
        text = _DOUBLED.sub(r'"\1"', text)
    return text if text.isascii() else _with_hyphens(text)


def _with_hyphens(text: str) -> str:
    dated = _PART_OF_YEAR.sub(r"\1-", _DAY.sub(r"\1-\2-", text))
    return _BEFORE_WORD.sub("-", _HYPHEN.sub("-", dated))


def _plain(text: str) -> str:
    if len(text) <= _LONGEST_COMPOSED:
        text = unicodedata.normalize("NFC", text)
    text = _PAIR.sub('"', _WIDTHLESS.sub("", text))
    text = _LONELY.sub("", _VARIANTS.sub("", text))
    text = _SINGLE.sub(r'"\1"', _GUILLEMETS.sub(_trimmed, text)).translate(_PLAIN)
    return _LONELY.sub("", _VARIANTS.sub("", text))


def _trimmed(quoted: re.Match[str]) -> str:
    """Return words in guillemets without the blanks that French puts inside."""
    if _CLOSED[quoted[1]] != quoted[3]:
        return quoted[0]
    return f"{quoted[1]}{quoted[2].strip()}{quoted[3]}"


def without_code_marks(text: str) -> str:
    """Return what stands in a text that is wholly in code marks, else the text."""
    marked = _NAMED.sub("", text.strip().rstrip(STOPS), count=1)
    if not (marked.startswith("`") and marked.endswith("`")):
        return text
    fence = _FENCED.match(marked)
    inner = (marked[fence.end() :] if fence else marked).strip("`")
    return text if "`" in inner or not inner.strip() else inner.strip()
