"""The fake Slack sends commands, interactions and events to the SDK's clients."""

import asyncio
from typing import Any

from aiohttp import web

from tests.fakes.slack import FakeSlack
from tests.fakes.tests.slack_sdk_client import (
    CONTENT,
    LABEL,
    MODAL,
    bot_server,
    client,
    public_message,
    serving,
    socket,
)


async def test_no_answer_is_no_acknowledgement() -> None:
    """Without a connection a command is not acknowledged."""
    async with FakeSlack() as slack:
        ack = await slack.command("latest")
        assert not ack.acked


async def test_an_acknowledgement_of_an_event_has_no_payload() -> None:
    """A payload in the acknowledgement of an event or a button is refused."""
    async with FakeSlack() as slack, socket(slack, lambda *_: CONTENT):
        slack.expect_refusals = True
        await slack.click(await public_message(slack), "Next")
        await slack.mention("latest")
        assert [refusal.error for refusal in slack.refused] == ["unexpected_payload"] * 2


async def test_a_late_or_failing_answer_acknowledges_nothing() -> None:
    """Only a 200 in time is an acknowledgement."""

    def fail(*_: Any) -> None:
        raise web.HTTPInternalServerError

    async with FakeSlack() as slack, bot_server(slack, fail):
        ack = await slack.command("latest")
        assert (ack.acked, ack.status) == (False, 500)


async def test_a_timeout_is_no_acknowledgement() -> None:
    """A timeout is no acknowledgement, over a socket or by HTTP."""

    async def sleep(_: web.Request) -> web.Response:
        await asyncio.sleep(0.2)
        return web.Response()

    async with FakeSlack() as slack, socket(slack) as connection:
        slack.patience = 0.05
        connection.socket_mode_request_listeners.clear()
        assert not (await slack.command("latest")).acked
        async with serving(web.post("/slack/events", sleep)) as url:
            slack.deliver_to(url)
            assert not (await slack.command("latest")).acked


async def test_an_external_select_requests_options() -> None:
    """The acknowledgement has the options; one without a list is refused."""
    select = {"type": "external_select", "action_id": "paper", "min_query_length": 1}
    form = MODAL | {
        "blocks": [{"type": "input", "block_id": "p", "label": LABEL, "element": select}]
    }
    options = [{"text": {"type": "plain_text", "text": "MoE"}, "value": "moe"}]
    answers: list[dict[str, Any] | None] = [None, {"options": options}, None]
    async with FakeSlack() as slack, socket(slack, lambda *_: answers.pop(0)):
        slack.expect_refusals = True
        trigger = (await slack.shortcut("search")).delivery.payload["trigger_id"]
        await client(slack).views_open(trigger_id=trigger, view=form)
        ack = await slack.suggest(slack.modals()[0], "paper", "mo")
        assert ack.payload == {"options": options}
        assert slack.refused == []
        await slack.suggest(slack.modals()[0], "paper", "mo")
        assert [refusal.error for refusal in slack.refused] == ["invalid_options"]
