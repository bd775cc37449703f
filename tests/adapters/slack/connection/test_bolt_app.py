"""The authorization of requests in Bolt's app, also where the store is slow or fails."""

import asyncio
import json
from typing import Any

import pytest
from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.api.tokens import Authorization, Authorizations
from adapters.slack.connection import make_app
from store.errors import StoreBusy

COMMAND = {"command": "/papers", "team_id": "T1", "user_id": "U1", "text": "latest"}


class _Known:
    """Knows one token for every workspace, after as many seconds; or fails."""

    def __init__(self, seconds: float = 0, error: Exception | None = None) -> None:
        self._seconds = seconds
        self._error = error

    async def find(self, enterprise_id: str | None, team_id: str | None) -> Authorization | None:
        """Return the token."""
        await asyncio.sleep(self._seconds)
        if self._error:
            raise self._error
        return Authorization("xoxb-1", "B1", "UBOT1", team_id, enterprise_id)

    def forget(self) -> None:
        """Change nothing."""


async def heard(authorizations: Authorizations) -> tuple[dict[str, Any], str]:
    """Return the context that a listener got, and the app's response."""
    app: AsyncApp = make_app(AsyncWebClient(), None, authorizations)
    told: dict[str, Any] = {}

    async def listen(ack: Any, context: dict[str, Any]) -> None:  # Bolt hands over by name
        told.update(context)
        await ack("heard")

    app.command("/papers")(listen)
    response = await app.async_dispatch(AsyncBoltRequest(mode="socket_mode", body=COMMAND))
    assert response.status == 200
    return told, response.body


async def test_a_listener_knows_the_bot_s_token() -> None:
    """Bolt gets the cached authorization and calls Slack for nothing."""
    told, answer = await heard(_Known())
    assert (told["bot_token"], told["bot_user_id"]) == ("xoxb-1", "UBOT1")
    assert answer == "heard"


@pytest.mark.parametrize("known", [_Known(seconds=30), _Known(error=StoreBusy())])
async def test_a_store_that_fails_or_tarries_holds_no_acknowledgement_up(known: _Known) -> None:
    """The listener gets the request without a token, and tells the user."""
    told, answer = await heard(known)
    assert told.get("bot_token") is None
    assert answer == "heard"


async def test_a_workspace_without_the_bot_is_told_so() -> None:
    """A workspace without the bot gets a sentence, and no listener is called."""

    class Nobody(_Known):
        async def find(self, enterprise_id: str | None, team_id: str | None) -> None:
            """Find no workspace."""

    told, answer = await heard(Nobody())
    assert told == {}
    assert "not installed in this workspace" in json.dumps(answer)
