"""Entries as a CSV table, for spreadsheets.

The format is RFC 4180's (https://www.rfc-editor.org/rfc/rfc4180): lines end with carriage
return and line feed, a cell with a comma, a quote or a line break stands in quotes.

A spreadsheet runs a cell that begins like a formula, and the text comes from documents that
nobody vouches for. So, as OWASP advises (ASVS 5.0, 1.2.10, and
https://owasp.org/www-community/attacks/CSV_Injection), such a cell gets an apostrophe in
front, which spreadsheets take for the mark of text. A cell that begins with an apostrophe of
its own gets one as well: whoever takes one away from each cell that has one has the exact text.
"""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence

from bot.export.links import entry_url
from bot.export.text import clean
from store.records import Edition, Entry

COLUMNS = (
    "ref", "source", "first_day", "last_day", "rank", "episode", "title", "summary", "heading",
    "section", "topics", "arxiv_id", "doi", "url",
)  # fmt: skip
"""The header."""

# The last four are the wide forms, which count in Japanese and Chinese spreadsheets. Blanks in
# front are no protection: some programs trim them.
_FORMULA = re.compile("['\t\n]|\\s*[=+@\uff1d\uff0b\uff0d\uff20-]")


def to_csv(editions: Sequence[Edition]) -> str:
    """Write the entries of editions, one a row, in the order given, under a header."""
    return table(
        COLUMNS, (facts(edition, entry) for edition in editions for entry in edition.entries)
    )


def table(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """Write rows under a header; what a row does not have is empty."""
    lines = io.StringIO(newline="")
    written = csv.DictWriter(lines, columns)
    written.writeheader()
    for row in rows:
        written.writerow({column: _cell(fact) for column, fact in row.items()})
    return lines.getvalue()


def facts(edition: Edition, entry: Entry) -> dict[str, object]:
    """Return the row of an entry, under the names of the columns."""
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


def _cell(fact: object) -> str:
    """Return a fact as text that no spreadsheet runs; what is unknown is empty."""
    text = "" if fact is None else clean(str(fact))
    return f"'{text}" if _FORMULA.match(text) else text
