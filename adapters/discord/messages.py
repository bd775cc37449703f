"""Messages to the bot: direct ones are answered, mentions in servers get a button for whoever asks.

Discord sends the content of direct messages and of messages that mention the bot; that of others
takes a privileged intent.
https://docs.discord.com/developers/events/gateway#message-content-intent
"""

import asyncio
import logging
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import discord

from adapters.common.answers.driver import AnswerDriver, Asked, Run, given
from adapters.common.answers.showing import Showing, showing_of_line
from adapters.common.tasks import wait_briefly
from adapters.discord.answers import LATE_PAUSES, CommandStrings, DiscordAnswer, DiscordVerbs
from adapters.discord.api.calls import Calls
from adapters.discord.api.rate_limits import channel_limit
from adapters.discord.channels.channel_state import Action, require_permissions
from adapters.discord.channels.resolver import ResolvedChannel
from adapters.discord.interactions.context import direct_actor, person
from bot.app import Broadsheet
from bot.clock import Clock
from bot.commands.handlers.help import HELP
from bot.commands.parser import read_head, require_short
from bot.commands.types import Command, Group
from bot.coordination.rate_limiter import RateLimiter
from bot.domain.typed_text import as_meant, without_code_marks
from bot.errors import SendError, UserError
from bot.replies.blocks import Actions, Button, Level, Notice, Reply, Text, store_failure
from store.coordination.request_claims import Claim, claim
from store.database import Database
from store.errors import StoreError

# Others are notices of Discord, such as of a pinned message.
_TYPED = (discord.MessageType.default, discord.MessageType.reply)
_PREFIX = re.compile(r"\A/papers(?!\S)\s*", re.IGNORECASE)
_ITALIC = re.compile(r"_([^_\s](?:[^_]*[^_\s])?)_")


def is_direct(message: discord.Message) -> bool:
    """Tell whether a user wrote words to the bot in direct messages."""
    in_place = isinstance(message.channel, discord.DMChannel)
    return in_place and _is_by_user(message) and bool(message.content.strip())


def is_mention(message: discord.Message, bot: int) -> bool:
    """Tell whether a user wrote the name of the bot in a server.

    A reply mentions its author without the name in its content, and @everyone mentions nobody.
    """
    is_named = bot in message.raw_mentions and any(each.id == bot for each in message.mentions)
    return is_named and _is_by_user(message) and not isinstance(message.channel, discord.DMChannel)


def command_in(text: str, bot: int) -> str:
    """Return the text after the mention of the bot, else the text before it, in one line.

    Discord's `/me` puts a text in italics.
    """
    if found := _ITALIC.fullmatch(text.strip()):
        text = found[1]
    mention = re.compile(rf"<@!?{bot}>")
    if found := mention.search(text):
        after = mention.sub("", text[found.end() :]).lstrip(" ,:.!\n\uff0c\uff1a")
        text = after or text[: found.start()].rstrip(" ,:\n")
    return _PREFIX.sub("", " ".join(without_code_marks(text).split()))


def _is_by_user(message: discord.Message) -> bool:
    is_typed = message.type in _TYPED and message.webhook_id is None
    return is_typed and not message.author.bot


_LINE = Text("Only whoever presses this sees the answer.")
_SHOW = "Show the answer"


def offer(text: str, commands: Sequence[Command], author: str) -> Reply:
    """Return the reply to a mention with a text, without which the button is for help.

    The label names a command that may change something, and the button the `author`, by id: others
    who press it are asked first.
    """
    try:
        require_short(len(text))
    except UserError as error:
        return Reply((Notice(Level.WARNING, error.sentence, error.remedy),), failed=True)
    command = text or HELP.name
    head = read_head(as_meant(command), commands).command
    label = _SHOW if head is None or head.group is Group.LOOKUP else f"/papers {head.path}"
    return Reply((_LINE, Actions((Button(label, command, by=author),))))


_log = logging.getLogger(__name__)

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
        limiter: RateLimiter,
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
        limit = channel_limit(str(channel.id), self._speed)
        await wait_briefly(self._limiter.acquire([limit]))
        nobody = discord.AllowedMentions.none()
        send = partial(channel.send, nonce=nonce, reference=reference, allowed_mentions=nobody)
        await self._send_new("answer", answer, send, LATE_PAUSES)


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
        text = command_in(message.content, bot.id)
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
