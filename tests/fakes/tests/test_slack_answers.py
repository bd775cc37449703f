"""The fake Slack answers calls of the SDK's clients as documented."""

import pytest
from slack_sdk.errors import SlackApiError

from tests.fakes.slack import FakeSlack
from tests.fakes.tests.slack_sdk_client import (
    MODAL,
    SECTION,
    client,
    error_of,
    public_message,
    socket,
)


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


async def test_a_view_is_updated_by_its_hash() -> None:
    """An update with an old hash is refused."""
    async with FakeSlack() as slack, socket(slack):
        trigger = (await slack.shortcut("search")).delivery.payload["trigger_id"]
        opened = await client(slack).views_open(trigger_id=trigger, view=MODAL)
        view_id, old = opened["view"]["id"], opened["view"]["hash"]
        await client(slack).views_update(view_id=view_id, hash=old, view=MODAL)
        update = client(slack).views_update(view_id=view_id, hash=old, view=MODAL)
        assert await error_of(update) == "hash_conflict"


async def test_an_invalid_message_is_refused_and_recorded() -> None:
    """An invalid message fails the call, and the end of the block fails."""
    too_long = [SECTION] * 300
    with pytest.raises(AssertionError):
        async with FakeSlack() as slack:
            await error_of(client(slack).chat_postMessage(channel="C1", text="a", blocks=too_long))
    assert [refusal.error for refusal in slack.refused] == ["msg_blocks_too_long"]


async def test_a_timeout_of_settled_shows_the_messages() -> None:
    """The assertion has all messages after a timeout."""
    async with FakeSlack() as slack:
        slack.say("look")
        with pytest.raises(AssertionError, match="look"):
            await slack.settled(lambda: False, seconds=0.02)
