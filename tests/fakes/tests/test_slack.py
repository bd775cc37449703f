"""The fake Slack sends commands, interactions and events to the SDK's clients."""

import asyncio
from typing import Any

from aiohttp import web

from tests.fakes.slack import FakeSlack
from tests.fakes.tests.slack_sdk_client import (
    CONTENT,
    HOME,
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


async def test_an_acknowledgement_with_a_body_is_an_ephemeral_message() -> None:
    """Only the user of the command sees the message of its acknowledgement."""
    async with FakeSlack() as slack, socket(slack, lambda *_: CONTENT):
        ack = await slack.command("search moe")
        assert ack.acked
        assert ack.seconds < 1
        assert [message.text for message in slack.seen("U1")] == ["Papers"]
        assert slack.seen("U1") == [ack.message]
        assert slack.seen("U2") == []


async def test_the_payload_of_a_command() -> None:
    """A command names its workspace, channel and person, a response_url and a trigger."""
    received: list[dict[str, Any]] = []
    async with FakeSlack() as slack, socket(slack, received=received):
        slack.add_team("T2", enterprise="E1")
        await slack.command("search moe", user="U2", channel="C2", team="T2")
    names = ("command", "text", "user_id", "channel_id", "team_id", "enterprise_id")
    assert [received[0][name] for name in names] == [
        "/papers",
        "search moe",
        "U2",
        "C2",
        "T2",
        "E1",
    ]
    assert received[0]["response_url"].startswith("http://127.0.0.1:")


async def test_no_answer_is_no_acknowledgement() -> None:
    """Without a connection a command is not acknowledged."""
    async with FakeSlack() as slack:
        ack = await slack.command("latest")
        assert not ack.acked


async def test_a_delivery_can_be_repeated() -> None:
    """A repeated delivery has the same payload, on demand over another socket."""
    received: list[dict[str, Any]] = []
    async with (
        FakeSlack() as slack,
        socket(slack, received=received),
        socket(slack, received=received),
    ):
        ack = await slack.command("latest")
        late = await slack.repeat(ack, late=True)
        assert late.socket is not ack.socket
        assert received[0] == received[1]


async def test_an_acknowledgement_of_an_event_has_no_payload() -> None:
    """A payload in the acknowledgement of an event or a button is refused."""
    async with FakeSlack() as slack, socket(slack, lambda *_: CONTENT):
        slack.expect_refusals = True
        await slack.click(await public_message(slack), "Next")
        await slack.mention("latest")
        assert [refusal.error for refusal in slack.refused] == ["unexpected_payload"] * 2


async def test_sockets_reconnect() -> None:
    """The client reconnects after a warning, a close and an abort, unless it is refused."""
    async with FakeSlack() as slack, socket(slack):
        for _ in range(2):
            before = set(slack.sockets.open)
            await slack.disconnect(warning=True)
            await slack.settled(lambda before=before: set(slack.sockets.open) - before)  # type: ignore[misc] # bound now
            assert (await slack.command("latest")).acked
        await slack.cut()
        await slack.connected()
        slack.refuse_sockets = True
        await slack.cut()
        assert not (await slack.command("latest")).acked
        slack.refuse_sockets = False
        await slack.connected()
        assert (await slack.command("latest")).acked


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


async def test_a_button_has_its_message_or_view() -> None:
    """The payload of a button has its public message or its view."""
    received: list[dict[str, Any]] = []
    async with FakeSlack() as slack, socket(slack, received=received):
        await slack.click(await public_message(slack), "Next", user="U2")
        await client(slack).views_publish(user_id="U1", view=HOME)
        home = slack.home()
        assert home
        await slack.click(home, "run-1")
        assert received[0]["message"]["text"] == "Papers"
        assert received[0]["actions"][0]["value"] == "1 latest"
        assert received[1]["view"]["id"] == home.id
        assert "response_url" not in received[1]


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


async def test_the_bot_receives_its_own_direct_message() -> None:
    """A direct message of the bot sends an event with its bot_id."""
    received: list[dict[str, Any]] = []
    async with FakeSlack() as slack, socket(slack, received=received):
        await slack.direct_message("latest")
        await client(slack).chat_postMessage(channel="D1", text="Papers")
        await slack.settled(lambda: len(received) > 1)
        assert [payload["event"].get("bot_id") for payload in received] == [None, "B1"]


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


async def test_an_organisation_shares_one_installation() -> None:
    """Workspaces of an organisation share the token, and payloads have is_enterprise_install."""
    received: list[dict[str, Any]] = []
    async with FakeSlack() as slack, socket(slack, received=received):
        for team in ("T2", "T3"):
            slack.add_team(team, bot_token="xoxb-org", enterprise="E1", org_wide=True)  # noqa: S106 - the fake's
        await slack.mention("latest", team="T3")
        await client(slack, "xoxb-org").chat_postMessage(channel="C1", text="a", team_id="T3")
        assert (await client(slack, "xoxb-org").auth_test())["team_id"] == "E1"
        assert len(slack.seen(team="T3")) == 2
        assert received[0]["authorizations"][0]["is_enterprise_install"]
        assert received[0]["authorizations"][0]["team_id"] is None


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


async def test_a_message_shortcut_has_the_message() -> None:
    """The payload of a message shortcut has the message and a trigger."""
    async with FakeSlack() as slack, socket(slack):
        ack = await slack.message_shortcut("lookup", slack.say("arXiv 2501.00001"), user="U2")
        payload = ack.delivery.payload
        assert (payload["type"], payload["callback_id"]) == ("message_action", "lookup")
        assert payload["message"]["text"] == "arXiv 2501.00001"


async def test_a_retried_event_keeps_its_id() -> None:
    """A retry has its headers or fields and the same event_id."""
    received: list[dict[str, Any]] = []
    event = {"type": "app_home_opened", "user": "U1", "tab": "home"}
    async with FakeSlack() as slack, socket(slack, received=received):
        acks = [await slack.event(event, event_id="Ev1", retry_num=number) for number in (0, 1)]
        assert [payload["event_id"] for payload in received] == ["Ev1", "Ev1"]
        assert [ack.delivery.envelope()["retry_attempt"] for ack in acks] == [0, 1]
