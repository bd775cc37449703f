"""Lists that Slack gives page by page, read to their end as long as there is time."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from adapters.slack.api.client import Api
from bot.errors import RetryLater


@dataclass(frozen=True, slots=True)
class Listed:
    """The items of a list; it is `cut` where Slack has more of them."""

    items: tuple[Mapping[str, Any], ...]
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Lists:
    """Reads lists.

    Args:
        api: the Web API.
        seconds: a monotonic clock.
        most_seconds: when no further page of a list is begun.
    """

    api: Api
    seconds: Callable[[], float]
    most_seconds: float

    async def read(self, token: str | None, method: str, member: str, **arguments: Any) -> Listed:  # noqa: ANN401 - each method's own
        """Return a list, whose items are the `member` of each page.

        A page may hold fewer than were asked for, or none: only an empty cursor ends a list.

        Raises:
            SendError: where Slack refuses or fails; after the first page it is cut if Slack only
                asks to wait.
        """
        begun = self.seconds()
        found: list[Mapping[str, Any]] = []
        cursor: str | None = None
        while True:
            try:
                page = await self.api.call_idempotent(token, method, cursor=cursor, **arguments)
            except RetryLater:
                if cursor is None:
                    raise
                return Listed(tuple(found), cut=True)
            items: Iterable[Mapping[str, Any]] = page[member]
            found += items
            cursor = (page.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                return Listed(tuple(found))
            if self.seconds() - begun >= self.most_seconds:
                return Listed(tuple(found), cut=True)
