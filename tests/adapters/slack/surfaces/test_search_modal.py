"""Windows: the search form and its answers, and what is known of a message."""

from datetime import timedelta
from typing import Any

from store.database import Database
from tests.adapters.slack.running import running, variables_for
from tests.bot.ingest.drafting import MONDAY, edition, entry
from tests.bot.ingest.importing import take_in
from tests.fakes.slack import FakeSlack, Refuse, Slow, View
from tests.fakes.slack.records import buttons

KNOWN = "https://arxiv.org/abs/2601.00003"


def labels(view: View) -> list[str]:
    """Return the words on a window's buttons."""
    return [button["text"]["text"] for _, button in buttons(view.blocks)]


def shown(view: View) -> list[str]:
    """Return the kinds of a window's blocks."""
    return [block["type"] for block in view.blocks]


def entered(view: View) -> dict[str, Any]:
    """Return what stands in the inputs of a window."""
    elements = [block["element"] for block in view.blocks if block["type"] == "input"]
    values = {
        each["action_id"]: each.get("initial_value") or each.get("initial_option", {}).get("value")
        for each in elements
    }
    return {name: value for name, value in values.items() if value}


async def searching(slack: FakeSlack) -> View:
    """Choose the global shortcut and return the window that opens."""
    assert (await slack.shortcut("search")).acked
    [window] = await slack.settled(slack.modals)
    return window


async def looking_up(slack: FakeSlack, text: str) -> View:
    """Choose the shortcut on a message and return the window that opens."""
    assert (await slack.message_shortcut("lookup", slack.say(text, "U2"), "U1")).acked
    [window] = await slack.settled(slack.modals)
    return window


async def pressed(slack: FakeSlack, window: View, label: str) -> View:
    """Press a button of a window and wait until it has changed."""
    seen = window.hash
    await slack.click(window, label)
    await slack.settled(lambda: window.hash != seen)
    return window


async def test_a_search_is_answered_in_its_window(stocked: Database, transport: str) -> None:
    """The hits stand below the form, which goes on showing what was looked for."""
    async with FakeSlack() as slack, running(stocked, slack, variables_for(slack, transport)):
        window = await searching(slack)
        assert (entered(window), shown(window)) == ({}, ["input"] * 5)
        ack = await slack.submit(window, {"query": "attention", "source": "dair", "since": "2026"})
        assert ack.payload is not None
        assert ack.payload["response_action"] == "update"
        assert entered(window) == {"query": "attention", "source": "dair", "since": "2026"}
        assert "Sparse Attention" in str(window.blocks)
        assert slack.calls("views.update") == []


async def test_answers_in_a_window_lead_back_to_the_search(
    stocked: Database, transport: str
) -> None:
    """However far buttons lead, the way back is the search with its form and its hits."""
    async with FakeSlack() as slack, running(stocked, slack, variables_for(slack, transport)):
        window = await searching(slack)
        await slack.submit(window, {"query": "attention"})
        found = window.payload["blocks"]
        await pressed(slack, window, "Details 1")
        assert labels(window)[0] == "Back to the search"
        assert "input" not in shown(window)
        await pressed(slack, window, "More related papers")
        await pressed(slack, window, "Back to the paper")
        await pressed(slack, window, "Back to the search")
        assert window.payload["blocks"] == found


async def test_a_button_with_another_search_fills_the_form(stocked: Database) -> None:
    """Where nothing was found, the search that is offered instead is what the form shows then."""
    async with FakeSlack() as slack, running(stocked, slack):
        window = await searching(slack)
        await slack.submit(window, {"query": "sparse", "source": "paperdive"})
        await pressed(slack, window, "search sparse")
        assert entered(window) == {"query": "sparse"}
        assert "Sparse Attention" in str(window.blocks)


async def test_what_cant_be_read_is_said_beside_its_input(stocked: Database) -> None:
    """A period that is none is an error of its input, and the window stays as it is."""
    async with FakeSlack() as slack, running(stocked, slack):
        window = await searching(slack)
        await slack.submit(window, {"query": "attention", "since": "soon", "until": "2026"})
        [(block_id, error)] = window.errors.items()
        assert block_id.startswith("since-")
        assert error.startswith("I can't read 'soon' as a period. A period is a year (2025)")


