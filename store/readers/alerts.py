"""Alerts: the queries of people, each told to a person's direct messages or to a channel."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, func, insert, select, update
from sqlmodel import Session, col

from store.coordination.request_claims import Claim, claim
from store.database.statements import Query, execute_each, in_list, insert_new
from store.library import mentions
from store.records import Channel, ChannelFacts, Mention, Person, Refusal, Workspace
from store.search import Filters
from store.tables.readers import AlertKeyRow, AlertPaperRow, AlertRow, PersonRow
from store.tables.workspaces import ChannelRow, WorkspaceRow
from store.workspaces import people
from store.workspaces.workspaces import (
    CHANNEL_COLUMNS,
    channel_id,
    channel_of,
    facts_of,
    is_channel,
    workspace_id,
    write_facts,
)


@dataclass(frozen=True, slots=True)
class AlertQuery:
    """The query of an alert: its `text`, which is canonical, and the parts of that."""

    text: str
    words: str
    filters: Filters


@dataclass(frozen=True, slots=True)
class Alert:
    """An alert of a person, and the channel that hears of what it finds.

    `refusal` says why that can no longer be told.
    """

    id: int
    owner: str
    channel: Channel
    facts: ChannelFacts
    query: AlertQuery
    created_at: datetime
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class NewAlert:
    """An alert to add; `keys` are those under which it is found.

    `told` are the papers, each with an entry by database id, that the answer tells of.
    """

    person: Person
    channel: Channel
    facts: ChannelFacts
    query: AlertQuery
    keys: tuple[str, ...]
    at: datetime
    told: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AlertLimits:
    """The most alerts of a person, and of a workspace."""

    person: int
    workspace: int


@dataclass(frozen=True, slots=True)
class AddedAlert:
    """A stored alert, and whether this request added or revived it."""

    alert: Alert
    is_new: bool


class TooManyAlerts(Exception):
    """A person or a workspace has as many alerts as it may have; `of_person` tells which."""

    def __init__(self, *, of_person: bool) -> None:
        super().__init__()
        self.of_person = of_person


@dataclass(frozen=True, slots=True)
class FoundPaper:
    """A paper that alerts of one channel found, each with its id and its query.

    `snippet` is the sentence that matched, empty where it is not looked for.
    """

    mention: Mention
    alerts: tuple[tuple[int, AlertQuery], ...]
    snippet: str = ""


def add(
    session: Session, wanted: NewAlert, limits: AlertLimits, request: Claim | None = None
) -> AddedAlert:
    """Add an alert, or revive the same one of the channel if it was refused.

    Raises:
        TooManyAlerts: if the person or the workspace has too many.
    """
    channel = channel_id(session, wanted.channel)
    same = col(AlertRow.channel_id) == channel, col(AlertRow.query) == wanted.query.text
    known = next(iter(_list(session, *same)), None)
    is_first = request is None or claim(session, request)
    connection = session.connection()
    if known is not None:
        write_facts(session, channel, wanted.facts)
        values = {"refusal": None, "remedy": None, "refusal_told": False}
        this = col(AlertRow.id) == known.id
        connection.execute(update(AlertRow).where(this).values(values))
        is_new = known.refusal is not None or not is_first
        return AddedAlert(_found(session, known.id), is_new)
    person = people.lock_or_add_person(session, wanted.person)
    _require_room(session, person, wanted.channel.workspace, limits)
    write_facts(session, channel, wanted.facts)
    filters = wanted.query.filters
    new = insert(AlertRow).values(
        person_id=person,
        channel_id=channel,
        query=wanted.query.text,
        words=wanted.query.words,
        topic=filters.topic,
        source=filters.source,
        author=filters.author,
        created_at=wanted.at,
        refusal_told=False,
    )
    added = int(connection.execute(new.returning(col(AlertRow.id))).scalar_one())
    rows = [{"key": key, "alert_id": added} for key in dict.fromkeys(wanted.keys)]
    execute_each(connection, insert(AlertKeyRow), rows)
    told = [
        {"alert_id": added, "paper_id": paper, "entry_id": entry, "found_at": wanted.at}
        for paper, entry in wanted.told.items()
    ]
    execute_each(connection, insert_new(session, AlertPaperRow), told)
    return AddedAlert(_found(session, added), is_new=True)


def of_person(session: Session, person: Person) -> list[Alert]:
    """Return all alerts that a person made, by id."""
    return _list(session, col(AlertRow.person_id) == people.find_person(session, person))


def of_channel(session: Session, channel: Channel) -> list[Alert]:
    """Return the alerts of a channel, by id."""
    return _list(session, is_channel(channel))


def remove(session: Session, alert_id: int) -> None:
    """Delete an alert; what was found and not told yet is not told."""
    session.connection().execute(delete(AlertRow).where(col(AlertRow.id) == alert_id))


def refuse(session: Session, channel: int, refusal: Refusal) -> None:
    """Refuse the alerts of a channel, by its database id, until their owner makes them again."""
    of_channel = col(AlertRow.channel_id) == channel, col(AlertRow.refusal).is_(None)
    values = {"refusal": refusal.sentence, "remedy": refusal.remedy, "refusal_told": False}
    session.connection().execute(update(AlertRow).where(*of_channel).values(values))


def tell_refusals(session: Session, person: Person) -> list[Alert]:
    """Return the refused alerts that a person was not told of, and record that they are told."""
    untold = (
        col(AlertRow.person_id) == people.find_person(session, person),
        col(AlertRow.refusal).is_not(None),
        ~col(AlertRow.refusal_told),
    )
    found = _list(session, *untold)
    if found:
        ids = col(AlertRow.id).in_([each.id for each in found])
        session.connection().execute(update(AlertRow).where(ids).values(refusal_told=True))
    return found


def list_untold_owners(session: Session) -> frozenset[Person]:
    """Return the people who have a refused alert that they were not told of."""
    query: Query = (
        select(
            col(WorkspaceRow.platform),
            col(WorkspaceRow.external_id).label("workspace"),
            col(PersonRow.external_id).label("person"),
        )
        .distinct()
        .join_from(AlertRow, PersonRow, col(PersonRow.id) == col(AlertRow.person_id))
        .join(WorkspaceRow, col(WorkspaceRow.id) == col(PersonRow.workspace_id))
        .where(col(AlertRow.refusal).is_not(None), ~col(AlertRow.refusal_told))
    )
    rows = session.connection().execute(query)
    return frozenset(Person(Workspace(row.platform, row.workspace), row.person) for row in rows)


def filed_under(session: Session, keys: Iterable[str]) -> list[int]:
    """Return the ids of the alerts, not refused, that are filed under any of some keys."""
    query = (
        select(col(AlertKeyRow.alert_id))
        .distinct()
        .join(AlertRow, col(AlertRow.id) == col(AlertKeyRow.alert_id))
        .where(col(AlertRow.refusal).is_(None), in_list(col(AlertKeyRow.key), sorted(set(keys))))
    )
    return sorted(session.connection().scalars(query))


def queries(session: Session, ids: Sequence[int]) -> dict[int, AlertQuery]:
    """Return the queries of alerts that are still there, by id."""
    columns = (AlertRow.id, *(getattr(AlertRow, name) for name in _QUERY))
    query: Query = select(*columns).where(in_list(col(AlertRow.id), [*ids]))
    # As tuples: an edition may find tens of thousands.
    rows = session.connection().execute(query)
    return {
        alert: AlertQuery(text, words, Filters(topic, source, author))
        for alert, text, words, topic, source, author in rows
    }


def papers_of(session: Session, delivery_id: int) -> list[FoundPaper]:
    """Return the papers that a delivery tells of, the newest editions first."""
    query = (
        select(
            col(AlertPaperRow.paper_id),
            col(AlertPaperRow.entry_id),
            col(AlertRow.id),
            *(getattr(AlertRow, name) for name in _QUERY),
        )
        .join(AlertRow, col(AlertRow.id) == col(AlertPaperRow.alert_id))
        .where(col(AlertPaperRow.delivery_id) == delivery_id)
        .order_by(col(AlertRow.id))
    )
    by_paper: dict[int, list[Mapping[Any, Any]]] = {}
    for row in session.connection().execute(query).mappings():
        by_paper.setdefault(row["paper_id"], []).append(row)
    # An import may have taken the entry away that was found.
    entries = {paper: rows[0]["entry_id"] for paper, rows in by_paper.items()}
    found = mentions.of_papers(session, entries)
    papers = [
        FoundPaper(found[paper], tuple((row["id"], _query(row)) for row in rows))
        for paper, rows in by_paper.items()
        if paper in found
    ]
    return sorted(papers, key=_in_order)


def _in_order(paper: FoundPaper) -> tuple[int, str, int]:
    edition = paper.mention.edition
    return -edition.last_day.toordinal(), edition.source, paper.mention.entry.position


def _require_room(session: Session, person: int, workspace: Workspace, limits: AlertLimits) -> None:
    connection, count = session.connection(), func.count()
    of_person = select(count).select_from(AlertRow).where(col(AlertRow.person_id) == person)
    if (connection.scalar(of_person) or 0) >= limits.person:
        raise TooManyAlerts(of_person=True)
    of_workspace = (
        select(count)
        .select_from(AlertRow)
        .join(ChannelRow, col(ChannelRow.id) == col(AlertRow.channel_id))
        .where(col(ChannelRow.workspace_id) == workspace_id(session, workspace))
    )
    if (connection.scalar(of_workspace) or 0) >= limits.workspace:
        raise TooManyAlerts(of_person=False)


_QUERY = ("query", "words", "topic", "source", "author")


def _alerts() -> Query:
    return (
        select(
            AlertRow,
            col(PersonRow.external_id).label("owner"),
            *CHANNEL_COLUMNS,
        )
        .join(PersonRow, col(PersonRow.id) == col(AlertRow.person_id))
        .join(ChannelRow, col(ChannelRow.id) == col(AlertRow.channel_id))
        .join(WorkspaceRow, col(WorkspaceRow.id) == col(ChannelRow.workspace_id))
    )


def _list(session: Session, *conditions: ColumnElement[bool]) -> list[Alert]:
    query = _alerts().where(*conditions).order_by(col(AlertRow.id))
    return [_record(row) for row in session.connection().execute(query).mappings()]


def _found(session: Session, alert_id: int) -> Alert:
    [alert] = _list(session, col(AlertRow.id) == alert_id)
    return alert


def _record(row: Mapping[Any, Any]) -> Alert:
    return Alert(
        id=row["id"],
        owner=row["owner"],
        channel=channel_of(row),
        facts=facts_of(row),
        query=_query(row),
        created_at=row["created_at"],
        refusal=Refusal(row["refusal"], row["remedy"] or "") if row["refusal"] else None,
    )


def _query(row: Mapping[Any, Any]) -> AlertQuery:
    filters = Filters(topic=row["topic"], source=row["source"], author=row["author"])
    return AlertQuery(row["query"], row["words"], filters)
