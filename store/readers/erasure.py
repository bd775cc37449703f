"""All that is stored about a person: counted, and deleted.

What a person gave to others stays without their name: an order is its channel's, and an
installation its workspace's. What is a person's alone, a workspace or a channel of direct messages,
goes with the person.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlmodel import Session, col

from store.coordination.request_claims import Claim, claim
from store.database.statements import Query
from store.readers import votes
from store.records import Person
from store.tables.posting import SubscriptionRow
from store.tables.readers import (
    BriefRow,
    PersonalCommandStringRow,
    PersonRow,
    SavedPaperRow,
    SeenPaperRow,
    VoteRow,
)
from store.tables.workspaces import (
    ChannelRow,
    CommandStringRow,
    InstallationRow,
    WorkspaceRow,
    WorkspaceSettingRow,
)
from store.workspaces import people, workspaces


@dataclass(frozen=True, slots=True)
class StoredFacts:
    """How much of what is stored about a person.

    `own_orders` are those in direct messages, and `settings` those of a workspace that is the
    person's alone; `orders` are others that the person gave, `installations` those that the person
    made. `lines` are commands that buttons shown to them stand for. `welcomed` tells whether the
    bot explained itself to them.
    """

    saved: int = 0
    notes: int = 0
    seen: int = 0
    briefs: int = 0
    votes: int = 0
    own_orders: int = 0
    settings: int = 0
    orders: int = 0
    installations: int = 0
    lines: int = 0
    welcomed: bool = False


NOTHING = StoredFacts()


def facts(session: Session, person: Person, *, alone: bool, direct: str) -> StoredFacts:
    """Return what is stored about a person.

    Args:
        session: where it is stored.
        person: about whom.
        alone: whether the person is alone in their workspace.
        direct: what channels of direct messages are called.
    """
    known, own = people.find(session, person), _own_channels(person, direct, alone=alone)
    return StoredFacts(
        saved=_count(session, select(func.count()).where(col(SavedPaperRow.person_id) == known)),
        notes=_count(
            session,
            select(func.count(col(SavedPaperRow.note))).where(
                col(SavedPaperRow.person_id) == known
            ),
        ),
        seen=_count(session, select(func.count()).where(col(SeenPaperRow.person_id) == known)),
        briefs=_count(session, select(func.count()).where(col(BriefRow.person_id) == known)),
        votes=_count(session, select(func.count()).where(col(VoteRow.person_id) == known)),
        own_orders=_count(session, _orders().where(col(ChannelRow.id).in_(own))),
        settings=_count(session, _settings().where(_is_workspace(person))) if alone else 0,
        orders=_count(session, _given(person, alone=alone).where(col(ChannelRow.id).not_in(own))),
        installations=_count(
            session, select(func.count()).select_from(InstallationRow).where(_made(person))
        ),
        lines=_count(
            session, select(func.count()).where(col(PersonalCommandStringRow.person_id) == known)
        ),
        welcomed=_is_welcomed(session, known),
    )


def forget(  # noqa: PLR0913 - who is forgotten, once, when, and what is theirs
    session: Session,
    person: Person,
    request: Claim | None,
    now: datetime,
    *,
    alone: bool,
    direct: str,
) -> StoredFacts:
    """Delete all that is stored about a person, as `facts` counts it; return what there was.

    A request that comes again deletes nothing, and is told that there was nothing. Posts are to be
    looked through then, by `now`, a clock that no setting moves: votes went.
    """
    if request is not None and not claim(session, request):
        return NOTHING
    found = facts(session, person, alone=alone, direct=direct)
    connection = session.connection()
    _drop_channels(session, _own_channels(person, direct, alone=alone))
    connection.execute(
        update(SubscriptionRow).where(_is_owner(person, alone=alone)).values(owner="")
    )
    connection.execute(update(InstallationRow).where(_made(person)).values(installer=""))
    votes.delete_all(session, person, now)
    people.forget(session, person)
    if alone:
        workspaces.forget(session, person.workspace)
    return found


def _count(session: Session, query: Query) -> int:
    return session.connection().scalar(query) or 0


def _is_welcomed(session: Session, member: int | None) -> bool:
    query = select(col(PersonRow.welcomed_at)).where(col(PersonRow.id) == member)
    return session.connection().scalar(query) is not None


def _orders() -> Query:
    """Count standing orders, each with its workspace."""
    return (
        select(func.count())
        .select_from(SubscriptionRow)
        .join(ChannelRow, col(ChannelRow.id) == col(SubscriptionRow.channel_id))
        .join(WorkspaceRow, col(WorkspaceRow.id) == col(ChannelRow.workspace_id))
    )


def _settings() -> Query:
    """Count what workspaces settled."""
    return (
        select(func.count())
        .select_from(WorkspaceSettingRow)
        .join(WorkspaceRow, col(WorkspaceRow.id) == col(WorkspaceSettingRow.workspace_id))
    )


def _given(person: Person, *, alone: bool) -> Query:
    """Count the orders that a person gave to others."""
    return _orders().where(
        col(SubscriptionRow.owner) == person.external_id, _is_around(person, alone=alone)
    )


def _own_channels(person: Person, direct: str, *, alone: bool) -> Query:
    """Select the ids of channels that are a person's alone."""
    own = col(ChannelRow.workspace_id).in_(
        select(col(WorkspaceRow.id)).where(_is_workspace(person))
    )
    channels = select(col(ChannelRow.id)).where(own)
    if alone:
        return channels
    theirs = select(col(SubscriptionRow.channel_id)).where(
        col(SubscriptionRow.owner) == person.external_id
    )
    return channels.where(col(ChannelRow.name) == direct, col(ChannelRow.id).in_(theirs))


def _drop_channels(session: Session, which: Query) -> None:
    """Delete channels, all that belongs to them, and the lines of commands that name them."""
    connection = session.connection()
    query = select(col(ChannelRow.id), col(ChannelRow.external_id)).where(
        col(ChannelRow.id).in_(which)
    )
    channels = {row.id: row.external_id for row in connection.execute(query)}
    for name in channels.values():
        connection.execute(
            delete(CommandStringRow).where(
                (col(CommandStringRow.command) + " ").contains(f" in:{name} ")
            )
        )
    workspaces.forget_channels(session, [*channels])


def _is_owner(person: Person, *, alone: bool) -> ColumnElement[bool]:
    around = (
        select(col(ChannelRow.id))
        .join(WorkspaceRow, col(WorkspaceRow.id) == col(ChannelRow.workspace_id))
        .where(_is_around(person, alone=alone))
    )
    return (col(SubscriptionRow.owner) == person.external_id) & col(SubscriptionRow.channel_id).in_(
        around
    )


def _is_around(person: Person, *, alone: bool) -> ColumnElement[bool]:
    """Return the condition that a workspace may name a person.

    Where people have workspaces of their own they are the same in all of a platform's.
    """
    if alone:
        return col(WorkspaceRow.platform) == person.workspace.platform
    return _is_workspace(person)


def _is_workspace(person: Person) -> ColumnElement[bool]:
    return (col(WorkspaceRow.platform) == person.workspace.platform) & (
        col(WorkspaceRow.external_id) == person.workspace.external_id
    )


def _made(person: Person) -> ColumnElement[bool]:
    """Return the condition that a person made an installation, perhaps for an organisation."""
    return (
        (col(InstallationRow.platform) == person.workspace.platform)
        & (col(InstallationRow.installer) == person.external_id)
        & col(InstallationRow.team_id).in_((person.workspace.external_id, ""))
    )
