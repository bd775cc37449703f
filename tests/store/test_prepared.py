"""Statements that the driver runs are those that SQLAlchemy would, on both databases."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from sqlalchemy import bindparam, insert, select, text, update
from sqlmodel import col

from store.database import Database, Session
from store.database.statements import Prepared, among
from store.database.types import Instant
from store.errors import StoreError
from store.records import DeliveryState
from store.tables.coordination import RequestClaimRow
from store.tables.posting import DeliveryRow
from tests.store.stocks import comes, stocked

NOON_IN_INDIA = datetime(2026, 3, 2, 12, 0, tzinfo=timezone(timedelta(hours=5, minutes=30)))

_PUT = Prepared(
    insert(RequestClaimRow).values(key=bindparam("named"), claimed_at=bindparam("since"))
)
_KEPT = Prepared(
    select(col(RequestClaimRow.key)).where(
        col(RequestClaimRow.claimed_at) == bindparam("on", type_=Instant())
    )
)
_SHAPE = (
    update(DeliveryRow)
    .where(among(col(DeliveryRow.id), "ids"))
    .values(
        state=DeliveryState.SENT,
        send_anyway=True,
        topics=bindparam("words"),
        fencing_token=col(DeliveryRow.fencing_token) + 1,
    )
)
_SHAPED = select(
    col(DeliveryRow.state),
    col(DeliveryRow.send_anyway),
    col(DeliveryRow.topics),
    col(DeliveryRow.fencing_token),
)


async def test_values_are_written_as_their_columns_have_them(database: Database) -> None:
    """Choices, lists, instants and truths, given or said by the statement, and odd signs."""
    await comes(database)
    await database.write(stocked, ("T1", "C1"), ("T1", "C2"))
    values = {"ids": [1, 2], "words": ("agents", "né", "%s ? :x")}

    def by_both(session: Session) -> list[list[tuple[Any, ...]]]:
        connection, said = session.connection(), []
        for prepared in (False, True):
            connection.execute(text("UPDATE delivery SET state = 'pending', fencing_token = 0"))
            if prepared:
                assert Prepared(_SHAPE).run(connection, values) == 2
            else:
                connection.execute(_SHAPE, values)
            said.append([tuple(row) for row in connection.execute(_SHAPED)])
        return said

    by_library, by_driver = await database.write(by_both)
    assert by_driver == by_library
    assert by_driver[0] == (DeliveryState.SENT, True, values["words"], 1)


async def test_an_instant_is_the_same_whatever_its_zone(database: Database) -> None:
    """It is found again by another way to say it; one without a zone is none."""

    def put(session: Session) -> list[tuple[Any, ...]]:
        connection = session.connection()
        _PUT.run(connection, {"named": 'it\'s 100 % \\ "odd"', "since": NOON_IN_INDIA})
        return _KEPT.rows(connection, {"on": NOON_IN_INDIA.astimezone(UTC)})

    assert await database.write(put) == [('it\'s 100 % \\ "odd"',)]
    naive = {"named": "k", "since": NOON_IN_INDIA.replace(tzinfo=None)}
    with pytest.raises(ValueError, match="no zone"):
        await database.write(lambda session: _PUT.run(session.connection(), naive))


async def test_a_value_that_is_missing_is_not_taken_for_nothing(database: Database) -> None:
    """Nothing is written then."""
    with pytest.raises(KeyError, match="since"):
        await database.write(lambda session: _PUT.run(session.connection(), {"named": "k"}))


async def test_what_the_driver_refuses_is_said_in_words(database: Database) -> None:
    """As whatever SQLAlchemy runs, with nothing written of the rest."""
    at = datetime(2026, 3, 2, tzinfo=UTC)

    def twice(session: Session) -> None:
        for _ in range(2):
            _PUT.run(session.connection(), {"named": "k", "since": at})

    with pytest.raises(StoreError):
        await database.write(twice)
    assert not await database.read(lambda session: _KEPT.rows(session.connection(), {"on": at}))
