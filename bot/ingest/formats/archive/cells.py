"""The left cell of an archive's row: title, summary and highlights, from Markdown."""

import html
import re
from dataclasses import dataclass

from bot.ingest.formats.archive.titles import split_title
from store.records import Highlight

# One match a run of `<br>`, with the bullet it leads to, so that a long run is read once;
# or a bullet that stands alone; or an escape, which is passed over.
_BREAKS = re.compile(
    r"\\.|<[bB][rR]\s*+/?>(?P<more>(?:\s*+<[bB][rR]\s*+/?>)*+)\s*+"
    r"(?P<bullet>[\u25cf\u2022\u25aa\u25e6\u2023]|[-*+\u2013](?=\s))?"
    r"|\u25cf|\u2022(?<=\s\u2022)(?=\s)"
)
_BOLD_LEAD = re.compile(r"\*\*(?P<lead>(?:[^*\\]|\\.|\*(?!\*))++)\*\*")
_LEAD_END = re.compile(r"\\.|(?P<sign>: | [\u2013\u2014-] )")

# A full stop before a capital ends a sentence, unless it only shortens a word.
_SENTENCE_END = re.compile(r"(?<!\bvs)(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)[.!?]\s+[\"'\u201c(]?[A-Z]")
_DASHES = (" - ", " \u2013 ")
_LONGEST_LEAD = 80
_MOST_LEAD_WORDS = 12

# A lead that its text continues in lower case is a lead only if it is this short.
_SHORT_LEAD_WORDS = 4
_LAST_DASHES = "-\u2013\u2014"
_LEAD_SIGNS = " :-\u2013\u2014"

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


@dataclass(frozen=True, slots=True)
class LeftCell:
    """The left cell as plain text; `problems` are in words."""

    title: str
    summary: str | None
    highlights: tuple[Highlight, ...]
    problems: tuple[str, ...]


def read_left_cell(cell: str) -> LeftCell:
    """Read the cell without its rank; the title is blank where the cell has none."""
    parts = _parts(flatten_links(cell))
    split = split_title(parts.head)
    summary = plain_text(" ".join([_without_last_dash(split.rest), *parts.tail]))
    highlights = [_highlight(bullet) for bullet in parts.bullets]
    problems = [split.problem] if split.problem else []
    problems += ["a bullet has no text"] * highlights.count(None)
    return LeftCell(
        title=plain_text(split.title),
        summary=summary or None,
        highlights=tuple(highlight for highlight in highlights if highlight),
        problems=tuple(problems),
    )


@dataclass(frozen=True, slots=True)
class _Parts:
    """A cell split at its bullets; line breaks stay in the head and are blanks elsewhere."""

    head: str
    bullets: tuple[str, ...]
    tail: tuple[str, ...]


def _parts(cell: str) -> _Parts:
    """Split a cell: a bullet ends at the next one or at an empty line (two `<br>`)."""
    head: list[str] = []
    bullets: list[list[str]] = []
    tail: list[str] = []
    current, position = head, 0
    for match in _BREAKS.finditer(cell):
        if match[0].startswith("\\"):
            continue
        current.append(cell[position : match.start()])
        position = match.end()
        if match["bullet"] or not match[0].startswith("<"):
            bullets.append(current := [])
        elif bullets and match["more"]:
            current = tail
        else:
            current.append(" " if bullets else "\n")
    current.append(cell[position:])
    return _Parts("".join(head), tuple("".join(bullet) for bullet in bullets), tuple(tail))


def _without_last_dash(text: str) -> str:
    """Return a text without a single dash at its end, and the blanks around it."""
    whole = text.rstrip()
    alone = whole[-1:] in _LAST_DASHES and whole[-2:-1].strip() == ""
    return whole[:-1].rstrip() if whole and alone else text


def _highlight(bullet: str) -> Highlight | None:
    """Split a bullet into its lead and its text; a lead without text is text itself."""
    bullet = " ".join(_without_last_dash(bullet).split())
    lead, text = _bold_lead(bullet) or _printed_lead(bullet)
    lead = lead.strip(_LEAD_SIGNS)
    if not text:
        return Highlight(None, lead) if lead else None
    return Highlight(lead or None, text)


def _bold_lead(bullet: str) -> tuple[str, str] | None:
    match = _BOLD_LEAD.match(bullet)
    if match is None or not _can_be_lead(match["lead"]):
        return None
    return plain_text(match["lead"]), plain_text(bullet[match.end() :].lstrip(_LEAD_SIGNS))


def _printed_lead(bullet: str) -> tuple[str, str]:
    """Cut at the first sign that ends a lead, which is "" if there is none."""
    signs = [
        match
        for match in _LEAD_END.finditer(bullet[: 2 * _LONGEST_LEAD])
        if match["sign"] and _can_be_lead(bullet[: match.start()])
    ]
    sign = _best_sign(bullet, signs)
    if sign is None:
        return "", plain_text(bullet)
    return plain_text(bullet[: sign.start()]), plain_text(bullet[sign.end() :])


def _can_be_lead(lead: str) -> bool:
    return (
        0 < len(lead) <= _LONGEST_LEAD
        and len(lead.split()) <= _MOST_LEAD_WORDS
        and not _SENTENCE_END.search(lead)
    )


def _best_sign(bullet: str, signs: list[re.Match[str]]) -> re.Match[str] | None:
    """Return the first sign before a new sentence; else the first, if it ends a short text."""
    for index, sign in enumerate(signs):
        goes_on = bullet[sign.end() : sign.end() + 1].islower()
        if not goes_on or (index == 0 and sign["sign"] in _DASHES):
            return sign
    if signs and len(bullet[: signs[0].start()].split()) <= _SHORT_LEAD_WORDS:
        return signs[0]
    return None


def flatten_links(text: str) -> str:
    """Replace `[label](address)` by its label, a badge inside a link too."""
    if "](" not in text:
        return text
    inner = _INLINE_LINK.sub(lambda match: match["label"], text)
    return _INLINE_LINK.sub(lambda match: match["label"], inner)


def plain_text(text: str) -> str:
    """Return Markdown as one line of plain text with single blanks."""
    return " ".join(unmarked(flatten_links(text)).split())


def unescaped(text: str) -> str:
    """Undo escapes and character references but keep marks: an address may hold `_`."""
    if "\\" not in text and "&" not in text:
        return text
    return _ESCAPES.sub(lambda match: match["escaped"] or html.unescape(match[0]), text)


def unmarked(text: str, depth: int = 0) -> str:
    """Remove bold and italic marks, undo escapes and character references."""
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
