"""Serving: the configured platforms and the web server, started and stopped together."""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

from adapters.platform import Declaration, Parts, Platform
from adapters.runtime.posting import PostingService
from adapters.runtime.sync import SyncService
from adapters.web.routes import own_routes
from adapters.web.server import WebServer
from bot.errors import WebError
from bot.operations import health
from bot.operations.health import Condition, State
from bot.posting.ports import ChannelClient
from store.database import Database
from store.errors import BroadsheetError
from store.maintenance import health as checks

if TYPE_CHECKING:
    from aiohttp.web import RouteDef

_log = logging.getLogger(__name__)

# Shutdown may take 15 seconds. First posts in flight (8 seconds) and open requests finish, side by
# side; then the platforms disconnect and the store closes, within three seconds.
_DRAIN_SECONDS = 8.0
_FINISH_SECONDS = 9.5
STOP_SECONDS = 2.0
_SWITCH_SECONDS = 0.001


@asynccontextmanager
async def serving(
    parts: Parts, declarations: Mapping[str, Declaration], variables: Mapping[str, str]
) -> AsyncIterator[tuple[str, ...]]:
    """Connect the configured platforms, serve the web, and yield the names of those that answer.

    A platform that can't connect is failing in health while the others serve.

    Raises:
        WebError: where the web server can't listen and a platform is reached through it.
        Exception: the first platform's, where none of the configured ones could start.
    """
    configured = [each for each in declarations.values() if each.is_configured(variables)]
    platforms = [_PlatformRun(declaration, parts) for declaration in configured]
    _require_one(platforms)
    async with AsyncExitStack() as stack:
        stack.enter_context(short_switch_interval())
        # Work in progress ends before the platforms stop, so that it never meets a closed one.
        stack.push_async_callback(_stop_all, platforms)
        shutdown = _Shutdown()
        stack.push_async_callback(shutdown.finish)
        posters = {platform.name: platform.poster for platform in platforms if platform.poster}
        posting = PostingService(parts, posters) if posters else None
        syncing = SyncService(parts, parts.fetcher()) if parts.fetcher else None
        checks = {
            **_health(parts.database, declarations, platforms),
            **_posting_checks(posting),
            **_sync_checks(syncing),
        }
        await _serve_web(shutdown, parts, checks, platforms)
        shutdown.add(*(platform.withdraw for platform in platforms))
        await asyncio.gather(*(platform.start() for platform in platforms))
        _require_one(platforms)
        for platform in platforms:
            platform.log_error()
            if platform.error:
                # Its deliveries wait until it connects.
                posters.pop(platform.name, None)
        if posting:
            shutdown.add(posting.stop)
            posting.start()
        if syncing:
            shutdown.add(syncing.stop)
            await syncing.start()
        parts.on_loaded()
        yield tuple(platform.name for platform in platforms if not platform.error)


