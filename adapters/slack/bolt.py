"""Bolt's app, made by its documented ways and no others."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from pydantic import SecretStr
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.installations import Authorizations
from adapters.slack.quiet import quiet_logger
from store.errors import StoreError

_PATIENCE = 0.8  # seconds, of the one within which a command is acknowledged
_NOT_INSTALLED = (
    "Broadsheet is not installed in this workspace any more. An owner of the workspace can"
    " install it again."
)


def make_app(
    client: AsyncWebClient,
    signing_secret: SecretStr | None,
    authorizations: Authorizations,
    seconds: Callable[[], float] = time.monotonic,
) -> AsyncApp:
    """Return an app that acknowledges with what its listeners say, as soon as they say it.

    Without `process_before_response` Bolt looks for the acknowledgement every ten milliseconds;
    without an `authorize` of one's own it looks for client ids in the environment.

    Args:
        client: what Bolt's own calls go through.
        signing_secret: what requests over HTTP are signed with; `None` for Socket Mode.
        authorizations: knows which workspaces have installed the bot.
        seconds: tells when a request came in, in `context["arrived"]`.
    """

    async def note_arrival(context: dict[str, Any], next: Callable[[], Awaitable[Any]]) -> None:  # noqa: A002 - Bolt hands arguments over by these names
        # It returns nothing: a response returned here would be sent instead of the listener's.
        context["arrived"] = seconds()
        await next()

    async def authorize(
        enterprise_id: str | None, team_id: str | None, user_id: str | None
    ) -> AuthorizeResult | None:
        try:
            async with asyncio.timeout(_PATIENCE):
                found = await authorizations.find(enterprise_id, team_id)
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

    return AsyncApp(
        name="broadsheet",
        logger=quiet_logger("slack_bolt"),
        client=client,
        signing_secret=signing_secret.get_secret_value() if signing_secret else "",
        authorize=authorize,  # type: ignore[arg-type] # Bolt takes None for "not installed"
        before_authorize=note_arrival,
        process_before_response=True,
        user_facing_authorize_error_message=_NOT_INSTALLED,
    )
