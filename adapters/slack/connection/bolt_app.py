"""Bolt's app, made by its documented ways and no others."""

import asyncio

from pydantic import SecretStr
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.async_authorize import AsyncAuthorize
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.api.library_logs import quiet_logger
from adapters.slack.api.tokens import Authorizations
from store.errors import StoreError

# What a request's context tells beside Bolt's own: when it came in, on the monotonic clock.
ARRIVED = "arrived"
_PATIENCE = 0.8  # seconds, of the one within which a command is acknowledged
_NOT_INSTALLED = (
    "Broadsheet is not installed in this workspace any more. An owner of the workspace can"
    " install it again."
)


def make_app(
    client: AsyncWebClient, signing_secret: SecretStr | None, authorizations: Authorizations
) -> AsyncApp:
    """Return an app that acknowledges with what its listeners say, as soon as they say it.

    Without `process_before_response` Bolt looks for the acknowledgement every ten milliseconds;
    without an `authorize` of one's own it looks for client ids in the environment.

    Args:
        client: what Bolt's own calls go through.
        signing_secret: what requests over HTTP are signed with; `None` for Socket Mode.
        authorizations: knows which workspaces have installed the bot.
    """
    return AsyncApp(
        name="broadsheet",
        logger=quiet_logger("slack_bolt"),
        client=client,
        signing_secret=signing_secret.get_secret_value() if signing_secret else "",
        authorize=_Authorize(authorizations),  # type: ignore[arg-type] # it is told apart inside
        process_before_response=True,
        user_facing_authorize_error_message=_NOT_INSTALLED,
    )


class _Authorize(AsyncAuthorize):
    """Tells Bolt as whom it answers, by what is known already: no call of Slack a request."""

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
        """Return as whom to answer in a workspace, `None` where the bot is not installed."""
        try:
            async with asyncio.timeout(_PATIENCE):
                found = await self._authorizations.find(enterprise_id, team_id)
        except (TimeoutError, StoreError):
            # Whoever answers asks again, and has words for it; here it would end in silence.
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