@contextmanager
def short_switch_interval() -> Iterator[None]:
    """Switch between threads five times as often as by default.

    Meanwhile the event loop, which acknowledges commands, waits that long for a thread of the store
    that reads much: https://docs.python.org/3/library/sys.html#sys.setswitchinterval
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


class _Shutdown:
    """Work that ends before the platforms stop, all of it at once."""

    def __init__(self) -> None:
        self._works: list[Callable[[], Awaitable[None]]] = []

    def add(self, *works: Callable[[], Awaitable[None]]) -> None:
        """Add work that is to end."""
        self._works += works

    async def finish(self) -> None:
        """End all of it, within the time limit."""
        tasks = [asyncio.create_task(_ended(work)) for work in self._works]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=_FINISH_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)


async def _ended(work: Callable[[], Awaitable[None]]) -> None:
    try:
        await work()
    except Exception:  # noqa: BLE001 - the others end whatever it was
        _log.warning("not_ended_well", exc_info=True)


class _PlatformRun:
    """A configured platform and its state, started or failed."""

    def __init__(self, declaration: Declaration, parts: Parts) -> None:
        self.name = declaration.name
        self.error: Exception | None = None
        self._platform: Platform | None = None
        self._started = False
        parts.metrics.connected(self.name, up=False)
        try:
            self._platform = declaration.open(parts)
        except Exception as error:  # noqa: BLE001 - the others serve whatever it was
            self.error = error

    @property
    def routes(self) -> "Sequence[RouteDef]":
        """Its HTTP routes."""
        return self._platform.routes if self._platform else ()

    @property
    def poster(self) -> ChannelClient | None:
        """Its channel client, `None` where it could not be opened."""
        return self._platform.poster if self._platform else None

    async def start(self) -> None:
        """Start it; stop it again where that fails."""
        if self._platform is None:
            return
        try:
            await self._platform.start()
            self._started = True
        except Exception as error:  # noqa: BLE001 - the same
            self.error = error
            await self.stop()

    async def withdraw(self) -> None:
        """Let it finish its requests within its time limit, if it was started."""
        if self._platform is None or not self._started:
            return
        try:
            async with asyncio.timeout(_DRAIN_SECONDS):
                await self._platform.withdraw()
        except Exception:  # noqa: BLE001 - it is stopped next whatever it was
            _log.warning("platform_not_withdrawn", exc_info=True, extra={"platform": self.name})

    async def stop(self) -> None:
        """Stop it within its time limit, if it was opened."""
        platform, self._platform = self._platform, None
        if platform is None:
            return
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await platform.stop()
        except Exception:  # noqa: BLE001 - the others are stopped whatever it was
            _log.warning("platform_not_stopped", exc_info=True, extra={"platform": self.name})

    def log_error(self) -> None:
        """Log its error, if it has one."""
        if self.error:
            foreseen = isinstance(self.error, BroadsheetError)
            facts = {"platform": self.name, "sentence": _sentence(self.error)}
            _log.error("platform_failed", extra=facts, exc_info=None if foreseen else self.error)

    async def condition(self) -> Condition:
        """Return its health."""
        if self.error:
            return Condition(State.FAILING, _sentence(self.error))
        if self._platform is None:
            return Condition(State.OFF, "It is stopped.")
        return await self._platform.condition() if self._started else Condition(State.STARTING)


def _require_one(platforms: Sequence[_PlatformRun]) -> None:
    """Require that a platform has not failed, or that none is configured.

    Raises:
        Exception: the first one's error; those of the others are logged.
    """
    errors = [platform.error for platform in platforms if platform.error]
    if errors and len(errors) == len(platforms):
        for platform in platforms[1:]:
            platform.log_error()
        raise errors[0]


async def _stop_all(platforms: Sequence[_PlatformRun]) -> None:
    await asyncio.gather(*(platform.stop() for platform in platforms))


async def _serve_web(
    shutdown: _Shutdown,
    parts: Parts,
    checks: health.Parts,
    platforms: Sequence[_PlatformRun],
) -> None:
    """Start the web server; where it fails, go on if no platform needs it."""
    own = own_routes(checks, parts.metrics)
    wanted = [route for platform in platforms for route in platform.routes]
    server = WebServer(parts.settings.web_host, parts.settings.web_port, [*own, *wanted])
    try:
        await server.start()
    except WebError as error:
        if wanted:
            raise
        _log.warning("web_unavailable", extra={"sentence": error.sentence, "remedy": error.remedy})
    else:
        shutdown.add(server.stop)


def _health(
    database: Database, declarations: Mapping[str, Declaration], platforms: Sequence[_PlatformRun]
) -> health.Parts:
    """Return the health checks of the database and of every platform."""

    async def database_works() -> Condition:
        await database.read(checks.probe_read)
        if database.trouble:
            # A full or read-only store can still be read.
            await database.write(checks.probe_write)
        return Condition(State.OK)

    configured = {platform.name: platform.condition for platform in platforms}
    return {"database": database_works, **dict.fromkeys(declarations, _off), **configured}


def _posting_checks(posting: PostingService | None) -> health.Parts:
    """Return the checks of posting, which is off without a platform."""
    return posting.checks if posting else dict.fromkeys(("scheduler", "outbox"), _off)


def _sync_checks(syncing: SyncService | None) -> health.Parts:
    """Return the check of fetching, which is off where no source is fetched."""
    return syncing.checks if syncing else {"sources": _switched_off}


async def _switched_off() -> Condition:
    return Condition(State.OFF, "No source is fetched by itself (BROADSHEET_SYNC).")


async def _off() -> Condition:
    return Condition(State.OFF, "It is not configured.")


def _sentence(error: Exception) -> str:
    if isinstance(error, BroadsheetError):
        return error.sentence
    return f"Something unforeseen went wrong ({type(error).__name__})."
