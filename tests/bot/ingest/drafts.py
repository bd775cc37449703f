"""Short ways to write drafts in tests."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from bot.domain.drafts import DocumentKind, EditionDraft, EntryDraft, YearRule
from store.records import Highlight, Link

MONDAY = date(2026, 1, 5)


def entry(rank: int, title: str, summary: str | None = None, **fields: object) -> EntryDraft:
    """Draft a ranked entry; `links` and `highlights` may be given as plain strings."""
    links = fields.pop("links", ())
    highlights = fields.pop("highlights", ())
    draft = EntryDraft(
        line=rank,
        rank=rank,
        title=title,
        summary=summary,
        links=tuple(Link("Paper", url) for url in _strings(links)),
        highlights=tuple(Highlight("Lead", text) for text in _strings(highlights)),
    )
    return replace(draft, **fields)  # type: ignore[arg-type] # tests name real fields


def edition(
    *entries: EntryDraft,
    kind: DocumentKind = DocumentKind.NEWSLETTER,
    first_day: date = MONDAY,
    year_rule: YearRule | None = YearRule.WEEKDAY,
    title: str = "Top Papers",
) -> EditionDraft:
    """Draft a week's edition."""
    return EditionDraft(
        line=1,
        kind=kind,
        title=title,
        first_day=first_day,
        last_day=first_day + timedelta(days=6),
        year_rule=year_rule,
        entries=entries,
    )


def without_lines(edition: EditionDraft) -> EditionDraft:
    """Return an edition without where it and its entries stood."""
    entries = tuple(replace(entry, line=0) for entry in edition.entries)
    return replace(edition, line=0, entries=entries)


def _strings(value: object) -> Sequence[str]:
    return value if isinstance(value, (list, tuple)) else ()
