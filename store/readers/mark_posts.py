"""Posts whose papers were voted for, looked through once more, so that they tell how many did.

A vote marks the deliveries that show its paper (`recount`) in its own transaction. Whoever takes a
delivery to lay it out reads the votes in one transaction with that, which puts the mark out. So
that either finds the other, a vote first locks the channels of its workspace, as a claim does
those of what it takes: what is taken before is there to be marked, and what is taken after finds
the vote. On SQLite one transaction has the whole file.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import BindParameter, bindparam, case, or_, select, true, union, update
from sqlmodel import Session

from store.database.statements import Prepared, among
from store.database.types import Instant
from store.records import LEFT, DeliveryState
from store.tables import TABLES

_SUBSCRIPTION = TABLES["subscription"]
_CHANNEL = TABLES["channel"]
_DELIVERY, _PART = TABLES["delivery"], TABLES["delivery_part"]
_ENTRY = TABLES["entry"]
_FUSED = TABLES["fused"]

# A vote shows so soon. Where more come, these edits are so far apart.
SOON = timedelta(seconds=1)
APART = timedelta(seconds=5)


def outdate(
    session: Session, workspace: int, papers: Collection[int], now: datetime | None = None
) -> None:
    """Have the posts of a workspace that show any of these papers looked through.

    What is being sent or edited right now is looked through after that. What waits already, perhaps
    because the platform asked for that, waits as long as it was to.

    Args:
        session: where they are stored, in the transaction that changes the votes: best one of
            `Database.write_rows`.
        workspace: its id in the database.
        papers: those that have other votes now, by their ids in the database.
        now: the time, by a clock that no setting moves: soon after it, where people vote and more
            will; without it at once.
    """
    connection = session.connection()
    channels = [each for (each,) in _CHANNELS.rows(connection, {"place": workspace})]
    if not channels:
        return
    editions = [each for (each,) in _EDITIONS.rows(connection, {"papers": [*papers]})]
    given = {"channels": channels, "editions": editions}
    if posts := [each for (each,) in _POSTS.rows(connection, given)]:
        if now is None:
            _AT_ONCE.run(connection, {"ids": posts})
        else:
            times = {"at": now, "soon": now + SOON, "later": now + APART, "lately": now - APART}
            _SOON.run(connection, {"ids": posts, **times})
        _MARK.run(connection, {"ids": posts})


def leave_posted(session: Session, edition: int) -> None:
    """Have the messages that are posted of an edition stay as they are for good."""
    of_edition = select(_DELIVERY.c.id).where(_DELIVERY.c.edition_id == edition)
    posted = _PART.c.delivery_id.in_(of_edition) & _PART.c.message.is_not(None)
    session.connection().execute(update(_PART).where(posted).values(digest=LEFT))


def _instant(name: str) -> BindParameter[datetime]:
    return bindparam(name, type_=Instant())


# Several votes may have them at once; a claim passes over them meanwhile.
_CHANNELS = Prepared(
    select(_CHANNEL.c.id)
    .where(_CHANNEL.c.workspace_id == bindparam("place"))
    .order_by(_CHANNEL.c.id)
    .with_for_update(read=True)
)
_OF_PAPERS = among(_ENTRY.c.paper_id, "papers")
_EDITIONS = Prepared(
    union(
        select(_ENTRY.c.edition_id).where(_OF_PAPERS),
        select(_FUSED.c.edition_id)
        .join(_ENTRY, _ENTRY.c.id == _FUSED.c.entry_id)
        .where(_OF_PAPERS),
    )
)
# In the order in which all others lock them too.
_POSTS = Prepared(
    select(_DELIVERY.c.id)
    .where(
        _DELIVERY.c.subscription_id.in_(
            select(_SUBSCRIPTION.c.id).where(among(_SUBSCRIPTION.c.channel_id, "channels"))
        ),
        among(_DELIVERY.c.edition_id, "editions"),
    )
    .order_by(_DELIVERY.c.id)
    .with_for_update(key_share=True)
)
# What is marked already, or waits, has its time.
_QUEUED = update(_DELIVERY).where(
    among(_DELIVERY.c.id, "ids"),
    _DELIVERY.c.state == DeliveryState.SENT,
    ~_DELIVERY.c.recount,
    or_(_DELIVERY.c.owner.is_not(None), _DELIVERY.c.ready_at.is_(None)),
)
_LATELY = _DELIVERY.c.enqueued_at.between(_instant("lately"), _instant("at"))
_SOON = Prepared(
    _QUEUED.values(
        # From then on is how long that is tried.
        enqueued_at=_instant("at"),
        ready_at=case((_LATELY, _instant("later")), else_=_instant("soon")),
    )
)
_AT_ONCE = Prepared(_QUEUED.values(ready_at=_DELIVERY.c.enqueued_at))
_MARK = Prepared(
    update(_DELIVERY)
    .where(among(_DELIVERY.c.id, "ids"), ~_DELIVERY.c.recount)
    .values(recount=true())
)
