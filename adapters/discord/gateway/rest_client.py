"""The login of a client, the REST client that every process has, and the base URL of the API.

discord.py takes that from class attributes only.
"""

import asyncio
import logging
import threading
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Generic, TypeVar

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket, KeepAliveHandler
from discord.http import Route

from adapters.common.tasks import Pauses, Tasks
from adapters.discord.api.errors import NETWORK_ERRORS, as_send_error
from adapters.discord.api.rate_limits import prune_buckets_seldom
from adapters.discord.settings import API_URL, DiscordSettings
from bot.errors import PlatformError, SendError

C = TypeVar("C", bound=discord.Client)
_COPY_AGAIN = "Copy it again: https://discord.com/developers/applications, page Bot, Reset Token."
_NOT_DISCORD = "What answers at BROADSHEET_DISCORD_API_URL is not Discord."
TOKEN_REFUSED = f"Discord no longer accepts DISCORD_TOKEN. {_COPY_AGAIN}"
# A longer wait for a rate limit is an error, so that no user waits in vain; the library accepts no
# shorter timeout.
_MAX_RATE_LIMIT_SECONDS = 30.0
_log = logging.getLogger(__name__)


def client_options(trace: aiohttp.TraceConfig) -> dict[str, Any]:
    """Return the options that every client has; `trace` watches its requests."""
    return {
        "max_messages": None,
        "allowed_mentions": discord.AllowedMentions.none(),
        "max_ratelimit_timeout": _MAX_RATE_LIMIT_SECONDS,
        "http_trace": trace,
    }


def rest_client(trace: aiohttp.TraceConfig) -> discord.Client:
    """Return a client for API calls without a gateway connection."""
    client = discord.Client(intents=discord.Intents(guilds=True), **client_options(trace))
    prune_buckets_seldom(client.http)
    return client


class Login(Generic[C]):
    """A client and its login.

    Args:
        make: makes a client; a closed one can't log in again.
        settings: the base URL and the token.
    """

    def __init__(self, make: Callable[[], C], settings: DiscordSettings) -> None:
        self._make = make
        self._settings = settings
        self._is_open = False
        self.done = False
        self.client = make()

    async def log_in(self) -> None:
        """Log in, unless that is done.

        Raises:
            discord.LoginFailure: if Discord refuses the token.
            SendError: if it can't be reached, or fails.
            ValueError: if what answers is not Discord.
        """
        if self.done:
            return
        token = self._settings.token.get_secret_value()
        try:
            await set_base_url(self._settings.api_url, token)
            self._is_open = True
            await self.client.login(token)
            self.done = True
        except discord.LoginFailure:
            raise
        except NETWORK_ERRORS as error:
            await self.reset()
            raise as_send_error(error) from error

    async def reset(self) -> None:
        """Replace the client by a new one: a failed one can't be used again."""
        await self.close()
        self.client = self._make()

    async def close(self) -> None:
        """Close the client if it is open: the library fails otherwise."""
        self.done = False
        if self._is_open:
            self._is_open = False
            unidentified = [each for each in _connections(self.client) if not each.session_id]
            await asyncio.gather(*(each.close() for each in unidentified), return_exceptions=True)
            await self.client.close()


class RestClient:
    """A client for API calls without a gateway connection.

    Args:
        make_client: makes one.
        settings: the base URL and the token.
    """

    def __init__(
        self, make_client: Callable[[], discord.Client], settings: DiscordSettings
    ) -> None:
        self._login = Login(make_client, settings)
        self._tasks = Tasks()
        self.failure = ""

    @property
    def client(self) -> discord.Client:
        """The client, logged in or not."""
        return self._login.client

    @property
    def is_logged_in(self) -> bool:
        """True if it is logged in."""
        return self._login.done

    async def start(self) -> None:
        """Log in; if Discord can't be reached, go on trying.

        Raises:
            PlatformError: if Discord refuses the token.
        """
        try:
            await self._login.log_in()
        except discord.LoginFailure as error:
            raise PlatformError("Discord refuses DISCORD_TOKEN.", _COPY_AGAIN) from error
        except ValueError as error:
            raise PlatformError(_NOT_DISCORD, "Look at its value.") from error
        except SendError as error:
            self._set_failure(error.sentence)
            self._tasks.start(self._keep_trying(), "discord-login")

    async def stop(self) -> None:
        """Log out."""
        await self._tasks.finish(0)
        await self._login.close()

    async def _keep_trying(self) -> None:
        pauses = Pauses()
        while not await self._attempt():
            await pauses.wait()

    async def _attempt(self) -> bool:
        """Try to log in; return whether there is no point in another attempt."""
        try:
            await self._login.log_in()
        except discord.LoginFailure:
            self._set_failure(TOKEN_REFUSED)
            return True
        except SendError as error:
            self._set_failure(error.sentence)
            return False
        except ValueError:
            self._set_failure(_NOT_DISCORD)
            await self._login.reset()
            return False
        self.failure = ""
        return True

    def _set_failure(self, sentence: str) -> None:
        if self.failure != sentence:
            _log.warning("discord_disconnected", extra={"reason": sentence})
        self.failure = sentence


def _connections(client: discord.Client) -> list[DiscordWebSocket]:
    """Return a client's gateway connections, also those that have not identified themselves.

    discord.py 2.7 does not know these and does not close them with the client. Each has a
    heartbeat thread from its Hello on.
    https://github.com/Rapptz/discord.py/blob/v2.7.1/discord/gateway.py
    """
    handlers = (each for each in threading.enumerate() if isinstance(each, KeepAliveHandler))
    return [each.ws for each in handlers if each.ws._connection is client._connection]  # noqa: SLF001 - nothing public tells whose it is


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
