"""User actions in Discord: commands, autocomplete, components, modals."""

from collections.abc import Mapping
from typing import Any

from tests.fakes.discord.gateway import Gateway
from tests.fakes.discord.identities import User
from tests.fakes.discord.interactions import (
    AUTOCOMPLETE,
    COMMAND,
    COMPONENT,
    MODAL,
    Interaction,
    Modal,
)
from tests.fakes.discord.permissions import Permission, permissions_in
from tests.fakes.discord.records import Channel, Message
from tests.fakes.discord.rules.components import LINK_STYLE, Json
from tests.fakes.discord.state import World
from tests.fakes.discord.users.command_options import CHAT_INPUT, command_data, message_command
from tests.fakes.discord.users.modal_values import modal_data

# The three seconds of Discord and some for the round trip.
_TIMEOUT = 3.1
_GUILD, _BOT_DM, _PRIVATE = 0, 1, 2
_KINDS = {"dm": _BOT_DM, "group": _PRIVATE}


class Person:
    """A user whose actions send interactions to the bot and wait for the response."""

    def __init__(self, world: World, gateway: Gateway, user: User) -> None:
        self._world, self._gateway, self.user = world, gateway, user

    @property
    def id(self) -> int:
        """The id of the user."""
        return self.user.id

    @property
    def dm(self) -> Channel:
        """The direct message channel of the user and the bot."""
        return self._world.dm_with(self.user)

    async def asks(self, channel: Channel, words: str = "latest", /, **options: Any) -> Interaction:
        """Run a subcommand of `/papers` with options."""
        data = command_data(self._world.commands, words, options)
        self._assert_offered(channel, CHAT_INPUT)
        return await self._interact(channel, COMMAND, data)

    async def completes(self, channel: Channel, words: str, /, **options: Any) -> list[Json]:
        """Request autocomplete of the last option, and return its choices."""
        data = command_data(self._world.commands, words, options, focused=list(options)[-1])
        self._assert_offered(channel, CHAT_INPUT)
        interaction = await self._interact(channel, AUTOCOMPLETE, data)
        assert interaction.choices is not None, f"nothing was offered: {interaction.error}"
        return interaction.choices

    async def looks_up(self, message: Message, name: str | None = None) -> Interaction:
        """Run a message command of the app."""
        command = message_command(self._world.commands, name)
        self._assert_visible(message)
        self._assert_offered(message.channel, command["type"])
        known = {"id": command["id"], "name": command["name"], "type": command["type"]}
        resolved = {"messages": {str(message.id): message.as_json()}}
        data = {**known, "target_id": str(message.id), "resolved": resolved}
        return await self._interact(message.channel, COMMAND, data)

    async def presses(self, message: Message, label: str) -> Interaction:
        """Press the button with a label."""
        self._assert_visible(message)
        assert label in message.buttons, f"no {label!r} among {list(message.buttons)}"
        button = message.buttons[label]
        assert button["style"] != LINK_STYLE, f"{label} is a link"
        assert not button.get("disabled"), f"{label} is disabled"
        return await self._use_component(message, button, {})

    async def chooses(self, message: Message, *options: str) -> Interaction:
        """Choose options of a select by label or value."""
        self._assert_visible(message)
        for select in message.selects:
            known = {each["value"]: each["value"] for each in select["options"]}
            known |= {each["label"]: each["value"] for each in select["options"]}
            if set(options) <= known.keys():
                assert not select.get("disabled"), "the select is disabled"
                values = [known[each] for each in options]
                return await self._use_component(
                    message, select, {"values": values, "resolved": {}}
                )
        labels = [each["label"] for select in message.selects for each in select["options"]]
        raise AssertionError(f"no {options} among {labels}")

    async def submits(self, modal: Modal, values: Mapping[str, Any] | None = None) -> Interaction:
        """Submit an open modal with values by label or custom_id."""
        opened = modal.opened_by
        assert opened.user is self.user, "another user has it open"
        data = modal_data(modal.payload, values or {})
        return await self._interact(opened.channel, MODAL, data, opened.source)

    def says(
        self, channel: Channel, text: str, *, to: Message | None = None, **payload: Any
    ) -> Message:
        """Post a message, as a reply `to` another, which pings its author."""
        return self._world.post(channel, {"content": text, **payload}, self.user, reference=to)

    def edits(self, message: Message, text: str) -> None:
        """Edit a message of the user."""
        message.fill({"content": text})
        message.edited = True
        self._gateway.dispatch_message(message, "MESSAGE_UPDATE")

    def sees(self, channel: Channel) -> list[Message]:
        """Return the messages of a channel that the user sees."""
        readable = [each for each in channel.messages if each.ephemeral_for in (None, self.user)]
        return [message for message in readable if not message.deleted]

    def _assert_visible(self, message: Message) -> None:
        assert message in self.sees(message.channel), "not seen by them"

    async def _use_component(self, message: Message, component: Json, more: Json) -> Interaction:
        known = {"component_type": component["type"], "custom_id": component["custom_id"]}
        data = {**known, "id": component["id"], **more}
        return await self._interact(message.channel, COMPONENT, data, message)

    def _assert_offered(self, channel: Channel, kind: int) -> None:
        """Assert that a command of a kind is available to the user in a channel."""
        command = next(each for each in self._world.commands if each["type"] == kind)
        contexts = command.get("contexts")
        context = _KINDS.get(channel.kind, _GUILD)
        assert contexts is None or context in contexts, f"not offered in a {channel.kind}"
        of_guild = (channel.guild and channel.guild.bot_in) or channel.kind == "dm"
        types = command.get("integration_types") or [0]
        ways = ([0] if of_guild else []) + ([1] if self.user.installed else [])
        assert set(ways) & set(types), "neither the channel nor the user has the app"
        needed = int(command.get("default_member_permissions") or 0)
        if channel.guild:
            needed |= Permission.VIEW_CHANNEL | Permission.USE_APPLICATION_COMMANDS
            assert permissions_in(channel, channel.guild, self.id) & needed == needed, (
                "not for them"
            )

    async def _interact(
        self, channel: Channel, kind: int, data: Json, source: Message | None = None
    ) -> Interaction:
        interaction_id = self._world.next_id()
        payload = {
            "id": str(interaction_id),
            "application_id": str(self._world.application_id),
            "type": kind,
            "token": f"interaction-{interaction_id}",
            "version": 1,
            "data": data,
            "entitlements": [],
            "attachment_size_limit": 10_485_760,
            "locale": self.user.locale,
            **self._where(channel),
            **({"message": source.as_json()} if source else {}),
        }
        in_guild = bool(channel.guild and channel.guild.bot_in)
        member = in_guild or channel.kind == "dm"
        now, token = self._world.now, str(payload["token"])
        interaction = Interaction(
            interaction_id, token, kind, payload, self.user, channel, now, member, source
        )
        self._world.interactions[token] = interaction
        self._world.dispatch(
            "INTERACTION_CREATE", payload, channel.guild.id if channel.guild else 0
        )
        return await interaction.responded(_TIMEOUT if self._gateway.sessions else 0)

    def _where(self, channel: Channel) -> Json:
        own = {"1": str(self.id)} if self.user.installed else {}
        known = {"channel_id": str(channel.id), "context": _KINDS.get(channel.kind, _GUILD)}
        guild = channel.guild
        if guild is None:
            owners = {**({"0": "0"} if channel.kind == "dm" else {}), **own}
            return {
                **known,
                "channel": channel.as_json(),
                "app_permissions": str((1 << 50) - 1),
                "user": self.user.as_json(),
                "authorizing_integration_owners": owners,
            }
        assert self.id in guild.members, f"{self.user.name} is not in {guild.name}"
        mine = permissions_in(channel, guild, self.id)
        bots = permissions_in(channel, guild, self._world.bot.id)
        owners = {**({"0": str(guild.id)} if guild.bot_in else {}), **own}
        partial = {"id": str(guild.id), "locale": guild.locale, "features": []}
        member = {**guild.members[self.id].as_json(), "permissions": str(mine)}
        there = {"guild_id": str(guild.id), "guild": partial, "guild_locale": guild.locale}
        return {
            **known,
            **there,
            "channel": channel.as_json(permissions=mine),
            "member": member,
            "app_permissions": str(bots),
            "authorizing_integration_owners": owners,
        }
