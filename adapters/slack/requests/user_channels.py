"""The channels that a user or the bot is in, as far as the bot may know; cached for a minute."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from adapters.slack.api.client import Api, Lists
from bot.cache import Cache
from bot.errors import RetryLater

FRESH_SECONDS = 60.0
_MAX_CACHED = 1024
# https://docs.slack.dev/reference/methods/users.conversations
_PAGE = 999
_MOST_SECONDS = 5.0
_PUBLIC, _PRIVATE = "public_channel", "private_channel"


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
    """The channels that users are in; of private ones, those that the bot is in too.

    Asking by user takes a few calls, asking for the members of a large channel takes hundreds.

    Args:
        api: the Web API.
        seconds: a monotonic clock.
    """

    def __init__(self, api: Api, seconds: Callable[[], float] = time.monotonic) -> None:
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
