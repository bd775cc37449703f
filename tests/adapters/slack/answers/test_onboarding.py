"""The welcome of new users, sent once, below an answer or on top of App Home."""

import asyncio

import pytest

from adapters.slack.surfaces.home import _MOST_BLOCKS
from store.database import Database
from tests.adapters.slack.connected_bot import many_variables, running, variables_for
from tests.adapters.slack.surfaces.test_home import headers, opened, pressed
from tests.fakes.slack import FakeSlack, Message, Refuse

LINE = "Broadsheet has the top AI papers of each week."
THERE = "shows what is settled here"
# For as long as a second message would come, were there one.
QUIET = 0.3


def told(slack: FakeSlack, user: str = "U1", channel: str = "C1") -> list[Message]:
    """Return the channels in which a user was welcomed."""
    return [each for each in slack.seen(user, channel) if LINE in each.text or THERE in each.text]


async def test_any_first_answer_is_followed_by_the_welcome(stocked: Database) -> None:
    """A mention, a direct message and a button get the welcome where they were answered."""
    async with FakeSlack() as slack, running(stocked, slack, welcomes=True):
        await slack.mention("latest", "U1")
        [in_channel] = await slack.settled(lambda: told(slack))
        assert in_channel.ephemeral_for == "U1"
        await slack.direct_message("latest", "U2")
        [in_private] = await slack.settled(lambda: told(slack, "U2", "D2"))
        assert slack.seen("U2", "D2")[-1] is in_private


async def test_lines_that_slack_refused_follow_the_next_answer(
    stocked: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """A welcome that Slack refused is sent below the next answer, or on top of App Home."""
    async with FakeSlack() as slack, running(stocked, slack, welcomes=True):
        slack.fail("response_url", Refuse("restricted_action"))
        await slack.command("latest", "U1")
        await slack.settled(lambda: "welcome_lost" in caplog.text)
        await asyncio.sleep(QUIET)
        slack.fail("views.publish", Refuse("not_enabled"))
        await slack.open_home("U1")
        await slack.settled(lambda: slack.calls("views.publish"))
        await asyncio.sleep(QUIET)
        assert LINE in str((await opened(slack)).blocks)


async def test_a_request_that_comes_twice_is_followed_once(stocked: Database) -> None:
    """The same holds where two processes answer a user at once."""
    async with (
        FakeSlack() as slack,
        running(stocked, slack, welcomes=True),
        running(stocked, slack, welcomes=True),
    ):
        first = await slack.command("latest")
        await asyncio.gather(slack.repeat(first), *(slack.command("topic") for _ in range(6)))
        await slack.settled(lambda: told(slack))
        await asyncio.sleep(QUIET)
        assert len(told(slack)) == 1


async def test_home_opened_first_has_the_lines_on_top_once(stocked: Database) -> None:
    """The welcome is below the title, and a user who saw it there gets no other."""
    async with FakeSlack() as slack, running(stocked, slack, welcomes=True):
        home = await opened(slack)
        assert headers(home)[0] == "Broadsheet"
        assert LINE in str(home.blocks[1])
        assert THERE in str(home.blocks[4])
        assert "The rest is left out" not in str(home.blocks)
        assert len(home.blocks) <= _MOST_BLOCKS
        await opened(slack)
        assert LINE not in str(home.blocks)
        assert (home.blocks[0]["type"], home.blocks[1]["type"]) == ("header", "actions")
        await slack.ask("latest")
        await asyncio.sleep(QUIET)
        assert told(slack) == []


async def test_settings_open_in_the_home_of_a_manager(stocked: Database) -> None:
    """With the button to their form."""
    async with FakeSlack() as slack, running(stocked, slack):
        home = await opened(slack)
        await pressed(slack, home, "Settings")
        assert "Settings" in headers(home)
        assert "Change settings" in str(home.blocks)


async def test_home_has_only_buttons_that_the_user_may_press(stocked: Database) -> None:
    """Only admins are offered settings where admins manage posts."""
    variables = {"BROADSHEET_SLACK_MANAGERS": "admins"}
    async with FakeSlack() as slack, running(stocked, slack, variables_for(slack, **variables)):
        assert "Settings" not in str((await opened(slack)).blocks)


async def test_a_workspace_is_welcomed_once(stocked: Database) -> None:
    """The first user there gets a user's welcome only."""
    async with FakeSlack() as slack:
        variables = many_variables(slack)
        async with running(stocked, slack, variables, welcomes=True) as (_, url):
            slack.deliver_to(url)
            await slack.install(url, "T1")
            await slack.settled(lambda: slack.seen("U1", "D1"))
            await slack.command("latest", user="U2")
            [news] = await slack.settled(lambda: told(slack, "U2"))
            assert THERE not in news.text
