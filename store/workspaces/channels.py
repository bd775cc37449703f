"""The channel that a row belongs to: its columns in a query, and the records built from them."""

from collections.abc import Mapping
from typing import Any

from sqlmodel import col

from store.records import Channel, ChannelFacts, Workspace
from store.tables.workspaces import ChannelRow, WorkspaceRow

# For a query that joins both tables.
CHANNEL_COLUMNS: tuple[Any, ...] = (
    col(ChannelRow.external_id).label("channel"),
    col(ChannelRow.name).label("channel_name"),
    col(ChannelRow.private),
    col(ChannelRow.kind),
    col(WorkspaceRow.external_id).label("workspace"),
    col(WorkspaceRow.platform),
)


def channel_of(row: Mapping[Any, Any]) -> Channel:
    """Build the channel of a row with `CHANNEL_COLUMNS`."""
    return Channel(Workspace(row["platform"], row["workspace"]), row["channel"])


def facts_of(row: Mapping[Any, Any]) -> ChannelFacts:
    """Build the facts about the channel of a row with `CHANNEL_COLUMNS`."""
    return ChannelFacts(row["channel_name"], row["private"], row["kind"])
