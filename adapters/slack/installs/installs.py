"""The installations of the bot: the one workspace of a token, or all that install the app."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from adapters.common.tasks import Pauses, Tasks
from adapters.platform import Services
from adapters.slack.api.client import Api
from adapters.slack.api.rate_limits import RateLimitedApi
from adapters.slack.api.scopes import missing_scopes
from adapters.slack.api.thread_titles import ThreadTitles, title_of
from adapters.slack.api.tokens import Authorization, FixedToken, StoredTokens, authorized
from adapters.slack.installs.oauth import InstallFlow, install_routes
from adapters.slack.installs.oauth_stores import InstallationStore, StateStore
from adapters.slack.installs.organisations import Organisations, WorkspaceTokens
from adapters.slack.render import message, render_message
from adapters.slack.requests.payloads import Request
from adapters.slack.settings import Install, SlackSettings
from bot.clock import SystemClock
from bot.commands.handlers.help import workspace_welcome
from bot.commands.types import Command
from bot.errors import NotAllowed, PlatformError, Rejected, RetryLater, SendError
from bot.operations.health import Condition, State
from bot.replies.blocks import Reply
from bot.replies.wording import count
from store.database import Session
from store.database.encryption import SecretBox
from store.errors import SecretUnreadable
from store.posting.change_subscription import REMOVED, refuse_workspace, restore_workspace
from store.records import Installation, InstallationKey, Refusal, Workspace
from store.workspaces import installations
from store.workspaces.workspaces import list_present

if TYPE_CHECKING:
    from aiohttp.web import RouteDef

_INVITE_HINT = "A private one needs /invite @Broadsheet first."
_REMOVED = Refusal(
    "Broadsheet was removed from the workspace.",
    "An owner of the workspace installs it again.",
    REMOVED,
)
_log = logging.getLogger(__name__)


class SingleWorkspace:
    """The workspace of a token from the settings.

    Attributes:
        authorizations: the one token.
        routes: the pages of the installation, of which there are none.

    Args:
        token: the bot token.
        api: the Web API.
        parts: the store and the clock.
    """

    routes: "Sequence[RouteDef]" = ()

    def __init__(self, token: str, api: Api, parts: Services) -> None:
        self._token = token
        self._api = api
        self._parts = parts
        self._tasks = Tasks()
        self.authorizations = FixedToken(token)
        self._organisations = Organisations(api, self._own_organisation)
        self._team = ""  # empty until it is known, and where the token is an organisation's
        self._enterprise = ""
        self._condition = Condition(State.STARTING, "Slack was not reached yet.")

    async def authorization_of(self, workspace: str) -> Authorization | None:
        """Return the token's authorization."""
        return await self.authorizations.find(None, workspace)

    async def settled(self, request: Request) -> Request:
        """Return a request with the workspace of the token, which all requests belong to.

        An organisation's token serves each of its workspaces.
        """
        if self._team:
            return replace(request, team=self._team, enterprise=self._enterprise or None)
        if not self._enterprise:
            return replace(request, team=request.team or request.user_team)
        team = request.team if request.enterprise in {None, self._enterprise} else None
        ours = replace(request, team=team, enterprise=self._enterprise, is_org=True)
        return await self._organisations.settled(ours)

    async def of_bots(self, users: Sequence[str]) -> Mapping[str, InstallationKey]:  # noqa: ARG002 - as many workspaces need it
        """Return none: there is one bot."""
        return {}

    async def start(self) -> None:
        """Identify the token; if Slack is unreachable, retry in the background.

        Raises:
            PlatformError: if Slack refuses the token.
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
            self._tasks.start(self._retry_identify(), "slack-identity")

    async def condition(self) -> Condition:
        """Return whether Slack accepts the token."""
        return self._condition

    async def on_uninstalled(self, request: Request) -> None:
        """Note that the token is invalid from now on, unless others removed the app.

        Raises:
            StoreError: as `Database.write`.
        """
        if not self._concerns(request):
            return
        sentence = "The workspace took the bot away; its token is good for nothing."
        _log.error("slack_removed", extra={"reason": sentence})
        self._condition = Condition(State.FAILING, sentence)
        await _refuse_subscriptions(self._parts, request.workspace)

    async def stop(self) -> None:
        """Stop retrying."""
        await self._tasks.finish(0)

    def _concerns(self, request: Request) -> bool:
        """Tell whether a request is of the token's owner; it is until that is known."""
        if self._team and request.team:
            return request.team == self._team
        is_known = bool(self._team or self._enterprise)
        return not is_known or request.enterprise in {None, self._enterprise}

    async def _own_organisation(self) -> list[Authorization]:
        return [await self.authorizations.find(self._enterprise, None)]

    async def _identify(self) -> None:
        identity, scopes = await self._api.auth_test(self._token)
        self.authorizations.identify(identity, scopes)
        self._enterprise = str(identity.get("enterprise_id") or "")
        if not identity.get("is_enterprise_install"):
            self._team = str(identity.get("team_id") or "")
        restoring = _restore_subscriptions(self._parts, str(identity.get("team_id") or ""))
        self._tasks.start(restoring, "restore-posts")
        missing = missing_scopes(scopes) if scopes else ()
        # Who left an optional one out chose to; doctor names it all the same.
        for scope in (each for each in missing if not each.optional):
            facts = {"scope": scope.name, "lost": scope.lost}
            _log.warning("slack_scope_missing", extra=facts)
        self._condition = Condition(State.OK)

    async def _retry_identify(self) -> None:
        pauses = Pauses()
        while not self._condition.healthy:
            await pauses.wait()
            try:
                await self._identify()
            except SendError as error:
                self._condition = Condition(State.FAILING, error.sentence)


