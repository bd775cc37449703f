"""Rows that people keep of papers, and how these follow papers as entries move between them.

Each is a row of a person on a paper (`paper_id`) with the entry that the person saw (`entry_id`).

- A corrected edition moves nothing: papers keep their rows when their entries change places, are
  retitled, or are dropped and imported again.
- A paper without entries stays while a person keeps anything of it, with its ids and its title. An
  entry that is written with its arXiv id, its DOI, or its title and year takes it over.
- When papers become one, the rows that a person has on them become one: of saved papers the
  newest, with all notes, and as many of the tags as a paper may have; of seen papers the one that
  a brief lists, else the oldest, and read if any was; of votes the oldest.
- When papers that an alert told of become one, the alert has told of that one.
- When a paper is split, a row goes with the entry that the person saw. A row without an entry
  stays with the paper that keeps its id.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import delete, exists, insert, or_, select
from sqlmodel import Session, SQLModel, col

from store.database.statements import in_list, table_of
from store.tables.library import PaperRow
from store.tables.readers import (
    AlertPaperRow,
    DismissedPaperRow,
    SavedPaperRow,
    SeenPaperRow,
    VoteRow,
)

MOST_TAGS_OF_PAPER = 10
_BETWEEN_NOTES = " · "

Row = Mapping[str, Any]
_Join = Callable[[Sequence[Row]], Row]


def follow(
    session: Session,
    papers: Collection[int],
    homes: Mapping[int, int],
    moved: Mapping[int, int | None],
) -> None:
    """Move what people keep to the papers that it belongs to now.

    Args:
        session: the transaction that moves the entries.
        papers: the papers that gained or lost entries, which are all still stored.
        homes: the papers that became part of another one, with that one.
        moved: the entries that moved, each with its paper now; `None` means that the entry is
            deleted, or is of another paper than the one that the person saw.
    """
    connection = session.connection()
    for kept, when, join in _KEPT:
        table = table_of(kept)
        of_papers = in_list(table.c.paper_id, papers)
        query = select(table).where(of_papers).order_by(table.c[when].desc(), table.c.paper_id)
        before = [dict(row) for row in connection.execute(query).mappings()]
        after = [_moved(row, homes, moved) for row in before]
        if after == before:
            continue
        by_key: dict[tuple[object, ...], list[Row]] = defaultdict(list)
        for row in after:
            by_key[tuple(row[column.name] for column in table.primary_key)].append(row)
        connection.execute(delete(table).where(of_papers))
        connection.execute(insert(table), [join(rows) for rows in by_key.values()])


def _moved(row: Row, homes: Mapping[int, int], moved: Mapping[int, int | None]) -> Row:
    paper, entry = row["paper_id"], row["entry_id"]
    home = homes.get(paper, paper)
    if entry not in moved:
        return {**row, "paper_id": home}
    now = moved[entry]
    if now is None:
        return {**row, "paper_id": home, "entry_id": None}
    return {**row, "paper_id": now}


def _one_saved(rows: Sequence[Row]) -> Row:
    """Return the row of all; its note has the tags that are too many, so that none is lost."""
    notes = dict.fromkeys(row["note"] for row in rows if row["note"])
    tags = tuple(dict.fromkeys(tag for row in rows for tag in row["tags"]))
    kept, beyond = tags[:MOST_TAGS_OF_PAPER], tags[MOST_TAGS_OF_PAPER:]
    told = (f"More tags: {', '.join(beyond)}",) if beyond else ()
    return {**rows[0], "note": _BETWEEN_NOTES.join((*notes, *told)) or None, "tags": kept}


def _one_seen(rows: Sequence[Row]) -> Row:
    seen = min(rows, key=lambda row: (row["brief_id"] is None, row["seen_at"]))
    read = [row["read_at"] for row in rows if row["read_at"]]
    return {**seen, "read_at": max(read, default=None)}


def _oldest(rows: Sequence[Row]) -> Row:
    return rows[-1]


_KEPT: tuple[tuple[type[SQLModel], str, _Join], ...] = (
    (SavedPaperRow, "saved_at", _one_saved),
    (SeenPaperRow, "seen_at", _one_seen),
    (VoteRow, "voted_at", _oldest),
    (DismissedPaperRow, "dismissed_at", _oldest),
    (AlertPaperRow, "found_at", _oldest),
)


IS_KEPT = or_(*(exists().where(table_of(row).c.paper_id == col(PaperRow.id)) for row, *_ in _KEPT))
"""The condition that a person keeps anything of a paper."""
