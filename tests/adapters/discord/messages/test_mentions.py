"""Mentions in servers, answered by one line with a button."""

import asyncio
import re

from store.database import Database
from tests.adapters.discord.connected_bot import running
from tests.fakes.discord import Channel, FakeDiscord, Message, Permission, Person

POST = "POST /channels/{channel_id}/messages"
QUIET = 0.4
LINE = "Only whoever presses this sees the answer."


def offers(place: Channel) -> list[Message]:
    """Return the public messages of the bot in a channel."""
    return [each for each in place.posts if each.author.bot]


async def offer_to(fake: FakeDiscord, ann: Person, place: Channel, text: str) -> Message:
    """Mention the bot with words, and return its reply."""
    before = len(offers(place))
    ann.says(place, text.format(bot=f"<@{fake.bot.id}>"))
    await fake.settled(lambda: len(offers(place)) > before)
    return offers(place)[-1]


async def test_whoever_presses_gets_the_answer_alone(stocked: Database) -> None:
    """The reply to a mention is one line with a button, whose answer is ephemeral."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        room, ann, bob = guild.add_channel("room"), guild.add_member("ann"), guild.add_member("bob")
        offered = await offer_to(fake, ann, room, "{bot}, search agents")
        assert (offered.texts, [*offered.buttons]) == ([LINE], ["Show the answer"])
        assert offered.reference is room.posts[0]
        assert offered.allowed_mentions == {"parse": []}
        for person in (ann, bob):
            answer = (await person.presses(offered, "Show the answer")).message
            assert answer.ephemeral_for is person.user
            assert "agents" in answer.text
        assert len(room.posts) == 2


async def test_a_long_question_is_stored_for_its_button(stocked: Database) -> None:
    """What doesn't fit into a button's id is found by its digest."""
    words = "attention " * 15
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        room, ann = guild.add_channel("room"), guild.add_member("ann")
        offered = await offer_to(fake, ann, room, "{bot} search " + words)
        answer = (await ann.presses(offered, "Show the answer")).message
        assert "attention" in answer.text
        long = await offer_to(fake, ann, room, "{bot} search " + "word " * 200)
        assert long.buttons == {}
        assert "a command may have 1,000" in long.text


async def test_a_mention_without_words_offers_help(stocked: Database) -> None:
    """Who only says the bot's name is shown what it can do."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        room, ann = guild.add_channel("room"), guild.add_member("ann")
        offered = await offer_to(fake, ann, room, "{bot}!")
        asked = (await ann.asks(room, "help")).message
        assert (await ann.presses(offered, "Show the answer")).message.texts == asked.texts


async def test_what_another_typed_is_shown_whole_and_asked_about(stocked: Database) -> None:
    """Whoever presses sees the command and its arguments before anything is done as theirs."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        room, eve = guild.add_channel("room"), guild.add_member("eve")
        boss = guild.add_member("boss", permissions=Permission.MANAGE_GUILD)
        for said, label, shown in (
            ("save 1", "/papers list save", "/papers save dair:2026-01-05#1"),
            ("vote 1", "/papers list vote", "/papers vote dair:2026-01-05#1"),
            ("alert attention", "/papers list alert", "/papers alert attention"),
            (
                "subscribe friday 17:00 UTC size:3 topic:agents",
                "/papers channel subscribe",
                "/papers subscribe friday 17:00 UTC topic:agents size:3",
            ),
            ("settings zone Europe/Berlin", "/papers channel settings", "Europe/Berlin"),
            ("`settings zone Europe/Berlin`", "/papers channel settings", "Europe/Berlin"),
            ("please keep paper 1 for me", "Show the answer", "/papers save dair:2026-01-05#1"),
        ):
            offered = await offer_to(fake, eve, room, "{bot} " + said)
            question = (await boss.presses(offered, label)).message
            assert question.ephemeral_for is boss.user
            assert "Nothing has changed yet." in question.text
            assert shown in question.text
        for line in ("list saved", "list alerts", "channel subscriptions", "channel settings"):
            told = (await boss.asks(room, line)).message.text
            assert not re.search(r"Sparse|attention|friday|Friday|Berlin", told), line


async def test_a_role_that_another_chose_is_asked_about(stocked: Database) -> None:
    """A plain member makes nobody a manager by a manager's press."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        room, role = guild.add_channel("room"), guild.add_role("reviewers")
        eve, boss = (
            guild.add_member("eve"),
            guild.add_member("boss", permissions=Permission.MANAGE_GUILD),
        )
        offered = await offer_to(fake, eve, room, f"{{bot}} settings role {role.id}")
        question = (await boss.presses(offered, "/papers channel settings")).message
        assert f"/papers settings role {role.id}" in question.text
        refused = (await eve.presses(offered, "/papers channel settings")).message
        assert "settings is for managers." in refused.text
        assert "not set" in (await boss.asks(room, "channel settings", name="role")).message.text
        await boss.presses(question, "Settings")
        assert (
            "now:** not set"
            not in (await boss.asks(room, "channel settings", name="role")).message.text
        )


