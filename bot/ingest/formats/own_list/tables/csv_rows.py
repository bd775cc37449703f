"""Lists as tables with separators: a sheet's, Notion's and Zotero's CSV, and our own. All pure.

RFC 4180 with a comma, a semicolon, a tab or a bar: https://www.rfc-editor.org/rfc/rfc4180
"""

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from bot.domain.drafts import Note
from bot.domain.week_years import YearEvidence
from bot.ingest.formats.own_list.inline import TextRun, pieces_of, plain_pieces, web_address_of
from bot.ingest.formats.own_list.rows import ListRows
from bot.ingest.formats.own_list.tables.columns import (
    Columns,
    check_columns,
    has_links,
    is_header,
    linked_columns,
    no_titles,
    without_formula_mark,
)
from bot.ingest.limits import LONGEST_LINE

_SEPARATORS = ",;\t|"
# Excel's own first line.
_NAMED_SEPARATOR = "sep="
_LOOKED_AT = 200
# A quote that is not closed within so many lines is none; so many are looked into again.
_MOST_LINES = 100
_MOST_RETRIES = 200
_MARKS = ("](", "**")
_MOST_ABOVE = 10
# What stands below a title in Markdown and below no name of a column.
_IN_MARKDOWN = re.compile(
    r"\s{0,9}(?:[=-]{2,}\s*$|[-*+\u2022]\s|\(?\d{1,3}[.)]\s|#{1,6}\s|\*\*|\[[^\[\]]{1,300}\]\(|https?://|>)"
)
# Zotero writes the field of arXiv behind a number.
_FIELD_OF_ARXIV = re.compile(r"^(arXiv:\S{5,40}) \[[\w.-]{1,20}\]")
_RULE_SIGNS = frozenset("|-: \t")
# A cell that is computed: the link of a sheet, or what says nothing of a paper.
_NAME = r"=[^\W\d_][\w.]{0,30}\("
_FORMULA = re.compile(
    rf"{_NAME}(?:\s*(?:\"(?P<url>[^\"]{{0,2000}})\"|[^\"(),;]{{1,60}})\s*"
    r"(?:[,;]\s*\"(?P<label>(?:[^\"]|\"\"){0,500})\")?)?"
)
# Sheets write it without quotes around it, however many separators and quotes it holds.
_BARE_FORMULA = re.compile(
    rf"(?P<before>\A|[,;\t|])(?P<cell>{_NAME}\s*(?:\"[^\"]{{0,2000}}\"|[^\"(),;]{{1,60}})"
    r"(?:\s*[,;]\s*\"(?:[^\"]|\"\"){0,500}\")?\s*\))(?=[,;\t|]|\s*\Z)"
)


def looks_like_table(text: str) -> bool:
    """Tell a table by its head, in which a column is named as a title, else one as a link."""
    lines = text.lstrip("\n \ufeff").split("\n", _MOST_ABOVE + 1)
    if lines[0].lstrip()[:1] in {"<", "{", "#", "|", "@"}:
        return False
    place = _place_of_head(lines)
    cells = _cells(lines[place])
    if len(lines[place]) > LONGEST_LINE or _is_rule(lines[place + 1 : place + 2]):
        return False
    below = next(filter(str.strip, lines[place + 1 :]), "")
    if len(cells) == 1 and (not below or _IN_MARKDOWN.match(below)):
        return False
    return is_header(cells) or has_links(cells)


