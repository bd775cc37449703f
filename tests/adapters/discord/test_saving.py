"""A reader's list in Discord: the same person's in every server, in direct messages and beyond."""

import json

from bibtexparser.entrypoint import parse_string

from store.database import Database
from tests.adapters.discord.running import running
from tests.bot.ingest.drafting import edition, entry
from tests.bot.ingest.importing import take_in
from tests.fakes.discord import FakeDiscord, Permission
from tests.fakes.discord.records import Message


def _kept(message: Message) -> str:
    """Return the text that stands as it is in a message."""
    fenced = [text for text in message.texts if text.startswith("```\n")]
    return "\n".join(text.removeprefix("```\n").removesuffix("\n```") for text in fenced)


async def test_a_paper_is_saved_in_a_server_and_exported_in_a_direct_message(
    stocked: Database,
) -> None:
    """What a button saved is a bibliography for whoever pressed it, wherever they ask."""
    async with FakeDiscord() as discord, running(stocked, discord):
        guild = discord.add_guild("G")
        channel, ann = guild.add_channel("general"), guild.add_member("ann")
        shown = await ann.asks(channel, "show", paper="3")
        saved = await ann.presses(shown.message, "Save")
        assert saved.message.ephemeral_for is ann.user
        assert "On your list: " in saved.message.text
        exported = await ann.asks(ann.dm, "list saved", format="bibtex")
        assert "1 paper as BibTeX." in exported.message.texts
        [record] = parse_string(_kept(exported.message)).entries
        assert record.fields_dict["eprint"].value == "2601.00003"
        found = json.loads(_kept((await ann.asks(ann.dm, "list saved", format="json")).message))
        assert [each["ref"] for each in found["papers"]] == ["dair:2026-01-05#3"]


async def test_a_person_has_one_list_everywhere(stocked: Database) -> None:
    """In two servers, in direct messages, and where the bot is no member."""
    async with FakeDiscord() as discord, running(stocked, discord):
        one, two = discord.add_guild("One"), discord.add_guild("Two")
        person = discord.add_person("ann", installed=True)
        ann = one.add_member(person)
        two.add_member(person)
        here, there = one.add_channel("general"), two.add_channel("general")
        two.remove_bot()
        await ann.asks(here, "list save", paper="1")
        await ann.asks(ann.dm, "list note", paper="2", text="from home")
        await ann.asks(there, "list save", paper="3")
        for place in (here, there, ann.dm):
            listed = (await ann.asks(place, "list saved")).message.text
            assert "3 papers" in listed
            assert "Your note: from home" in listed


async def test_a_page_of_the_list_is_one_message(stocked: Database) -> None:
    """With papers before it and after it, all its buttons and its menu fit beside each other."""
    titles = [f"Kites, part {rank}: {'steering ' * 9}" for rank in range(1, 21)]
    await stocked.write(take_in, edition(*(entry(n, each) for n, each in enumerate(titles, 1))))
    async with FakeDiscord() as discord, running(stocked, discord):
        guild = discord.add_guild("G")
        channel, ann = guild.add_channel("general"), guild.add_member("ann")
        for rank in range(1, 21):
            await ann.asks(channel, "list save", paper=f"2026-01-05#{rank}")
        first = (await ann.asks(channel, "list saved")).message
        second = (await ann.presses(first, "Next")).message
        assert {"Previous", "Next", "As BibTeX", "As Markdown", "Share"} <= {*second.buttons}
        for message in (first, second):
            assert "More" not in message.buttons


async def test_nobody_sees_the_list_of_another(stocked: Database) -> None:
    """Neither in answers nor in what is completed."""
    async with FakeDiscord() as discord, running(stocked, discord):
        guild = discord.add_guild("G")
        channel = guild.add_channel("general")
        ann, ben = guild.add_member("ann"), guild.add_member("ben")
        noted = await ann.asks(channel, "list note", paper="1", text="secret")
        assert noted.message.ephemeral_for is ann.user
        for words, options in (
            ("list saved", {}),
            ("list saved", {"format": "json"}),
            ("list note", {"paper": "1"}),
            ("list forget", {}),
        ):
            answer = await ben.asks(channel, words, **options)
            assert "secret" not in answer.message.text, (words, options)
        assert await ben.completes(channel, "list unsave", paper="") == []
        [offer] = await ann.completes(channel, "list unsave", paper="")
        assert offer["value"] not in offer["name"]


async def test_buttons_and_menus_change_the_list(stocked: Database) -> None:
    """Taken back, saved again, and taken off by the menu of the list."""
    async with FakeDiscord() as discord, running(stocked, discord):
        guild = discord.add_guild("G")
        channel, ann = guild.add_channel("general"), guild.add_member("ann")
        answer = await ann.asks(channel, "list save", paper="1")
        for label in ("Take back", "Save again", "Your list"):
            answer = await ann.presses(answer.message, label)
            assert answer.message.ephemeral
        assert "1 paper" in answer.message.text
        off = await ann.chooses(answer.message, "Sparse Attention")
        assert "Off your list: Sparse Attention." in off.message.text


async def test_a_note_is_written_in_a_form(stocked: Database) -> None:
    """The form knows the paper; what is entered stands in the list."""
    async with FakeDiscord() as discord, running(stocked, discord):
        guild = discord.add_guild("G")
        channel, ann = guild.add_channel("general"), guild.add_member("ann")
        saved = await ann.asks(channel, "list save", paper="1")
        form = (await ann.presses(saved.message, "Write a note")).form
        assert form is not None
        noted = await ann.submits(form, {"text": "compare with our baseline"})
        assert "Noted on Sparse Attention: compare with our baseline" in noted.message.text


async def test_all_of_it_is_deleted_by_a_button(stocked: Database) -> None:
    """`forget` asks, in a server as in direct messages; whoever else presses is asked first."""
    async with FakeDiscord() as discord, running(stocked, discord):
        guild = discord.add_guild("G")
        channel = guild.add_channel("general")
        ann = guild.add_member("ann", permissions=Permission.MANAGE_GUILD)
        ben = guild.add_member("ben")
        await ann.asks(channel, "list note", paper="1", text="mine")
        await ben.asks(channel, "list save", paper="1")
        asked = await ann.asks(channel, "list forget")
        await ann.presses(asked.message, "Share")
        [shared] = channel.posts
        theirs = await ben.presses(shared, "Delete all of it")
        assert "What is stored about you" in theirs.message.text
        done = await ann.presses(asked.message, "Delete all of it")
        assert "All that was stored about you is deleted." in done.message.text
        assert "Nothing is on your list yet." in (await ann.asks(ann.dm, "list saved")).message.text
        assert "1 paper" in (await ben.asks(ben.dm, "list saved")).message.text
