"""Installing the bot into a workspace: Bolt's OAuth flow, with pages of our own.

https://docs.slack.dev/authentication/installing-with-oauth
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
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

from adapters.slack.api.library_logs import quiet_logger
from adapters.slack.installs.oauth_stores import (
    STATE_LASTS,
    InstallationStore,
    StateStore,
    StateUsed,
    TokensExpire,
)
from adapters.slack.installs.pages import Page, as_code, failure_page, success_page
from adapters.slack.settings import INSTALL_PATH, REDIRECT_PATH, Install
from bot.operations.logs import RateLimitedLog
from store.database.fair_threads import on_behalf_of
from store.records import Installation

# The address of the page holds a code, which goes nowhere else and is kept nowhere.
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


@dataclass(frozen=True, slots=True)
class Stores:
    """The stores of the flow: granted installations, and states."""

    installations: InstallationStore
    states: StateStore


class InstallFlow(AsyncOAuthFlow):
    """Bolt's flow, which says what it installed.

    Args:
        settings: Bolt's.
        client: speaks to Slack for it.
        stores: keep what was granted, and verify states.
        on_installed: is called with each installation and whether it is new, and must not wait:
            the person is looking at an empty page until it returns.
    """

    def __init__(
        self,
        settings: AsyncOAuthSettings,
        client: AsyncWebClient,
        stores: Stores,
        on_installed: OnInstalled,
    ) -> None:
        super().__init__(client=client, logger=quiet_logger("slack_bolt.oauth"), settings=settings)
        self.success_handler = _succeed
        self.failure_handler = self._fail
        self._stores = stores
        self._on_installed = on_installed
        # Strangers can make an installation fail as often as they like.
        self._failures = RateLimitedLog(_log, per_minute=10)

    async def build_authorize_url(self, state: str, request: AsyncBoltRequest) -> str:
        """Return where Slack asks for consent; Bolt's own lets the request add parameters."""
        query = {
            "client_id": self.client_id,
            "scope": ",".join(self.settings.scopes or ()),
            "user_scope": "",
            "state": state,
            "redirect_uri": self.settings.redirect_uri,
            "team": next(iter(request.query.get("team", ())), None),
        }
        given = {name: value for name, value in query.items() if value is not None}
        return f"{self.settings.authorization_url}?{urlencode(given)}"

    async def store_installation(self, request: AsyncBoltRequest, installation: Granted) -> None:
        """Keep what was granted, and say so.

        Raises:
            BoltError: where it can't be kept, or its state was used.
        """
        await self._stores.states.use(request.query["state"][0])
        kept, is_new = await self._stores.installations.save(installation)
        _log.info("slack_installed", extra={"team": kept.key.team_id, "new": is_new})
        self._on_installed(kept, is_new)

    def failed(self, reason: str, error: Exception | None) -> BoltResponse:
        """Log a failure, and return the page that gives the reason."""
        self._failures.warning("slack_install_failed", reason=reason, error=str(error or ""))
        return _ended(failure_page(reason, INSTALL_PATH), self.settings)

    async def _fail(self, args: AsyncFailureArgs) -> BoltResponse:
        match args.error:
            case TokensExpire():
                reason = "tokens_expire"
            case StateUsed():
                reason = "invalid_state"
            case _:
                reason = as_code(args.reason)
        return self.failed(reason, args.error)


def make_flow(  # noqa: PLR0913 - each is another module's
    install: Install,
    authorize_url: str,
    scopes: Sequence[str],
    client: AsyncWebClient,
    *,
    stores: Stores,
    on_installed: OnInstalled,
) -> InstallFlow:
    """Return the flow of an app.

    Args:
        install: the app.
        authorize_url: where Slack asks for consent.
        scopes: what the bot is to be granted.
        client: speaks to Slack; it needs no token.
        stores: where things are kept.
        on_installed: is called with each installation and whether it is new; it must not wait.
    """
    settings = AsyncOAuthSettings(
        client_id=install.client_id,
        client_secret=install.client_secret.get_secret_value(),
        scopes=scopes,
        user_scopes=(),
        install_path=INSTALL_PATH,
        redirect_uri_path=REDIRECT_PATH,
        install_page_rendering_enabled=False,
        authorization_url=authorize_url,
        installation_store=stores.installations,
        state_store=stores.states,
        state_expiration_seconds=int(STATE_LASTS.total_seconds()),
    )
    # Left out, Bolt takes it from a variable of the environment that is none of ours.
    settings.redirect_uri = install.redirect_url
    return InstallFlow(settings, client, stores, on_installed)


def install_routes(flow: InstallFlow) -> list[web.RouteDef]:
    """Return where an installation begins and where Slack sends people back to."""
    return [
        # What looks at links before people do asks by HEAD, and begins nothing.
        web.get(INSTALL_PATH, _handler(flow, flow.handle_installation), allow_head=False),
        web.get(REDIRECT_PATH, _handler(flow, flow.handle_callback), allow_head=False),
    ]


def _handler(
    flow: InstallFlow, handle: _Handle
) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def answer(request: web.Request) -> web.Response:
        asked = AsyncBoltRequest(
            body="",  # neither page reads one
            query=request.query_string,
            headers={name: [value] for name, value in request.headers.items()},
        )
        try:
            with on_behalf_of(("web", request.remote)):
                answered = await handle(asked)
        except BoltError as error:
            answered = flow.failed("storage_error", error)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            answered = flow.failed("unreachable", error)
        response = await to_aiohttp_response(answered)
        for cookie in response.cookies.values():
            # Lax: browsers send it when Slack redirects a person back, and with no subrequest.
            cookie["samesite"] = "Lax"
        return response

    return answer


async def _succeed(args: AsyncSuccessArgs) -> BoltResponse:
    granted = args.installation
    page = success_page(
        granted.app_id,
        granted.team_id,
        granted.team_name or granted.enterprise_name,
        is_org=granted.is_enterprise_install,
    )
    return _ended(page, args.settings)


def _ended(page: Page, settings: AsyncOAuthSettings) -> BoltResponse:
    forget = settings.state_utils.build_set_cookie_for_deletion()
    return BoltResponse(
        status=page.status.value, body=page.html, headers={**_HEADERS, "Set-Cookie": [forget]}
    )
