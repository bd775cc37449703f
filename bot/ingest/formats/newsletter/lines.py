"""Lines of a newsletter without their markup, and what one line by itself can tell.

The rules in words: `docs/formats/newsletter.md`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Self

from bot.domain.paper_ids import arxiv_id_in_url
from bot.ingest.formats.html_lines import without_outer_tags
from store.records import Highlight, Link

_BLANKS = dict.fromkeys(map(ord, "\u00a0\u2007\u202f\t"), " ")
_INVISIBLE = dict.fromkeys(map(ord, "\ufeff\u200b\u2060"))
_BOLD = re.compile(r"\*\*([^*]+)\*\*")
_START = re.compile(r"^(?:(?:#{1,6}|>|(?P<bullet>[-*+\u2022\u25cf\u25aa\u25e6\u2023\u2013]))\s+)+")

# `3. Title`, `3) Title`, with the dot escaped or the blank lost; not `3.5 Sonnet`.
_NUMBERED = re.compile(r"(?P<number>[0-9]{1,4})\s?\\?[.)]{1,2}(?:\s++|(?=[A-Z]))(?P<title>.+)")
_LABEL = r"\b[A-Za-z][\w.+-]{0,30}(?: [\w.+-]{1,30}){0,2}"
_MARKDOWN_LINK = r"!?\[(?P<label>[^\[\]]{0,300})\]\(<?(?P<url>https?://[^\s()<>]{1,2000})>?\)"
_BARE_LINK = r"<?(?P<bare>https?://[^\s()<>|\]]{1,2000})>?"
_LINK = re.compile(_MARKDOWN_LINK)
_LABELLED_LINK = re.compile(
    rf"(?:(?P<before>{_LABEL})\s?[:(\u2013-]?\s?)?(?:{_MARKDOWN_LINK}|{_BARE_LINK})"
)
_UNNAMED_LINK = "Link"

# The labels of links; a copy that lost the addresses keeps a line of such words.
_LINK_WORDS = frozenset({
    "article", "blog", "code", "data", "dataset", "demo", "github", "link", "links", "model",
    "models", "page", "paper", "post", "project", "repo", "report", "slides", "thread",
    "tweet", "video", "website",
})  # fmt: skip
_BETWEEN_LABELS = re.compile(r"[\s|,/\u00b7\u2022&+-]+")

# The openings of advertisements: as a line, and as the lead of their first line.
_OUTER_SIGNS = re.compile(r"^[\W_]+|[\W_]+$")
_SPONSOR = (
    r"(?:an? )?(?:message|word|note) from (?:the|our) (?:editors?|sponsors?|partners?)"
    r"|(?:our |today['\u2019]s |this week['\u2019]s )?sponsors?|sponsored|(?:paid )?advertisement"
)
_SPONSOR_LEAD = re.compile(_SPONSOR, re.IGNORECASE)
_SPONSOR_LINE = re.compile(
    rf"{_SPONSOR}|sponsored (?:content|post|message)"
    r"|(?:sponsored|presented|brought to you) by\b.{0,60}"
    r"|(?:together|in partnership) with\b[^.,:;]{1,50}",
    re.IGNORECASE,
)
_LONGEST_SPONSOR = 100
_LONGEST_LEAD = 80
_MOST_LEAD_WORDS = 12
_SENTENCE_END_INSIDE = re.compile(r"[.!?]\s++(?![a-z])")
_AFTER_LEAD = " :-\u2013\u2014"
_SENTENCE_ENDS = tuple('.!?\u201d"\u2019)\u2026:]')
_LONGEST_QUOTE = 60

# The numbering goes on behind at most so many lost entries.
_LONGEST_GAP = 3


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not blank, without markup; `number` counts all lines from 1.

    `marked` is true behind a bullet sign, `bold` is the bold start, and `only_links` is true for a
    line of links alone. `rank` and `title` are those of a numbered line, in order or not.
    """

    number: int
    text: str
    marked: bool
    bold: str
    links: tuple[Link, ...]
    only_links: bool
    rank: int | None
    title: str

    @classmethod
    def read(cls, number: int, raw: str) -> Self:
        """Read a line without its markup; the text of links stays in place."""
        plain = raw.translate(_BLANKS).translate(_INVISIBLE).strip()
        start = _START.match(plain)
        body = plain[start.end() :] if start else plain
        bold = _BOLD.match(body)
        body = _BOLD.sub(r"\1", body).strip()
        links, only_links = _links(body)
        text = _LINK.sub(lambda match: match["label"], body).strip()
        rank, title = _numbered(text)
        return cls(
            number=number,
            text=text,
            marked=bool(start and start["bullet"]),
            bold=bold[1] if bold else "",
            links=links,
            only_links=only_links,
            rank=rank,
            title=title,
        )

    @property
    def is_wordless(self) -> bool:
        """True if it has no words: a rule, a lone sign."""
        return not self.links and not _has_words(self.text)

    @property
    def is_labels(self) -> bool:
        """True if it is a row of link labels whose addresses got lost in copying."""
        words = [word for word in _BETWEEN_LABELS.split(self.text.lower()) if word]
        return not self.links and bool(words) and _LINK_WORDS.issuperset(words)

    @property
    def leads_to_paper(self) -> bool:
        """True if it begins with the title of a paper, which leads to it."""
        first = self.links[0] if self.links else None
        return (
            first is not None
            and arxiv_id_in_url(first.url) is not None
            and first.label.lower() not in _LINK_WORDS
            and self.text.startswith(first.label)
        )

    @property
    def opens_sponsor(self) -> bool:
        """True if an advertisement starts here."""
        front, colon, _ = self.text.partition(":")
        if len(front) > _LONGEST_SPONSOR:
            return False
        known = _SPONSOR_LEAD if colon else _SPONSOR_LINE
        return bool(known.fullmatch(_OUTER_SIGNS.sub("", front)))

    @property
    def ends_sentence(self) -> bool:
        """True if a complete document can end here."""
        return self.text.endswith(_SENTENCE_ENDS) or self.only_links or self.is_labels

    @property
    def quoted(self) -> str:
        """The line for a remark: its first 60 characters in quotation marks."""
        short = self.text if len(self.text) <= _LONGEST_QUOTE else f"{self.text[:59]}\u2026"
        return f'"{short}"'

    def repeats(self, other: Self) -> bool:
        """Tell whether it has the text and the links of another line."""
        return (self.text, self.links) == (other.text, other.links)

    def split_lead(self) -> Highlight | None:
        """Split `Lead: text` at its first colon; `None` where the front is not a lead.

        A bold start is a lead, whatever sign follows it.
        """
        lead, _, text = self.text.partition(": ")
        if text.strip() and _is_lead(lead):
            return Highlight(lead.strip(), text.strip())
        text = self.text.removeprefix(self.bold).strip(_AFTER_LEAD)
        if text and text != self.text and _is_lead(self.bold):
            return Highlight(self.bold.strip(_AFTER_LEAD + "."), text)
        return None


