"""Measure how long it takes to find the alerts that the entries of a new edition match.

Each run takes in another edition, so that nothing comes from a memory.
"""

import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path

from sqlalchemy import func, select
from sqlmodel import col

from bot.library.search import parse_query
from store import search
from store.database import Session
from store.library import arxiv
from store.readers import alerts
from store.tables.library import EditionRow, EntryRow, PaperRow
from tests.benchmarks.inputs import sqlite
from tests.benchmarks.inputs.large_stores import Pool, pool_of, week
from tests.benchmarks.inputs.setup import Stage, copied, opened
from tests.benchmarks.inputs.stored_alerts import AUTHORS, store_alerts
from tests.benchmarks.measure import Figure, Stopwatch
from tests.bot.ingest.imports import take_in
from tests.fakes.arxiv import paper

NOW = datetime(2026, 1, 12, 9, 0, tzinfo=UTC)
SOURCE = "grown"
_MOST_RUNS = 5
_AIM = 2_000  # ms within which an edition is to find its own
# As many as the job asks for at once.
_AT_ONCE = 500


def matched_alerts(stage: Stage, number: int, runs: int) -> Iterator[Figure]:
    """Match so many alerts against an edition of twenty entries; the floor reads what is found."""
    pool = pool_of(stage.archive.read_bytes())
    with copied(stage.filled) as path, opened(path) as database:
        asyncio.run(database.write(store_alerts, number))
        timed = []
        for run in range(1 + min(runs, _MOST_RUNS)):
            asyncio.run(database.write(take_in_edition, pool, run))
            with Session(database.engine) as session, Stopwatch() as mine:
                found = _matched(session, _newest(session))
            timed.append((_read(path, found), mine.milliseconds))
    floor, own = zip(*timed[1:], strict=True)
    name = f"new edition against {number:,} alerts"
    yield Figure(name, "ms", floor, own, _AIM, in_unit=True)


def _matched(session: Session, entries: Sequence[int]) -> list[int]:
    """Return the alerts that match some of the entries, as the job finds them."""
    filed = alerts.filed_under(session, search.entry_keys(session, entries))
    found: list[int] = []
    for start in range(0, len(filed), _AT_ONCE):
        stored = alerts.queries(session, filed[start : start + _AT_ONCE])
        queries = {
            number: parse_query(query.words, query.filters) for number, query in stored.items()
        }
        found += search.matching(session, queries, entries)
    return found


def _read(path: Path, found: Sequence[int]) -> float:
    """Return the ms of reading the words of some alerts."""
    with sqlite.connected(path) as connection, Stopwatch() as watch:
        connection.execute(
            "SELECT id, words FROM alert WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(found),),
        ).fetchall()
    return watch.milliseconds


def take_in_edition(session: Session, pool: Pool, number: int) -> None:
    """Take in an edition of two weeks' entries, and arXiv's answer about its papers."""
    (_, first), (_, second) = week(pool, 2 * number), week(pool, 2 * number + 1)
    both = (*first.entries, *second.entries)
    ranked = tuple(replace(each, rank=rank) for rank, each in enumerate(both, 1))
    take_in(session, replace(first, entries=ranked), SOURCE, NOW)
    of_entries = select(col(EntryRow.paper_id)).where(col(EntryRow.id).in_(_newest(session)))
    query = select(col(PaperRow.arxiv_id)).where(col(PaperRow.id).in_(of_entries))
    ids = sorted(filter(None, session.connection().scalars(query)))
    told = [paper(one, authors=(author,)) for one, author in zip(ids, cycle(AUTHORS))]
    arxiv.store_answers(session, ids, told, NOW, NOW)


def _newest(session: Session) -> list[int]:
    """Return the entries of the edition that was taken in last."""
    of_source = select(func.max(col(EditionRow.id))).where(col(EditionRow.source) == SOURCE)
    last = of_source.scalar_subquery()
    query = select(col(EntryRow.id)).where(col(EntryRow.edition_id) == last)
    return [*session.connection().scalars(query.order_by(col(EntryRow.position)))]
