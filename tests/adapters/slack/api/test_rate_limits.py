"""Calls stay within Slack's published rate limits, in the fake's time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace

import pytest

from adapters.slack.api.client import Api, open_session
from adapters.slack.api.rate_limits import PublishedLimits, RateLimitedApi
from adapters.slack.api.tokens import Authorization
from adapters.slack.posts import SlackChannelClient
from bot.clock import SystemClock
from bot.coordination.rate_limiter import RateLimiter
from bot.errors import RetryLater
from bot.operations.metrics import Metrics
from bot.posting.ports import Message
from store.database import Database
from store.database.statements import table_of
from store.records import Channel, Workspace
from store.tables.coordination import RateLimitRow
from tests.adapters.slack.posts.messages import (
    MESSAGE,
    channel_client,
    limiter_of,
    now,
    posting,
    reply,
)
from tests.fakes.slack import FakeSlack, Limits, RateLimited, Refuse

TEAMS = ("T1", "T2")
# Each minute's limit is held within every five seconds of it.
STRICT = 5.0


@dataclass
class Bot:
    """Channel clients for some workspaces, in processes that share a store."""

    slack: FakeSlack
    posters: list[SlackChannelClient]
    limiters: list[RateLimiter]

    async def post(self, number: int, message: Message) -> None:
        """Post by one of the processes, as the outbox does: in its turn."""
        poster = self.posters[number]
        await self.limiters[number].acquire(poster.rate_limits(message.channel))
        await poster.send(message)


async def authorized(team: str) -> Authorization:
    """Return the authorization of a fake's workspace."""
    number = team.removeprefix("T")
    url = f"https://{team.lower()}.example.com/"
    return Authorization(f"xoxb-{number}", f"B{number}", f"UBOT{number}", team, None, url)


@asynccontextmanager
async def bots(slack: FakeSlack, *limiters: RateLimiter, speed: float = 1.0) -> AsyncIterator[Bot]:
    """Yield a process for each limiter, with connections of its own."""
    async with AsyncExitStack() as stack:
        sessions = [await stack.enter_async_context(open_session(8)) for _ in limiters]
        apis = [Api(slack.api_url, session, Metrics()) for session in sessions]
        posters = [
            channel_client(api, each, authorized, speed)
            for api, each in zip(apis, limiters, strict=True)
        ]
        yield Bot(slack, posters, list(limiters))


def posts(slack: FakeSlack, teams: tuple[str, ...], channels: int, each: int) -> list[Message]:
    """Return posts to channels of workspaces, which are made."""
    found = []
    for team in teams:
        known = slack.teams.get(team) or slack.add_team(team)
        for number in range(channels):
            channel = slack.add_channel(known, f"C{100 + number}", members={known.bot_user})
            where = Channel(Workspace("slack", team), channel.id)
            found += [Message(where, f"{team}-{number}-{i}", reply()) for i in range(each)]
    return found


def test_no_minute_has_more_than_a_tier_allows() -> None:
    """A burst and what follows evenly are together less than the limit, and most of it."""
    for method, a_minute in {
        "chat.postMessage": 300,
        "chat.update": 50,
        "conversations.history": 50,
        "conversations.open": 50,
        "conversations.replies": 50,
    }.items():
        limit = PublishedLimits().of_method(method, "T1")
        at_most = limit.burst + int(60 / limit.every)
        assert 0.95 * a_minute <= at_most <= a_minute


def test_a_limit_is_of_a_method_in_a_workspace_and_of_a_channel() -> None:
    """A post counts in its channel and its workspace, and nowhere else."""
    limits = PublishedLimits()
    ours = {limit.key for limit in limits.of_message("T1", "C1")}
    assert ours == {"slack:T1:C1", "slack:T1:chat.postMessage"}
    assert len(ours & {limit.key for limit in limits.of_message("T1", "C2")}) == 1
    assert not ours & {limit.key for limit in limits.of_message("T2", "C1")}
    assert limits.of_method("chat.update", "T1").key not in ours


