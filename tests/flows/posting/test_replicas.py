"""The installed program twice on one Postgres: one holds the gateway, both post, nothing twice."""

import asyncio
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from store.database import Database
from store.posting.subscriptions import add_subscription
from store.records import Channel, Workspace
from tests.adapters.discord.connected_bot import variables_for as discord_variables
from tests.bot.posting.delivery.setup import ORDER
from tests.chaos.checks import posted_messages as standing
from tests.fakes.discord import FakeDiscord, Server
from tests.fakes.discord.users.users import Person
from tests.flows.posting.slack_bot import PATIENCE, Life, life, until

_CHANNELS = 40


@dataclass
class Replicas:
    """Two processes, and channels of both platforms that posts are owed to."""

    life: Life
    discord: FakeDiscord
    server: Server
    ann: Person

    async def state(self, name: str, part: str = "discord") -> str:
        """Return what a process says of itself, nothing where it does not answer."""
        _, said = await self.life.healthy(name)
        return str(said[part]["state"]) if said else ""

    async def until(self, name: str, state: str) -> None:
        """Wait until a process says so of Discord."""
        async with asyncio.timeout(PATIENCE):
            while not self._listens(name) or await self.state(name) != state:  # noqa: ASYNC110 - another process has no event
                await asyncio.sleep(0.2)

    def _listens(self, name: str) -> bool:
        return any(each["event"] == "web_listening" for each in self.life.events(name))

    def sent(self, name: str) -> Counter[str]:
        """Return by platform how many posts a process sent."""
        events = self.life.events(name)
        return Counter(each["platform"] for each in events if each["event"] == "delivery_sent")

    def posts(self) -> list[tuple[str, str]]:
        """Return where posts stand, once for each."""
        stands = (*standing.in_slack(self.life.slack), *standing.in_discord(self.discord))
        return [(each.platform, each.channel) for each in stands if "Paper 1" in each.text]


async def _order_all(url: str, replicas: Replicas) -> None:
    """Give as many channels of each platform an order."""
    slack, server = replicas.life.slack, replicas.server
    team = slack.teams["T1"]
    channels = []
    for number in range(_CHANNELS):
        slack.add_channel(team, f"C{100 + number}", members={"U1", team.bot_user})
        channels.append(Channel(Workspace("slack", team.id), f"C{100 + number}"))
        room = server.add_channel(f"papers-{number}")
        channels.append(Channel(Workspace("discord", str(server.id)), str(room.id)))
    async with Database(url) as database:
        for channel in channels:
            await database.write(add_subscription, replace(ORDER, channel=channel))


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
async def test_two_processes_share_the_work(tmp_path: Path, database_url: str) -> None:
    """One answers in Discord and the other stands by; both post, each channel gets one post.

    The first is killed, and the other holds the gateway and answers; nothing is posted again.
    """
    async with life(tmp_path, database_url) as living, FakeDiscord() as discord:
        living.settings |= discord_variables(discord)
        server = discord.add_guild("G")
        room = server.add_channel("ml")
        replicas = Replicas(living, discord, server, server.add_member("ann"))
        first = living.run("one")
        await replicas.until("one", "ok")
        living.run("two")
        await replicas.until("two", "standby")
        status, said = await living.healthy("two")
        assert status == 200, said
        await _order_all(database_url, replicas)
        await until(lambda: len(replicas.posts()) >= 2 * _CHANNELS, 2 * PATIENCE)
        await living.until_deliveries(*["sent"] * 2 * _CHANNELS)
        assert set(Counter(replicas.posts()).values()) == {1}
        told = [replicas.sent(name) for name in ("one", "two")]
        assert sum(told, Counter()) == {"slack": _CHANNELS, "discord": _CHANNELS}
        assert all(each.total() for each in told)
        first.kill()
        await asyncio.to_thread(first.wait)
        await replicas.until("two", "ok")
        answer = await replicas.ann.asks(room, "latest")
        assert "Paper 1" in "\n".join(answer.message.texts)
        assert len(replicas.posts()) == 2 * _CHANNELS
