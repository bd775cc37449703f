"""The fake keeps Slack's published limits, each where it holds."""

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from tests.fakes.slack import FakeSlack, Limits


def client(slack: FakeSlack, team: str = "T1") -> AsyncWebClient:
    """Return a client that repeats nothing."""
    token = slack.teams[team].bot_token
    return AsyncWebClient(token, base_url=slack.api_url, retry_handlers=[])


async def refused(slack: FakeSlack, team: str = "T1", channel: str = "C1") -> str | None:
    """Post; return after how long to come again where that is refused."""
    try:
        await client(slack, team).chat_postMessage(channel=channel, text="One")
    except SlackApiError as error:
        return str(error.response.headers["Retry-After"])
    return None


async def test_a_channel_takes_short_bursts() -> None:
    """Five at once are as many as come in five seconds; a refused one counts for nothing."""
    async with FakeSlack() as slack:
        slack.limits = Limits()
        assert [await refused(slack) for _ in range(6)] == [None] * 5 + ["5"]
        slack.pass_time(5)
        assert await refused(slack) is None
        assert len(slack.seen()) == 6
        assert slack.limits.refused == ["chat.postMessage"]


async def test_a_workspace_takes_so_many_messages_a_minute() -> None:
    """Its channels share a limit, and another workspace has its own."""
    async with FakeSlack() as slack:
        slack.limits = Limits(tiers={"chat.postMessage": 4})
        slack.add_team("T2")
        assert [await refused(slack, channel=each) for each in ("C1", "D1", "C1", "D1")] == [
            None
        ] * 4
        assert await refused(slack, channel="D2") == "60"
        assert await refused(slack, "T2") is None


async def test_tiers_are_counted_method_by_method() -> None:
    """Fifty pages of a history a minute, and replies besides."""
    async with FakeSlack() as slack:
        slack.limits = Limits()
        own = client(slack)
        for _ in range(50):
            await own.conversations_history(channel="C1")
        with pytest.raises(SlackApiError):
            await own.conversations_history(channel="C1")
        root = (await own.chat_postMessage(channel="C1", text="One"))["ts"]
        await own.conversations_replies(channel="C1", ts=root)
        assert slack.limits.refused == ["conversations.history"]


async def test_limits_may_be_scaled() -> None:
    """All as many times as fast, or held within a part of a minute."""
    async with FakeSlack() as slack:
        slack.limits = Limits(speed=10, window=30, tiers={"chat.update": 4})
        own = client(slack)
        ts = (await own.chat_postMessage(channel="C1", text="One"))["ts"]
        for expected in (0, 1):
            for _ in range(2):
                await own.chat_update(channel="C1", ts=ts, text="Two")
            with pytest.raises(SlackApiError):
                await own.chat_update(channel="C1", ts=ts, text="Two")
            assert len(slack.limits.refused) == expected + 1
            slack.pass_time(3)


async def test_without_limits_nothing_is_counted() -> None:
    """A fake refuses nothing by itself."""
    async with FakeSlack() as slack:
        assert [await refused(slack) for _ in range(20)] == [None] * 20