def test_trials_may_run_faster() -> None:
    """All limits are as many times as high."""
    for usual, fast in zip(
        PublishedLimits().of_message("T1", "C1"),
        PublishedLimits(10).of_message("T1", "C1"),
        strict=True,
    ):
        assert fast.every == pytest.approx(usual.every / 10)


async def test_posts_in_their_slots_are_never_refused() -> None:
    """Sixty posts to thirty channels of two workspaces meet no limit, and meet them without."""
    async with FakeSlack() as slack:
        wanted = posts(slack, TEAMS, channels=15, each=2)
        # First one to each channel: that is where the limits of workspaces are met.
        wanted = [*wanted[::2], *wanted[1::2]]
        slack.limits = Limits(window=STRICT)
        with limiter_of(slack) as limiter:
            async with bots(slack, limiter) as bot:
                for message in wanted:
                    await bot.post(0, message)
                assert slack.limits.refused == []
                assert len(slack.calls("chat.postMessage")) == 60
                # A call for each post, and none beside them.
                assert len(slack.calls()) == 60
                slack.pass_time(60)
                with pytest.raises(RetryLater):
                    await asyncio.gather(*map(bot.posters[0].send, wanted))


async def test_a_channel_gets_no_more_than_a_message_a_second() -> None:
    """The replies of a thread leave as fast as their channel may take them."""
    async with FakeSlack() as slack:
        wanted = posts(slack, ("T1",), channels=1, each=20)
        slack.limits = Limits()
        with limiter_of(slack) as limiter:
            async with bots(slack, limiter) as bot:
                for message in wanted:
                    await bot.post(0, message)
        assert slack.limits.refused == []


async def test_processes_keep_a_limit_together(database: Database) -> None:
    """Two that know of each other by the store alone are not refused, as they would be."""
    fast = 20.0
    async with FakeSlack() as slack:
        wanted = posts(slack, TEAMS, channels=15, each=1)
        # Time passes for real here, so that there has to be room for what is a little late.
        slack.limits = Limits(speed=1.6 * fast, window=STRICT)
        limiters = [RateLimiter(database, SystemClock()) for _ in range(2)]
        async with bots(slack, *limiters, speed=fast) as bot:
            await asyncio.gather(*(bot.post(i, each) for each in wanted for i in range(2)))
        assert slack.limits.refused == []
        assert len(slack.calls("chat.postMessage")) == 60


async def test_a_refusal_slows_down_its_limits_and_no_others() -> None:
    """Nothing leaves for as long as Slack asked, and less than before for a while after that."""
    async with FakeSlack() as slack:
        ours, elsewhere = posts(slack, TEAMS, channels=1, each=1)
        with limiter_of(slack) as limiter:
            async with bots(slack, limiter) as bot:
                slack.fail("chat.postMessage", RateLimited(after=30))
                with pytest.raises(RetryLater) as raised:
                    await bot.post(0, ours)
                assert raised.value.after == 30
                with pytest.raises(RetryLater) as held:
                    await bot.post(0, ours)
                assert held.value.code != raised.value.code
                assert len(slack.calls("chat.postMessage")) == 1
                await bot.post(0, elsewhere)
                slack.pass_time(30)
                begun = slack.now
                for number in range(10):
                    await bot.post(0, replace(ours, key=f"k{number}"))
                usual = PublishedLimits().of_message("T1", "C1")[0].every
                assert slack.now - begun >= 9 * 1.5 * usual
                assert [each.error for each in slack.calls("chat.postMessage")][1:] == [None] * 11


async def test_only_a_rate_limit_slows_down(caplog: pytest.LogCaptureFixture) -> None:
    """Other refusals say nothing of how fast to be."""
    async with FakeSlack() as slack:
        [ours] = posts(slack, ("T1",), channels=1, each=1)
        with limiter_of(slack) as limiter:
            async with bots(slack, limiter) as bot:
                slack.fail("chat.postMessage", Refuse("service_unavailable"))
                with pytest.raises(RetryLater):
                    await bot.post(0, ours)
                await bot.post(0, ours)
                assert len(slack.calls("chat.postMessage")) == 2
                assert "slack_rate_limited" not in caplog.text
                slack.fail("chat.postMessage", RateLimited())
                with pytest.raises(RetryLater):
                    await bot.post(0, ours)
                assert "slack_rate_limited" in caplog.text


