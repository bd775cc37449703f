"""All that is stored about a person: counted, and deleted.

What a person gave to others stays without their name: an order is its channel's, and an
installation its workspace's. A workspace that is a person's alone, as for direct messages, goes
with the person.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select, update
from sqlmodel import Session

from store import members, votes, workspaces
from store.claims import Claim, claim
from store.records import Person
from store.schema import TABLES

_MEMBER, _SAVED, _SEEN = TABLES["member"], TABLES["saved"], TABLES["seen"]
_BRIEF, _VOTE = TABLES["brief"], TABLES["vote"]
_WORKSPACE, _CHANNEL, _ORDER = TABLES["workspace"], TABLES["channel"], TABLES["subscription"]
_SETTING, _INSTALLATION = TABLES["workspace_setting"], TABLES["installation"]


@dataclass(frozen=True, slots=True)
class Facts:
    """How much of what is stored about a person.

    `own_orders` and `settings` are those of a workspace that is the person's alone; `orders` are
    others that the person gave, `installations` those that the person made. `welcomed` tells
    whether the bot explained itself to them.
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
    welcomed: bool = False


NOTHING = Facts()


def facts(session: Session, person: Person, *, alone: bool) -> Facts:
    """Return what is stored about a person, `alone` in their workspace."""
    known = members.find(session, person)
    return Facts(
        saved=_count(session, select(func.count()).where(_SAVED.c.member_id == known)),
        notes=_count(session, select(func.count(_SAVED.c.note)).where(_SAVED.c.member_id == known)),
        seen=_count(session, select(func.count()).where(_SEEN.c.member_id == known)),
        briefs=_count(session, select(func.count()).where(_BRIEF.c.member_id == known)),
        votes=_count(session, select(func.count()).where(_VOTE.c.member_id == known)),
        own_orders=_count(session, _of_own(person, _orders())) if alone else 0,
        settings=_count(session, _of_own(person, _settings())) if alone else 0,
        orders=_count(session, _given(person, alone=alone)),
        installations=_count(
            session, select(func.count()).select_from(_INSTALLATION).where(_made(person))
        ),
        welcomed=_is_welcomed(session, known),
    )


def forget(
    session: Session, person: Person, request: Claim | None, now: datetime, *, alone: bool
) -> Facts:
    """Delete all that is stored about a person; return what there was.

    A request that comes again deletes nothing, and is told that there was nothing. Posts are to be
    looked through then, by `now`, a clock that no setting moves: votes went.
    """
    if request is not None and not claim(session, request):
        return NOTHING
    found = facts(session, person, alone=alone)
    connection = session.connection()
    connection.execute(update(_ORDER).where(_is_owner(person, alone=alone)).values(owner=""))
    connection.execute(update(_INSTALLATION).where(_made(person)).values(installer=""))
    votes.drop(session, person, now)
    members.forget(session, person)
    if alone:
        workspaces.forget(session, person.workspace)
    return found


def _count(session: Session, query: Select[Any]) -> int:
    return session.connection().scalar(query) or 0


def _is_welcomed(session: Session, member: int | None) -> bool:
    query = select(_MEMBER.c.welcomed_at).where(_MEMBER.c.id == member)
    return session.connection().scalar(query) is not None


def _orders() -> Select[Any]:
    """Count standing orders, each with its workspace."""
    return (
        select(func.count())
        .select_from(_ORDER)
        .join(_CHANNEL, _CHANNEL.c.id == _ORDER.c.channel_id)
        .join(_WORKSPACE, _WORKSPACE.c.id == _CHANNEL.c.workspace_id)
    )


def _settings() -> Select[Any]:
    """Count what workspaces settled."""
    return (
        select(func.count())
        .select_from(_SETTING)
        .join(_WORKSPACE, _WORKSPACE.c.id == _SETTING.c.workspace_id)
    )


def _given(person: Person, *, alone: bool) -> Select[Any]:
    """Count the orders that a person gave to others."""
    given = _orders().where(_ORDER.c.owner == person.external_id, _is_around(person, alone=alone))
    return given.where(~_is_workspace(person)) if alone else given


def _of_own(person: Person, counted: Select[Any]) -> Select[Any]:
    return counted.where(_is_workspace(person))


def _is_owner(person: Person, *, alone: bool) -> ColumnElement[bool]:
    around = (
        select(_CHANNEL.c.id)
        .join(_WORKSPACE, _WORKSPACE.c.id == _CHANNEL.c.workspace_id)
        .where(_is_around(person, alone=alone))
    )
    return (_ORDER.c.owner == person.external_id) & _ORDER.c.channel_id.in_(around)


def _is_around(person: Person, *, alone: bool) -> ColumnElement[bool]:
    """Return the condition that a workspace may name a person.

    Where people have workspaces of their own they are the same in all of a platform's.
    """
    if alone:
        return _WORKSPACE.c.platform == person.workspace.platform
    return _is_workspace(person)


def _is_workspace(person: Person) -> ColumnElement[bool]:
    return (_WORKSPACE.c.platform == person.workspace.platform) & (
        _WORKSPACE.c.external_id == person.workspace.external_id
    )


def _made(person: Person) -> ColumnElement[bool]:
    """Return the condition that a person made an installation, perhaps for an organisation."""
    return (
        (_INSTALLATION.c.platform == person.workspace.platform)
        & (_INSTALLATION.c.installer == person.external_id)
        & _INSTALLATION.c.team_id.in_((person.workspace.external_id, ""))
    )
