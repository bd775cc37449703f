"""The listener to messages: it answers direct messages, and mentions in servers with a button."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import discord

from adapters.common.answers.driver import AnswerDriver, Asked, Run, given
from adapters.common.answers.showing import showing_of_line
from adapters.discord.answers.verbs import DiscordAnswer
from adapters.discord.interactions.context import direct_actor
from adapters.discord.messages.incoming import command_of, is_direct, is_mention
from adapters.discord.messages.offer import offer
from adapters.discord.messages.verbs import MessageVerbs
from bot.app import Broadsheet
from bot.clock import Clock
from bot.replies.blocks import store_failure
from store.coordination.request_claims import Claim, claim
from store.database import Database
from store.errors import StoreError

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MessageListener:
    """Passes messages for the bot to the driver of answers; others are ignored at once."""

    app: Broadsheet
    driver: AnswerDriver[DiscordAnswer]
    verbs: Callable[..., MessageVerbs]
    database: Database
    system_clock: Clock

    async def on_message(self, client: discord.Client, message: discord.Message) -> None:
        """Answer a message that is for the bot, unless it was delivered before."""
        bot = client.user
        mentions = bot is not None and is_mention(message, bot.id)
        if bot is None or not (mentions or is_direct(message)):
            return
        if current := asyncio.current_task():
            self.driver.tasks.track(current)
        text = command_of(message, bot.id)
        try:
            if not await self._is_first_delivery(message):
                return
        except StoreError as error:
            _log.warning("message_not_read", extra={"reason": error.sentence})
            await self._answer(client, message, partial(given, store_failure(error)))
            return
        if mentions:
            # The answer to a mention is only offered: nobody but its reader may see it.
            offered = offer(text, self.app.commands, str(message.author.id))
            await self._answer(client, message, partial(given, offered), below=True)
        else:
            run = partial(self.app.run_text, text, key=_key(message))
            await self._answer(client, message, run)

    async def _answer(
        self,
        client: discord.Client,
        message: discord.Message,
        run: Run,
        *,
        below: bool = False,
    ) -> None:
        # A line of text has no options by name.
        user = replace(direct_actor(client, message.author, message.channel), by_name=False)
        asked = Asked(partial(given, user), run, showing_of_line(direct=True), greets=not below)
        await self.driver.acknowledge(asked, self.verbs(message, below=below))

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
