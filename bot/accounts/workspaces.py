"""What workspaces settled for themselves, read through a memory of a few seconds."""

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping

from store.coordination.request_claims import Claim
from store.database import Database
from store.records import Workspace, WorkspaceSettings
from store.workspaces import workspaces

# As long as another process's change may go unseen; this one's own is seen at once.
FRESH_SECONDS = 10.0
_MOST_KEPT = 1024


class Workspaces:
    """The settings of workspaces, each workspace's its own.

    Args:
        database: the store.
        seconds: a clock that only goes forward, in seconds.
        most: how many workspaces are remembered.
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
        self._kept: OrderedDict[Workspace, tuple[float, WorkspaceSettings]] = OrderedDict()
        self._changes = 0

    async def settings(self, workspace: Workspace, *, fresh: bool = False) -> WorkspaceSettings:
        """Return what a workspace settled, the defaults where it settled nothing.

        With `fresh` another process's change is seen at once too.

        Raises:
            StoreError: as `Database.read`.
        """
        now, changes = self._seconds(), self._changes
        kept = self._kept.get(workspace)
        if kept and not fresh and now - kept[0] < FRESH_SECONDS:
            return kept[1]
        settings = await self._database.read(workspaces.read_settings, workspace)
        # What was read while something changed may be from before that.
        if changes == self._changes:
            self._keep(workspace, now, settings)
        return settings

    async def change(
        self,
        workspace: Workspace,
        wanted: Mapping[str, str | None],
        request: Claim | None = None,
        seen: WorkspaceSettings | None = None,
    ) -> tuple[WorkspaceSettings, WorkspaceSettings]:
        """Settle some things, or with `None` their defaults; return all settings before and after.

        A request that was claimed before changes nothing; what is another than it was in the
        settings that were `seen` stays as it is.

        Raises:
            StoreError: as `Database.write`.
        """
        try:
            return await self._database.write(
                workspaces.change_settings, workspace, wanted, request, seen
            )
        finally:
            self._changes += 1
            self._kept.pop(workspace, None)

    def _keep(self, workspace: Workspace, now: float, settings: WorkspaceSettings) -> None:
        self._kept[workspace] = (now, settings)
        self._kept.move_to_end(workspace)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
