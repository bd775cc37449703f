"""The weeks of a list's rows, and the editions that they make. All pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from bot.domain.drafts import (
    DocumentKind,
    EditionDraft,
    EntryDraft,
    ParseOptions,
    RawDocument,
    YearRule,
)
from bot.domain.paper_ids import arxiv_id
from bot.domain.week_years import YearEvidence
from bot.errors import DocumentError
from bot.ingest.formats.own_list.items import PAPER, each_once, paper_or_address
from bot.ingest.formats.own_list.rows import ListRow, ListRows, NamedWeek
from bot.ingest.formats.own_list.weeks import week_of_day, week_of_file
from store.records import Heading, Link
from store.text import title_key

FirstFetched = Mapping[str, tuple[date, date]]
"""The days of the edition in which a row was stored, by the row's keys."""
_UNNAMED = "Papers of the week"
_Place = tuple[NamedWeek, int, str]


def place_rows(
    rows: ListRows, document: RawDocument, options: ParseOptions, evidence: YearEvidence
) -> list[EditionDraft]:
    """Make editions of a list's rows, in the order in which their weeks first come.

    Raises:
        DocumentError: where a row has no week, or `--week` would unite weeks.
    """
    weeks: dict[date, tuple[NamedWeek, int, str]] = {}
    groups: dict[date, list[ListRow]] = {}
    whole = _week_of_all(rows, document, options, evidence)
    for row in rows.found:
        week, line, title = _week_of(row, whole, options) or _no_week(document, row)
        before = weeks.get(week.first_day)
        if before is None or before[0].last_day < week.last_day:
            weeks[week.first_day] = (
                week,
                before[1] if before else line,
                before[2] if before else title,
            )
        groups.setdefault(week.first_day, []).append(row)
    return [_edition(*weeks[day], groups[day], rows.title) for day in groups]


def first_fetched(editions: Iterable[EditionDraft]) -> FirstFetched:
    """Return the days of stored editions by the keys of their rows; the earliest edition counts."""
    found: dict[str, tuple[date, date]] = {}
    for edition in sorted(editions, key=lambda edition: edition.first_day):
        for entry in edition.entries:
            for key in _keys(entry.title, entry.links):
                found.setdefault(key, (edition.first_day, edition.last_day))
    return found


def _keys(title: str, links: Sequence[Link]) -> list[str]:
    """Return the keys by which a row is known again: its paper's addresses, its title."""
    addresses = (link.url.rstrip("/").partition("://")[2] for link in links if link.label == PAPER)
    return [*addresses, title_key(title) or title]


def _week_of_all(
    rows: ListRows, document: RawDocument, options: ParseOptions, evidence: YearEvidence
) -> NamedWeek | None:
    if options.week:
        headings = {row.week.week.first_day for row in rows.found if row.week and row.week.text}
        if len(headings) > 1:
            raise DocumentError(
                f"{document.path} holds {len(headings)} weeks; --week would unite them.",
                "Leave --week out: its headings name the weeks.",
            )
        first, last = options.week
        return NamedWeek(first, last, YearRule.OPTION)
    return rows.week or week_of_file(document.path, evidence)


def _week_of(row: ListRow, whole: NamedWeek | None, options: ParseOptions) -> _Place | None:
    """Return the week of a row, its first line and its title."""
    if row.week and not options.week:
        return row.week.week, row.week.line, row.week.text
    if whole is None and options.first_fetched is not None:
        if row.day:
            whole = week_of_day(row.day)
        else:
            known = _known(row, options.first_fetched)
            whole = NamedWeek(*known) if known else week_of_day(options.today)
    return (whole, row.line, "") if whole else None


def _known(row: ListRow, fetched: FirstFetched) -> tuple[date, date] | None:
    keys = _keys(row.title, row.links)
    return next((fetched[key] for key in keys if key in fetched), None)


def _no_week(document: RawDocument, row: ListRow) -> _Place:
    raise DocumentError(
        f"{document.path}: nothing names the week of line {row.line}; give it with --week.",
        "Or put a heading above it, such as “Week of Jan 5, 2026”."
        " A list that is followed with --kind list needs neither.",
    )


def _each_once(rows: Sequence[ListRow]) -> list[ListRow]:
    """Unite rows that tell the same paper of arXiv under the same title."""
    groups: dict[object, list[ListRow]] = {}
    for place, row in enumerate(rows):
        arxiv = arxiv_id(row.links)
        groups.setdefault((title_key(row.title), arxiv) if arxiv else place, []).append(row)
    return [_united(same) if len(same) > 1 else same[0] for same in groups.values()]


def _united(rows: Sequence[ListRow]) -> ListRow:
    notes = dict.fromkeys(row.note for row in rows if row.note)
    return replace(
        rows[0],
        note=" ".join(notes) or None,
        highlights=tuple(dict.fromkeys(each for row in rows for each in row.highlights)),
        links=each_once((link for row in rows for link in row.links), paper_or_address),
    )


def _edition(
    week: NamedWeek, line: int, heading: str, rows: Sequence[ListRow], title: str | None
) -> EditionDraft:
    rows = _each_once(rows)
    ranks = [row.rank for row in rows]
    are_printed = None not in ranks and len(set(ranks)) == len(ranks)
    headings = dict.fromkeys(row.heading for row in rows if row.heading)
    entries = [
        EntryDraft(
            line=row.line,
            title=row.title,
            rank=row.rank if are_printed else place,
            summary=row.note,
            highlights=row.highlights,
            heading=row.heading,
            links=row.links,
        )
        for place, row in enumerate(rows, start=1)
    ]
    return EditionDraft(
        line=line,
        kind=DocumentKind.LIST,
        title=title or heading or _UNNAMED,
        first_day=week.first_day,
        last_day=week.last_day,
        year_rule=week.year_rule,
        headings=tuple(Heading(each, None) for each in headings),
        entries=tuple(entries),
    )
