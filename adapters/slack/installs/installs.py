"""Where the bot is installed: in the one workspace of a token, or in any that installs it."""

import asyncio
import logging
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

from adapters.common.tasks import Tasks
from adapters.platform import Services
from adapters.slack.api.client import Api
from adapters.slack.api.paced_calls import Traffic
from adapters.slack.api.scopes import BOT_SCOPES, missing_scopes
from adapters.slack.api.tokens import Authorizations, Authorized, ManyWorkspaces, OneWorkspace
from adapters.slack.installs.oauth import Stores, install_routes, make_flow
from adapters.slack.installs.oauth_stores import InstallationStore, StateStore, on_uninstalled
from adapters.slack.installs.organisations import Organisations
from adapters.slack.installs.uninstall import (
    refuse_lost_posts,
    refuse_posts,
    restore_found_posts,
    restore_posts,
)
from adapters.slack.installs.welcome import send_welcome
from adapters.slack.requests.payloads import Request
from adapters.slack.settings import Install, SlackSettings
from bot.errors import NotAllowed, PlatformError, Rejected, SendError
from bot.operations.health import Condition, State
from bot.replies.wording import count
from store.database import Session
from store.database.encryption import SecretBox
from store.errors import SecretUnreadable
from store.records import Installation, Workspace
from store.workspaces import installations

if TYPE_CHECKING:
    from aiohttp.web import RouteDef

_LONGEST_PAUSE = 60.0
_log = logging.getLogger(__name__)


class Installed(Protocol):
    """Where the bot is installed, from its start to its end."""

    @property
    def authorizations(self) -> Authorizations:
        """Knows with which token to speak to a workspace."""

    async def speaking(self, workspace: str) -> Authorized | None:
        """Return how a workspace is spoken to that is known by its id alone.

        Raises:
            RetryLater: where Slack has to be asked for that, and can't be.
            StoreError: where the store can't say.
        """

    @property
    def routes(self) -> "Sequence[RouteDef]":
        """The pages of an installation, if there are any."""

    async def start(self) -> None:
        """Make ready.

        Raises:
            PlatformError: if Slack does not take the token.
        """

    async def condition(self) -> Condition:
        """Say how it is.

        Raises:
            StoreError: where the store has to be asked and can't say.
        """

    async def removed(self, request: Request) -> None:
        """Forget a workspace that took the bot away.

        Raises:
            StoreError: as `Database.write`.
        """

    async def stop(self) -> None:
        """End what it began."""


def installed_by(parts: Services, settings: SlackSettings, api: Api, tasks: Tasks) -> Installed:
    """Return where the settings have the bot installed."""
    if settings.bot_token:
        return OneInstallation(settings.bot_token.get_secret_value(), api, parts)
    if settings.install is None:
        raise ValueError("either a token or an app to install is given")
    return ManyInstallations(parts, settings.install, settings.authorize_url, api, tasks)


class OneInstallation:
    """The one workspace of a token that was given.

    Args:
        token: the bot's.
        api: Slack.
        parts: where its channels' orders are, and the clock.
    """

    routes: "Sequence[RouteDef]" = ()

    def __init__(self, token: str, api: Api, parts: Services) -> None:
        self._token = token
        self._api = api
        self._parts = parts
        self._tasks = Tasks()
        self._own = OneWorkspace(token)
        self._condition = Condition(State.STARTING, "Slack was not reached yet.")

    @property
    def authorizations(self) -> Authorizations:
        """Knows the one token."""
        return self._own

    async def speaking(self, workspace: str) -> Authorized | None:
        """Return how the workspace is spoken to."""
        return await self._own.find(None, workspace)

    async def start(self) -> None:
        """Ask Slack who the token is; where it can't be reached, go on asking.

        Raises:
            PlatformError: if Slack does not take the token.
        """
        try:
            await self._identify()
        except (NotAllowed, Rejected) as error:
            raise PlatformError(
                f"Slack refuses SLACK_BOT_TOKEN ({error.code}).",
                "Copy the bot token (xoxb-…) once more, or install the app again.",
            ) from error
        except SendError as error:
            self._condition = Condition(State.FAILING, error.sentence)
            self._tasks.start(self._go_on_asking(), "slack-identity")

    async def condition(self) -> Condition:
        """Say how it is."""
        return self._condition

    async def removed(self, request: Request) -> None:
        """Note that the token is good for nothing any more.

        Raises:
            StoreError: as `Database.write`.
        """
        sentence = "The workspace took the bot away; its token is good for nothing."
        _log.error("slack_removed", extra={"reason": sentence})
        self._condition = Condition(State.FAILING, sentence)
        await refuse_posts(self._parts.database, request.workspace)

    async def stop(self) -> None:
        """Ask no more."""
        await self._tasks.finish(0)

    async def _identify(self) -> None:
        answer, scopes = await self._api.identify(self._token)
        self._own.identified(answer)
        restoring = restore_posts(self._parts, str(answer.get("team_id") or ""))
        self._tasks.start(restoring, "restore-posts")
        for scope in missing_scopes(scopes) if scopes else ():
            facts = {"scope": scope.name, "lost": scope.lost}
            _log.warning("slack_scope_missing", extra=facts)
        self._condition = Condition(State.OK)

    async def _go_on_asking(self) -> None:
        pause = 1.0
        while not self._condition.healthy:
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
            try:
                await self._identify()
            except SendError as error:
                self._condition = Condition(State.FAILING, error.sentence)


