"""The subscriptions of channels."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, func, insert, select, update
from sqlmodel import Session, col

from store.database.statements import Query
from store.records import (
    Channel,
    ChannelFacts,
    Refusal,
    Subscription,
    SubscriptionState,
    Workspace,
)
from store.tables.posting import SubscriptionRow
from store.tables.workspaces import ChannelRow, WorkspaceRow
from store.workspaces.workspaces import (
    CHANNEL_COLUMNS,
    channel_id,
    channel_of,
    facts_of,
    is_channel,
    is_workspace,
    write_facts,
)

_FIELDS = (
    "state", "weekday", "local_time", "zone", "sources", "topics", "not_topics", "size",
    "layout", "owner", "personal", "paused_until", "next_due_at", "open_due_at", "missed_at",
    "cancelled_at",
)  # fmt: skip


def add_subscription(session: Session, subscription: Subscription) -> int:
    """Add a subscription, with its channel and workspace where they are new; return its id."""
    added = session.connection().execute(
        insert(SubscriptionRow)
        .values(channel_id=channel_id(session, subscription.channel), **_values(subscription))
        .returning(col(SubscriptionRow.id))
    )
    return int(added.scalar_one())


def update_subscription(session: Session, subscription: Subscription) -> None:
    """Write a stored subscription with all its fields."""
    due_at = subscription.open_due_at
    until = due_at + subscription.patience if due_at else None
    session.connection().execute(
        update(SubscriptionRow)
        .where(col(SubscriptionRow.id) == subscription.id)
        .values(**_values(subscription), open_until=until)
    )


def list_subscriptions(session: Session) -> list[Subscription]:
    """Return all subscriptions that were not cancelled, by id."""
    return _list(session, col(SubscriptionRow.cancelled_at).is_(None))


def of_channel(session: Session, channel: Channel) -> list[Subscription]:
    """Return the subscriptions of a channel that were not cancelled, by id."""
    return _list(session, is_channel(channel), col(SubscriptionRow.cancelled_at).is_(None))


def of_workspace(session: Session, workspace: Workspace) -> list[Subscription]:
    """Return the subscriptions of a workspace that were not cancelled, by id."""
    return _list(session, is_workspace(workspace), col(SubscriptionRow.cancelled_at).is_(None))


def find(session: Session, workspace: Workspace, subscription_id: int) -> Subscription | None:
    """Return a subscription of a workspace, also a cancelled one."""
    found = _list(session, is_workspace(workspace), col(SubscriptionRow.id) == subscription_id)
    return found[0] if found else None


def by_id(session: Session, subscription_id: int) -> Subscription | None:
    """Return a subscription of any workspace, also a cancelled one."""
    found = _list(session, col(SubscriptionRow.id) == subscription_id)
    return found[0] if found else None


def last_of_channel(session: Session, channel: Channel) -> Subscription | None:
    """Return the newest subscription of a channel, also a cancelled one."""
    found = _list(session, is_channel(channel))
    return found[-1] if found else None


def count_states(session: Session) -> dict[str, int]:
    """Return how many subscriptions there are in each state, without cancelled ones."""
    query = (
        select(col(SubscriptionRow.state), func.count())
        .where(col(SubscriptionRow.cancelled_at).is_(None))
        .group_by(col(SubscriptionRow.state))
    )
    counted = {state.value: 0 for state in SubscriptionState}
    return counted | {state.value: count for state, count in session.connection().execute(query)}


def save_channel_facts(session: Session, channel: Channel, facts: ChannelFacts) -> None:
    """Store the facts of a channel."""
    write_facts(session, channel_id(session, channel), facts)


def select_subscriptions() -> Query:
    """Return the query of all subscriptions, each with its channel and workspace."""
    return (
        select(
            SubscriptionRow,
            *CHANNEL_COLUMNS,
        )
        .join(ChannelRow, col(ChannelRow.id) == col(SubscriptionRow.channel_id))
        .join(WorkspaceRow, col(WorkspaceRow.id) == col(ChannelRow.workspace_id))
    )


def subscription_record(row: Mapping[Any, Any]) -> Subscription:
    """Build the record of a row of `select_subscriptions`."""
    refusal = row["refusal"]
    return Subscription(
        id=row["id"],
        channel=channel_of(row),
        facts=facts_of(row),
        patience=timedelta(seconds=row["patience"]),
        refusal=Refusal(refusal, row["remedy"] or "", row["refusal_code"] or "")
        if refusal
        else None,
        **{field: row[field] for field in _FIELDS},
    )


def _values(subscription: Subscription) -> dict[str, Any]:
    """Return the columns of a subscription, but for its id and its channel."""
    refusal = subscription.refusal
    return {
        **{field: getattr(subscription, field) for field in _FIELDS},
        "patience": int(subscription.patience.total_seconds()),
        "refusal": refusal.sentence if refusal else None,
        "remedy": refusal.remedy if refusal else None,
        "refusal_code": refusal.code if refusal else None,
    }


def _list(session: Session, *conditions: ColumnElement[bool]) -> list[Subscription]:
    query = select_subscriptions().where(*conditions).order_by(col(SubscriptionRow.id))
    return [subscription_record(row) for row in session.connection().execute(query).mappings()]
