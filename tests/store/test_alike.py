"""Rows that are mostly alike, read on both databases."""

from datetime import timedelta
from typing import Any

from sqlalchemy import Select, select, update
from sqlmodel import col

from store.database import Database, Session
from store.database.statements import Alike, among
from store.posting.subscriptions import select_subscriptions
from store.records import DeliveryState, Layout
from store.tables.posting import DeliveryRow
from tests.store.ledgers import DUE
from tests.store.stocks import comes, stocked

Row = tuple[Any, ...]
_SHAPED = {
    "state": DeliveryState.SENT,
    "layout": Layout.THREAD,
    "topics": ("agents", "né"),
    "not_topics": (),
    "content_at": DUE + timedelta(microseconds=1),
}


async def test_they_say_what_they_say_when_each_is_parsed(database: Database) -> None:
    """Instants, times, choices and lists come as from any other query, and so does nothing."""
    await comes(database)
    await database.write(stocked, ("T1", "C1"), ("T1", "C2"), ("T2", "C3"))
    await database.write(_shape, 2)
    for query in (select(DeliveryRow), select_subscriptions()):
        rows, plain = await database.read(_both_ways, query)
        assert len(rows) == 3
        assert rows == plain
        assert [[*map(type, row)] for row in rows] == [[*map(type, row)] for row in plain]


async def test_of_no_rows_there_are_none(database: Database) -> None:
    """A query that finds nothing is answered so."""
    alike = Alike(select(DeliveryRow))
    assert await database.read(lambda session: alike.rows(session.connection(), {})) == []


async def test_ids_are_looked_up(database: Database) -> None:
    """To find a few rows by their ids no database looks at all of them."""
    query = select(col(DeliveryRow.fencing_token)).where(among(col(DeliveryRow.id), "ids"))

    def plan(session: Session) -> str:
        connection = session.connection()
        explain = "EXPLAIN QUERY PLAN" if database.is_sqlite else "EXPLAIN"
        if not database.is_sqlite:  # it would look at all of so few
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        said = str(query.compile(dialect=connection.dialect)).replace("%(ids)s", "?")
        ids = "'[1, 2]'" if database.is_sqlite else "'{1, 2}'"
        rows = connection.exec_driver_sql(f"{explain} {said.replace('?', ids)}")
        return str(rows.all())

    assert "Index Cond" in (said := await database.read(plan)) or "SEARCH delivery" in said


def _both_ways(session: Session, query: Select[Any]) -> tuple[list[Row], list[Row]]:
    connection = session.connection()
    return Alike(query).rows(connection, {}), [tuple(row) for row in connection.execute(query)]


def _shape(session: Session, delivery: int) -> None:
    statement = update(DeliveryRow).where(col(DeliveryRow.id) == delivery).values(**_SHAPED)
    session.connection().execute(statement)
