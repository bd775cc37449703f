"""The forms of commands: opened by a button, filled in, and what becomes of them."""

from collections.abc import Sequence
from functools import partial

from bot.commands.types import Command, Context, Group
from bot.replies.blocks import Actions, Button, Reply, Text
from store.database import Database
from tests.adapters.slack.modals import (
    changed,
    entered,
    labels,
    opened,
    shown_at_last,
    titles,
)
from tests.adapters.slack.order_command import ORDER
from tests.adapters.slack.running import running, variables_for
from tests.fakes.slack import FakeSlack, Refuse, Slow, View


async def _lookup(_context: Context) -> Reply:
    """Offer the form of a command that is for managers, of one that is none, and the search."""
    return Reply(
        (
            Text("Words."),
            Actions(
                (
                    Button("Order…", "order", form=True),
                    Button("Unknown…", "odrer friday", form=True),
                    Button("Search…", "search attention from:dair page:2", form=True),
                )
            ),
        )
    )


LOOKUP = Command("offers", Group.LOOKUP, "Offers forms", _lookup, examples=("offers",))
MORE: Sequence[Command] = (ORDER, LOOKUP)


async def test_a_form_opens_for_the_channel_it_was_asked_in(
    stocked: Database, transport: str
) -> None:
    """The channel stands in it, and a form that is submitted as it is means just that."""
    async with (
        FakeSlack() as slack,
        running(stocked, slack, variables_for(slack, transport), more=MORE),
    ):
        window = await opened(slack, await slack.ask("order"), "Choose…")
        assert (entered(window), titles(window)) == ({"channel": "C1"}, ("Order", "Order"))
        ack = await slack.submit(window, {})
        assert ack.payload is not None
        assert ack.payload["response_action"] == "update"
        assert "In C1: channel=C1" in str(window.blocks)
        assert slack.calls("views.update") == []


async def test_what_is_entered_is_what_is_asked(stocked: Database, transport: str) -> None:
    """Each input is one argument, and the answer in the window has no way back, for none is due."""
    async with (
        FakeSlack() as slack,
        running(stocked, slack, variables_for(slack, transport), more=MORE),
    ):
        window = await opened(slack, await slack.ask("order"), "Choose…")
        await slack.submit(
            window,
            {
                "day": "friday", "time": "08:15", "zone": "Asia/Tokyo", "channel": "C2",
                "source": "dair,paperdive", "topic": "agents,rag", "size": "7",
                "layout": "thread", "patience": "12h",
            },
        )  # fmt: skip
        said = str(window.blocks)
        assert "In C1: day=4 time=08:15:00 zone=Asia/Tokyo channel=C2" in said
        assert "source=dair+paperdive topic=agents+retrieval size=7" in said
        assert "layout=thread patience=12:00:00" in said
        assert labels(window)[0] == "Choose…"


async def test_a_form_that_changes_something_shows_how_it_is(
    stocked: Database, transport: str
) -> None:
    """All arguments stand in it, and the one that it does not ask for comes along.

    Topics that are taken out are said to be none: what is not said stays as it is.
    """
    async with (
        FakeSlack() as slack,
        running(stocked, slack, variables_for(slack, transport), more=MORE),
    ):
        window = await opened(slack, await slack.ask("order"), "Change…")
        assert titles(window) == ("Change 7", "Change")
        assert entered(window) == {
            "day": "tuesday", "time": "17:30", "zone": "Europe/Berlin", "channel": "C2",
            "source": "dair,paperdive", "topic": "agents", "not": "rag", "size": "5",
            "layout": "full", "patience": "2d",
        }  # fmt: skip
        await slack.submit(window, {"size": "6", "topic": None})
        said = str(window.blocks)
        assert "source=dair+paperdive topic= not=retrieval size=6" in said
        assert "change=7" in said


async def test_what_cant_be_read_stands_beside_its_input(stocked: Database) -> None:
    """A wrong argument is an error of its input, and the form stays as it is."""
    async with FakeSlack() as slack, running(stocked, slack, more=MORE):
        window = await opened(slack, await slack.ask("order"), "Choose…")
        await slack.submit(window, {"patience": "9d", "size": "99"})
        errors = {block_id.partition("-")[0]: said for block_id, said in window.errors.items()}
        assert errors.keys() == {"size", "patience"}
        assert errors["size"].startswith("99 is too large.")


async def test_what_cant_be_done_is_said_below_the_form(stocked: Database) -> None:
    """Whoever is refused can change what they entered, and submit it again."""
    async with FakeSlack() as slack, running(stocked, slack, more=MORE):
        window = await opened(slack, await slack.ask("order"), "Change…")
        await slack.submit(window, {"size": "24"})
        assert "Nobody reads that many." in str(window.blocks)
        assert (entered(window)["size"], titles(window)[0]) == ("24", "Change 7")
        await slack.submit(window, {"size": "20"})
        assert "size=20" in str(window.blocks)
        assert "change=7" in str(window.blocks)


async def test_a_slow_form_is_answered_later(stocked: Database) -> None:
    """The window waits for the answer, or for the form with what is wrong in it."""
    async with FakeSlack() as slack:
        async with running(stocked, slack, more=MORE):
            window = await opened(slack, await slack.ask("order", channel="C2"), "Choose…")
        for day, shown in (("9d", "9 days is too long"), ("2d", "patience=2 days")):
            async with running(stocked, slack, more=MORE):
                slack.fail("users.info", Slow(1.2))
                ack = await slack.submit(window, {"patience": day})
                assert ack.seconds < 1.2
                assert "Looking…" in str(window.blocks)
                await shown_at_last(slack, window, shown)


