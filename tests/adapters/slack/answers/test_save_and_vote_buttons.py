"""The buttons to save and vote in posts, answers, modals and App Home."""

import asyncio

import pytest
from sqlalchemy import Engine

from adapters.slack.platform import SlackPlatform
from bot.posting.ports import Message as PostMessage
from store.database import Database
from store.readers.votes import of_refs
from store.records import Channel, Layout, Workspace
from tests.adapters.slack.connected_bot import running, variables_for
from tests.adapters.slack.surfaces.modal_helpers import changed, seen_at_last, shown_at_last
from tests.bot.posting.digest.post_replies import REFS, TITLES, posted
from tests.fakes.slack import FakeSlack, Message


async def _post(slack: FakeSlack, platform: SlackPlatform, layout: Layout) -> Message:
    """Post the edition in C1, and return the last message of that."""
    channel = Channel(Workspace("slack", "T1"), "C1")
    for number, reply in enumerate(posted(layout, platform.channel_client.fits)):
        await platform.channel_client.send(PostMessage(channel, f"key{number}", reply))
    return slack.seen("U2")[-1]


async def _saved(slack: FakeSlack, user: str = "U1") -> list[str]:
    """Return the titles of a user's saved papers."""
    answer = await slack.ask("saved", user)
    return [title for title in TITLES if title in answer.text]


async def _counted(database: Database, votes: int) -> None:
    """Wait until so many votes of the workspace are for the first paper.

    Raises:
        TimeoutError: if they never are.
    """
    async with asyncio.timeout(8):
        while await _votes(database) != votes:  # noqa: ASYNC110 - a store has no event
            await asyncio.sleep(0.01)


async def _votes(database: Database) -> int:
    found = await database.read(of_refs, Workspace("slack", "T1"), REFS)
    return found.get(REFS[0], 0)


async def test_save_below_a_card_of_a_post(stocked: Database, transport: str) -> None:
    """The paper is on the user's list, the user alone is told, and the post stays."""
    async with (
        FakeSlack() as slack,
        running(stocked, slack, variables_for(slack, transport)) as (platform, _),
    ):
        post = await _post(slack, platform, Layout.FULL)
        assert post.buttons[:3] == ["Details 1", "Save", "Vote"]
        await slack.click(post, "Save A Survey of Agents")
        told = await seen_at_last(slack, 2)
        assert (told.ephemeral_for, told.buttons[:1]) == ("U1", ["Take back"])
        assert "On your list: A Survey of Agents." in told.text
        assert (await _saved(slack), await _saved(slack, "U2")) == ([TITLES[1]], [])
        assert not post.edited


async def test_save_from_the_menu_of_a_post(stocked: Database, transport: str) -> None:
    """A list has its papers in a menu; what is picked is on the list of who picked it."""
    async with (
        FakeSlack() as slack,
        running(stocked, slack, variables_for(slack, transport)) as (platform, _),
    ):
        post = await _post(slack, platform, Layout.COMPACT)
        options = [f"{number}. {title}" for number, title in enumerate(TITLES, start=1)]
        assert post.menus == {
            "Open a paper": options,
            "Save a paper": options,
            "Vote for a paper": options,
        }
        await slack.choose(post, "Save a paper", options[2])
        told = await seen_at_last(slack, 2)
        assert (told.ephemeral_for, await _saved(slack)) == ("U1", [TITLES[2]])


async def test_a_vote_in_a_post_is_quiet(stocked: Database, transport: str) -> None:
    """The vote counts without a message, and the menu removes it again."""
    async with (
        FakeSlack() as slack,
        running(stocked, slack, variables_for(slack, transport)) as (platform, _),
    ):
        post = await _post(slack, platform, Layout.COMPACT)
        for votes in (1, 0):
            await slack.choose(post, "Vote for a paper", "1. Sparse Attention")
            await _counted(stocked, votes)
        # What was said before it would stand above.
        await slack.choose(post, "Open a paper", "1. Sparse Attention")
        assert (await seen_at_last(slack, 2)).text.startswith("Sparse Attention")
        assert len(slack.response_url_uses) == 1


async def test_a_vote_in_an_answer_shows_there(stocked: Database, transport: str) -> None:
    """An ephemeral card is replaced by one with the new count."""
    async with FakeSlack() as slack, running(stocked, slack, variables_for(slack, transport)):
        card = await slack.ask("show 1")
        await slack.click(card, "Vote")
        await slack.settled(lambda: "Take back vote (1)" in card.buttons)
        await slack.click(card, "Take back vote (1)")
        await slack.settled(lambda: "Vote" in card.buttons)
        assert slack.seen() == [card]


@pytest.mark.parametrize("layout", [Layout.FULL, Layout.COMPACT])
async def test_a_failure_is_never_quiet(stocked: Database, layout: Layout) -> None:
    """The voter is told of a failure, and the card stays as it is."""
    async with FakeSlack() as slack, running(stocked, slack) as (platform, _):
        post, card = await _post(slack, platform, layout), await slack.ask("show 1")
        before = len(slack.seen())
        await stocked.run(_lose_votes)
        if layout is Layout.COMPACT:
            await slack.choose(post, "Vote for a paper", "1. Sparse Attention")
        else:
            await slack.click(card, "Vote")
        told = await seen_at_last(slack, before + 1)
        assert told.text.startswith("Something went wrong")
        assert not card.edited


def _lose_votes(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE vote")


async def test_save_from_a_list_in_app_home_and_in_a_modal(stocked: Database) -> None:
    """App Home and modals have menus too, and answer them in place."""
    async with FakeSlack() as slack, running(stocked, slack):
        await slack.open_home()
        await slack.settled(slack.home)
        home = slack.home()
        assert home
        await slack.click(home, "Save 2")
        await shown_at_last(slack, home, "On your list: A Survey of Agents.")
        await slack.click(home, "open-search")
        [modal] = await slack.settled(slack.modals)
        await slack.submit(modal, {"query": "routing"})
        await slack.settled(lambda: "overflow" in str(modal.blocks))
        seen = modal.hash
        await slack.click(modal, "Save 1")
        await slack.settled(lambda: modal.hash != seen)
        assert "On your list" in str(modal.blocks)
        assert await _saved(slack) == list(TITLES[1:])


async def test_a_saved_paper_is_removed_in_a_modal(stocked: Database) -> None:
    """The buttons of the answer work in the modal."""
    async with FakeSlack() as slack, running(stocked, slack):
        await slack.shortcut("search")
        [modal] = await slack.settled(slack.modals)
        await slack.submit(modal, {"query": "survey"})
        await slack.settled(lambda: "overflow" in str(modal.blocks))
        before = modal.hash
        await slack.click(modal, "Save 1")
        await slack.settled(lambda: modal.hash != before)
        await changed(slack, modal, "Take back")
        assert await _saved(slack) == []
