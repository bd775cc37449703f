"""The rows of one week as entries, under ranks that are evident."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.drafts import EntryDraft, Note
from bot.ingest.formats.archive.cells import LeftCell
from bot.ingest.formats.archive.outline import Section
from bot.ingest.formats.archive.rows import ReadRow, read_row
from store.records import Link

# Every week of the real archive has ranks 1 to 10.
WEEK_SIZE = 10


@dataclass(frozen=True, slots=True)
class WeekRows:
    """The entries of a week in the order of the document, and what is odd about its rows."""

    entries: tuple[EntryDraft, ...]
    warnings: tuple[Note, ...]


def read_rows(section: Section) -> WeekRows:
    """Read a week's rows. A row without a title or an evident rank is only reported."""
    rows = [read_row(row) for row in section.rows]
    notes = [Note(row.row.line, problem) for row in rows for problem in row.problems]
    kept, copies = _without_copies([row for row in rows if row.cell.title])
    entries: list[EntryDraft] = []
    ranks = _Ranks(kept)
    for place, row in enumerate(kept):
        rank, remark = ranks.settle(place, row)
        notes += [Note(row.row.line, remark)] if remark else []
        entries += [row.entry(rank)] if rank else []
    return WeekRows(tuple(entries), (*notes, *copies, *_lacks(section, entries)))


def _without_copies(rows: Sequence[ReadRow]) -> tuple[list[ReadRow], list[Note]]:
    """Leave out rows that say exactly what an earlier row of the week says."""
    kept: dict[tuple[int | None, LeftCell, tuple[Link, ...]], ReadRow] = {}
    notes = []
    for row in rows:
        first = kept.setdefault((row.rank, row.cell, row.links), row)
        if first is not row:
            text = f"the same row as in line {first.row.line}, which is kept once"
            notes.append(Note(row.row.line, text))
    return list(kept.values()), notes


class _Ranks:
    """The ranks of a week while its rows are gone through in order."""

    def __init__(self, rows: Sequence[ReadRow]) -> None:
        self.printed = [row.rank for row in rows]
        self.owners: dict[int, int] = {}
        for place, rank in enumerate(self.printed):
            if rank and self._fit(place) > self._fit(self.owners.setdefault(rank, place)):
                self.owners[rank] = place
        self.last = 0

    def _fit(self, place: int) -> int:
        """Count the neighbours, 0 to 2, whose ranks go on to the rank at a place."""
        rank = self.printed[place] or 0
        before = self.printed[place - 1] if place else 0
        return (before == rank - 1) + (self.printed[place + 1 : place + 2] == [rank + 1])

    def settle(self, place: int, row: ReadRow) -> tuple[int | None, str | None]:
        """Take the printed rank, for the row that it fits best if several print it.

        Another row, or one without a rank, gets the one rank that its neighbours leave free;
        without links too, it has too little of an entry to be given a rank.
        """
        rank, gap = row.rank, self.last + 1
        if rank and self.owners[rank] == place:
            self.last = rank
            return rank, None
        what = f"rank {rank}, which another row has," if rank else "no rank"
        if (rank or row.links) and self._is_evident(place, gap):
            self.last = gap
            return gap, f"the row prints {what} and is kept under the rank left free for it, {gap}"
        return None, f"the row prints {what} and is not kept"

    def _is_evident(self, place: int, gap: int) -> bool:
        """Tell whether the rows before and after leave this one rank between them."""
        if gap in self.owners:
            return False
        if place + 1 == len(self.printed):
            return gap <= WEEK_SIZE
        return self.printed[place + 1] == gap + 1


def _lacks(section: Section, entries: Sequence[EntryDraft]) -> list[Note]:
    """Say which ranks a week lacks, and whether they stand out of order."""
    ranks = [entry.rank for entry in entries if entry.rank]
    notes = []
    if missing := [str(rank) for rank in range(1, WEEK_SIZE + 1) if rank not in ranks]:
        notes.append(Note(section.line, f"the week has no rank {', '.join(missing)}"))
    if ranks != sorted(ranks):
        notes.append(Note(section.line, "the ranks of the week do not stand in order"))
    return notes
