"""The list that was seen last: a person's in each place, and a channel's for everyone there.

A place is a channel by the platform's id, or any other name of where somebody asks. A channel's
list is the answer that was shared there last or the last post, whichever is later; what a post
shows is known from its delivery. Instants (aware) are by the clock that users see.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Executable,
    Integer,
    Row,
    bindparam,
    case,
    cast,
    delete,
    func,
    literal,
    null,
    select,
    union_all,
    update,
)
from sqlmodel import Session, col

from store.database.statements import Query, insert_by, table_of
from store.database.types import Instant
from store.records import Channel, DeliveryState, Person, SeenList, Workspace
from store.tables.posting import DeliveryPartRow, DeliveryRow, SubscriptionRow
from store.tables.readers import PersonRow, SeenListRow, SharedListRow
from store.tables.workspaces import ChannelRow, WorkspaceRow
from store.workspaces.people import ensure_person
from store.workspaces.workspaces import channel_id, is_workspace

LIFETIME = timedelta(days=1)
# Who sees nothing for so long has left. A brief of too long a time lists nothing twice, one of too
# short a time leaves papers out: a night has to end a visit, a long lunch must not.
AWAY = timedelta(hours=8)
_RECENT = timedelta(hours=1)  # a list that was seen longer ago is not spoken of
# One list in so many deletes old ones: see `store.coordination.request_claims`.
_CLEANUP_EVERY = 64
_Row = type[SeenListRow | SharedListRow]
_LIST = ("refs", "first", "more", "back", "command", "listed_at")
_PAPER = ("it", "it_at")
_PAPER_OF_SEVERAL = ("more", *_PAPER)  # such as a random one

# All are built once: each answer that shows a list looks for one, and most note one.
_PLATFORM = col(WorkspaceRow.platform) == bindparam("platform")
_CHANNEL = (
    select(col(ChannelRow.id))
    .join(WorkspaceRow, col(WorkspaceRow.id) == col(ChannelRow.workspace_id))
    .where(
        _PLATFORM,
        col(WorkspaceRow.external_id) == bindparam("workspace"),
        col(ChannelRow.external_id) == bindparam("place"),
    )
)
_PERSON = (
    select(col(PersonRow.id))
    .join(WorkspaceRow, col(WorkspaceRow.id) == col(PersonRow.workspace_id))
    .where(
        _PLATFORM,
        col(WorkspaceRow.external_id) == bindparam("home"),
        col(PersonRow.external_id) == bindparam("person"),
    )
)
_LAST_POST = (
    select(col(DeliveryRow.id), col(DeliveryRow.sent_at))
    .join(SubscriptionRow, col(SubscriptionRow.id) == col(DeliveryRow.subscription_id))
    .where(
        col(SubscriptionRow.channel_id) == _CHANNEL.scalar_subquery(),
        col(DeliveryRow.state) == DeliveryState.SENT,
        col(DeliveryRow.sent_at).is_not(None),
    )
    .order_by(col(DeliveryRow.sent_at).desc(), col(DeliveryRow.id).desc())
    .limit(1)
)


def shown_at() -> ColumnElement[datetime]:
    """Return when a person was shown something last in a place."""
    listed, it = col(SeenListRow.listed_at), col(SeenListRow.it_at)
    return case((listed.is_(None) | (it > listed), it), else_=listed)


# When the person of a new row had left, `None` while the visit goes on.
_LEFT_AT = (
    select(func.max(shown_at()))
    .where(
        col(SeenListRow.person_id) == col(PersonRow.id),
        shown_at() <= bindparam("listed_at", type_=Instant),
    )
    .having(func.max(shown_at()) < bindparam("began", type_=Instant))
    .correlate(PersonRow)
)


def _noted(row: _Row) -> Query:
    """Select what is noted, beside the number of a post, which it has none."""
    fields = (getattr(row, name) for name in (*_LIST, *_PAPER))
    return select(*fields, cast(null(), Integer).label("post"))


_OF_POST = _LAST_POST.subquery()
_SEEN = union_all(
    _noted(SeenListRow).where(
        col(SeenListRow.person_id) == _PERSON.scalar_subquery(),
        col(SeenListRow.place) == bindparam("place"),
    ),
    _noted(SharedListRow).where(col(SharedListRow.channel_id) == _CHANNEL.scalar_subquery()),
    select(
        null(),
        literal(1),
        *(null(), null(), null()),
        _OF_POST.c.sent_at,
        *(null(), null()),
        _OF_POST.c.id,
    ).where(_OF_POST.c.sent_at >= bindparam("since")),
)


def note(session: Session, person: Person, place: str, seen: SeenList) -> None:
    """Store the list that a person saw in a place, and the paper that was spoken of.

    One without refs leaves the list as it is, but what comes next if it says so; one without a
    paper leaves the paper. Nothing later is overwritten.
    """
    asked = {**_of(person), "place": place}
    if not _note(session, SeenListRow, asked, seen):
        ensure_person(session, person)
        _note(session, SeenListRow, asked, seen)


def note_for_all(session: Session, workspace: Workspace, place: str, seen: SeenList) -> None:
    """Store, as `note` does, what was shared in a channel, which everyone there sees."""
    asked = _in(workspace, place)
    if not _note(session, SharedListRow, asked, seen):
        channel_id(session, Channel(workspace, place))
        _note(session, SharedListRow, asked, seen)


def find(
    session: Session, person: Person, workspace: Workspace, place: str, since: datetime
) -> SeenList | None:
    """Return what a person saw last in a place, not before an instant.

    Of the person's list, the shared one and the last post the latest counts; the paper is that
    which was set last, with any of them. Where no list is as new, the one returned has no refs and
    the instant of the paper; where no paper is either, it is `None`.
    """
    asked = {**_of(person), **_in(workspace, place), "since": since}
    rows = session.connection().execute(_SEEN, asked).all()
    recent = [each for row in rows for each in _read(session, row) if each.at >= since]
    papers = (each for each in recent if each.it is not None)
    paper = max(papers, key=lambda each: each.at, default=None)
    lists = (each for each in recent if each.refs)
    shown = max(lists, key=lambda each: each.at, default=paper)
    return replace(shown, it=paper.it if paper else None) if shown else None


def last_post_of(session: Session, workspace: Workspace, place: str) -> SeenList | None:
    """Return what the last post in a channel shows, however old it is; `None` without a post."""
    post = session.connection().execute(_LAST_POST, _in(workspace, place)).one_or_none()
    if post is None:
        return None
    return SeenList(_refs_of(session, post.id), 1, None, None, None, post.sent_at)


def of_message(session: Session, workspace: Workspace, message: str) -> SeenList | None:
    """Return what a posted message shows, by the platform's id; `None` for any other message.

    Papers are numbered on over the messages of a post. The first message of a thread, which shows
    no paper by itself, stands for all of it.
    What alerts found is posted without a subscription.
    """
    channel = func.coalesce(col(SubscriptionRow.channel_id), col(DeliveryRow.channel_id))
    query = (
        select(
            col(DeliveryPartRow.delivery_id),
            col(DeliveryPartRow.number),
            col(DeliveryPartRow.refs),
            col(DeliveryPartRow.began_at),
        )
        .join(DeliveryRow, col(DeliveryRow.id) == col(DeliveryPartRow.delivery_id))
        .outerjoin(SubscriptionRow, col(SubscriptionRow.id) == col(DeliveryRow.subscription_id))
        .join(ChannelRow, col(ChannelRow.id) == channel)
        .join(WorkspaceRow, col(WorkspaceRow.id) == col(ChannelRow.workspace_id))
        .where(col(DeliveryPartRow.message) == message, is_workspace(workspace))
        .limit(1)
    )
    part = session.connection().execute(query).one_or_none()
    if part is None or part.began_at is None:
        return None
    before = len(_refs_of(session, part.delivery_id, before=part.number)) if part.refs else 0
    refs = part.refs or _refs_of(session, part.delivery_id)
    return SeenList(
        refs, before + 1, refs[0] if len(refs) == 1 else None, None, None, part.began_at
    )


def _refs_of(session: Session, delivery: int, before: int | None = None) -> tuple[str, ...]:
    """Return the refs of the messages of a delivery, in order, of all or those before one."""
    parts = (
        select(col(DeliveryPartRow.refs))
        .where(col(DeliveryPartRow.delivery_id) == delivery)
        .order_by(col(DeliveryPartRow.number))
    )
    if before is not None:
        parts = parts.where(col(DeliveryPartRow.number) < before)
    return tuple(ref for part in session.connection().scalars(parts) for ref in part)


def _note(session: Session, row: _Row, asked: Mapping[str, str], seen: SeenList) -> bool:
    """Store what was seen; return whether that changed anything."""
    _delete_old(session, seen.at)
    values = {"refs": seen.refs, "first": seen.first, "more": seen.more, "back": seen.back}
    values["command"] = seen.command
    values |= {"listed_at": seen.at, "it": seen.it, "it_at": seen.at, "late": seen.at + LIFETIME}
    values |= {"began": seen.at - AWAY, "recent": seen.at - _RECENT}
    paper = _PAPER_OF_SEVERAL if seen.more and not seen.refs else _PAPER
    kinds = [*([_LIST] if seen.refs else []), *([paper] if seen.it is not None else [])]
    dialect, execute = session.get_bind().dialect.name, session.connection().execute
    done = [execute(_put(dialect, row, names), {**asked, **values}) for names in kinds]
    return any(each.rowcount for each in done)


@cache
def _put(dialect: str, row: _Row, names: tuple[str, ...]) -> Executable:
    """Return a statement that sets fields of a row, which it adds, unless their instant is later.

    Of somebody or a channel of which nothing is stored it does nothing. An instant that is far
    ahead was set while the clock was wrong.
    """
    keys = [each.name for each in table_of(row).primary_key]
    added = dict.fromkeys((*keys[1:], "refs", "first", *names))
    owner = _PERSON if row is SeenListRow else _CHANNEL
    values: dict[str, ColumnElement[Any]] = {
        name: bindparam(name, type_=table_of(row).c[name].type) for name in added
    }
    if row is SeenListRow:
        values["left_at"] = _LEFT_AT.scalar_subquery()
    selected = owner.add_columns(*values.values())
    new = insert_by(dialect, row).from_select([keys[0], *values], selected)
    stored, at = col(getattr(row, names[-1])), new.excluded[names[-1]]
    changed: dict[str, ColumnElement[Any]] = {name: new.excluded[name] for name in names}
    if "more" in names and "listed_at" not in names:
        # What comes next is after the paper, and a list that is as good as forgotten has none.
        is_recent = col(row.listed_at) > bindparam("recent", type_=Instant)
        changed["listed_at"] = case((is_recent, col(row.listed_at)), else_=null())
    if row is SeenListRow:
        changed["left_at"] = func.coalesce(new.excluded.left_at, col(SeenListRow.left_at))
    return new.on_conflict_do_update(
        index_elements=keys,
        set_=changed,
        where=stored.is_(None) | (stored <= at) | (stored > bindparam("late")),
    ).execution_options(preserve_rowcount=True)


def _of(person: Person) -> dict[str, str]:
    """Return the parameters of a person."""
    home = person.workspace
    return {"platform": home.platform, "home": home.external_id, "person": person.external_id}


def _in(workspace: Workspace, place: str) -> dict[str, str]:
    """Return the parameters of a place in a workspace."""
    names = {"platform": workspace.platform, "workspace": workspace.external_id}
    return {**names, "place": place}


def _read(session: Session, row: Row[Any]) -> Iterator[SeenList]:
    """Yield the list of a row and its paper, each with its own instant."""
    if row.listed_at is not None:
        refs = row.refs if row.post is None else _refs_of(session, row.post)
        yield SeenList(refs, row.first, None, row.more, row.back, row.listed_at, row.command)
    if row.it_at is not None:
        more = row.more if row.listed_at is None else None
        yield SeenList((), 1, row.it, more, None, row.it_at)


def _delete_old(session: Session, at: datetime) -> None:
    """Now and then, by chance of the instant, delete what was noted a day before it.

    When a person saw something last is kept.
    """
    if at.microsecond % _CLEANUP_EVERY:
        return
    is_left = (col(SeenListRow.first) != 0) | col(SeenListRow.it).is_not(None)
    emptied = update(SeenListRow).where(_is_old(SeenListRow, at), is_left)
    for cleanup in (
        emptied.values(refs=(), first=0, more=None, back=None, command=None, it=None),
        delete(SharedListRow).where(_is_old(SharedListRow, at)),
    ):
        session.connection().execute(cleanup)


def _is_old(row: _Row, at: datetime) -> ColumnElement[bool]:
    """Tell whether all of a row was noted a day before an instant."""
    listed, it = col(row.listed_at), col(row.it_at)
    return (func.coalesce(listed, it) <= at - LIFETIME) & (
        func.coalesce(it, listed) <= at - LIFETIME
    )
