"""Answers in servers, in direct messages and where the bot is not a member."""

import asyncio
from collections.abc import Iterator
from typing import Any

from bot.commands.handlers import COMMANDS
from bot.commands.parser import parse
from bot.commands.types import Command, Context, Group, Kind
from bot.replies.blocks import Reply, Text
from store.database import Database
from tests.adapters.discord.connected_bot import running
from tests.fakes.discord import FakeDiscord, Permission

NEEDED = {
    "week": "2026-W02",
    "paper": "1",
    "query": "attention",
    "name": "zone",
    "id": "3",
    "words": "mamba",
}
# What is optional, and means nothing or too much without the other.
TOGETHER = {"value": ("name",), "until": ("id",), "source": ("words",), "channel": ("words",)}


async def _slow(_context: Context) -> Reply:
    await asyncio.sleep(1.2)
    return Reply((Text("Here at last."),))


SLOW = Command("slow", Group.LOOKUP, "Takes its time", _slow, examples=("slow",))


def examples() -> Iterator[tuple[Command, dict[str, Any]]]:
    """Yield every example of every command that this store can answer, as options are sent.

    Pictures are drawn behind the first response.
    """
    for command in COMMANDS:
        kinds = {param.name: param.type.kind for param in command.params}
        for line in command.examples:
            if not line.startswith(("week last", "week 3", "trends")):
                given = parse(line, COMMANDS).arguments.items()
                yield command, {n: int(v) if kinds[n] is Kind.NUMBER else v for n, v in given}


async def test_every_command_has_an_answer_that_discord_takes(stocked: Database) -> None:
    """Each example of each command gets an ephemeral answer."""
    async with FakeDiscord() as discord, running(stocked, discord):
        guild = discord.add_guild("G")
        channel = guild.add_channel("general")
        ann = guild.add_member("ann", permissions=Permission.MANAGE_GUILD)
        for command, arguments in examples():
            answer = await ann.asks(channel, command.path, **arguments)
            assert answer.message.ephemeral, (command.name, arguments)
            assert answer.message.texts, (command.name, arguments)


async def test_every_option_completes_itself(stocked: Database) -> None:
    """An option without input has at most 25 choices, which are valid arguments.

    Numbers and channels are entered by means of Discord's own.
    """
    async with FakeDiscord() as discord, running(stocked, discord):
        guild = discord.add_guild("G")
        channel = guild.add_channel("general")
        ann = guild.add_member("ann", permissions=Permission.MANAGE_GUILD)
        offered = {}
        for command in COMMANDS:
            for param in [each for each in command.shown if each.type.kind is Kind.TEXT]:
                choices = await ann.completes(channel, command.path, **{param.name: ""})
                offered[f"{command.name} {param.name}"] = len(choices)
                needed = {
                    each.name: NEEDED[each.name]
                    for each in command.params
                    if each is not param
                    and (each.required or each.name in TOGETHER.get(param.name, ()))
                }
                for choice in choices[:2]:
                    given = {**needed, param.name: choice["value"]}
                    answer = await ann.asks(channel, command.path, **given)
                    assert "❌" not in answer.message.text, (command.name, choice)
        assert max(offered.values()) <= 25
        # No week of this store is told of by two sources, no author of a paper is known, and this
        # person has no tags.
        unoffered = {name for name, number in offered.items() if not number}
        unknown = {name for name in offered if name.endswith((" author", " tag"))}
        words = {"ask question", "search query", "note text", "alert words"}
        assert unoffered == {*words, "consensus week", *unknown}


async def test_a_paper_completes_by_its_names(stocked: Database) -> None:
    """Words of the title, the number and the arXiv id each find it; people read its title."""
    async with FakeDiscord() as discord, running(stocked, discord):
        guild = discord.add_guild("G")
        channel, ann = guild.add_channel("general"), guild.add_member("ann")
        for typed in ("spar att", "1", "2601"):
            choices = await ann.completes(channel, "show", paper=typed)
            answer = await ann.asks(channel, "show", paper=choices[0]["value"])
            title = answer.message.texts[0]
            assert choices[0]["value"] not in choices[0]["name"]
            assert any(word in title for word in choices[0]["name"].split()), typed


async def test_a_person_may_bring_the_bot_along(stocked: Database) -> None:
    """Lookups work where the bot is not a member; channel commands say why they do not."""
    async with FakeDiscord() as discord, running(stocked, discord):
        guild = discord.add_guild("elsewhere")
        channel = guild.add_channel("general")
        ann = guild.add_member(
            discord.add_person("ann", installed=True), permissions=Permission.MANAGE_GUILD
        )
        guild.remove_bot()
        answer = await ann.asks(channel, "latest")
        assert answer.message.ephemeral
        assert "Details 1" in answer.message.buttons
        refused = await ann.asks(channel, "channel settings")
        assert "Broadsheet is not a member here" in refused.message.text


async def test_what_was_asked_before_the_end_is_answered(stocked: Database) -> None:
    """The bot ends only when those who asked have their answers."""
    async with FakeDiscord() as discord:
        async with running(stocked, discord, [SLOW]):
            guild = discord.add_guild("G")
            channel, ann = guild.add_channel("general"), guild.add_member("ann")
            answer = await ann.asks(channel, "slow")
        assert answer.message.texts == ["Here at last."]


async def test_a_request_that_comes_twice_is_answered_once(stocked: Database) -> None:
    """Of two processes with the same interaction the second sends nothing."""
    # The lease of a single shard has another name, so that neither waits for the other.
    async with (
        FakeDiscord() as discord,
        running(stocked, discord),
        running(stocked, discord, shards=1),
    ):
        guild = discord.add_guild("G")
        channel, ann = guild.add_channel("general"), guild.add_member("ann")
        for number in range(1, 6):
            answer = await ann.asks(channel, "latest")
            await discord.settled(lambda: answer.attempts == 2)  # noqa: B023 - waited for in the loop
            assert len(channel.messages) == number
