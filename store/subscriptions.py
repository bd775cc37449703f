"""The standing orders of channels."""

from sqlalchemy import insert, select
from sqlmodel import Session

from store.records import Channel, Subscription, Workspace
from store.schema import TABLES
from store.workspaces import channel_id

_WORKSPACE, _CHANNEL = TABLES["workspace"], TABLES["channel"]
_SUBSCRIPTION = TABLES["subscription"]

_FIELDS = (
    "state", "weekday", "local_time", "zone", "sources", "topics", "not_topics", "size",
    "layout", "paused_until", "next_due_at",
)  # fmt: skip


def add_subscription(session: Session, subscription: Subscription) -> int:
    """Add a standing order, its channel and workspace with it where they are new; return its id."""
    values = {field: getattr(subscription, field) for field in _FIELDS}
    statement = insert(_SUBSCRIPTION).values(
        channel_id=channel_id(session, subscription.channel), **values
    )
    added = session.connection().execute(statement.returning(_SUBSCRIPTION.c.id))
    return int(added.scalar_one())


def list_subscriptions(session: Session) -> list[Subscription]:
    """Return all standing orders by id."""
    query = (
        select(
            _SUBSCRIPTION,
            _CHANNEL.c.external_id.label("channel"),
            _WORKSPACE.c.external_id.label("workspace"),
            _WORKSPACE.c.platform,
        )
        .join(_CHANNEL, _CHANNEL.c.id == _SUBSCRIPTION.c.channel_id)
        .join(_WORKSPACE, _WORKSPACE.c.id == _CHANNEL.c.workspace_id)
        .order_by(_SUBSCRIPTION.c.id)
    )
    return [
        Subscription(
            id=row["id"],
            channel=Channel(Workspace(row["platform"], row["workspace"]), row["channel"]),
            **{field: row[field] for field in _FIELDS},
        )
        for row in session.connection().execute(query).mappings()
    ]
