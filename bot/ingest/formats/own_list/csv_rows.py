"""Lists as tables with separators: a sheet's, Notion's and Zotero's CSV, and our own. All pure.

RFC 4180 with a comma, a semicolon, a tab or a bar: https://www.rfc-editor.org/rfc/rfc4180
"""

import csv
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from bot.domain.drafts import Note
from bot.ingest.formats.own_list.columns import (
    Columns,
    check_columns,
    is_header,
    without_formula_mark,
)
from bot.ingest.formats.own_list.inline import Piece, pieces_of, plain_pieces
from bot.ingest.formats.own_list.rows import Rows
from bot.ingest.formats.own_list.weeks import Evidence
from bot.ingest.limits import LONGEST_LINE

_SEPARATORS = ",;\t|"
# Excel's own first line.
_NAMED_SEPARATOR = "sep="
_LOOKED_AT = 200
# A quote that is not closed within so many lines is none; so many are looked into again.
_MOST_LINES = 100
_MOST_RETRIES = 200
_MARKS = ("](", "**")


def looks_like_table(text: str) -> bool:
    """Tell a table by its first line, in which a column is named as a title."""
    head = _head(text)
    if head.lstrip()[:1] in {"<", "{", "#", "|", "@"} or len(head) > LONGEST_LINE:
        return False
    separator = _separator(text)
    cells = next((cells for _, cells in _records([head], separator)), None) or ()
    return is_header(cells) and (len(cells) > 1 or "\n" in text.strip())


def read_table(text: str, evidence: Evidence) -> Rows:
    """Read the rows of a table whose first row names its columns."""
    rows = Rows()
    lines = text.split("\n")
    separator, skipped = _separator(text), _skipped(lines)
    records = _records(lines[skipped:], separator)
    looked_at = list(islice(records, _LOOKED_AT))
    head, names = looked_at[0]
    check_columns(len(names or ()), head + skipped)
    columns = Columns.of_table([cells for _, cells in looked_at if cells])
    below = chain(looked_at[1:], records)
    if columns is None:
        rows.warnings.append(Note(head + skipped, "none of the columns is named as a title"))
        rows.unread += [Note(line + skipped, "a table without titles") for line, _ in below]
        return rows
    for number, cells in below:
        line = number + skipped
        if cells is None:
            rows.unread.append(Note(line, "a quote or a cell without an end, left out"))
            continue
        found = columns.read(line, columns.cells(cells, _pieces), evidence)
        if isinstance(found, Note):
            rows.unread.append(found)
        elif found:
            rows.found.append(found)
    return rows


def _skipped(lines: Sequence[str]) -> int:
    """Return the number of lines above the head: blank ones, and Excel's own."""
    place = next((i for i, line in enumerate(lines) if line.strip()), 0)
    return place + lines[place].lower().startswith(_NAMED_SEPARATOR)


def _head(text: str) -> str:
    start = text.lstrip("\n \ufeff")
    first, _, rest = start.partition("\n")
    return rest.partition("\n")[0] if first.lower().startswith(_NAMED_SEPARATOR) else first


def _separator(text: str) -> str:
    """Return the sign that splits the head into the most cells."""
    head = _head(text)[:LONGEST_LINE]
    bare = "".join(part for i, part in enumerate(head.split('"')) if i % 2 == 0)
    return max(_SEPARATORS, key=bare.count)


def _records(lines: Sequence[str], separator: str) -> Iterator[tuple[int, list[str] | None]]:
    """Yield the records with their first line; `None` for one whose quote has no end."""
    place, retries = 0, 0
    while place < len(lines):
        if not lines[place].strip():
            place += 1
            continue
        end = min(len(lines), place + _MOST_LINES)
        cells, used = _record(lines[place:end], separator)
        if cells is None:
            retries += 1
            yield place + 1, None
            if retries > _MOST_RETRIES:
                yield from ((i + 1, None) for i in range(place + 1, len(lines)) if lines[i].strip())
                return
            place += 1
        else:
            yield place + 1, cells
            place += used


def _record(lines: Sequence[str], separator: str) -> tuple[list[str] | None, int]:
    """Read the first record of some lines; return its cells and how many lines it takes."""
    if '"' not in lines[0]:
        return lines[0].split(separator), 1
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=separator, strict=True)
    try:
        cells = next(reader)
    except (csv.Error, StopIteration):
        return None, 1
    return cells, reader.line_num


def _pieces(cell: str) -> list[Piece]:
    text = without_formula_mark(cell)[:LONGEST_LINE]
    lines = (
        line.strip().lstrip("-*\u2022").strip() if "\n" in text else line
        for line in text.split("\n")
    )
    flat = " ".join(filter(None, lines))
    return pieces_of(flat) if any(mark in flat for mark in _MARKS) else plain_pieces(flat)
