"""What arXiv says of a paper, as blocks beside its card."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.replies import Block, Fields, Level, Notice, PaperCard, Text
from bot.wording import count, day
from store.library.arxiv import ArxivPaper
from store.records import Edition

_AUTHORS_NAMED = 3
_CATEGORIES_NAMED = 5


def told_by_arxiv(card: PaperCard, edition: Edition, told: ArxivPaper) -> list[Block]:
    """Return a card and what arXiv says: the abstract only where the edition has no summary."""
    card = replace(card, arxiv_id=card.arxiv_id or told.arxiv_id)
    blocks: list[Block] = [card, Fields(tuple(_facts(edition, told)))]
    if told.withdrawn:
        notice = Notice(Level.WARNING, "This paper was withdrawn from arXiv.", told.comment or "")
        blocks.insert(0, notice)
    if not card.summary and told.abstract:
        blocks.append(Text(f"Abstract: {told.abstract}"))
    return blocks


def _facts(edition: Edition, told: ArxivPaper) -> Iterator[tuple[str, str]]:
    if told.authors:
        yield "Authors" if len(told.authors) > 1 else "Author", in_short(told.authors)
    yield "Submitted", day(told.submitted_at.date())
    if told.categories:
        yield "Categories", ", ".join(told.categories[:_CATEGORIES_NAMED])
    updated_on = told.updated_at.date()
    if told.version > 1 and updated_on > edition.last_day:
        yield "New version", f"v{told.version} of {day(updated_on)}, after this edition"


def in_short(authors: Sequence[str]) -> str:
    """Name the first authors, and say how many others there are."""
    named = authors[:_AUTHORS_NAMED]
    others = len(authors) - len(named)
    if others:
        return f"{', '.join(named)} and {count(others, 'other')}"
    *first, last = named
    return f"{', '.join(first)} and {last}" if first else last