async def test_a_search_for_nothing_is_told_below_the_form(stocked: Database) -> None:
    """What is wrong with a search as a whole stands below it, with a button to a right one."""
    async with FakeSlack() as slack, running(stocked, slack):
        window = await searching(slack)
        await slack.submit(window, {"query": "-survey"})
        assert entered(window) == {"query": "-survey"}
        assert labels(window) == ["search reasoning"]


async def test_selects_offer_what_the_store_knows(stocked: Database, transport: str) -> None:
    """Options come in the acknowledgement: all at first, then what fits the beginning."""
    async with FakeSlack() as slack, running(stocked, slack, variables_for(slack, transport)):
        window = await searching(slack)
        offers = {}
        for beginning in ("", "pap", "nobody"):
            ack = await slack.suggest(window, "source", beginning)
            assert ack.payload is not None
            offers[beginning] = [each["value"] for each in ack.payload["options"]]
        assert offers == {"": ["dair", "paperdive"], "pap": ["paperdive"], "nobody": []}


async def test_home_opens_the_search(stocked: Database) -> None:
    """The Search button of App Home opens the same window as the shortcut."""
    async with FakeSlack() as slack, running(stocked, slack):
        await slack.open_home()
        home = await slack.settled(slack.home)
        assert home is not None
        await slack.click(home, "Search")
        [window] = await slack.settled(slack.modals)
        assert (entered(window), shown(window)) == ({}, ["input"] * 5)


async def test_a_message_that_links_a_paper_shows_it(stocked: Database, transport: str) -> None:
    """The paper opens at once, and the way back is the search for the message's words."""
    async with FakeSlack() as slack, running(stocked, slack, variables_for(slack, transport)):
        window = await looking_up(slack, f"Has anybody read <{KNOWN}v2|this>?")
        assert "Routing Experts" in str(window.blocks)
        assert slack.calls("views.update") == []
        await pressed(slack, window, "Back to the search")
        assert entered(window) == {"query": "Has anybody read"}


async def test_a_message_that_names_a_title_shows_the_paper(stocked: Database) -> None:
    """Words that one title alone holds are that paper."""
    async with FakeSlack() as slack, running(stocked, slack):
        window = await looking_up(slack, "*a survey of agents*")
        assert "Attention, tools and memory." in str(window.blocks)


async def test_other_messages_fill_the_search(stocked: Database) -> None:
    """Where no paper is meant, the form opens with the message's words; nothing is looked for."""
    async with FakeSlack() as slack, running(stocked, slack):
        window = await looking_up(slack, "<@U2> what do you think of sparsity &amp; noise?")
        assert entered(window) == {"query": "what do you think of sparsity & noise"}
        assert shown(window) == ["input"] * 5


async def test_links_that_nobody_featured_are_told_of(stocked: Database) -> None:
    """The search opens below which it says that no edition names the paper."""
    async with FakeSlack() as slack, running(stocked, slack):
        window = await looking_up(slack, "https://arxiv.org/abs/2401.99999")
        assert entered(window) == {}
        assert "2401.99999" in str(window.blocks)


async def test_several_papers_are_listed_with_the_way_back(stocked: Database) -> None:
    """Each paper of a message opens from the list, and back leads to the list."""
    other = entry(1, "Another Paper", "On words.", links=["https://arxiv.org/abs/2512.00001"])
    await stocked.write(take_in, edition(other, first_day=MONDAY - timedelta(days=70)), "dair")
    async with FakeSlack() as slack, running(stocked, slack):
        text = f"{KNOWN} and arXiv:2512.00001 and https://arxiv.org/abs/2401.99999 are for today"
        window = await looking_up(slack, text)
        listed = window.payload["blocks"]
        assert labels(window) == ["Back to the search", "Details 1", "Details 2"]
        await pressed(slack, window, "Details 2")
        assert "On words." in str(window.blocks)
        await pressed(slack, window, "Back to the papers")
        assert labels(window) == ["Back to the search", "Details 1", "Details 2"]
        assert window.payload["blocks"][1:] == listed[1:]


