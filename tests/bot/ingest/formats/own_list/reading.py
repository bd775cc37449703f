"""Short ways to read lists in tests."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from bot.domain.drafts import EditionDraft, EntryDraft, ParsedDocument, ParseOptions
from bot.ingest import documents

TODAY = date(2026, 11, 21)
WEEK = (date(2026, 1, 5), date(2026, 1, 11))
SLEEPY = "https://arxiv.org/abs/2607.11111"
NAP = "https://arxiv.org/abs/2607.22222"


def parse(
    text: str | bytes,
    path: str = "list.md",
    kind: str | None = None,
    week: tuple[date, date] | None = WEEK,
    fetched: Mapping[str, tuple[date, date]] | None = None,
) -> ParsedDocument:
    """Read a document as the program does; its kind is recognised unless it is given."""
    data = text if isinstance(text, bytes) else text.encode(errors="surrogatepass")
    options = ParseOptions(TODAY, week=week, first_fetched=fetched)
    return documents.parse(documents.read(path, data).document, options, kind)


def entries(parsed: ParsedDocument) -> list[EntryDraft]:
    """Return the entries of all editions."""
    return [entry for edition in parsed.editions for entry in edition.entries]


def told(entry: EntryDraft) -> tuple[Any, ...]:
    """Return the title of an entry, its note and its addresses."""
    return entry.title, entry.summary, *(link.url for link in entry.links)


def papers(parsed: ParsedDocument) -> list[tuple[Any, ...]]:
    """Return what is told of each paper."""
    return [told(entry) for entry in entries(parsed)]


def titles(parsed: ParsedDocument) -> list[str]:
    """Return the titles of all papers."""
    return [entry.title for entry in entries(parsed)]


def addresses(parsed: ParsedDocument) -> list[tuple[str, str]]:
    """Return the title and the first address of each paper."""
    return [(entry.title, entry.links[0].url) for entry in entries(parsed)]


def weeks(parsed: ParsedDocument) -> list[tuple[str, list[str]]]:
    """Return the first day of each edition, with its titles."""
    return [(days(each)[0], [entry.title for entry in each.entries]) for each in parsed.editions]


def days(edition: EditionDraft) -> tuple[str, str]:
    """Return the first and the last day of an edition."""
    return edition.first_day.isoformat(), edition.last_day.isoformat()
