"""The first use in Slack: what the bot says of itself, once, below an answer or on top of Home."""

import asyncio

from adapters.slack.surfaces.home import _MOST_BLOCKS
from store.database import Database
from tests.adapters.slack.running import many_variables, running, variables_for
from tests.adapters.slack.surfaces.test_home import headers, opened, pressed
from tests.fakes.slack import FakeSlack, Message, Refuse

LINE = "Broadsheet has the top AI papers of each week."
THERE = "shows what is settled here"
# For as long as a second message would come, were there one.
QUIET = 0.3


def told(slack: FakeSlack, user: str = "U1", channel: str = "C1") -> list[Message]:
    """Return where somebody was told what the bot is."""
    return [each for each in slack.seen(user, channel) if LINE in each.text or THERE in each.text]


async def test_a_first_answer_is_followed_by_three_lines_once(
    stocked: Database, transport: str
) -> None:
    """They stand below it in a message of their own, for the asker alone; later answers are alone.

    In a workspace that is new the first who manages posts there reads what that is too.
    """
    variables = "BROADSHEET_SLACK_MANAGERS"
    async with (
        FakeSlack() as slack,
        running(
            stocked, slack, variables_for(slack, transport, **{variables: "admins"}), welcomes=True
        ),
    ):
        answer = await slack.ask("latest")
        assert "Most useful" not in answer.text
        [news] = await slack.settled(lambda: told(slack))
        assert slack.seen() == [answer, news]
        assert news.buttons == []
        assert THERE not in news.text
        assert told(slack, "U2") == []
        await slack.ask("topic")
        await asyncio.sleep(QUIET)
        assert len(slack.seen()) == 3


async def test_who_manages_reads_of_the_workspace_too_and_nobody_else_after(
    stocked: Database,
) -> None:
    """Where anyone may manage posts that is whoever asks first."""
    async with FakeSlack() as slack, running(stocked, slack, welcomes=True):
        await slack.ask("latest")
        [first] = await slack.settled(lambda: told(slack))
        assert THERE in first.text
        await slack.command("latest", user="U2")
        [second] = await slack.settled(lambda: told(slack, "U2"))
        assert LINE in second.text
        assert THERE not in second.text


async def test_whatever_somebody_does_first_is_followed(stocked: Database) -> None:
    """A mention, a direct message and a press alike; each where it was answered."""
    async with FakeSlack() as slack, running(stocked, slack, welcomes=True):
        await slack.mention("latest", "U1")
        [in_channel] = await slack.settled(lambda: told(slack))
        assert in_channel.ephemeral_for == "U1"
        await slack.direct_message("latest", "U2")
        [in_private] = await slack.settled(lambda: told(slack, "U2", "D2"))
        assert slack.seen("U2", "D2")[-1] is in_private


async def test_lines_that_slack_refused_follow_the_next_answer(stocked: Database) -> None:
    """Whoever could not be told is told below their next answer, or on top of Home."""
    async with FakeSlack() as slack, running(stocked, slack, welcomes=True):
        slack.fail("chat.postEphemeral", Refuse("user_not_in_channel"), times=2)
        await slack.mention("latest", "U1")
        await slack.settled(lambda: len(slack.calls("chat.postEphemeral")) == 2)
        await asyncio.sleep(QUIET)
        slack.fail("views.publish", Refuse("not_enabled"))
        await slack.open_home("U1")
        await slack.settled(lambda: slack.calls("views.publish"))
        await asyncio.sleep(QUIET)
        assert LINE in str((await opened(slack)).blocks)


async def test_an_error_is_not_followed(stocked: Database) -> None:
    """Whoever mistyped reads what was wrong; the lines come with their first answer."""
    async with FakeSlack() as slack, running(stocked, slack, welcomes=True):
        await slack.ask("shwo 1")
        await asyncio.sleep(QUIET)
        assert told(slack) == []
        await slack.ask("show 1")
        await slack.settled(lambda: told(slack))


async def test_a_request_that_comes_twice_is_followed_once(stocked: Database) -> None:
    """So it is where two processes answer somebody at once."""
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


async def test_what_is_shared_is_the_answer_alone(stocked: Database) -> None:
    """The others read what was asked, and nothing that was meant for the asker."""
    async with FakeSlack() as slack, running(stocked, slack, welcomes=True):
        answer = await slack.ask("latest")
        await slack.settled(lambda: told(slack))
        await slack.click(answer, "Share")
        await slack.settled(lambda: slack.seen("U2"))
        assert told(slack, "U2") == []


async def test_home_opened_first_has_the_lines_on_top_once(stocked: Database) -> None:
    """They stand below the name; whoever reads them there reads them nowhere else."""
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


async def test_home_has_no_button_that_its_reader_may_not_press(stocked: Database) -> None:
    """Where admins manage posts, nobody else is offered settings."""
    variables = {"BROADSHEET_SLACK_MANAGERS": "admins"}
    async with FakeSlack() as slack, running(stocked, slack, variables_for(slack, **variables)):
        assert "Settings" not in str((await opened(slack)).blocks)


async def test_a_workspace_whose_installer_was_told_is_not_told_again(stocked: Database) -> None:
    """Whoever asks there first is told what a person is told."""
    async with FakeSlack() as slack:
        variables = many_variables(slack)
        async with running(stocked, slack, variables, welcomes=True) as (_, url):
            slack.deliver_to(url)
            await slack.install(url, "T1")
            await slack.settled(lambda: slack.seen("U1", "D1"))
            await slack.command("latest", user="U2")
            [news] = await slack.settled(lambda: told(slack, "U2"))
            assert THERE not in news.text
