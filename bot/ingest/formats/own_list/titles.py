"""Papers as lines by themselves: titles in bold, as links, or above an address. All pure.

Such a line is made a heading below all others, so that what stands below it is its note. One that
turns out to be no paper is text again, or a theme where papers follow.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING

from bot.ingest.formats.html_lines import names_part
from bot.ingest.formats.own_list.inline import TextRun, is_paper_address, text_of
from bot.ingest.formats.own_list.items import (
    is_lead_of_link,
    is_titled_link,
    leading_rank,
    only_links,
    title_in_front,
)
from bot.ingest.formats.own_list.sections import TITLE_LEVEL, paper_headings
from bot.ingest.formats.own_list.tags import is_authors

if TYPE_CHECKING:
    from markdown_it.token import Token

_Read = Callable[[str], Sequence[TextRun]]
_NamesWeek = Callable[[str], bool]
_Key = tuple[int, int]
"""The place of a paragraph among the tokens, and that of a line in it."""
# Bold words that a line begins with, behind signs.
_BOLD = re.compile(
    r"[^\w*<([]{0,6}(?:\*\*|__|<b>|<strong>)"
    r"(?P<words>(?:[^*_<]|[*_](?![*_])|<(?!/)){1,400})(?:\*\*|__|</b>|</strong>)(?P<rest>.*)",
    re.IGNORECASE,
)
# Who said something in a chat, and when.
_SENT_AT = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?\s?(?:[AaPp]\.?[Mm]\.?)?\]?:?\s*$")
_ENDS_LINE = re.compile(r"(?:\\|<br\s?/?>)\s{0,9}$", re.IGNORECASE)
_FIELD = re.compile(
    r" {0,3}(?:[-*+]\s{1,3})?(?:\*\*|__)?(?:paper )?"
    r"(?:title|titel|titre|t[i\u00ed]tulo|\u6807\u9898|\u9898\u76ee|\u8bba\u6587\u6807\u9898|\u30bf\u30a4\u30c8\u30eb"
    r"|\uc81c\ubaa9|\u043d\u0430\u0437\u0432\u0430\u043d\u0438\u0435)(?:\*\*|__)?\s?[:\uff1a]"
    r"(?:\*\*|__)?\s{0,3}(?P<title>\S.{0,400})$",
    re.IGNORECASE,
)
_FEWEST_FIELDS = 2
_FEWEST_BYLINES = 2
_LONGEST_REST = 300
_LONGEST_TITLE = 250
_LONGEST_LINE = 1_000
_MOST_SIGNS = 60
_LOOKED_AT = 2_000
_KEPT = 8  # a line is looked at from those beside it, too
_MOST_ABOVE = 3
_FEWEST_WORDS = 2
# Sentences, not titles, end so in front of an address.
_POINTING = frozenset({
    "and", "at", "available", "by", "check", "code", "from", "here", "in", "is", "on", "paper",
    "read", "see", "to", "under", "via", "with",
})  # fmt: skip
_FIELD_NAMES = frozenset(
    f"{name}:"
    for name in (
        "abstract", "author", "authors", "by", "conference", "date", "from", "journal", "keywords",
        "note", "notes", "presenter", "subject", "summary", "tags", "to", "venue", "year",
    )
)  # fmt: skip
_MOST_THEME_WORDS = 6
_THEME_LEVEL = TITLE_LEVEL - 1
_WIDTH = 3  # a heading and a paragraph are as many tokens


@dataclass(frozen=True, slots=True)
class _Built:
    """Tokens, and the lines that some of them, which are headings, were made of."""

    tokens: list["Token"]
    lines: dict[int, _Key]


def with_titles(
    tokens: Sequence["Token"], read: _Read, names_week: _NamesWeek
) -> tuple[Sequence["Token"], frozenset[int]]:
    """Return tokens in which titles are headings, and the places of the headings of papers."""

    def read_token(token: "Token") -> Sequence[TextRun]:
        return read(token.content[:_LOOKED_AT])

    found = dict(_titles(tokens, lru_cache(_KEPT)(read), names_week))
    built = _build(tokens, dict.fromkeys(found, TITLE_LEVEL))
    papers = paper_headings(built.tokens, read_token, names_week)
    if not found:
        return tokens, papers
    levels = dict(_levels(built, papers, found))
    whole = _build(tokens, levels)
    real = {id(built.tokens[place]) for place in papers if place not in built.lines}
    kept = {
        place
        for place, token in enumerate(whole.tokens)
        if id(token) in real or levels.get(whole.lines.get(place, (-1, 0))) == TITLE_LEVEL
    }
    return whole.tokens, frozenset(kept)


def is_title_field(line: str) -> bool:
    """Tell a line that names a title as a field: `Title: …`."""
    return _FIELD.match(line) is not None


def with_field_titles(text: str) -> str:
    """Return a text whose titles that are fields are headings, if there are several."""
    lines = text.split("\n")
    fields = [(place, found) for place, line in enumerate(lines) if (found := _FIELD.match(line))]
    if len(fields) < _FEWEST_FIELDS:
        return text
    for place, found in fields:
        lines[place] = f"###### {found['title'].strip(' *_')}"
    return "\n".join(lines)


def may_be_title(line: str, below: str, read: _Read) -> bool:
    """Tell a line that may be a title in a document without items, by itself and the next one."""
    return _is_marked(line, read, has_rows=False) or _is_plain(line, below, read)


def _titles(
    tokens: Sequence["Token"], read: _Read, names_week: _NamesWeek
) -> Iterator[tuple[_Key, bool]]:
    """Yield the lines that may be titles, and whether one may be a theme."""
    has_rows = any(token.type in {"list_item_open", "table_open"} for token in tokens)
    texts = [
        (place, tokens[place + 1].content.split("\n"))
        for place, token in enumerate(tokens)
        if token.type == "paragraph_open" and not token.level
    ]
    marked = [
        ((place, start), line, len(lines) == 1)
        for place, lines in texts
        for start, line in enumerate(lines)
        if _is_marked(line, read, has_rows=has_rows)
    ]
    if not (marked or has_rows):
        marked = [(key, line, False) for key, line in _plain(texts, read)]
    titles = [(key, text_of(read(_ENDS_LINE.sub("", line))), alone) for key, line, alone in marked]
    # What stands below several papers, such as "Key points", is a part of each.
    often = Counter(words.casefold() for _, words, _ in titles)
    titles = [
        found
        for found in titles
        if often[found[1].casefold()] == 1 or _is_above_address(tokens, found[0])
    ]
    bylines = _bylines(tokens, [key for key, _, _ in titles], names_week)
    for key, words, is_alone in titles:
        is_below = not key[1] and _is_below_heading(tokens, key[0])
        if names_week(words) or key in bylines or (is_below and is_authors(f"{words}.")):
            continue
        is_theme = is_alone and len(words.split()) <= _MOST_THEME_WORDS
        yield key, is_theme and not words.endswith((".", "!", "?"))


def _is_above_address(tokens: Sequence["Token"], key: _Key) -> bool:
    """Tell a line in which or below which an address stands, before anything else."""
    place, start = key
    lines = tokens[place + 1].content.split("\n")[start : start + 1 + _MOST_ABOVE]
    behind = tokens[place + _WIDTH : place + _WIDTH + 2]
    if len(lines) <= _MOST_ABOVE and behind and behind[0].type == "paragraph_open":
        lines.append(behind[1].content.partition("\n")[0])
    return any("://" in line for line in lines)


def _is_below_heading(tokens: Sequence["Token"], place: int) -> bool:
    return place > 0 and tokens[place - 1].type == "heading_close"


def _bylines(
    tokens: Sequence["Token"], keys: Sequence[_Key], names_week: _NamesWeek
) -> frozenset[_Key]:
    """Return the lines that are authors: the only ones of their headings, and right below them."""
    below: dict[int, list[_Key]] = {}
    heading = -1
    left = iter([*keys, (len(tokens), 0)])
    key = next(left)
    for place, token in enumerate(tokens):
        if token.type == "heading_open" and not token.level:
            heading = -1 if names_week(tokens[place + 1].content) else place
        while key[0] == place:
            below.setdefault(heading, []).append(key)
            key = next(left)
    found = [(place, same) for place, same in below.items() if place >= 0]
    are_next = all(
        len(same) == 1
        and same[0][1] == 0
        and _is_below_heading(tokens, same[0][0])
        and (tokens[place].map or [0, 0])[1] == (tokens[same[0][0]].map or [-1])[0]
        for place, same in found
    )
    enough = len(found) >= _FEWEST_BYLINES and are_next
    return frozenset(same[0] for _, same in found) if enough else frozenset()


def _plain(texts: Sequence[tuple[int, Sequence[str]]], read: _Read) -> Iterator[tuple[_Key, str]]:
    """Yield lines without a mark above the address of a paper, the first of a few, or before it."""
    for (place, lines), behind in zip_longest(texts, texts[1:]):
        after = behind[1][0] if behind and behind[0] == place + _WIDTH else ""
        begun = 0
        for start, (line, below) in enumerate(zip(lines, [*lines[1:], after], strict=True)):
            if _is_address(line, read) or _SENT_AT.search(line):
                begun = start + 1
            elif _is_plain(line, below, read) and start - begun < _MOST_ABOVE:
                is_whole = "://" in line
                yield (place, start if is_whole else begun), lines[start if is_whole else begun]
                begun = start + 1


def _is_marked(line: str, read: _Read, *, has_rows: bool) -> bool:
    """Tell a line that begins with bold words or a link to a paper."""
    if bold := _BOLD.match(line):
        return _is_bold_title(bold["words"], bold["rest"])
    if ("](" not in line and "</a>" not in line) or _is_crowded(line):
        return False
    pieces = read(line[:_LONGEST_LINE])
    first = next(filter(is_titled_link, pieces), None)
    if first is None or leading_rank(pieces) is not None or not is_paper_address(first.url):
        return False
    is_alone = not any(piece.has_words for piece in pieces if not piece.url)
    return title_in_front(pieces) and (is_alone or not has_rows)


def _is_plain(line: str, below: str, read: _Read) -> bool:
    """Tell a line of words that has a paper's address behind it, or below it."""
    if ("://" not in line and "://" not in below) or _is_crowded(line):
        return False
    pieces = read(line)
    text = text_of([piece for piece in pieces if not piece.url])
    links = [piece for piece in pieces if piece.url]
    lead = text.casefold().rstrip(":\uff1a-\u2013\u2014([ ")
    if (
        len(text) > _LONGEST_TITLE
        or text[:1].islower()
        or not text[:1].isalnum()
        or text.endswith((":", "\uff1a"))
    ):
        return False
    words = lead.split()
    if (
        len(words) < _FEWEST_WORDS
        or words[-1] in _POINTING
        or words[0] in _FIELD_NAMES
        or is_lead_of_link(lead)
        or any(map(is_titled_link, links))
    ):
        return False
    if leading_rank(pieces) is not None:
        return False
    return is_paper_address(links[0].url) if links else _is_address(below, read)


