"""Alerts in a store, and what deliveries tell of what they found."""

from datetime import UTC, datetime

from sqlalchemy import select
from sqlmodel import col

from store import search
from store.database import Session
from store.library import new_entries
from store.posting.alert_matches import AlertMatch
from store.posting.deliveries import list_deliveries
from store.readers import alerts
from store.readers.alerts import AlertLimits, AlertQuery, NewAlert
from store.records import Channel, ChannelFacts, DeliveryKind, Person, Workspace
from store.search import EVERYTHING, Filters, SearchQuery
from store.tables.library import EntryRow
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.imports import take_in

# The day after the edition of `papers` ended.
NOW = datetime(2026, 1, 12, 8, tzinfo=UTC)
HERE = Workspace("test", "T1")


def add_alert(  # noqa: PLR0913, PLR0917 - most tests take the defaults
    session: Session,
    words: str,
    owner: str = "U1",
    place: str = "D1",
    author: str | None = None,
    workspace: Workspace = HERE,
) -> int:
    """Add an alert for words in titles or an author; return its id."""
    filters = Filters(author=author) if author else EVERYTHING
    query = AlertQuery(f"{words} {author or ''}".strip(), words, filters)
    searched = SearchQuery(words=tuple(words.split()), text=words, filters=filters)
    keys = search.index_keys(session, searched)
    channel = Channel(workspace, place)
    wanted = NewAlert(Person(workspace, owner), channel, ChannelFacts(), query, keys, NOW)
    return alerts.add(session, wanted, AlertLimits(50, 200)).alert.id


def import_papers(session: Session, *titles: str, source: str = "dair", at: datetime = NOW) -> None:
    """Import an edition of papers, all of it."""
    drafts = [entry(rank, title) for rank, title in enumerate(titles, start=1)]
    take_in(session, edition(*drafts), source, at)
    new_entries.complete_import(session, source, at)


def match(session: Session, alert: int, *titles: str) -> list[AlertMatch]:
    """Return that an alert matches the entries with some titles."""
    named = (
        select(col(EntryRow.id)).where(col(EntryRow.title).in_(titles)).order_by(col(EntryRow.id))
    )
    return [AlertMatch(alert, each) for each in session.connection().scalars(named)]


def told(session: Session) -> list[tuple[str, list[str]]]:
    """Return what each delivery of alerts tells: its channel, and the titles of papers."""
    return [
        (
            each.channel.external_id,
            [paper.mention.entry.title for paper in alerts.papers_of(session, each.id)],
        )
        for each in list_deliveries(session)
        if each.kind is DeliveryKind.ALERT
    ]
