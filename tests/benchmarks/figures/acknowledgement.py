"""Compare acknowledgements of `/papers latest` and `search` with those of a do-nothing Bolt app."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.benchmarks.figures.response_times import Commands, Platform, response_figures
from tests.benchmarks.floors import slack_app
from tests.benchmarks.measure import Figure
from tests.benchmarks.platforms.slack import FakeSlack


def acknowledgements(store: Path, runs: int, commands: Commands) -> Iterator[Figure]:
    """Measure acknowledgements of commands that come by Socket Mode."""
    slack = Platform(
        answer="acknowledgement",
        search_answer="acknowledgement of search",
        serve=FakeSlack,
        floor=slack_app.__name__,
        variables=variables,
        is_floors=_is_two_letters,
        is_edition=is_edition,
        aims={1: 4, 16: 12},
        search_aims={1: 15, 16: 50},
        rates={16: 400},
        search_rates={16: 150},
    )
    yield from response_figures(slack, store, runs, commands)


def variables(api_url: str) -> Mapping[str, str]:
    """Return the variables that connect the bot to a fake Slack."""
    opens_nothing = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1"}
    return {"BROADSHEET_SLACK_API_URL": api_url, **opens_nothing}


def _is_two_letters(text: str) -> bool:
    return _payload(text) == {"text": slack_app.ANSWER}


def is_edition(text: str) -> bool:
    """Return whether an acknowledgement holds an edition."""
    # An edition's title is a header.
    return any(block["type"] == "header" for block in _payload(text).get("blocks", ()))


def _payload(text: str) -> dict[str, Any]:
    payload: dict[str, Any] = json.loads(text).get("payload") or {}
    return payload
