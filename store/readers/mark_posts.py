"""Posts whose papers were voted for, looked through once more, so that they tell how many did.

A vote marks the deliveries that show its paper (`votes_changed`) in its own transaction. Whoever
takes a delivery to lay it out reads the votes in one transaction with that, which puts the mark
out. So that either finds the other, a vote first locks the channels of its workspace, as a claim
does those of what it takes: what is taken before is there to be marked, and what is taken after
finds the vote. On SQLite one transaction has the whole file.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import BindParameter, bindparam, case, or_, select, true, union, update
from sqlmodel import Session, col

from store.database.statements import Prepared, among
from store.database.types import Instant
from store.records import LEFT, DeliveryState
from store.tables.library import ConsensusRankRow, EntryRow
from store.tables.posting import DeliveryPartRow, DeliveryRow, SubscriptionRow
from store.tables.workspaces import ChannelRow

# A vote shows so soon. Where more come, these edits are so far apart.
DELAY = timedelta(seconds=1)
INTERVAL = timedelta(seconds=5)


def mark_outdated(
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
            times = {
                "at": now,
                "soon": now + DELAY,
                "later": now + INTERVAL,
                "lately": now - INTERVAL,
            }
            _SOON.run(connection, {"ids": posts, **times})
        _MARK.run(connection, {"ids": posts})


def freeze_posted(session: Session, edition: int) -> None:
    """Have the messages that are posted of an edition stay as they are for good."""
    of_edition = select(col(DeliveryRow.id)).where(col(DeliveryRow.edition_id) == edition)
    posted = col(DeliveryPartRow.delivery_id).in_(of_edition) & col(DeliveryPartRow.message).is_not(
        None
    )
    session.connection().execute(update(DeliveryPartRow).where(posted).values(digest=LEFT))


def _instant(name: str) -> BindParameter[datetime]:
    return bindparam(name, type_=Instant())


# Several votes may have them at once; a claim passes over them meanwhile.
_CHANNELS = Prepared(
    select(col(ChannelRow.id))
    .where(col(ChannelRow.workspace_id) == bindparam("place"))
    .order_by(col(ChannelRow.id))
    .with_for_update(read=True)
)
_OF_PAPERS = among(col(EntryRow.paper_id), "papers")
_EDITIONS = Prepared(
    union(
        select(col(EntryRow.edition_id)).where(_OF_PAPERS),
        select(col(ConsensusRankRow.edition_id))
        .join(EntryRow, col(EntryRow.id) == col(ConsensusRankRow.entry_id))
        .where(_OF_PAPERS),
    )
)
# In the order in which all others lock them too.
_POSTS = Prepared(
    select(col(DeliveryRow.id))
    .where(
        col(DeliveryRow.subscription_id).in_(
            select(col(SubscriptionRow.id)).where(
                among(col(SubscriptionRow.channel_id), "channels")
            )
        ),
        among(col(DeliveryRow.edition_id), "editions"),
    )
    .order_by(col(DeliveryRow.id))
    .with_for_update(key_share=True)
)
# What is marked already, or waits, has its time.
_QUEUED = update(DeliveryRow).where(
    among(col(DeliveryRow.id), "ids"),
    col(DeliveryRow.state) == DeliveryState.SENT,
    ~col(DeliveryRow.votes_changed),
    or_(col(DeliveryRow.owner).is_not(None), col(DeliveryRow.ready_at).is_(None)),
)
_LATELY = col(DeliveryRow.enqueued_at).between(_instant("lately"), _instant("at"))
_SOON = Prepared(
    _QUEUED.values(
        # From then on is how long that is tried.
        enqueued_at=_instant("at"),
        ready_at=case((_LATELY, _instant("later")), else_=_instant("soon")),
    )
)
_AT_ONCE = Prepared(_QUEUED.values(ready_at=col(DeliveryRow.enqueued_at)))
_MARK = Prepared(
    update(DeliveryRow)
    .where(among(col(DeliveryRow.id), "ids"), ~col(DeliveryRow.votes_changed))
    .values(votes_changed=true())
)
