"""The installed program in Discord: another process, a real store, the fake's servers."""

import asyncio
import json
from pathlib import Path

from tests.adapters.discord.connected_bot import variables_for
from tests.fakes.discord import FakeDiscord
from tests.flows.program import Program


async def test_the_program_answers_in_discord(tmp_path: Path) -> None:
    """Started with a token it fills its store, registers its commands, answers, and ends."""
    program = Program(tmp_path, f"sqlite:///{tmp_path / 'store.db'}")
    log = tmp_path / "run.log"
    async with FakeDiscord() as discord:
        guild = discord.add_guild("G")
        channel = guild.add_channel("general")
        ann = guild.add_member("ann")
        async with program.serving(log, **variables_for(discord)):
            await discord.settled(lambda: discord.gateway.open, seconds=30)
            answer = await ann.asks(channel, "latest")
            assert "Sample Weekly" in "\n".join(answer.message.texts)
            await ann.presses(answer.message, "Share")
            assert await discord.settled(discord.sent)
    events = [json.loads(line)["event"] for line in log.read_text().splitlines()]
    assert sorted(events) == [
        "discord_commands_registered",
        "discord_connected",
        "lease_released",
        "lease_taken",
        "serving",
        "web_listening",
    ]


async def test_a_wrong_token_ends_the_program_with_a_sentence(tmp_path: Path) -> None:
    """Nothing loops and nothing waits: standard error says so, and the code is 1."""
    program = Program(tmp_path, f"sqlite:///{tmp_path / 'store.db'}")
    async with FakeDiscord() as discord:
        discord.expect_refusals = True
        settings = {**variables_for(discord), "DISCORD_TOKEN": "wrong"}
        ran = await asyncio.to_thread(lambda: program("run", **settings))
        assert ran.code == 1
        assert "Error: Discord refuses DISCORD_TOKEN." in ran.err
        assert "Traceback" not in ran.err


async def test_doctor_asks_discord(tmp_path: Path) -> None:
    """It ends with 0 where nothing would not work, and prints the link to add the bot."""
    program = Program(tmp_path, f"sqlite:///{tmp_path / 'store.db'}")
    async with FakeDiscord() as discord:
        discord.add_guild("G")
        ran = await asyncio.to_thread(lambda: program("doctor", **variables_for(discord)))
        assert (ran.code, ran.err) == (0, "")
        assert "well     discord: DISCORD_TOKEN is of broadsheet." in ran.out
        assert "note     discord: No command is registered yet." in ran.out
        assert "https://discord.com/oauth2/authorize?client_id=" in ran.out
        discord.app["interactions_endpoint_url"] = "https://other.example.org/in"
        ran = await asyncio.to_thread(lambda: program("doctor", **variables_for(discord)))
        assert ran.code == 1
