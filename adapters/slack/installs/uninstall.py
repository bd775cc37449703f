"""What becomes of the posts that channels ordered where the bot is removed, and installed again."""

from contextlib import suppress

from adapters.platform import Services
from adapters.slack.posts.poster import Spoken
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


async def refuse_posts(database: Database, workspace: str) -> None:
    """Post nothing more in a workspace, or say why not.

    Raises:
        StoreError: as `Database.write`.
    """
    place, now = Workspace("slack", workspace), SystemClock().now()
    await database.write(refuse_workspace, place, _REMOVED, now)


async def restore_posts(parts: Services, workspace: str) -> None:
    """Carry out again what was ordered before the bot was removed from a workspace.

    Raises:
        StoreError: as `Database.write`.
    """
    place, at, now = Workspace("slack", workspace), parts.clock.now(), SystemClock().now()
    await parts.database.write(restore_workspace, place, at, now)
    parts.wake_up.notify()


async def refuse_lost_posts(database: Database, spoken: Spoken) -> None:
    """Post nothing more in any workspace that nobody may speak to.

    Raises:
        StoreError: as `Database.write`.
    """
    for place in await database.read(list_present, "slack"):
        with suppress(RetryLater):
            if await spoken(place.external_id) is None:
                await refuse_posts(database, place.external_id)


async def restore_found_posts(parts: Services, spoken: Spoken) -> None:
    """Carry out again what was ordered in every workspace that may be spoken to.

    Raises:
        StoreError: as `Database.write`.
    """
    for place in await parts.database.read(list_present, "slack"):
        with suppress(RetryLater):
            if await spoken(place.external_id) is not None:
                await restore_posts(parts, place.external_id)
