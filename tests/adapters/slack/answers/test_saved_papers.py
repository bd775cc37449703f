"""Saved papers in channels, direct messages, buttons, forms and App Home."""

import csv
import io
import json

from bibtexparser.entrypoint import parse_string

from store.database import Database
from store.posting.subscriptions import list_subscriptions
from tests.adapters.slack.connected_bot import many_variables, running, variables_for
from tests.adapters.slack.surfaces.modal_helpers import opened, seen_at_last
from tests.adapters.slack.surfaces.test_home import headers
from tests.adapters.slack.surfaces.test_home import opened as opened_home
from tests.fakes.slack import FakeSlack, Message
from tests.fakes.slack.records import buttons


def _kept(message: Message) -> str:
    """Return the preformatted text of a message."""
    found: list[str] = []
    for block in message.blocks:
        for element in block.get("elements", ()):
            if element.get("type") == "rich_text_preformatted":
                found += [each["text"] for each in element["elements"]]
    return "\n".join(found)


async def _direct(slack: FakeSlack, text: str) -> Message:
    """Write to the bot and return its answer."""
    before = len(slack.seen(channel="D1"))
    assert (await slack.direct_message(text)).acked
    await slack.settled(lambda: len(slack.seen(channel="D1")) == before + 2)
    return slack.seen(channel="D1")[-1]


async def test_a_paper_is_saved_in_a_channel_and_exported_in_a_direct_message(
    stocked: Database, transport: str
) -> None:
    """A paper saved by a button is in the user's exported bibliography."""
    async with FakeSlack() as slack, running(stocked, slack, variables_for(slack, transport)):
        shown = await slack.ask("show 3")
        await slack.click(shown, "Save")
        answer = await seen_at_last(slack, 2)
        assert answer.ephemeral_for == "U1"
        assert answer.text.startswith("On your list: ")
        exported = await _direct(slack, "saved as:bibtex")
        assert exported.text.startswith("1 paper as BibTeX.")
        [record] = parse_string(_kept(exported)).entries
        assert record.fields_dict["eprint"].value == "2601.00003"
        [row] = csv.DictReader(io.StringIO(_kept(await _direct(slack, "saved as:csv"))))
        assert row["ref"] == "dair:2026-01-05#3"
        found = json.loads(_kept(await _direct(slack, "saved as:json")))
        assert [each["ref"] for each in found["papers"]] == ["dair:2026-01-05#3"]


async def test_buttons_remove_and_save_again(stocked: Database) -> None:
    """Each button is answered to its user, with a button that undoes it."""
    async with FakeSlack() as slack, running(stocked, slack):
        answer = await slack.ask("save 1")
        for number, label in enumerate(("Take back", "Save again", "Your list"), start=2):
            await slack.click(answer, label)
            answer = await seen_at_last(slack, number)
            assert answer.ephemeral_for == "U1"
        assert answer.text.startswith("Your list")
        await slack.click(answer, "Take off 1")
        assert "Off your list: Sparse Attention." in (await seen_at_last(slack, 5)).text


async def test_a_note_is_written_in_a_form(stocked: Database) -> None:
    """The form knows the paper, and the note is on the user's list."""
    async with FakeSlack() as slack, running(stocked, slack):
        modal = await opened(slack, await slack.ask("save 1"), "Write a note")
        ack = await slack.submit(modal, {"text": "compare with our baseline"})
        assert ack.acked
        listed = await slack.ask("saved")
        assert "Your note: compare with our baseline" in listed.text


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


async def test_people_and_workspaces_have_lists_of_their_own(stocked: Database) -> None:
    """One id in two workspaces is two people, and neighbours in a channel read nothing."""
    async with FakeSlack() as slack:
        slack.add_team("T2")
        async with running(stocked, slack, many_variables(slack)) as (_, url):
            for team in ("T1", "T2"):
                await slack.install(url, team)
            await slack.command("note 1 secret")
            for user, team in (("U2", "T1"), ("U1", "T2")):
                for line in ("saved", "saved as:json", "note 1", "forget"):
                    answer = await slack.ask(line, user=user, team=team)
                    assert "secret" not in json.dumps(answer.blocks), (user, team, line)
            own = await slack.ask("saved")
            assert "secret" in own.text


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


async def test_all_of_it_is_deleted_by_a_button(stocked: Database) -> None:
    """`forget` asks; what was deleted takes the question's place, which can't be asked again."""
    async with FakeSlack() as slack, running(stocked, slack):
        await slack.ask("note 1 mine")
        question = await slack.ask("forget")
        before = len(slack.seen())
        await slack.click(question, "Delete all of it")
        await slack.settled(lambda: slack.seen()[-1].text.startswith("All that was stored"))
        assert len(slack.seen()) == before
        assert "Delete all of it" not in slack.seen()[-1].buttons
        assert "Nothing is on your list yet." in (await slack.ask("saved")).text


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
