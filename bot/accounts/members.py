"""What people keep for themselves, as commands see it: read anew each time, for it is theirs."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, ParamSpec, TypeVar

from bot.accounts.votes import Votes
from store.database import Database, Session
from store.errors import StoreError
from store.records import Person

P = ParamSpec("P")
T = TypeVar("T")

_log = logging.getLogger(__name__)


def _nothing() -> None:
    """Wake nobody."""


class Members:
    """The people who ask, each with what is theirs.

    Attributes:
        votes: how many of them voted for papers, in each workspace.

    Args:
        database: the store.
        wake: tells whoever sends posts that what they show may have changed.
    """

    def __init__(self, database: Database, wake: Callable[[], None] = _nothing) -> None:
        self.votes = Votes(database)
        self._database = database
        self._wake = wake
        self._behind: set[asyncio.Task[None]] = set()

    async def read(
        self,
        fn: Callable[Concatenate[Session, Person, P], T],
        person: Person,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Read what is a person's: `fn(session, person, …)`.

        Raises:
            StoreError: as `Database.read`.
        """
        return await self._database.read(fn, person, *args, **kwargs)

    async def write(
        self,
        fn: Callable[Concatenate[Session, Person, P], T],
        person: Person,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Change what is a person's, in one transaction: `fn(session, person, …)`.

        Raises:
            StoreError: as `Database.write`.
        """
        return await self._database.write(fn, person, *args, **kwargs)

    async def write_locking_rows(
        self,
        fn: Callable[Concatenate[Session, Person, P], T],
        person: Person,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Do the same as `write` with a function that locks each row by which it judges.

        Raises:
            StoreError: as `Database.write`.
        """
        return await self._database.write_locking_rows(fn, person, *args, **kwargs)

    def soon(self, work: Coroutine[Any, Any, None]) -> None:
        """Let work go on behind the answer; where the store refuses it, that is logged."""
        task = asyncio.create_task(_logged(work))
        self._behind.add(task)
        task.add_done_callback(self._behind.discard)

    async def settled(self, seconds: float | None = None) -> None:
        """Wait until what goes on behind answers now has ended, or for so many seconds at most."""
        if self._behind:
            await asyncio.wait({*self._behind}, timeout=seconds)

    def wake(self) -> None:
        """Have posts looked at: what was just written may show in them."""
        self._wake()


async def _logged(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except StoreError as error:
        _log.warning("not_noted", extra={"reason": error.sentence})
    except Exception:  # noqa: BLE001 - nobody waits for it who could be told
        _log.exception("not_noted")
