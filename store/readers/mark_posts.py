"""Posts that are marked for correction because the votes for their papers changed.

A vote marks the deliveries that show its paper (`votes_changed`) in its own transaction. A process
that claims a delivery reads the votes and clears the mark in one transaction. Both lock the
channels first: a delivery that is claimed before the vote is there to be marked, and one that is
claimed after it is laid out with the vote. On SQLite one transaction has the whole file.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import BindParameter, bindparam, case, or_, select, true, union, update
from sqlmodel import Session, col

from store.database.statements import among
from store.database.types import Instant
from store.records import LEFT, DeliveryState
from store.tables.library import ConsensusRankRow, EntryRow
from store.tables.posting import DeliveryPartRow, DeliveryRow, SubscriptionRow
from store.tables.workspaces import ChannelRow

# The time from a vote to the edit that shows it, and from one such edit to the next.
DELAY = timedelta(seconds=1)
INTERVAL = timedelta(seconds=5)


def mark_outdated(
    session: Session, workspace: int, papers: Collection[int], now: datetime | None = None
) -> None:
    """Mark the posts of a workspace that show any of these papers.

    A post that is being sent or edited is corrected after that. A delivery that waits already, as
    for the platform's rate limit, keeps its time.

    Args:
        session: the transaction that changes the votes, best one of `Database.write_locking_rows`.
        workspace: the database id of the workspace.
        papers: the database ids of the papers whose votes changed.
        now: the time by the system clock, to correct the posts soon after it; `None` to correct
            them at once.
    """
    connection = session.connection()
    channels = connection.scalars(_CHANNELS, {"place": workspace}).all()
    if not channels:
        return
    editions = connection.scalars(_EDITIONS, {"papers": [*papers]}).all()
    wanted = {"channels": channels, "editions": editions}
    if posts := connection.scalars(_POSTS, wanted).all():
        if now is None:
            connection.execute(_AT_ONCE, {"ids": posts})
        else:
            times = {
                "at": now,
                "soon": now + DELAY,
                "later": now + INTERVAL,
                "lately": now - INTERVAL,
            }
            connection.execute(_SOON, {"ids": posts, **times})
        connection.execute(_MARK, {"ids": posts})


def freeze_posted(session: Session, edition: int) -> None:
    """Leave the posted messages of an edition as they are for good."""
    of_edition = select(col(DeliveryRow.id)).where(col(DeliveryRow.edition_id) == edition)
    posted = col(DeliveryPartRow.delivery_id).in_(of_edition) & col(DeliveryPartRow.message).is_not(
        None
    )
    session.connection().execute(update(DeliveryPartRow).where(posted).values(digest=LEFT))


def _instant(name: str) -> BindParameter[datetime]:
    return bindparam(name, type_=Instant())


# Several votes may lock them at once; a claim skips them meanwhile.
_CHANNELS = (
    select(col(ChannelRow.id))
    .where(col(ChannelRow.workspace_id) == bindparam("place"))
    .order_by(col(ChannelRow.id))
    .with_for_update(read=True)
)
_OF_PAPERS = among(col(EntryRow.paper_id), "papers")
_EDITIONS = union(
    select(col(EntryRow.edition_id)).where(_OF_PAPERS),
    select(col(ConsensusRankRow.edition_id))
    .join(EntryRow, col(EntryRow.id) == col(ConsensusRankRow.entry_id))
    .where(_OF_PAPERS),
)
# In the order in which all statements lock them.
_POSTS = (
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
# A delivery that is marked or waits has its time.
_QUEUED = update(DeliveryRow).where(
    among(col(DeliveryRow.id), "ids"),
    col(DeliveryRow.state) == DeliveryState.SENT,
    ~col(DeliveryRow.votes_changed),
    or_(col(DeliveryRow.owner).is_not(None), col(DeliveryRow.ready_at).is_(None)),
)
_LATELY = col(DeliveryRow.enqueued_at).between(_instant("lately"), _instant("at"))
_SOON = _QUEUED.values(
    # Attempts are counted from then on.
    enqueued_at=_instant("at"),
    ready_at=case((_LATELY, _instant("later")), else_=_instant("soon")),
)
_AT_ONCE = _QUEUED.values(ready_at=col(DeliveryRow.enqueued_at))
_MARK = (
    update(DeliveryRow)
    .where(among(col(DeliveryRow.id), "ids"), ~col(DeliveryRow.votes_changed))
    .values(votes_changed=true())
)
