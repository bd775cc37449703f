"""Direct messages of users, answered where they were written."""

import asyncio
import logging

import pytest

from bot.commands.types import Command, Context, Group
from bot.replies.blocks import File, Reply, Text
from store.database import Database
from tests.adapters.discord.connected_bot import running
from tests.fakes.discord import Channel, Drop, FakeDiscord, Message, Person, RateLimited, Refuse
from tests.fakes.discord.identities import User

POST = "POST /channels/{channel_id}/messages"
TYPING = "POST /channels/{channel_id}/typing"
QUIET = 0.4


async def _slow(_context: Context) -> Reply:
    await asyncio.sleep(1.3)
    return Reply((Text("Here at last."),), command="slow")


async def _where(context: Context) -> Reply:
    where = (context.actor.workspace, context.actor.channel, context.actor.role.name)
    return Reply((Text(" ".join(map(str, where))),), command="where")


async def _file(_context: Context) -> Reply:
    return Reply((Text("A file:"), File("papers.txt", "text/plain", b"2601.00003", "ids")))


SLOW = Command("slow", Group.LOOKUP, "Takes its time", _slow, examples=("slow",))
WHERE = Command("where", Group.LOOKUP, "Says where", _where, examples=("where",))
FILE = Command("file", Group.LOOKUP, "Gives a file", _file, examples=("file",))


def answers(place: Channel) -> list[Message]:
    """Return the messages of the bot in direct messages."""
    return [each for each in place.posts if each.author.bot]


async def answer_to(fake: FakeDiscord, ann: Person, text: str) -> Message:
    """Write to the bot, and return its next message."""
    before = len(answers(ann.dm))
    ann.says(ann.dm, text)
    await fake.settled(lambda: len(answers(ann.dm)) > before)
    return answers(ann.dm)[-1]


async def test_words_are_answered_with_buttons_that_work(stocked: Database) -> None:
    """An answer has the components of any other, pings nobody and shows no previews."""
    async with FakeDiscord() as fake, running(stocked, fake):
        ann = fake.add_person("ann")
        answer = await answer_to(fake, ann, "latest")
        assert answer.components
        assert "Share" not in answer.buttons
        assert answer.flags & 1 << 2  # suppressed embeds
        assert answer.allowed_mentions == {"parse": []}
        await ann.presses(answer, "Details 1")


async def test_what_calls_the_bot_is_no_part_of_the_words(stocked: Database) -> None:
    """A leading `/papers` and a mention say nothing more than that the bot is meant."""
    async with FakeDiscord() as fake, running(stocked, fake):
        ann = fake.add_person("ann")
        for text in ("/papers topic", "<@{bot}> topic", "topic <@{bot}>", "topic"):
            answer = await answer_to(fake, ann, text.format(bot=fake.bot.id))
            assert "Topics" in answer.texts[0]


async def test_the_user_manages_their_own_direct_messages(stocked: Database) -> None:
    """The actor of a message is the one of a command there."""
    async with FakeDiscord() as fake, running(stocked, fake, [WHERE]):
        ann = fake.add_person("ann")
        written = await answer_to(fake, ann, "where")
        asked = (await ann.asks(ann.dm, "where")).message
        assert written.texts[0] == asked.texts[0]
        assert f"{ann.id} {ann.dm.id} MANAGER" in asked.texts[0]


async def test_nothing_else_is_answered(stocked: Database) -> None:
    """Edits, files without words, other bots and webhooks, and the bot itself get no answer."""
    async with FakeDiscord() as fake, running(stocked, fake):
        ann = fake.add_person("ann")
        first = ann.says(ann.dm, "topic")
        await fake.settled(lambda: answers(ann.dm))
        ann.edits(first, "latest")
        ann.says(ann.dm, "", attachments=[])
        ann.says(ann.dm, " ")
        ann.says(ann.dm, "latest", webhook_id=7)
        fake.post(ann.dm, {"content": "latest"}, User(8, "other", bot=True))
        fake.post(ann.dm, {"content": "latest"})
        await asyncio.sleep(QUIET)
        assert len(fake.calls(POST)) == 1


async def test_a_repeated_message_is_answered_once(stocked: Database) -> None:
    """One that comes twice at once, is replayed, or reaches another process has one answer."""
    async with FakeDiscord() as fake:
        async with running(stocked, fake):
            ann = fake.add_person("ann")
            said = ann.says(ann.dm, "topic")
            fake.gateway.dispatch_message(said)
            await fake.settled(lambda: answers(ann.dm))
            fake.gateway.dispatch_message(said)
            await asyncio.sleep(QUIET)
        async with running(stocked, fake):
            fake.gateway.dispatch_message(said)
            await asyncio.sleep(QUIET)
        assert len(fake.calls(POST)) == 1


