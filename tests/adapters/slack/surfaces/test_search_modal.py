"""The modals of the search and of the message shortcut."""

from datetime import timedelta

from store.database import Database
from tests.adapters.slack.connected_bot import running, variables_for
from tests.adapters.slack.surfaces.modal_helpers import changed, entered, labels
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in
from tests.fakes.slack import FakeSlack, Refuse, Slow, View

KNOWN = "https://arxiv.org/abs/2601.00003"


def shown(view: View) -> list[str]:
    """Return the types of a modal's blocks."""
    return [block["type"] for block in view.blocks]


async def searching(slack: FakeSlack) -> View:
    """Choose the global shortcut and return the modal that opens."""
    assert (await slack.shortcut("search")).acked
    [modal] = await slack.settled(slack.modals)
    return modal


async def opened(slack: FakeSlack, text: str) -> View:
    """Choose the shortcut on a message and return the modal that opens."""
    assert (await slack.message_shortcut("lookup", slack.say(text, "U2"), "U1")).acked
    [modal] = await slack.settled(slack.modals)
    return modal


async def looking_up(slack: FakeSlack, text: str) -> View:
    """Choose the shortcut on a message and return the modal once it shows an answer."""
    modal = await opened(slack, text)
    await slack.settled(lambda: "Looking…" not in str(modal.blocks))
    return modal


async def test_a_search_is_answered_in_its_modal(stocked: Database, transport: str) -> None:
    """The results are below the form, which keeps its values.

    Its selects offer what is stored: all at first, then what fits the beginning.
    """
    async with FakeSlack() as slack, running(stocked, slack, variables_for(slack, transport)):
        modal = await searching(slack)
        assert (entered(modal), shown(modal)) == ({}, ["input"] * 6)
        for beginning, offered in (("", ["dair", "paperdive"]), ("pap", ["paperdive"]), ("x", [])):
            ack = await slack.suggest(modal, "source", beginning)
            assert ack.payload is not None
            assert [each["value"] for each in ack.payload["options"]] == offered
        ack = await slack.submit(modal, {"query": "attention", "source": "dair", "since": "2026"})
        assert ack.payload is not None
        assert ack.payload["response_action"] == "update"
        assert entered(modal) == {"query": "attention", "source": "dair", "since": "2026"}
        assert "Sparse Attention" in str(modal.blocks)
        assert slack.calls("views.update") == []


async def test_a_search_shows_how_it_was_read(stocked: Database) -> None:
    """A telephone's quotes and dashes are plain ones, and what names a field stands in that."""
    async with FakeSlack() as slack, running(stocked, slack):
        modal = await searching(slack)
        await slack.submit(modal, {"query": "“sparse attention” –survey from:dair "})
        read = {"query": '"sparse attention" -survey', "source": "dair"}
        assert entered(modal) == read
        assert "Sparse Attention" in str(modal.blocks)
        await changed(slack, modal, "Details 1")
        await changed(slack, modal, "Back to the search")
        assert entered(modal) == read


async def test_answers_in_a_modal_lead_back_to_the_search(stocked: Database) -> None:
    """The back button leads from any answer to the search with its form and results."""
    async with FakeSlack() as slack, running(stocked, slack):
        modal = await searching(slack)
        await slack.submit(modal, {"query": "attention"})
        found = modal.payload["blocks"]
        await changed(slack, modal, "Details 1")
        assert labels(modal)[0] == "Back to the search"
        assert "input" not in shown(modal)
        await changed(slack, modal, "More related papers")
        await changed(slack, modal, "Back to the paper")
        await changed(slack, modal, "Back to the search")
        assert modal.payload["blocks"] == found


async def test_a_button_with_another_search_fills_the_form(stocked: Database) -> None:
    """Where nothing was found, the search that is offered instead is what the form shows then."""
    async with FakeSlack() as slack, running(stocked, slack):
        modal = await searching(slack)
        await slack.submit(modal, {"query": "sparse", "source": "paperdive"})
        await changed(slack, modal, "search sparse")
        assert entered(modal) == {"query": "sparse"}
        assert "Sparse Attention" in str(modal.blocks)


