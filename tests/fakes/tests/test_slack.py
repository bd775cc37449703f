"""What the fake Slack brings to a bot, and how, as the SDK's own clients meet it."""

import asyncio
from typing import Any

from aiohttp import web

from tests.fakes.slack import FakeSlack
from tests.fakes.tests.slack_sdk_client import (
    HOME,
    LABEL,
    MODAL,
    ROW,
    SAID,
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
    """Only who typed the command sees what stands in its acknowledgement."""
    async with FakeSlack() as slack, socket(slack, lambda *_: SAID):
        ack = await slack.command("search moe")
        assert ack.acked
        assert ack.seconds < 1
        assert [message.text for message in slack.seen("U1")] == ["Papers"]
        assert slack.seen("U1") == [ack.message]
        assert slack.seen("U2") == []


async def test_a_command_carries_what_slack_sends() -> None:
    """A command names its workspace, channel and person, a response_url and a trigger."""
    heard: list[dict[str, Any]] = []
    async with FakeSlack() as slack, socket(slack, heard=heard):
        slack.add_team("T2", enterprise="E1")
        await slack.command("search moe", user="U2", channel="C2", team="T2")
    names = ("command", "text", "user_id", "channel_id", "team_id", "enterprise_id")
    assert [heard[0][name] for name in names] == ["/papers", "search moe", "U2", "C2", "T2", "E1"]
    assert heard[0]["response_url"].startswith("http://127.0.0.1:")


async def test_no_answer_is_no_acknowledgement() -> None:
    """With nobody connected nothing is acknowledged, at once."""
    async with FakeSlack() as slack:
        ack = await slack.command("latest")
        assert not ack.acked


async def test_a_repeated_envelope_is_the_very_same() -> None:
    """A repetition brings the same payload again, if wanted through another socket."""
    heard: list[dict[str, Any]] = []
    async with FakeSlack() as slack, socket(slack, heard=heard), socket(slack, heard=heard):
        ack = await slack.command("latest")
        late = await slack.repeat(ack, late=True)
        assert late.socket is not ack.socket
        assert heard[0] == heard[1]


async def test_an_event_reads_no_body() -> None:
    """A body in the acknowledgement of an event or of a button is a mistake."""
    async with FakeSlack() as slack, socket(slack, lambda *_: SAID):
        slack.expect_refusals = True
        await slack.click(await public_message(slack), "Next")
        await slack.mention("latest")
        assert [refusal.error for refusal in slack.refused] == ["unexpected_payload"] * 2


async def test_sockets_come_again() -> None:
    """The client comes back after a warning, a close and a cut, and not while it is refused."""
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
    """Commands, interactions and events come signed; a forged or an old one does not pass."""
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
    """Only a 200 acknowledges."""

    def fail(*_: Any) -> None:
        raise web.HTTPInternalServerError

    async with FakeSlack() as slack, bot_server(slack, fail):
        ack = await slack.command("latest")
        assert (ack.acked, ack.status) == (False, 500)


async def test_a_button_in_public_carries_its_message() -> None:
    """Pressing a button of a public message sends the message along; one in a view the view."""
    heard: list[dict[str, Any]] = []
    async with FakeSlack() as slack, socket(slack, heard=heard):
        await slack.click(await public_message(slack), "Next", user="U2")
        await client(slack).views_publish(user_id="U1", view=HOME)
        home = slack.home()
        assert home
        await slack.click(home, "run-1")
        assert heard[0]["message"]["text"] == "Papers"
        assert heard[0]["actions"][0]["value"] == "1 latest"
        assert heard[1]["view"]["id"] == home.id
        assert "response_url" not in heard[1]


async def test_links_are_told_of_and_get_cards() -> None:
    """A link of a registered domain is told of; only such a one of that message gets a card."""
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


async def test_the_bot_hears_itself_in_a_direct_message() -> None:
    """What the bot says in a direct message comes back as an event with its bot_id."""
    heard: list[dict[str, Any]] = []
    async with FakeSlack() as slack, socket(slack, heard=heard):
        await slack.direct_message("latest")
        await client(slack).chat_postMessage(channel="D1", text="Papers")
        await slack.settled(lambda: len(heard) > 1)
        assert [payload["event"].get("bot_id") for payload in heard] == [None, "B1"]


# The SDK itself makes oauth.v2.access so.
async def test_an_installation_walks_over_slack_and_back() -> None:
    """The bot gets a code and its own state, and for the code, once, the bot's token."""
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


async def test_silence_is_no_acknowledgement() -> None:
    """Who does not answer in time has not acknowledged, over a socket or by HTTP."""

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
    """Workspaces of an organisation share the token; requests say that it is the organisation's."""
    heard: list[dict[str, Any]] = []
    async with FakeSlack() as slack, socket(slack, heard=heard):
        for team in ("T2", "T3"):
            slack.add_team(team, bot_token="xoxb-org", enterprise="E1", org_wide=True)  # noqa: S106 - the fake's
        await slack.mention("latest", team="T3")
        await client(slack, "xoxb-org").chat_postMessage(channel="C1", text="a", team_id="T3")
        assert (await client(slack, "xoxb-org").auth_test())["team_id"] == "E1"
        assert len(slack.seen(team="T3")) == 2
        assert heard[0]["authorizations"][0]["is_enterprise_install"]
        assert heard[0]["authorizations"][0]["team_id"] is None


async def test_what_is_typed_into_a_select_brings_options() -> None:
    """Options stand in the acknowledgement; without a list of them it is refused."""
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


async def test_a_message_shortcut_brings_the_message() -> None:
    """Choosing a shortcut on a message sends that message and a trigger."""
    async with FakeSlack() as slack, socket(slack):
        ack = await slack.message_shortcut("lookup", slack.say("arXiv 2501.00001"), user="U2")
        payload = ack.delivery.payload
        assert (payload["type"], payload["callback_id"]) == ("message_action", "lookup")
        assert payload["message"]["text"] == "arXiv 2501.00001"


async def test_a_retried_event_keeps_its_id() -> None:
    """A retry says so, over a socket and by HTTP, and carries the event's id."""
    heard: list[dict[str, Any]] = []
    event = {"type": "app_home_opened", "user": "U1", "tab": "home"}
    async with FakeSlack() as slack, socket(slack, heard=heard):
        acks = [await slack.event(event, event_id="Ev1", retry_num=number) for number in (0, 1)]
        assert [payload["event_id"] for payload in heard] == ["Ev1", "Ev1"]
        assert [ack.delivery.envelope()["retry_attempt"] for ack in acks] == [0, 1]
