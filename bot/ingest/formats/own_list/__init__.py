"""A team's own list: Markdown, a table, CSV, BibTeX, RIS or JSON; see `docs/own-list.md`."""

import re
from functools import lru_cache

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
from bot.ingest.formats.own_list.html_items import with_items
from bot.ingest.formats.own_list.inline import is_paper_address, pieces_of
from bot.ingest.formats.own_list.items import is_titled_link
from bot.ingest.formats.own_list.markdown import read_markdown
from bot.ingest.formats.own_list.placing import place_rows
from bot.ingest.formats.own_list.references.bibtex import looks_like_bibtex, read_bibtex
from bot.ingest.formats.own_list.references.json_rows import looks_like_json, read_json
from bot.ingest.formats.own_list.references.ris import looks_like_ris, read_ris
from bot.ingest.formats.own_list.rows import ListRows
from bot.ingest.formats.own_list.tables.columns import is_header
from bot.ingest.formats.own_list.tables.csv_rows import looks_like_table, read_table
from bot.ingest.formats.own_list.titles import is_title_field, may_be_title
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


# The signs of a list, for recognition: an item, a bar of a table, the rule under its head.
_ITEM = re.compile(
    r"(?: {0,3}|\t)(?:[-*+\u2022\u25cf]"
    r"|[\u25cb\u25a0\u25aa\u25b6\u25ba\u27a4\u2192\u2713\u2714]\ufe0f?|\(?\d{1,3}\\?[.)])\s+\S"
    r"|#{1,6}\s+\(?\d{1,3}[.)]\s|\d{1,2}\ufe0f?\u20e3"
)
_NUMBER = re.compile(r" {0,3}\\?\[\d{1,3}\\?\]\s+\S")
_HEADING = re.compile(r" {0,3}#{1,6}\s+\S")
_FEWEST_HEADINGS = 2
_END = "."
_KEPT = 4  # a line is looked at from the one above, too
# So many lines below a title its address may stand.
_MOST_AWAITED = 5
_LOOKED_AT = 2_000
_TABLE_RULE_SIGNS = frozenset("|-: \t")
# The link of an item that leads to another part of the same site.
_LOCAL_LINK = re.compile(
    r"\]\((?:#|\.{0,2}/|[^()\s:]{0,200}\.(?:md|markdown|html?|ipynb)\b|[^()\s:./]{1,200}\))"
)
_LINK = re.compile(r"https?://|\bwww\.")


def looks_like_list(text: str) -> bool:
    """Tell a list by an item that is no link within the site, or a table with titles."""
    read = lru_cache(_KEPT)(pieces_of)
    before, headings, titles, numbers, awaited, in_table = "", 0, 0, 0, 0, False
    for line in [*with_items(text)[0].split("\n"), _END]:
        is_rule = "|" in before and "|" in line and _TABLE_RULE_SIGNS.issuperset(line)
        if is_rule and is_header(before.strip().strip("|").split("|")):
            return True
        in_table = is_rule or (in_table and "|" in line)
        if in_table and not is_rule and _leads_to_paper(line, titled=True):
            return True
        if _ITEM.match(line.lstrip("> ") if line[:1] == ">" else line) and not (
            _LOCAL_LINK.search(line) and not _LINK.search(line)
        ):
            return True
        titles += is_title_field(line)
        numbers += _NUMBER.match(line) is not None
        headings += bool(_HEADING.match(line) and _LINK.search(line))
        headings += bool(_HEADING.match(before) and _leads_to_paper(line))
        if before and line.strip() and may_be_title(before, line, read):
            titles += _leads_to_paper(before)
            awaited = 0 if _leads_to_paper(before) else _MOST_AWAITED
        if awaited and line.strip():
            awaited -= 1
            titles, awaited = (titles + 1, 0) if _leads_to_paper(line) else (titles, awaited)
        if max(headings, titles, numbers) >= _FEWEST_HEADINGS:
            return True
        before = line if line.strip() else before
    return False


def _leads_to_paper(line: str, *, titled: bool = False) -> bool:
    return "://" in line and any(
        is_paper_address(piece.url) and (is_titled_link(piece) or not titled)
        for piece in pieces_of(line[:_LOOKED_AT])
    )