def _is_address(line: str, read: _Read) -> bool:
    """Tell a line of links alone, of which one leads to a paper."""
    if "://" not in line or _is_crowded(line):
        return False
    pieces = read(line)
    return only_links(pieces) and any(is_paper_address(piece.url) for piece in pieces)


def _is_crowded(line: str) -> bool:
    """Tell a line that is too long for a title, or has more signs than any."""
    return len(line) > _LONGEST_LINE or sum(map(line.count, "[*_`<&")) > _MOST_SIGNS


def _is_bold_title(words: str, rest: str) -> bool:
    """Tell bold words that are a title from a label, and from those that a sentence begins with."""
    behind = _ENDS_LINE.sub("", rest).strip()
    bare = words.strip()
    if not any(map(str.isalpha, bare)) or bare.endswith((":", "\uff1a")) or names_part(bare):
        return False
    if is_lead_of_link(bare.casefold()) or len(rest) > _LONGEST_REST:
        return False
    return not (behind[:1] in {":", "\uff1a"} or behind[:1].islower())


def _build(tokens: Sequence["Token"], levels: Mapping[_Key, int]) -> _Built:
    """Return tokens in which some lines are headings of their level."""
    built = _Built([], {})
    starts: dict[int, list[int]] = {}
    for place, start in levels:
        starts.setdefault(place, []).append(start)
    place = 0
    while place < len(tokens):
        if place not in starts:
            built.tokens.append(tokens[place])
            place += 1
            continue
        paragraph = tokens[place : place + _WIDTH]
        lines = paragraph[1].content.split("\n")
        first = paragraph[0].map[0] if paragraph[0].map else 0
        begun = 0
        for start in starts[place]:
            _text(built, paragraph, lines[begun:start], first + begun)
            built.lines[len(built.tokens)] = (place, start)
            title = _ENDS_LINE.sub("", lines[start])
            _heading(built, levels[place, start], title, first + start)
            begun = start + 1
        _text(built, paragraph, lines[begun:], first + begun)
        place += _WIDTH
    return built


