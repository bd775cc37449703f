"""Markdown of an archive's cells as plain text: links, marks, escapes, blanks.

Everything here is linear in the length of its text: quantifiers are possessive or stop at
the next bracket, so that a broken cell of megabytes costs no more than a sound one.
"""

import html
import re

# A label may hold escapes and one pair of brackets; an address one pair of parentheses.
LABEL = r"(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*+"
ADDRESS = r"[^()\[\]<>\s]*(?:\([^()\[\]<>\s]*\)[^()\[\]<>\s]*)*"

# Inside text only what looks like an address makes a link: `f[0](x)` is no link.
_INLINE_LINK = re.compile(
    rf"!?\[(?P<label>{LABEL})\]"
    rf'\(<?(?=https?:|www\.|mailto:|[./#]){ADDRESS}>?(?:\s+"[^"]*")?\)'
)

_ESCAPED = r"\\(?P<escaped>[!-/:-@\[-`{-~])"
_ENTITY = r"&(?P<entity>(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
_ESCAPES = re.compile(f"{_ESCAPED}|{_ENTITY}")

# One pass decides what each character is, so that `\*` is a star and never half a mark.
# Underscores inside words (`d_emb`) and stars behind words (`A*`) are text. Each branch
# starts with its own character, which lets the search skip all others at once.
_MARKS = re.compile(
    rf"{_ESCAPED}|{_ENTITY}|`(?P<code>[^`]+)`"
    r"|\*(?<![\w*]\*)\*\*(?=[^\s*])(?P<both>(?:[^*\\]|\\.)++)(?<!\s)\*\*\*"
    r"|\*(?<![\w*]\*)\*(?=[^\s*])(?P<bold>(?:[^*\\]|\\.|\*(?!\*))++)(?<!\s)\*\*"
    r"|\*(?<![\w*]\*)(?=[^\s*])(?P<italic>(?:[^*\\]|\\.)++)(?<!\s)\*(?![\w*])"
    r"|_(?<!\w_)_(?=[^\s_])(?P<bold_bars>(?:[^_\\]|\\.|_(?!_))++)(?<!\s)__(?!\w)"
    r"|_(?<!\w_)(?=[^\s_])(?P<italic_bars>(?:[^_\\]|\\.)++)(?<!\s)_(?!\w)",
    re.DOTALL,
)
_MARKED = ("both", "bold", "italic", "bold_bars", "italic_bars")

# Most text has none of the signs that _MARKS tells apart.
_SIGNS = re.compile(r"[\\&`*_]")

# Marks nested deeper than this are left standing as text.
_DEEPEST = 4


def flatten_links(text: str) -> str:
    """Replace `[label](address)` by its label, a badge inside a link too."""
    if "](" not in text:
        return text
    inner = _INLINE_LINK.sub(lambda match: match["label"], text)
    return _INLINE_LINK.sub(lambda match: match["label"], inner)


def plain_text(text: str) -> str:
    """Give Markdown as one line of plain text, every run of blanks as one blank."""
    return " ".join(unmarked(flatten_links(text)).split())


def unescaped(text: str) -> str:
    """Undo escapes and character references, and leave marks: an address may hold `_`."""
    if "\\" not in text and "&" not in text:
        return text
    return _ESCAPES.sub(lambda match: match["escaped"] or html.unescape(match[0]), text)


def unmarked(text: str, depth: int = 0) -> str:
    """Take out bold and italic marks, undo escapes and character references."""
    if not _SIGNS.search(text):
        return text

    def replacement(match: re.Match[str]) -> str:
        if match["escaped"]:
            return match["escaped"]
        if match["code"]:
            return match[0]
        if match["entity"]:
            return html.unescape(match[0])
        inner = next(match[name] for name in _MARKED if match[name])
        return unmarked(inner, depth + 1) if depth < _DEEPEST else match[0]

    return _MARKS.sub(replacement, text)
