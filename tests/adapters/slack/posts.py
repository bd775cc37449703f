"""A Slack to post to, and posts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import aiohttp

from adapters.slack.api import Api, open_session
from adapters.slack.installations import OneWorkspace
from adapters.slack.posting import SlackPoster
from bot.metrics import Metrics
from bot.ports import Message
from bot.replies import Reply, Text, Title, Visibility
from store.records import Channel, Workspace
from tests.fakes.slack import FakeSlack

WORKSPACE = Workspace("slack", "T1")
KEY = "s1-e1-1"


def reply(words: str = "One") -> Reply:
    """Return what a post says."""
    return Reply((Title("The week"), Text(words)), Visibility.CHANNEL)


MESSAGE = Message(Channel(WORKSPACE, "C1"), KEY, reply())


@asynccontextmanager
async def posting(
    *, identified: bool = True, seconds: float | None = None
) -> AsyncIterator[tuple[FakeSlack, SlackPoster]]:
    """Give a Slack and what posts there, which knows who it is; calls may end after a while."""
    async with FakeSlack() as slack, _session(seconds) as session:
        api, own = Api(slack.api_url, session, Metrics()), OneWorkspace("xoxb-1")
        if identified:
            own.identified((await api.identify("xoxb-1"))[0])
        yield slack, SlackPoster(api, lambda team: own.find(None, team))


def _session(seconds: float | None) -> aiohttp.ClientSession:
    if seconds is None:
        return open_session()
    return aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=seconds))


def now() -> datetime:
    """Return when something is first sent."""
    return datetime.now(UTC)
