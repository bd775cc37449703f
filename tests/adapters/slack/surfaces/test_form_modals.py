"""Forms of commands, opened by a button and submitted."""

from collections.abc import Sequence
from functools import partial

from bot.commands.types import Command, Context, Group
from bot.replies.blocks import Actions, Button, Reply, Text
from store.database import Database
from tests.adapters.slack.connected_bot import running, variables_for
from tests.adapters.slack.sample_command import ORDER
from tests.adapters.slack.surfaces.modal_helpers import (
    changed,
    entered,
    labels,
    opened,
    shown_at_last,
    titles,
)
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


async def test_a_form_opens_for_the_channel_it_was_asked_in(stocked: Database) -> None:
    """The form has the channel, and its answer takes its place in the acknowledgement.

    Delivered again, it gets the same answer.
    """
    async with FakeSlack() as slack, running(stocked, slack, more=MORE):
        modal = await opened(slack, await slack.ask("order"), "Choose…")
        assert (entered(modal), titles(modal)) == ({"channel": "C1"}, ("Order", "Order"))
        ack = await slack.submit(modal, {"day": "friday", "source": "dair,paperdive"})
        assert ack.payload is not None
        assert ack.payload["response_action"] == "update"
        assert "In C1: day=4 channel=C1 source=dair+paperdive" in str(modal.blocks)
        assert labels(modal)[0] == "Choose…", "there is no way back, for none is due"
        assert slack.calls("views.update") == []
        assert (await slack.repeat(ack)).payload == ack.payload


async def test_what_is_wrong_is_told_in_the_form(stocked: Database) -> None:
    """At its input, or below the form, which is changed and submitted again."""
    async with FakeSlack() as slack, running(stocked, slack, more=MORE):
        modal = await opened(slack, await slack.ask("order"), "Change…")
        await slack.submit(modal, {"patience": "9d", "size": "99"})
        errors = {block_id.partition("-")[0]: said for block_id, said in modal.errors.items()}
        assert errors.keys() == {"size", "patience"}
        assert errors["size"].startswith("99 is too large.")
        modal.errors = {}
        await slack.submit(modal, {"patience": "2d", "size": "24"})
        assert "Nobody reads that many." in str(modal.blocks)
        assert (entered(modal)["size"], titles(modal)[0]) == ("24", "Change 7")
        await slack.submit(modal, {"size": "20"})
        assert "size=20" in str(modal.blocks)
        assert "change=7" in str(modal.blocks)


async def test_a_slow_form_is_answered_later(stocked: Database) -> None:
    """The modal waits for the answer."""
    async with FakeSlack() as slack:
        async with running(stocked, slack, more=MORE):
            modal = await opened(slack, await slack.ask("order", channel="C2"), "Choose…")
        async with running(stocked, slack, more=MORE):
            slack.fail("users.info", Slow(1.2))
            ack = await slack.submit(modal, {"patience": "2d"})
            assert ack.seconds < 1.2
            assert "Looking…" in str(modal.blocks)
            await shown_at_last(slack, modal, "patience=2 days")


async def test_the_form_of_settings_offers_the_allowed_values(stocked: Database) -> None:
    """Zones are searched, layouts and switches are listed, with a value that resets each."""
    async with FakeSlack() as slack, running(stocked, slack):
        modal = await opened(slack, await slack.ask("settings"), "Change settings")
        inputs = [block["element"] for block in modal.blocks if block["type"] == "input"]
        elements = {element["action_id"]: element for element in inputs}
        assert [each["value"] for each in elements["layout"]["options"]] == [
            "default", "compact", "full", "thread",
        ]  # fmt: skip
        assert [each["value"] for each in elements["unfurls"]["options"]] == ["on", "off"]
        for typed, first in (("", "default"), ("tok", "Asia/Tokyo")):
            ack = await slack.suggest(modal, "zone", typed)
            assert ack.payload is not None
            assert ack.payload["options"][0]["value"] == first


async def test_buttons_in_a_modal_are_about_the_channel_where_it_was_opened(
    stocked: Database,
) -> None:
    """Slack tells no channel of a modal, which keeps the one that the first was opened in."""
    async with FakeSlack() as slack, running(stocked, slack, more=MORE):
        modal = await opened(slack, await slack.ask("order", channel="C2"), "Choose…")
        await slack.submit(modal, {})
        await changed(slack, modal, "Order it")
        assert "In C2: day=4" in str(modal.blocks)
        await changed(slack, modal, "Details")
        assert labels(modal)[0] == "Back"
        await changed(slack, modal, "Back")
        assert "In C2: nothing" in str(modal.blocks)
        await changed(slack, modal, "Change…")
        assert titles(modal)[0] == "Change 7"
        assert len(slack.calls("views.open")) == 1


