"""Tables: rows of cells where a platform has tables, else lines. Pure."""

from collections.abc import Iterator, Sequence

from adapters.common.layout.limits import Limits
from adapters.common.layout.looks import Look
from adapters.common.layout.pieces import Piece, Span, TableRow, worded
from adapters.common.layout.texts import cleaned
from bot.replies.blocks import Table

_DESCRIBED_BY = 2  # the first cells: a name and what it is


def table_pieces(block: Table, group: int, limits: Limits) -> list[Piece]:
    """Return a table, or the line of each row with its other facts in small print below."""
    columns = tuple(map(cleaned, block.columns))
    rows = [tuple(map(cleaned, row)) for row in block.rows]
    lines = [worded(limits, group, _line(columns, row), joined=True) for row in rows]
    cells = [tuple(map(Span, row)) for row in rows]
    return as_rows(lines, columns, cells, limits) or [piece for line in lines for piece in line]


def as_rows(
    lines: Sequence[list[Piece]],
    columns: tuple[str, ...],
    cells: Sequence[tuple[Span, ...]],
    limits: Limits,
) -> list[Piece]:
    """Return lines as the rows of a table; none where the platform has none that holds them."""
    if not (0 < len(columns) <= limits.most_columns and len(lines) <= limits.most_rows):
        return []
    whole = all(len(line) == 1 for line in lines)
    short = all(_weight(row, limits) <= limits.longest_run for row in (*cells, _spans(columns)))
    if not (whole and short and all(columns)):
        return []
    return [
        line._replace(row=TableRow(columns, row), joined=False)
        for (line,), row in zip(lines, cells, strict=True)
    ]


def _line(columns: Sequence[str], row: Sequence[str]) -> Iterator[Span]:
    """Give the name of a row, what it is, and below that its other facts with their headings."""
    name, about = row[0] if row else "", " ".join(row[1:_DESCRIBED_BY])
    pairs = [*zip(columns, row, strict=True)][_DESCRIBED_BY:]
    facts = " · ".join(f"{heading}: {fact}" for heading, fact in pairs if fact)
    yield Span(f"{name}: " if name and about else name, Look.BOLD)
    yield Span(about)
    yield Span(f"\n{facts}" if facts and (name or about) else facts, Look.FAINT)


def _spans(words: Sequence[str]) -> tuple[Span, ...]:
    return tuple(map(Span, words))


def _weight(row: Sequence[Span], limits: Limits) -> int:
    texts = (text for span in row for text in (span.text, span.url or ""))
    return sum(map(limits.weight, texts))
