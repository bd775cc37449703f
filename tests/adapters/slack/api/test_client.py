"""The API client maps errors and never sends a message twice."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest

from adapters.slack.api.client import Api, open_session
from bot.errors import NotAllowed, OutcomeUnknown, Rejected, RetryLater, SendError
from bot.operations.metrics import Metrics
from tests.fakes.slack import Drop, FakeSlack, RateLimited, Refuse, ServerError, Slow

TOKEN = "xoxb-1"  # noqa: S105 - of the fake
HELLO: dict[str, Any] = {"channel": "C1", "text": "hello"}


@asynccontextmanager
async def connected(metrics: Metrics | None = None) -> AsyncIterator[tuple[FakeSlack, Api]]:
    """Give a Slack and what speaks to it."""
    async with FakeSlack() as slack, open_session() as session:
        yield slack, Api(slack.api_url, session, metrics or Metrics())


async def test_a_call_returns_the_answer() -> None:
    """A method is called as its page names it, with the token of a workspace."""
    async with connected() as (slack, api):
        answer = await api.call(TOKEN, "users.info", user="U1")
        assert answer["user"]["tz"] == "Europe/Berlin"
        assert [call.token for call in slack.calls("users.info")] == [TOKEN]


async def test_a_post_whose_answer_is_lost_is_not_sent_again() -> None:
    """The message may have arrived, so neither client repeats it, and the outcome is unknown."""
    async with connected() as (slack, api):
        for retry in (False, True):
            slack.fail("chat.postMessage", Drop())
            with pytest.raises(OutcomeUnknown):
                await api.call(TOKEN, "chat.postMessage", retry_rate_limit=retry, **HELLO)
        assert [message.text for message in slack.seen()] == ["hello", "hello"]


async def test_a_failure_of_slack_is_not_sent_again() -> None:
    """A page with status 500 leaves open what was done, and nothing is repeated."""
    async with connected() as (slack, api):
        slack.fail("chat.postMessage", ServerError(500))
        with pytest.raises(OutcomeUnknown) as raised:
            await api.call(TOKEN, "chat.postMessage", retry_rate_limit=True, **HELLO)
        assert raised.value.code == "500"
        assert len(slack.calls("chat.postMessage")) == 1


async def test_a_rate_limit_fails_a_call_at_once() -> None:
    """A call for a waiting user fails at once when it is rate limited."""
    async with connected() as (slack, api):
        slack.fail("chat.postMessage", RateLimited(after=30))
        began = time.monotonic()
        with pytest.raises(RetryLater) as raised:
            await api.call(TOKEN, "chat.postMessage", **HELLO)
        assert time.monotonic() - began < 1
        assert raised.value.after == 30
        assert slack.seen() == []


async def test_a_retrying_call_waits_out_a_rate_limit() -> None:
    """A rate-limited call is repeated until Slack accepts it, and takes effect once."""
    async with connected() as (slack, api):
        slack.fail("chat.postMessage", RateLimited(after=0))
        await api.call(TOKEN, "chat.postMessage", retry_rate_limit=True, **HELLO)
        assert [message.text for message in slack.seen()] == ["hello"]


async def test_a_refusal_is_in_our_words() -> None:
    """A refusal has the sentence of the table, and is logged."""
    async with connected() as (slack, api):
        slack.fail("chat.postMessage", Refuse("not_in_channel"))
        with pytest.raises(NotAllowed) as raised:
            await api.call(TOKEN, "chat.postMessage", **HELLO)
    assert raised.value.remedy == "Invite it there: /invite @Broadsheet."


async def test_a_missing_scope_is_the_one_that_slack_names() -> None:
    """The scope that a call needs is read from the answer."""
    async with connected() as (slack, api):
        slack.teams["T1"].scopes.discard("users:read")
        with pytest.raises(NotAllowed, match="lacks the scope users:read"):
            await api.call(TOKEN, "users.info", user="U1")


async def test_a_call_without_token_is_refused() -> None:
    """A call without a token fails as not installed."""
    async with connected() as (_, api):
        with pytest.raises(NotAllowed):
            await api.call(None, "users.info", user="U1")


async def test_an_unreachable_slack_is_for_later() -> None:
    """Where no connection was made nothing was carried out."""
    async with open_session() as session:
        api = Api("http://127.0.0.1:1/api/", session, Metrics())
        with pytest.raises(RetryLater):
            await api.call(TOKEN, "users.info", user="U1")
        with pytest.raises(RetryLater):
            await api.respond("http://127.0.0.1:1/response", {"text": "hello"})


async def test_a_slow_slack_is_given_up() -> None:
    """A call ends with the session's limit, and leaves open what was done."""
    limit = aiohttp.ClientTimeout(total=0.1)
    async with FakeSlack() as slack, aiohttp.ClientSession(timeout=limit) as session:
        api = Api(slack.api_url, session, Metrics())
        slack.fail("chat.postMessage", Slow(0.2))
        with pytest.raises(OutcomeUnknown):
            await api.call(TOKEN, "chat.postMessage", **HELLO)


