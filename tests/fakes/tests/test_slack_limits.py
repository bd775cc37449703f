"""The fake Slack enforces the published limits if they are set."""

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from tests.fakes.slack import FakeSlack, Limits


def client(slack: FakeSlack, team: str = "T1") -> AsyncWebClient:
    """Return a client without retries."""
    token = slack.teams[team].bot_token
    return AsyncWebClient(token, base_url=slack.api_url, retry_handlers=[])


async def refused(slack: FakeSlack, team: str = "T1", channel: str = "C1") -> str | None:
    """Post a message; return the Retry-After of a 429."""
    try:
        await client(slack, team).chat_postMessage(channel=channel, text="One")
    except SlackApiError as error:
        return str(error.response.headers["Retry-After"])
    return None


async def test_a_channel_accepts_short_bursts() -> None:
    """A channel accepts five messages in five seconds; refused ones don't count."""
    async with FakeSlack() as slack:
        slack.limits = Limits()
        assert [await refused(slack) for _ in range(6)] == [None] * 5 + ["5"]
        slack.pass_time(5)
        assert await refused(slack) is None
        assert len(slack.seen()) == 6
        assert slack.limits.refused == ["chat.postMessage"]


async def test_a_workspace_accepts_a_number_of_messages_a_minute() -> None:
    """The channels of a workspace share a limit; another workspace has its own."""
    async with FakeSlack() as slack:
        slack.limits = Limits(tiers={"chat.postMessage": 4})
        slack.add_team("T2")
        assert [await refused(slack, channel=each) for each in ("C1", "D1", "C1", "D1")] == [
            None
        ] * 4
        assert await refused(slack, channel="D2") == "60"
        assert await refused(slack, "T2") is None


async def test_tiers_are_counted_method_by_method() -> None:
    """Each method of a tier has its own count."""
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
    """The limits can be faster, or have a shorter window."""
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
