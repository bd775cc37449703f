"""The settings of workspaces, cached for some seconds."""

import time
from collections.abc import Callable, Mapping

from bot.cache import Cache
from store.coordination.request_claims import Claim
from store.database import Database
from store.records import Workspace, WorkspaceSettings
from store.workspaces import workspaces

# Another process's change is seen after this time at most; this one's own is seen at once.
FRESH_SECONDS = 10.0
_CACHED = 1024


class Workspaces:
    """The settings of workspaces; `seconds` is a clock that only goes forward."""

    def __init__(self, database: Database, seconds: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._cache: Cache[Workspace, WorkspaceSettings] = Cache(_CACHED, FRESH_SECONDS, seconds)

    async def settings(self, workspace: Workspace, *, fresh: bool = False) -> WorkspaceSettings:
        """Return the settings of a workspace; with `fresh` from the store, never from the cache.

        Raises:
            StoreError: as `Database.read`.
        """
        return await self._cache.read(
            workspace, lambda: self._database.read(workspaces.read_settings, workspace), fresh=fresh
        )

    async def change(
        self,
        workspace: Workspace,
        wanted: Mapping[str, str | None],
        request: Claim | None = None,
        seen: WorkspaceSettings | None = None,
    ) -> tuple[WorkspaceSettings, WorkspaceSettings]:
        """Change some settings, or reset them with `None`; return all settings before and after.

        A request that was claimed before changes nothing, and neither does a change of a setting
        that differs by now from the settings that were `seen`.

        Raises:
            StoreError: as `Database.write`.
        """
        try:
            return await self._database.write(
                workspaces.change_settings, workspace, wanted, request, seen
            )
        finally:
            self._cache.remove(workspace)