async def test_selects_of_a_form_offer_what_fits(stocked: Database, transport: str) -> None:
    """Of several topics it is the next one that is looked for; a zone has its time beside it."""
    async with (
        FakeSlack() as slack,
        running(stocked, slack, variables_for(slack, transport), more=MORE),
    ):
        window = await opened(slack, await slack.ask("order"), "Change…")
        offers = {}
        for name, beginning in (("source", "pap"), ("topic", "age"), ("zone", "tokyo")):
            ack = await slack.suggest(window, name, beginning)
            assert ack.payload is not None
            offers[name] = [each["value"] for each in ack.payload["options"]]
        assert offers == {"source": ["paperdive"], "topic": ["agents"], "zone": ["Asia/Tokyo"]}


async def test_buttons_in_the_window_ask_where_the_form_was_opened(stocked: Database) -> None:
    """Slack tells no channel of a window, which keeps the one that the first was opened in."""
    async with FakeSlack() as slack, running(stocked, slack, more=MORE):
        window = await opened(slack, await slack.ask("order", channel="C2"), "Choose…")
        await slack.submit(window, {})
        await changed(slack, window, "Order it")
        assert "In C2: day=4" in str(window.blocks)
        await changed(slack, window, "Details")
        assert labels(window)[0] == "Back"
        await changed(slack, window, "Back")
        assert "In C2: nothing" in str(window.blocks)
        await changed(slack, window, "Change…")
        assert titles(window)[0] == "Change 7"
        assert len(slack.calls("views.open")) == 1


async def test_a_form_works_after_a_restart(stocked: Database) -> None:
    """A form stands on what is in it, so whoever is there answers."""
    async with FakeSlack() as slack:
        async with running(stocked, slack, more=MORE):
            answer = await slack.ask("order")
        async with running(stocked, slack, more=MORE):
            window = await opened(slack, answer, "Change…")
        async with running(stocked, slack, more=MORE):
            await slack.submit(window, {"day": "sunday"})
            assert "day=6" in str(window.blocks)
        async with running(stocked, slack, more=MORE):
            await changed(slack, window, "Order it")
            assert "In C1: day=4" in str(window.blocks)


async def test_who_may_not_do_it_gets_no_form(stocked: Database) -> None:
    """What the command would answer stands in the window instead; so it is with an unknown one."""
    variables = {"BROADSHEET_SLACK_MANAGERS": "admins"}
    async with (
        FakeSlack() as slack,
        running(stocked, slack, variables_for(slack, **variables), more=MORE),
    ):
        answer = await slack.ask("offers")
        for label, said in (("Order…", "is for managers."), ("Unknown…", "There is no command")):
            await slack.click(answer, label)
            [window] = await slack.settled(partial(_windows, slack, said))
            assert "submit" not in window.payload


def _windows(slack: FakeSlack, said: str) -> list[View]:
    return [each for each in slack.modals() if said in str(each.blocks)]


async def test_the_form_of_the_search_is_the_search(stocked: Database) -> None:
    """Its hits stand below it as ever, from the first on."""
    async with FakeSlack() as slack, running(stocked, slack, more=MORE):
        window = await opened(slack, await slack.ask("offers"), "Search…")
        assert (entered(window), titles(window)) == (
            {"query": "attention", "source": "dair"},
            ("Search papers", "Search"),
        )
        await slack.submit(window, {})
        assert "Sparse Attention" in str(window.blocks)


async def test_a_slow_form_opens_a_window_that_waits(stocked: Database) -> None:
    """A trigger runs out after three seconds, so the window opens before the form is made."""
    async with FakeSlack() as slack:
        async with running(stocked, slack, more=MORE):
            answer = await slack.ask("order")
        async with running(stocked, slack, more=MORE):
            slack.fail("users.info", Slow(1.2))
            await slack.click(answer, "Change…")
            [window] = await slack.settled(slack.modals)
            assert "Looking…" in str(window.blocks)
            await slack.settled(lambda: "input" in str(window.blocks))
            assert (titles(window)[0], entered(window)["size"]) == ("Change 7", "5")


async def test_a_form_that_can_open_no_more_is_told_of(stocked: Database) -> None:
    """Where the trigger ran out, a direct message says to ask once more."""
    async with FakeSlack() as slack, running(stocked, slack, more=MORE):
        answer = await slack.ask("order")
        slack.fail("views.open", Refuse("expired_trigger_id"))
        await slack.click(answer, "Choose…")
        [told] = await slack.settled(lambda: slack.seen(channel="D1"))
        assert told.text.splitlines()[0] == "That took too long for Slack to show it."


async def test_a_form_that_comes_twice_is_answered_once(stocked: Database) -> None:
    """The second delivery gets the same answer."""
    async with FakeSlack() as slack, running(stocked, slack, more=MORE):
        window = await opened(slack, await slack.ask("order"), "Choose…")
        first = await slack.submit(window, {"day": "friday"})
        again = await slack.repeat(first)
        assert again.payload == first.payload
