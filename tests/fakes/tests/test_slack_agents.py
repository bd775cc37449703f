"""The fake Slack of an agent app is as strict as its pages, by the SDK's own client."""

from collections.abc import Awaitable
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError

from tests.fakes.slack import FakeSlack
from tests.fakes.tests.slack_sdk_client import client, nothing, socket


async def _error(call: Awaitable[Any]) -> str | None:
    try:
        await call
    except SlackApiError as error:
        return str(error.response["error"])
    return None


async def test_a_wrong_title_or_place_is_refused() -> None:
    """So is a thread that no message begins."""
    async with FakeSlack() as slack:
        slack.become_agent()
        slack.expect_refusals = True
        root = slack.say("hello", channel="D1")
        known = {"channel_id": "D1", "thread_ts": root.ts, "title": "A"}
        changes: tuple[tuple[dict[str, Any], str], ...] = (
            ({"title": ""}, "invalid_arguments"),
            ({"title": "x" * 201}, "invalid_arguments"),
            ({"title": "two\nlines"}, "invalid_arguments"),
            ({"channel_id": "G1"}, "channel_not_found"),
            ({"thread_ts": None}, "thread_ts_required"),
            ({"thread_ts": "1.000001"}, "session_not_found"),
        )
        for change, error in changes:
            renamed = client(slack).agents_sessions_rename(**{**known, **change})
            assert await _error(renamed) == error, change
        assert slack.sessions == {}


async def test_a_reply_begins_no_thread() -> None:
    """A session belongs to the first message of a thread."""
    async with FakeSlack() as slack:
        slack.become_agent()
        slack.expect_refusals = True
        root = slack.say("hello", channel="D1")
        below = slack.say("and?", channel="D1", thread_ts=root.ts)
        call = client(slack).agents_sessions_setStatus(
            channel_id="D1", thread_ts=below.ts, status="active", title="A"
        )
        assert await _error(call) == "session_not_found"


async def test_a_status_is_one_of_four() -> None:
    """Free words, as the older methods took them, are refused."""
    async with FakeSlack() as slack:
        slack.become_agent()
        slack.expect_refusals = True
        root = slack.say("hello", channel="D1")
        call = client(slack).agents_sessions_setStatus(
            channel_id="D1", thread_ts=root.ts, status="is thinking"
        )
        assert await _error(call) == "invalid_arguments"


async def test_guests_reach_no_agent() -> None:
    """Slack shuts them out, so a test can't speak for one there."""
    received: list[dict[str, Any]] = []
    async with FakeSlack() as slack, socket(slack, nothing, received):
        slack.add_user(slack.teams["T1"], "U1", guest=True)
        assert (await slack.direct_message("latest")).acked
        slack.become_agent()
        with pytest.raises(AssertionError, match="shuts guests out"):
            await slack.direct_message("latest")
