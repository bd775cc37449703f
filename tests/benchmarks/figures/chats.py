"""Compare answers to `/papers latest` and `search` with those of a do-nothing app, in each chat.

Commands come to Slack's app by Socket Mode, to Discord's over the gateway.
"""

import json
from typing import Any

from tests.benchmarks.figures.response_times import Platform
from tests.benchmarks.platforms.discord import FakeDiscord
from tests.benchmarks.platforms.slack import FakeSlack
from tests.benchmarks.processes import discord_client, slack_app

_MESSAGE, _BUTTON = 4, 2


def slack_variables(api_url: str) -> dict[str, str]:
    """Return the variables that connect the bot to a fake Slack."""
    opens_nothing = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1"}
    return {"BROADSHEET_SLACK_API_URL": api_url, **opens_nothing}


def has_edition(acknowledgement: str) -> bool:
    """Tell whether an acknowledgement in Slack holds an edition."""
    # An edition's title is a header.
    blocks = _payload(acknowledgement).get("blocks", ())
    return any(block["type"] == "header" for block in blocks)


def _payload(text: str) -> dict[str, Any]:
    payload: dict[str, Any] = json.loads(text).get("payload") or {}
    return payload


def _has_message_of_edition(response: str) -> bool:
    # An edition has a button for each of its papers; an error or an apology has one at most.
    return json.dumps(_message(response).get("components")).count(f'"type": {_BUTTON},') > 1


def _message(text: str) -> dict[str, Any]:
    response = json.loads(text)
    message: dict[str, Any] = response["data"] if response["type"] == _MESSAGE else {}
    return message


SLACK = Platform(
    answer="acknowledgement",
    search_answer="acknowledgement of search",
    serve=FakeSlack,
    floor=slack_app.__name__,
    variables=slack_variables,
    is_floors=lambda text: _payload(text) == {"text": slack_app.ANSWER},
    is_edition=has_edition,
    aims={1: 4, 16: 12},
    search_aims={1: 15, 16: 50},
    rates={16: 400},
    search_rates={16: 150},
)
DISCORD = Platform(
    answer="first response",
    search_answer="first response to search",
    serve=FakeDiscord,
    floor=discord_client.__name__,
    variables=lambda api_url: {"BROADSHEET_DISCORD_API_URL": api_url, "DISCORD_TOKEN": "token"},
    is_floors=lambda text: _message(text).get("content") == slack_app.ANSWER,
    is_edition=_has_message_of_edition,
    aims={1: 3, 16: 6},
    search_aims={1: 12, 16: 25},
    rates={},
    search_rates={},
)
