"""The installed program in chats: another process, a real store, the fakes' servers."""

import asyncio
import json
from pathlib import Path

import pytest

from store.database import Database
from store.posting.subscriptions import add_subscription
from tests.adapters.discord.connected_bot import variables_for as discord_variables
from tests.adapters.slack.connected_bot import many_variables, variables_for
from tests.bot.posting.digest.editions import ORDER
from tests.fakes.discord import FakeDiscord
from tests.fakes.slack import FakeSlack
from tests.flows.program import Program, ends_well


async def test_the_program_answers_in_slack(tmp_path: Path) -> None:
    """Started with two tokens it fills its store, connects, answers, and ends at SIGTERM."""
    program = Program(tmp_path, f"sqlite:///{tmp_path / 'store.db'}")
    log = tmp_path / "run.log"
    async with FakeSlack() as slack:
        started = program.start("run", log=log, **variables_for(slack))
        async with ends_well(started):
            await slack.settled(lambda: slack.sockets.open, seconds=30)
            answer = await slack.ask("latest")
            assert "Sample Weekly" in answer.text
            await slack.click(answer, "Share")
            assert await slack.settled(lambda: slack.seen("U2"))
    events = [json.loads(line)["event"] for line in log.read_text().splitlines()]
    assert sorted(events) == ["serving", "slack_connected", "web_listening"]


async def test_the_program_answers_in_discord(tmp_path: Path) -> None:
    """Started with a token it fills its store, registers its commands, answers, and ends."""
    program = Program(tmp_path, f"sqlite:///{tmp_path / 'store.db'}")
    log = tmp_path / "run.log"
    async with FakeDiscord() as discord:
        guild = discord.add_guild("G")
        channel = guild.add_channel("general")
        ann = guild.add_member("ann")
        async with program.serving(log, **discord_variables(discord)):
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


async def test_workspaces_install_the_program(tmp_path: Path) -> None:
    """With id and secret in its environment, which Bolt would read too, it answers who installs.

    The doctor tells where their tokens can't be read any more.
    """
    program = Program(tmp_path, f"sqlite:///{tmp_path / 'store.db'}")
    log = tmp_path / "run.log"
    async with FakeSlack() as slack, program.serving(log, **many_variables(slack, "socket")):
        await slack.settled(lambda: slack.sockets.open, seconds=30)
        told = (json.loads(line) for line in log.read_text().splitlines())
        [url] = [each["url"] for each in told if each["event"] == "web_listening"]
        assert (await slack.install(url)).status == 200
        assert await slack.settled(lambda: slack.seen("U1", "D1"))
        answer = await slack.ask("latest")
        assert "Sample Weekly" in answer.text
        other = {"BROADSHEET_SECRET_KEY": "another key that is as random"}
        settings = many_variables(slack, "socket", **other)
    assert not [line for line in log.read_text().splitlines() if '"level": "warning"' in line]
    ill = await asyncio.to_thread(lambda: program("doctor", **settings))
    assert ill.code == 1
    assert "No key in BROADSHEET_SECRET_KEY opens the token of Team T1 (T1)." in ill.out


async def test_a_wrong_token_ends_the_program_with_a_sentence(tmp_path: Path) -> None:
    """Nothing loops and nothing waits: standard error says which token, and the code is 1."""
    program = Program(tmp_path, f"sqlite:///{tmp_path / 'store.db'}")
    async with FakeSlack() as slack:
        settings = {**variables_for(slack), "SLACK_BOT_TOKEN": "xoxb-wrong"}
        ran = await asyncio.to_thread(lambda: program("run", **settings))
        assert ran.code == 1
        assert "Error: Slack refuses SLACK_BOT_TOKEN (invalid_auth)." in ran.err
        assert "Traceback" not in ran.err
        assert slack.calls("apps.connections.open") == []


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_the_doctor_names_a_channel_that_lost_the_bot(
    database: Database, database_url: str, tmp_path: Path
) -> None:
    """Where an order posts to Slack is asked about, and the remedy is told."""
    await database.write(add_subscription, ORDER)
    program = Program(tmp_path, database_url)
    async with FakeSlack() as slack:
        settings = variables_for(slack)
        well = await asyncio.to_thread(lambda: program("doctor", **settings))
        slack.teams["T1"].channels["C1"].members.discard(slack.teams["T1"].bot_user)
        ill = await asyncio.to_thread(lambda: program("doctor", **settings))
    assert "well     slack: 1 channel can be posted to." in well.out.splitlines()
    assert (well.code, ill.code) == (0, 1)
    assert "problem  slack: Broadsheet is not in #name-c1." in ill.out.splitlines()
    assert "/invite @Broadsheet" in ill.out
