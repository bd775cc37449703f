"""Entries as a CSV table, for spreadsheets.

The format is RFC 4180's (https://www.rfc-editor.org/rfc/rfc4180): lines end with carriage return
and line feed, and a cell with a comma, a quote or a line break is in quotes.

A spreadsheet runs a cell that begins like a formula, and the text is untrusted. So, as OWASP
advises (ASVS 5.0, 1.2.10, and https://owasp.org/www-community/attacks/CSV_Injection), such a cell
gets an apostrophe in front, by which spreadsheets mark text. A cell that begins with its own
apostrophe gets one as well: a program that removes one from each cell has the exact text.
"""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence

from bot.domain.paper_ids import entry_url
from bot.domain.untrusted_text import clean
from bot.export.bibliography import NO_ARXIV_FACTS, ArxivFacts
from store.records import Edition, Entry

COLUMNS = (
    "ref", "source", "first_day", "last_day", "rank", "episode", "title", "summary", "heading",
    "section", "topics", "arxiv_id", "doi", "url",
)  # fmt: skip
# The last four are the full-width forms, which Japanese and Chinese spreadsheets evaluate. Some
# programs trim blanks, so they are no protection.
_FORMULA = re.compile("['\t\n]|\\s*[=+@\uff1d\uff0b\uff0d\uff20-]")


def to_csv(editions: Sequence[Edition], _arxiv: ArxivFacts = NO_ARXIV_FACTS) -> str:
    """Write the entries of editions under a header, one a row."""
    return table(
        COLUMNS, (row_of(edition, entry) for edition in editions for entry in edition.entries)
    )


def table(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """Write rows under a header; missing columns are empty."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns)
    writer.writeheader()
    for row in rows:
        writer.writerow({column: _cell(value) for column, value in row.items()})
    return text.getvalue()


def row_of(edition: Edition, entry: Entry) -> dict[str, object]:
    """Return the row of an entry, by column."""
    return {
        "ref": entry.ref,
        "source": edition.source,
        "first_day": edition.first_day,
        "last_day": edition.last_day,
        "rank": entry.rank,
        "episode": entry.episode,
        "title": entry.title,
        "summary": entry.summary,
        "heading": entry.heading,
        "section": entry.section,
        "topics": ";".join(entry.topics),
        "arxiv_id": entry.arxiv_id,
        "doi": entry.doi,
        "url": entry_url(entry),
    }


def _cell(value: object) -> str:
    """Return a value as text that no spreadsheet runs; `None` is empty."""
    text = "" if value is None else clean(str(value))
    return f"'{text}" if _FORMULA.match(text) else text
