"""Subscriptions while the bot is not installed: refused on removal, restored on reinstallation."""

from contextlib import suppress

from adapters.platform import Services
from adapters.slack.posts import FindAuthorization
from bot.clock import SystemClock
from bot.errors import RetryLater
from store.database import Database
from store.posting.change_subscription import REMOVED, refuse_workspace, restore_workspace
from store.records import Refusal, Workspace
from store.workspaces.workspaces import list_present

_REMOVED = Refusal(
    "Broadsheet was removed from the workspace.",
    "An owner of the workspace installs it again.",
    REMOVED,
)


async def refuse_subscriptions(database: Database, workspace: str) -> None:
    """Refuse the subscriptions of a workspace, so that nothing more is posted there.

    Raises:
        StoreError: as `Database.write`.
    """
    now = SystemClock().now()
    await database.write(refuse_workspace, Workspace("slack", workspace), _REMOVED, now)


async def restore_subscriptions(parts: Services, workspace: str) -> None:
    """Restore the subscriptions of a workspace that were refused on removal.

    Raises:
        StoreError: as `Database.write`.
    """
    restored, at, now = Workspace("slack", workspace), parts.clock.now(), SystemClock().now()
    await parts.database.write(restore_workspace, restored, at, now)
    parts.wake_up.notify()


async def refuse_uninstalled(database: Database, find_authorization: FindAuthorization) -> None:
    """Refuse the subscriptions of all workspaces where the bot is not installed.

    Raises:
        StoreError: as `Database.write`.
    """
    for workspace in await database.read(list_present, "slack"):
        with suppress(RetryLater):
            if await find_authorization(workspace.external_id) is None:
                await refuse_subscriptions(database, workspace.external_id)


async def restore_installed(parts: Services, find_authorization: FindAuthorization) -> None:
    """Restore the subscriptions of all workspaces where the bot is installed.

    Raises:
        StoreError: as `Database.write`.
    """
    for workspace in await parts.database.read(list_present, "slack"):
        with suppress(RetryLater):
            if await find_authorization(workspace.external_id) is not None:
                await restore_subscriptions(parts, workspace.external_id)
