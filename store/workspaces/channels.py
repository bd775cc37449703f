"""The channel that a row belongs to: its columns in a query, and the records built from them."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, col

from store.records import Channel, ChannelFacts, Workspace
from store.tables.workspaces import ChannelRow, WorkspaceRow

# For a query that joins both tables.
CHANNEL_COLUMNS: tuple[Any, ...] = (
    col(ChannelRow.external_id).label("channel"),
    col(ChannelRow.name).label("channel_name"),
    col(ChannelRow.private),
    col(ChannelRow.kind),
    col(ChannelRow.direct),
    col(WorkspaceRow.external_id).label("workspace"),
    col(WorkspaceRow.platform),
)


def channel_of(row: Mapping[Any, Any]) -> Channel:
    """Build the channel of a row with `CHANNEL_COLUMNS`."""
    return Channel(Workspace(row["platform"], row["workspace"]), row["channel"])


def facts_of(row: Mapping[Any, Any]) -> ChannelFacts:
    """Build the facts about the channel of a row with `CHANNEL_COLUMNS`."""
    return ChannelFacts(row["channel_name"], row["private"], row["kind"], row["direct"])


def write_facts(session: Session, channel: int, facts: ChannelFacts) -> None:
    """Store the facts of a channel, by its database id."""
    this = col(ChannelRow.id) == channel
    session.connection().execute(update(ChannelRow).where(this).values(**asdict(facts)))
