"""Everything that is stored about a person: counted, and deleted.

Subscriptions of shared channels and installations stay without the person's name. A workspace or a
channel of direct messages that is the person's alone goes with the person.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlmodel import Session, SQLModel, col

from store.coordination.request_claims import Claim, claim, is_claimed, take
from store.database.statements import Query, table_of
from store.readers import saved, votes
from store.records import Person
from store.tables.posting import SubscriptionRow
from store.tables.readers import (
    AlertRow,
    BriefRow,
    DismissedPaperRow,
    PersonalCommandStringRow,
    PersonRow,
    RecentChangeRow,
    SavedPaperRow,
    SeenListRow,
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
    """The number of rows of each kind that are stored about a person.

    `own_subscriptions` are those in direct messages, and `read_settings` those of a workspace that
    is the person's alone; `subscriptions` are those of shared channels that the person made.
    `command_strings` belong to buttons that were shown to the person, `lists` to places where they
    saw one, `dismissed` are papers that are not for them, `changes` the last ones, which can be
    taken back. `welcomed` tells whether the bot explained itself to them.
    """

    saved: int = 0
    notes: int = 0
    tags: int = 0
    seen: int = 0
    briefs: int = 0
    votes: int = 0
    own_subscriptions: int = 0
    settings: int = 0
    subscriptions: int = 0
    installations: int = 0
    command_strings: int = 0
    lists: int = 0
    alerts: int = 0
    dismissed: int = 0
    changes: int = 0
    welcomed: bool = False


NOTHING = StoredFacts()


def facts(session: Session, person: Person, *, alone: bool) -> StoredFacts:
    """Count everything that is stored about a person.

    `alone` tells whether the person is alone in their workspace.
    """
    member, own_channels = people.find_person(session, person), _own_channels(person, alone=alone)

    def count(row: type[SQLModel], *conditions: ColumnElement[bool]) -> int:
        query = select(func.count()).select_from(row).where(*conditions)
        return session.connection().scalar(query) or 0

    def own(row: type[SQLModel], *conditions: ColumnElement[bool]) -> int:
        return count(row, table_of(row).c.person_id == member, *conditions)

    made = col(SubscriptionRow.owner) == person.external_id
    channel = col(SubscriptionRow.channel_id)
    workspace = col(WorkspaceSettingRow.workspace_id)
    return StoredFacts(
        saved=own(SavedPaperRow),
        notes=own(SavedPaperRow, col(SavedPaperRow.note).is_not(None)),
        tags=len(saved.count_tags(session, person)),
        seen=own(SeenPaperRow),
        briefs=own(BriefRow),
        votes=own(VoteRow),
        own_subscriptions=count(SubscriptionRow, channel.in_(own_channels)),
        settings=count(WorkspaceSettingRow, workspace.in_(_workspaces(person))) if alone else 0,
        subscriptions=count(
            SubscriptionRow,
            made,
            channel.in_(_around(person, alone=alone)),
            channel.not_in(own_channels),
        ),
        installations=count(InstallationRow, _made(person)),
        command_strings=own(PersonalCommandStringRow),
        lists=own(SeenListRow),
        alerts=own(AlertRow),
        dismissed=own(DismissedPaperRow),
        changes=own(RecentChangeRow),
        welcomed=count(
            PersonRow, col(PersonRow.id) == member, col(PersonRow.welcomed_at).is_not(None)
        )
        > 0,
    )


def forget_if_asked(
    session: Session, person: Person, request: Claim | None, asked: Claim, *, alone: bool
) -> StoredFacts | None:
    """Do as `forget` does, where the person was asked; the claim of the question is used up.

    Return `None` where there is no such claim, and a repeated request did not use it.
    """
    is_repeated = request is not None and is_claimed(session, request)
    if not is_repeated and not take(session, asked):
        return None
    return forget(session, person, request, asked.at, alone=alone)


def forget(
    session: Session, person: Person, request: Claim | None, now: datetime, *, alone: bool
) -> StoredFacts:
    """Delete everything that `facts` counts; return the counts.

    A repeated request deletes nothing and returns `NOTHING`. Posts that show the person's votes are
    marked, by `now`, the time by the system clock.
    """
    if request is not None and not claim(session, request):
        return NOTHING
    found = facts(session, person, alone=alone)
    connection = session.connection()
    _drop_channels(session, _own_channels(person, alone=alone))
    around = col(SubscriptionRow.channel_id).in_(_around(person, alone=alone))
    made = update(SubscriptionRow).where(col(SubscriptionRow.owner) == person.external_id, around)
    connection.execute(made.values(owner=""))
    connection.execute(update(InstallationRow).where(_made(person)).values(installer=""))
    votes.delete_all(session, person, now)
    people.delete_person(session, person)
    if alone:
        workspaces.delete_workspace(session, person.workspace)
    return found


def _own_channels(person: Person, *, alone: bool) -> Query:
    """Select the ids of channels that only this person has."""
    channels = select(col(ChannelRow.id)).where(
        col(ChannelRow.workspace_id).in_(_workspaces(person))
    )
    if alone:
        return channels
    subscribed = select(col(SubscriptionRow.channel_id)).where(
        col(SubscriptionRow.owner) == person.external_id
    )
    alerted = (
        select(col(AlertRow.channel_id))
        .join(PersonRow, col(PersonRow.id) == col(AlertRow.person_id))
        .where(col(PersonRow.workspace_id).in_(_workspaces(person)))
        .where(col(PersonRow.external_id) == person.external_id)
    )
    used = col(ChannelRow.id).in_(subscribed) | col(ChannelRow.id).in_(alerted)
    # An older program notes that digests go to a channel, not that it is of direct messages.
    digests = subscribed.where(col(SubscriptionRow.personal))
    return channels.where(col(ChannelRow.direct) | col(ChannelRow.id).in_(digests), used)


def _drop_channels(session: Session, which: Query) -> None:
    """Delete channels, their rows, and the command strings that name them."""
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
    workspaces.delete_channels(session, [*channels])


def _around(person: Person, *, alone: bool) -> Query:
    """Select the ids of the channels whose subscriptions may name a person.

    On a platform where each person has a workspace of their own, all of its channels may.
    """
    query = select(col(ChannelRow.id)).join(
        WorkspaceRow, col(WorkspaceRow.id) == col(ChannelRow.workspace_id)
    )
    if alone:
        return query.where(col(WorkspaceRow.platform) == person.workspace.platform)
    return query.where(workspaces.is_workspace(person.workspace))


def _workspaces(person: Person) -> Query:
    return select(col(WorkspaceRow.id)).where(workspaces.is_workspace(person.workspace))


def _made(person: Person) -> ColumnElement[bool]:
    """Return the condition that a person made an installation, also an organisation-wide one."""
    return (
        (col(InstallationRow.platform) == person.workspace.platform)
        & (col(InstallationRow.installer) == person.external_id)
        & col(InstallationRow.team_id).in_((person.workspace.external_id, ""))
    )
