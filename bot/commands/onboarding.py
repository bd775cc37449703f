"""The welcome of a new user or workspace, sent once, below an answer.

It is a message of its own, so that no answer waits for it or is shared with it.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from bot.actor import Actor, Role
from bot.cache import Cache
from bot.clock import Clock
from bot.commands.handlers.help import welcome_reply
from bot.commands.types import Command
from bot.errors import OutcomeUnknown, SendError
from bot.replies.blocks import Reply
from store.database import Database
from store.errors import StoreError
from store.records import Person, Workspace
from store.workspaces import people

_CACHED = 4096
# A user who has their data deleted is not stored again right below that answer.
_FORGET = "forget"
_log = logging.getLogger(__name__)
# How long a welcome waits that was refused twice: each attempt costs two writes and a request.
_PAUSE = 3600.0
_Key = tuple[Person, str]
# Sends the welcome of a workspace, and returns whether it was accepted.
Send = Callable[[], Awaitable[bool]]


@dataclass(frozen=True, slots=True)
class Welcome:
    """A welcome that is to be sent, for a person, their workspace or both."""

    reply: Reply
    key: _Key
    person: Person | None
    workspace: Workspace | None


class Onboarding:
    """Welcomes new users and workspaces.

    Args:
        database: knows who was welcomed.
        clock: says when they are.
        size: how many people are cached, who cost no read.
        seconds: a clock that only goes forward, in seconds.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        size: int = _CACHED,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._clock = clock
        self._welcomed: Cache[_Key, float | None] = Cache(size, lambda age: age, seconds)
        self._refused: Cache[_Key, None] = Cache(size, _PAUSE, seconds)

    async def follow(
        self,
        reply: Reply,
        actor: Actor,
        commands: Sequence[Command],
        send: Callable[[Reply], Awaitable[None]],
        delay: float = 0.0,
    ) -> None:
        """Send a new user the welcome below an answer.

        If it is refused, it follows the next one; if it is again, an answer an hour later.

        Args:
            reply: the answer.
            actor: the user.
            commands: the commands that it names.
            send: sends the welcome, or raises `SendError`.
            delay: the seconds after which the answer has appeared.
        """
        if not self.may_follow(reply, actor):
            return
        await asyncio.sleep(delay)
        if not self.may_follow(reply, actor):  # another answer came meanwhile
            return
        welcome = await self.welcome(actor, commands)
        if welcome is None:
            return
        try:
            await send(welcome.reply)
        except (SendError, StoreError) as error:
            await self.undo(welcome, error)

    def may_follow(self, reply: Reply, actor: Actor) -> bool:
        """Tell whether a user who gets an answer may be new."""
        if (actor.person, actor.workspace) in self._welcomed:
            return False
        is_forgotten = (reply.command or "").partition(" ")[0] == _FORGET
        return not (reply.failed or reply.quiet or is_forgotten)

    async def welcome(self, actor: Actor, commands: Sequence[Command]) -> Welcome | None:
        """Return the welcome of a user, `None` if they were welcomed before.

        A workspace is welcomed when one of its managers asks. If the store fails, it is tried again
        at the next answer.
        """
        key = (actor.person, actor.workspace)
        self._welcomed.put(key, None)
        here = _managed_workspace(actor)
        try:
            new = await self._database.write(people.welcome, actor.person, here, self._clock.now())
        except StoreError as error:
            self._welcomed.remove(key)
            _log.warning("welcome_postponed", extra={"reason": error.sentence})
            return None
        if not (new.person or new.workspace):
            return None
        reply = welcome_reply(actor, commands, person=new.person, workspace=new.workspace)
        person, workspace = actor.person if new.person else None, here if new.workspace else None
        return Welcome(reply, key, person, workspace)

    async def undo(self, welcome: Welcome, reason: SendError | StoreError) -> None:
        """Note that a welcome could not be sent, unless it may have arrived all the same."""
        _log.warning("welcome_lost", extra={"reason": reason.sentence})
        if isinstance(reason, OutcomeUnknown):
            return
        try:
            await self._database.write(people.undo_welcome, welcome.person, welcome.workspace)
        except StoreError as error:
            _log.warning("welcome_lost", extra={"reason": error.sentence})
            return
        if welcome.key in self._refused:
            self._welcomed.put(welcome.key, _PAUSE)
        else:
            self._refused.put(welcome.key, None)
            self._welcomed.remove(welcome.key)

    async def welcome_workspace(self, workspace: Workspace, send: Send) -> None:
        """Welcome a workspace that the bot came to, unless it was welcomed before.

        If that can't be sent, the first manager who asks there is welcomed instead.
        """
        now = self._clock.now()
        is_new = await self._database.write(people.welcome_workspace, workspace, now)
        if is_new and not await send():
            await self._database.write(people.undo_welcome, None, workspace)


def _managed_workspace(actor: Actor) -> Workspace | None:
    """Return the shared workspace of the request if the user manages it."""
    is_shared = actor.joined and actor.channels is not None and not actor.is_alone
    manages = actor.role >= Role.MANAGER and is_shared
    return Workspace(actor.platform, actor.workspace) if manages else None
