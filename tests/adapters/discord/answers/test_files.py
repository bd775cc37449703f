"""Files of answers, and answers whose files are refused."""

import json
from dataclasses import replace

from adapters.discord.render import preview, render_message
from adapters.discord.render.files import MAX_BYTES
from bot.commands.types import Command
from store.database import Database
from tests.adapters.discord.connected_bot import running
from tests.adapters.discord.render.visible_text import components_of
from tests.fakes.discord import (
    Channel,
    Drop,
    FakeDiscord,
    Message,
    Person,
    RateLimited,
    Refuse,
    ServerError,
)
from tests.file_replies import ALT, PICTURE, PLOT, SAVED, TABLE, answering, png, reply_with

CALLBACK = "POST /interactions/{interaction_id}/{interaction_token}/callback"
EDIT = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original"


def place(discord: FakeDiscord) -> tuple[Channel, Person, Person]:
    """Return a channel and two people in it."""
    guild = discord.add_guild("G")
    return guild.add_channel("general"), guild.add_member("ann"), guild.add_member("bob")


def files_in(message: Message) -> list[tuple[str, bytes, str | None]]:
    """Return what a message has attached."""
    return [(each.name, each.data, each.description) for each in message.attachments]


async def test_a_picture_stands_in_the_answer_of_its_asker(stocked: Database) -> None:
    """Its bytes and alt text are in the ephemeral first response."""
    async with FakeDiscord() as discord, running(stocked, discord, [PLOT]):
        channel, ann, bob = place(discord)
        answer = await ann.asks(channel, "plot")
        assert files_in(answer.message) == [("trends.png", PICTURE.data, ALT)]
        assert "9 papers in the last." in answer.message.text
        assert (answer.message.ephemeral, bob.sees(channel)) == (True, [])


async def test_a_text_is_offered_as_a_file(stocked: Database) -> None:
    """A file that is not an image is attached as a download."""
    async with FakeDiscord() as discord, running(stocked, discord, [SAVED]):
        channel, ann, _ = place(discord)
        answer = await ann.asks(channel, "table")
        assert files_in(answer.message) == [("saved.bib", TABLE.data, "One paper as BibTeX.")]


async def test_what_takes_long_to_send_is_announced(stocked: Database) -> None:
    """The first response has three seconds; a large file comes after it, where that was shown."""
    large = replace(PICTURE, data=png(noise=b"x" * 2**20))
    async with FakeDiscord() as discord, running(stocked, discord, [answering("plot", large)]):
        channel, ann, bob = place(discord)
        answer = await ann.asks(channel, "plot")
        assert answer.deferred
        await answer.answered()
        assert files_in(answer.message) == [("trends.png", large.data, ALT)]
        assert (answer.message.ephemeral, bob.sees(channel)) == (True, [])


async def test_a_file_is_whole_after_trouble(stocked: Database) -> None:
    """A repeated answer sends its files again in full, and appears once."""
    async with FakeDiscord() as discord, running(stocked, discord, [PLOT]):
        channel, ann, _ = place(discord)
        for number, fault in enumerate(
            (
                Drop(stored=False),
                Drop(stored=True),
                ServerError(500, stored=False),
                ServerError(503, stored=True),
                RateLimited(0.2),
            ),
            start=1,
        ):
            discord.fail(CALLBACK, fault)
            await (await ann.asks(channel, "plot")).answered(8)
            assert len(channel.messages) == number
            assert files_in(channel.messages[-1]) == [("trends.png", PICTURE.data, ALT)]


async def test_the_words_come_where_a_file_is_refused(stocked: Database) -> None:
    """The answer is sent without the file and says which is missing, and why, a late one too."""
    large = replace(PICTURE, data=png(noise=b"x" * 2**20))
    commands = [PLOT, answering("large", large)]
    too_large = Refuse(413, 40005, "Request entity too large")
    async with FakeDiscord() as discord, running(stocked, discord, commands):
        channel, ann, _ = place(discord)
        for line, request, refusal, reason in (
            ("plot", CALLBACK, too_large, "takes nothing so large"),
            ("large", EDIT, too_large, "takes nothing so large"),
            (
                "plot",
                CALLBACK,
                Refuse(403, 50013, "Missing Permissions"),
                "Broadsheet may not Attach Files there.",
            ),
            ("plot", CALLBACK, Refuse(400, 50035, "Invalid Form Body"), "trends.png is missing."),
        ):
            discord.fail(request, refusal)
            answer = await (await ann.asks(channel, line)).answered()
            assert "9 papers in the last." in answer.message.text
            assert "trends.png is missing." in answer.message.text
            assert reason in answer.message.text
            assert answer.message.attachments == []


async def test_what_is_too_large_is_never_sent(stocked: Database) -> None:
    """The answer leaves out a file over Discord's limit and says so."""
    huge = replace(PICTURE, data=b"x" * (MAX_BYTES + 1))
    async with FakeDiscord() as discord, running(stocked, discord, [answering("plot", huge)]):
        channel, ann, _ = place(discord)
        answer = await ann.asks(channel, "plot")
        assert "trends.png is missing. It has 10.0 MiB" in answer.message.text
        assert answer.message.attachments == []


async def test_hostile_names_and_descriptions(stocked: Database) -> None:
    """No name leads anywhere or breaks the form, no two are alike, no description is too long."""
    names = ['../../a".png', "SPOILER_a.png", "a\r\nX: y.png", "\u202egnp.exe", "..", "a.png"]
    hostile = [replace(PICTURE, name=name, alt="@everyone " * 200) for name in names]
    command: Command = answering("plot", *hostile)
    async with FakeDiscord() as discord, running(stocked, discord, [command]):
        channel, ann, _ = place(discord)
        answer = await ann.asks(channel, "plot")
        kept = [each.name for each in answer.message.attachments]
        assert kept == ["a.png", "spoiler_a.png", "a-x-y.png", "gnp.exe", "file", "a-2.png"]
        assert all(len(each.description or "") <= 1024 for each in answer.message.attachments)


async def test_a_page_without_files_leaves_none_behind(stocked: Database) -> None:
    """A page without files removes the attachments of the page before."""
    async with FakeDiscord() as discord, running(stocked, discord):
        channel, ann, _ = place(discord)
        answer = await ann.asks(channel, "latest")
        gallery = {"type": 12, "items": [{"media": {"url": "attachment://trends.png"}}]}
        upload = {"id": 0, "filename": "trends.png", "data": PICTURE.data}
        components = [gallery, *answer.message.components]
        answer.message.fill({"attachments": [upload], "components": components})
        turned = await ann.presses(answer.message, "Previous")
        assert (turned.message is answer.message, turned.message.attachments) == (True, [])


def test_a_preview_describes_files_without_their_bytes() -> None:
    """`ask --as discord` shows how a file is named and described, as it is sent beside it."""
    data = preview(reply_with(PICTURE, TABLE))["data"]
    assert data["attachments"] == [
        {"id": 0, "filename": "trends.png", "description": ALT},
        {"id": 1, "filename": "saved.bib", "description": "One paper as BibTeX."},
    ]
    assert "PNG" not in json.dumps(data)


def test_a_post_tells_its_files_in_words() -> None:
    """A post to channels has a text in place of each file."""
    rendered = render_message(reply_with(PICTURE), key="k")
    assert rendered.files == ()
    assert ALT in str(components_of(rendered))
