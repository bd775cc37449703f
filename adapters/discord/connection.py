"""The gateway: one connection a shard, kept up by the library, and how it is.

https://docs.discord.com/developers/events/gateway
"""

import asyncio
import logging
from collections.abc import Callable

import aiohttp
import discord

from adapters.discord.address import reach
from adapters.discord.client import BroadsheetClient, Gateway
from adapters.discord.errors import in_words, token_lost
from adapters.discord.settings import DiscordSettings
from adapters.discord.sync import sync
from adapters.tasks import Tasks
from bot.errors import PlatformError, RetryLater, SendError, Unclear
from bot.health import Condition, State
from bot.metrics import Metrics

_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0
_REGISTER_SECONDS = 3.0
_log = logging.getLogger(__name__)
_RESET = "Copy it again: https://discord.com/developers/applications, page Bot, Reset Token."
# Close codes after which the library gives up, for identifying again would end the same:
# https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes
_TOKEN_REFUSED = 4004
_FINAL = {
    _TOKEN_REFUSED: f"Discord no longer accepts DISCORD_TOKEN. {_RESET}",
    4012: "Discord no longer speaks this version of its gateway.",
    4013: "Discord refuses the intents.",
    4014: "Discord refuses the intents.",
}
_TROUBLE = (discord.DiscordException, aiohttp.ClientError, TimeoutError, OSError)


