"""Connecting, losing the connection and reconnecting, for one workspace and many."""

import asyncio
import base64
import hashlib
import json
import re
import time
from functools import partial

import pytest

from adapters.slack.platform import SlackPlatform
from adapters.slack.settings import read_slack_settings
from bot.errors import PlatformError
from bot.operations.health import State
from store.database import Database
from tests.adapters.common.services import services_over
from tests.adapters.slack.connected_bot import many_variables, running, variables_for
from tests.fakes.slack import FakeSlack, Message, Refuse, ServerError


async def state(platform: SlackPlatform) -> State:
    """Return how a connection is."""
    return (await platform.condition()).state


@pytest.mark.parametrize(
    ("variable", "error"),
    [("SLACK_BOT_TOKEN", "invalid_auth"), ("SLACK_APP_TOKEN", "not_allowed_token_type")],
)
async def test_a_wrong_token_ends_the_start(stocked: Database, variable: str, error: str) -> None:
    """The error names the variable and Slack's code, and nothing is retried."""
    async with FakeSlack() as slack:
        variables = {**variables_for(slack), variable: "xoxb-wrong"}
        platform = SlackPlatform(services_over(stocked), read_slack_settings(variables))
        with pytest.raises(PlatformError) as caught:
            await platform.start()
        await platform.stop()
        assert caught.value.sentence == f"Slack refuses {variable} ({error})."
        assert len(slack.calls("apps.connections.open")) <= 1


@pytest.mark.parametrize("method", ["auth.test", "apps.connections.open"])
async def test_a_permanent_refusal_ends_the_start(stocked: Database, method: str) -> None:
    """Trying the same again would not help, whatever the reason is called."""
    async with FakeSlack() as slack:
        slack.fail(method, Refuse("socket_mode_not_enabled"))
        variables = variables_for(slack)
        platform = SlackPlatform(services_over(stocked), read_slack_settings(variables))
        with pytest.raises(PlatformError, match="socket_mode_not_enabled"):
            await platform.start()
        await platform.stop()


async def test_a_token_goes_before_an_app_to_install(
    stocked: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """A bot token makes the client id and secret ineffective, with one warning."""
    async with FakeSlack() as slack:
        variables = {**many_variables(slack, "socket"), **variables_for(slack)}
        async with running(stocked, slack, variables) as (platform, _):
            assert platform.routes == []
            await slack.ask("latest")
    [warning] = [each for each in caplog.records if each.message == "settings_ignored"]
    assert warning.__dict__["settings"] == "SLACK_CLIENT_ID, SLACK_CLIENT_SECRET"


async def test_slack_may_be_away_at_the_start(stocked: Database) -> None:
    """An unreachable Slack is retried, and health reports it meanwhile."""
    async with FakeSlack() as slack:
        slack.fail("auth.test", ServerError())
        platform = SlackPlatform(services_over(stocked), read_slack_settings(variables_for(slack)))
        await platform.start()
        assert await state(platform) is State.FAILING
        await slack.settled(lambda: len(slack.calls("auth.test")) == 2)
        await slack.connected()
        await slack.ask("latest")
        await platform.stop()


@pytest.mark.parametrize("how", ["warned", "closed", "cut"])
async def test_a_lost_connection_is_made_anew(stocked: Database, how: str) -> None:
    """The bot reconnects after a disconnect request, a close and a cut."""
    async with FakeSlack() as slack, running(stocked, slack):
        first = list(slack.sockets.open)
        if how == "cut":
            await slack.cut()
        else:
            await slack.disconnect(warning=how == "warned")
        await slack.settled(
            lambda: slack.sockets.open and not set(first) & set(slack.sockets.open), seconds=8
        )
        await slack.ask("latest")


async def test_health_tells_of_a_lost_connection(stocked: Database) -> None:
    """While Slack refuses sockets the platform is failing, and well again once it doesn't."""
    async with FakeSlack() as slack, running(stocked, slack) as (platform, _):
        await _until(platform, State.OK)
        slack.fail("apps.connections.open", Refuse("internal_error"), times=2)
        await slack.cut()
        await _until(platform, State.FAILING)
        await _until(platform, State.OK)


async def test_health_tells_of_a_workspace_that_took_the_bot_away(stocked: Database) -> None:
    """A revoked token from the settings makes health fail."""
    async with FakeSlack() as slack, running(stocked, slack) as (platform, _):
        await _until(platform, State.OK)
        await slack.uninstall("T1")
        await _until(platform, State.FAILING)
        assert "took the bot away" in (await platform.condition()).sentence


async def test_a_silent_slack_holds_nobody_up(stocked: Database) -> None:
    """The bot stops within two seconds, also where Slack does not answer the close."""

    async def shake_hands_and_fall_silent(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        asked = (await reader.readuntil(b"\r\n\r\n")).decode()
        [key] = re.findall(r"(?i)sec-websocket-key: (\S+)", asked)
        proof = hashlib.sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode())  # noqa: S324 - as RFC 6455 has it
        writer.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + base64.b64encode(proof.digest()) + b"\r\n\r\n"
        )
        await reader.read()
        writer.close()

    silent = await asyncio.start_server(shake_hands_and_fall_silent, "127.0.0.1", 0)
    async with FakeSlack() as slack, silent:
        slack.socket_url = f"ws://127.0.0.1:{silent.sockets[0].getsockname()[1]}/"
        platform = SlackPlatform(services_over(stocked), read_slack_settings(variables_for(slack)))
        await platform.start()
        await _until(platform, State.OK)
        await asyncio.wait_for(platform.stop(), 4)


