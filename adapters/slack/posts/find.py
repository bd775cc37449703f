"""Messages of the bot's own found again by their keys, for whoever doesn't know if they arrived."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from adapters.slack.api.paced_calls import Traffic
from adapters.slack.api.tokens import Authorized
from adapters.slack.posts.payloads import EVENT_TYPE
from bot.cache import Cache
from bot.errors import Gone, OutcomeUnknown, RetryLater

# As much as clocks may differ, for whoever sends goes by another than Slack's.
_MARGIN = timedelta(minutes=5)
# https://docs.slack.dev/reference/methods/conversations.history; of an app that is distributed
# outside of Slack's marketplace it gives 15 at most, once a minute.
_PAGE = 200
_MOST_PAGES = 25
_MOST_KEPT = 256


class Finder:
    """Looks for what the bot sent.

    Where Slack lets so little be read at once that it stops a search, that goes on there next time.

    Args:
        traffic: Slack, within its limits.
    """

    def __init__(self, traffic: Traffic) -> None:
        self._traffic = traffic
        self._stopped: Cache[tuple[str, str, str], str | None] = Cache(_MOST_KEPT)

    async def in_channel(
        self, spoken: Authorized, channel: str, key: str, since: datetime
    ) -> dict[str, Any] | None:
        """Return the message with a key that stands in a channel, `None` where there is none.

        Raises:
            OutcomeUnknown: where too much was said since.
            SendError: where the channel can't be read, now or at all.
            StoreError: where the store can't tell when to ask.
        """
        return await self._find(spoken, "conversations.history", key, since, channel=channel)

    async def in_thread(
        self, spoken: Authorized, channel: str, root: str, key: str, since: datetime
    ) -> dict[str, Any] | None:
        """Return the reply with a key to a message.

        Where somebody removed that message Slack may have put the reply into the channel itself.

        Raises:
            SendError: as `in_channel`.
            StoreError: the same.
        """
        try:
            return await self._find(
                spoken, "conversations.replies", key, since, channel=channel, ts=root
            )
        except Gone as error:
            if error.code != "thread_not_found":
                raise
            return await self.in_channel(spoken, channel, key, since)

    async def _find(
        self, spoken: Authorized, method: str, key: str, since: datetime, **where: str
    ) -> dict[str, Any] | None:
        oldest = f"{(since - _MARGIN).timestamp():.6f}"
        search = (method, oldest, key)
        cursor = self._stopped.get(search)
        self._stopped.remove(search)
        where |= {"oldest": oldest}
        for _ in range(_MOST_PAGES):
            try:
                page = await self._page(spoken, method, cursor, where)
            except RetryLater as error:
                if error.code != "invalid_cursor":
                    self._stopped.put(search, cursor)
                raise
            for each in page["messages"]:
                if _is_own(each, spoken) and _key_of(each) == key:
                    return dict(each)
            cursor = (page.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                return None
        raise OutcomeUnknown(
            "Too much was said there since, to find a post again.", "See if it is there."
        )

    async def _page(
        self, spoken: Authorized, method: str, cursor: str | None, where: Mapping[str, str]
    ) -> Mapping[str, Any]:
        return await self._traffic.ask(
            spoken, method, limit=_PAGE, include_all_metadata=True, cursor=cursor, **where
        )


def _is_own(message: Mapping[str, Any], spoken: Authorized) -> bool:
    """Tell whether the bot itself said something; anybody may mark theirs with a copied key.

    An app that is installed anew keeps its user and may get another id as a bot.
    """
    if not spoken.bot_user_id:
        return bool(message.get("bot_id"))
    return spoken.bot_user_id == message.get("user") or spoken.bot_id == message.get("bot_id")


def _key_of(message: Mapping[str, Any]) -> str | None:
    metadata = message.get("metadata") or {}
    if metadata.get("event_type") != EVENT_TYPE:
        return None
    key: str | None = (metadata.get("event_payload") or {}).get("key")
    return key
