"""The actor and the origin of an interaction, in the terms of the command layer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import discord

from adapters.discord.channels.visible_channels import DiscordChannels
from adapters.discord.render.limits import PAPERS_ON_PAGE
from bot.accounts import Workspaces
from bot.actor import Actor, Named, Role, none_hidden
from store.records import Person, Workspace

_MANAGERS = "Managers have the permission Manage Server, or the role that a manager named."
_PRESSES = {discord.InteractionType.component, discord.InteractionType.modal_submit}
Interaction = discord.Interaction[Any]


@dataclass(frozen=True, slots=True)
class Origin:
    """The place that an interaction comes from.

    Attributes:
        guild: the server's id, `None` in direct messages.
        joined: whether the bot is a member of the server, or the other side of the direct
            messages. If not, the user has installed the app for themselves.
    """

    guild: int | None
    joined: bool

    @property
    def is_direct(self) -> bool:
        """True if it is the direct messages of the user with the bot."""
        return self.guild is None and self.joined


def origin_of(interaction: Interaction) -> Origin:
    """Return the origin of an interaction.

    https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-interaction-context-types
    """
    guild = interaction.guild_id
    if guild is None:
        # Discord's document says that the context may be missing.
        by_channel = isinstance(interaction.channel, discord.DMChannel)
        elsewhere = interaction.context.private_channel
        return Origin(None, joined=interaction.context.dm_channel or (by_channel and not elsewhere))
    return Origin(guild, joined=_is_member(interaction, guild))


def _is_member(interaction: Interaction, guild: int) -> bool:
    """Tell whether the bot is a member of a server.

    Discord says whether the server has the app, but a server may have its commands without the
    bot; so the client must hold the server too, if it holds any.
    """
    has_app = interaction.is_guild_integration() or not interaction.is_user_integration()
    client = interaction.client
    return has_app and (client.get_guild(guild) is not None or not client.guilds)


def request_key(interaction: Interaction) -> str:
    """Return the idempotency key of an interaction, the same when it is delivered again."""
    return f"discord:{interaction.id}"


def person(user: discord.abc.Snowflake) -> Person:
    """Return the person whose list a user has, the same in all servers and direct messages."""
    return Person(Workspace("discord", f"@{user.id}"), str(user.id))


def direct_actor(
    client: discord.Client, user: discord.abc.User, channel: discord.abc.Snowflake
) -> Actor:
    """Return a user as an actor in the direct messages with the bot, which are theirs to manage."""
    known = person(user)
    return Actor(
        platform="discord",
        workspace=known.workspace.external_id,
        user=known.external_id,
        role=Role.MANAGER,
        channel=str(channel.id),
        owns=True,
        in_direct=True,
        by_name=True,
        managers=_MANAGERS,
        channels=DiscordChannels(client, user, channel, None),
        home=known.workspace.external_id,
        page_size=PAPERS_ON_PAGE,
        dark=True,
    )


async def actor(interaction: Interaction, workspaces: Workspaces) -> Actor:
    """Return the user of an interaction as an actor with a role there.

    Raises:
        StoreError: as `Workspaces.settings`.
    """
    origin, user = origin_of(interaction), interaction.user
    if origin.is_direct:
        channel = interaction.channel or discord.Object(interaction.channel_id or 0)
        return direct_actor(interaction.client, user, channel)
    home = person(user).workspace.external_id
    channels = _channels(interaction) if origin.joined else None
    workspace = str(origin.guild) if origin.guild and origin.joined else home
    thread = interaction.channel if isinstance(interaction.channel, discord.Thread) else None
    owns = interaction.permissions.manage_guild
    manages = owns or await _has_role(interaction, Workspace("discord", workspace), workspaces)
    return Actor(
        platform="discord",
        workspace=workspace,
        user=str(user.id),
        role=Role.MANAGER if manages and origin.joined else Role.READER,
        channel=str(interaction.channel_id) if origin.joined else None,
        joined=origin.joined,
        owns=owns and origin.joined,
        by_name=True,
        managers=_MANAGERS,
        roles=lambda: _roles(interaction),
        parent=str(thread.parent_id) if thread and origin.joined else None,
        # A thread has the id of the message that it began with:
        # https://docs.discord.com/developers/topics/threads
        thread=str(thread.id) if thread else None,
        channels=channels,
        home=home,
        page_size=PAPERS_ON_PAGE,
        dark=True,
        hidden=channels.hidden if channels else none_hidden,
    )


def _channels(interaction: Interaction) -> DiscordChannels:
    client: discord.Client = interaction.client
    current = interaction.channel if _is_there(interaction) else None
    return DiscordChannels(client, interaction.user, current, interaction.guild_id)


def _is_there(interaction: Interaction) -> bool:
    """Tell whether the user is in the channel of an interaction for certain.

    A button or a form of an earlier answer may be left open, and its user shut out meanwhile.
    """
    channel = interaction.channel
    is_press = interaction.type in _PRESSES
    is_private_thread = isinstance(channel, discord.Thread) and channel.is_private()
    return interaction.permissions.view_channel and not (is_press and is_private_thread)


async def _has_role(interaction: Interaction, workspace: Workspace, workspaces: Workspaces) -> bool:
    """Tell whether the user has the managers' role of the server's settings."""
    user = interaction.user
    if not isinstance(user, discord.Member):
        return False
    role = (await workspaces.settings(workspace)).role
    return role is not None and role.isdecimal() and user.get_role(int(role)) is not None


def _roles(interaction: Interaction) -> Sequence[Named]:
    """Return the roles of the server, highest first, without @everyone."""
    guild = interaction.client.get_guild(interaction.guild_id or 0)
    roles = reversed(guild.roles) if guild else ()
    return [Named(str(role.id), role.name) for role in roles if not role.is_default()]