async def test_an_answer_in_trouble_comes_once(stocked: Database) -> None:
    """An answer whose outcome is unknown is sent again under the same nonce."""
    async with FakeDiscord() as fake, running(stocked, fake):
        ann = fake.add_person("ann")
        for number, fault in enumerate(
            (Drop(stored=True), Drop(stored=False), RateLimited(0.2)), start=1
        ):
            fake.fail(POST, fault)
            await answer_to(fake, ann, "topic")
            await fake.settled(lambda: len(fake.calls(POST)) == 2 * number)  # noqa: B023
            await asyncio.sleep(QUIET)
            assert len(answers(ann.dm)) == number


async def test_where_components_are_refused_an_apology_is_sent(stocked: Database) -> None:
    """It has no components, so that it is taken."""
    refusal = Refuse(400, 50035, "In components.0.type: not possible here")
    async with FakeDiscord() as fake, running(stocked, fake):
        ann = fake.add_person("ann")
        fake.fail(POST, refusal)
        assert (await answer_to(fake, ann, "latest")).content.startswith("Something went wrong")


async def test_files_are_attached(stocked: Database) -> None:
    """A file comes with its answer; without it where Discord refuses it, saying so."""
    async with FakeDiscord() as fake, running(stocked, fake, [FILE]):
        ann = fake.add_person("ann")
        [attached] = (await answer_to(fake, ann, "file")).attachments
        assert attached.name == "papers.txt"
        fake.fail(POST, Refuse(413, 40005, "Request entity too large"))
        assert "papers.txt is missing" in (await answer_to(fake, ann, "file")).text


async def test_closed_direct_messages_end_in_a_log_line(
    stocked: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """A refused answer is logged in a line without a traceback."""
    caplog.set_level(logging.WARNING)
    async with FakeDiscord() as fake, running(stocked, fake):
        eve = fake.add_person("eve", closed=True)
        eve.says(eve.dm, "latest")
        await fake.settled(lambda: "answer_lost" in caplog.text)
        assert not any(record.exc_info for record in caplog.records)


async def test_a_store_in_trouble_is_reported(stocked: Database) -> None:
    """A message that can't be claimed gets an answer that says why."""
    async with FakeDiscord() as fake, running(stocked, fake):
        ann = fake.add_person("ann")
        with stocked.engine.begin() as connection:
            connection.exec_driver_sql("DROP TABLE request_claim")
        answer = await answer_to(fake, ann, "topic")
        assert "Something went wrong." in answer.text


async def test_a_first_answer_is_followed_by_the_welcome(stocked: Database) -> None:
    """The onboarding message follows once, below the answer."""
    async with FakeDiscord() as fake, running(stocked, fake, welcomes=True):
        ann = fake.add_person("ann")
        ann.says(ann.dm, "topic")
        await fake.settled(lambda: len(answers(ann.dm)) == 2)
        assert "Broadsheet has the top AI papers of each week." in answers(ann.dm)[1].text
        await answer_to(fake, ann, "latest")
        await asyncio.sleep(QUIET)
        assert len(answers(ann.dm)) == 3


async def test_typing_is_shown_while_an_answer_takes_long(stocked: Database) -> None:
    """A quick answer shows none, and one call shows it for a slow one."""
    async with FakeDiscord() as fake, running(stocked, fake, [SLOW]):
        ann = fake.add_person("ann")
        await answer_to(fake, ann, "topic")
        assert fake.calls(TYPING) == []
        assert (await answer_to(fake, ann, "slow")).text.startswith("Here at last.")
        assert len(fake.calls(TYPING)) == 1


async def test_a_wish_for_posts_is_shown_before_anything_is_made(stocked: Database) -> None:
    """In direct messages it would be a digest; the post of a channel can be seen first."""
    async with FakeDiscord() as fake, running(stocked, fake):
        ann = fake.add_person("ann")
        answer = await answer_to(fake, ann, "set up")
        assert {"Set up a weekly post", "See it first"} <= set(answer.buttons)
        answer = await answer_to(fake, ann, "follow agents")
        assert {"Set up a weekly post", "Alert instead"} <= set(answer.buttons)