async def test_buttons_and_forms_work_after_a_restart(stocked: Database) -> None:
    """Messages, forms and answers in modals carry their state, so another process answers them."""
    async with FakeSlack() as slack:
        async with running(stocked, slack, more=MORE):
            answer = await slack.ask("order")
        async with running(stocked, slack, more=MORE):
            await slack.click(answer, "Details")
            await slack.settled(lambda: len(slack.seen()) == 2)
            modal = await opened(slack, answer, "Change…")
        async with running(stocked, slack, more=MORE):
            await slack.submit(modal, {"day": "sunday"})
            assert "day=6" in str(modal.blocks)
        async with running(stocked, slack, more=MORE):
            await changed(slack, modal, "Order it")
            assert "In C1: day=4" in str(modal.blocks)


async def test_a_user_without_the_role_gets_no_form(stocked: Database) -> None:
    """The modal shows the command's refusal instead; an unknown command is read as plain words."""
    variables = {"BROADSHEET_SLACK_MANAGERS": "admins"}
    async with (
        FakeSlack() as slack,
        running(stocked, slack, variables_for(slack, **variables), more=MORE),
    ):
        answer = await slack.ask("offers")
        for label, said in (("Order…", "is for managers."), ("Unknown…", "Read as: ")):
            await slack.click(answer, label)
            [modal] = await slack.settled(partial(_modals, slack, said))
            assert "submit" not in modal.payload


async def test_a_form_of_who_lost_the_role_changes_nothing(stocked: Database) -> None:
    """The refusal is told below the form, which stays as it was filled in."""
    async with FakeSlack() as slack:
        variables = variables_for(slack, BROADSHEET_SLACK_MANAGERS="admins")
        slack.add_user(slack.teams["T1"], "U1", admin=True)
        async with running(stocked, slack, variables, more=MORE):
            modal = await opened(slack, await slack.ask("order"), "Change…")
        slack.add_user(slack.teams["T1"], "U1")
        async with running(stocked, slack, variables, more=MORE):
            await slack.submit(modal, {"size": "6"})
            assert "order is for managers." in str(modal.blocks)
            assert entered(modal)["size"] == "6"


def _modals(slack: FakeSlack, said: str) -> list[View]:
    return [each for each in slack.modals() if said in str(each.blocks)]


async def test_the_form_of_the_search_is_the_search(stocked: Database) -> None:
    """Its results are below it, from the first on."""
    async with FakeSlack() as slack, running(stocked, slack, more=MORE):
        modal = await opened(slack, await slack.ask("offers"), "Search…")
        assert (entered(modal), titles(modal)) == (
            {"query": "attention", "source": "dair"},
            ("Search papers", "Search"),
        )
        await slack.submit(modal, {})
        assert "Sparse Attention" in str(modal.blocks)


async def test_a_slow_form_opens_a_loading_modal(stocked: Database) -> None:
    """A trigger runs out after three seconds, so the modal opens before the form is made."""
    async with FakeSlack() as slack:
        async with running(stocked, slack, more=MORE):
            answer = await slack.ask("order")
        async with running(stocked, slack, more=MORE):
            slack.fail("users.info", Slow(1.2))
            await slack.click(answer, "Change…")
            [modal] = await slack.settled(slack.modals)
            assert "Looking…" in str(modal.blocks)
            await slack.settled(lambda: "input" in str(modal.blocks))
            assert (titles(modal)[0], entered(modal)["size"]) == ("Change 7", "5")


async def test_the_user_is_told_of_an_expired_trigger(stocked: Database) -> None:
    """A direct message asks the user to try again where a form or the search can't open."""
    async with FakeSlack() as slack, running(stocked, slack, more=MORE):
        answer = await slack.ask("order")
        slack.fail("views.open", Refuse("expired_trigger_id"), times=2)
        await slack.click(answer, "Choose…")
        await slack.shortcut("search")
        told = await slack.settled(
            lambda: slack.seen(channel="D1")[1:] and slack.seen(channel="D1")
        )
        for message in told:
            assert message.text.splitlines() == [
                "That took too long for Slack to show it.",
                "Ask once more.",
            ]
        assert slack.modals() == []
