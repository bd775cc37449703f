"""Posts found again by the keys in their buttons."""

from datetime import UTC, datetime, timedelta

import discord
import pytest
from discord import ui

from adapters.common.layout.elements import Effect
from adapters.discord.posts.find import custom_ids
from adapters.discord.render.buttons import ComponentAction, custom_id
from bot.errors import NotAllowed, OutcomeUnknown, RetryLater, SendError
from tests.adapters.discord.post_senders import KEY, REPLY, Poster, poster_for, target
from tests.fakes.discord import Channel, FakeDiscord, Permission, Refuse, ServerError, User

HISTORY = "GET /channels/{channel_id}/messages"
AGES_AGO = datetime(2020, 1, 1, tzinfo=UTC)


def fill(fake: FakeDiscord, channel: Channel, count: int) -> None:
    """Post messages of another user."""
    for number in range(count):
        fake.post(channel, {"content": f"word {number}"}, User(7, "bob"))


async def found(poster: Poster, channel: Channel, since: datetime | None = None) -> str | None:
    """Return the id of the post with the key."""
    sent = await poster.sender.find(target(channel), KEY, since)
    return sent.message if sent else None


def test_ids_are_found_however_deep_they_are() -> None:
    """Custom ids are found in rows, sections and containers."""
    view = ui.LayoutView(timeout=None)
    section: ui.Section[ui.LayoutView]
    section = ui.Section("text", accessory=ui.Button(label="A", custom_id="a"))
    row: ui.ActionRow[ui.LayoutView] = ui.ActionRow(ui.Button(label="B", custom_id="b"))
    options = [discord.SelectOption(label="x")]
    chooser: ui.ActionRow[ui.LayoutView]
    chooser = ui.ActionRow(ui.Select(custom_id="c", options=options))
    view.add_item(ui.Container(section, row, chooser))
    view.add_item(ui.ActionRow(ui.Button(label="D", custom_id="d")))
    view.stop()
    assert list(custom_ids(view.children)) == ["a", "b", "c", "d"]


async def test_a_post_is_found_among_what_others_said() -> None:
    """The key tells the post from talk before and after it, and from other posts."""
    async with FakeDiscord() as fake:
        channel = fake.add_guild().add_channel("general")
        fill(fake, channel, 5)
        async with poster_for(fake) as poster:
            sent = await poster.sender.send(target(channel), REPLY, KEY)
            await poster.sender.send(target(channel), REPLY, "another-key")
            fill(fake, channel, 5)
            assert await found(poster, channel) == sent.message


async def test_what_somebody_else_posted_is_no_post_of_ours() -> None:
    """Another bot may copy a message with its buttons; that one was not sent by us."""
    button = {
        "type": 2,
        "style": 2,
        "label": "x",
        "custom_id": custom_id(ComponentAction(Effect.RUN, "help", key=KEY), 1),
    }
    async with FakeDiscord() as fake:
        channel = fake.add_guild().add_channel("general")
        fake.post(
            channel, {"components": [{"type": 1, "components": [button]}]}, User(7, "copycat")
        )
        async with poster_for(fake) as poster:
            assert await found(poster, channel) is None


async def test_how_far_back_it_looks() -> None:
    """Without a time the newest 100 messages are seen; with one, all that came since."""
    async with FakeDiscord() as fake:
        channel = fake.add_guild().add_channel("general")
        async with poster_for(fake) as poster:
            sent = await poster.sender.send(target(channel), REPLY, KEY)
            fill(fake, channel, 150)
            assert await found(poster, channel) is None
            assert await found(poster, channel, AGES_AGO) == sent.message
            later = datetime.now(UTC) + timedelta(minutes=10)
            assert await found(poster, channel, later) is None


async def test_what_can_not_be_looked_through_stays_unclear() -> None:
    """A channel where thousands of messages came since tells nothing of a post amid them."""
    async with FakeDiscord(validating=False) as fake:
        channel = fake.add_guild().add_channel("general")
        fill(fake, channel, 1001)
        async with poster_for(fake) as poster:
            with pytest.raises(OutcomeUnknown):
                await found(poster, channel, AGES_AGO)


async def test_a_post_is_found_however_much_was_said_after_it() -> None:
    """After a long while it is looked for near the time at which it was sent, too."""
    async with FakeDiscord(validating=False) as fake:
        channel = fake.add_guild().add_channel("general")
        async with poster_for(fake) as poster:
            began = datetime.now(UTC)
            fill(fake, channel, 3)
            sent = await poster.sender.send(target(channel), REPLY, KEY)
            fill(fake, channel, 1001)
            assert await found(poster, channel, began) == sent.message


async def test_a_post_of_a_forum_is_found_in_its_thread() -> None:
    """It is the first message of an active or archived thread."""
    async with FakeDiscord() as fake:
        guild = fake.add_guild()
        forum = guild.add_channel("papers", kind="forum")
        other = guild.add_channel("talk", kind="forum")
        guild.add_thread(forum, "Somebody's")
        async with poster_for(fake) as poster:
            sent = await poster.sender.send(target(forum), REPLY, KEY, title="Week 2")
            await poster.sender.send(target(forum), REPLY, "another-key", title="Week 3")
            assert await found(poster, forum) == sent.message
            assert await found(poster, other) is None
            fake.channels[int(sent.place)].archived = True
            assert await found(poster, forum) == sent.message
            fake.channels[int(sent.place)].messages[0].deleted = True
            assert await found(poster, forum) is None


async def test_a_forum_with_too_many_threads_since_stays_unclear() -> None:
    """The outcome stays unknown beyond 25 threads, each of which takes a request."""
    async with FakeDiscord(validating=False) as fake:
        forum = fake.add_guild().add_channel("papers", kind="forum")
        async with poster_for(fake) as poster:
            for number in range(26):
                await poster.sender.send(target(forum), REPLY, f"k{number}", title=f"Week {number}")
            assert await found(poster, forum) is None
            with pytest.raises(OutcomeUnknown):
                await found(poster, forum, AGES_AGO)
            later = datetime.now(UTC) + timedelta(minutes=10)
            assert await found(poster, forum, later) is None


async def test_a_history_that_may_not_be_read_is_not_an_empty_one(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Discord shows it as empty; a process that knows no permissions is not deceived by that.

    Where it is empty indeed, nothing failed, and the log says of nothing that it did.
    """
    async with FakeDiscord() as fake:
        guild = fake.add_guild()
        blind = guild.add_channel("blind", bot_lacks=Permission.READ_MESSAGE_HISTORY)
        empty = guild.add_channel("empty")
        async with poster_for(fake, gateway=False) as poster:
            with pytest.raises(NotAllowed):
                await found(poster, blind)
            caplog.clear()
            assert await found(poster, empty) is None
    assert [each.msg for each in caplog.records if each.levelname == "WARNING"] == []


@pytest.mark.parametrize("fault", [ServerError(503), Refuse(403, 50001)])
async def test_a_look_that_fails_is_no_answer(fault: ServerError | Refuse) -> None:
    """A failed search raises an error."""
    async with FakeDiscord() as fake:
        channel = fake.add_guild().add_channel("general")
        fake.fail(HISTORY, fault)
        async with poster_for(fake) as poster:
            with pytest.raises(SendError) as caught:
                await found(poster, channel)
        assert isinstance(caught.value, RetryLater | NotAllowed)
