"""Answer `/papers` with two letters, as a discord.py client: the floor of a first response.

    python -m tests.benchmarks.processes.discord_client API_URL

The library as its documents show it, with the class of client and the intents that the product
has too, and the two class attributes that an address needs.
"""

import asyncio
import sys

import aiohttp
import discord
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.benchmarks.processes.slack_app import ANSWER


class _Client(discord.AutoShardedClient):
    def __init__(self) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True, guild_messages=True, dm_messages=True)
        )
        self.tree = app_commands.CommandTree(self)
        papers = app_commands.Group(name="papers", description="Says two letters")
        papers.command(name="latest", description="Says two letters")(_answer)
        papers.command(name="search", description="Says two letters")(_answer_search)
        self.tree.add_command(papers)

    async def setup_hook(self) -> None:
        await self.tree.sync()


async def _answer(interaction: discord.Interaction[_Client]) -> None:
    await interaction.response.send_message(ANSWER, ephemeral=True)


async def _answer_search(interaction: discord.Interaction[_Client], query: str) -> None:  # noqa: ARG001 - an option
    await _answer(interaction)


async def _run(api_url: str) -> None:
    Route.BASE = api_url
    async with aiohttp.ClientSession() as session, session.get(f"{api_url}/gateway/bot") as answer:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL((await answer.json())["url"])
    async with _Client() as client:
        await client.start("token")


if __name__ == "__main__":
    asyncio.run(_run(*sys.argv[1:]))
