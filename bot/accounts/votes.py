"""Votes for papers, counted in each workspace for what is asked for."""

import time
from collections.abc import Callable, Collection, Mapping
from datetime import datetime

from bot.replies.blocks import Reply, papers_in
from bot.replies.paper_actions import refs_with_own_vote, with_votes
from store.coordination.request_claims import Claim
from store.database import Database
from store.readers import votes
from store.readers.votes import Voted
from store.records import Person, Workspace

# As long as another process's first vote in a workspace may go unseen.
FRESH_SECONDS = 3.0


class Votes:
    """How many people voted for papers, in each workspace its own.

    In which workspaces anybody voted is read for all of them together once in a while, and is all
    that is remembered, so that one in which nobody did costs nothing.

    Args:
        database: the store.
        seconds: a clock that only goes forward, in seconds.
    """

    def __init__(self, database: Database, seconds: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._seconds = seconds
        self._voting: frozenset[Workspace] = frozenset()
        self._asked = float("-inf")

    async def of(self, workspace: Workspace, refs: Collection[str]) -> Mapping[str, int]:
        """Return how many people of a workspace voted for papers, by any of some refs of theirs.

        Left out is what has none.

        Raises:
            StoreError: as `Database.read`.
        """
        if not refs or not await self._has_any(workspace):
            return {}
        return await self._database.read(votes.of_refs, workspace, refs)

    async def of_entries(self, workspace: Workspace, entries: Collection[int]) -> Mapping[int, int]:
        """Return the same by the ids of some entries in the database.

        Raises:
            StoreError: as `of`.
        """
        if not entries or not await self._has_any(workspace):
            return {}
        return await self._database.read(votes.of_entries, workspace, entries)

    async def shown_in(self, reply: Reply, workspace: Workspace, person: Person) -> Reply:
        """Return a reply that shows the votes of a workspace for its papers.

        A card shows whether the vote of the person who asks for it stands there.

        Raises:
            StoreError: as `of`.
        """
        counts = await self.of(workspace, papers_in(reply))
        own = [
            ref
            for ref in refs_with_own_vote(reply)
            if ref in counts and await self._database.read(votes.stands, person, workspace, ref)
        ]
        return counted_in(reply, counts, own)

    async def turn(
        self,
        person: Person,
        workspace: Workspace,
        ref: str,
        request: Claim | None,
        now: datetime,
    ) -> Voted:
        """Give a person's vote for a paper, or take it back; as `votes.turn`.

        Raises:
            StoreError: as `Database.write_rows`.
        """
        try:
            return await self._database.write_rows(votes.turn, person, workspace, ref, request, now)
        finally:
            self._voting |= {workspace}

    async def _has_any(self, workspace: Workspace) -> bool:
        asked = self._seconds()
        if asked - self._asked >= FRESH_SECONDS:
            voting = await self._database.read(votes.voting)
            # What was read may be from before a vote here: none goes out, which costs little.
            self._voting, self._asked = self._voting | voting, asked
        return workspace in self._voting


def counted_in(reply: Reply, votes_of: Mapping[str, int], own: Collection[str] = ()) -> Reply:
    """Return a reply that shows how many votes its papers have, by ref; without any, as it is.

    `own` are as in `with_votes`. Pure.
    """
    return with_votes(reply, lambda ref: votes_of.get(ref, 0), own) if votes_of else reply
