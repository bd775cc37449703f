"""The bot finds its own messages in channels, threads and direct messages."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.errors import NotAllowed, OutcomeUnknown, RetryLater, SendError, TokenRevoked
from bot.posting.ports import Message
from store.records import Channel
from tests.adapters.slack.posts.messages import KEY, MESSAGE, WORKSPACE, now, posting, reply
from tests.fakes.slack import FakeSlack, RateLimited, Refuse, ServerError, Slow
from tests.fakes.slack import Message as Seen


async def test_a_found_post_is_reported_as_if_it_had_been_sent() -> None:
    """Finding a message, in a channel or in a thread, gives what sending it gave."""
    async with posting() as (_, poster):
        since = now()
        root = await poster.send(MESSAGE)
        below = replace(MESSAGE, key="two", root=root, threaded=True)
        second = await poster.send(below)
        assert await poster.find(MESSAGE, since) == root
        assert await poster.find(below, since) == second
        assert await poster.find(replace(below, key="three"), since) is None
        # A reply is no message of the channel.
        assert await poster.find(replace(below, threaded=False), since) is None


async def test_a_reply_whose_thread_is_gone_is_looked_for_in_the_channel() -> None:
    """Slack may post a reply in the channel if the thread's first message was deleted."""
    async with posting() as (slack, poster):
        since = now()
        root = await poster.send(MESSAGE)
        stray = await poster.send(replace(MESSAGE, key="two"))
        slack.seen()[0].deleted = True
        below = replace(MESSAGE, key="two", root=root, threaded=True)
        found = await poster.find(below, since)
        assert found is not None
        assert found.message == stray.message
        assert await poster.find(replace(below, key="three"), since) is None


async def test_a_post_is_found_in_a_busy_channel() -> None:
    """Page after page is read, however few messages Slack lists at once, until it is there."""
    async with posting() as (slack, poster):
        slack.most_listed = 3
        since = now()
        for number in range(10):
            slack.say(f"before {number}")
        posted = await poster.send(MESSAGE)
        for number in range(10):
            slack.say(f"after {number}")
        found = await poster.find(MESSAGE, since)
        assert found is not None
        assert found.message == posted.message
        assert len(slack.calls("conversations.history")) == 4


async def test_a_post_is_missing_only_once_all_was_read() -> None:
    """A post is missing only after the last page was read; after too many pages it is unknown."""
    async with posting() as (slack, poster):
        since = now()
        for number in range(30):
            slack.say(f"{number}")
        slack.most_listed = 3
        assert await poster.find(MESSAGE, since) is None
        assert len(slack.calls("conversations.history")) == 10
        slack.most_listed = 1
        with pytest.raises(OutcomeUnknown):
            await poster.find(MESSAGE, since)


async def test_a_search_goes_on_where_slack_stopped_it() -> None:
    """An app that may read one page a minute comes to the end of a busy channel all the same."""
    async with posting() as (slack, poster):
        slack.most_listed = 15
        since = now()
        for number in range(40):
            slack.say(f"before {number}")
        posted = await poster.send(MESSAGE)
        for _ in range(2):
            # One page is listed, and whoever wants a second one at once has to wait.
            slack.fail("conversations.history", Slow(0))
            slack.fail("conversations.history", RateLimited(after=60))
            with pytest.raises(RetryLater) as raised:
                await poster.find(MESSAGE, since)
            assert raised.value.after == 60
            slack.pass_time(60)
        found = await poster.find(MESSAGE, since)
        assert found is not None
        assert found.message == posted.message
        assert len(slack.calls("conversations.history")) == 5
        # What another search has read is nothing that this one has.
        assert await poster.find(MESSAGE, since + timedelta(seconds=1)) is not None


async def test_a_search_that_can_not_go_on_begins_anew() -> None:
    """A page that Slack no longer knows is not asked for again."""
    async with posting() as (slack, poster):
        slack.most_listed = 15
        since = now()
        for number in range(20):
            slack.say(f"before {number}")
        posted = await poster.send(MESSAGE)
        for fault in (Slow(0), RateLimited(after=60), Refuse("invalid_cursor")):
            slack.fail("conversations.history", fault)
        for _ in range(2):
            with pytest.raises(RetryLater):
                await poster.find(MESSAGE, since)
            slack.pass_time(60)
        found = await poster.find(MESSAGE, since)
        assert found is not None
        assert found.message == posted.message
        assert len(slack.calls("conversations.history")) == 5


