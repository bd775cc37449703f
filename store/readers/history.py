"""The reads of a personal digest: what a person did with papers, and the papers left to them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import case, func, literal, select, union_all
from sqlmodel import Session, col

from store.consensus.refresh import VOTE_COLUMNS, best_by_week
from store.database.statements import Query, in_list
from store.library import mentions
from store.library.editions import IS_ORIGINAL, may_be_posted
from store.records import Mention, Person
from store.tables.library import EditionRow, EntryRow
from store.tables.readers import DismissedPaperRow, SavedPaperRow, SeenPaperRow, VoteRow
from store.workspaces.people import find_person

# A digest weighs each unseen paper by each signal: these bound its cost.
MOST_SIGNALS = 300
MOST_UNSEEN = 300
# It reaches back so far from the newest edition, which may be an old one: what is older is no news.
_REACH = timedelta(weeks=8)
# A paper that the person has a row of in any of these is none for their digest.
_TAKEN = (SeenPaperRow, SavedPaperRow, VoteRow, DismissedPaperRow)


class SignalKind(StrEnum):
    """The kind of a signal: what a person did with a paper."""

    NOTED = "noted"
    SAVED = "saved"
    VOTED = "voted"
    OPENED = "opened"
    DISMISSED = "dismissed"


@dataclass(frozen=True, slots=True)
class Signal:
    """A sign of a person's interest in a paper, or of the lack of it, at an instant.

    `mention` is the entry that the person saw, else the paper's newest.
    """

    kind: SignalKind
    mention: Mention
    at: datetime


def history(session: Session, person: Person) -> list[Signal]:
    """Return the newest signals of a person, newest first; a paper has one of each kind at most.

    A paper that a brief or a digest listed was not opened. Papers that no edition has any more are
    left out.
    """
    member = find_person(session, person)
    if member is None:
        return []
    rows: dict[tuple[int, str], Any] = {}
    for row in session.connection().execute(_signals(member)):
        # A vote counts in each workspace; the newest is the person's.
        rows.setdefault((row.paper_id, row.kind), row)
    found = _mentions(session, rows.values())
    return [
        Signal(SignalKind(kind), found[paper], row.at)
        for (paper, kind), row in rows.items()
        if paper in found
    ]


def unseen(
    session: Session, person: Person, sources: tuple[str, ...] | None, today: date
) -> list[Mention]:
    """Return the papers of the last weeks that a person has not seen, saved or voted for.

    They are those of the editions of some sources that may be posted on a day (UTC), with `None` of
    all; the consensus has no papers of its own. The newest week comes first, in each the best
    paper; each paper is there once, at its best place in the newest week that has it.
    """
    followed = IS_ORIGINAL if sources is None else in_list(col(EditionRow.source), sources)
    posted = may_be_posted(today), followed
    connection, last_day = session.connection(), col(EditionRow.last_day)
    newest: date | None = connection.scalar(select(func.max(last_day)).where(*posted))
    if newest is None:
        return []
    member = find_person(session, person)
    # The week is the last of the columns, so that a row begins with those of a vote.
    query = (
        select(*VOTE_COLUMNS, col(EditionRow.week))
        .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
        .where(*posted, last_day > min(newest, today) - _REACH)
    )
    for taken in _TAKEN:
        rows = select(col(taken.paper_id)).where(col(taken.person_id) == member)
        query = query.where(col(EntryRow.paper_id).not_in(rows))
    best = best_by_week(connection.execute(query))
    return mentions.of_entries(session, list(best.values())[:MOST_UNSEEN])


def _signals(member: int) -> Query:
    """Select the kind, paper, entry and time of a person's newest signals, newest first."""
    saved_as = case(
        (col(SavedPaperRow.note).is_(None), literal(SignalKind.SAVED.value)),
        else_=literal(SignalKind.NOTED.value),
    )
    saved = select(
        saved_as.label("kind"),
        col(SavedPaperRow.paper_id),
        col(SavedPaperRow.entry_id),
        col(SavedPaperRow.saved_at).label("at"),
    ).where(col(SavedPaperRow.person_id) == member)
    voted = select(
        literal(SignalKind.VOTED.value),
        col(VoteRow.paper_id),
        col(VoteRow.entry_id),
        col(VoteRow.voted_at),
    ).where(col(VoteRow.person_id) == member)
    opened = select(
        literal(SignalKind.OPENED.value),
        col(SeenPaperRow.paper_id),
        col(SeenPaperRow.entry_id),
        col(SeenPaperRow.seen_at),
    ).where(
        col(SeenPaperRow.person_id) == member,
        col(SeenPaperRow.brief_id).is_(None),
        col(SeenPaperRow.delivery_id).is_(None),
    )
    dismissed = select(
        literal(SignalKind.DISMISSED.value),
        col(DismissedPaperRow.paper_id),
        col(DismissedPaperRow.entry_id),
        col(DismissedPaperRow.dismissed_at),
    ).where(col(DismissedPaperRow.person_id) == member)
    every = union_all(saved, voted, opened, dismissed).subquery()
    newest_first = every.c.at.desc(), every.c.paper_id, every.c.kind
    return select(every).order_by(*newest_first).limit(MOST_SIGNALS)


def _mentions(session: Session, rows: Iterable[Any]) -> dict[int, Mention]:
    """Return a mention of each paper: the entry that the person saw last, else its newest."""
    entries: dict[int, int | None] = {}
    for row in rows:
        entries[row.paper_id] = entries.get(row.paper_id) or row.entry_id
    return mentions.of_papers(session, entries)
