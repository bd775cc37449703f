"""The buttons to save and vote in posts, answers, modals and App Home."""

from store.database import Database
from tests.adapters.slack.connected_bot import running
from tests.adapters.slack.surfaces.modal_helpers import changed, seen_at_last, shown_at_last
from tests.bot.posting.digest.editions import TITLES
from tests.fakes.slack import FakeSlack, Refuse


async def _saved(slack: FakeSlack, user: str = "U1") -> list[str]:
    """Return the titles of a user's saved papers."""
    answer = await slack.ask("saved", user)
    return [title for title in TITLES if title in answer.text]


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


async def test_a_vote_is_confirmed_where_the_card_can_not_be_changed(stocked: Database) -> None:
    """In a sentence, to who voted alone; never by a second card."""
    async with FakeSlack() as slack, running(stocked, slack):
        await slack.click(await slack.ask("show 1"), "Share")
        [shared] = await slack.settled(lambda: slack.seen("U2"))
        await slack.settled(lambda: slack.seen() == [shared])
        slack.fail("response_url", Refuse("restricted_action"))
        await slack.click(shared, "Vote")
        told = await seen_at_last(slack, 2)
        assert told.ephemeral_for == "U1"
        assert told.text.startswith("You voted for Sparse Attention: 1 vote here.")
        assert not shared.edited
