"""The bot tokens of workspaces: one from the settings, or those of installations in the store."""

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from adapters.slack.api.scopes import is_agents
from bot.cache import Cache
from store.database import Database
from store.database.encryption import SecretBox
from store.errors import SecretUnreadable
from store.records import Installation, InstallationKey
from store.workspaces import installations

# How long a change by another replica may stay unseen. A workspace that has just installed the app
# must not wait as long.
FRESH_SECONDS = 60.0
UNKNOWN_SECONDS = 5.0
_MAX_CACHED = 4096


@dataclass(frozen=True, slots=True)
class Authorization:
    """The bot's token and ids in a workspace; `repr` hides the token.

    `team_id` is the workspace that was asked for, even where its organisation installed the app.
    `url` is the workspace's address in a browser, empty if unknown. `is_agent` is whether the app
    has Slack's agent pane, in which each direct message begins a thread.
    """

    bot_token: str = field(repr=False)
    bot_id: str
    bot_user_id: str
    team_id: str | None
    enterprise_id: str | None
    url: str = ""
    is_agent: bool = False

    @property
    def workspace(self) -> str:
        """The id under which the store keeps the workspace, or an organisation without one."""
        return self.team_id or self.enterprise_id or ""


class Authorizations(Protocol):
    """The source of tokens."""

    async def find(self, enterprise_id: str | None, team_id: str | None) -> Authorization | None:
        """Return the authorization of a workspace, `None` where the bot is not installed.

        Raises:
            StoreError: where the store fails, or no key decrypts the token.
        """


class FixedToken:
    """The authorization of one workspace, by a token from the settings.

    It serves every request, because Slack sends an app only requests of workspaces that installed
    it. The team id of a request may differ: a shared channel's requests name the user's workspace.

    Args:
        token: the bot token.
    """

    def __init__(self, token: str) -> None:
        self._authorization = Authorization(token, "", "", None, None)

    def identify(self, auth_test: Mapping[str, Any], scopes: Collection[str] = ()) -> None:
        """Set the bot's ids and scopes: https://docs.slack.dev/reference/methods/auth.test."""
        self._authorization = replace(
            self._authorization,
            bot_id=str(auth_test.get("bot_id") or ""),
            bot_user_id=str(auth_test.get("user_id") or ""),
            url=str(auth_test.get("url") or ""),
            is_agent=is_agents(scopes),
        )

    async def find(self, enterprise_id: str | None, team_id: str | None) -> Authorization:
        """Return the token's authorization."""
        return replace(self._authorization, team_id=team_id, enterprise_id=enterprise_id)


class StoredTokens:
    """The authorizations of all workspaces in the store, cached for a minute.

    Attributes:
        lacks_key: whether a token was read that no key decrypts.

    Args:
        database: the store.
        client_id: the app whose installations count.
        box: decrypts their tokens.
        seconds: a monotonic clock.
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
        self._cache: Cache[InstallationKey, Authorization | None] = Cache(
            _MAX_CACHED, lambda found: FRESH_SECONDS if found else UNKNOWN_SECONDS, seconds
        )
        self.lacks_key = False

    async def find(self, enterprise_id: str | None, team_id: str | None) -> Authorization | None:
        """Return the authorization of a workspace, `None` where the bot is not installed.

        Raises:
            StoreError: where the store fails, or no key decrypts the token.
        """
        key = installation_key(self._client_id, enterprise_id, team_id)
        return await self._cache.read(key, lambda: self._read(key))

    async def organisations(self) -> list[Authorization]:
        """Return the authorizations of organisations that installed the app as a whole.

        Raises:
            StoreError: as `find`.
        """
        ids = await self._database.read(installations.list_organisations, "slack", self._client_id)
        found = [await self.find(each, None) for each in ids]
        return [each for each in found if each]

    def forget(self) -> None:
        """Drop cached authorizations after a change in the store."""
        self._cache.clear()

    async def _read(self, key: InstallationKey) -> Authorization | None:
        try:
            found = await self._database.read(installations.find, key, self._box)
        except SecretUnreadable:
            self.lacks_key = True
            raise
        return replace(authorized(found), team_id=key.team_id or None) if found else None


def installation_key(
    client_id: str, enterprise_id: str | None, team_id: str | None
) -> InstallationKey:
    """Return the key of an app's installation in a workspace or organisation."""
    return InstallationKey("slack", client_id, enterprise_id or "", team_id or "")


def authorized(found: Installation) -> Authorization:
    """Return what an installation authorizes, in its own workspace or organisation."""
    return Authorization(
        bot_token=found.bot_token,
        bot_id=found.bot_id,
        bot_user_id=found.bot_user_id,
        team_id=found.key.team_id or None,
        enterprise_id=found.key.enterprise_id or None,
        is_agent=is_agents(found.bot_scopes),
    )
