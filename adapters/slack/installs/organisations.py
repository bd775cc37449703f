"""Which organisation a workspace belongs to, where nothing but the workspace's own id is known.

Every request from Slack names both. A post begins without a request, and an organisation that
installed the app for all its workspaces has one token for them.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence

from adapters.slack.api.client import Api
from adapters.slack.api.tokens import Authorized
from bot.cache import Cache
from bot.errors import RetryLater, SendError

# How long a workspace that joined an organisation, or left it, may go unseen.
FRESH_SECONDS = 300.0
# https://docs.slack.dev/reference/methods/auth.teams.list
_PAGE = 1000
_MOST_PAGES = 20
_MOST_KEPT = 1024
_log = logging.getLogger(__name__)


class Organisations:
    """The organisations that installed the app, and their workspaces.

    Args:
        api: Slack.
        installed: returns how each organisation is spoken to.
        seconds: a clock that only goes forward, in seconds.
    """

    def __init__(
        self,
        api: Api,
        installed: Callable[[], Awaitable[Sequence[Authorized]]],
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._api = api
        self._installed = installed
        self._kept: Cache[str, frozenset[str]] = Cache(_MOST_KEPT, FRESH_SECONDS, seconds)
        # Whoever comes while Slack is asked takes its answer too; few may be asked for in a minute.
        self._asking = asyncio.Lock()

    async def of(self, team: str) -> str | None:
        """Return the organisation of a workspace, `None` where none has it.

        Raises:
            RetryLater: where one that may have it can't be asked.
            StoreError: where the store can't say which there are.
        """
        silent: SendError | None = None
        for own in await self._installed():
            try:
                if team in await self._teams(own):
                    return own.enterprise_id
            except SendError as error:
                silent = error
        if silent:
            # Nothing that is wrong with one organisation is wrong with the workspaces of others.
            raise RetryLater(silent.sentence, silent.remedy, silent.code) from silent
        return None

    def forget(self) -> None:
        """Ask Slack anew from now on."""
        self._kept.clear()

    async def _teams(self, own: Authorized) -> frozenset[str]:
        async with self._asking:
            return await self._kept.read(
                own.enterprise_id or "", lambda: self._asked(own.bot_token)
            )

    async def _asked(self, token: str) -> frozenset[str]:
        found: set[str] = set()
        cursor: str | None = None
        for _ in range(_MOST_PAGES):
            page = await self._api.ask(token, "auth.teams.list", limit=_PAGE, cursor=cursor)
            found |= {str(team["id"]) for team in page["teams"]}
            cursor = (page.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                return frozenset(found)
        _log.warning("organisation_too_large", extra={"teams": len(found)})
        return frozenset(found)
