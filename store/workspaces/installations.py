"""Installations of an app with their tokens, which are stored encrypted.

Two workspaces never share a row: an installation is found by the ids of its workspace, or of an
organisation that installed the app for all its workspaces.
"""

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass

from sqlalchemy import ColumnElement, RowMapping, and_, delete, insert, or_, select, update
from sqlmodel import Session, col

from store.database.encryption import SecretBox
from store.errors import SecretUnreadable
from store.records import Installation, InstallationKey, KeptToken
from store.tables.workspaces import InstallationRow

_KEY = ("platform", "client_id", "enterprise_id", "team_id")


@dataclass(frozen=True, slots=True)
class Renewal:
    """The number of tokens encrypted again, and the owners of those that no key opens."""

    renewed: int
    unreadable: tuple[str, ...]


def list_tokens(
    session: Session, platform: str | None = None, client_id: str | None = None
) -> list[KeptToken]:
    """Return the stored tokens, of all apps or of one, oldest first."""
    query = select(InstallationRow).order_by(col(InstallationRow.id))
    if platform is not None:
        query = query.where(col(InstallationRow.platform) == platform)
    if client_id is not None:
        query = query.where(col(InstallationRow.client_id) == client_id)
    rows = session.connection().execute(query).mappings().all()
    return [
        KeptToken(
            row["platform"], row["client_id"], _owner(row), row["bot_token"], row["bot_scopes"]
        )
        for row in rows
    ]


def list_unreadable(tokens: Iterable[KeptToken], box: SecretBox) -> list[str]:
    """Return the owners of the tokens that no key opens. Pure."""
    return [token.owner for token in tokens if not box.opens(token.encrypted)]


def save(session: Session, installation: Installation, box: SecretBox) -> bool:
    """Store an installation in the place of an earlier one; return whether it is new.

    The instant of the first installation stays.
    """
    connection, facts = session.connection(), _facts(installation, box)
    changed = {name: fact for name, fact in facts.items() if name != "installed_at"}
    again = update(InstallationRow).where(_is(installation.key)).values(changed)
    if connection.execute(again).rowcount:
        return False
    connection.execute(insert(InstallationRow).values(facts))
    return True


def find(session: Session, wanted: InstallationKey, box: SecretBox) -> Installation | None:
    """Return a workspace's own installation, else its organisation's, else `None`.

    Raises:
        SecretUnreadable: where no key opens its token.
    """
    query = select(InstallationRow).where(
        *_app(wanted), or_(_of_workspace(wanted), _of_organisation(wanted))
    )
    rows = session.connection().execute(query).mappings().all()
    if not rows:
        return None
    return _record(max(rows, key=lambda row: _nearness(row, wanted)), box)


def list_organisations(session: Session, platform: str, client_id: str) -> list[str]:
    """Return the ids of the organisations that installed an app for all their workspaces."""
    query = select(col(InstallationRow.enterprise_id)).where(
        *_app(InstallationKey(platform, client_id, "", "")),
        col(InstallationRow.team_id) == "",
        col(InstallationRow.is_org_wide),
    )
    return list(session.connection().scalars(query.order_by(col(InstallationRow.enterprise_id))))


def of_bots(
    session: Session, platform: str, client_id: str, users: Collection[str]
) -> dict[str, InstallationKey]:
    """Return the installations whose bots are among some users, by the id of the bot's user."""
    query = select(InstallationRow).where(
        *_app(InstallationKey(platform, client_id, "", "")),
        col(InstallationRow.bot_user_id).in_(users),
    )
    rows = session.connection().execute(query.order_by(col(InstallationRow.updated_at))).mappings()
    return {row["bot_user_id"]: InstallationKey(*(row[name] for name in _KEY)) for row in rows}


def remove(session: Session, gone: InstallationKey) -> None:
    """Delete the installation of a workspace, or without a `team_id` of an organisation."""
    own = _of_workspace(gone) if gone.team_id else _of_organisation(gone)
    session.connection().execute(delete(InstallationRow).where(*_app(gone), own))


def reencrypt(session: Session, box: SecretBox) -> Renewal:
    """Encrypt tokens of older keys by the newest key, after which the older may be dropped."""
    connection, renewed, unreadable = session.connection(), 0, []
    rows = connection.execute(select(InstallationRow).order_by(col(InstallationRow.id))).mappings()
    for row in rows.all():
        try:
            token = box.renewed(row["bot_token"], _owner(row))
        except SecretUnreadable as error:
            unreadable.append(error.owner)
            continue
        if token is not None:
            same = col(InstallationRow.id) == row["id"]
            connection.execute(update(InstallationRow).where(same).values(bot_token=token))
            renewed += 1
    return Renewal(renewed, tuple(unreadable))


def _app(key: InstallationKey) -> tuple[ColumnElement[bool], ...]:
    return (
        col(InstallationRow.platform) == key.platform,
        col(InstallationRow.client_id) == key.client_id,
    )


def _is(key: InstallationKey) -> ColumnElement[bool]:
    return and_(*(getattr(InstallationRow, name) == getattr(key, name) for name in _KEY))


def _of_workspace(key: InstallationKey) -> ColumnElement[bool]:
    """Match a workspace by its id.

    It may have joined an organisation after the installation, and not every request names the
    organisation; but the same id in two organisations means two workspaces.
    """
    same = and_(col(InstallationRow.team_id) != "", col(InstallationRow.team_id) == key.team_id)
    if not key.enterprise_id:
        return same
    return same & col(InstallationRow.enterprise_id).in_(("", key.enterprise_id))


def _of_organisation(key: InstallationKey) -> ColumnElement[bool]:
    named = (col(InstallationRow.enterprise_id) != "") & (
        col(InstallationRow.enterprise_id) == key.enterprise_id
    )
    return and_(col(InstallationRow.team_id) == "", named, col(InstallationRow.is_org_wide))


def _nearness(row: RowMapping, wanted: InstallationKey) -> tuple[object, ...]:
    return row["team_id"] != "", row["enterprise_id"] == wanted.enterprise_id, row["updated_at"]


def _facts(installation: Installation, box: SecretBox) -> dict[str, object]:
    facts = {**asdict(installation), **asdict(installation.key)}
    del facts["key"]
    return {**facts, "bot_token": box.encrypt(installation.bot_token)}


def _record(row: RowMapping, box: SecretBox) -> Installation:
    facts = {name: fact for name, fact in row.items() if name not in {"id", *_KEY}}
    facts["bot_token"] = box.decrypt(row["bot_token"], _owner(row))
    return Installation(key=InstallationKey(*(row[name] for name in _KEY)), **facts)


def _owner(row: RowMapping) -> str:
    name, place = row["team_name"] or row["enterprise_name"], row["team_id"] or row["enterprise_id"]
    return f"{name} ({place})" if name else str(place)