async def test_a_response_url_takes_five_answers() -> None:
    """A response URL takes five messages; the sixth is refused with a sentence."""
    async with connected() as (slack, api):
        url = slack.command_delivery().payload["response_url"]
        for _ in range(5):
            await api.respond(url, {"text": "answer"})
        with pytest.raises(Rejected):
            await api.respond(url, {"text": "answer"})
        assert [message.text for message in slack.seen()] == ["answer"] * 5
        assert [message.ephemeral_for for message in slack.seen()] == ["U1"] * 5


@pytest.mark.parametrize(
    ("fault", "error", "seen"),
    [
        (Drop(), OutcomeUnknown, 1),
        (ServerError(500), OutcomeUnknown, 0),
        (Refuse("expired_url"), Rejected, 0),
    ],
)
async def test_an_answer_is_not_sent_twice(
    fault: Drop | ServerError | Refuse, error: type[SendError], seen: int
) -> None:
    """A response URL is used once, whatever comes back."""
    async with connected() as (slack, api):
        url = slack.command_delivery().payload["response_url"]
        slack.fail("response_url", fault)
        with pytest.raises(error):
            await api.respond(url, {"text": "answer"})
        assert len(slack.seen()) == seen


async def test_calls_are_counted_by_outcome() -> None:
    """Each call counts once, under its method and the kind of its error."""
    metrics = Metrics()
    async with connected(metrics) as (slack, api):
        await api.call(TOKEN, "users.info", user="U1")
        slack.fail("users.info", RateLimited())
        with pytest.raises(RetryLater):
            await api.call(TOKEN, "users.info", user="U1")
    counted = metrics.text()[0].decode()
    for outcome in ("ok", "retrylater"):
        labels = f'method="users.info",outcome="{outcome}",platform="slack"'
        assert f"broadsheet_api_calls_total{{{labels}}} 1.0" in counted


async def test_no_secret_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """No log of any level holds a token or a response URL, whatever fails."""
    caplog.set_level(logging.DEBUG)
    async with connected() as (slack, api):
        url = slack.command_delivery().payload["response_url"]
        slack.fail("chat.postMessage", Refuse("not_in_channel"))
        with pytest.raises(NotAllowed):
            await api.call(TOKEN, "chat.postMessage", **HELLO)
        slack.fail("response_url", ServerError(500))
        with pytest.raises(OutcomeUnknown):
            await api.respond(url, {"text": "answer"})
        await api.respond(url, {"text": "answer"})
    said = "\n".join(str(vars(record)) for record in caplog.records)
    assert "not_in_channel" in said
    assert TOKEN not in said
    assert url not in said


@pytest.mark.parametrize(("scheme", "kind"), [("https", RetryLater), ("http", OutcomeUnknown)])
async def test_a_request_that_was_not_sent_did_not_arrive(
    scheme: str, kind: type[SendError]
) -> None:
    """Time that runs out while connecting leaves nothing open; once the request left it does."""

    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(-1)
        writer.close()
        await writer.wait_closed()
        heard.set()

    heard = asyncio.Event()
    silent = await asyncio.start_server(hear, "127.0.0.1", 0)
    port = silent.sockets[0].getsockname()[1]
    async with silent, open_session(seconds=0.2) as session:
        api = Api(f"{scheme}://127.0.0.1:{port}/api/", session, Metrics())
        with pytest.raises(SendError) as raised:
            await api.call(TOKEN, "chat.postMessage", channel="C1", text="One")
        await heard.wait()
    assert type(raised.value) is kind
