"""A bot that makes plain HTTP requests and has no gateway connection."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp

from tests.fakes.discord import FakeDiscord, Interaction

V2 = 1 << 15
TEXT: dict[str, Any] = {"type": 10, "content": "Papers"}
COMMANDS: list[dict[str, Any]] = [
    {
        "name": "papers",
        "description": "Papers",
        "integration_types": [0, 1],
        "contexts": [0, 1, 2],
        "options": [
            {
                "type": 1,
                "name": "search",
                "description": "Find",
                "options": [
                    {
                        "type": 3,
                        "name": "query",
                        "description": "Words",
                        "required": True,
                        "autocomplete": True,
                    },
                    {"type": 4, "name": "size", "description": "How many", "min_value": 1},
                    {"type": 7, "name": "place", "description": "Where", "channel_types": [0]},
                ],
            },
            {
                "type": 2,
                "name": "channel",
                "description": "Channels",
                "options": [{"type": 1, "name": "preview", "description": "Look"}],
            },
        ],
    },
    {"type": 3, "name": "Look up", "description": ""},
]


@dataclass
class Raw:
    """A client of the REST API that returns status and body."""

    discord: FakeDiscord
    session: aiohttp.ClientSession

    async def __call__(
        self, method: str, path: str, body: Any = None, *, token: str | None = None
    ) -> tuple[int, Any]:
        """Make a request as the bot, or with another token."""
        headers = {"Authorization": f"Bot {token or self.discord.token}"}
        url = f"{self.discord.api_url}{path}"
        async with self.session.request(method, url, json=body, headers=headers) as answer:
            is_json = answer.headers.get("Content-Type") == "application/json"
            return answer.status, await answer.json() if is_json else await answer.text()

    async def refused(self, method: str, path: str, body: Any = None) -> tuple[int, int]:
        """Make a refused request; return the status and the error code."""
        status, answer = await self(method, path, body)
        return status, answer["code"]

    async def registers(self) -> None:
        """Register commands."""
        path = f"/applications/{self.discord.application_id}/commands"
        assert (await self("PUT", path, COMMANDS))[0] == 200

    async def responds(
        self, interaction: Interaction, kind: int, data: Any = None
    ) -> tuple[int, Any]:
        """Send the first response to an interaction."""
        body = {"type": kind, **({"data": data} if data is not None else {})}
        path = f"/interactions/{interaction.id}/{interaction.token}/callback?with_response=1"
        return await self("POST", path, body)

    def webhook(self, interaction: Interaction, more: str = "") -> str:
        """Return the path of an interaction's webhook."""
        return f"/webhooks/{self.discord.application_id}/{interaction.token}{more}"


@asynccontextmanager
async def raw(discord: FakeDiscord) -> AsyncIterator[Raw]:
    """Yield a bot with registered commands."""
    async with aiohttp.ClientSession() as session:
        bot = Raw(discord, session)
        await bot.registers()
        yield bot