def _text(built: _Built, paragraph: Sequence["Token"], lines: Sequence[str], line: int) -> None:
    if not any(map(str.strip, lines)):
        return
    where = [line, line + len(lines)]
    inline = paragraph[1].copy(content="\n".join(lines).strip(), map=where)
    built.tokens.extend([paragraph[0].copy(map=where), inline, paragraph[2]])


def _heading(built: _Built, level: int, title: str, line: int) -> None:
    from markdown_it.token import Token

    where = [line, line + 1]
    inline = Token("inline", "", 0, map=where, content=title.strip(), level=1)
    opening = Token("heading_open", f"h{level}", 1, map=where)
    built.tokens.extend([opening, inline, Token("heading_close", f"h{level}", -1)])


def _levels(
    built: _Built, papers: frozenset[int], found: Mapping[_Key, bool]
) -> Iterator[tuple[_Key, int]]:
    """Yield the lines that stay headings: those of papers, and themes above papers."""
    is_below_paper = False
    for place, token in enumerate(built.tokens):
        if token.type != "heading_open" or token.level:
            continue
        key = built.lines.get(place)
        if key is None:
            is_below_paper = place in papers
        elif is_below_paper:
            continue
        elif place in papers:
            yield key, TITLE_LEVEL
        elif found[key] and _has_papers_below(built, place, papers):
            yield key, _THEME_LEVEL


def _has_papers_below(built: _Built, place: int, papers: frozenset[int]) -> bool:
    """Tell whether a paper or a list stands right below a heading."""
    behind = place + _WIDTH
    if behind in papers and behind in built.lines:
        return True
    kinds = {"bullet_list_open", "ordered_list_open", "table_open"}
    return built.tokens[behind].type in kinds if behind < len(built.tokens) else False
