"""The modals of the search and of the message shortcut."""

from datetime import timedelta

from store.database import Database
from tests.adapters.common.delivery_worker import until_seen
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
    """The results are below the form, which keeps its values."""
    async with FakeSlack() as slack, running(stocked, slack, variables_for(slack, transport)):
        modal = await searching(slack)
        assert (entered(modal), shown(modal)) == ({}, ["input"] * 6)
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


async def test_an_invalid_value_is_an_error_at_its_input(stocked: Database) -> None:
    """An invalid period is an error at its input, and the modal stays as it is."""
    async with FakeSlack() as slack, running(stocked, slack):
        modal = await searching(slack)
        await slack.submit(modal, {"query": "attention", "since": "soon", "until": "2026"})
        [(block_id, error)] = modal.errors.items()
        assert block_id.startswith("since-")
        assert error.startswith("I can't read 'soon' as a period. A period is a year (2025)")


async def test_an_empty_search_is_explained_below_the_form(stocked: Database) -> None:
    """An error of the whole search is below the form, with a button that corrects it."""
    async with FakeSlack() as slack, running(stocked, slack):
        modal = await searching(slack)
        await slack.submit(modal, {"query": "-survey"})
        assert entered(modal) == {"query": "-survey"}
        assert labels(modal) == ["search reasoning"]


async def test_selects_offer_values_in_the_store(stocked: Database, transport: str) -> None:
    """Options come in the acknowledgement: all at first, then what fits the beginning."""
    async with FakeSlack() as slack, running(stocked, slack, variables_for(slack, transport)):
        modal = await searching(slack)
        offers = {}
        for beginning in ("", "pap", "nobody"):
            ack = await slack.suggest(modal, "source", beginning)
            assert ack.payload is not None
            offers[beginning] = [each["value"] for each in ack.payload["options"]]
        assert offers == {"": ["dair", "paperdive"], "pap": ["paperdive"], "nobody": []}


async def test_home_opens_the_search(stocked: Database) -> None:
    """The Search button of App Home opens the same modal as the shortcut."""
    async with FakeSlack() as slack, running(stocked, slack):
        await slack.open_home()
        home = await slack.settled(slack.home)
        assert home is not None
        await slack.click(home, "Search")
        [modal] = await slack.settled(slack.modals)
        assert (entered(modal), shown(modal)) == ({}, ["input"] * 6)


async def test_a_message_that_links_a_paper_shows_it(stocked: Database) -> None:
    """The paper opens, and the way back is the search for the message's words."""
    async with FakeSlack() as slack, running(stocked, slack):
        modal = await looking_up(slack, f"Has anybody read <{KNOWN}v2|this>?")
        assert "Routing Experts" in str(modal.blocks)
        await changed(slack, modal, "Back to the search")
        assert entered(modal) == {"query": "Has anybody read"}


async def test_a_message_that_names_a_title_shows_the_paper(stocked: Database) -> None:
    """Words that one title alone holds are that paper."""
    async with FakeSlack() as slack, running(stocked, slack):
        modal = await looking_up(slack, "*a survey of agents*")
        assert "Attention, tools and memory." in str(modal.blocks)


async def test_other_messages_fill_the_search(stocked: Database) -> None:
    """Where no paper is meant, the form opens with the message's words; nothing is looked for."""
    async with FakeSlack() as slack, running(stocked, slack):
        modal = await looking_up(slack, "<@U2> what do you think of sparsity &amp; noise?")
        assert entered(modal) == {"query": "what do you think of sparsity & noise"}
        assert shown(modal) == ["input"] * 6


async def test_links_that_no_edition_features_are_reported(stocked: Database) -> None:
    """The search opens with a notice that no edition names the paper."""
    async with FakeSlack() as slack, running(stocked, slack):
        modal = await looking_up(slack, "https://arxiv.org/abs/2401.99999")
        assert entered(modal) == {}
        assert "2401.99999" in str(modal.blocks)


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


