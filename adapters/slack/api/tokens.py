"""Which workspaces have installed the bot, and with which token each is spoken to."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from bot.cache import Cache
from store.database import Database
from store.database.encryption import SecretBox
from store.errors import SecretUnreadable
from store.records import Installation, InstallationKey
from store.workspaces import installations

# How long another replica's change may go unseen; a workspace that is waiting for its
# installation is looked for again sooner.
FRESH_SECONDS = 60.0
UNKNOWN_SECONDS = 5.0
_MOST_KEPT = 4096


@dataclass(frozen=True, slots=True)
class Authorized:
    """How a workspace is spoken to; the token shows in no log.

    `team_id` is the workspace that was asked about, also where its organisation installed the bot.
    `url` is where the workspace opens in a browser, `` where that is not known.
    """

    bot_token: str = field(repr=False)
    bot_id: str
    bot_user_id: str
    team_id: str | None
    enterprise_id: str | None
    url: str = ""

    @property
    def workspace(self) -> str:
        """The id that its channels are known under: of an organisation's own where no other is."""
        return self.team_id or self.enterprise_id or ""


class Authorizations(Protocol):
    """The one place that knows with which token to speak to a workspace."""

    async def find(self, enterprise_id: str | None, team_id: str | None) -> Authorized | None:
        """Return how a workspace is spoken to, `None` where the bot is not installed.

        Raises:
            StoreError: where the store can't say, or no key opens the token.
        """

    def forget(self) -> None:
        """Ask the store anew from now on: something has changed there."""


class OneWorkspace:
    """The workspace of a token that was given.

    Whatever comes in speaks of it: Slack sends an app nothing of workspaces that don't have it,
    but in a channel shared with others it names the workspace of whoever acts.

    Args:
        token: the bot's token.
    """

    def __init__(self, token: str) -> None:
        self._own = Authorized(token, "", "", None, None)

    def identified(self, answer: Mapping[str, Any]) -> None:
        """Note who the bot is: https://docs.slack.dev/reference/methods/auth.test."""
        self._own = replace(
            self._own,
            bot_id=str(answer.get("bot_id") or ""),
            bot_user_id=str(answer.get("user_id") or ""),
            url=str(answer.get("url") or ""),
        )

    async def find(self, enterprise_id: str | None, team_id: str | None) -> Authorized | None:
        """Return how the workspace is spoken to."""
        return replace(self._own, team_id=team_id, enterprise_id=enterprise_id)

    def forget(self) -> None:
        """Change nothing: the token stays the one that was given."""


class ManyWorkspaces:
    """The workspaces in the store, read through a memory of a minute.

    Attributes:
        lacks_key: whether a token was met that no key opens.

    Args:
        database: the store.
        client_id: whose installations.
        box: opens their tokens.
        seconds: a clock that only goes forward, in seconds.
    """

    def __init__(
        self,
        database: Database,
        client_id: str,
        box: SecretBox,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._client_id = client_id
        self._box = box
        self._kept: Cache[InstallationKey, Authorized | None] = Cache(
            _MOST_KEPT, lambda found: FRESH_SECONDS if found else UNKNOWN_SECONDS, seconds
        )
        self.lacks_key = False

    async def find(self, enterprise_id: str | None, team_id: str | None) -> Authorized | None:
        """Return how a workspace is spoken to, `None` where the bot is not installed.

        Raises:
            StoreError: where the store can't say, or no key opens the token.
        """
        wanted = installation_key(self._client_id, enterprise_id, team_id)
        return await self._kept.read(wanted, lambda: self._read(wanted))

    async def organisations(self) -> list[Authorized]:
        """Return how each organisation is spoken to that installed the app as a whole.

        Raises:
            StoreError: as `find`.
        """
        ids = await self._database.read(installations.list_organisations, "slack", self._client_id)
        found = [await self.find(each, None) for each in ids]
        return [each for each in found if each]

    def forget(self) -> None:
        """Ask the store anew from now on: something has changed there."""
        self._kept.clear()

    async def _read(self, wanted: InstallationKey) -> Authorized | None:
        try:
            found = await self._database.read(installations.find, wanted, self._box)
        except SecretUnreadable:
            self.lacks_key = True
            raise
        return _authorized(found, wanted.team_id or None) if found else None


def installation_key(
    client_id: str, enterprise_id: str | None, team_id: str | None
) -> InstallationKey:
    """Return under what an app's installation in a place is kept."""
    return InstallationKey("slack", client_id, enterprise_id or "", team_id or "")


def _authorized(found: Installation, team_id: str | None) -> Authorized:
    return Authorized(
        bot_token=found.bot_token,
        bot_id=found.bot_id,
        bot_user_id=found.bot_user_id,
        team_id=team_id,
        enterprise_id=found.key.enterprise_id or None,
    )