async def test_reads_and_edits_stay_within_their_limits() -> None:
    """Pages that are looked through, edits and notices are refused nowhere, however many."""
    async with posting() as (slack, poster):
        slack.limits = Limits()
        since = now()
        for number in range(20):
            slack.say(f"before {number}")
        posted = await poster.send(MESSAGE)
        slack.most_listed = 1
        for _ in range(3):
            assert await poster.find(MESSAGE, since) == posted
        for _ in range(60):
            await poster.edit(posted, MESSAGE)
        slack.most_listed = 999
        for number in range(60):
            await poster.notify_user(MESSAGE.channel.workspace, "U1", reply(), f"k{number}", since)
        assert slack.limits.refused == []
        assert len(slack.calls("chat.update")) == 60
        assert len(slack.calls("conversations.open")) == 60
        assert len(slack.calls("conversations.history")) > 60


async def test_a_slot_that_is_too_far_away_fails() -> None:
    """A call with a distant slot fails at once, without a request to Slack."""
    async with posting() as (slack, poster):
        posted = await poster.send(MESSAGE)
        slack.fail("chat.update", RateLimited(after=60))
        for _ in range(2):
            with pytest.raises(RetryLater) as raised:
                await poster.edit(posted, MESSAGE)
            assert raised.value.after is not None
        assert len(slack.calls("chat.update")) == 1
        slack.pass_time(60)
        await poster.edit(posted, MESSAGE)


async def test_an_answer_is_hardly_held_back_and_counts() -> None:
    """An answer waits for no post, and posts wait for answers."""
    async with FakeSlack() as slack, open_session() as session:
        with limiter_of(slack) as limiter:
            limited = RateLimitedApi(Api(slack.api_url, session, Metrics()), limiter)
            of_workspace = [PublishedLimits().of_method("chat.postMessage", "T1")]
            begun = slack.now
            for number in range(20):
                await limited.answer("xoxb-1", "T1", {"channel": f"D{1 + number % 2}", "text": "A"})
            await limiter.acquire(of_workspace)
            assert slack.now - begun >= 20 * of_workspace[0].every
            # Nothing may leave for a minute, but for what somebody waits for.
            await limiter.slow_down(of_workspace, 60)
            await limited.answer("xoxb-1", "T1", {"channel": "D1", "text": "B"})
        assert [each.text for each in slack.seen("U1", "D1")] == [*["A"] * 10, "B"]


async def test_an_answer_that_meets_a_limit_is_sent_again() -> None:
    """The answer is sent again later, and its rate limit is slowed down."""
    async with FakeSlack() as slack, open_session() as session:
        with limiter_of(slack) as limiter:
            limited = RateLimitedApi(Api(slack.api_url, session, Metrics()), limiter)
            slack.fail("chat.postMessage", RateLimited(after=0))
            await limited.answer("xoxb-1", "T1", {"channel": "D1", "text": "Yes."})
            [_, of_workspace] = limited.limits.of_message("T1", "C1")
            begun = slack.now
            for _ in range(5):
                await limiter.acquire([of_workspace])
            assert slack.now - begun >= 4 * 1.5 * of_workspace.every
        assert [each.text for each in slack.seen("U1", "D1")] == ["Yes."]
        assert len(slack.calls("chat.postMessage")) == 2


async def test_a_store_that_fails_after_a_refusal_hides_nothing(database: Database) -> None:
    """The sender gets Slack's `Retry-After`, also where the store fails."""
    async with FakeSlack() as slack:
        [ours] = posts(slack, ("T1",), channels=1, each=1)
        async with bots(slack, RateLimiter(database, SystemClock())) as bot:
            await database.run(table_of(RateLimitRow).drop)
            slack.fail("chat.postMessage", RateLimited(after=30))
            with pytest.raises(RetryLater) as raised:
                await bot.posters[0].send(ours)
            assert raised.value.after == 30
