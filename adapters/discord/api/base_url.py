"""The base URL of Discord's API, which discord.py takes from class attributes only."""

from http import HTTPStatus

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from adapters.discord.settings import API_URL

# https://docs.discord.com/developers/events/gateway#connecting; the library's own default.
_GATEWAY_URL = "wss://gateway.discord.gg/"
_TIMEOUT_SECONDS = 10
_RETRYABLE_STATUSES = {HTTPStatus.TOO_MANY_REQUESTS, *range(500, 600)}


async def set_base_url(api_url: str | None, token: str) -> None:
    """Make all clients of this process use a REST API at a URL, or Discord's own.

    The gateway's URL is requested before the login, because a client that has to identify again
    connects to the default one.

    Raises:
        aiohttp.ClientError: if nothing answers, or the server fails.
        TimeoutError: if it does not answer in time.
        ValueError: if what answers is not Discord.
    """
    Route.BASE = api_url or API_URL
    gateway_url = await _fetch_gateway_url(api_url, token) if api_url else None
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url or _GATEWAY_URL)


async def _fetch_gateway_url(api_url: str, token: str) -> str | None:
    """Return the gateway's URL, `None` if the token is refused: the login reports that."""
    # https://docs.discord.com/developers/reference#user-agent
    agent = f"DiscordBot (Broadsheet, {discord.__version__})"
    headers = {"Authorization": f"Bot {token}", "User-Agent": agent}
    timeout = aiohttp.ClientTimeout(total=_TIMEOUT_SECONDS)
    async with (
        aiohttp.ClientSession(timeout=timeout) as session,
        session.get(f"{api_url}/gateway/bot", headers=headers) as response,
    ):
        if response.status == HTTPStatus.UNAUTHORIZED:
            return None
        if response.status in _RETRYABLE_STATUSES:
            response.raise_for_status()
        if response.status != HTTPStatus.OK:
            raise ValueError(f"{api_url} answers with {response.status}")
        data = await response.json(content_type=None)
    url = data.get("url") if isinstance(data, dict) else None
    if not url:
        raise ValueError(f"{api_url} does not say where the gateway is")
    return str(url)
