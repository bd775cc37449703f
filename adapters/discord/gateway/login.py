"""Logging in: a client that makes calls, taken anew where that fails."""

import asyncio
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

import aiohttp
import discord
from discord.gateway import DiscordWebSocket, KeepAliveHandler

from adapters.discord.api.base_url import reach
from adapters.discord.api.errors import in_words
from adapters.discord.settings import DiscordSettings

C = TypeVar("C", bound=discord.Client)
RESET = "Copy it again: https://discord.com/developers/applications, page Bot, Reset Token."
TROUBLE = (discord.DiscordException, aiohttp.ClientError, TimeoutError, OSError)


class Login(Generic[C]):
    """A client, and whether it is logged in.

    Args:
        make: makes a client; one that was closed can't be logged in again.
        settings: where to log in, and as whom.
    """

    def __init__(self, make: Callable[[], C], settings: DiscordSettings) -> None:
        self._make = make
        self._settings = settings
        self._entered = False
        self.done = False
        self.client = make()

    async def log_in(self) -> None:
        """Log in, if that is still to be done.

        Raises:
            discord.LoginFailure: if Discord does not take the token.
            SendError: where it can't be reached, or is in trouble.
            ValueError: where what answers is not Discord.
        """
        if self.done:
            return
        token = self._settings.token.get_secret_value()
        try:
            await reach(self._settings.api_url, token)
            self._entered = True
            await self.client.login(token)
            self.done = True
        except discord.LoginFailure:
            raise
        except TROUBLE as error:
            await self.begin_anew()
            raise in_words(error) from error

    async def begin_anew(self) -> None:
        """Take a new client: one that failed holds what it opened, and is of no more use."""
        await self.close()
        self.client = self._make()

    async def close(self) -> None:
        """Close the client, if there is anything to close: the library fails at it otherwise."""
        self.done = False
        if self._entered:
            self._entered = False
            unfinished = [each for each in _connections(self.client) if not each.session_id]
            await asyncio.gather(*(each.close() for each in unfinished), return_exceptions=True)
            await self.client.close()


def _connections(client: discord.Client) -> list[DiscordWebSocket]:
    """Return a client's connections to the gateway, also those that are still being made.

    Of these discord.py 2.7 knows nothing until they have identified themselves, and closes none
    with the client. Each beats in a thread of its own from its greeting on.
    https://github.com/Rapptz/discord.py/blob/v2.7.1/discord/gateway.py
    """
    beating = (each for each in threading.enumerate() if isinstance(each, KeepAliveHandler))
    return [each.ws for each in beating if each.ws._connection is client._connection]  # noqa: SLF001 - nothing public tells whose it is
