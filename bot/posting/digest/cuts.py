"""Cuts of a paper: shortened by meaning, with a line on what is left out. Pure."""

import re
from dataclasses import dataclass, replace

from bot.replies.blocks import Block, Button, PaperCard, Text
from bot.replies.wording import count, number, shorten
from store.records import Entry

_SENTENCE_END = re.compile(r"[.!?。][\"”’)]*(?=\s)|\n\n")
_WHOLE = 1_000_000


@dataclass(frozen=True, slots=True)
class Cut:
    """The shown extent of a paper: numbers of highlights and links, characters of the rest.

    `small` leaves the topics out, and shortens the paper's place in its edition.
    """

    summary: int = _WHOLE
    highlights: int = _WHOLE
    links: int = _WHOLE
    title: int = _WHOLE
    small: bool = False


WHOLE = Cut()
_FIRST = Cut(summary=1_500, links=6)
_FEW_LINKS = 2
_LONGEST_PLACE = 100
_LONGEST_TITLE = 50  # read aloud
SMALL = Cut(150, 0, _FEW_LINKS, small=True)


def cut_steps(highlights: int) -> tuple[Cut, ...]:
    """Return the cuts to try on papers with at most so many highlights, the lightest first."""
    fewer = (replace(_FIRST, highlights=most) for most in range(highlights, -1, -1))
    shorter = (replace(_FIRST, summary=length, highlights=0) for length in (1000, 700, 500, 300))
    least = (Cut(0, 0, 0, title, small=True) for title in (200, 100, 60, 30, 15))
    return (WHOLE, *fewer, *shorter, SMALL, *least)


def details_button(entry: Entry) -> Button:
    """Return the button to all about a paper."""
    label = f"Details {number(entry)}"
    aloud = f"{label}: {shorten(entry.title, _LONGEST_TITLE)}"
    return Button(label, f"show {entry.ref}", aloud=aloud)


def cut_card(card: PaperCard, entry: Entry, cut: Cut) -> tuple[Block, ...]:
    """Return a shortened card, and below it a line on what is left out."""
    shown = replace(
        card,
        title=shorten(card.title, cut.title),
        where=shorten(card.where, _LONGEST_PLACE) if cut.small else card.where,
        summary=at_sentence(card.summary or "", cut.summary) or None,
        highlights=card.highlights[: cut.highlights],
        links=card.links[: cut.links],
        topics=() if cut.small else card.topics,
    )
    left = _left_out(card, shown)
    if not left:
        return (shown,)
    return shown, Text(f"Left out: {', '.join(left)}; {details_button(entry).label} has all.")


def at_sentence(text: str, longest: int) -> str:
    """Shorten a text that is too long after a sentence, or after a word."""
    if len(text) <= longest:
        return text
    if not longest:
        return ""
    ends = [found.end() for found in _SENTENCE_END.finditer(text, 0, longest - 1)]
    if ends and ends[-1] > longest // 2:
        return f"{text[: ends[-1]].rstrip()} …"
    return shorten(text, longest)


def _left_out(card: PaperCard, shown: PaperCard) -> list[str]:
    highlights = len(card.highlights) - len(shown.highlights)
    links = len(card.links) - len(shown.links)
    left = {
        "the end of its title": shown.title != card.title,
        "its summary": card.summary and not shown.summary,
        "the end of its summary": shown.summary and shown.summary != card.summary,
        _of(highlights, len(card.highlights), "highlight"): highlights,
        _of(links, len(card.links), "link"): links,
        "its topics": shown.topics != card.topics,
    }
    return [words for words, is_left in left.items() if is_left]


def _of(left: int, of: int, noun: str) -> str:
    return count(left, noun) if left == of else f"{left} of {count(of, noun)}"
