"""The verbs by which a message is answered: with messages in the same channel."""

import asyncio
from contextlib import suppress
from functools import partial

import discord

from adapters.common.answers.showing import Showing, showing_of_line
from adapters.discord.answers.command_strings import CommandStrings
from adapters.discord.answers.verbs import LATE_PAUSES, DiscordAnswer, DiscordVerbs
from adapters.discord.api.calls import Calls
from adapters.discord.api.rate_limits import SharedLimiter, channel_limit
from adapters.discord.channels.channel_state import require_permissions
from adapters.discord.channels.missing_permissions import Action
from adapters.discord.channels.resolver import ResolvedChannel
from adapters.discord.interactions.context import person
from bot.errors import RetryLater, SendError
from bot.replies.blocks import Reply
from store.errors import StoreError

# How long an answer waits behind posts to the same channel.
_SLOT_SECONDS = 0.5
_AS_MESSAGE = showing_of_line(direct=True)
_NO_HISTORY = "160002"


class MessageVerbs(DiscordVerbs):
    """The verbs for a message; it is answered once, and once more by what follows the answer.

    Args:
        calls: runs API calls.
        command_strings: stores those that are too long for a button.
        limiter: the rate limiter of all processes on one store.
        speed: a factor on Discord's published limits, for trials.
        message: the message.
        below: whether the answer points to it.
    """

    def __init__(  # noqa: PLR0913 - what it calls, and the message
        self,
        calls: Calls,
        command_strings: CommandStrings,
        limiter: SharedLimiter,
        speed: float,
        message: discord.Message,
        *,
        below: bool = False,
    ) -> None:
        super().__init__(calls, command_strings, person(message.author))
        self._limiter = limiter
        self._speed = speed
        self._message = message
        self._reference = message.to_reference(fail_if_not_exists=False) if below else None

    async def acknowledge(self, answer: DiscordAnswer) -> None:
        """Send an answer; without pointing to the message where the bot may not do that."""
        nonce = str(self._message.id)
        try:
            await self._send(answer, nonce, self._reference)
        except SendError as error:
            if error.code != _NO_HISTORY:
                raise
            await self._send(answer, nonce)

    async def defer(self, _showing: Showing) -> bool:
        """Show for some seconds that an answer is being made; it always follows."""
        with suppress(SendError):
            await self._calls.run("typing", self._message.channel.typing())
        return True

    async def show_nothing(self) -> None:
        """Do nothing: a message needs no acknowledgement."""

    async def tell(self, reply: Reply) -> None:
        """Send a message after the answer."""
        await self._send(await self.render(reply, _AS_MESSAGE), f"{self._message.id}f")

    async def _send(
        self,
        answer: DiscordAnswer,
        nonce: str,
        reference: discord.MessageReference | None = None,
    ) -> None:
        """Send an answer, once for its nonce.

        Raises:
            SendError: if Discord refuses it, or is known to.
        """
        channel = self._message.channel
        if isinstance(channel, ResolvedChannel):
            require_permissions(channel, Action.POST)
        await self._wait_for_slot(channel.id)
        nobody = discord.AllowedMentions.none()
        send = partial(channel.send, nonce=nonce, reference=reference, allowed_mentions=nobody)
        await self._send_new("answer", answer, send, LATE_PAUSES)

    async def _wait_for_slot(self, channel: int) -> None:
        """Take a slot of the channel's rate limit, but hardly wait for one."""
        limit = channel_limit(str(channel), self._speed)
        with suppress(TimeoutError, RetryLater, StoreError):
            async with asyncio.timeout(_SLOT_SECONDS):
                await self._limiter.acquire([limit])
