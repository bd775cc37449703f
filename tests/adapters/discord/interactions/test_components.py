"""Buttons, selects and modals, and their answers."""

from datetime import timedelta

from store.database import Database
from tests.adapters.discord.connected_bot import running
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in
from tests.fakes.discord import Channel, FakeDiscord, Permission, Person

WORDS = " ".join(f"word{number}" for number in range(20))


def people(discord: FakeDiscord) -> tuple[Channel, Person, Person]:
    """Return a channel of a server and two who are in it."""
    guild = discord.add_guild("G")
    return guild.add_channel("general"), guild.add_member("ann"), guild.add_member("bob")


async def test_buttons_and_forms_outlive_their_process(stocked: Database) -> None:
    """Whatever a message or a form stands for is found by another process, a stored line too.

    What is too long for an id is stored.
    """
    async with FakeDiscord() as discord:
        async with running(stocked, discord):
            channel, ann, _ = people(discord)
            answer = await ann.asks(channel, "search", query="attention")
            opened = await ann.presses(answer.message, "Refine")
            long = await ann.asks(channel, "search", query=f"attention {WORDS}")
            assert all(len(each) <= 100 for each in long.message.custom_ids)
        async with running(stocked, discord):
            details = await ann.presses(answer.message, "Details 1")
            assert details.message.ephemeral_for is ann.user
            assert "Sparse Attention" in details.message.texts[0]
            refined = await ann.submits(opened.modal, {"query": "routing", "source": ["dair"]})
            assert refined.message is answer.message
            assert "Routing Experts" in refined.message.text
            shared = await ann.presses(long.message, "Share")
            assert "/papers search query:attention word0" in shared.message.text
            assert shared.message.allowed_mentions == {"parse": []}


async def test_a_select_is_a_button(stocked: Database) -> None:
    """The value chosen from a select of help is answered like a typed command."""
    async with FakeDiscord() as discord, running(stocked, discord):
        channel, ann, _ = people(discord)
        answer = await ann.asks(channel, "help")
        chosen = await ann.chooses(answer.message, "latest")
        assert "The newest edition" in chosen.message.text


async def test_a_search_is_refined_in_a_form(stocked: Database) -> None:
    """The form holds what was searched for; what is submitted takes the place of the answer."""
    async with FakeDiscord() as discord, running(stocked, discord):
        channel, ann, _ = people(discord)
        answer = await ann.asks(channel, "search", query="attention", since="2025")
        opened = await ann.presses(answer.message, "Refine")
        refined = await ann.submits(opened.modal, {"query": "routing"})
        assert refined.message is answer.message
        assert "Routing Experts" in refined.message.text
        assert refined.messages == []
        again = await ann.presses(answer.message, "Refine")
        fields = [label["component"] for label in again.modal.payload["components"]]
        entered = {field["custom_id"]: field.get("value") for field in fields}
        assert (entered["query"], entered["since"]) == ("routing", "2025-01-01")


async def test_a_search_that_is_changed_begins_anew(stocked: Database) -> None:
    """The form of a further page knows nothing of the page."""
    many = [entry(rank, f"Agents, part {rank}") for rank in range(1, 13)]
    await stocked.write(take_in, edition(*many, first_day=MONDAY - timedelta(days=70)))
    async with FakeDiscord() as discord, running(stocked, discord):
        channel, ann, _ = people(discord)
        answer = await ann.asks(channel, "search", query="agents")
        second = await ann.presses(answer.message, "Next")
        opened = await ann.presses(second.message, "Refine")
        refined = await ann.submits(opened.modal, {"query": "routing"})
        assert "Routing Experts" in refined.message.text


async def test_a_button_of_nobody_s_line(stocked: Database) -> None:
    """The user gets a remedy if the stored command string is gone."""
    async with FakeDiscord() as discord, running(stocked, discord):
        channel, ann, _ = people(discord)
        button = {"type": 2, "style": 2, "label": "Old", "custom_id": "r1.1..#nobodyknows"}
        message = discord.post(
            channel, {"flags": 1 << 15, "components": [{"type": 1, "components": [button]}]}
        )
        answer = await ann.presses(message, "Old")
        assert "no longer known" in answer.message.text
        assert answer.message.ephemeral


async def test_a_message_is_looked_up(stocked: Database) -> None:
    """The message command shows the linked paper, or a button for a search."""
    async with FakeDiscord() as discord, running(stocked, discord):
        channel, ann, bob = people(discord)
        linked = bob.says(channel, "Have a look: https://arxiv.org/abs/2601.00003v2 !")
        found = await ann.looks_up(linked)
        assert "Routing Experts" in found.message.texts[0]
        assert found.message.ephemeral_for is ann.user
        embed = {"title": "Routing Experts", "url": "https://arxiv.org/abs/2601.00003"}
        assert (
            "Routing Experts"
            in (await ann.looks_up(bob.says(channel, "", embeds=[embed]))).message.texts[0]
        )
        forwarded = {"message": {**linked.as_json(), "content": "2601.00003"}}
        snapshot = bob.says(channel, "", message_snapshots=[forwarded])
        assert "Routing Experts" in (await ann.looks_up(snapshot)).message.texts[0]
        none = await ann.looks_up(bob.says(channel, "sparse routing, anybody?"))
        assert "names no paper" in none.message.text
        search = await ann.presses(none.message, "Search for its words")
        assert search.message.texts


async def test_the_role_that_a_manager_named_may_settle(stocked: Database) -> None:
    """Manage Server may change settings, and so may the role in the settings."""
    async with FakeDiscord() as discord, running(stocked, discord):
        guild = discord.add_guild("G")
        editors = guild.add_role("Editors")
        channel = guild.add_channel("general")
        boss = guild.add_member("boss", permissions=Permission.MANAGE_GUILD)
        cat, dan = guild.add_member("cat", roles=[editors]), guild.add_member("dan")
        refused = await cat.asks(channel, "channel settings")
        assert "settings is for managers." in refused.message.text
        assert "Manage Server" in refused.message.text
        names = await boss.completes(channel, "channel settings", name="role", value="ed")
        assert [each["name"] for each in names] == ["Editors"]
        changed = await boss.asks(channel, "channel settings", name="role", value="editors")
        assert "Editors" in changed.message.text
        allowed = await cat.asks(channel, "channel settings", name="zone", value="Europe/Berlin")
        assert "Europe/Berlin" in allowed.message.text
        assert "for managers" in (await dan.asks(channel, "channel settings")).message.text


async def test_each_person_settles_their_direct_messages(stocked: Database) -> None:
    """Settings of direct messages belong to one user."""
    async with FakeDiscord() as discord, running(stocked, discord):
        ann, bob = discord.add_person("ann"), discord.add_person("bob")
        await ann.asks(ann.dm, "channel settings", name="zone", value="Asia/Tokyo")
        assert "Asia/Tokyo" in (await ann.asks(ann.dm, "channel settings")).message.text
        assert "Asia/Tokyo" not in (await bob.asks(bob.dm, "channel settings")).message.text
