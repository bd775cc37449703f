"""The channels of a workspace, as the user of a request may see, join and open them."""

import logging
from collections.abc import Collection, Mapping
from typing import Any

from adapters.slack.api.client import Api
from adapters.slack.requests.user_channels import Member, Memberships
from bot.actor import ChannelInfo, ChannelList, Named
from bot.errors import Gone, NotAllowed, NotInChannel, SendError, UserError
from bot.posting.ports import DIRECT
from store.records import Layout

_NO_CHANNEL = "There is no such channel, or you or Broadsheet are not in it."
_JOIN = "Join it, and if it is private type there: /invite @Broadsheet."
_log = logging.getLogger(__name__)


class SlackChannels:
    """The channels that a user is in.

    Args:
        api: the Web API.
        memberships: knows who is in which channel.
        member: the user.
        current: the channel of the request.
        was_there: whether the request comes from an answer that the user got there earlier; else
            the user is there for certain.
    """

    def __init__(
        self,
        api: Api,
        memberships: Memberships,
        member: Member,
        current: str | None,
        *,
        was_there: bool = False,
    ) -> None:
        self._api = api
        self._memberships = memberships
        self._member = member
        self._current = current
        self._was_there = was_there
        self._infos: dict[str, Mapping[str, Any]] = {}

    async def look(self, channel: str) -> ChannelInfo:
        """Return a channel that the user is in.

        Raises:
            NotInChannel: where the channel does not exist, the user is not in it or the bot can't
                see it, with one message for all, so that it reveals nothing.
            UserError: where Slack refuses or fails.
        """
        if channel.startswith("D"):
            if channel != self._current:
                raise NotInChannel(_NO_CHANNEL, _JOIN)
            return ChannelInfo(channel, DIRECT, private=True, direct=True)
        info = await self._info(channel)
        private = bool(info.get("is_private"))
        is_certain = channel == self._current and not (private and self._was_there)
        if not is_certain and not await self._is_in(channel, private=private):
            raise NotInChannel(_NO_CHANNEL, _JOIN)
        return ChannelInfo(channel, str(info.get("name") or channel), private=private)

    async def enter(self, channel: ChannelInfo, layout: Layout) -> None:
        """Join a channel, unless the bot is in it; Slack takes any layout in any channel.

        Raises:
            UserError: where the channel is archived, or the bot has to be invited.
        """
        del layout
        if channel.id.startswith("D"):
            await require_own_direct_message(self._api, self._member, channel.id)
            return
        info = await self._info(channel.id)
        if info.get("is_archived"):
            raise UserError(f"#{channel.name} is archived.", "Take it out of the archive.")
        if not info.get("is_member"):
            await join_channel(self._api, self._member, channel)

    async def direct(self) -> ChannelInfo:
        """Return the user's direct messages with the bot, opened if need be.

        https://docs.slack.dev/reference/methods/conversations.open

        Raises:
            UserError: where Slack refuses or fails.
        """
        return await open_direct_messages(self._api, self._member)

    async def known(self) -> ChannelList:
        """Return the channels that the user is in, by name; of private ones, those with the bot."""
        try:
            found = await self._memberships.of(self._member)
        except SendError as error:
            _log.info("channels_unknown", extra={"reason": error.sentence})
            return ChannelList(())
        named = (Named(channel, name) for channel, name in found.names.items())
        return ChannelList(tuple(sorted(named, key=lambda each: each.name)), found.cut)

    async def hidden(self, channels: Collection[str]) -> Collection[str]:
        """Return those of some channels that are private; none where Slack does not tell.

        Where Slack lists too many, each may be one of the others.
        """
        try:
            private = await self._memberships.private_with_bot(self._member)
        except SendError as error:
            _log.info("private_channels_unknown", extra={"reason": error.sentence})
            return ()
        return channels if private.cut else private.names.keys() & {*channels}

    async def _info(self, channel: str) -> Mapping[str, Any]:
        """Return Slack's conversation object of a channel."""
        if channel not in self._infos:
            self._infos[channel] = await self._ask(channel)
        return self._infos[channel]

    async def _ask(self, channel: str) -> Mapping[str, Any]:
        try:
            data = await self._api.call_idempotent(
                self._member.token, "conversations.info", channel=channel
            )
        except SendError as error:
            if error.code == "channel_not_found":
                raise self._hidden(channel) from error
            if error.code == "missing_scope" and channel == self._current:
                # Assume that it is private; the first post will fail if the bot is not in it.
                return {"is_private": True, "is_member": True}
            raise user_error(error) from error
        info: Mapping[str, Any] = data["channel"]
        return info

    def _hidden(self, channel: str) -> UserError:
        """Return the error for a channel that the bot can't see; the user is in the current one."""
        if channel == self._current:
            return UserError("Broadsheet is not in this channel.", INVITE)
        return NotInChannel(_NO_CHANNEL, _JOIN)

    async def _is_in(self, channel: str, *, private: bool) -> bool:
        try:
            return await self._memberships.is_in(self._member, channel, private=private)
        except Gone:
            return False
        except SendError as error:
            raise user_error(error) from error


INVITE = "Invite it there: /invite @Broadsheet."


async def join_channel(api: Api, member: Member, channel: ChannelInfo) -> None:
    """Join a public channel, with the token of a user's workspace.

    https://docs.slack.dev/reference/methods/conversations.join

    Raises:
        UserError: where the bot has to be invited, or Slack fails.
    """
    try:
        await api.call_idempotent(member.token, "conversations.join", channel=channel.id)
    except (Gone, NotAllowed) as error:
        raise UserError(f"Broadsheet is not in #{channel.name}.", INVITE) from error
    except SendError as error:
        raise user_error(error) from error


async def require_own_direct_message(api: Api, member: Member, channel: str) -> None:
    """Check that a direct message channel is with the bot, not between two users.

    Raises:
        UserError: if it is not, or Slack fails.
    """
    try:
        data = await api.call_idempotent(member.token, "conversations.open", users=member.user)
    except NotAllowed:
        return  # the first post will fail if it is not
    except SendError as error:
        raise user_error(error) from error
    if data["channel"]["id"] != channel:
        raise UserError(
            "Broadsheet is not part of that conversation.",
            "Ask in a channel, or in a direct message to Broadsheet itself.",
        )


async def open_direct_messages(api: Api, member: Member) -> ChannelInfo:
    """Open the direct messages of a user with the bot.

    Raises:
        UserError: where Slack refuses or fails.
    """
    try:
        data = await api.call_idempotent(member.token, "conversations.open", users=member.user)
    except SendError as error:
        raise user_error(error) from error
    return ChannelInfo(str(data["channel"]["id"]), DIRECT, private=True, direct=True)


def user_error(error: SendError) -> UserError:
    """Return an error of Slack's as the user reads it."""
    return UserError(error.sentence, error.remedy)