class ManyWorkspaces:
    """The workspaces that install the app through its pages.

    Attributes:
        authorizations: the tokens in the store.
        routes: the pages of the installation.

    Args:
        parts: the store, the clock and the commands.
        install: the app's OAuth client.
        authorize_url: the URL of Slack's consent page.
        limited: the Web API within its rate limits.
        titles: titles the thread that a welcome begins.
        tasks: runs the work after an installation.
    """

    def __init__(  # noqa: PLR0913 - what it calls, and the app
        self,
        parts: Services,
        install: Install,
        authorize_url: str,
        *,
        limited: RateLimitedApi,
        titles: ThreadTitles,
        tasks: Tasks,
    ) -> None:
        self._parts = parts
        self._box = SecretBox([key.get_secret_value() for key in install.secret_keys])
        self._client_id = install.client_id
        self._limited = limited
        self._titles = titles
        self._tasks = tasks
        self._tokens = StoredTokens(parts.database, install.client_id, self._box)
        self._organisations = Organisations(limited.api, self._tokens.organisations)
        self.authorizations = WorkspaceTokens(self._tokens, self._organisations)
        now = parts.clock.now
        self._store = InstallationStore(
            parts.database, install.client_id, self._box, self._tokens, now
        )
        states = StateStore(parts.database, install.client_id, self._box, now)
        flow = InstallFlow(
            install,
            authorize_url,
            limited.api.client,
            installations=self._store,
            states=states,
            on_installed=self._on_installed,
        )
        self.routes: Sequence[RouteDef] = install_routes(flow)

    async def authorization_of(self, workspace: str) -> Authorization | None:
        """Return the authorization of a workspace, also by its organisation's token.

        Raises:
            RetryLater: where an organisation that may own it can't be asked.
            StoreError: where the store fails.
        """
        if workspace.startswith("E"):
            return await self._tokens.find(workspace, None)
        return await self.authorizations.of_workspace(workspace)

    async def settled(self, request: Request) -> Request:
        """Return a request of an organisation with its user's workspace, if it is of that."""
        return await self._organisations.settled(request)

    async def of_bots(self, users: Sequence[str]) -> Mapping[str, InstallationKey]:
        """Return the installations whose bots are among some users, by the id of the bot's user.

        Raises:
            StoreError: as `Database.read`.
        """
        return await self._parts.database.read(
            installations.of_bots, "slack", self._client_id, users
        )

    async def start(self) -> None:
        """Encrypt tokens of older keys with the newest key.

        Raises:
            StoreError: as `Database.write`.
        """
        renewal = await self._parts.database.write(installations.reencrypt, self._box)
        if renewal.renewed:
            _log.info("tokens_encrypted_anew", extra={"tokens": renewal.renewed})
        for owner in renewal.unreadable:
            _log.error("token_unreadable", extra={"workspace": owner})
        self._tokens.lacks_key = bool(renewal.unreadable)

    async def condition(self) -> Condition:
        """Return whether the stored tokens can be decrypted; failing if none can.

        A few unreadable tokens may be of workspaces that never reinstall the app. No workspace is
        named, because readers of health may belong to another one.

        Raises:
            StoreError: as `Database.read`.
        """
        if not self._tokens.lacks_key:
            return Condition(State.OK)
        found, unreadable = await self._parts.database.read(self._count_tokens)
        if not unreadable:
            self._tokens.lacks_key = False
            return Condition(State.OK)
        error = SecretUnreadable(f"{unreadable} of {count(found, 'workspace')}", several=True)
        return Condition(State.FAILING if unreadable == found else State.OK, str(error))

    def _count_tokens(self, session: Session) -> tuple[int, int]:
        """Return how many tokens the app has, and how many of them no key decrypts."""
        found = installations.list_tokens(session, "slack", self._client_id)
        return len(found), len(installations.list_unreadable(found, self._box))

    async def on_uninstalled(self, request: Request) -> None:
        """Forget a workspace, or an organisation, that uninstalled the app.

        https://docs.slack.dev/reference/events/app_uninstalled

        Raises:
            StoreError: as `Database.write`.
        """
        team = None if request.is_org else request.team
        await self._store.remove(request.enterprise, team)
        if request.is_org:
            self._organisations.forget()
            await self._in_all_workspaces(_refuse_subscriptions, installed=False)
        else:
            await _refuse_subscriptions(self._parts, request.workspace)
        _log.info("slack_uninstalled", extra={"team": request.team})

    async def stop(self) -> None:
        """Do nothing: there are no background tasks of its own."""

    def _on_installed(self, installation: Installation, is_new: bool) -> None:  # noqa: FBT001 - as the flow calls it
        self._tasks.start(self._restore(installation), "restore-posts")
        if is_new:
            self._tasks.start(self._welcome(installation), "welcome")

    async def _welcome(self, installation: Installation) -> None:
        """Send the welcome to the installer."""
        authorization = authorized(installation)
        send = partial(
            send_welcome,
            self._limited,
            self._titles,
            authorization,
            installation.installer,
            self._parts.app.commands,
        )
        if onboarding := self._parts.app.onboarding:
            await onboarding.welcome_workspace(Workspace("slack", authorization.workspace), send)
        else:
            await send()

    async def _restore(self, installation: Installation) -> None:
        if installation.is_org_wide:
            self._organisations.forget()
            await self._in_all_workspaces(_restore_subscriptions, installed=True)
        else:
            await _restore_subscriptions(self._parts, installation.key.team_id)

    async def _in_all_workspaces(
        self, change: Callable[[Services, str], Awaitable[None]], *, installed: bool
    ) -> None:
        """Change the subscriptions of all workspaces where the bot is installed, or is not."""
        for workspace in await self._parts.database.read(list_present, "slack"):
            with suppress(RetryLater):
                found = await self.authorization_of(workspace.external_id)
                if (found is not None) is installed:
                    await change(self._parts, workspace.external_id)


