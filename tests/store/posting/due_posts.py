"""Stores in which many posts are owed at once."""

from dataclasses import replace
from datetime import timedelta

from store.database import Database, Session
from store.posting.editions_to_post import newest_editions
from store.posting.queue import enqueue
from store.posting.subscriptions import add_subscription
from store.records import Channel, Workspace
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in
from tests.store.posting.delivery_rows import DUE, ORDER

WEEK = timedelta(weeks=1)


async def comes(database: Database, week: int = 0) -> None:
    """Import the edition of a week."""
    draft = edition(entry(1, f"Paper of week {week}"), first_day=MONDAY + week * WEEK)
    await database.write(take_in, draft)


def stocked(
    session: Session, *places: tuple[str, str], ready: timedelta = timedelta()
) -> list[int]:
    """Give an order to each channel, by workspace and channel, and owe it the newest edition.

    It is ready so long after it is due.
    """
    orders = [
        add_subscription(session, replace(ORDER, channel=Channel(Workspace("test", team), name)))
        for team, name in places
    ]
    again(session, *orders, ready=ready)
    return orders


def again(session: Session, *orders: int, ready: timedelta = timedelta()) -> None:
    """Owe orders the newest edition."""
    [last] = newest_editions(session, (DUE + 9 * WEEK).date()).values()
    enqueue(session, orders, last.id, DUE, DUE + ready)
