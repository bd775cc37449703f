"""The fake Slack sends commands, interactions and events to the SDK's clients."""

import asyncio
from typing import Any

from aiohttp import web

from tests.fakes.slack import FakeSlack
from tests.fakes.tests.slack_sdk_client import (
    CONTENT,
    LABEL,
    MODAL,
    ROW,
    SECTION,
    bot_server,
    client,
    error_of,
    installing_bot,
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


async def test_http_requests_are_signed() -> None:
    """Commands, interactions and events are signed; forged and old signatures fail."""
    async with FakeSlack() as slack, bot_server(slack) as statuses:
        message = await public_message(slack)
        assert (await slack.command("latest")).acked
        assert (await slack.click(message, "Next")).acked
        assert (await slack.mention("latest")).acked
        content_type, body = slack.command_delivery("latest").body()
        for headers in (
            slack.signed(body),
            slack.signed(body, secret="another"),  # noqa: S106 - forged on purpose
            slack.signed(body, timestamp="1"),
            slack.signed(body, timestamp="soon"),
            {},
        ):
            headers["Content-Type"] = content_type
            await slack.send_raw("/slack/events", body, headers)
        assert statuses == [200, 200, 200, 200, 401, 401, 401, 401]


async def test_a_late_or_failing_answer_acknowledges_nothing() -> None:
    """Only a 200 in time is an acknowledgement."""

    def fail(*_: Any) -> None:
        raise web.HTTPInternalServerError

    async with FakeSlack() as slack, bot_server(slack, fail):
        ack = await slack.command("latest")
        assert (ack.acked, ack.status) == (False, 500)


async def test_links_are_unfurled() -> None:
    """A link of a registered domain sends an event; only links of that message can be unfurled."""
    async with FakeSlack() as slack, socket(slack):
        text = "see https://arxiv.org/abs/2501.00001 and https://example.com/"
        ack = await slack.post_link(text)
        event = ack.delivery.payload["event"]
        assert [link["domain"] for link in event["links"]] == ["arxiv.org"]
        cards = {"https://arxiv.org/abs/2501.00001": {"blocks": [SECTION, ROW]}}
        await client(slack).chat_unfurl(channel="C1", ts=event["message_ts"], unfurls=cards)
        pressed = await slack.click(slack.seen()[-1], "Next")
        assert pressed.delivery.payload["container"]["is_app_unfurl"]
        unknown = client(slack).chat_unfurl(channel="C1", ts="1.2", unfurls=cards)
        assert await error_of(unknown) == "cannot_find_message"
        composed = (await slack.post_link(text, composing=True)).delivery.payload["event"]
        assert composed["channel"] == "COMPOSER"
        await client(slack).chat_unfurl(
            unfurl_id=composed["unfurl_id"], source="composer", unfurls=cards
        )


# The SDK itself makes oauth.v2.access so.
async def test_an_installation_by_oauth() -> None:
    """The bot gets a code and its state, and exchanges the code for a token once."""
    async with FakeSlack() as slack, installing_bot(slack) as url:
        slack.teams["T1"].installed = False
        page = await slack.install(url)
        assert (page.status, page.text) == (200, "xoxb-1")
        assert (await slack.install(url, code=page.code)).text == "code_already_used"
        assert (await slack.install(url, cookie=False)).status == 400
        assert (await slack.install(url, state="forged")).status == 400
        assert (await slack.install(url, error="access_denied")).text == "access_denied"
        await slack.uninstall("T1")
        assert (await slack.install(url)).text != "xoxb-1"


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