async def test_papers_that_are_listed_are_not_opened(stocked: Database) -> None:
    """Who looks up a message with several has seen none of them; one alone is shown, and seen."""
    other = entry(1, "Another Paper", "On words.", links=["https://arxiv.org/abs/2512.00001"])
    await stocked.write(take_in, edition(other, first_day=MONDAY - timedelta(days=7)), "other")
    async with FakeSlack() as slack, running(stocked, slack):
        said = slack.say(f"{KNOWN} and arXiv:2512.00001", "U1"), slack.say(KNOWN, "U1")
        for message, user in zip(said, ("U1", "U2"), strict=True):
            await slack.message_shortcut("lookup", message, user)
        await slack.settled(lambda: len(slack.calls("views.open")) == len(said))
        briefs = [await slack.command("brief 60", user=user) for user in ("U1", "U2")]
        several, one = (str(each.message and each.message.blocks) for each in briefs)
        assert ("Routing Experts" in several, "Another Paper" in several) == (True, True)
        assert ("Routing Experts" in one, "Another Paper" in one) == (False, True)


async def test_a_slow_answer_comes_into_the_window_that_waits(stocked: Database) -> None:
    """The window opens or stays within the time that Slack gives, and is filled afterwards."""
    async with FakeSlack() as slack, running(stocked, slack):
        window = await searching(slack)
        slack.fail("users.info", Slow(1.2))
        ack = await slack.submit(window, {"query": "attention", "since": "2026"})
        assert ack.seconds < 1.2
        assert "Looking…" in str(window.blocks)
        assert entered(window) == {"query": "attention", "since": "2026"}
        await slack.settled(lambda: "Sparse Attention" in str(window.blocks))
        assert entered(window) == {"query": "attention", "since": "2026"}


async def test_a_slow_error_stands_below_the_form(stocked: Database) -> None:
    """What can no longer stand beside its input is said below the form."""
    async with FakeSlack() as slack, running(stocked, slack):
        window = await searching(slack)
        slack.fail("users.info", Slow(1.2))
        await slack.submit(window, {"query": "attention", "since": "soon"})
        await slack.settled(lambda: "I can't read 'soon' as a period." in str(window.blocks))
        assert entered(window) == {"query": "attention", "since": "soon"}


async def test_a_slow_message_opens_a_window_that_waits(stocked: Database) -> None:
    """A trigger runs out after three seconds, so the window opens before the papers are found."""
    async with FakeSlack() as slack, running(stocked, slack):
        slack.fail("users.info", Slow(1.2))
        window = await looking_up(slack, KNOWN)
        assert "Looking…" in str(window.blocks)
        await slack.settled(lambda: "Routing Experts" in str(window.blocks))


async def test_somebody_whose_trigger_ran_out_is_told(stocked: Database) -> None:
    """Where no window can open any more, a direct message says to ask once more."""
    async with FakeSlack() as slack, running(stocked, slack):
        slack.fail("views.open", Refuse("expired_trigger_id"))
        await slack.shortcut("search")
        [told] = await slack.settled(lambda: slack.seen(channel="D1"))
        assert told.text.splitlines() == [
            "That took too long for Slack to show it.",
            "Ask once more.",
        ]
        assert slack.modals() == []


async def test_what_is_delivered_twice_is_done_once(stocked: Database) -> None:
    """A shortcut opens one window, and a form that comes again gets the same answer."""
    async with FakeSlack() as slack, running(stocked, slack):
        opening = await slack.shortcut("search")
        [window] = await slack.settled(slack.modals)
        await slack.repeat(opening)
        first = await slack.submit(window, {"query": "attention"})
        again = await slack.repeat(first)
        assert again.payload == first.payload
        assert len(slack.calls("views.open")) == 1


async def test_a_window_that_was_closed_stays_closed(stocked: Database) -> None:
    """A press whose window is gone changes nothing, and the next one works."""
    async with FakeSlack() as slack, running(stocked, slack):
        window = await searching(slack)
        await slack.submit(window, {"query": "attention"})
        slack.fail("views.update", Refuse("not_found"))
        await slack.click(window, "Details 1")
        await slack.settled(lambda: slack.calls("views.update"))
        await pressed(slack, window, "Details 2")
        assert labels(window)[0] == "Back to the search"


async def test_windows_work_after_a_restart(stocked: Database) -> None:
    """A form and a button stand on what is in them, so whoever is there answers."""
    async with FakeSlack() as slack:
        async with running(stocked, slack):
            window = await searching(slack)
        async with running(stocked, slack):
            await slack.submit(window, {"query": "attention"})
        async with running(stocked, slack):
            await pressed(slack, window, "Details 1")
            await pressed(slack, window, "Back to the search")
            assert entered(window) == {"query": "attention"}
