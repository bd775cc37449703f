"""The fake Slack answers calls of the SDK's clients as documented."""

from typing import Any

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.webhook.async_client import AsyncWebhookClient

from tests.fakes.slack import Drop, FakeSlack, RateLimited, Refuse, ServerError, Slow
from tests.fakes.tests.slack_sdk_client import (
    CONTENT,
    MODAL,
    SECTION,
    client,
    error_of,
    public_message,
    socket,
)


async def test_tokens_are_checked() -> None:
    """An unknown, a missing, a revoked and an app's token each get their error."""
    async with FakeSlack() as slack:
        assert await error_of(client(slack, "xoxb-9").auth_test()) == "invalid_auth"
        assert await error_of(client(slack, "").auth_test()) == "not_authed"
        assert await error_of(client(slack, "xapp-1").auth_test()) == "not_allowed_token_type"
        opened = client(slack).apps_connections_open(app_token="xoxb-1")  # noqa: S106 - the fake's
        assert await error_of(opened) == "not_allowed_token_type"
        answer = await client(slack).auth_test()
        assert "chat:write" in answer.headers["x-oauth-scopes"]
        await slack.revoke()
        assert await error_of(client(slack).auth_test()) == "token_revoked"
        slack.add_team("T2")
        await slack.uninstall("T2")
        assert await error_of(client(slack, "xoxb-2").auth_test()) == "account_inactive"


async def test_scopes_and_arguments_are_checked() -> None:
    """A missing scope is named; missing and unknown arguments are refused."""
    async with FakeSlack() as slack:
        slack.expect_refusals = True
        slack.teams["T1"].scopes -= {"users:read"}
        with pytest.raises(SlackApiError) as caught:
            await client(slack).users_info(user="U1")
        assert caught.value.response["error"] == "missing_scope"
        assert caught.value.response["needed"] == "users:read"
        chat = client(slack)
        assert (
            await error_of(chat.api_call("chat.postMessage", json={"channel": "C1"})) == "no_text"
        )
        assert await error_of(chat.api_call("chat.postMessage", json={})) == "invalid_arguments"
        wrong = chat.api_call("chat.postMessage", json={"channel": "C1", "text": "a", "txt": "b"})
        assert await error_of(wrong) == "invalid_arguments"
        assert await error_of(chat.api_call("chat.whatever")) == "unknown_method"


async def test_membership_is_checked() -> None:
    """The bot posts to its channels, to public ones with a scope, and to users by id."""
    async with FakeSlack() as slack:
        chat = client(slack)
        assert await error_of(chat.chat_postMessage(channel="C2", text="a")) == "not_in_channel"
        assert await error_of(chat.chat_postMessage(channel="G1", text="a")) == "channel_not_found"
        slack.teams["T1"].scopes.add("chat:write.public")
        await chat.chat_postMessage(channel="C2", text="a")
        await chat.chat_postMessage(channel="U2", text="a")
        ephemeral = chat.chat_postEphemeral(channel="C1", user="U3", text="a")
        assert await error_of(ephemeral) == "user_not_in_channel"
        assert [len(slack.seen("U2", channel)) for channel in ("C2", "D2")] == [1, 1]


async def test_an_ephemeral_reply_shows_only_in_an_active_thread() -> None:
    """An ephemeral message in a thread without replies is accepted and never visible."""
    async with FakeSlack() as slack:
        root = slack.say("look")
        for _ in range(2):
            await client(slack).chat_postEphemeral(
                channel="C1", user="U1", thread_ts=root.ts, text="seen"
            )
            slack.say("a reply", thread_ts=root.ts)
        assert [message.text for message in slack.seen()] == ["look", "a reply", "seen", "a reply"]


async def test_the_bot_updates_its_own_messages() -> None:
    """The bot updates its own messages only, and no ephemeral ones."""
    async with FakeSlack() as slack:
        chat = client(slack)
        message = await public_message(slack)
        await chat.chat_update(channel="C1", ts=message.ts, text="Changed")
        assert (message.text, message.edited) == ("Changed", True)
        theirs = slack.say("theirs")
        update = chat.chat_update(channel="C1", ts=theirs.ts, text="mine")
        assert await error_of(update) == "cant_update_message"
        private = await chat.chat_postEphemeral(channel="C1", user="U1", text="a")
        update = chat.chat_update(channel="C1", ts=private["message_ts"], text="b")
        assert await error_of(update) == "message_not_found"


