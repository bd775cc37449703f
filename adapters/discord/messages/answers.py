"""Answers to messages, sent as messages to the same channel."""

import asyncio
import logging
from contextlib import suppress

import discord

from adapters.common.answers.showing import showing_of_line
from adapters.common.tasks import Tasks
from adapters.discord.answers.answering import Handler, reply_of
from adapters.discord.answers.responder import Responder
from adapters.discord.api.rate_limits import SharedLimiter, channel_limit
from adapters.discord.channels.channel_state import require_permissions
from adapters.discord.channels.missing_permissions import Action
from adapters.discord.channels.resolver import ResolvedChannel
from adapters.discord.interactions.context import person
from bot.errors import OutcomeUnknown, RetryLater, SendError
from bot.replies.blocks import Reply
from store.errors import StoreError

# How long an answer waits behind posts to the same channel.
_SLOT_SECONDS = 0.5
_TYPING_AFTER_SECONDS = 1.0
_AS_MESSAGE = showing_of_line(direct=True)
_NO_HISTORY = "160002"
_log = logging.getLogger(__name__)


class MessageAnswers:
    """Answers messages; errors of Discord are logged and not raised.

    Args:
        responder: sends the answers.
        limiter: the rate limiter of all processes on one store.
        tasks: the tasks that a shutdown waits for.
        speed: a factor on Discord's published limits, for trials.
    """

    def __init__(
        self, responder: Responder, limiter: SharedLimiter, tasks: Tasks, speed: float = 1.0
    ) -> None:
        self._responder = responder
        self._limiter = limiter
        self._tasks = tasks
        self._speed = speed

    async def answer(self, message: discord.Message, handler: Handler) -> Reply | None:
        """Answer a direct message with a handler's reply; return the reply if it was sent."""
        pending = asyncio.create_task(reply_of(handler), name="discord-message")
        self._tasks.track(pending)
        await asyncio.wait({pending}, timeout=_TYPING_AFTER_SECONDS)
        if not pending.done():
            with suppress(SendError):
                await self._responder.show_typing(message.channel)
        return await pending if await self.send(message, await pending) else None

    async def send(self, message: discord.Message, reply: Reply, *, follows: bool = False) -> bool:
        """Send a reply to the channel of a message; return whether it may have arrived.

        It is sent once for a message, and another once that `follows` it.
        """
        return await self._send(message, reply, f"{message.id}{'f' if follows else ''}")

    async def reply_below(self, message: discord.Message, reply: Reply) -> None:
        """Send a reply that points to a message of a server, where the bot may do that."""
        reference = message.to_reference(fail_if_not_exists=False)
        await self._send(message, reply, str(message.id), reference)

    async def _send(
        self,
        message: discord.Message,
        reply: Reply,
        nonce: str,
        reference: discord.MessageReference | None = None,
    ) -> bool:
        channel = message.channel
        try:
            if isinstance(channel, ResolvedChannel):
                require_permissions(channel, Action.POST)
            answer = await self._responder.render(reply, _AS_MESSAGE, person(message.author))
            await self._wait_for_slot(channel.id)
            try:
                await self._responder.send(channel, answer, nonce, reference)
            except SendError as error:
                if error.code != _NO_HISTORY:
                    raise
                await self._responder.send(channel, answer, nonce)
        except SendError as error:
            _log.warning("answer_lost", extra={"reason": error.sentence, "code": error.code})
            return isinstance(error, OutcomeUnknown)
        return True

    async def _wait_for_slot(self, channel: int) -> None:
        """Take a slot of the channel's rate limit, but hardly wait for one."""
        limit = channel_limit(str(channel), self._speed)
        with suppress(TimeoutError, RetryLater, StoreError):
            async with asyncio.timeout(_SLOT_SECONDS):
                await self._limiter.acquire([limit])
