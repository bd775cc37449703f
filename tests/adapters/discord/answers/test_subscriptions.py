"""Subscriptions of channels that the user sees and the bot may post to."""

from typing import Any

from store.database import Database
from store.posting.deliveries import list_deliveries
from store.posting.subscriptions import list_subscriptions
from store.records import Layout
from tests.adapters.discord.connected_bot import running
from tests.fakes.discord import Channel, FakeDiscord, Permission, Person


async def told(person: Person, place: Channel, words: str, **options: Any) -> str:
    """Return the text of the ephemeral answer to a channel command."""
    answer = await (await person.asks(place, f"channel {words}", **options)).answered()
    assert answer.message.ephemeral == (place.guild is not None)
    return answer.message.text


async def test_a_manager_orders_where_they_are_or_for_a_channel_that_they_name(
    stocked: Database,
) -> None:
    """Each subscription belongs to its channel; a forum post is a thread by default."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        ann = guild.add_member("ann", permissions=Permission.MANAGE_GUILD)
        room, forum = guild.add_channel("papers"), guild.add_channel("forum", kind="forum")
        aside = guild.add_thread(room, "Aside")
        assert "#papers" in await told(ann, room, "subscribe")
        assert "#forum" in await told(ann, room, "subscribe", channel=forum, size=5, day="friday")
        assert "Posts in #papers" in await told(ann, aside, "subscriptions")
        await told(ann, ann.dm, "subscribe")
        orders = await stocked.read(list_subscriptions)
        assert [(each.channel.external_id, each.layout, each.size) for each in orders] == [
            (str(room.id), Layout.COMPACT, 10),
            (str(forum.id), Layout.THREAD, 5),
            (str(ann.dm.id), Layout.COMPACT, 10),
        ]
        assert {each.owner for each in orders} == {str(ann.id)}
        workspaces = [each.channel.workspace.external_id for each in orders]
        assert workspaces == [str(guild.id), str(guild.id), f"@{ann.id}"]


async def test_nothing_is_ordered_where_it_could_not_be_posted_or_is_not_seen(
    stocked: Database,
) -> None:
    """The user reads at once why not; a reader can subscribe no channel."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        ann = guild.add_member("ann", permissions=Permission.MANAGE_GUILD)
        eve = guild.add_member("eve")
        room = guild.add_channel("papers")
        hidden = guild.add_channel("hidden", deny=Permission.VIEW_CHANNEL)
        mute = guild.add_channel("mute", bot_lacks=Permission.SEND_MESSAGES)
        elsewhere = fake.add_guild("H").add_channel("elsewhere")
        said = [
            await told(ann, room, "subscribe", channel=hidden),
            await told(ann, room, "subscribe", channel=elsewhere),
            await told(ann, room, "subscribe", channel=mute),
            await told(eve, room, "subscribe"),
        ]
        no_such = "There is no such channel here, or you are not in it."
        mute_sentence = "Broadsheet may not Send Messages in #mute."
        expected = [no_such, no_such, mute_sentence, "subscribe is for managers."]
        assert [each in text for each, text in zip(expected, said, strict=True)] == [True] * 4
        assert await stocked.read(list_subscriptions) == []


async def test_who_may_no_longer_see_a_channel_can_only_stop_its_posts(stocked: Database) -> None:
    """From another channel nothing is previewed, resumed or posted where one is shut out."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        ann = guild.add_member("ann", permissions=Permission.MANAGE_GUILD)
        room, secret = guild.add_channel("papers"), guild.add_channel("secret")
        assert "#secret" in await told(ann, room, "subscribe", channel=secret)
        shut_out = {ann.id: (0, int(Permission.VIEW_CHANNEL))}
        guild.update_channel(secret, overwrites=shut_out)
        for words in ("preview", "resume", "deliver"):
            said = await told(ann, room, words, id="1")
            assert "You or Broadsheet are not in #secret: " in said, words
        assert await stocked.read(list_deliveries) == []
        assert "is paused" in await told(ann, room, "pause", id="1")
        assert "is cancelled" in await told(ann, room, "unsubscribe", id="1")


async def test_a_shared_status_names_no_hidden_channel(stocked: Database) -> None:
    """A manager sees all channels in an ephemeral status; a public one omits hidden channels."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        ann = guild.add_member("ann", permissions=Permission.MANAGE_GUILD)
        room = guild.add_channel("papers")
        let_in = {who: (int(Permission.VIEW_CHANNEL), 0) for who in (ann.id, guild.world.bot.id)}
        secret = guild.add_channel("secret", deny=Permission.VIEW_CHANNEL, overwrites=let_in)
        await told(ann, room, "subscribe")
        await told(ann, room, "subscribe", channel=secret)
        status = (await (await ann.asks(room, "status")).answered()).message
        assert "#secret" in status.text
        shared = (await (await ann.presses(status, "Share")).answered()).message
        assert not shared.ephemeral
        assert "#papers" in shared.text
        assert "secret" not in f"{shared.text} {shared.components}"


async def test_orders_in_direct_messages_read_well(stocked: Database) -> None:
    """Sentences about direct messages are correct without a channel name."""
    async with FakeDiscord() as fake, running(stocked, fake):
        ann = fake.add_guild("G").add_member("ann")
        assert "The chat with Broadsheet gets no posts yet." in await told(
            ann, ann.dm, "subscriptions"
        )
        ordered = await told(ann, ann.dm, "subscribe")
        assert (
            "the chat with Broadsheet gets a digest of what you have not seen every Monday"
            in ordered
        )
        again = await told(ann, ann.dm, "subscribe")
        assert "The chat with Broadsheet has that already: subscription 1." in again
        assert "Posts in the chat with Broadsheet" in await told(ann, ann.dm, "subscriptions")
