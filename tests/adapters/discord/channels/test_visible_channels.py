"""The channels that a user sees in a server, and the bot's permissions in them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import discord
import pytest

from adapters.discord.interactions.context import actor
from bot.accounts import Workspaces
from bot.actor import Actor, ChannelInfo, ChannelList, Channels, Named
from bot.commands.types import Command, Group
from bot.errors import UserError
from bot.posting.ports import DIRECT
from store.database import Database
from store.records import Layout
from tests.adapters.discord.interactions.sample_commands import command
from tests.adapters.discord.recorded_client import RecordingListener, listening_client
from tests.fakes.discord import Channel, FakeDiscord, Permission, Person, Server, ServerError

T = TypeVar("T")
ASK = command("ask", Group.LOOKUP)
NO_SUCH = (
    "There is no such channel here, or you are not in it."
    " Name a channel of this server that you can see."
)
ADD_A_TAG = "A manager adds a tag that everybody may use."
ALLOW_IT = "A manager allows it: Edit Channel, Permissions, Broadsheet."
FETCH = "GET /channels/{channel_id}"
FETCH_MEMBER = "GET /channels/{channel_id}/thread-members/{user_id}"


class ActorRecorder(RecordingListener):
    """A listener that records the actors."""

    def __init__(self, database: Database) -> None:
        super().__init__()
        self._workspaces = Workspaces(database)
        self.actors: list[Actor] = []

    async def on_command(
        self, interaction: discord.Interaction[Any], command: Command, arguments: dict[str, str]
    ) -> None:
        """Record the actor of a command."""
        self.actors.append(await actor(interaction, self._workspaces))
        await super().on_command(interaction, command, arguments)


class Scene:
    """A server with the bot in it, and a user."""

    def __init__(self, fake: FakeDiscord, recorder: ActorRecorder) -> None:
        self.fake = fake
        self._recorder = recorder
        self.guild: Server = fake.add_guild("G")
        self.general = self.guild.add_channel("general")
        self.ann = self.guild.add_member("ann")

    async def actor(self, place: Channel | None = None, person: Person | None = None) -> Actor:
        """Return the actor of a user in a channel."""
        await (person or self.ann).asks(place or self.general, "ask")
        return self._recorder.actors.pop()

    async def channels(
        self, place: Channel | None = None, person: Person | None = None
    ) -> Channels:
        """Return the channels that a user sees from a channel."""
        channels = (await self.actor(place, person)).channels
        assert channels
        return channels


@asynccontextmanager
async def scene(database: Database) -> AsyncIterator[Scene]:
    """Yield a server whose interactions are recorded."""
    asked = ActorRecorder(database)
    async with FakeDiscord() as fake, listening_client(fake, asked, ASK):
        yield Scene(fake, asked)


async def refused(attempt: Awaitable[object]) -> str:
    """Return the words of an error."""
    with pytest.raises(UserError) as caught:
        await attempt
    return f"{caught.value.sentence} {caught.value.remedy}"


async def until(holds: Callable[[], Awaitable[T]], wanted: T) -> None:
    """Wait until the client has received a change."""
    async with asyncio.timeout(3):
        while await holds() != wanted:  # noqa: ASYNC110 - what is looked at has no event
            await asyncio.sleep(0.01)


async def test_a_channel_is_looked_at_as_people_know_it(stocked: Database) -> None:
    """Its name, whether everybody sees it, whether it is a forum, and whose thread it is."""
    async with scene(stocked) as there:
        guild, ann = there.guild, there.ann
        seen_by_ann = {
            guild.id: (0, int(Permission.VIEW_CHANNEL)),
            ann.id: (int(Permission.VIEW_CHANNEL), 0),
        }
        closed = guild.add_channel("closed", overwrites=seen_by_ann)
        forum = guild.add_channel("papers", kind="forum")
        news = guild.add_channel("news", kind="announcement")
        post = guild.add_thread(forum, "Week 2")
        inner = guild.add_thread(closed, "Inside")
        channels = await there.channels()
        looks = [
            await channels.look(str(each.id))
            for each in (there.general, closed, forum, news, post, inner)
        ]
        assert looks == [
            ChannelInfo(str(there.general.id), "general", kind="text"),
            ChannelInfo(str(closed.id), "closed", private=True, kind="text"),
            ChannelInfo(str(forum.id), "papers", forum=True, kind="forum"),
            ChannelInfo(str(news.id), "news", kind="news"),
            ChannelInfo(str(post.id), "Week 2", parent=str(forum.id), kind="public_thread"),
            ChannelInfo(
                str(inner.id),
                "Inside",
                private=True,
                parent=str(closed.id),
                kind="public_thread",
            ),
        ]


async def test_no_channel_and_one_that_the_asker_is_not_in_are_the_same(
    stocked: Database,
) -> None:
    """A hidden channel, one of another server and a private thread get the same error as none."""
    async with scene(stocked) as there:
        guild = there.guild
        role = guild.add_role("editors")
        of_editors = {
            guild.id: (0, int(Permission.VIEW_CHANNEL)),
            role.id: (int(Permission.VIEW_CHANNEL), 0),
        }
        closed = guild.add_channel("closed", overwrites=of_editors)
        inner = guild.add_thread(closed, "Inside")
        eve = guild.add_member("eve", roles=[role])
        elsewhere = there.fake.add_guild("H").add_channel("elsewhere")
        category = guild.add_channel("All", kind="category")
        ids = [str(each.id) for each in (closed, inner)]
        other = [str(each.id) for each in (elsewhere, category, eve.dm)]
        channels = await there.channels()
        for unseen in (*ids, *other, "1234", "general", "#general", ""):
            assert await refused(channels.look(unseen)) == NO_SUCH, unseen
        of_eve = await there.channels(person=eve)
        assert [(await of_eve.look(each)).name for each in ids] == ["closed", "Inside"]
        for unseen in other:
            assert await refused(of_eve.look(unseen)) == NO_SUCH, unseen


async def test_a_private_thread_is_for_those_who_are_in_it(stocked: Database) -> None:
    """Seeing its channel is not enough, unless one manages threads; who is in it finds it."""
    async with scene(stocked) as there:
        guild, bot = there.guild, there.fake.bot
        bob = guild.add_member("bob")
        mod = guild.add_member("mod", permissions=Permission.MANAGE_THREADS)
        talk = guild.add_thread(there.general, "Talk", people=[there.ann, bot])
        thread_id = str(talk.id)
        info = ChannelInfo(
            thread_id,
            "Talk",
            private=True,
            parent=str(there.general.id),
            kind="private_thread",
        )
        for person in (there.ann, mod):
            assert await (await there.channels(person=person)).look(thread_id) == info
        assert await refused((await there.channels(person=bob)).look(thread_id)) == NO_SUCH
        assert await (await there.channels(talk)).look(thread_id) == info
        assert list((await (await there.channels(talk)).known()).named) == [
            Named(str(there.general.id), "general"),
            Named(thread_id, "Talk"),
        ]
        there.fake.fail(FETCH_MEMBER, ServerError(503))
        said = await refused((await there.channels()).look(thread_id))
        assert said == "Discord did not say which channel that is. Try again in a moment."


async def test_a_closed_thread_is_a_channel_too(stocked: Database) -> None:
    """The client holds open threads only; the others are asked for."""
    async with scene(stocked) as there:
        thread = there.guild.add_thread(there.general, "Old", archived=True)
        assert (await (await there.channels()).look(str(thread.id))).name == "Old"
        there.fake.fail(FETCH, ServerError(503))
        said = await refused((await there.channels()).look(str(thread.id)))
        assert said == "Discord did not say which channel that is. Try again in a moment."
        found = await (await there.channels()).known()
        assert found == ChannelList((Named(str(there.general.id), "general"),))


async def test_into_a_private_thread_the_bot_has_to_be_let(stocked: Database) -> None:
    """The user of a private thread without the bot reads how to add it."""
    async with scene(stocked) as there:
        thread = there.guild.add_thread(there.general, "Inside", people=[there.ann])
        channels = await there.channels(thread)
        info = await channels.look(str(thread.id))
        said = await refused(channels.enter(info, Layout.COMPACT))
        assert said == (
            "Broadsheet is not in the thread Inside. "
            "Mention it there, as @Broadsheet: that adds it."
        )
        thread.members.add(there.fake.bot.id)
        await channels.enter(info, Layout.COMPACT)


async def test_in_direct_messages_the_only_channel_is_that_one(stocked: Database) -> None:
    """It is private and takes every layout."""
    async with scene(stocked) as there:
        channels = await there.channels(there.ann.dm)
        info = await channels.look(str(there.ann.dm.id))
        assert info == ChannelInfo(
            str(there.ann.dm.id), DIRECT, private=True, kind="private", direct=True
        )
        for layout in Layout:
            await channels.enter(info, layout)
        assert await channels.known() == ChannelList(())
        assert await refused(channels.look(str(there.general.id))) == NO_SUCH


async def test_no_thread_passes_for_direct_messages(stocked: Database) -> None:
    """A thread with the name of direct messages is none, and people see a sign before its name."""
    async with scene(stocked) as there:
        thread = there.guild.add_thread(there.general, DIRECT, people=[there.ann])
        channels = await there.channels(thread)
        info = await channels.look(str(thread.id))
        assert (info.name, info.direct) == (f"#{DIRECT}", False)


async def test_what_the_bot_lacks_is_said_before_it_is_wanted(stocked: Database) -> None:
    """Each layout requires its permissions in its channel, and the remedy is a manager's."""
    lacks = {
        "shut": Permission.SEND_MESSAGES,
        "flat": Permission.CREATE_PUBLIC_THREADS,
        "mute": Permission.SEND_MESSAGES_IN_THREADS,
        "blind": Permission.READ_MESSAGE_HISTORY,
    }
    nothing: dict[str, list[str]] = {}
    async with scene(stocked) as there:
        guild = there.guild
        rooms = {name: guild.add_channel(name, bot_lacks=each) for name, each in lacks.items()}
        rooms["forum"] = guild.add_channel("forum", kind="forum", bot_lacks=lacks["mute"])
        rooms["thread"] = guild.add_thread(rooms["mute"], "Thread")
        channels = await there.channels()
        for name, room in rooms.items():
            info = await channels.look(str(room.id))
            nothing[name] = [await _said(channels, info, layout) for layout in Layout]
    in_threads = f"Broadsheet may not Send Messages in Threads in #{{}}. {ALLOW_IT}"
    shut = f"Broadsheet may not Send Messages in #shut. {ALLOW_IT}"
    flat = f"Broadsheet may not Create Public Threads in #flat. {ALLOW_IT}"
    assert list(Layout) == [Layout.COMPACT, Layout.FULL, Layout.THREAD]
    assert nothing == {
        "shut": [shut, shut, shut],
        "flat": ["", "", flat],
        "mute": ["", "", in_threads.format("mute")],
        "blind": ["", "", ""],
        "forum": ["", in_threads.format("forum"), in_threads.format("forum")],
        "thread": [in_threads.format("mute")] * 3,
    }


