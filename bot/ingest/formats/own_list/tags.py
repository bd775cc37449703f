"""The signs around a title that are none of it: tags, dates, venues, authors. All pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.ingest.formats.own_list.inline import BREAK, TextRun

_LONGEST_TAG = 40
_MOST_WORDS = 6
_MOST_TAGS = 8
_MOST_BEHIND = 3
_LONGEST_BEFORE = 400
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DATE = (
    r"(?:(?:19|20)\d\d(?:[-/.]\d{1,2}){0,2}|\d{1,2}[/.]\d{1,2}[/.](?:19|20)?\d\d"
    rf"|{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s(?:19|20)\d\d)?"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\.?\s{_MONTH}(?:\s(?:19|20)\d\d)?|{_MONTH}\s(?:19|20)\d\d)"
)
_ARXIV_ID = r"(?:arxiv\s?:\s?)?(?P<id>\d{4}\.\d{4,5})(?:v\d{1,2})?"
_BETWEEN = r"[\s:,|\u2013\u2014\uff1a\u2022\u00b7-]*"
_ENDS_DATE = r"(?:\s?[:|\u2013\u2014\uff1a]|\s-|,)\s*"
_GROUP = re.compile(
    r"[\[(\u3010\uff08](?P<inner>[^\[\]()\u3010\u3011\uff08\uff09]{1,40})[\])\u3011\uff09]"
)
_ID_GROUP = re.compile(
    rf"[\[(]{_ARXIV_ID}[\])]{_BETWEEN}|{_ARXIV_ID.replace('id', 'bare')}[\s:|]+(?=\S)",
    re.IGNORECASE,
)
_LEADING_DATE = re.compile(
    rf"(?:{_DATE}{_ENDS_DATE}|(?:19|20)\d\d[-/.]\d{{1,2}}[-/.]\d{{1,2}}\s+)(?=\S|$)", re.IGNORECASE
)
_WHOLE_DATE = re.compile(_DATE, re.IGNORECASE)
_VENUE = re.compile(
    r"(?:^|[\s/,])(?:19|20)\d\d(?!\d)|['\u2019]\d\d(?!\d)|^[A-Z][A-Za-z]{2,9}[\s-]?\d\d(?!\d)"
)
_ACRONYM = re.compile(
    r"(?=[^A-Z]*[A-Z][^A-Z]*[A-Z])[A-Z][A-Za-z]{1,9}[\s-]?['\u2019]?(?:(?:19|20)?\d\d)"
)
_LEADING_VENUE = re.compile(
    r"(?P<venue>[A-Z][A-Za-z]{2,9}(?:\s?['\u2019]\d\d|\s?(?:19|20)\d\d))\s?[:|\u2013\u2014]\s*(?=\S|$)"
)
_VENUE_BEHIND = re.compile(
    r",\s(?P<inner>[A-Z][A-Za-z]{2,9}(?:\s?['\u2019]\d\d|\s(?:19|20)\d\d))\.?$"
)
_GROUP_BEHIND = re.compile(r"\s[\[(](?P<inner>[^\[\]()]{1,40})[\])]\.?$")
_TAGS = frozenset({
    "aaai", "accepted", "acl", "arxiv", "best paper", "best paper award", "cvpr", "done", "eccv",
    "emnlp", "featured", "highlight", "hot", "iccv", "iclr", "icml", "ijcai", "important", "kdd",
    "must read", "must-read", "naacl", "neurips", "new", "oral", "paper", "pinned", "poster",
    "preprint", "read", "recommended", "spotlight", "survey", "todo", "unread", "update",
    "updated", "wip", "\u5fc5\u8bfb", "\u63a8\u8350", "\u65b0", "\u7efc\u8ff0", "\u8bba\u6587",
    "\ucd94\ucc9c", "\ud544\ub3c5",
})  # fmt: skip
_AUTHORS = re.compile(
    r"\bet\s?al\b|(?:^|[\s,])[^\W\d_]\.(?:[\s,-]|$)|,[^,]{2,60},|\s(?:and|&|und|et|y)\s.{0,100}[,.:]\s*$"
)
_CITED = re.compile(
    r"(?P<authors>[^()]{3,300}?)\s\((?P<year>(?:19|20)\d\d[a-z]?)\)[.,:]\s+"
    r"(?P<title>(?:[^.?!]|\.(?=\w)){4,250}[?!]?)(?=\.(?:\s|$)|$)"
)
_QUOTED = re.compile(
    r"[\"\u201c\u00ab](?P<title>[^\"\u201c\u201d\u00ab\u00bb]{6,300})[\"\u201d\u00bb]"
)
# Authors with their initials, or a year behind them, tell themselves.
_TITLE_CITED = r"(?P<title>(?:[^.?!]|\.(?=\w)){4,250}[?!]?)(?=\.(?:\s|$)|$)"
_SURELY_CITED = (
    re.compile(r"(?P<authors>[^().]{3,300}?)\.\s(?:19|20)\d\d[a-z]?\.\s" + _TITLE_CITED),
    re.compile(
        r"(?P<authors>(?:[^\W\d_][\w'\u2019-]{1,30}, (?:[^\W\d_]\.[ -]?){1,3}(?:, |and )?){1,20}+"
        r"(?:et al\.)?):\s" + _TITLE_CITED
    ),
    re.compile(
        r"(?P<authors>(?:[^\W\d_][\w'\u2019-]{1,30} [A-Z]{1,3}(?:, |(?=\.))){1,30}+(?:et al)?)\.\s"
        + _TITLE_CITED
    ),
)
_FIRST_QUOTED = re.compile(
    r"\s*[\"\u201c\u00ab\u201e\u300a\u300c\u300e]\s?"
    r"(?P<title>[^\"\u201c\u201d\u00ab\u00bb\u201e\u300a-\u300f]{3,300}?)"
    r"\s?[\"\u201d\u201c\u00bb\u300b\u300d\u300f]"
    r"(?=\s*(?:$|[,.;\uff0c\u3002\u3001\uff1b(\uff08\[|-]|[\u2013\u2014]|(?:by|von|par|por|de)\s))"
)
_FEWEST_WORDS = 2


@dataclass(frozen=True, slots=True)
class Untagged:
    """The pieces of an item behind its tags, what these say, and the arXiv ids among them."""

    rest: Sequence[TextRun]
    told: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()


def without_tags(pieces: Sequence[TextRun]) -> Untagged:
    """Take the tags in front of a title off; dates and signs say nothing more."""
    rest, told, ids = list(pieces), list[str](), list[str]()
    for _ in range(_MOST_TAGS):
        front = flat(rest)
        start = next((i for i, char in enumerate(front) if _begins(char)), len(front))
        found = _tag_at(front[start : start + _LONGEST_BEFORE], _dropped(rest, start))
        if found is None:
            break
        length, text, arxiv_id = found
        left = _dropped(rest, start + length)
        if not any(char.isalpha() for piece in left for char in piece.text):
            break
        rest = left
        ids += [arxiv_id] if arxiv_id else []
        told += [text] if text and not _WHOLE_DATE.fullmatch(text) else []
    return Untagged(rest, tuple(told), tuple(ids))


def without_tags_behind(title: str) -> tuple[str, tuple[str, ...]]:
    """Take the tags behind a title off; return it and what they say."""
    told: list[str] = []
    for _ in range(_MOST_BEHIND):
        found = _GROUP_BEHIND.search(title) or _VENUE_BEHIND.search(title)
        if found is None or not is_tag(found["inner"]):
            break
        if not any(char.isalpha() for char in title[: found.start()]):
            break
        title = title[: found.start()]
        told[:0] = [] if _WHOLE_DATE.fullmatch(found["inner"]) else [found["inner"]]
    return title, tuple(told)


def is_authors(text: str) -> bool:
    """Tell names of authors, as they stand in front of a title."""
    return len(text) <= _LONGEST_BEFORE and _AUTHORS.search(text) is not None


def cited_title(pieces: Sequence[TextRun]) -> tuple[str, Sequence[TextRun]] | None:
    """Return the title of a work cited behind its authors, and the pieces of the note."""
    text = flat(pieces)
    for pattern in (_QUOTED, _CITED, *_SURELY_CITED):
        find = pattern.search if pattern is _QUOTED else pattern.match
        found = find(text[: 2 * _LONGEST_BEFORE])
        if found is None:
            continue
        title = found["title"].strip().rstrip(",.")
        before = text[: found.start("title")].rstrip('"\u201c\u00ab ')
        is_title = len(title.split()) >= _FEWEST_WORDS and not title[0].islower()
        if before and is_title and (pattern in _SURELY_CITED or is_authors(before)):
            behind = _dropped(pieces, found.end())
            first = behind[0] if behind else TextRun("")
            cleaned = replace(first, text=first.text.lstrip(",. ")) if not first.url else first
            return title, [TextRun(f"{before.rstrip(',:')} "), cleaned, *behind[1:]]
    return None


def quoted_title(pieces: Sequence[TextRun]) -> tuple[str, Sequence[TextRun]] | None:
    """Return the title in quotes that an item begins with, and the pieces of the note."""
    text = flat(pieces)[: 2 * _LONGEST_BEFORE]
    found = _FIRST_QUOTED.match(text)
    if found is None:
        return None
    # A word in quotes may begin a title: “Naps” by Numbers.
    goes_on = text[found.end() :].lstrip()[:1].isalpha()
    if goes_on and len(found["title"].split()) < _FEWEST_WORDS:
        return None
    return found["title"].rstrip(",."), _dropped(pieces, found.end())


def flat(pieces: Sequence[TextRun]) -> str:
    """Return the text up to the first address or end of a line."""
    return "".join(_unlinked(pieces))


def _unlinked(pieces: Sequence[TextRun]) -> Iterator[str]:
    for piece in pieces:
        if piece.url or piece.text == BREAK:
            return
        yield piece.text


def _begins(char: str) -> bool:
    return char.isalnum() or char in "[(\u3010\uff08\"\u201c\u00ab'"


def _tag_at(text: str, pieces: Sequence[TextRun]) -> tuple[int, str, str | None] | None:
    """Return the length of the tag that a text begins with, what it says, and its arXiv id."""
    if found := _ID_GROUP.match(text):
        return found.end(), "", found["id"] or found["bare"]
    if found := _LEADING_DATE.match(text):
        return found.end(), "", None
    if found := _LEADING_VENUE.match(text):
        return found.end(), found["venue"], None
    found = _GROUP.match(text)
    if found and (text[0] in "\u3010\uff08" or is_tag(found["inner"])):
        return found.end(), found["inner"].strip(), None
    first = pieces[0] if pieces else None
    if (
        first
        and first.is_tag
        and not first.url
        and (_is_tag_alone(first.text) or _is_label_of(first, pieces[1:]))
    ):
        return len(first.text), first.text.strip(), None
    return None


def _is_label_of(code: TextRun, behind: Sequence[TextRun]) -> bool:
    """Tell code in front of a link or of bold words."""
    first = next((piece for piece in behind if piece.text != " "), None)
    return (
        not code.is_bold
        and first is not None
        and first.has_words
        and bool(first.url or first.is_bold)
    )


def _is_tag_alone(text: str) -> bool:
    """Tell a tag that no bracket holds: bold words with a number in them may be a title."""
    bare = text.strip(" *_`~.:")
    return bare.casefold().strip("!") in _TAGS or _ACRONYM.fullmatch(bare) is not None


def is_tag(text: str) -> bool:
    """Tell a venue, a date or a word on how a paper stands, which is no title."""
    bare = text.strip(" *_`!~.:").casefold()
    if len(text) > _LONGEST_TAG or len(text.split()) > _MOST_WORDS:
        return False
    is_venue = text.lstrip(" *_`")[:1].isupper() or text.lstrip(" *_`")[:1].isdigit()
    return bare in _TAGS or (is_venue and _VENUE.search(text.strip(" *_`")) is not None)


def _dropped(pieces: Sequence[TextRun], length: int) -> list[TextRun]:
    """Return pieces without so many letters in front."""
    rest = list(pieces)
    while rest and length and length >= len(rest[0].text):
        length -= len(rest.pop(0).text)
    return [replace(rest[0], text=rest[0].text[length:]), *rest[1:]] if rest and length else rest
