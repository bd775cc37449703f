"""The Markdown archive: a heading and a table for every week, newest first.

    ## Top ML Papers of the Week (January 9 - January 15) - 2023
    | **Paper** | **Links** |
    | --- | --- |
    | 1) **Title** - summary | [Paper](…), [Tweet](…) |

Its index may lead to further files, such as one a year, and then it may have no week itself. The
shape and its many irregularities are described in `docs/formats/archive.md`.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date
from itertools import takewhile

from bot.domain.drafts import (
    DocumentKind,
    EditionDraft,
    Format,
    Note,
    ParsedDocument,
    ParseOptions,
    RawDocument,
)
from bot.domain.week_years import ResolvedWeek, year_of_document
from bot.errors import DocumentError, WrongShape
from bot.ingest.formats.archive.outline import (
    NO_ROW,
    OUTSIDE,
    ArchiveOutline,
    IndexLine,
    Section,
    WeekSection,
    read_heading,
)
from bot.ingest.formats.archive.rows import (
    WEEK_SIZE,
    ends_open,
    is_item_of_paper,
    is_ranked_title,
    read_rows,
)
from bot.ingest.formats.archive.weeks import (
    Placed,
    check_index,
    listed_years,
    place_weeks,
)
from bot.ingest.formats.slugs import is_predefined, source_slug

_HAS_RANKED_ROW = re.compile(r"^[ \t]*\|[ \t*_]*\d{1,3}[ \t]*\\?[).]", re.MULTILINE)
# A line of a list with a link to another Markdown file.
_LEADS_ON = re.compile(r"^[ \t]*[-*+][ \t].*\]\([^()\[\]#\s]+\.(?:md|markdown)\b", re.MULTILINE)
_FEWEST_LINES = 2
_MARKDOWN = (".md", ".markdown")
# The notes on rows that are lost.
_LOST = re.compile(r"\bnot kept$|^the row has no title$")
_YEAR = re.compile(r"(?:19|20)\d{2}")
_YEAR_SIGNS = " ,-\u2013\u2014"

# A week this long is more likely a slip of the pen than a week.
_LONGEST_WEEK_DAYS = 14

# So many weeks missing at the end of the index are a cut, even if the last week is complete.
_CUT_WEEKS = 3

_REMEDY = "Fetch the whole document and import it again; nothing was changed."

_NEIGHBOURS = "the weeks around this one"
_NO_WEEK = "There is no week with a table of papers in the document."
_SHAPE = (
    "An archive has headings such as `## Top AI Papers of the Week (January 5 - January 11) "
    "- 2026`, each over a table; name another kind with --kind."
)


def recognise(text: str) -> bool:
    """Tell an archive: a heading with a range of days over ranked table rows, or an index of such.

    An index has some lines with a range of days that lead to other Markdown files.
    """
    if _has_week(text):
        return True
    return len(_LEADS_ON.findall(text)) >= _FEWEST_LINES and bool(_files(ArchiveOutline(text)))


def _has_week(text: str) -> bool:
    if not _HAS_RANKED_ROW.search(text):
        return False
    dated = False
    for line in text.split("\n"):
        if dated and line.lstrip().startswith("|") and is_ranked_title(line):
            return True
        if heading := read_heading(line):
            dated = heading.phrase is not None
    return False


def parse(document: RawDocument, options: ParseOptions) -> ParsedDocument:
    """Read an archive.

    Raises:
        DocumentError: if it breaks off, or has no week with rows and days that can be real.
    """
    _refuse_cut_row(document.text)
    outline = ArchiveOutline(document.text)
    placed = _placed(outline, document.path, options)
    weeks = [found.week for found in placed]
    remarks, unplaced = check_index(outline.weeks, weeks, outline.index)
    _refuse_missing_weeks(outline, unplaced)
    editions, warnings = _editions(outline.weeks, weeks)
    files = _files(outline)
    if not editions and not files:
        raise WrongShape(_NO_WEEK, _SHAPE)
    note = "the index names a week that the document does not have"
    missing = (Note(line.line, note) for line in unplaced if line.file is None)
    near = (
        Note(section.line, f"the year {found.week.last_day.year} is that of {_NEIGHBOURS}")
        for section, found in zip(outline.weeks, placed, strict=True)
        if found.near and found.week
    )
    warnings += [*outline.warnings, *remarks, *missing, *near]
    warnings += [note for section in outline.unread for note in _unread(section)]
    unread = _unread_rows(document, warnings, outline.passed_over)
    warnings += _outside(unread, outline.passed_over)
    slug, title = _source(outline)
    return ParsedDocument(
        kind=DocumentKind.ARCHIVE,
        slug=slug,
        source_title=title,
        editions=tuple(editions),
        warnings=tuple(sorted(warnings, key=lambda note: note.line)),
        passed_over=tuple(sorted(outline.passed_over, key=lambda note: note.line)),
        files=files,
        unread_rows=len(unread),
    )


def _unread_rows(
    document: RawDocument, warnings: Sequence[Note], passed_over: Sequence[Note]
) -> set[int]:
    """Return the lines of rows that are not kept, and of items that lead to papers."""
    lines = document.lines
    lost = {note.line for note in warnings if _LOST.search(note.text)}
    beside = [note for note in (*warnings, *passed_over) if note.text in {OUTSIDE, NO_ROW}]
    return lost | {note.line for note in beside if is_item_of_paper(lines[note.line - 1])}


def _outside(unread: Collection[int], passed_over: Sequence[Note]) -> list[Note]:
    """Return one note on the items outside the weeks that lead to papers."""
    lines = [note.line for note in passed_over if note.line in unread]
    number = f"{len(lines):,} items lead" if len(lines) > 1 else "an item leads"
    return [Note(lines[0], f"{number} to a paper outside the weeks, not kept")] if lines else []


def _files(outline: ArchiveOutline) -> tuple[str, ...]:
    """Return the Markdown files that the index leads to, each once, in its order."""
    files = (line.file for line in outline.index if line.file)
    return tuple(dict.fromkeys(file for file in files if file.lower().endswith(_MARKDOWN)))


FORMAT = Format(kind=DocumentKind.ARCHIVE, recognise=recognise, parse=parse)


def _placed(outline: ArchiveOutline, path: str, options: ParseOptions) -> list[Placed]:
    """Return the days of every week by the best evidence."""
    year = year_of_document(outline.title, path)
    phrases = [section.phrase for section in outline.weeks]
    listed = listed_years(outline.weeks, outline.index)
    return place_weeks(phrases, listed, options, year)


def _unread(section: Section) -> list[Note]:
    """Report a heading that gives no days, and each row under it."""
    note = f"a row of the week in line {section.line}, which is not known, is not kept"
    rows = (Note(row.line, note) for row in section.rows)
    return [Note(section.line, "no week can be told from this heading"), *rows]


def _editions(
    sections: Sequence[WeekSection], weeks: Sequence[ResolvedWeek | None]
) -> tuple[list[EditionDraft], list[Note]]:
    """Make an edition of every week with rows, and notes on the others."""
    editions: dict[date, EditionDraft] = {}
    notes: list[Note] = []
    for section, week in zip(sections, weeks, strict=True):
        if not section.rows:
            notes.append(Note(section.line, "a week without rows"))
        elif week is None:
            notes += _unread(section)
        else:
            edition, odd = _edition(section, week)
            notes += odd
            first = editions.setdefault(week.first_day, edition)
            if first is not edition:
                editions[week.first_day], odd = _united(first, edition)
                notes += odd
    return [edition for edition in editions.values() if edition.entries], notes


def _edition(section: WeekSection, week: ResolvedWeek) -> tuple[EditionDraft, list[Note]]:
    entries, notes = read_rows(section.line, section.rows)
    edition = EditionDraft(
        line=section.line,
        kind=DocumentKind.ARCHIVE,
        title=_without_year(section.text),
        first_day=week.first_day,
        last_day=week.last_day,
        year_rule=week.year_rule,
        entries=entries,
    )
    if (week.last_day - week.first_day).days >= _LONGEST_WEEK_DAYS:
        notes.append(Note(section.line, "the week is longer than two weeks"))
    return edition, notes


def _without_year(heading: str) -> str:
    """Return a heading without the year at its end: ` - 2025`, `, 2025`."""
    if not _YEAR.fullmatch(heading[-4:]) or heading[-5:-4].isalnum():
        return heading
    return heading[:-4].rstrip(_YEAR_SIGNS) or heading


def _united(first: EditionDraft, second: EditionDraft) -> tuple[EditionDraft, list[Note]]:
    """Add the entries of ranks that the first of two editions of a week lacks from the second."""
    ranks = {entry.rank for entry in first.entries}
    new = tuple(entry for entry in second.entries if entry.rank not in ranks)
    text = f"the week of line {first.line} again; {len(new)} of its rows are new and kept there"
    notes = [Note(second.line, text)]
    notes += [
        Note(entry.line, f"the week of line {first.line} has this rank; the row is not kept")
        for entry in second.entries
        if entry.rank in ranks
    ]
    return replace(first, entries=first.entries + new), notes


def _source(outline: ArchiveOutline) -> tuple[str, str]:
    """Return the source's slug and title: by headings of a predefined source, else the title.

    The name in a heading is the text before its days: `Top AI Papers of the Week`.
    """
    before_days = (section.text[: section.phrase.start] for section in outline.weeks)
    names = Counter(text.strip(" ([-\u2013\u2014:,") for text in before_days)
    name = names.most_common(1)[0][0] if names else ""
    title = outline.title or name or "Archive"
    slug = source_slug(name)
    return (slug if is_predefined(slug) else source_slug(title)), title


def _refuse_cut_row(text: str) -> None:
    """Refuse a document that ends inside a row of a table, without a line break.

    Raises:
        DocumentError: if its last line is such a row.
    """
    whole = text.rstrip()
    last = whole.rpartition("\n")[2]
    if last.lstrip().startswith("|") and ends_open(last) and "\n" not in text[len(whole) :]:
        line = whole.count("\n") + 1
        raise DocumentError(
            f"The document breaks off in line {line}, within a row of a table.", _REMEDY
        )


def _refuse_missing_weeks(outline: ArchiveOutline, missing: Sequence[IndexLine]) -> None:
    """Refuse a document whose index goes on where its weeks end.

    A single missing week at the end may be a slip of the editor, unless the last week of the
    document is incomplete too.

    Raises:
        DocumentError: if the last lines of the index have no weeks.
    """
    sections = [*outline.weeks, *outline.unread]
    lost = {line.line for line in missing}
    here = [line for line in outline.index if line.file is None]
    run = len(list(takewhile(lambda line: line.line in lost, reversed(here))))
    if not sections or not run:
        return
    last = max(sections, key=lambda section: section.line)
    if run >= _CUT_WEEKS or len(last.rows) < WEEK_SIZE:
        end = last.rows[-1].line if last.rows else last.line
        weeks = "one more week" if run == 1 else f"{run} more weeks"
        raise DocumentError(
            f"The document breaks off in line {end}: its index goes on with {weeks}.", _REMEDY
        )
