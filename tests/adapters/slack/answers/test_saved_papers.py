"""Saved papers in channels, direct messages, buttons, forms and App Home."""

import json

from store.database import Database
from store.posting.subscriptions import list_subscriptions
from tests.adapters.slack.connected_bot import running
from tests.adapters.slack.surfaces.modal_helpers import opened
from tests.adapters.slack.surfaces.test_home import headers
from tests.adapters.slack.surfaces.test_home import opened as opened_home
from tests.fakes.slack import FakeSlack
from tests.fakes.slack.records import buttons


async def test_the_form_of_a_note_holds_the_note(stocked: Database) -> None:
    """All of it, as it was typed; the form asks for nothing else, and emptied it removes it."""
    words = "“Compare” with ours. " + "word " * 150
    async with FakeSlack() as slack, running(stocked, slack):
        saved = await slack.ask("save 1")
        modal = await opened(slack, saved, "Write a note")
        assert (await slack.submit(modal, {"text": words})).acked
        slack.stacks.clear()  # they close the modal
        modal = await opened(slack, saved, "Write a note")
        [field] = [block for block in modal.blocks if block["type"] == "input"]
        assert field["label"]["text"] == "Your note"
        assert (field["element"]["initial_value"], field["optional"]) == (words.strip(), True)
        assert field["element"]["max_length"] == 800
        await slack.submit(modal, {"text": None})
        await slack.settled(lambda: "No note on Sparse Attention any more." in str(modal.blocks))
        assert "Your note:" not in (await slack.ask("saved")).text


async def test_home_shows_saved_papers(stocked: Database) -> None:
    """Each user's list is above the newest edition."""
    async with FakeSlack() as slack, running(stocked, slack):
        await slack.ask("note 2 read this")
        home = await opened_home(slack)
        assert headers(home)[1] == "Your list"
        assert "Your note: read this" in json.dumps(home.blocks)
        other = await opened_home(slack, "U2")
        assert "Nothing is on your list yet." in json.dumps(other.blocks)
        assert "read this" not in json.dumps(other.blocks)


async def test_subscriptions_in_direct_messages_are_deleted(stocked: Database) -> None:
    """The user's own subscription is deleted with its channel; a shared channel's stays."""
    async with FakeSlack() as slack, running(stocked, slack):
        await slack.direct_message("subscribe")
        await slack.settled(lambda: slack.seen("U1", "D1")[-1].text.startswith("Subscription"))
        await slack.ask("subscribe")
        question = await slack.ask("forget")
        assert "1 subscription" in question.text.split("direct messages")[1].splitlines()[0]
        await slack.click(question, "Delete all of it")
        await slack.settled(lambda: slack.seen()[-1].text.startswith("All that was stored"))
        left = await stocked.read(list_subscriptions)
        assert [(each.channel.external_id, each.owner) for each in left] == [("C1", "")]


async def test_home_no_longer_shows_deleted_papers(stocked: Database) -> None:
    """Papers deleted in a channel are gone from App Home too, which shows no welcome for that."""
    async with FakeSlack() as slack, running(stocked, slack):
        await slack.ask("note 2 mine")
        home = await opened_home(slack)
        assert "Your note: mine" in json.dumps(home.blocks)
        published = len(slack.calls("views.publish"))
        await slack.click(await slack.ask("forget"), "Delete all of it")
        await slack.settled(lambda: len(slack.calls("views.publish")) > published)
        [(key, now)] = slack.homes.items()
        assert key == ("T1", "U1")
        assert "Nothing is on your list yet." in json.dumps(now.blocks)
        assert "Nothing is stored about you." in (await slack.ask("forget")).text


async def test_an_old_button_shares_no_list(stocked: Database) -> None:
    """An old Share button of a private list is refused."""
    async with FakeSlack() as slack, running(stocked, slack):
        await slack.ask("note 1 mine", channel="C2")
        old = await slack.ask("latest", channel="C2")
        for _, button in buttons(old.blocks):
            if button["text"]["text"] == "Share":
                button["value"] = "1 saved"
        await slack.click(old, "Share")
        refused = (await slack.settled(lambda: slack.seen("U1", "C2")[2:]))[0]
        assert refused.ephemeral_for == "U1"
        assert "This answer is for you alone: it can't be shared." in refused.text
        assert slack.seen("U2", "C2") == []
