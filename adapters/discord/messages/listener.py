"""The listener to messages: it answers direct messages, and mentions in servers with a button."""

import asyncio
import logging
from dataclasses import dataclass, replace
from functools import partial

import discord

from adapters.common.tasks import Tasks
from adapters.discord.answers.welcome import welcome_after
from adapters.discord.interactions.context import direct_actor
from adapters.discord.messages.answers import MessageAnswers
from adapters.discord.messages.incoming import command_of, is_direct, is_mention
from adapters.discord.messages.offer import offer
from bot.app import Broadsheet
from bot.clock import Clock
from bot.replies.blocks import Reply, store_failure
from store.coordination.request_claims import Claim, claim
from store.database import Database
from store.errors import StoreError

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MessageListener:
    """Passes messages to the bot and its replies to the answers; others are ignored at once."""

    app: Broadsheet
    answers: MessageAnswers
    database: Database
    system_clock: Clock
    tasks: Tasks

    async def on_message(self, client: discord.Client, message: discord.Message) -> None:
        """Answer a message that is for the bot, unless it was delivered before."""
        bot = client.user
        if bot is None:
            return
        if is_direct(message):
            answer = partial(self._answer, client, message, command_of(message, bot.id))
        elif is_mention(message, bot.id):
            answer = partial(self._offer, message, command_of(message, bot.id))
        else:
            return
        if current := asyncio.current_task():
            self.tasks.track(current)
        try:
            is_new = await self._is_first_delivery(message)
        except StoreError as error:
            _log.warning("message_not_read", extra={"reason": error.sentence})
            await self.answers.send(message, store_failure(error))
            return
        if is_new:
            await answer()

    async def _answer(self, client: discord.Client, message: discord.Message, text: str) -> None:
        """Answer a direct message, and send a new user the onboarding message after it."""
        # A line of text has no options by name.
        user = replace(direct_actor(client, message.author, message.channel), by_name=False)

        async def run() -> Reply:
            return await self.app.run_text(text, user, _key(message))

        if reply := await self.answers.answer(message, run):
            send = partial(self.answers.send, message, follows=True)
            await welcome_after(reply, self.app, user, send)

    async def _offer(self, message: discord.Message, text: str) -> None:
        """Offer the answer to a mention, which nobody but its reader may see."""
        author = str(message.author.id)
        await self.answers.reply_below(message, offer(text, self.app.commands, author))

    async def _is_first_delivery(self, message: discord.Message) -> bool:
        """Tell whether a message was not delivered before, here or to another process.

        Raises:
            StoreError: as `Database.write`.
        """
        delivery = Claim(f"message:{_key(message)}", self.system_clock.now())
        return await self.database.write(claim, delivery)


def _key(message: discord.Message) -> str:
    """Return the idempotency key of a message, the same when it is delivered again."""
    return f"discord:{message.id}"
