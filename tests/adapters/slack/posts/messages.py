"""A fake Slack, a client that posts to it, and messages to post."""

import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import aiohttp

from adapters.common.tasks import Tasks
from adapters.slack.api.client import Api, open_session
from adapters.slack.api.rate_limits import RateLimitedApi
from adapters.slack.api.thread_titles import ThreadTitles
from adapters.slack.api.tokens import FixedToken
from adapters.slack.posts import FindAuthorization, SlackChannelClient
from bot.coordination.rate_limiter import RateLimiter
from bot.operations.metrics import Metrics
from bot.posting.ports import Message
from bot.replies.blocks import Reply, Text, Title, Visibility
from store.database import Database
from store.database.statements import table_of
from store.records import Channel, Workspace
from store.tables.coordination import RateLimitRow
from tests.fakes.slack import FakeSlack

WORKSPACE = Workspace("slack", "T1")
KEY = "s1-e1-1"
_BEGINNING = datetime(2026, 1, 12, 9, tzinfo=UTC)


def reply(words: str = "One") -> Reply:
    """Return the reply of a post."""
    return Reply((Title("The week"), Text(words)), Visibility.CHANNEL)


MESSAGE = Message(Channel(WORKSPACE, "C1"), KEY, reply())


class TimeOf:
    """The time of a fake Slack, in which whoever waits has waited at once.

    Args:
        slack: whose.
    """

    def __init__(self, slack: FakeSlack) -> None:
        self._slack = slack

    def now(self) -> datetime:
        """Return it as an instant."""
        return _BEGINNING + timedelta(seconds=self._slack.now)

    def seconds(self) -> float:
        """Return it in seconds."""
        return self._slack.now

    async def sleep(self, seconds: float) -> None:
        """Let it pass."""
        self._slack.pass_time(seconds)


@contextmanager
def limiter_of(slack: FakeSlack) -> Iterator[RateLimiter]:
    """Yield a rate limiter in a Slack's time, over a store of its own."""
    time = TimeOf(slack)
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{Path(folder) / 'store.db'}")
        table_of(RateLimitRow).create(database.engine)
        yield RateLimiter(database, time, seconds=time.seconds, sleep=time.sleep)
        database.close()


@asynccontextmanager
async def posting(
    *, identified: bool = True, seconds: float | None = None, is_agent: bool = False
) -> AsyncIterator[tuple[FakeSlack, SlackChannelClient]]:
    """Give a Slack and what posts there, which knows who it is; calls may end after a while."""
    async with FakeSlack() as slack, _session(seconds) as session:
        if is_agent:
            slack.become_agent()
        with limiter_of(slack) as limiter:
            api, own = Api(slack.api_url, session, Metrics()), FixedToken("xoxb-1")
            if identified:
                own.identify(*await api.auth_test("xoxb-1"))
            yield slack, channel_client(api, limiter, lambda team: own.find(None, team))


def channel_client(
    api: Api, limiter: RateLimiter, find: FindAuthorization, speed: float = 1.0
) -> SlackChannelClient:
    """Return a client that posts within the slots of a limiter."""
    limited = RateLimitedApi(api, limiter, speed)
    return SlackChannelClient(limited, ThreadTitles(limited, Tasks()), find)


def _session(seconds: float | None) -> aiohttp.ClientSession:
    if seconds is None:
        return open_session()
    return aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=seconds))


def now() -> datetime:
    """Return when something is first sent."""
    return datetime.now(UTC)
