"""The bot connected to a fake Slack: real clients, a real store, either transport."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from random import Random

from adapters.registry import Parts
from adapters.slack.adapter import SlackPlatform
from adapters.slack.settings import read_slack_settings
from adapters.web.server import WebServer
from bot.app import Broadsheet
from bot.command import Command
from bot.commands import COMMANDS
from bot.content import Content
from bot.metrics import Metrics
from bot.settings import Settings
from bot.workspaces import Workspaces
from store.database import Database
from tests.bot.conftest import FixedClock
from tests.fakes.slack import FakeSlack

NOW = datetime(2026, 1, 12, 9, tzinfo=UTC)


def variables_for(slack: FakeSlack, transport: str = "socket", **more: str) -> dict[str, str]:
    """Return the settings that connect one workspace to a fake Slack."""
    way_in = {
        "socket": {"SLACK_APP_TOKEN": slack.app_token},
        "http": {"SLACK_SIGNING_SECRET": slack.signing_secret},
    }[transport]
    return {
        "SLACK_BOT_TOKEN": slack.teams["T1"].bot_token,
        "BROADSHEET_SLACK_API_URL": slack.api_url,
        **way_in,
        **more,
    }


def many_variables(slack: FakeSlack, transport: str = "http", **more: str) -> dict[str, str]:
    """Return the settings for many workspaces."""
    variables = variables_for(slack, transport, **more)
    del variables["SLACK_BOT_TOKEN"]
    return {
        **variables,
        "SLACK_CLIENT_ID": slack.client_id,
        "SLACK_CLIENT_SECRET": slack.client_secret,
        "BROADSHEET_SECRET_KEY": "a key for tests and for nothing else",
        **more,
    }


def parts_over(database: Database, more: Sequence[Command] = ()) -> Parts:
    """Return what a platform is made over; its bot has these commands beside its own."""
    metrics, workspaces, clock = Metrics(), Workspaces(database), FixedClock(NOW)
    app = Broadsheet(
        Content(database),
        workspaces,
        clock,
        (*COMMANDS, *more),
        "UTC",
        dice=Random(1),  # noqa: S311 - picks a paper
        observer=metrics.observe,
    )
    return Parts(app, database, workspaces, clock, Settings(), metrics)


@asynccontextmanager
async def running(
    database: Database,
    slack: FakeSlack,
    variables: dict[str, str] | None = None,
    more: Sequence[Command] = (),
) -> AsyncIterator[tuple[SlackPlatform, str]]:
    """Run the bot until the block ends; give it and the address of its web server."""
    variables = variables or variables_for(slack)
    platform = SlackPlatform(parts_over(database, more), read_slack_settings(variables))
    web = WebServer("127.0.0.1", 0, platform.routes)
    await web.start()
    try:
        await platform.start()
        if "SLACK_APP_TOKEN" in variables:
            await slack.settled(lambda: slack.sockets.open)
        else:
            slack.deliver_to(web.url)
        yield platform, web.url
    finally:
        await web.stop()
        await platform.stop()
