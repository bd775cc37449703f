"""Tables of workspaces: their channels, settings, app installations and command strings."""

from datetime import datetime

from sqlalchemy import Boolean, Column, UniqueConstraint, false
from sqlmodel import Field, SQLModel

from store.database.types import Instant, Strings


class WorkspaceRow(SQLModel, table=True):
    """A Slack workspace or a Discord guild; `platform` may be any string.

    `left_at` is when the bot left it, `cooldown_until` is until when nothing is sent there because
    the platform asked for that, and `welcomed_at` is when the bot introduced itself there.
    """

    __tablename__ = "workspace"
    __table_args__ = (UniqueConstraint("platform", "external_id"),)

    id: int = Field(default=None, primary_key=True)
    platform: str
    external_id: str
    left_at: datetime | None = Field(sa_column=Column(Instant, index=True))
    cooldown_until: datetime | None = Field(sa_column=Column(Instant, index=True))
    welcomed_at: datetime | None = Field(sa_column=Column(Instant))


class ChannelRow(SQLModel, table=True):
    """A channel of a workspace, under the platform's id; `kind` is the platform's word.

    `direct` ones are the messages of one person with the bot.
    """

    __tablename__ = "channel"
    __table_args__ = (UniqueConstraint("workspace_id", "external_id"),)

    id: int = Field(default=None, primary_key=True)
    workspace_id: int = Field(foreign_key="workspace.id")
    external_id: str
    name: str | None
    private: bool = Field(sa_column=Column(Boolean, nullable=False, server_default=false()))
    kind: str | None
    direct: bool = Field(sa_column=Column(Boolean, nullable=False, server_default=false()))


class WorkspaceSettingRow(SQLModel, table=True):
    """A setting of a workspace; one without a row has its default."""

    __tablename__ = "workspace_setting"

    workspace_id: int = Field(foreign_key="workspace.id", primary_key=True)
    name: str = Field(primary_key=True)
    value: str


class CommandStringRow(SQLModel, table=True):
    """A command string under its digest, and when it was last stored."""

    __tablename__ = "command_string"

    digest: str = Field(primary_key=True)
    command: str
    kept_at: datetime = Field(sa_column=Column(Instant, nullable=False, index=True))


class InstallationRow(SQLModel, table=True):
    """An app installed in a workspace or a whole organisation; a missing id is ''.

    `bot_token` is encrypted by `store.database.encryption`.
    """

    __tablename__ = "installation"
    __table_args__ = (UniqueConstraint("platform", "client_id", "enterprise_id", "team_id"),)

    id: int = Field(default=None, primary_key=True)
    platform: str
    client_id: str
    enterprise_id: str
    team_id: str
    bot_token: str
    bot_id: str
    bot_user_id: str
    bot_scopes: tuple[str, ...] = Field(sa_column=Column(Strings, nullable=False))
    app_id: str
    installer: str
    enterprise_name: str
    team_name: str
    is_org_wide: bool
    installed_at: datetime = Field(sa_column=Column(Instant, nullable=False))
    updated_at: datetime = Field(sa_column=Column(Instant, nullable=False))