async def test_papers_that_are_listed_are_not_opened(stocked: Database) -> None:
    """Several papers of a message are listed and not seen; a single one is shown and seen."""
    other = entry(1, "Another Paper", "On words.", links=["https://arxiv.org/abs/2512.00001"])
    await stocked.write(take_in, edition(other, first_day=MONDAY - timedelta(days=7)), "other")
    async with FakeSlack() as slack, running(stocked, slack):
        said = slack.say(f"{KNOWN} and arXiv:2512.00001", "U1"), slack.say(KNOWN, "U1")
        for message, user in zip(said, ("U1", "U2"), strict=True):
            await slack.message_shortcut("lookup", message, user)
        await slack.settled(lambda: len(slack.calls("views.open")) == len(said))
        await until_seen(stocked, 1)
        briefs = [await slack.command("brief 60", user=user) for user in ("U1", "U2")]
        several, one = (str(each.message and each.message.blocks) for each in briefs)
        assert ("Routing Experts" in several, "Another Paper" in several) == (True, True)
        assert ("Routing Experts" in one, "Another Paper" in one) == (False, True)


async def test_a_slow_answer_updates_the_loading_modal(stocked: Database) -> None:
    """The modal opens or stays within the time that Slack gives, and is filled afterwards."""
    async with FakeSlack() as slack, running(stocked, slack):
        modal = await searching(slack)
        slack.fail("users.info", Slow(1.2))
        ack = await slack.submit(modal, {"query": "attention", "since": "2026"})
        assert ack.seconds < 1.2
        assert "Looking…" in str(modal.blocks)
        assert entered(modal) == {"query": "attention", "since": "2026"}
        await slack.settled(lambda: "Sparse Attention" in str(modal.blocks))
        assert entered(modal) == {"query": "attention", "since": "2026"}


async def test_a_late_error_is_below_the_form(stocked: Database) -> None:
    """A late error is below the form, because it can no longer be at its input."""
    async with FakeSlack() as slack, running(stocked, slack):
        modal = await searching(slack)
        slack.fail("users.info", Slow(1.2))
        await slack.submit(modal, {"query": "attention", "since": "soon"})
        await slack.settled(lambda: "I can't read 'soon' as a period." in str(modal.blocks))
        assert entered(modal) == {"query": "attention", "since": "soon"}


async def test_a_slow_message_opens_a_loading_modal(stocked: Database) -> None:
    """A trigger runs out after three seconds, so the modal opens before the papers are found."""
    async with FakeSlack() as slack, running(stocked, slack):
        slack.fail("users.info", Slow(1.2))
        modal = await opened(slack, KNOWN)
        assert "Looking…" in str(modal.blocks)
        await slack.settled(lambda: "Routing Experts" in str(modal.blocks))


async def test_the_user_is_told_of_an_expired_trigger(stocked: Database) -> None:
    """A direct message asks the user to try again where the trigger has expired."""
    async with FakeSlack() as slack, running(stocked, slack):
        slack.fail("views.open", Refuse("expired_trigger_id"))
        await slack.shortcut("search")
        [told] = await slack.settled(lambda: slack.seen(channel="D1"))
        assert told.text.splitlines() == [
            "That took too long for Slack to show it.",
            "Ask once more.",
        ]
        assert slack.modals() == []


async def test_a_redelivered_request_is_handled_once(stocked: Database) -> None:
    """A shortcut opens one modal, and a form that comes again gets the same answer."""
    async with FakeSlack() as slack, running(stocked, slack):
        opening = await slack.shortcut("search")
        [modal] = await slack.settled(slack.modals)
        await slack.repeat(opening)
        first = await slack.submit(modal, {"query": "attention"})
        again = await slack.repeat(first)
        assert again.payload == first.payload
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


async def test_modals_work_after_a_restart(stocked: Database) -> None:
    """Forms and buttons carry their state, so they work after a restart."""
    async with FakeSlack() as slack:
        async with running(stocked, slack):
            modal = await searching(slack)
        async with running(stocked, slack):
            await slack.submit(modal, {"query": "attention"})
        async with running(stocked, slack):
            await changed(slack, modal, "Details 1")
            await changed(slack, modal, "Back to the search")
            assert entered(modal) == {"query": "attention"}
