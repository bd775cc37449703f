"""A team's own list: Markdown, a table, CSV, BibTeX, RIS or JSON; see `docs/own-list.md`."""

from bot.domain.drafts import (
    DocumentKind,
    Format,
    Note,
    ParsedDocument,
    ParseOptions,
    RawDocument,
)
from bot.domain.week_years import YearEvidence, year_of_document
from bot.errors import WrongShape
from bot.ingest.formats.html_lines import is_page
from bot.ingest.formats.own_list.markdown import read_markdown
from bot.ingest.formats.own_list.placing import place_rows
from bot.ingest.formats.own_list.references.bibtex import looks_like_bibtex, read_bibtex
from bot.ingest.formats.own_list.references.json_rows import looks_like_json, read_json
from bot.ingest.formats.own_list.references.ris import looks_like_ris, read_ris
from bot.ingest.formats.own_list.rows import ListRows
from bot.ingest.formats.own_list.signs import looks_like_list
from bot.ingest.formats.own_list.tables.csv_rows import looks_like_table, read_table
from bot.ingest.formats.own_list.weeks import title_of_file
from bot.ingest.formats.slugs import source_slug
from bot.ingest.limits import one_a_kind
from bot.ingest.unread_kinds import is_web_page

_UNNAMED = "Reading list"
_REMEDY = "What a list looks like: docs/own-list.md."
_NO_PAGE = "Give the address of the list as text, or import it as a file."
_MOST_SHOWN = 3


def recognise(text: str) -> bool:
    """Tell a list by its first signs: a reference, a head with titles, an item; a page is none."""
    if looks_like_json(text):
        return True
    if text.lstrip()[:1] == "{" or text.lstrip()[:2] in {"[{", "[]"} or is_page(text):
        return False
    return any(
        tell(text)
        for tell in (looks_like_ris, looks_like_bibtex, looks_like_table, looks_like_list)
    )


def parse(document: RawDocument, options: ParseOptions) -> ParsedDocument:
    """Parse a list; its slug is that of its title, else of its file's name.

    Raises:
        DocumentError: where no row was understood, or a row has no week, and for a web page,
            whose menus look like items.
    """
    if is_web_page(document.text):
        raise WrongShape(f"{document.path} is a web page, and no list.", _NO_PAGE)
    rows = _read(document, options)
    unread = sorted(rows.unread, key=lambda note: note.line)
    if not rows.found:
        shown = f": {rows.warnings[0].text}" if rows.warnings else _shown(unread)
        raise WrongShape(f"{document.path} has no row that is understood{shown}.", _REMEDY)
    title = rows.title or title_of_file(document.path) or _UNNAMED
    return ParsedDocument(
        kind=DocumentKind.LIST,
        slug=source_slug(title),
        source_title=title,
        editions=tuple(
            place_rows(rows, document, options, _evidence(document, options, rows.title))
        ),
        warnings=tuple(one_a_kind([*rows.warnings, *unread], _MOST_SHOWN)),
        passed_over=tuple(rows.passed_over),
        unread_rows=len(unread),
    )


def _read(document: RawDocument, options: ParseOptions) -> ListRows:
    text, evidence = document.text, _evidence(document, options, None)
    if looks_like_json(text):
        return read_json(text, evidence)
    if looks_like_ris(text):
        return read_ris(text)
    if looks_like_bibtex(text):
        return read_bibtex(text)
    if looks_like_table(text):
        return read_table(text, evidence)
    return read_markdown(text, evidence)


def _evidence(document: RawDocument, options: ParseOptions, title: str | None) -> YearEvidence:
    return YearEvidence(
        options.today, option=options.year, document=year_of_document(title, document.path)
    )


def _shown(notes: list[Note]) -> str:
    """Name the first lines that were not understood."""
    if not notes:
        return ""
    lines = ", ".join(str(note.line) for note in notes[:_MOST_SHOWN])
    return f" (line {lines}{', …' if len(notes) > _MOST_SHOWN else ''})"


FORMAT = Format(kind=DocumentKind.LIST, recognise=recognise, parse=parse)
