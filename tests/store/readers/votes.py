"""Helpers that cast votes and count them."""

from datetime import datetime

from sqlalchemy import select
from sqlmodel import col

from store.coordination.request_claims import Claim
from store.database import Database, Session
from store.library import mentions
from store.readers import votes
from store.readers.votes import VoteResult
from store.records import Person, Workspace
from store.tables.library import EntryRow
from tests.store.posting.delivery_rows import DUE

OURS, THEIRS = Workspace("test", "T1"), Workspace("test", "T2")


def person(name: str, home: Workspace = OURS) -> Person:
    """Return a person of a workspace."""
    return Person(home, name)


async def turns(  # noqa: PLR0913 - who votes where for what, once, and when
    database: Database,
    name: str,
    ref: str,
    workspace: Workspace = OURS,
    *,
    request: Claim | None = None,
    at: datetime = DUE,
) -> VoteResult:
    """Cast a person's vote, or withdraw it."""
    who = person(name, workspace)
    return await database.write_locking_rows(votes.toggle, who, workspace, ref, request, at)


async def counted(database: Database, workspace: Workspace = OURS) -> dict[str, int]:
    """Return how many votes there are for papers, by each of their refs."""
    return await database.read(_counted, workspace)


def kept(session: Session, ref: str) -> dict[str, int | None]:
    """Return the columns that name the paper of an entry in a row that a person keeps."""
    found = mentions.find_paper(session, ref)
    assert found is not None
    return {"paper_id": found[0], "entry_id": found[1]}


def _counted(session: Session, workspace: Workspace) -> dict[str, int]:
    refs = session.connection().scalars(select(col(EntryRow.ref)))
    return votes.of_refs(session, workspace, {*refs})
