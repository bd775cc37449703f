"""Bolt's OAuth stores, backed by the database: installations and signed states."""

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta

from slack_bolt.error import BoltError
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.oauth.installation_store.models.installation import Installation as Granted
from slack_sdk.oauth.state_store.async_state_store import AsyncOAuthStateStore

from adapters.slack.api.tokens import StoredTokens, installation_key
from store.coordination.request_claims import Claim, is_claimed
from store.coordination.request_claims import claim as take
from store.database import Database
from store.database.encryption import SecretBox
from store.errors import StoreError
from store.records import Installation
from store.workspaces import installations

# Slack's own code expires as soon.
# https://docs.slack.dev/authentication/installing-with-oauth
STATE_LIFETIME = timedelta(minutes=10)


class TokenRotationEnabled(BoltError):
    """An app with token rotation, whose tokens would expire in hours: it is not supported.

    https://docs.slack.dev/authentication/using-token-rotation
    """

    def __init__(self) -> None:
        super().__init__("The app's tokens expire: token rotation is switched on in its settings.")


class StateUsed(BoltError):
    """A state that was used before, or has expired."""

    def __init__(self) -> None:
        super().__init__("The installation was begun too long ago, or ended already.")


class InstallationStore(AsyncInstallationStore):
    """The installations of an app. Users' tokens are not kept, because none are requested.

    Args:
        database: the store.
        client_id: the app.
        box: encrypts tokens.
        tokens: the cache to clear after a change.
        now: returns the current time.
    """

    def __init__(
        self,
        database: Database,
        client_id: str,
        box: SecretBox,
        tokens: StoredTokens,
        now: Callable[[], datetime],
    ) -> None:
        self._database = database
        self._client_id = client_id
        self._box = box
        self._tokens = tokens
        self._now = now

    async def save(self, granted: Granted) -> tuple[Installation, bool]:
        """Save an installation; return it, and whether it is new.

        Raises:
            TokenRotationEnabled: where its token expires.
            BoltError: where the store fails; Bolt's flow shows a page for these.
        """
        if granted.bot_refresh_token or granted.bot_token_expires_at:
            raise TokenRotationEnabled
        installation = _installation(granted, self._client_id, self._now())
        try:
            is_new = await self._database.write(installations.save, installation, self._box)
        except StoreError as error:
            raise BoltError(str(error)) from error
        self._tokens.forget()
        return installation, is_new

    async def remove(self, enterprise: str | None, team: str | None) -> None:
        """Forget the installation of a workspace, or without a `team` of an organisation.

        Raises:
            StoreError: as `Database.write`.
        """
        key = installation_key(self._client_id, enterprise, team)
        await self._database.write(installations.remove, key)
        self._tokens.forget()


class StateStore(AsyncOAuthStateStore):
    """Issues signed states, and stores only the used ones, after Slack granted an installation.

    A state holds the app's client id and a random text. It expires after ten minutes, and is good
    for one installation.

    Args:
        database: the store.
        client_id: the client id of the app.
        box: signs the states.
        now: returns the current time.
    """

    def __init__(
        self, database: Database, client_id: str, box: SecretBox, now: Callable[[], datetime]
    ) -> None:
        self._database = database
        self._purpose = f"install {client_id}"
        self._box = box
        self._now = now

    async def async_issue(self, *_args: object, **_kwargs: object) -> str:
        """Return a new state, which is signed and not stored."""
        token = self._box.sign(f"{self._purpose} {secrets.token_urlsafe(12)}", self._now())
        # A cookie value with `=` would need quotes.
        return token.rstrip("=")

    async def async_consume(self, state: str) -> bool:
        """Return whether a state is valid: issued here, not expired and not used.

        Raises:
            BoltError: where the store fails.
        """
        claim = self._claim(state)
        if claim is None:
            return False
        try:
            return not await self._database.read(is_claimed, claim)
        except StoreError as error:
            raise BoltError(str(error)) from error

    async def use(self, state: str) -> None:
        """Mark a state as used.

        Raises:
            StateUsed: where it was used before, or has expired.
            BoltError: where the store fails.
        """
        claim = self._claim(state)
        try:
            if claim is None or not await self._database.write(take, claim):
                raise StateUsed
        except StoreError as error:
            raise BoltError(str(error)) from error

    def _claim(self, state: str) -> Claim | None:
        """Return the claim that marks a state as used, `None` where it is invalid or expired."""
        verified = self._box.verify(state + "=" * (-len(state) % 4))
        if verified is None:
            return None
        text, issued_at = verified
        now = self._now()
        if not text.startswith(f"{self._purpose} ") or now - issued_at >= STATE_LIFETIME:
            return None
        # The key is what was signed, since base64 can spell one state in several ways.
        return Claim(f"slack:{text}", now, STATE_LIFETIME)


def _installation(granted: Granted, client_id: str, now: datetime) -> Installation:
    """Return the store's record of Slack's installation.

    Raises:
        BoltError: where it has no bot, or no workspace or organisation.
    """
    key = installation_key(client_id, granted.enterprise_id, granted.team_id)
    if not granted.bot_token or not (key.team_id or key.enterprise_id):
        raise BoltError("Slack granted no bot in any workspace.")
    return Installation(
        key=key,
        bot_token=granted.bot_token,
        bot_id=granted.bot_id or "",
        bot_user_id=granted.bot_user_id or "",
        bot_scopes=tuple(granted.bot_scopes or ()),
        app_id=granted.app_id or "",
        installer=granted.user_id or "",
        enterprise_name=granted.enterprise_name or "",
        team_name=granted.team_name or "",
        is_org_wide=granted.is_enterprise_install,
        installed_at=now,
        updated_at=now,
    )
