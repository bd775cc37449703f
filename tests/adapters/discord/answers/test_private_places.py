"""Places of Discord that not everybody sees: private threads, channels that one is shut out of."""

from typing import Any

from store.database import Database
from store.posting.subscriptions import list_subscriptions
from store.readers import alerts
from store.records import Channel as StoredChannel
from store.records import Workspace
from tests.adapters.discord.connected_bot import running
from tests.fakes.discord import Channel, FakeDiscord, Message, Permission, Person


async def _asked(person: Person, place: Channel, command: str, **options: Any) -> Message:
    """Return the answer to a command."""
    return (await (await person.asks(place, command, **options)).answered()).message


async def test_an_alert_of_a_private_thread_stays_there(stocked: Database) -> None:
    """A thread may have blanks in its name and is no direct messages; Undo tells it again."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        ann = guild.add_member("ann", permissions=Permission.MANAGE_GUILD)
        room = guild.add_channel("papers")
        talk = guild.add_thread(room, "reading group talk", people=[ann, fake.bot])
        made = await _asked(ann, talk, "list alert", words="sparse", channel=talk)
        assert "reading group talk gets a message" in made.text
        assert "tells reading group talk" in (await _asked(ann, talk, "list alerts")).text
        stopped = await _asked(ann, talk, "list unalert", id="1")
        undone = (await (await ann.presses(stopped, "Undo")).answered()).message
        assert "reading group talk gets a message" in undone.text
        there = StoredChannel(Workspace("discord", str(guild.id)), str(talk.id))
        [again] = await stocked.read(alerts.of_channel, there)
        assert (again.query.text, again.facts.direct) == ("sparse", False)


async def test_who_is_taken_out_of_a_private_thread_is_told_nothing_of_it(
    stocked: Database,
) -> None:
    """The alert and the subscription are listed without its new name, and can only be stopped."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        role = guild.add_role("managers")
        boss = guild.add_member("boss", permissions=Permission.MANAGE_GUILD)
        eve = guild.add_member("eve", roles=[role])
        room = guild.add_channel("papers")
        talk = guild.add_thread(room, "reading group talk", people=[eve, fake.bot])
        await _asked(boss, room, "channel settings", name="role", value="managers")
        await _asked(eve, talk, "list alert", words="sparse", channel=talk)
        await _asked(eve, talk, "channel subscribe", channel=talk)
        left_open = await _asked(eve, talk, "channel subscriptions")
        talk.members.discard(eve.id)
        for place in (room, eve.dm):
            listed = await _asked(eve, place, "list alerts")
            assert "tells a channel that you are not in" in listed.text
            assert "reading" not in f"{listed.text} {listed.components}"
            assert str(talk.id) not in str(listed.components)
        for words in ("preview", "resume", "deliver"):
            said = (await _asked(eve, room, f"channel {words}", id="1")).text
            assert "You or Broadsheet are not in that channel" in said
        pressed = await (await eve.presses(left_open, "Preview")).answered()
        assert "You or Broadsheet are not in that channel" in pressed.message.text
        paused = await _asked(eve, room, "channel pause", id="1")
        assert "Subscription 1 is paused." in paused.text
        stopped = await _asked(eve, room, "list unalert", id="1")
        assert "Alert 1 is stopped: sparse." in stopped.text
        assert "Undo" not in str(stopped.components)


async def test_status_names_no_channel_that_one_does_not_see_any_more(stocked: Database) -> None:
    """A channel that was hidden later is hidden at once, from everybody or from one alone."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        ann = guild.add_member("ann", permissions=Permission.MANAGE_GUILD)
        eve, bob = guild.add_member("eve"), guild.add_member("bob")
        room, secret = guild.add_channel("papers"), guild.add_channel("secret")
        await _asked(ann, room, "channel subscribe", channel=secret)
        assert "#secret" in (await _asked(eve, room, "status")).text
        shut_out = {eve.id: (0, int(Permission.VIEW_CHANNEL))}
        guild.update_channel(secret, overwrites=shut_out)
        assert "No channel gets posts yet." in (await _asked(eve, room, "status")).text
        assert "#secret" in (await _asked(bob, room, "status")).text
        hidden = {
            guild.id: (0, int(Permission.VIEW_CHANNEL)),
            fake.bot.id: (int(Permission.VIEW_CHANNEL), 0),
        }
        guild.update_channel(secret, overwrites=hidden)
        assert "No channel gets posts yet." in (await _asked(bob, room, "status")).text
        assert len(await stocked.read(list_subscriptions)) == 1
