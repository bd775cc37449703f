"""Who asks in Discord, and where: an interaction's facts in the words of the command layer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import discord

from adapters.discord.channels.visible_channels import DiscordChannels
from bot.accounts.workspaces import Workspaces
from bot.actor import Actor, Named, Role
from store.records import Person, Workspace

_MANAGERS = "Managers have the permission Manage Server, or the role that a manager named."
Interaction = discord.Interaction[Any]


@dataclass(frozen=True, slots=True)
class Scene:
    """Where something is asked.

    `guild` is the server's id, `None` in direct messages. `joined` tells whether the bot has a
    part there: is a member of the server, or the other side of the direct messages. Where it has
    none, a person asks by an installation of their own.
    """

    guild: int | None
    joined: bool

    @property
    def is_direct(self) -> bool:
        """Whether it is between the bot and the asker alone, where all answers stay."""
        return self.guild is None and self.joined


def scene(interaction: Interaction) -> Scene:
    """Return where an interaction comes from.

    https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-interaction-context-types
    """
    guild = interaction.guild_id
    if guild is None:
        # Discord's document has it that the context may be missing.
        by_channel = isinstance(interaction.channel, discord.DMChannel)
        elsewhere = interaction.context.private_channel
        return Scene(None, joined=interaction.context.dm_channel or (by_channel and not elsewhere))
    return Scene(guild, joined=_is_member(interaction, guild))


def _is_member(interaction: Interaction, guild: int) -> bool:
    """Tell whether the bot is a member of a server.

    It is one of those where Discord says that the server has the app, but a server may have its
    commands alone; so the client must know it too, once it was told of any.
    """
    has_app = interaction.is_guild_integration() or not interaction.is_user_integration()
    client = interaction.client
    return has_app and (client.get_guild(guild) is not None or not client.guilds)


def request_key(interaction: Interaction) -> str:
    """Return the name of a request, the same when it is delivered again."""
    return f"discord:{interaction.id}"


def person(interaction: Interaction) -> Person:
    """Return whose facts the asker's own are: the same in all servers and in direct messages."""
    user = str(interaction.user.id)
    return Person(Workspace("discord", f"@{user}"), user)


async def actor(interaction: Interaction, workspaces: Workspaces) -> Actor:
    """Return who asks, in the role that they have there.

    Raises:
        StoreError: as `Workspaces.settings`.
    """
    there = scene(interaction)
    asker = person(interaction)
    user, home = asker.external_id, asker.workspace.external_id
    workspace = str(there.guild) if there.guild and there.joined else home
    owns = there.is_direct or interaction.permissions.manage_guild
    manages = owns or await _has_role(interaction, Workspace("discord", workspace), workspaces)
    return Actor(
        platform="discord",
        workspace=workspace,
        user=user,
        role=Role.MANAGER if manages and there.joined else Role.READER,
        channel=str(interaction.channel_id) if there.joined else None,
        joined=there.joined,
        owns=owns and there.joined,
        by_name=True,
        managers=_MANAGERS,
        roles=lambda: _roles(interaction),
        parent=_parent(interaction) if there.joined else None,
        channels=DiscordChannels(interaction) if there.joined else None,
        home=home,
    )


def _parent(interaction: Interaction) -> str | None:
    """Return the channel that a thread belongs to, where something is asked in one."""
    channel = interaction.channel
    return str(channel.parent_id) if isinstance(channel, discord.Thread) else None


async def _has_role(interaction: Interaction, workspace: Workspace, workspaces: Workspaces) -> bool:
    """Tell whether somebody has the role that the server's managers named."""
    user = interaction.user
    if not isinstance(user, discord.Member):
        return False
    role = (await workspaces.settings(workspace)).role
    return role is not None and role.isdecimal() and user.get_role(int(role)) is not None


def _roles(interaction: Interaction) -> Sequence[Named]:
    """Return the roles of the server, highest first, without the one that everybody has."""
    guild = interaction.client.get_guild(interaction.guild_id or 0)
    roles = reversed(guild.roles) if guild else ()
    return [Named(str(role.id), role.name) for role in roles if not role.is_default()]
