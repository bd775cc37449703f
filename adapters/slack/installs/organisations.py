"""The organisations that installed the app, looked up by one of their workspaces.

A request from Slack names both. A scheduled post has only the workspace's id, but an organisation
that installed the app as a whole has one token for all its workspaces.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from adapters.slack.api.client import Api, Listed, Lists
from adapters.slack.api.tokens import Authorization, Authorizations
from adapters.slack.requests.payloads import Request
from bot.cache import Cache
from bot.errors import RetryLater, SendError
from store.errors import StoreError

# How long a workspace that joins or leaves an organisation may stay unseen.
FRESH_SECONDS = 300.0
# https://docs.slack.dev/reference/methods/auth.teams.list
_PAGE = 1000
_MOST_SECONDS = 20.0
_MAX_CACHED = 1024
_SETTLE_SECONDS = 0.5  # of the one second within which a form is acknowledged
_TOO_MANY = "Slack listed {:,} workspaces of an organisation in time, and has more."
_log = logging.getLogger(__name__)


class WorkspaceTokens:
    """The authorizations of workspaces, also by the tokens of their organisations.

    Args:
        tokens: the authorizations in the store.
        organisations: knows their workspaces.
    """

    def __init__(self, tokens: Authorizations, organisations: "Organisations") -> None:
        self._tokens = tokens
        self._organisations = organisations

    async def find(self, enterprise_id: str | None, team_id: str | None) -> Authorization | None:
        """Return the authorization of a workspace, `None` where the bot is not installed.

        Raises:
            StoreError: where the store fails, or no key decrypts the token.
        """
        if enterprise_id or not team_id:
            return await self._tokens.find(enterprise_id, team_id)
        with suppress(RetryLater):
            return await self.of_workspace(team_id)
        return None

    async def of_workspace(self, team: str) -> Authorization | None:
        """Return the authorization of a workspace whose organisation is unknown.

        Raises:
            RetryLater: where an organisation that may have it can't be asked.
            StoreError: as `find`.
        """
        found = await self._tokens.find(None, team)
        if found is None and (organisation := await self._organisations.find(team)):
            return await self._tokens.find(organisation, team)
        return found


class Organisations:
    """The organisations that installed the app, and their workspaces.

    Args:
        api: the Web API.
        list_organisations: returns their authorizations.
        seconds: a monotonic clock.
    """

    def __init__(
        self,
        api: Api,
        list_organisations: Callable[[], Awaitable[Sequence[Authorization]]],
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._lists = Lists(api, seconds, _MOST_SECONDS)
        self._list_organisations = list_organisations
        self._cache: Cache[str, Listed] = Cache(_MAX_CACHED, FRESH_SECONDS, seconds)
        # Concurrent callers share one call, because the method's rate limit is low.
        self._lock = asyncio.Lock()

    async def find(self, team: str) -> str | None:
        """Return the id of a workspace's organisation, `None` if no organisation has it.

        Raises:
            RetryLater: where an organisation that may have it can't be asked.
            StoreError: where the store fails.
        """
        failure: SendError | None = None
        for organisation in await self._list_organisations():
            try:
                teams = await self._teams(organisation)
            except SendError as error:
                failure = error
                continue
            if any(team == each["id"] for each in teams.items):
                return organisation.enterprise_id
            if teams.cut:
                failure = RetryLater(_TOO_MANY.format(len(teams.items)), "Try again in a moment.")
        if failure:
            # One organisation's lost token says nothing about the workspaces of others.
            raise RetryLater(failure.sentence, failure.remedy, failure.code) from failure
        return None

    async def settled(self, request: Request) -> Request:
        """Return a request of an organisation with its user's workspace, if it is of that.

        Where Slack can't be asked in time it is assumed to be.
        """
        team = request.user_team
        if request.team or not request.is_org or team is None or team.startswith("E"):
            return request
        try:
            async with asyncio.timeout(_SETTLE_SECONDS):
                is_inside = await self.find(team) == request.enterprise
        except (TimeoutError, SendError, StoreError) as error:
            _log.info("workspace_unknown", extra={"reason": str(error)})
            is_inside = True
        return replace(request, team=team) if is_inside else request

    def forget(self) -> None:
        """Drop the cached workspaces."""
        self._cache.clear()

    async def _teams(self, organisation: Authorization) -> Listed:
        async with self._lock:
            return await self._cache.read(
                organisation.enterprise_id or "", lambda: self._list_teams(organisation.bot_token)
            )

    async def _list_teams(self, token: str) -> Listed:
        found = await self._lists.read(token, "auth.teams.list", "teams", limit=_PAGE)
        if found.cut:
            _log.warning("organisation_too_large", extra={"teams": len(found.items)})
        return found
