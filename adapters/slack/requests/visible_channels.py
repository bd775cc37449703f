"""The channels of a workspace, as the user of a request may see, join and open them."""

import logging
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from adapters.slack.api.client import Api, Lists
from bot.actor import ChannelInfo, ChannelList, Named
from bot.cache import Cache
from bot.errors import Gone, NotAllowed, NotInChannel, RetryLater, SendError, UserError
from bot.posting.ports import DIRECT
from store.records import Layout

_NO_CHANNEL = "There is no such channel, or you or Broadsheet are not in it."
_JOIN = "Join it, and if it is private type there: /invite @Broadsheet."
_INVITE = "Invite it there: /invite @Broadsheet."
FRESH_SECONDS = 60.0
_MAX_CACHED = 1024
# https://docs.slack.dev/reference/methods/users.conversations
_PAGE = 999
_MOST_SECONDS = 5.0
_PUBLIC, _PRIVATE = "public_channel", "private_channel"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Member:
    """A user in a workspace, with the bot's token there.

    `team` is the workspace where the token is an organisation's, which serves several.
    """

    workspace: str
    user: str
    token: str | None
    team: str | None = None


@dataclass(frozen=True, slots=True)
class UserChannels:
    """The names of channels by id; `cut` where Slack has more than there was time to list."""

    names: Mapping[str, str]
    cut: bool = False


class Memberships:
    """The channels that users are in, for a minute; of private ones, those with the bot in them.

    Asking by user takes a few calls, asking for the members of a large channel takes hundreds.

    Args:
        api: the Web API.
        seconds: a monotonic clock.
    """

    def __init__(self, api: Api, seconds: Callable[[], float] = time.monotonic) -> None:
        self.api = api
        self._lists = Lists(api, seconds, _MOST_SECONDS)
        self._cache: Cache[tuple[str, str], UserChannels] = Cache(
            _MAX_CACHED, FRESH_SECONDS, seconds
        )
        self._private: Cache[str, UserChannels] = Cache(_MAX_CACHED, FRESH_SECONDS, seconds)

    async def private_with_bot(self, member: Member) -> UserChannels:
        """Return the private channels of a user's workspace that the bot is in.

        The bot is in every channel that it posts to, so that one call tells which of them are
        private by now.

        Raises:
            SendError: where Slack refuses or fails.
        """
        return await self._private.read(member.workspace, lambda: self._ask(member, _PRIVATE, None))

    async def of(self, member: Member, *, fresh: bool = False) -> UserChannels:
        """Return the channels that a user is in, with `fresh` as they are now.

        Raises:
            SendError: where Slack refuses or fails.
        """
        return await self._cache.read(
            (member.workspace, member.user),
            lambda: self._ask(member, f"{_PUBLIC},{_PRIVATE}", member.user),
            fresh=fresh,
        )

    async def is_in(self, member: Member, channel: str, *, private: bool = False) -> bool:
        """Tell whether a user is in a channel.

        A user may have joined since the list was cached, so it is read again where they are
        missing. It is read each time for a private channel: users who left must see nothing of it.

        Raises:
            SendError: where Slack refuses or fails, or lists too many channels to tell.
        """
        if private:
            found = await self._ask(member, _PRIVATE, member.user)
        elif channel in (await self.of(member)).names:
            return True
        else:
            found = await self.of(member, fresh=True)
        if found.cut and channel not in found.names:
            raise RetryLater(
                f"You are in more channels than the {len(found.names):,} that Slack listed in time,"
                " so Broadsheet can't tell whether you are in that one.",
                "Type it in that channel.",
            )
        return channel in found.names

    async def _ask(self, member: Member, types: str, user: str | None) -> UserChannels:
        """Return the channels that Slack lists of a user, or of the bot."""
        whose = {"user": user, "exclude_archived": True} if user else {}
        found = await self._lists.read(
            member.token,
            "users.conversations",
            "channels",
            team_id=member.team,
            limit=_PAGE,
            types=types,
            **whose,
        )
        names = {each["id"]: str(each.get("name") or "") for each in found.items}
        return UserChannels(names, found.cut)


class SlackChannels:
    """The channels that a user is in.

    Args:
        memberships: knows who is in which channel.
        member: the user.
        current: the channel of the request.
        was_there: whether the request comes from an answer that the user got there earlier; else
            the user is there for certain.
    """

    def __init__(
        self,
        memberships: Memberships,
        member: Member,
        current: str | None,
        *,
        was_there: bool = False,
    ) -> None:
        self._api = memberships.api
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
            await self._require_own_direct_message(channel.id)
            return
        info = await self._info(channel.id)
        if info.get("is_archived"):
            raise UserError(f"#{channel.name} is archived.", "Take it out of the archive.")
        if not info.get("is_member"):
            await self._join(channel)

    async def direct(self) -> ChannelInfo:
        """Return the user's direct messages with the bot, opened if need be.

        https://docs.slack.dev/reference/methods/conversations.open

        Raises:
            UserError: where Slack refuses or fails.
        """
        try:
            opened = await self._api.open_direct(self._member.token, self._member.user)
        except SendError as error:
            raise _user_error(error) from error
        return ChannelInfo(opened, DIRECT, private=True, direct=True)

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

    async def _join(self, channel: ChannelInfo) -> None:
        """Join a public channel.

        https://docs.slack.dev/reference/methods/conversations.join

        Raises:
            UserError: where the bot has to be invited, or Slack fails.
        """
        token = self._member.token
        try:
            await self._api.call_idempotent(token, "conversations.join", channel=channel.id)
        except (Gone, NotAllowed) as error:
            raise UserError(f"Broadsheet is not in #{channel.name}.", _INVITE) from error
        except SendError as error:
            raise _user_error(error) from error

    async def _require_own_direct_message(self, channel: str) -> None:
        """Check that a direct message channel is with the bot, not between two users.

        Raises:
            UserError: if it is not, or Slack fails.
        """
        try:
            opened = await self._api.open_direct(self._member.token, self._member.user)
        except NotAllowed:
            return  # the first post will fail if it is not
        except SendError as error:
            raise _user_error(error) from error
        if opened != channel:
            raise UserError(
                "Broadsheet is not part of that conversation.",
                "Ask in a channel, or in a direct message to Broadsheet itself.",
            )

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
            raise _user_error(error) from error
        info: Mapping[str, Any] = data["channel"]
        return info

    def _hidden(self, channel: str) -> UserError:
        """Return the error for a channel that the bot can't see; the user is in the current one."""
        if channel == self._current:
            return UserError("Broadsheet is not in this channel.", _INVITE)
        return NotInChannel(_NO_CHANNEL, _JOIN)

    async def _is_in(self, channel: str, *, private: bool) -> bool:
        try:
            return await self._memberships.is_in(self._member, channel, private=private)
        except Gone:
            return False
        except SendError as error:
            raise _user_error(error) from error


def _user_error(error: SendError) -> UserError:
    """Return an error of Slack's as the user reads it."""
    return UserError(error.sentence, error.remedy)
