"""Bolt's app, made through its documented interface only."""

import asyncio

from pydantic import SecretStr
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.async_authorize import AsyncAuthorize
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.api.library_logs import quiet_logger
from adapters.slack.api.tokens import Authorizations
from adapters.slack.requests.payloads import place_of
from store.errors import StoreError

# The key in a request's context for the monotonic time when it arrived.
ARRIVED = "arrived"
_AUTHORIZE_SECONDS = 0.8  # of the one second within which a command is acknowledged
_NOT_INSTALLED = (
    "Broadsheet is not installed in this workspace any more. An owner of the workspace can"
    " install it again."
)


def make_app(
    client: AsyncWebClient, signing_secret: SecretStr | None, authorizations: Authorizations
) -> AsyncApp:
    """Return an app that acknowledges a request as soon as its listener does.

    Without `process_before_response` Bolt polls for the acknowledgement every ten milliseconds;
    without `authorize` it reads client ids from the environment.

    Args:
        client: the client for Bolt's own calls.
        signing_secret: verifies requests over HTTP; `None` for Socket Mode.
        authorizations: the tokens of workspaces.
    """
    return AsyncApp(
        name="broadsheet",
        logger=quiet_logger("slack_bolt"),
        client=client,
        signing_secret=signing_secret.get_secret_value() if signing_secret else "",
        authorize=_Authorize(authorizations),  # type: ignore[arg-type] # Bolt accepts an AsyncAuthorize too
        process_before_response=True,
        user_facing_authorize_error_message=_NOT_INSTALLED,
    )


def set_context(request: AsyncBoltRequest, arrived: float) -> None:
    """Tell listeners when a request arrived, and Bolt which installation it is for.

    Args:
        request: the request.
        arrived: the monotonic time.
    """
    place = place_of(request.body)
    request.context[ARRIVED] = arrived
    request.context["enterprise_id"], request.context["team_id"] = place.enterprise, place.team


class _Authorize(AsyncAuthorize):
    """Authorizes requests from the store; Bolt's own way calls Slack for each."""

    def __init__(self, authorizations: Authorizations) -> None:
        super().__init__()  # type: ignore[no-untyped-call] # Bolt's is
        self._authorizations = authorizations

    async def __call__(  # noqa: PLR0913 - Bolt's own arguments
        self,
        *,
        context: AsyncBoltContext,  # noqa: ARG002 - the same
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None,
        actor_enterprise_id: str | None = None,  # noqa: ARG002 - the same
        actor_team_id: str | None = None,  # noqa: ARG002 - the same
        actor_user_id: str | None = None,  # noqa: ARG002 - the same
    ) -> AuthorizeResult | None:
        """Return the authorization of a workspace, `None` where the bot is not installed."""
        try:
            async with asyncio.timeout(_AUTHORIZE_SECONDS):
                found = await self._authorizations.find(enterprise_id, team_id)
        except (TimeoutError, StoreError):
            # The responder looks it up again and tells the user of an error; Bolt would not.
            return AuthorizeResult(enterprise_id=enterprise_id, team_id=team_id, user_id=user_id)
        if found is None:
            return None
        return AuthorizeResult(
            enterprise_id=enterprise_id,
            team_id=team_id,
            user_id=user_id,
            bot_token=found.bot_token,
            bot_id=found.bot_id,
            bot_user_id=found.bot_user_id,
        )