async def test_an_empty_search_is_explained_below_the_form(stocked: Database) -> None:
    """An error of the whole search is below the form, with a button that corrects it."""
    async with FakeSlack() as slack, running(stocked, slack):
        modal = await searching(slack)
        await slack.submit(modal, {"query": "-survey"})
        assert entered(modal) == {"query": "-survey"}
        assert labels(modal) == ["search reasoning"]


async def test_a_message_is_looked_up(stocked: Database) -> None:
    """By its link or a title, else its words fill the search, in which nothing is looked for."""
    async with FakeSlack() as slack, running(stocked, slack):
        modal = await looking_up(slack, f"Has anybody read <{KNOWN}v2|this>?")
        assert "Routing Experts" in str(modal.blocks)
        await changed(slack, modal, "Back to the search")
        assert entered(modal) == {"query": "Has anybody read"}
        slack.stacks.clear()  # they close it
        modal = await looking_up(slack, "*a survey of agents*")
        assert "Attention, tools and memory." in str(modal.blocks)
        slack.stacks.clear()
        modal = await looking_up(slack, "<@U2> what do you think of sparsity &amp; noise?")
        assert entered(modal) == {"query": "what do you think of sparsity & noise"}
        assert shown(modal) == ["input"] * 6
        slack.stacks.clear()
        modal = await looking_up(slack, "https://arxiv.org/abs/2401.99999")
        assert entered(modal) == {}
        assert "2401.99999" in str(modal.blocks), "no edition names it"


async def test_several_papers_are_listed_with_the_way_back(stocked: Database) -> None:
    """Each paper of a message opens from the list, and back leads to the list."""
    other = entry(1, "Another Paper", "On words.", links=["https://arxiv.org/abs/2512.00001"])
    await stocked.write(take_in, edition(other, first_day=MONDAY - timedelta(days=70)), "dair")
    async with FakeSlack() as slack, running(stocked, slack):
        text = f"{KNOWN} and arXiv:2512.00001 and https://arxiv.org/abs/2401.99999 are for today"
        modal = await looking_up(slack, text)
        listed = modal.payload["blocks"]
        assert labels(modal) == ["Back to the search"]
        await changed(slack, modal, "Details 2")
        assert "On words." in str(modal.blocks)
        await changed(slack, modal, "Back to the papers")
        assert labels(modal) == ["Back to the search"]
        assert modal.payload["blocks"][1:] == listed[1:]


async def test_a_late_error_is_below_the_form(stocked: Database) -> None:
    """The form waits with its values; a late error can no longer be at its input."""
    async with FakeSlack() as slack, running(stocked, slack):
        modal = await searching(slack)
        slack.fail("users.info", Slow(1.2))
        ack = await slack.submit(modal, {"query": "attention", "since": "soon"})
        assert ack.seconds < 1.2
        assert "Looking…" in str(modal.blocks)
        await slack.settled(lambda: "I can't read 'soon' as a period." in str(modal.blocks))
        assert entered(modal) == {"query": "attention", "since": "soon"}


async def test_a_slow_message_opens_a_loading_modal(stocked: Database) -> None:
    """A trigger runs out after three seconds, so the modal opens before the papers are found."""
    async with FakeSlack() as slack, running(stocked, slack):
        slack.fail("users.info", Slow(1.2))
        modal = await opened(slack, KNOWN)
        assert "Looking…" in str(modal.blocks)
        await slack.settled(lambda: "Routing Experts" in str(modal.blocks))


async def test_a_redelivered_shortcut_opens_one_modal(stocked: Database) -> None:
    """Whichever is delivered first."""
    async with FakeSlack() as slack, running(stocked, slack):
        opening = await slack.shortcut("search")
        await slack.settled(slack.modals)
        await slack.repeat(opening)
        await slack.ask("latest")
        assert len(slack.calls("views.open")) == 1


async def test_a_modal_that_was_closed_stays_closed(stocked: Database) -> None:
    """A button of a closed modal has no effect, and the next one works."""
    async with FakeSlack() as slack, running(stocked, slack):
        modal = await searching(slack)
        await slack.submit(modal, {"query": "attention"})
        slack.fail("views.update", Refuse("not_found"))
        await slack.click(modal, "Details 1")
        await slack.settled(lambda: slack.calls("views.update"))
        await changed(slack, modal, "Details 2")
        assert labels(modal)[0] == "Back to the search"