Installations = SingleWorkspace | ManyWorkspaces


def make_installations(
    parts: Services,
    settings: SlackSettings,
    limited: RateLimitedApi,
    titles: ThreadTitles,
    tasks: Tasks,
) -> Installations:
    """Return the installations that the settings ask for."""
    if settings.bot_token:
        return SingleWorkspace(settings.bot_token.get_secret_value(), limited.api, parts)
    if settings.install is None:
        raise ValueError("either a token or an app to install is given")
    return ManyWorkspaces(
        parts, settings.install, settings.authorize_url, limited=limited, titles=titles, tasks=tasks
    )


async def _refuse_subscriptions(parts: Services, workspace: str) -> None:
    """Refuse the subscriptions of a workspace, so that nothing more is posted there.

    Raises:
        StoreError: as `Database.write`.
    """
    refused, now = Workspace("slack", workspace), SystemClock().now()
    await parts.database.write(refuse_workspace, refused, _REMOVED, now)


async def _restore_subscriptions(parts: Services, workspace: str) -> None:
    """Restore the subscriptions of a workspace that were refused on removal.

    Raises:
        StoreError: as `Database.write`.
    """
    restored, at, now = Workspace("slack", workspace), parts.clock.now(), SystemClock().now()
    await parts.database.write(restore_workspace, restored, at, now)
    parts.wake_up.notify()


def welcome(commands: Sequence[Command]) -> Reply:
    """Return the welcome of a workspace."""
    return workspace_welcome(commands, by_name=False, hint=_INVITE_HINT)


async def send_welcome(
    limited: RateLimitedApi,
    titles: ThreadTitles,
    authorization: Authorization,
    user: str,
    commands: Sequence[Command],
) -> bool:
    """Send the welcome to the user who installed the app; return whether Slack accepted it.

    The call logs its error; the installation is complete without the welcome.
    https://docs.slack.dev/reference/methods/chat.postMessage#app_home
    """
    reply = welcome(commands)
    payload = {"channel": user, **message(render_message(reply))}
    try:
        sent = await limited.answer(authorization.bot_token, authorization.workspace, payload)
    except SendError:
        return False
    titles.set(authorization, str(sent["channel"]), str(sent["ts"]), title_of(reply))
    return True
