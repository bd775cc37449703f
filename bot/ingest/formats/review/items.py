"""What one line of a list of episodes says: numbers, title, links and a length."""

import re
from dataclasses import dataclass

from bot.ingest.formats.review.marks import numbers_in, without_marks
from store.records import Link

_BULLET = re.compile(r"^(?:[-*\u2022\u25cf\u25aa]|\d{1,3}[.)])\s+")
_FIRST_MARK = re.compile(r"^[(\[]?E(\d{1,4})\b[)\]]?(?![-/]\w)[.:]?")
_ARXIV = re.compile(
    r"[(\[]?(?:https?://)?(?:www\.)?(?:arxiv\.org/(?:abs|pdf)/|arxiv:\s?)?"
    r"(?<![\d.])(?P<id>\d{4}\.\d{4,5})(?P<more>v\d{1,2})?(?:\.pdf)?(?!\d)[)\]]?",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"https?://[^\s)\]]+", re.IGNORECASE)
# A title may end in "15 Minutes", so only the short form is cut from its end.
_LENGTH = re.compile(
    r"(?<!\w)(?:\d{1,2}\s?h\s)?\d{1,3}\s?min\.?$|^\d{1,3}\s?minutes$|^\d{1,2}:\d{2}(?::\d{2})?$",
    re.IGNORECASE,
)
_LABEL = re.compile(r"(?:paper|arxiv|pdf):?", re.IGNORECASE)
# A dot or bar without blanks around it is part of a name ("W·K").
_PART = re.compile(r"(?:^|(?<=\s))[\u00b7\u2022|](?=\s|$)")
_AROUND_PARTS = " \t\u00a0:,;-\u2013\u2014"


@dataclass(frozen=True, slots=True)
class ListLine:
    """One line of a list, taken apart.

    `words` are the parts that are no fact, the title first; `dropped` tells whether something
    was understood that no entry keeps: a length, the version of an arXiv number, a label.
    """

    numbers: tuple[int, ...]
    words: tuple[str, ...]
    links: tuple[Link, ...]
    dropped: bool

    @property
    def is_item(self) -> bool:
        """Whether the line begins an episode, or several by their numbers alone."""
        return len(self.numbers) == 1 or (bool(self.numbers) and not self.words)

    @property
    def is_fact(self) -> bool:
        """Whether the line only adds links or a length to the episode before it."""
        return not self.numbers and not self.words and (bool(self.links) or self.dropped)


def read_list_line(text: str) -> ListLine:
    """Take a line apart: `E31 Title · 2501.01234 · 12 min`, in any order after the mark."""
    numbers, rest = _split_mark(_BULLET.sub("", text))
    links, rest = _split_links(rest)
    parts = [part.strip(_AROUND_PARTS) for part in _PART.split(rest)]
    words = [part.strip(_AROUND_PARTS) for part in (_LENGTH.sub("", part) for part in parts)]
    kept = tuple(word for word in words if word and not _LABEL.fullmatch(word))
    dropped = words != parts or any(_LABEL.fullmatch(word) for word in words)
    versions = any(match["more"] for match in _ARXIV.finditer(text))
    return ListLine(numbers, kept, tuple(dict.fromkeys(links)), dropped or versions)


def _split_mark(text: str) -> tuple[tuple[int, ...], str]:
    """Part the episode numbers from the rest; a first mark leaves later ones to the title."""
    numbers = numbers_in(text)
    bare = without_marks(text, frozenset(numbers)).strip(f"{_AROUND_PARTS}&\u00b7|")
    if numbers and bare in ("", "and"):
        return numbers, ""
    if numbers and (first := _FIRST_MARK.match(text)):
        return (int(first[1]),), text[first.end() :]
    return numbers, bare


def _split_links(text: str) -> tuple[list[Link], str]:
    """Part the addresses from the rest; a separator takes the place of each."""
    papers = [f"https://arxiv.org/abs/{match['id']}" for match in _ARXIV.finditer(text)]
    rest = _ARXIV.sub(" | ", text)
    others = _ADDRESS.findall(rest)
    links = [Link("Paper", url) for url in papers] + [Link("Link", url) for url in others]
    return links, _ADDRESS.sub(" | ", rest)
