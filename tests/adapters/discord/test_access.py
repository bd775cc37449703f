"""What doctor finds of the channels that get posts, asked of a Discord of our own."""

from adapters.discord.setup import post_checks
from adapters.discord.setup.doctor import examine
from bot.operations.health import Finding, Verdict
from store.records import Channel, Workspace
from tests.adapters.discord.running import variables_for
from tests.fakes.discord import Channel as Room
from tests.fakes.discord import FakeDiscord, Permission, ServerError

_LOOK = "GET /channels/{channel_id}"
_ALLOW = "A manager allows it: Edit Channel, Permissions, Broadsheet."


def ordered(room: Room) -> Channel:
    """Return a channel as a standing order has it."""
    server = str(room.guild.id) if room.guild else f"@{room.recipients[0].id}"
    return Channel(Workspace("discord", server), str(room.id))


async def found(fake: FakeDiscord, *rooms: Room) -> list[Finding]:
    """Return what is found of channels, without what is found of all else."""
    others = await examine(variables_for(fake))
    every = await examine(variables_for(fake), [ordered(room) for room in rooms])
    return every[len(others) :]


async def test_open_channels_are_counted() -> None:
    """Where posts get through is one line; direct messages nobody can tell of."""
    async with FakeDiscord() as fake:
        guild, other = fake.add_guild("G"), fake.add_guild("H")
        talk, forum = guild.add_channel("talk"), other.add_channel("forum", kind="forum")
        locked = guild.add_channel("closed", bot_lacks=Permission.SEND_MESSAGES)
        thread = guild.add_thread(locked, "Papers", archived=True)
        direct = fake.add_person("ann").dm
        assert await found(fake, talk, forum, thread, direct) == [
            Finding("discord", Verdict.WELL, "3 channels can be posted to.")
        ]
        assert await found(fake) == await found(fake, direct) == []


async def test_each_closed_channel_is_a_problem_with_its_remedy() -> None:
    """A channel that is hidden, gone or closed to the bot, and one whose server removed it."""
    async with FakeDiscord() as fake:
        guild, left = fake.add_guild("G"), fake.add_guild("left")
        mute = guild.add_channel("mute", bot_lacks=Permission.SEND_MESSAGES)
        hidden = guild.add_channel("hidden", bot_lacks=Permission.VIEW_CHANNEL)
        gone, voice = guild.add_channel("gone"), guild.add_channel("rooms", kind="category")
        shut = guild.add_thread(guild.add_channel("talk"), "Papers", locked=True)
        there = left.add_channel("papers")
        guild.remove_channel(gone)
        left.remove_bot()
        findings = await found(fake, mute, hidden, gone, voice, shut, there)
        assert {finding.verdict for finding in findings} == {Verdict.PROBLEM}
        assert [finding.sentence for finding in findings] == [
            f"{mute.id} can't be posted to: Broadsheet may not Send Messages in #mute.",
            f"{hidden.id} can't be posted to: Broadsheet can't see that channel.",
            f"{gone.id} can't be posted to: That channel is no longer there.",
            f"{voice.id} can't be posted to: #rooms takes no messages.",
            f"{shut.id} can't be posted to: The thread Papers is locked.",
            f"{there.id} can't be posted to: Broadsheet is not in its server, {left.id}.",
        ]
        assert findings[0].remedy == _ALLOW
        assert all(finding.remedy for finding in findings)


async def test_what_could_not_be_examined_is_counted_by_its_reason() -> None:
    """Trouble of Discord's own is no fault of a channel."""
    async with FakeDiscord() as fake:
        guild = fake.add_guild("G")
        rooms = [guild.add_channel(name) for name in ("a", "b", "c")]
        fake.fail(_LOOK, ServerError(503), times=2)
        assert await found(fake, *rooms) == [
            Finding("discord", Verdict.WELL, "1 channel can be posted to."),
            Finding(
                "discord",
                Verdict.NOTE,
                "2 channels could not be examined: Discord failed in the middle of it.",
            ),
        ]


async def test_no_more_than_some_are_examined() -> None:
    """Of many channels the first are asked about, and that is said."""
    async with FakeDiscord() as fake:
        guild = fake.add_guild("G")
        rooms = [guild.add_channel(f"c{number}") for number in range(post_checks.MOST_EXAMINED + 1)]
        assert [finding.sentence for finding in await found(fake, *rooms)] == [
            "50 channels can be posted to.",
            "Of 51 channels no more than 50 were examined.",
        ]
        assert len(fake.calls(_LOOK)) == post_checks.MOST_EXAMINED