class GatewayConnection:
    """A connection to Discord that is made anew whenever it is lost.

    Args:
        make_client: makes a client; one that was closed can't be connected again.
        settings: where to connect, and as whom.
        metrics: told of connections.
    """

    def __init__(
        self,
        make_client: Callable[[Gateway], BroadsheetClient],
        settings: DiscordSettings,
        metrics: Metrics,
    ) -> None:
        self._make_client = make_client
        self._settings = settings
        self._metrics = metrics
        self._tasks = Tasks()
        self._up: set[int] = set()
        self._condition = Condition(State.STARTING, "The connection to Discord is being made.")
        self._entered = self._logged_in = self._was_up = False
        self._token_lost = False
        self.client = make_client(self)

    async def start(self) -> None:
        """Log in and connect; where Discord can't be reached, go on trying.

        Raises:
            PlatformError: if Discord does not take the token.
        """
        try:
            await self._log_in()
        except discord.LoginFailure as error:
            raise PlatformError("Discord refuses DISCORD_TOKEN.", _RESET) from error
        except ValueError as error:
            raise PlatformError(
                "What answers at BROADSHEET_DISCORD_API_URL is not Discord.", "Look at its value."
            ) from error
        except SendError as error:
            self._lost(error.sentence)
        registering = asyncio.create_task(self._keep_registered(), name="discord-commands")
        self._tasks.keep(registering)
        if self._logged_in:
            # What people are offered is there before anybody is answered, unless that takes long.
            await asyncio.wait({registering}, timeout=_REGISTER_SECONDS)
        self._tasks.start(self._keep_up(), "discord-gateway")

    async def stop(self) -> None:
        """Disconnect."""
        await self._tasks.finish(0)
        await self._close()

    def condition(self) -> Condition:
        """Say how the connection is."""
        return self._condition

    def for_posts(self) -> BroadsheetClient:
        """Return the client that posts are sent by, logged in or not.

        Raises:
            TokenLost: where Discord takes the token no more, so that there will be no other.
        """
        if self._token_lost:
            raise token_lost(str(_TOKEN_REFUSED))
        return self.client

    def shard_up(self, shard: int) -> None:
        """Note that a shard is connected."""
        self._up.add(shard)
        if len(self._up) < (self.client.shard_count or 1):
            return
        if self._condition.state is not State.OK:
            self._was_up = True
            _log.info("discord_connected", extra={"shards": len(self._up)})
            self._metrics.connected("discord", up=True)
        self._condition = Condition(State.OK)

    def shard_down(self, shard: int) -> None:
        """Note that a shard lost its connection."""
        self._up.discard(shard)
        if not self.client.is_closed():
            self._lost("The connection to Discord was lost and is being made anew.")

    async def _log_in(self) -> None:
        """Log in.

        Raises:
            discord.LoginFailure: if Discord does not take the token.
            SendError: where it can't be reached, or is in trouble.
            ValueError: where what answers is not Discord.
        """
        token = self._settings.token.get_secret_value()
        try:
            await reach(self._settings.api_url, token)
            self._entered = True
            await self.client.login(token)
            self._logged_in = True
        except discord.LoginFailure:
            raise
        except _TROUBLE as error:
            await self._begin_anew()
            raise in_words(error) from error

    async def _keep_up(self) -> None:
        """Connect, and connect anew, until that can't work or it is to end."""
        pause = _FIRST_PAUSE
        while not await self._attempt():
            if self._was_up:
                self._was_up, pause = False, _FIRST_PAUSE
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _attempt(self) -> bool:
        """Hold a connection until it ends; return whether there is no use in another."""
        try:
            if not self._logged_in:
                await self._log_in()
            await self.client.connect()
        except SendError as error:
            self._lost(error.sentence)
        except Exception as error:  # noqa: BLE001 - the library raises whatever ended a shard
            why = final_reason(error)
            if why is not None:
                self._lost(why)
                self._token_lost = why == _FINAL[_TOKEN_REFUSED]
                return True
            self._lost("The connection to Discord broke off and is being made anew.")
            _log.warning("discord_connection_failed", extra={"reason": str(error)})
            await self._begin_anew()
        else:
            return True  # it was closed
        return False

    async def _keep_registered(self) -> None:
        """Register the commands, in as many attempts as it takes.

        Meanwhile those that Discord has go on working.
        """
        pause = _FIRST_PAUSE
        while (asked := await self._register()) is not None:
            await asyncio.sleep(max(pause, asked))
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _register(self) -> float | None:
        """Register the commands if Discord holds others.

        Return after how many seconds to try again at the earliest, `None` where that is no use.
        """
        client = self.client
        if not self._logged_in:
            return 0
        try:
            if await sync(client.tree):
                _log.info("discord_commands_registered")
        except Exception as error:  # noqa: BLE001 - the library fails at wording some refusals
            if client is not self.client:
                return 0  # it was closed meanwhile, and another one took its place
            _log.warning("discord_commands_not_registered", extra={"reason": str(error)})
            return _again_after(error)
        return None

    async def _begin_anew(self) -> None:
        """Take a new client: one that failed holds what it opened, and is of no more use."""
        await self._close()
        self._up.clear()
        self._logged_in = False
        self.client = self._make_client(self)

    async def _close(self) -> None:
        """Close the client, if there is anything to close: the library fails at it otherwise."""
        if self._entered:
            self._entered = False
            await self.client.close()

    def _lost(self, sentence: str) -> None:
        lost = Condition(State.FAILING, sentence)
        if self._condition != lost:
            _log.warning("discord_disconnected", extra={"reason": sentence})
            self._metrics.connected("discord", up=False)
        self._condition = lost


def _again_after(error: Exception) -> float | None:
    """Return after how many seconds to try again what failed, `None` where that is no use."""
    reason = in_words(error) if isinstance(error, _TROUBLE) else None
    if isinstance(reason, RetryLater):
        return reason.after or 0
    return 0 if isinstance(reason, Unclear) else None


def final_reason(error: Exception) -> str | None:
    """Return why it is no use to connect again, `None` where it is."""
    match error:
        case discord.LoginFailure():
            return _FINAL[_TOKEN_REFUSED]
        case discord.PrivilegedIntentsRequired():
            return _FINAL[4014]
        case discord.ConnectionClosed():
            return _FINAL.get(error.code)
        case _:
            return None
