"""Store subscriptions of thousands of channels, queue their deliveries, and run the bot."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

from store.database import Database, Session
from store.database.encryption import SecretBox
from store.migrations.upgrade import upgrade
from store.posting import queue
from store.posting.deliveries import list_deliveries
from store.posting.editions_to_post import newest_editions
from store.posting.subscriptions import add_subscription, save_channel_facts
from store.records import (
    Channel,
    ChannelFacts,
    DeliveryState,
    Installation,
    InstallationKey,
    Subscription,
)
from store.workspaces import installations
from tests.benchmarks.inputs.setup import Stage, copied, import_archive
from tests.benchmarks.processes import fast_bot
from tests.conftest import fresh_postgres, own_postgres

_ROOT = Path(__file__).resolve().parents[3]
_CLIENT, _KEY = "1.1", "a long text that opens nothing"
_AT_ONCE = 250  # in one transaction
# Posts are due so many scans of a bot after they are queued, so that every bot knows them by then.
_DUE_SCANS = 1.2
_START_SECONDS = 120.0
_END_SECONDS = 30.0


@contextmanager
def sqlite(stage: Stage) -> Iterator[str]:
    """Yield the URL of a store that holds the archive."""
    with copied(stage.filled) as path:
        yield f"sqlite:///{path}"


@contextmanager
def postgres(stage: Stage, server: str | None) -> Iterator[str]:
    """Yield the URL of a store on a Postgres server, which is started unless its URL is given.

    Raises:
        ImportError: where that has no build for the machine.
    """
    with (
        nullcontext(server) if server else own_postgres() as running,
        fresh_postgres(running) as url,
    ):
        asyncio.run(_fill(url, stage.archive.read_bytes()))
        yield url


async def _fill(url: str, archive: bytes) -> None:
    """Create the schema in an empty database and import an archive."""
    async with Database(url) as database:
        await database.run(upgrade)
        await import_archive(database, archive)


async def add_subscriptions(url: str, places: Sequence[Channel]) -> list[int]:
    """Subscribe each channel to each week's edition, with nothing due yet; return the ids."""
    some = [places[first : first + _AT_ONCE] for first in range(0, len(places), _AT_ONCE)]
    async with Database(url) as database:
        await database.write(_install, sorted(_teams(places)))
        return [each for part in some for each in await database.write(_insert_subscriptions, part)]


async def queue_deliveries(url: str, subscriptions: Sequence[int], scan: float) -> None:
    """Queue the newest edition for all subscriptions, due 1.2 scans later.

    The platforms run in this process too, which would count posts late during the queueing.
    """
    async with Database(url) as database:
        await database.write(_queue_deliveries, subscriptions, timedelta(seconds=_DUE_SCANS * scan))


async def sent(url: str) -> int:
    """Return the number of deliveries that are stored as sent."""
    async with Database(url) as database:
        noted = await database.read(list_deliveries)
        return sum(each.state is DeliveryState.SENT for each in noted)


def _teams(places: Sequence[Channel]) -> set[str]:
    return {each.workspace.external_id for each in places if each.workspace.platform == "slack"}


def _install(session: Session, teams: Sequence[str]) -> None:
    box, now = SecretBox([_KEY]), datetime.now(UTC)
    for team in teams:
        installation = Installation(
            key=InstallationKey("slack", _CLIENT, "", team),
            bot_token=f"xoxb-{team}",
            bot_id="B1",
            bot_user_id="U1",
            bot_scopes=(),
            app_id="A1",
            installer="U2",
            enterprise_name="",
            team_name=team,
            is_org_wide=False,
            installed_at=now,
            updated_at=now,
        )
        installations.save(session, installation, box)


def _insert_subscriptions(session: Session, places: Sequence[Channel]) -> list[int]:
    added = []
    for place in places:
        subscription = Subscription(
            channel=place,
            weekday=0,
            local_time=time(9),
            zone="UTC",
            next_due_at=datetime.now(UTC) + timedelta(days=365),
            sources=("all",),
            owner="1",
        )
        added.append(add_subscription(session, subscription))
        kind = "text" if place.workspace.platform == "discord" else None
        save_channel_facts(session, place, ChannelFacts("papers", kind=kind))
    return added


def _queue_deliveries(session: Session, subscriptions: Sequence[int], until_due: timedelta) -> None:
    now = datetime.now(UTC)
    [edition] = newest_editions(session, now.date()).values()
    queue.enqueue(session, subscriptions, edition.id, now, now + until_due)


@asynccontextmanager
async def bot(
    url: str, log: Path, speed: float, scan: float, addresses: Mapping[str, str]
) -> AsyncIterator[None]:
    """Run the bot on both platforms until the block ends.

    Args:
        url: its store.
        log: where it logs.
        speed: the factor by which it multiplies the platforms' published limits.
        scan: how many seconds it waits between two scans for due posts.
        addresses: where their APIs are, by name.

    Raises:
        RuntimeError: where it does not start, with what it logged.
    """
    with log.open("w") as errors:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            fast_bot.__name__,
            str(speed),
            str(scan),
            cwd=log.parent,
            env=_environment(url, addresses),
            stdout=PIPE,
            stderr=errors,
        )
    try:
        await _serves(process, log)
        yield
        process.terminate()
        async with asyncio.timeout(_END_SECONDS):
            await process.wait()
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def _serves(process: Process, log: Path) -> None:
    """Wait until a bot prints that it serves."""
    assert process.stdout
    said = b""
    with suppress(TimeoutError):
        async with asyncio.timeout(_START_SECONDS):
            said = await process.stdout.readline()
    if said != b"serving\n":
        raise RuntimeError(log.read_text(encoding="utf-8")[-3000:])


def _environment(url: str, addresses: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME"}}
    opens_nothing = {
        "SLACK_APP_TOKEN": "xapp-1",
        "SLACK_CLIENT_ID": _CLIENT,
        "SLACK_CLIENT_SECRET": "secret",
        "BROADSHEET_SECRET_KEY": _KEY,
        "DISCORD_TOKEN": "token",
    }
    return {
        **kept,
        **opens_nothing,
        "PYTHONPATH": str(_ROOT),
        "BROADSHEET_DATABASE_URL": url,
        "BROADSHEET_WEB_PORT": "0",
        "BROADSHEET_LOG_LEVEL": "WARNING",
        "BROADSHEET_SLACK_API_URL": addresses["slack"],
        "BROADSHEET_DISCORD_API_URL": addresses["discord"],
    }
