"""Votes for papers, counted in each workspace."""

import time
from collections.abc import Callable, Collection, Mapping
from datetime import datetime

from bot.cache import Cache
from bot.replies.blocks import Reply
from bot.replies.paper_actions import with_votes
from store.coordination.request_claims import Claim
from store.database import Database
from store.readers import votes
from store.readers.votes import VoteResult
from store.records import Person, Workspace

# The first vote of a workspace is seen by other processes after this time at most.
FRESH_SECONDS = 3.0


class Votes:
    """The votes of workspaces; `seconds` is a clock that only goes forward.

    The workspaces with votes are cached for some seconds, so that an answer in one without votes
    costs no read.
    """

    def __init__(self, database: Database, seconds: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._cache: Cache[None, frozenset[Workspace]] = Cache(1, FRESH_SECONDS, seconds)

    async def of(self, workspace: Workspace, refs: Collection[str]) -> Mapping[str, int]:
        """Return the number of votes in a workspace by ref, without papers that have none.

        Raises:
            StoreError: as `Database.read`.
        """
        if not refs or not await self._has_any(workspace):
            return {}
        return await self._database.read(votes.of_refs, workspace, refs)

    async def of_entries(self, workspace: Workspace, entries: Collection[int]) -> Mapping[int, int]:
        """Return the number of votes as `of`, by the ids of entries in the database."""
        if not entries or not await self._has_any(workspace):
            return {}
        return await self._database.read(votes.of_entries, workspace, entries)

    async def toggle(
        self,
        person: Person,
        workspace: Workspace,
        ref: str,
        request: Claim | None,
        now: datetime,
    ) -> VoteResult:
        """Cast a person's vote for a paper, or withdraw it.

        Raises:
            StoreError: as `Database.write_locking_rows`.
        """
        try:
            return await self._database.write_locking_rows(
                votes.toggle, person, workspace, ref, request, now
            )
        finally:
            self._cache.clear()

    async def _has_any(self, workspace: Workspace) -> bool:
        return workspace in await self._cache.read(
            None, lambda: self._database.read(votes.list_voting_workspaces)
        )


def counted_in(reply: Reply, votes_of: Mapping[str, int]) -> Reply:
    """Return a reply, such as a posted digest, with the votes of its papers by ref."""
    return with_votes(reply, lambda ref: votes_of.get(ref, 0)) if votes_of else reply
