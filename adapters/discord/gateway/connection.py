"""The gateway: one connection a shard, kept up by the library, and how it is.

https://docs.discord.com/developers/events/gateway
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

import discord

from adapters.common.tasks import Tasks
from adapters.discord.api.errors import in_words
from adapters.discord.gateway.client import BroadsheetClient, Gateway, Shard
from adapters.discord.gateway.login import TROUBLE, Login
from adapters.discord.gateway.rest_client import REFUSED
from adapters.discord.interactions.sync import sync
from adapters.discord.settings import DiscordSettings
from bot.errors import OutcomeUnknown, RetryLater, SendError
from bot.operations.health import Condition, State

_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0
_REGISTER_SECONDS = 3.0
# What was asked by a client goes on so long after it hung up: a post takes 40 seconds at most.
_REQUESTS_SECONDS = 45.0
_log = logging.getLogger(__name__)
# Close codes after which the library gives up, for identifying again would end the same:
# https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes
_TOKEN_REFUSED = 4004
_FINAL = {
    _TOKEN_REFUSED: REFUSED,
    4010: "Discord knows no such shard: look at BROADSHEET_DISCORD_SHARDS.",
    4011: "The bot is in too many servers for so few shards: raise BROADSHEET_DISCORD_SHARDS.",
    4012: "Discord no longer speaks this version of its gateway.",
    4013: "Discord refuses the intents.",
    4014: "Discord refuses the intents.",
}


class GatewayConnection:
    """A connection to Discord that is made anew whenever it is lost.

    Args:
        make_client: makes a client; one that was closed can't be connected again.
        settings: where to connect, and as whom.
        changed: is called when it is another condition.
        identify: waits until a shard may identify itself, of which Discord takes so many at once.
        shard: which one is connected; `None` for all.
    """

    def __init__(
        self,
        make_client: Callable[[Gateway], BroadsheetClient],
        settings: DiscordSettings,
        changed: Callable[[], None],
        identify: Callable[[int, int], Awaitable[None]],
        shard: Shard | None = None,
    ) -> None:
        self._login = Login(lambda: make_client(self), settings)
        self._changed = changed
        self._identify = identify
        self._shard = shard
        self._tasks = Tasks()
        self._up: set[int] = set()
        self._condition = Condition(State.STARTING, "The connection to Discord is being made.")
        self._was_up = self._leaving = False
        self._at_once = 1
        self._registering: asyncio.Task[None] | None = None
        self.down_since: float | None = time.monotonic()
        self.over = ""

    @property
    def client(self) -> BroadsheetClient:
        """The client of the moment."""
        return self._login.client

    def start(self) -> None:
        """Connect; where Discord can't be reached, go on trying."""
        self._tasks.start(self._keep_up(), "discord-gateway")

    async def stop(self) -> None:
        """Disconnect."""
        self._leaving = True
        await self._tasks.finish(0)
        await self._login.close()

    async def leave(self, seconds: float) -> None:
        """Hang up after so many seconds, and let go of the rest once what was asked has ended."""
        try:
            await asyncio.sleep(seconds)
            self._leaving = True
            await self._tasks.finish(0)
            shards = self.client.shards.values() if self._login.done else ()
            await asyncio.gather(*(shard.disconnect() for shard in shards))
            if shards:
                await asyncio.sleep(_REQUESTS_SECONDS)
        finally:
            await self.stop()

    def condition(self) -> Condition:
        """Say how the connection is."""
        return self._condition

    async def identifies(self, shard: int) -> None:
        """Wait until a shard may identify itself."""
        await self._identify(shard, self._at_once)

    def shard_up(self, shard: int) -> None:
        """Note that a shard is connected."""
        self._up.add(shard)
        wanted = 1 if self._shard else self.client.shard_count or 1
        if self._leaving or len(self._up) < wanted:
            return
        if self._condition.state is not State.OK:
            self._was_up, self.down_since = True, None
            _log.info("discord_connected", extra={"shards": len(self._up)})
        self._condition = Condition(State.OK)
        self._changed()

    def shard_down(self, shard: int) -> None:
        """Note that a shard lost its connection."""
        self._up.discard(shard)
        if not self.client.is_closed():
            self._lost("The connection to Discord was lost and is being made anew.")

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
            await self._prepare()
            await self.client.connect()
        except SendError as error:
            self._lost(error.sentence)
        except Exception as error:  # noqa: BLE001 - the library raises whatever ended a shard
            self.over = final_reason(error) or ""
            if self.over:
                self._lost(self.over)
                return True
            self._lost("The connection to Discord broke off and is being made anew.")
            _log.warning("discord_connection_failed", extra={"reason": str(error)})
            await self._begin_anew()
        else:
            return True  # it was closed
        return False

    async def _prepare(self) -> None:
        """Log in, and see to what people are offered.

        Raises:
            SendError: where Discord can't be reached, or is in trouble.
            Exception: whatever else the library raises.
        """
        await self._login.log_in()
        if self._shard:
            limits = await self.client.fetch_session_start_limits()
            self._at_once = max(limits.max_concurrency, 1)
        if self._registering is None and (self._shard is None or self._shard.number == 0):
            self._registering = asyncio.create_task(
                self._keep_registered(), name="discord-commands"
            )
            self._tasks.track(self._registering)
            # It is there before anybody is answered, unless that takes long.
            await asyncio.wait({self._registering}, timeout=_REGISTER_SECONDS)

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
        if not self._login.done:
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
        self._up.clear()
        await self._login.begin_anew()

    def _lost(self, sentence: str) -> None:
        if self._leaving:
            return
        lost = Condition(State.FAILING, sentence)
        if self._condition != lost:
            _log.warning("discord_disconnected", extra={"reason": sentence})
        if self.down_since is None:
            self.down_since = time.monotonic()
        self._condition = lost
        self._changed()


def _again_after(error: Exception) -> float | None:
    """Return after how many seconds to try again what failed, `None` where that is no use."""
    reason = in_words(error) if isinstance(error, TROUBLE) else None
    if isinstance(reason, RetryLater):
        return reason.after or 0
    return 0 if isinstance(reason, OutcomeUnknown) else None


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
