"""Which channels a person is in, as far as Slack tells the bot; remembered for a minute."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from adapters.slack.api.client import Api
from bot.cache import Cache

FRESH_SECONDS = 60.0
_MOST_KEPT = 1024
# https://docs.slack.dev/reference/methods/users.conversations
_PAGE = 999
_MOST_PAGES = 5


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a workspace, and the token that speaks there.

    `team` is given where an organisation's token has to be told which workspace is meant.
    """

    workspace: str
    user: str
    token: str | None
    team: str | None = None


class Memberships:
    """The channels that people are in.

    Of private ones Slack tells only those that the bot is in as well. Asking by person takes a
    call or two, asking for the members of a large channel would take hundreds.

    Args:
        api: Slack.
        seconds: a clock that only goes forward, in seconds.
    """

    def __init__(self, api: Api, seconds: Callable[[], float] = time.monotonic) -> None:
        self._api = api
        self._kept: Cache[tuple[str, str], dict[str, str]] = Cache(
            _MOST_KEPT, FRESH_SECONDS, seconds
        )

    async def of(self, person: Person) -> Mapping[str, str]:
        """Return the names of the channels that a person is in, by id.

        Raises:
            SendError: where Slack does not tell.
        """
        return await self._read(person)

    async def is_in(self, person: Person, channel: str, *, private: bool = False) -> bool:
        """Tell whether a person is in a channel; who was not a moment ago may be now.

        Of a private channel that is asked each time: who has left it is to see nothing of it.

        Raises:
            SendError: where Slack does not tell.
        """
        remembered = not private and channel in await self.of(person)
        return remembered or channel in await self._read(person, fresh=True)

    async def _read(self, person: Person, *, fresh: bool = False) -> dict[str, str]:
        key = (person.workspace, person.user)
        return await self._kept.read(key, lambda: self._asked(person), fresh=fresh)

    async def _asked(self, person: Person) -> dict[str, str]:
        found: dict[str, str] = {}
        cursor: str | None = None
        for _ in range(_MOST_PAGES):
            page = await self._page(person, cursor)
            found |= {each["id"]: str(each.get("name") or "") for each in page["channels"]}
            cursor = (page.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                break
        return found

    async def _page(self, person: Person, cursor: str | None) -> dict[str, Any]:
        return await self._api.ask(
            person.token,
            "users.conversations",
            user=person.user,
            team_id=person.team,
            types="public_channel,private_channel",
            exclude_archived=True,
            limit=_PAGE,
            cursor=cursor,
        )
