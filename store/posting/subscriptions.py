"""The standing orders of channels."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, insert, select, update
from sqlmodel import Session, col

from store.database.statements import Query
from store.records import Channel, ChannelFacts, Refusal, Subscription, Workspace
from store.tables.posting import SubscriptionRow
from store.tables.workspaces import ChannelRow, WorkspaceRow
from store.workspaces.workspaces import channel_id

_FIELDS = (
    "state", "weekday", "local_time", "zone", "sources", "topics", "not_topics", "size",
    "layout", "owner", "paused_until", "next_due_at", "open_due_at", "missed_at", "cancelled_at",
)  # fmt: skip


def add_subscription(session: Session, subscription: Subscription) -> int:
    """Add a standing order, its channel and workspace with it where they are new; return its id."""
    added = session.connection().execute(
        insert(SubscriptionRow)
        .values(channel_id=channel_id(session, subscription.channel), **values_of(subscription))
        .returning(col(SubscriptionRow.id))
    )
    return int(added.scalar_one())


def list_subscriptions(session: Session) -> list[Subscription]:
    """Return all standing orders that were not taken back, by id."""
    return _listed(session, col(SubscriptionRow.cancelled_at).is_(None))


def of_channel(session: Session, channel: Channel) -> list[Subscription]:
    """Return the standing orders of a channel that were not taken back, by id."""
    return _listed(session, _of_channel(channel), col(SubscriptionRow.cancelled_at).is_(None))


def of_workspace(session: Session, workspace: Workspace) -> list[Subscription]:
    """Return the standing orders of a workspace that were not taken back, by id."""
    return _listed(session, _of_workspace(workspace), col(SubscriptionRow.cancelled_at).is_(None))


def find(session: Session, workspace: Workspace, subscription_id: int) -> Subscription | None:
    """Return a standing order of a workspace, also one that was taken back."""
    found = _listed(session, _of_workspace(workspace), col(SubscriptionRow.id) == subscription_id)
    return found[0] if found else None


def by_id(session: Session, subscription_id: int) -> Subscription | None:
    """Return a standing order of whatever workspace, also one that was taken back."""
    found = _listed(session, col(SubscriptionRow.id) == subscription_id)
    return found[0] if found else None


def last_of_channel(session: Session, channel: Channel) -> Subscription | None:
    """Return the last standing order that a channel was given, also if it was taken back."""
    found = _listed(session, _of_channel(channel))
    return found[-1] if found else None


def note_channel(session: Session, channel: Channel, facts: ChannelFacts) -> None:
    """Note what is known of a channel now."""
    session.connection().execute(
        update(ChannelRow)
        .where(col(ChannelRow.id) == channel_id(session, channel))
        .values(name=facts.name, private=facts.private, kind=facts.kind)
    )


def joined() -> Query:
    """Return the query of all standing orders, each with its channel and workspace."""
    return (
        select(
            SubscriptionRow,
            col(ChannelRow.external_id).label("channel"),
            col(ChannelRow.name).label("channel_name"),
            col(ChannelRow.private),
            col(ChannelRow.kind),
            col(WorkspaceRow.external_id).label("workspace"),
            col(WorkspaceRow.platform),
        )
        .join(ChannelRow, col(ChannelRow.id) == col(SubscriptionRow.channel_id))
        .join(WorkspaceRow, col(WorkspaceRow.id) == col(ChannelRow.workspace_id))
    )


def subscription_of(row: Mapping[Any, Any]) -> Subscription:
    """Build the record of a row of `joined`."""
    refusal = row["refusal"]
    return Subscription(
        id=row["id"],
        channel=Channel(Workspace(row["platform"], row["workspace"]), row["channel"]),
        facts=ChannelFacts(row["channel_name"], row["private"], row["kind"]),
        patience=timedelta(seconds=row["patience"]),
        refusal=Refusal(refusal, row["remedy"] or "", row["refusal_code"] or "")
        if refusal
        else None,
        **{field: row[field] for field in _FIELDS},
    )


def values_of(subscription: Subscription) -> dict[str, Any]:
    """Return the columns of a standing order, but for its id and its channel."""
    refusal = subscription.refusal
    return {
        **{field: getattr(subscription, field) for field in _FIELDS},
        "patience": int(subscription.patience.total_seconds()),
        "refusal": refusal.sentence if refusal else None,
        "remedy": refusal.remedy if refusal else None,
        "refusal_code": refusal.code if refusal else None,
    }


def _listed(session: Session, *which: ColumnElement[bool]) -> list[Subscription]:
    query = joined().where(*which).order_by(col(SubscriptionRow.id))
    return [subscription_of(row) for row in session.connection().execute(query).mappings()]


def _of_workspace(workspace: Workspace) -> ColumnElement[bool]:
    return (col(WorkspaceRow.platform) == workspace.platform) & (
        col(WorkspaceRow.external_id) == workspace.external_id
    )


def _of_channel(channel: Channel) -> ColumnElement[bool]:
    return _of_workspace(channel.workspace) & (col(ChannelRow.external_id) == channel.external_id)