async def test_older_messages_are_not_read() -> None:
    """Only messages from some minutes before the first attempt on are looked at."""
    async with posting() as (_, poster):
        await poster.send(MESSAGE)
        assert await poster.find(MESSAGE, now() + timedelta(minutes=4)) is not None
        assert await poster.find(MESSAGE, now() + timedelta(minutes=6)) is None


async def test_a_copied_key_is_no_post() -> None:
    """A message of another app with the bot's key is not taken for its post."""
    async with posting() as (slack, poster):
        since = now()
        await poster.send(MESSAGE)
        [seen] = slack.seen()
        seen.user, seen.bot_id = "U2", None
        assert await poster.find(MESSAGE, since) is None
        seen.bot_id = "BOTHER"
        assert await poster.find(MESSAGE, since) is None


async def test_a_bot_that_was_installed_anew_knows_its_posts() -> None:
    """The bot's user stays the same where its id as a bot does not."""
    async with posting() as (slack, poster):
        since = now()
        await poster.send(MESSAGE)
        slack.seen()[0].bot_id = "BEFORE"
        assert await poster.find(MESSAGE, since) is not None


async def test_a_look_that_fails_tells_whether_to_look_again() -> None:
    """Looking changes nothing, so what may pass is for later; what can't be read never is."""
    async with posting() as (slack, poster):
        for fault, kind in (
            (RateLimited(after=60), RetryLater),
            (ServerError(500), RetryLater),
            (Refuse("not_in_channel"), NotAllowed),
            (Refuse("token_revoked"), TokenRevoked),
        ):
            slack.fail("conversations.history", fault)
            with pytest.raises(SendError) as raised:
                await poster.find(MESSAGE, now())
            assert type(raised.value) is kind
            slack.pass_time(60)


async def test_without_its_scope_a_channel_can_not_be_read() -> None:
    """The scope that looking needs is named, in public and in private channels."""
    async with posting() as (slack, poster):
        team = slack.teams["T1"]
        team.scopes -= {"channels:history", "groups:history"}
        slack.add_channel(team, "G2", members={"U1", team.bot_user}, private=True)
        with pytest.raises(NotAllowed, match="channels:history"):
            await poster.find(MESSAGE, now())
        with pytest.raises(NotAllowed, match="groups:history"):
            await poster.find(Message(Channel(WORKSPACE, "G2"), KEY, reply()), now())


def _told(slack: FakeSlack, user: str = "U1") -> list[Seen]:
    direct = f"D{user.removeprefix('U')}"
    return slack.seen(user, direct)


async def test_a_notice_that_can_not_be_looked_for_is_sent_again() -> None:
    """Without the scope to search, a user is notified twice rather than not at all."""
    async with posting() as (slack, poster):
        since = now()
        await poster.notify_user(WORKSPACE, "U1", reply("Told"), KEY, None)
        for number, scope in enumerate(("im:history", "im:write"), start=2):
            slack.teams["T1"].scopes.discard(scope)
            await poster.notify_user(WORKSPACE, "U1", reply("Told"), KEY, since)
            assert len(_told(slack)) == number


async def test_a_rate_limited_search_for_a_notice_is_retried() -> None:
    """A search that is rate limited is retried, rather than notifying the user twice."""
    async with posting() as (slack, poster):
        since = now()
        await poster.notify_user(WORKSPACE, "U1", reply("Told"), KEY, None)
        slack.fail("conversations.history", RateLimited(after=60))
        with pytest.raises(RetryLater):
            await poster.notify_user(WORKSPACE, "U1", reply("Told"), KEY, since)
        assert len(_told(slack)) == 1


async def test_an_unknown_user_is_not_notified() -> None:
    """A person that the workspace does not know is gone, or hidden."""
    async with posting() as (_, poster):
        with pytest.raises(SendError):
            await poster.notify_user(WORKSPACE, "U9", reply("Told"), KEY, None)