class LineRole(Enum):
    """The role of a line in the numbering."""

    TEXT = auto()
    DOUBTFUL = auto()
    ENTRY = auto()


class Numbering:
    """The numbered lines of one edition, by their index among its lines."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._last_place: dict[int, int] = {}
        # The last rank counted from a line, and that from the next line with the same number.
        self._reaches: dict[int, tuple[int, int]] = {}
        nearest: dict[int, int] = {}
        for index, line in reversed(list(enumerate(lines))):
            if line.rank is not None:
                reach = nearest.get(line.rank + 1, line.rank)
                self._reaches[index] = reach, nearest.get(line.rank, 0)
                nearest[line.rank] = reach
                self._last_place.setdefault(line.rank, index)

    def role(self, index: int, expected: int, *, in_sponsor: bool) -> LineRole:
        """Return whether a line is the next entry.

        A higher number counts only if those between never come. A line in an advertisement or in a
        list is doubtful if the same number comes again later and is counted on as far from there.
        """
        rank = self._lines[index].rank
        if rank is None or not expected <= rank <= expected + _LONGEST_GAP:
            return LineRole.TEXT
        if any(self._last_place.get(number, -1) > index for number in range(expected, rank)):
            return LineRole.TEXT
        reach, rival_reach = self._reaches[index]
        if (in_sponsor or self._is_in_list(index)) and rival_reach >= reach:
            return LineRole.DOUBTFUL
        return LineRole.ENTRY

    def looks_like_entry(self, index: int) -> bool:
        """Tell whether a line out of order looks like a misnumbered entry with a summary.

        That is a title rather than a sentence, and under it a line that is no highlight.
        """
        line = self._lines[index]
        if line.rank is None or line.ends_sentence or self._is_in_list(index):
            return False
        following = self._lines[index + 1 : index + 2]
        return any(
            next_line.rank is None and not next_line.opens_sponsor and not next_line.split_lead()
            for next_line in following
        )

    def _is_in_list(self, index: int) -> bool:
        """Tell whether the next line, or the one before, has the neighbouring number."""
        rank = self._rank(index)
        return rank is not None and (
            self._rank(index - 1) == rank - 1 or self._rank(index + 1) == rank + 1
        )

    def _rank(self, index: int) -> int | None:
        return self._lines[index].rank if 0 <= index < len(self._lines) else None


def read_lines(text: str) -> list[Line]:
    """Read the lines that are not blank."""
    numbered = enumerate(map(without_outer_tags, text.split("\n")), start=1)
    return [Line.read(number, raw) for number, raw in numbered if raw.strip(" \t\r\u00a0\ufeff")]


def _numbered(text: str) -> tuple[int | None, str]:
    match = _NUMBERED.fullmatch(text)
    if match is None or not _has_words(match["title"]):
        return None, ""
    return int(match["number"]), match["title"].strip()


def _has_words(text: str) -> bool:
    return any(letter.isalnum() for letter in text)


def _is_lead(text: str) -> bool:
    return (
        _has_words(text)
        and len(text) <= _LONGEST_LEAD
        and len(text.split()) <= _MOST_LEAD_WORDS
        and not _SENTENCE_END_INSIDE.search(text)
    )


def _links(text: str) -> tuple[tuple[Link, ...], bool]:
    """Collect the links of a line, and tell whether it holds nothing else.

    In a line of nothing but links the words before an address are its label. An address
    inside a sentence stays there as text.
    """
    if "http" not in text:
        return (), False
    rest = _LABELLED_LINK.sub("", text)
    if not _has_words(rest):
        found = [_labelled(match) for match in _LABELLED_LINK.finditer(text)]
        return tuple(found), bool(found)
    return tuple(Link(_name(match), match["url"]) for match in _LINK.finditer(text)), False


def _labelled(match: re.Match[str]) -> Link:
    if match["bare"]:
        return Link(match["before"] or _UNNAMED_LINK, match["bare"].rstrip(".,;"))
    name = _name(match)
    return Link(f"{match['before']}: {name}" if match["before"] else name, match["url"])


def _name(match: re.Match[str]) -> str:
    return str(match["label"]).strip() or _UNNAMED_LINK