def read_table(text: str, evidence: YearEvidence) -> ListRows:
    """Read the rows of a table whose first row names its columns."""
    rows = ListRows()
    lines = text.split("\n")
    skipped = _place_of_head(lines)
    separator = _separator(lines[skipped])
    records = _records(lines[skipped:], separator)
    looked_at = list(islice(records, _LOOKED_AT))
    head, names = looked_at[0]
    check_columns(len(names or ()), head + skipped)
    cells_below = [[_pieces(cell) for cell in cells] for _, cells in looked_at[1:21] if cells]
    linked = linked_columns(cells_below)
    columns = Columns.of_table([cells for _, cells in looked_at if cells], linked)
    below = chain(looked_at[1:], records)
    if columns is None:
        rows.warnings.append(Note(head + skipped, no_titles(names or ())))
        rows.unread += [Note(line + skipped, "a table without titles") for line, _ in below]
        return rows
    for number, cells in below:
        line = number + skipped
        if cells is None:
            rows.unread.append(Note(line, "a quote or a cell without an end, left out"))
            continue
        for each in columns.papers(columns.cells(cells, _pieces)):
            rows.add(columns.read(line, each, evidence))
    return rows


def _place_of_head(lines: Sequence[str]) -> int:
    """Return the place of the head: below blank lines, Excel's own and those of a sheet's title."""
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    first += lines[first].lower().startswith(_NAMED_SEPARATOR)
    for place in range(first, min(len(lines), first + _MOST_ABOVE)):
        cells = _cells(lines[place])
        is_markdown = lines[place].lstrip()[:1] == "|" or _is_rule(lines[place + 1 : place + 2])
        is_first = place == first or (len(cells) > 1 and _is_head_below(lines, first, place))
        if is_header(cells) and not is_markdown and is_first:
            return place
    return min(first, len(lines) - 1)


def _is_head_below(lines: Sequence[str], first: int, place: int) -> bool:
    """Tell the head of a table below a sheet's title: it has more cells, and rows below."""
    separator = _separator(lines[place])

    def filled(line: str) -> int:
        return sum(bool(cell.strip(' "')) for cell in line[:LONGEST_LINE].split(separator))

    below = next(filter(str.strip, lines[place + 1 :]), "")
    most = max(map(filled, lines[first:place]))
    return most < filled(lines[place]) and (separator in below or not below)


def _is_rule(below: Sequence[str]) -> bool:
    """Tell the rule below the head of a table in Markdown."""
    return bool(below) and "-" in below[0] and _RULE_SIGNS.issuperset(below[0])


def _cells(line: str) -> Sequence[str]:
    line = line[: LONGEST_LINE + 1]
    return next((cells for _, cells in _records([line], _separator(line))), None) or ()


def _separator(head: str) -> str:
    """Return the sign that splits the head into the most cells."""
    bare = "".join(part for i, part in enumerate(head[:LONGEST_LINE].split('"')) if i % 2 == 0)
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
    whole = (_quoted(line, separator) if "=" in line else line for line in lines)
    reader = csv.reader((f"{line}\n" for line in whole), delimiter=separator, strict=True)
    try:
        return next(reader), reader.line_num
    except (csv.Error, StopIteration):
        pass
    # Quotes in the midst of a cell are words of it.
    is_closed = lines[0].count('"') % 2 == 0 and len(lines[0]) <= LONGEST_LINE
    return next(csv.reader([lines[0]], delimiter=separator), None) if is_closed else None, 1


def _quoted(line: str, separator: str) -> str:
    """Return a line whose computed cells are in quotes."""

    def quoted(found: re.Match[str]) -> str:
        if found["before"] not in {"", separator}:
            return found[0]
        inner = found["cell"].replace('"', '""')
        return f'{found["before"]}"{inner}"'

    return _BARE_FORMULA.sub(quoted, line)


def _pieces(cell: str) -> list[TextRun]:
    if cell[:1] == "=" and (found := _FORMULA.match(cell)):
        url = web_address_of(found["url"] or "")
        return [TextRun((found["label"] or "").replace('""', '"'), url)]
    text = _FIELD_OF_ARXIV.sub(r"\1", without_formula_mark(cell)[:LONGEST_LINE], count=1)
    lines = (
        line.strip().lstrip("-*\u2022").strip() if "\n" in text else line
        for line in text.split("\n")
    )
    flat = " ".join(filter(None, lines))
    return pieces_of(flat) if any(mark in flat for mark in _MARKS) else plain_pieces(flat)
