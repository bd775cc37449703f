"""The bot connected to a fake Slack, with real clients, a real store and either transport."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from adapters.slack.platform import SlackPlatform
from adapters.slack.settings import read_slack_settings
from adapters.web.server import WebServer
from bot.commands.types import Command
from store.database import Database
from tests.adapters.common.services import services_over
from tests.fakes.slack import FakeSlack


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


@asynccontextmanager
async def running(
    database: Database,
    slack: FakeSlack,
    variables: dict[str, str] | None = None,
    more: Sequence[Command] = (),
    *,
    welcomes: bool = False,
) -> AsyncIterator[tuple[SlackPlatform, str]]:
    """Run the bot until the block ends; give it and the address of its web server.

    With `welcomes` it explains itself to whom it is new.
    """
    variables = variables or variables_for(slack)
    parts = services_over(database, more, welcomes=welcomes)
    platform = SlackPlatform(parts, read_slack_settings(variables))
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
        await platform.drain()
        await parts.app.wait()
        await platform.stop()