async def test_a_response_url_expires() -> None:
    """The sixth answer and the late one get 404."""
    async with FakeSlack() as slack, socket(slack):
        urls = [(await slack.command("latest")).delivery.payload["response_url"] for _ in "ab"]
        hook = AsyncWebhookClient(urls[0])
        answers = [await hook.send(text="a", response_type="in_channel") for _ in range(6)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [404]
        slack.pass_time(31 * 60)
        assert (await AsyncWebhookClient(urls[1]).send(text="a")).status_code == 404
        assert len(slack.seen("U2")) == 5


async def test_a_response_url_replaces_and_deletes_the_message_it_belongs_to() -> None:
    """The message of a button can be replaced, answered or deleted."""
    async with FakeSlack() as slack, socket(slack, lambda kind, _: _said_for(kind)):
        message = (await slack.command("latest")).message
        assert message
        ack = await slack.click(message, "Next")
        assert "message" not in ack.delivery.payload
        assert ack.delivery.payload["container"]["is_ephemeral"]
        hook = AsyncWebhookClient(ack.delivery.payload["response_url"])
        await hook.send(text="Second page", replace_original=True)
        assert [(m.text, m.edited) for m in slack.seen()] == [("Second page", True)]
        await hook.send(delete_original=True)
        assert slack.seen() == []


async def test_a_trigger_opens_one_modal_within_three_seconds() -> None:
    """A trigger id can be used once and expires."""
    async with FakeSlack() as slack, socket(slack):
        trigger = (await slack.shortcut("search")).delivery.payload["trigger_id"]
        api = client(slack)
        await api.views_open(trigger_id=trigger, view=MODAL)
        again = api.views_open(trigger_id=trigger, view=MODAL)
        assert await error_of(again) == "exchanged_trigger_id"
        trigger = (await slack.shortcut("search")).delivery.payload["trigger_id"]
        slack.pass_time(4)
        late = api.views_open(trigger_id=trigger, view=MODAL)
        assert await error_of(late) == "expired_trigger_id"
        assert len(slack.modals()) == 1


async def test_a_submission_applies_its_response_action() -> None:
    """The modal shows errors, is updated, gets another on top, or closes."""
    shown = MODAL | {"callback_id": "found"}
    answers: list[dict[str, Any] | None] = [
        {"response_action": "errors", "errors": {"query": "Nothing found"}},
        {"response_action": "push", "view": shown},
        {"response_action": "update", "view": shown},
        None,
        {"response_action": "clear"},
    ]
    received: list[dict[str, Any]] = []

    def answer(_: str, payload: dict[str, Any]) -> dict[str, Any] | None:
        return answers.pop(0) if payload["type"] == "view_submission" else None

    async with FakeSlack() as slack, socket(slack, answer, received):
        trigger = (await slack.shortcut("search")).delivery.payload["trigger_id"]
        await client(slack).views_open(trigger_id=trigger, view=MODAL)
        depths = []
        for _ in range(5):
            await slack.submit(slack.modals()[-1], {"query": "moe"})
            depths.append([view.payload["callback_id"] for view in slack.modals()])
        assert depths == [["search"], ["search", "found"], ["search", "found"], ["search"], []]
        state = received[1]["view"]["state"]["values"]
        assert state == {"query": {"words": {"type": "plain_text_input", "value": "moe"}}}


async def test_a_view_is_updated_by_its_hash() -> None:
    """An update with an old hash is refused."""
    async with FakeSlack() as slack, socket(slack):
        trigger = (await slack.shortcut("search")).delivery.payload["trigger_id"]
        opened = await client(slack).views_open(trigger_id=trigger, view=MODAL)
        view_id, old = opened["view"]["id"], opened["view"]["hash"]
        await client(slack).views_update(view_id=view_id, hash=old, view=MODAL)
        update = client(slack).views_update(view_id=view_id, hash=old, view=MODAL)
        assert await error_of(update) == "hash_conflict"


async def test_faults_of_calls() -> None:
    """Each fault happens once; only dropped and slow calls are carried out."""
    async with FakeSlack() as slack:
        for fault in (RateLimited(after=7), ServerError(), Refuse("is_archived"), Drop()):
            slack.fail("chat.postMessage", fault)
        slack.fail("chat.postMessage", Slow(0.01))
        chat = client(slack)
        with pytest.raises(SlackApiError) as limited:
            await chat.chat_postMessage(channel="C1", text="a")
        assert limited.value.response.headers["Retry-After"] == "7"
        with pytest.raises(SlackApiError) as failed:
            await chat.chat_postMessage(channel="C1", text="b")
        assert failed.value.response.status_code == 500
        assert await error_of(chat.chat_postMessage(channel="C1", text="c")) == "is_archived"
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await chat.chat_postMessage(channel="C1", text="d")
        await chat.chat_postMessage(channel="C1", text="e")
        assert [message.text for message in slack.seen()] == ["d", "e"]
        assert len(slack.calls("chat.postMessage")) == 5


async def test_an_invalid_message_is_refused_and_recorded() -> None:
    """An invalid message fails the call, and the end of the block fails."""
    too_long = [SECTION] * 300
    with pytest.raises(AssertionError):
        async with FakeSlack() as slack:
            await error_of(client(slack).chat_postMessage(channel="C1", text="a", blocks=too_long))
    assert [refusal.error for refusal in slack.refused] == ["msg_blocks_too_long"]


def _said_for(kind: str) -> dict[str, Any] | None:
    return CONTENT if kind == "slash_commands" else None


async def test_faults_of_response_urls_and_sockets() -> None:
    """A response_url can be rate limited, and a connection refused once."""
    async with FakeSlack() as slack:
        slack.fail("websocket", ServerError(503))
        async with socket(slack):
            url = (await slack.command("latest")).delivery.payload["response_url"]
            slack.fail("response_url", RateLimited(after=1))
            answers = [await AsyncWebhookClient(url).send(text="a") for _ in "ab"]
            assert [answer.status_code for answer in answers] == [429, 200]
            assert [use["text"] for use in slack.response_url_uses] == ["a"]


async def test_a_timeout_of_settled_shows_the_messages() -> None:
    """The assertion has all messages after a timeout."""
    async with FakeSlack() as slack:
        slack.say("look")
        with pytest.raises(AssertionError, match="look"):
            await slack.settled(lambda: False, seconds=0.02)
