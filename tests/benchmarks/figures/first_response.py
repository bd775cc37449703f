"""Compare first responses to `/papers latest` and `search` with those of a do-nothing client."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.benchmarks.figures.response_times import Commands, Platform, response_figures
from tests.benchmarks.floors import discord_client, slack_app
from tests.benchmarks.measure import Figure
from tests.benchmarks.platforms.discord import FakeDiscord

_MESSAGE, _BUTTON = 4, 2


def first_responses(store: Path, runs: int, commands: Commands) -> Iterator[Figure]:
    """Measure first responses to interactions that come over the gateway."""
    discord = Platform(
        answer="first response",
        search_answer="first response to search",
        serve=FakeDiscord,
        floor=discord_client.__name__,
        variables=_variables,
        is_floors=_is_two_letters,
        is_edition=_is_edition,
        aims={1: 3, 16: 6},
        search_aims={1: 12, 16: 25},
        rates={},
        search_rates={},
    )
    yield from response_figures(discord, store, runs, commands)


def _variables(api_url: str) -> Mapping[str, str]:
    return {"BROADSHEET_DISCORD_API_URL": api_url, "DISCORD_TOKEN": "token"}


def _is_two_letters(text: str) -> bool:
    return bool(_message(text).get("content") == slack_app.ANSWER)


def _is_edition(text: str) -> bool:
    # An edition has a button for each of its papers; an error or an apology has one at most.
    return json.dumps(_message(text).get("components")).count(f'"type": {_BUTTON},') > 1


def _message(text: str) -> dict[str, Any]:
    response = json.loads(text)
    message: dict[str, Any] = response["data"] if response["type"] == _MESSAGE else {}
    return message