async def test_two_replicas_share_one_app(stocked: Database) -> None:
    """A request is answered over either connection."""
    async with FakeSlack() as slack, running(stocked, slack), running(stocked, slack):
        await slack.connected(2)
        for _ in range(6):
            await slack.ask("latest")


async def test_only_slack_is_listened_to(stocked: Database) -> None:
    """A forged, missing, old or nonsensical signature is refused, and nothing happens."""
    async with (
        FakeSlack() as slack,
        running(stocked, slack, variables_for(slack, "http")),
    ):
        delivery = slack.command_delivery("latest")
        content_type, body = delivery.body()
        kind = {"Content-Type": content_type}
        old = str(int(time.time()) - 600)
        refused = [
            slack.signed(body, secret="another"),  # noqa: S106 - it is to be wrong
            slack.signed(b"another body"),
            slack.signed(body, timestamp=old),
            {},
            {"X-Slack-Request-Timestamp": "soon", "X-Slack-Signature": "v0=00"},
            {"X-Slack-Request-Timestamp": "²", "X-Slack-Signature": "v0=00"},
        ]
        for headers in refused:
            status, _ = await slack.send_raw("/slack/events", body, {**kind, **headers})
            assert status == 401, headers
        status, text = await slack.send_raw("/slack/events", body, {**kind, **slack.signed(body)})
        assert status == 200
        assert json.loads(text)["response_type"] == "ephemeral"


async def test_the_address_is_verified(stocked: Database) -> None:
    """Slack's question whether this address is ours is answered when it is signed."""
    async with (
        FakeSlack() as slack,
        running(stocked, slack, variables_for(slack, "http")),
    ):
        body = json.dumps({"type": "url_verification", "challenge": "abc"}).encode()
        headers = {"Content-Type": "application/json", **slack.signed(body)}
        status, text = await slack.send_raw("/slack/events", body, headers)
        assert (status, json.loads(text)) == (200, {"challenge": "abc"})


@pytest.mark.parametrize("transport", ["socket", "http"])
async def test_two_workspaces_install_it_and_never_see_each_other(
    database: Database, transport: str
) -> None:
    """Each is welcomed, answered with its own token, and keeps its settings to itself."""
    async with FakeSlack() as slack:
        slack.add_team("T2")
        async with running(database, slack, many_variables(slack, transport)) as (_, url):
            for team in ("T1", "T2"):
                assert (await slack.install(url, team, "U1")).status == 200
            for team in ("T1", "T2"):
                [welcome] = await slack.settled(partial(slack.seen, "U1", "D1", team))
                assert welcome.text.startswith("Welcome to Broadsheet")
            await slack.command("settings zone Asia/Tokyo", team="T1")
            theirs = await slack.ask("settings", team="T2")
            ours = await slack.ask("settings", team="T1")
            assert "Asia/Tokyo" in ours.text
            assert "Asia/Tokyo" not in theirs.text
            assert {call.token for call in slack.calls("users.info")} == {
                slack.teams["T1"].bot_token,
                slack.teams["T2"].bot_token,
            }


async def test_a_workspace_that_takes_the_bot_away_is_forgotten(database: Database) -> None:
    """Its token is gone from the store at once; another's stays, and installing again works."""
    async with FakeSlack() as slack:
        slack.add_team("T2")
        async with running(database, slack, many_variables(slack)) as (_, url):
            for team in ("T1", "T2"):
                await slack.install(url, team, "U1")
            await slack.uninstall("T1")
            await _until_refused(slack)
            await slack.ask("help", team="T2")


async def test_only_the_bot_s_revoked_token_counts(database: Database) -> None:
    """A person's token that was revoked is none of ours; the bot's ends the installation."""
    async with FakeSlack() as slack, running(database, slack, many_variables(slack)) as (_, url):
        await slack.install(url, "T1", "U1")
        theirs = {"type": "tokens_revoked", "tokens": {"oauth": ["U1"], "bot": []}}
        await slack.event(theirs, "T1")
        for _ in range(3):
            await slack.ask("help")
        await slack.revoke("T1")
        await _until_refused(slack)


async def _until_refused(slack: FakeSlack) -> None:
    """Ask until the answer is that the app is gone; on a busy machine it follows a little later."""
    seen: list[Message] = []
    for _ in range(100):
        await slack.command("help", team="T1")
        seen = slack.seen("U1", "C1", "T1")
        if seen and "not installed in this workspace" in seen[-1].text:
            return
    raise AssertionError(seen)


async def _until(platform: SlackPlatform, wanted: State) -> None:
    for _ in range(1000):
        if await state(platform) is wanted:
            return
        await asyncio.sleep(0.01)
    raise AssertionError(await platform.condition())