async def _said(channels: Channels, info: ChannelInfo, layout: Layout) -> str:
    try:
        await channels.enter(info, layout)
    except UserError as error:
        return f"{error.sentence} {error.remedy}"
    return ""


async def test_what_a_locked_thread_or_a_forum_wants_is_said_too(stocked: Database) -> None:
    """A thread for moderators alone, and a forum whose tags the bot can't set, get no posts."""
    async with scene(stocked) as there:
        guild = there.guild
        locked = guild.add_thread(there.general, "Done", locked=True)
        bare = guild.add_channel("bare", kind="forum", require_tag=True)
        tagged = guild.add_channel("tagged", kind="forum", tags=["News"], require_tag=True)
        channels = await there.channels()
        said = [
            await refused(channels.enter(await channels.look(str(each.id)), Layout.COMPACT))
            for each in (locked, bare)
        ]
        assert said == [
            "The thread Done is locked. A moderator unlocks it.",
            "That forum asks for a tag, and has none that Broadsheet may set. " + ADD_A_TAG,
        ]
        await channels.enter(await channels.look(str(tagged.id)), Layout.COMPACT)


async def test_what_is_offered_can_be_posted_to_and_is_seen(stocked: Database) -> None:
    """Channels, forums and active threads are listed if the user and the bot can use them."""
    async with scene(stocked) as there:
        guild = there.guild
        hidden = guild.add_channel("hidden", deny=Permission.VIEW_CHANNEL)
        guild.add_channel("mute", bot_lacks=Permission.SEND_MESSAGES)
        guild.add_channel("Voices", kind="voice")
        forum = guild.add_channel("Papers", kind="forum")
        thread = guild.add_thread(there.general, "Aside")
        assert list((await (await there.channels()).known()).named) == [
            Named(str(thread.id), "Aside"),
            Named(str(there.general.id), "general"),
            Named(str(forum.id), "Papers"),
        ]
        guild.update_channel(hidden, overwrites={})

        async def names() -> list[str]:
            return [each.name for each in (await (await there.channels()).known()).named]

        await until(names, ["Aside", "general", "hidden", "Papers"])


async def test_in_a_thread_its_channel_is_known(stocked: Database) -> None:
    """The actor in a thread has the thread's parent channel."""
    async with scene(stocked) as there:
        forum = there.guild.add_channel("papers", kind="forum")
        thread = there.guild.add_thread(there.general, "Aside")
        post = there.guild.add_thread(forum, "Week 2", archived=True)
        parents = [
            ((await there.actor(each)).channel, (await there.actor(each)).parent)
            for each in (there.general, thread, post, there.ann.dm)
        ]
        assert parents == [
            (str(there.general.id), None),
            (str(thread.id), str(there.general.id)),
            (str(post.id), str(forum.id)),
            (str(there.ann.dm.id), None),
        ]


async def test_where_the_bot_is_no_member_there_are_no_channels(stocked: Database) -> None:
    """A person who brings it along posts nowhere by it."""
    async with scene(stocked) as there:
        guild = there.fake.add_guild("H", bot=False)
        channel = guild.add_channel("general")
        eve = guild.add_member("eve", installed=True)
        somebody = await there.actor(guild.add_thread(channel, "Aside"), eve)
        assert (somebody.channels, somebody.channel, somebody.parent) == (None, None, None)
