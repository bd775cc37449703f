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


async def test_a_session_is_made_by_a_status_and_renamed_by_its_name() -> None:
    """Before it has one a thread has no name to change; a title with a status counts once."""
    async with FakeSlack() as slack:
        slack.become_agent()
        root, api = slack.say("hello", channel="D1"), client(slack)
        where = {"channel_id": "D1", "thread_ts": root.ts}
        assert await _error(api.agents_sessions_rename(title="A", **where)) == "session_not_found"
        made = await api.agents_sessions_setStatus(status="active", title="A", **where)
        again = await api.agents_sessions_setStatus(status="processing", title="B", **where)
        assert (made["title"], again["title"], slack.title_of(root)) == ("A", "A", "A")
        await api.agents_sessions_rename(title="C", **where)
        assert slack.title_of(root) == "C"


async def test_only_an_agent_has_sessions_and_its_scope() -> None:
    """Another app is refused; an agent's token has the scope that Slack adds."""
    async with FakeSlack() as slack:
        root, api = slack.say("hello", channel="D1"), client(slack)
        where = {"channel_id": "D1", "thread_ts": root.ts}
        assert await _error(api.agents_sessions_rename(title="A", **where)) == "not_authorized"
        before = (await api.auth_test()).headers["x-oauth-scopes"]
        slack.become_agent()
        after = (await api.auth_test()).headers["x-oauth-scopes"]
        assert set(after.split(",")) - set(before.split(",")) == {"assistant:write"}


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"title": ""}, "invalid_arguments"),
        ({"title": "x" * 201}, "invalid_arguments"),
        ({"title": "two\nlines"}, "invalid_arguments"),
        ({"channel_id": "G1"}, "channel_not_found"),
        ({"thread_ts": None}, "thread_ts_required"),
        ({"thread_ts": "1.000001"}, "session_not_found"),
    ],
)
async def test_a_wrong_title_or_place_is_refused(change: dict[str, Any], error: str) -> None:
    """So is a thread that no message begins."""
    async with FakeSlack() as slack:
        slack.become_agent()
        slack.expect_refusals = True
        root = slack.say("hello", channel="D1")
        wrong = {"channel_id": "D1", "thread_ts": root.ts, "title": "A"} | change
        assert await _error(client(slack).agents_sessions_rename(**wrong)) == error
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


async def test_a_direct_message_may_name_the_thread_that_it_begins() -> None:
    """Some tell of such events, others of none, and replies name their first message."""
    received: list[dict[str, Any]] = []
    async with FakeSlack() as slack, socket(slack, nothing, received):
        slack.become_agent()
        root = (await slack.direct_message("latest")).sent
        named = (await slack.direct_message("latest", names_itself=True)).sent
        assert root
        assert named
        await slack.direct_message("more", thread_ts=root.ts)
        threads = [each["event"].get("thread_ts") for each in received]
        assert threads == [None, named.ts, root.ts]