class ManyInstallations:
    """Whatever workspaces install the bot by its pages.

    Args:
        parts: the store, the clock and the commands to be spoken of in a welcome.
        install: the app.
        authorize_url: where Slack asks a workspace for consent.
        api: Slack.
        tasks: where a welcome is sent.
    """

    def __init__(
        self, parts: Services, install: Install, authorize_url: str, api: Api, tasks: Tasks
    ) -> None:
        self._parts = parts
        self._box = SecretBox([key.get_secret_value() for key in install.secret_keys])
        self._client_id = install.client_id
        self._api = api
        self._tasks = tasks
        self._known = ManyWorkspaces(parts.database, install.client_id, self._box)
        self._organisations = Organisations(api, self._known.organisations)
        now = parts.clock.now
        self._store = InstallationStore(
            parts.database, install.client_id, self._box, self._known, now
        )
        flow = make_flow(
            install,
            authorize_url,
            BOT_SCOPES,
            api.quick,
            stores=Stores(
                self._store, StateStore(parts.database, install.client_id, self._box, now)
            ),
            on_installed=self._installed,
        )
        self.routes: Sequence[RouteDef] = install_routes(flow)

    @property
    def authorizations(self) -> Authorizations:
        """Knows the tokens in the store."""
        return self._known

    async def speaking(self, workspace: str) -> Authorized | None:
        """Return how a workspace is spoken to, also by its organisation's token.

        Raises:
            RetryLater: where an organisation that may have it can't be asked.
            StoreError: where the store can't say.
        """
        if workspace.startswith("E"):
            return await self._known.find(workspace, None)
        found = await self._known.find(None, workspace)
        if found is None and (organisation := await self._organisations.of(workspace)):
            return await self._known.find(organisation, workspace)
        return found

    async def start(self) -> None:
        """Encrypt by the newest key what older ones did.

        Raises:
            StoreError: as `Database.write`.
        """
        renewal = await self._parts.database.write(installations.reencrypt, self._box)
        if renewal.renewed:
            _log.info("tokens_encrypted_anew", extra={"tokens": renewal.renewed})
        for owner in renewal.unreadable:
            _log.error("token_unreadable", extra={"workspace": owner})
        self._known.lacks_key = bool(renewal.unreadable)

    async def condition(self) -> Condition:
        """Say how it is: failing where no stored token can be read.

        Some alone may be of workspaces that nobody will install the app in again. None is named
        here, for whoever reads health may be none of theirs.

        Raises:
            StoreError: as `Database.read`.
        """
        if not self._known.lacks_key:
            return Condition(State.OK)
        found, lost = await self._parts.database.read(self._tokens)
        if not lost:
            self._known.lacks_key = False
            return Condition(State.OK)
        error = SecretUnreadable(f"{lost} of {count(found, 'workspace')}", several=True)
        return Condition(State.FAILING if lost == found else State.OK, str(error))

    def _tokens(self, session: Session) -> tuple[int, int]:
        """Return how many tokens of the app are stored, and how many of them no key opens."""
        found = installations.list_tokens(session, "slack", self._client_id)
        return len(found), len(installations.list_unreadable(found, self._box))

    async def removed(self, request: Request) -> None:
        """Forget a workspace, or an organisation, that took the bot away.

        Raises:
            StoreError: as `Database.write`.
        """
        await on_uninstalled(self._store, request.enterprise, request.team, is_org=request.is_org)
        if request.is_org:
            self._organisations.forget()
            await refuse_lost_posts(self._parts.database, self.speaking)
        else:
            await refuse_posts(self._parts.database, request.workspace)
        _log.info("slack_uninstalled", extra={"team": request.team})

    async def stop(self) -> None:
        """Do nothing: it began nothing."""

    def _installed(self, installation: Installation, is_new: bool) -> None:  # noqa: FBT001 - as the flow calls it
        self._tasks.start(self._restore(installation), "restore-posts")
        if is_new:
            self._tasks.start(self._welcome(installation), "welcome")

    async def _welcome(self, installation: Installation) -> None:
        """Tell the installer what the bot is."""
        traffic = Traffic(self._api, self._parts.rate_limiter, self._parts.timing.speed)
        token, commands = installation.bot_token, self._parts.app.commands
        owner = installation.key.team_id or installation.key.enterprise_id
        send = partial(send_welcome, traffic, token, owner, installation.installer, commands)
        if onboarding := self._parts.app.onboarding:
            await onboarding.welcome_workspace(Workspace("slack", owner), send)
        else:
            await send()

    async def _restore(self, installation: Installation) -> None:
        if installation.is_org_wide:
            self._organisations.forget()
            await restore_found_posts(self._parts, self.speaking)
        else:
            await restore_posts(self._parts, installation.key.team_id)
