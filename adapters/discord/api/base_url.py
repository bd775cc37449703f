"""Where Discord is: the one place that points the library elsewhere, which it can't be told."""

from http import HTTPStatus

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from adapters.discord.settings import API_URL

# https://docs.discord.com/developers/events/gateway#connecting; the library's own default.
_GATEWAY = "wss://gateway.discord.gg/"
_SECONDS = 10
_TROUBLE = {HTTPStatus.TOO_MANY_REQUESTS, *range(500, 600)}


async def reach(api_url: str | None, token: str) -> None:
    """Have all clients of this process speak to the REST API at an address, or to Discord's own.

    The gateway is where that API says it is. It is asked for before the login, since a client
    that has to identify anew goes to the default one.

    Raises:
        aiohttp.ClientError: where nothing answers, or Discord is in trouble.
        TimeoutError: the same.
        ValueError: where what answers is not Discord.
    """
    Route.BASE = api_url or API_URL
    gateway = await _gateway(api_url, token) if api_url else None
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway or _GATEWAY)


async def _gateway(api_url: str, token: str) -> str | None:
    """Return the address of the gateway, `None` where the token is not taken: login says why."""
    # https://docs.discord.com/developers/reference#user-agent
    agent = f"DiscordBot (Broadsheet, {discord.__version__})"
    headers = {"Authorization": f"Bot {token}", "User-Agent": agent}
    timeout = aiohttp.ClientTimeout(total=_SECONDS)
    async with (
        aiohttp.ClientSession(timeout=timeout) as session,
        session.get(f"{api_url}/gateway/bot", headers=headers) as answer,
    ):
        if answer.status == HTTPStatus.UNAUTHORIZED:
            return None
        if answer.status in _TROUBLE:
            answer.raise_for_status()
        if answer.status != HTTPStatus.OK:
            raise ValueError(f"{api_url} answers with {answer.status}")
        said = await answer.json(content_type=None)
    url = said.get("url") if isinstance(said, dict) else None
    if not url:
        raise ValueError(f"{api_url} does not say where the gateway is")
    return str(url)