async def test_nobody_confirms_for_another(stocked: Database) -> None:
    """A mention can't hold what proves that its victim was asked."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        room, eve, ann = guild.add_channel("room"), guild.add_member("eve"), guild.add_member("ann")
        await ann.asks(room, "list save", paper="1")
        for said in (
            "forget confirm:{ann}",
            "forget confirm:x",
            "forgett confirm:{ann}",
            "forget confirm: {ann}",
            "`forget confirm\uff1a{ann}`",
        ):
            offered = await offer_to(fake, eve, room, "{bot} " + said.format(ann=ann.id))
            answer = (await ann.presses(offered, next(iter(offered.buttons)))).message
            for label in answer.buttons:
                await ann.presses(answer, label)
            assert "1 paper" in (await ann.asks(room, "list saved")).message.text, said


async def test_a_command_that_changes_something_is_named(stocked: Database) -> None:
    """Nobody presses unawares what somebody else typed."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        room, eve = guild.add_channel("room"), guild.add_member("eve")
        offered = await offer_to(fake, eve, room, "{bot} forget")
        assert [*offered.buttons] == ["/papers list forget"]


async def test_whoever_presses_sees_what_changed(stocked: Database) -> None:
    """The line of a mention does not show a vote as a post does, so the answer does."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        room, ann = guild.add_channel("room"), guild.add_member("ann")
        offered = await offer_to(fake, ann, room, "{bot} vote 1")
        answer = await ann.presses(offered, "/papers list vote")
        assert "You voted for" in answer.message.text
        assert answer.message.ephemeral_for is ann.user


async def test_it_is_offered_in_the_thread_of_the_mention(stocked: Database) -> None:
    """A mention in a thread is answered there."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        ann = guild.add_member("ann")
        thread = guild.add_thread(guild.add_channel("room"), "Aside")
        assert (await offer_to(fake, ann, thread, "{bot} topic")).channel is thread


async def test_what_does_not_name_the_bot_is_ignored(stocked: Database) -> None:
    """Talk, @everyone, another's name, a reply to the bot and an edit start nothing."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        room, ann, bob = guild.add_channel("room"), guild.add_member("ann"), guild.add_member("bob")
        offered = await offer_to(fake, ann, room, "{bot} topic")
        said = ann.says(room, "latest")
        ann.says(room, "@everyone latest")
        ann.says(room, f"<@{bob.id}> latest")
        ann.says(room, "latest", to=offered)
        ann.edits(said, f"<@{fake.bot.id}> latest")
        fake.post(room, {"content": f"<@{fake.bot.id}> latest", "webhook_id": 7}, bob.user)
        await asyncio.sleep(QUIET)
        assert len(fake.calls(POST)) == 1


async def test_a_repeated_mention_is_answered_once(stocked: Database) -> None:
    """A session that replays a mention gets no second line."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        room, ann = guild.add_channel("room"), guild.add_member("ann")
        await offer_to(fake, ann, room, "{bot} topic")
        fake.gateway.dispatch_message(room.posts[0])
        await asyncio.sleep(QUIET)
        assert len(fake.calls(POST)) == 1


async def test_without_the_history_it_is_a_message(stocked: Database) -> None:
    """Where the bot may not reply, its line comes all the same."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        room = guild.add_channel("room", bot_lacks=Permission.READ_MESSAGE_HISTORY)
        offered = await offer_to(fake, guild.add_member("ann"), room, "{bot} topic")
        assert (offered.texts, offered.reference) == ([LINE], None)


async def test_where_the_bot_may_not_write_nothing_is_sent(stocked: Database) -> None:
    """Discord is not asked for what it would refuse."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        room = guild.add_channel("room", bot_lacks=Permission.SEND_MESSAGES)
        guild.add_member("ann").says(room, f"<@{fake.bot.id}> topic")
        await asyncio.sleep(QUIET)
        assert fake.calls(POST) == []
