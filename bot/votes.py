"""Votes for papers, counted in each workspace, read through a memory of a few seconds."""

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import datetime

from bot.replies import PaperCard, PaperList, Reply
from bot.views.keeping import with_votes
from store import votes
from store.claims import Claim
from store.database import Database
from store.records import Person, Workspace
from store.votes import Counted, Voted

# As long as another process's votes may go unseen; this one's own are seen at once.
FRESH_SECONDS = 3.0
_MOST_KEPT = 256
_NONE = Counted()


class Votes:
    """How many people voted for papers, in each workspace its own.

    Which workspaces have any is read for all of them together once in a while, so that one without
    any costs nothing.

    Args:
        database: the store.
        seconds: a clock that only goes forward, in seconds.
        most: of how many workspaces the votes are remembered.
    """

    def __init__(
        self,
        database: Database,
        seconds: Callable[[], float] = time.monotonic,
        most: int = _MOST_KEPT,
    ) -> None:
        self._database = database
        self._seconds = seconds
        self._most = most
        self._voting: frozenset[Workspace] = frozenset()
        self._asked = float("-inf")
        self._kept: OrderedDict[Workspace, tuple[float, Counted]] = OrderedDict()
        self._changes = 0

    async def of(self, workspace: Workspace) -> Counted:
        """Return how many people of a workspace voted for papers.

        Raises:
            StoreError: as `Database.read`.
        """
        if workspace not in await self._all_voting():
            return _NONE
        now, changes = self._seconds(), self._changes
        kept = self._kept.get(workspace)
        if kept and now - kept[0] < FRESH_SECONDS:
            return kept[1]
        counted = await self._database.read(votes.counted, workspace)
        # What was read while somebody voted may be from before that.
        if changes == self._changes:
            self._keep(workspace, now, counted)
        return counted

    async def shown_in(self, reply: Reply, workspace: Workspace) -> Reply:
        """Return a reply that shows the votes of a workspace for its papers.

        Raises:
            StoreError: as `of`.
        """
        if not any(isinstance(block, PaperList | PaperCard) for block in reply.blocks):
            return reply
        return counted_in(reply, (await self.of(workspace)).refs)

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
            self._changes += 1
            self._voting |= {workspace}
            self._kept.pop(workspace, None)

    def forget(self) -> None:
        """Read all anew that is asked for: this process changed votes of whatever workspaces."""
        self._changes += 1
        self._asked = float("-inf")
        self._kept.clear()

    async def _all_voting(self) -> frozenset[Workspace]:
        asked = self._seconds()
        if asked - self._asked >= FRESH_SECONDS:
            changes = self._changes
            voting = await self._database.read(votes.voting)
            if changes == self._changes:
                self._voting, self._asked = voting, asked
            return voting
        return self._voting

    def _keep(self, workspace: Workspace, now: float, counted: Counted) -> None:
        self._kept[workspace] = (now, counted)
        self._kept.move_to_end(workspace)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)


def counted_in(reply: Reply, votes_of: Mapping[str, int]) -> Reply:
    """Return a reply that shows how many votes its papers have, by ref; without any, as it is.

    Pure.
    """
    return with_votes(reply, lambda ref: votes_of.get(ref, 0)) if votes_of else reply
