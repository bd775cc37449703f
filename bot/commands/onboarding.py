"""The first use, by a person and by a workspace: it is explained once, below an answer.

What is said stands in a message of its own below the answer, so that no answer waits for it, and
none that is shared, kept or told in parts has it in it.
"""

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from bot.actor import Actor, Role
from bot.clock import Clock
from bot.commands.types import Command
from bot.commands.views.welcome import welcome_reply
from bot.replies.blocks import Reply
from store.database import Database
from store.errors import StoreError
from store.readers import welcomes
from store.records import Person, Workspace

_MOST_KEPT = 4096
# Whoever has all that is stored about them deleted is not noted again right below that.
_FORGET = "forget"
_log = logging.getLogger(__name__)


# Sends what a workspace is told, and returns whether it was taken.
Send = Callable[[], Awaitable[bool]]


@dataclass(frozen=True, slots=True)
class News:
    """What somebody is to be told, and to whom it is news: to them, their workspace or both."""

    reply: Reply
    key: tuple[Person, str]
    person: Person | None
    workspace: Workspace | None


class Welcoming:
    """Explains the bot to whom it is new.

    Args:
        database: the store.
        clock: tells when it was.
        most: how many people are remembered, so that nothing is asked of the store about them.
    """

    def __init__(self, database: Database, clock: Clock, most: int = _MOST_KEPT) -> None:
        self._database = database
        self._clock = clock
        self._most = most
        self._told: OrderedDict[tuple[Person, str], None] = OrderedDict()

    def may_follow(self, reply: Reply, person: Person, workspace: str) -> bool:
        """Tell whether somebody who is shown an answer may have to be told still.

        `workspace` is the one that was asked in, under the platform's id.
        """
        key = (person, workspace)
        if key in self._told:
            self._told.move_to_end(key)
            return False
        is_forgotten = (reply.command or "").partition(" ")[0] == _FORGET
        return not (reply.failed or reply.quiet or is_forgotten)

    async def welcome(self, actor: Actor, commands: Sequence[Command]) -> News | None:
        """Return what somebody is to be told, `None` where they were told before.

        A workspace is told where one of its managers asks. Where the store does not answer nobody
        is told anything, and it is tried again with the next answer.
        """
        key = (actor.person, actor.workspace)
        self._keep(key)
        here = _workspace(actor)
        try:
            told = await self._database.write(
                welcomes.welcome, actor.person, here, self._clock.now()
            )
        except StoreError as error:
            self._told.pop(key, None)
            _log.warning("welcome_put_off", extra={"reason": error.sentence})
            return None
        if not (told.person or told.workspace):
            return None
        reply = welcome_reply(actor, commands, person=told.person, workspace=told.workspace)
        person, workspace = actor.person if told.person else None, here if told.workspace else None
        return News(reply, key, person, workspace)

    async def take_back(self, news: News) -> None:
        """Note that news was not taken where it was sent: it follows the next answer."""
        try:
            await self._database.write(welcomes.take_back, news.person, news.workspace)
        except StoreError as error:
            _log.warning("welcome_lost", extra={"reason": error.sentence})
        else:
            self._told.pop(news.key, None)

    async def tell(self, workspace: Workspace, send: Send) -> None:
        """Tell a workspace that the bot came to what it is, unless it was told.

        Where that can't be sent the first manager who asks there is told instead.

        Raises:
            StoreError: as `Database.write`.
        """
        now = self._clock.now()
        is_new = await self._database.write(welcomes.welcome_workspace, workspace, now)
        if is_new and not await send():
            await self._database.write(welcomes.take_back, None, workspace)

    def _keep(self, key: tuple[Person, str]) -> None:
        self._told[key] = None
        if len(self._told) > self._most:
            self._told.popitem(last=False)


def _workspace(actor: Actor) -> Workspace | None:
    """Return the workspace that somebody manages where they ask, `None` where there is none."""
    is_shared = actor.joined and actor.channels is not None and not actor.is_alone
    manages = actor.role >= Role.MANAGER and is_shared
    return Workspace(actor.platform, actor.workspace) if manages else None
