"""Rows that are given to a statement as one value, on both databases."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from sqlalchemy import select
from sqlmodel import col

from store.database import Database, Session
from store.database.statements import OfRows
from store.tables.coordination import RequestClaimRow
from store.tables.library import SourceRow

NOON_IN_INDIA = datetime(2026, 3, 2, 12, 0, tzinfo=timezone(timedelta(hours=5, minutes=30)))
_PUT = OfRows(
    "INSERT INTO source (slug, title) SELECT slug, title FROM {given}", slug="text", title="text"
)
_CLAIM = OfRows(
    "INSERT INTO request_claim (key, claimed_at) SELECT key, at FROM {given}",
    key="text",
    at="timestamptz",
)


async def test_each_row_is_taken_as_it_is(database: Database) -> None:
    """Whatever signs it holds, and an instant as a column of instants has it."""
    odd = 'it\'s :odd, {given} "%s" \\ \u2028 – 한글'

    def put(session: Session) -> list[tuple[Any, ...]]:
        connection = session.connection()
        _PUT.run(connection, [("a", odd), ("b", "")])
        _CLAIM.run(connection, [("k", NOON_IN_INDIA)])
        rows = connection.execute(
            select(col(SourceRow.slug), col(SourceRow.title)).order_by("slug")
        )
        at = connection.execute(
            select(col(RequestClaimRow.key), col(RequestClaimRow.claimed_at)).where(
                col(RequestClaimRow.claimed_at) == NOON_IN_INDIA
            )
        )
        return [*map(tuple, rows), *map(tuple, at)]

    noon = datetime(2026, 3, 2, 6, 30, tzinfo=UTC)
    assert await database.write(put) == [("a", odd), ("b", ""), ("k", noon)]


async def test_no_rows_change_nothing(database: Database) -> None:
    """A statement may be given none."""
    assert await database.write(lambda session: _PUT.run(session.connection(), [])) == 0


async def test_an_instant_without_a_zone_is_refused(database: Database) -> None:
    """It is none, and nothing is written."""
    naive = NOON_IN_INDIA.replace(tzinfo=None)
    with pytest.raises(ValueError, match="no zone"):
        await database.write(lambda session: _CLAIM.run(session.connection(), [("k", naive)]))
