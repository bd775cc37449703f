"""The OAuth flow that installs the app: Bolt's, with pages of our own.

https://docs.slack.dev/authentication/installing-with-oauth
"""

import logging
from collections.abc import Awaitable, Callable
from urllib.parse import urlencode

import aiohttp
from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.error import BoltError
from slack_bolt.oauth.async_callback_options import (
    AsyncFailureArgs,
    AsyncSuccessArgs,
)
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.oauth.installation_store.models.installation import Installation as Granted
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.api.client import quiet_logger
from adapters.slack.api.scopes import AGENT_SCOPE, BOT_SCOPES
from adapters.slack.installs.oauth_stores import (
    STATE_LIFETIME,
    InstallationStore,
    StateStore,
    StateUsed,
    TokenRotationEnabled,
)
from adapters.slack.installs.pages import InstallPage, error_code, failure_page, success_page
from adapters.slack.settings import INSTALL_PATH, REDIRECT_PATH, Install
from bot.operations.logs import RateLimitedLog
from store.database.fair_threads import on_behalf_of
from store.records import Installation

# The URL of the page holds a code, which must not be cached or sent on.
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none';"
        " frame-ancestors 'none'"
    ),
}

_log = logging.getLogger(__name__)

OnInstalled = Callable[[Installation, bool], None]
_Handle = Callable[[AsyncBoltRequest], Awaitable[BoltResponse]]


class InstallFlow(AsyncOAuthFlow):
    """Bolt's flow, with a callback after each installation.

    Args:
        install: the app's OAuth client.
        authorize_url: the URL of Slack's consent page.
        client: Slack's client; it needs no token.
        installations: saves installations.
        states: issues and verifies states.
        on_installed: is called with each installation and whether it is new. It must not block,
            because the user sees an empty page until it returns.
    """

    def __init__(  # noqa: PLR0913 - each is another module's
        self,
        install: Install,
        authorize_url: str,
        client: AsyncWebClient,
        *,
        installations: InstallationStore,
        states: StateStore,
        on_installed: OnInstalled,
    ) -> None:
        settings = AsyncOAuthSettings(
            client_id=install.client_id,
            client_secret=install.client_secret.get_secret_value(),
            scopes=BOT_SCOPES,
            user_scopes=(),
            install_path=INSTALL_PATH,
            redirect_uri_path=REDIRECT_PATH,
            install_page_rendering_enabled=False,
            authorization_url=authorize_url,
            installation_store=installations,
            state_store=states,
            state_expiration_seconds=int(STATE_LIFETIME.total_seconds()),
        )
        # Passed as an argument, a missing URL is read from an environment variable by Bolt.
        settings.redirect_uri = install.redirect_url
        super().__init__(client=client, logger=quiet_logger("slack_bolt.oauth"), settings=settings)
        self.success_handler = _succeed
        self.failure_handler = self._fail
        self._installations = installations
        self._states = states
        self._on_installed = on_installed
        # Anybody on the internet can make installations fail.
        self._failures = RateLimitedLog(_log, per_minute=10)

    async def build_authorize_url(self, state: str, request: AsyncBoltRequest) -> str:
        """Return the URL of the consent page; Bolt's own takes parameters from the request.

        Slack grants only what is asked for, and whether the app is an agent is known to nobody but
        who made it: they hand out the address with `agent=1`.
        """
        scopes = [*(self.settings.scopes or ())]
        scopes += [AGENT_SCOPE.name] if request.query.get("agent") == ["1"] else []
        query = {
            "client_id": self.client_id,
            "scope": ",".join(scopes),
            "user_scope": "",
            "state": state,
            "redirect_uri": self.settings.redirect_uri,
            "team": next(iter(request.query.get("team", ())), None),
        }
        present = {name: value for name, value in query.items() if value is not None}
        return f"{self.settings.authorization_url}?{urlencode(present)}"

    async def store_installation(self, request: AsyncBoltRequest, installation: Granted) -> None:
        """Save an installation and call back.

        Raises:
            BoltError: where it can't be saved, or its state was used.
        """
        await self._states.use(request.query["state"][0])
        saved, is_new = await self._installations.save(installation)
        _log.info("slack_installed", extra={"team": saved.key.team_id, "new": is_new})
        self._on_installed(saved, is_new)

    def failed(self, reason: str, error: Exception | None) -> BoltResponse:
        """Log a failure, and return the page that explains it."""
        self._failures.warning("slack_install_failed", reason=reason, error=str(error or ""))
        return _response(failure_page(reason, INSTALL_PATH), self.settings)

    async def _fail(self, args: AsyncFailureArgs) -> BoltResponse:
        match args.error:
            case TokenRotationEnabled():
                reason = "tokens_expire"
            case StateUsed():
                reason = "invalid_state"
            case _:
                reason = error_code(args.reason)
        return self.failed(reason, args.error)


def install_routes(flow: InstallFlow) -> list[web.RouteDef]:
    """Return the routes of the install page and of the redirect back from Slack."""
    return [
        # Link previews send HEAD, which must not start an installation.
        web.get(INSTALL_PATH, _handler(flow, flow.handle_installation), allow_head=False),
        web.get(REDIRECT_PATH, _handler(flow, flow.handle_callback), allow_head=False),
    ]


def _handler(
    flow: InstallFlow, handle: _Handle
) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def respond(request: web.Request) -> web.Response:
        bolt_request = AsyncBoltRequest(
            body="",  # neither page has one
            query=request.query_string,
            headers={name: [value] for name, value in request.headers.items()},
        )
        try:
            with on_behalf_of(("web", request.remote)):
                bolt_response = await handle(bolt_request)
        except BoltError as error:
            bolt_response = flow.failed("storage_error", error)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            bolt_response = flow.failed("unreachable", error)
        response = await to_aiohttp_response(bolt_response)
        for cookie in response.cookies.values():
            # Lax cookies come with the redirect from Slack, but with no subrequest.
            cookie["samesite"] = "Lax"
        return response

    return respond


async def _succeed(args: AsyncSuccessArgs) -> BoltResponse:
    granted = args.installation
    page = success_page(
        granted.app_id,
        granted.team_id,
        granted.team_name or granted.enterprise_name,
        is_org=granted.is_enterprise_install,
    )
    return _response(page, args.settings)


def _response(page: InstallPage, settings: AsyncOAuthSettings) -> BoltResponse:
    deletion = settings.state_utils.build_set_cookie_for_deletion()
    return BoltResponse(
        status=page.status.value, body=page.html, headers={**_HEADERS, "Set-Cookie": [deletion]}
    )
