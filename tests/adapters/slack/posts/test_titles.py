"""Messages that an agent sends by itself: each begins a thread, named by its title."""

from dataclasses import replace

import pytest

from bot.errors import OutcomeUnknown
from bot.replies.blocks import Level, Notice, Reply
from store.records import Channel
from tests.adapters.slack.posts.messages import MESSAGE, WORKSPACE, now, posting, reply
from tests.fakes.slack import Drop, FakeSlack, Limits, Refuse, ServerError

TITLE = "3 new papers for your alert: mamba"
DIRECT = replace(MESSAGE, channel=Channel(WORKSPACE, "D1"), title=TITLE)


def calls_about_titles(slack: FakeSlack) -> list[str]:
    """Return the methods that were called for titles."""
    return [each.method for each in slack.calls() if each.method.startswith("agents.")]


async def test_what_alerts_found_and_digests_are_titled_threads() -> None:
    """The thread has the post's title once it was sent; in a channel nothing has one."""
    async with posting(is_agent=True) as (slack, poster):
        await poster.send(DIRECT)
        [sent] = slack.seen("U1", "D1")
        assert sent.thread_ts is None
        assert await slack.settled(lambda: slack.title_of(sent)) == TITLE
        calls = calls_about_titles(slack)
        await poster.send(replace(MESSAGE, title=TITLE))
        await poster.edit(await poster.send(replace(MESSAGE, key="k2")), MESSAGE)
        assert calls_about_titles(slack) == calls


async def test_an_app_that_is_no_agent_titles_nothing() -> None:
    """A direct message of any other app is what it always was."""
    async with posting() as (slack, poster):
        await poster.send(DIRECT)
        await poster.notify_user(WORKSPACE, "U1", reply(), "notice-1", None)
        assert [each.thread_ts for each in slack.seen("U1", "D1")] == [None, None]
        assert calls_about_titles(slack) == []


async def test_a_message_that_is_found_again_is_titled_then() -> None:
    """Its first answer was lost, and with it where it stands."""
    async with posting(is_agent=True) as (slack, poster):
        since = now()
        slack.fail("chat.postMessage", Drop(stored=True))
        with pytest.raises(OutcomeUnknown):
            await poster.send(DIRECT)
        [sent] = slack.seen("U1", "D1")
        assert calls_about_titles(slack) == []
        assert await poster.find(DIRECT, since)
        assert await slack.settled(lambda: slack.title_of(sent)) == TITLE


async def test_a_notice_is_a_titled_thread() -> None:
    """It is named by its title, or by what it says where it has none."""
    async with posting(is_agent=True) as (slack, poster):
        await poster.notify_user(WORKSPACE, "U1", reply(), "notice-1", None)
        said = Reply((Notice(Level.WARNING, "The channel is gone."),))
        await poster.notify_user(WORKSPACE, "U1", said, "notice-2", None)
        first, second = slack.seen("U1", "D1")
        assert await slack.settled(lambda: slack.title_of(first)) == "The week"
        assert await slack.settled(lambda: slack.title_of(second)) == "The channel is gone."


@pytest.mark.parametrize("fault", [Refuse("not_authorized"), ServerError(), Drop()], ids=repr)
async def test_a_title_that_fails_changes_nothing_of_the_post(fault: object) -> None:
    """The post stands once and was confirmed, whatever becomes of its title."""
    async with posting(is_agent=True) as (slack, poster):
        for method in ("agents.sessions.rename", "agents.sessions.setStatus"):
            slack.fail(method, fault, times=3)  # type: ignore[arg-type] # one of several
        posted = await poster.send(DIRECT)
        [sent] = slack.seen("U1", "D1")
        assert posted.message == sent.ts
        await slack.settled(lambda: calls_about_titles(slack))
        await poster.send(replace(DIRECT, key="k2"))
        assert len(slack.seen("U1", "D1")) == 2


async def test_titles_of_many_posts_keep_slacks_limits() -> None:
    """After a large import each thread gets its title, as fast as Slack takes them."""
    async with posting(is_agent=True) as (slack, poster):
        team, slack.limits = slack.teams["T1"], Limits()
        people = [f"U{number}" for number in range(1, 121)]
        for person in people:
            slack.add_user(team, person)
            channel = Channel(WORKSPACE, f"D{person[1:]}")
            await poster.send(replace(DIRECT, channel=channel, key=person, title=f"For {person}"))
        roots = [slack.seen(person, f"D{person[1:]}")[0] for person in people]
        await slack.settled(lambda: all(map(slack.title_of, roots)), seconds=60)
        assert [slack.title_of(each) for each in roots] == [f"For {each}" for each in people]
        assert slack.limits.refused == []
