"""The ranked newsletter: a heading with its week, then numbered entries with highlights.

The rules and the warnings: `docs/formats/newsletter.md`.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from bot.domain.drafts import (
    DocumentKind,
    EditionDraft,
    Format,
    ParsedDocument,
    ParseOptions,
    RawDocument,
)
from bot.domain.week_years import YearEvidence, resolve_week
from bot.errors import DocumentError, WrongShape
from bot.ingest.formats.html_lines import is_page, without_outer_tags
from bot.ingest.formats.newsletter.edition import (
    EditionReading,
    bracketed_week,
    find_heading,
    read_edition,
    source_of,
    split_editions,
)
from bot.ingest.formats.newsletter.lines import Line, read_lines

_HEAD_LINES = 10
_NUMBERED = re.compile(r"\s*\(?\d{1,3}\\?[.)]\s")
# A title with a link or a note behind it, and what follows the line of an item.
_WHOLE_ITEM = re.compile(
    r"\s*\(?\d{1,3}\\?[.)]\s+(?:\*\*)?(?:\[[^\[\]]{1,300}\]\(http|[^*]{1,300}\*\*\s*[-:\u2013\u2014(\[])"
)
_NEXT_ITEM = re.compile(r"\(?\d{1,3}\\?[.)]\s|[ \t]{2,}\S")


def recognise(text: str) -> bool:
    """Tell a newsletter by a week in brackets near the top and a numbered entry below it.

    Web pages, feeds, data (`{`) and rows of a table (`|`) are signs of other kinds.
    """
    if text.lstrip()[:1] == "{" or is_page(text):
        return False
    rows = (raw for raw in map(without_outer_tags, text.split("\n")) if raw.strip())
    top = [Line.read(number, raw) for number, raw in enumerate(islice(rows, _HEAD_LINES))]
    heading = next((line for line in top if line.rank is None and bracketed_week(line.text)), None)
    if heading is None or any(line.text.startswith("|") for line in top):
        return False
    below = (line.rank for line in top[heading.number + 1 :])
    return (1 in below or _has_first_entry(rows)) and not _is_list(text)


def _is_list(text: str) -> bool:
    """Tell a plain list: most numbered lines have all of an item, or their text is indented.

    An entry of a newsletter has a title alone, and its summary in a line of its own.
    """
    rows = [raw for raw in text.split("\n") if raw.strip()]
    pairs = [pair for pair in zip(rows, [*rows[1:], ""], strict=True) if _NUMBERED.match(pair[0])]
    # Behind the last line there is nothing to tell from.
    whole = [bool(_WHOLE_ITEM.match(raw) or _NEXT_ITEM.match(below)) for raw, below in pairs]
    told = [found for found, (_, below) in zip(whole, pairs, strict=True) if found or below]
    return 2 * sum(told) > len(told)


def _has_first_entry(rows: Iterable[str]) -> bool:
    for raw in rows:
        if raw.lstrip().startswith("|"):
            return False
        if Line.read(0, raw).rank == 1:
            return True
    return False


def parse(document: RawDocument, options: ParseOptions) -> ParsedDocument:
    """Parse a newsletter: one edition as a rule, several where a file holds several.

    The slug is that of the publication's name, else that of the heading without its week.

    Raises:
        DocumentError: where it has no heading with a week, no entry, an impossible week, or breaks
            off.
    """
    parts = [_read(part, document, options) for part in split_editions(read_lines(document.text))]
    readings = [reading for reading, _ in parts]
    _refuse_truncated(document, readings[-1])
    slug, title = source_of(readings[0])
    return ParsedDocument(
        kind=DocumentKind.NEWSLETTER,
        slug=slug,
        source_title=title,
        editions=tuple(edition for _, edition in parts),
        warnings=tuple(note for reading in readings for note in reading.warnings),
        passed_over=tuple(note for reading in readings for note in reading.passed_over),
        unread_rows=sum(reading.unread for reading in readings),
    )


def _read(
    lines: Sequence[Line], document: RawDocument, options: ParseOptions
) -> tuple[EditionReading, EditionDraft]:
    heading = find_heading(lines)
    if heading is None:
        raise WrongShape(
            f"{document.path} has no heading with its week.",
            "Put a line such as “Top Papers (January 5-11)” above its first entry.",
        )
    reading = read_edition(lines, heading)
    if reading is None:
        raise WrongShape(
            f"{document.path} has no numbered entry below line {heading.number}.",
            "Entries start with their rank, as in “1. Title”.",
        )
    return reading, _edition(reading, document, options)


def _edition(reading: EditionReading, document: RawDocument, options: ParseOptions) -> EditionDraft:
    heading, published_on = reading.heading, reading.published_on
    evidence = YearEvidence(options.today, option=options.year, published=published_on)
    week = resolve_week(reading.week, evidence)
    if week is None:
        raise DocumentError(
            f"{document.path}, line {heading.number}: no year makes {heading.quoted} a week.",
            "Correct the days, or give the year with --year.",
        )
    return EditionDraft(
        line=heading.number,
        kind=DocumentKind.NEWSLETTER,
        title=heading.text,
        first_day=week.first_day,
        last_day=week.last_day,
        year_rule=week.year_rule,
        published_on=published_on,
        url=heading.links[0].url if heading.links else None,
        entries=reading.entries,
    )


def _refuse_truncated(document: RawDocument, reading: EditionReading) -> None:
    """Refuse a document that breaks off, so that half an edition never replaces a whole one.

    One that lacks usual entries must end a sentence, and its last entry needs a summary; one
    that has them all must end a sentence or a line.
    """
    if reading.is_short:
        is_whole = reading.ends_well
    else:
        is_whole = reading.last.ends_sentence or document.text.endswith("\n")
    if not is_whole:
        raise DocumentError(
            f"{document.path} breaks off in line {reading.last.number},"
            f" at entry {reading.last_rank}.",
            "Import the whole file.",
        )


FORMAT = Format(kind=DocumentKind.NEWSLETTER, recognise=recognise, parse=parse)
