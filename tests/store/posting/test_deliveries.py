"""Which deliveries tell how subscriptions stand, on both databases."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import select
from sqlmodel import col

from store.database import Database, Session
from store.posting.deliveries import list_telling, of_subscriptions
from store.posting.queue import enqueue
from store.posting.subscriptions import add_subscription
from store.records import DeliveryState
from store.tables.library import EditionRow
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in
from tests.store.posting.delivery_rows import became
from tests.store.posting.test_subscriptions import ORDER

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
WEEK = timedelta(weeks=1)
TODAY = (START + 8 * WEEK).date()


def _owed_all(session: Session, order: int) -> list[int]:
    """Owe an order each edition that is stored, a week after another; return the deliveries."""
    editions = session.connection().scalars(
        select(col(EditionRow.id)).order_by(col(EditionRow.last_day))
    )
    for number, edition_id in enumerate(editions.all()):
        assert enqueue(session, [order], edition_id, START + number * WEEK, START)
    return [each.id for each in of_subscriptions(session, [order])]


async def test_as_few_as_tell_how_an_order_stands_are_read(database: Database) -> None:
    """The last, the last few sent, each source's newest, and whatever nobody knows of."""
    for week in range(8):
        source = "paperdive" if week == 1 else "dair"
        await database.write(
            take_in, edition(entry(1, "A paper"), first_day=MONDAY + week * WEEK), source
        )
    first, second = [await database.write(add_subscription, ORDER) for _ in range(2)]
    made = await database.write(_owed_all, first)
    for place, each in enumerate(made):
        state = {0: DeliveryState.UNKNOWN, 7: DeliveryState.SKIPPED}.get(place, DeliveryState.SENT)
        await database.write(became, each, state)
    other = await database.write(_owed_all, second)
    told = await database.read(list_telling, [first], 3, TODAY)
    assert [each.id for each in told] == [made[place] for place in (0, 1, 4, 5, 6, 7)]
    assert [each.id for each in await database.read(list_telling, [second], 3, TODAY)] == [
        other[1],
        other[7],
    ]
    assert await database.read(list_telling, [], 3, TODAY) == []
    early = await database.read(list_telling, [second], 3, MONDAY + timedelta(days=1))
    assert [each.id for each in early] == [other[0], other[1], other[7]]
