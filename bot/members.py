"""What people keep for themselves, as commands see it: read anew each time, for it is theirs."""

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from bot.votes import Votes
from store.database import Database, Session
from store.records import Person

P = ParamSpec("P")
T = TypeVar("T")


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

    def wake(self) -> None:
        """Have posts looked at: what was just written may show in them."""
        self._wake()
