"""The channels that a user or the bot is in, as far as the bot may know; cached for a minute."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from adapters.slack.api.client import Api
from bot.cache import Cache

FRESH_SECONDS = 60.0
_MAX_CACHED = 1024
# https://docs.slack.dev/reference/methods/users.conversations
_PAGE = 999
_MAX_PAGES = 5


@dataclass(frozen=True, slots=True)
class Member:
    """A user in a workspace, with the bot's token there.

    `team` is the workspace where the token is an organisation's, which serves several.
    """

    workspace: str
    user: str
    token: str | None
    team: str | None = None


class Memberships:
    """The channels that users are in; of private ones, those that the bot is in too.

    Asking by user takes a call or two, asking for the members of a large channel takes hundreds.

    Args:
        api: the Web API.
        seconds: a monotonic clock.
    """

    def __init__(self, api: Api, seconds: Callable[[], float] = time.monotonic) -> None:
        self._api = api
        self._cache: Cache[tuple[str, str], dict[str, str]] = Cache(
            _MAX_CACHED, FRESH_SECONDS, seconds
        )
        self._private: Cache[str, frozenset[str]] = Cache(_MAX_CACHED, FRESH_SECONDS, seconds)

    async def private_with_bot(self, member: Member) -> frozenset[str]:
        """Return the ids of the private channels of a user's workspace that the bot is in.

        The bot is in every channel that it posts to, so that one call tells which of them are
        private by now.

        Raises:
            SendError: where Slack refuses or fails.
        """
        return await self._private.read(member.workspace, lambda: self._ask_private(member))

    async def of(self, member: Member) -> Mapping[str, str]:
        """Return the names of the channels that a user is in, by id.

        Raises:
            SendError: where Slack refuses or fails.
        """
        return await self._read(member)

    async def is_in(self, member: Member, channel: str, *, private: bool = False) -> bool:
        """Tell whether a user is in a channel.

        A user may have joined since the list was cached, so it is read again where they are
        missing. It is read each time for a private channel: users who left must see nothing of it.

        Raises:
            SendError: where Slack refuses or fails.
        """
        is_cached = not private and channel in await self.of(member)
        return is_cached or channel in await self._read(member, fresh=True)

    async def _read(self, member: Member, *, fresh: bool = False) -> dict[str, str]:
        key = (member.workspace, member.user)
        return await self._cache.read(key, lambda: self._ask(member), fresh=fresh)

    async def _ask(self, member: Member) -> dict[str, str]:
        return await self._list(
            member,
            user=member.user,
            types="public_channel,private_channel",
            exclude_archived=True,
        )

    async def _ask_private(self, member: Member) -> frozenset[str]:
        return frozenset(await self._list(member, types="private_channel"))

    async def _list(self, member: Member, **asked: Any) -> dict[str, str]:  # noqa: ANN401 - arguments of the API
        """Return the names of the channels that Slack lists, by id."""
        found: dict[str, str] = {}
        cursor: str | None = None
        for _ in range(_MAX_PAGES):
            page = await self._api.call_idempotent(
                member.token,
                "users.conversations",
                team_id=member.team,
                limit=_PAGE,
                cursor=cursor,
                **asked,
            )
            found |= {each["id"]: str(each.get("name") or "") for each in page["channels"]}
            cursor = (page.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                break
        return found
