"""Serving: the platforms that are configured and the web server, begun and ended together."""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

from adapters.platform import Declaration, Parts, Platform
from adapters.runtime.posting import Delivering
from adapters.runtime.sync import Following
from adapters.web.pages import house_routes
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

# Ending may take 15 seconds. What is under way ends side by side: posts, which have 8, requests
# that came from platforms and over the web; then the platforms disconnect, and the store is closed,
# which takes three at most.
_WITHDRAW_SECONDS = 8.0
_FINISH_SECONDS = 9.5
STOP_SECONDS = 2.0
_TURN_SECONDS = 0.001


@asynccontextmanager
async def serving(
    parts: Parts, declarations: Mapping[str, Declaration], variables: Mapping[str, str]
) -> AsyncIterator[tuple[str, ...]]:
    """Connect to what the variables configure, serve the web, and give the names of who answers.

    A platform that can't be connected to is failing in health while the others serve.

    Raises:
        WebError: where the web server can't listen and a platform is reached through it.
        Exception: the first platform's, where none of those that are configured could start.
    """
    configured = [each for each in declarations.values() if each.is_configured(variables)]
    links = [_Link(declaration, parts) for declaration in configured]
    _require_somebody(links)
    async with AsyncExitStack() as stack:
        stack.enter_context(quick_turns())
        # Whatever is under way ends before the platforms stop, so that nothing meets a closed one.
        stack.push_async_callback(_stop_all, links)
        ending = _Ending()
        stack.push_async_callback(ending.finish)
        posters = {link.name: link.poster for link in links if link.poster}
        delivering = Delivering(parts, posters) if posters else None
        following = Following(parts, parts.fetcher()) if parts.fetcher else None
        checks = {
            **_health(parts.database, declarations, links),
            **_delivering_checks(delivering),
            **_following_checks(following),
        }
        await _serve_web(ending, parts, checks, links)
        ending.first(*(link.withdraw for link in links))
        await asyncio.gather(*(link.start() for link in links))
        _require_somebody(links)
        for link in links:
            link.log_error()
            if link.error:
                # What is owed there waits until it can be connected to.
                posters.pop(link.name, None)
        if delivering:
            ending.first(delivering.stop)
            delivering.start()
        if following:
            ending.first(following.stop)
            await following.start()
        parts.loaded()
        yield tuple(link.name for link in links if not link.error)


@contextmanager
def quick_turns() -> Iterator[None]:
    """Have the interpreter's threads take turns five times as often as they do by themselves.

    The event loop, which acknowledges commands, waits for as long where a thread of the store has
    much to read: https://docs.python.org/3/library/sys.html#sys.setswitchinterval
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(_TURN_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


class _Ending:
    """What is to end before the platforms stop, all of it at once."""

    def __init__(self) -> None:
        self._works: list[Callable[[], Awaitable[None]]] = []

    def first(self, *works: Callable[[], Awaitable[None]]) -> None:
        """Have these end too."""
        self._works += works

    async def finish(self) -> None:
        """End all, within the time that there is."""
        tasks = [asyncio.create_task(_ended(work)) for work in self._works]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=_FINISH_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)


async def _ended(work: Callable[[], Awaitable[None]]) -> None:
    try:
        await work()
    except Exception:  # noqa: BLE001 - the others are to be ended whatever it was
        _log.warning("not_ended_well", exc_info=True)


class _Link:
    """A configured platform from its opening on, whatever became of it."""

    def __init__(self, declaration: Declaration, parts: Parts) -> None:
        self.name = declaration.name
        self.error: Exception | None = None
        self._platform: Platform | None = None
        self._started = False
        parts.metrics.connected(self.name, up=False)
        try:
            self._platform = declaration.open(parts)
        except Exception as error:  # noqa: BLE001 - the others are to serve whatever it was
            self.error = error

    @property
    def routes(self) -> "Sequence[RouteDef]":
        """What it is reached by over HTTP."""
        return self._platform.routes if self._platform else ()

    @property
    def poster(self) -> ChannelClient | None:
        """What posts to its channels, `None` where it could not be opened."""
        return self._platform.poster if self._platform else None

    async def start(self) -> None:
        """Start it, and take back what it began where it fails."""
        if self._platform is None:
            return
        try:
            await self._platform.start()
            self._started = True
        except Exception as error:  # noqa: BLE001 - the same
            self.error = error
            await self.stop()

    async def withdraw(self) -> None:
        """Have it finish what it does for others, if it was started, within the time it has."""
        if self._platform is None or not self._started:
            return
        try:
            async with asyncio.timeout(_WITHDRAW_SECONDS):
                await self._platform.withdraw()
        except Exception:  # noqa: BLE001 - it is to be stopped whatever it was
            _log.warning("platform_not_withdrawn", exc_info=True, extra={"platform": self.name})

    async def stop(self) -> None:
        """Stop it, if it was opened, within the time that it has."""
        platform, self._platform = self._platform, None
        if platform is None:
            return
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await platform.stop()
        except Exception:  # noqa: BLE001 - the others are to be stopped whatever it was
            _log.warning("platform_not_stopped", exc_info=True, extra={"platform": self.name})

    def log_error(self) -> None:
        """Log what it failed for, if it did."""
        if self.error:
            foreseen = isinstance(self.error, BroadsheetError)
            facts = {"platform": self.name, "sentence": _sentence(self.error)}
            _log.error("platform_failed", extra=facts, exc_info=None if foreseen else self.error)

    async def condition(self) -> Condition:
        """Say how it is."""
        if self.error:
            return Condition(State.FAILING, _sentence(self.error))
        if self._platform is None:
            return Condition(State.OFF, "It is stopped.")
        return await self._platform.condition() if self._started else Condition(State.STARTING)


def _require_somebody(links: Sequence[_Link]) -> None:
    """Go on if anybody has not failed, or nobody was wanted.

    Raises:
        Exception: what the first one said; what the others said is logged.
    """
    errors = [link.error for link in links if link.error]
    if errors and len(errors) == len(links):
        for link in links[1:]:
            link.log_error()
        raise errors[0]


async def _stop_all(links: Sequence[_Link]) -> None:
    await asyncio.gather(*(link.stop() for link in links))


async def _serve_web(
    ending: _Ending,
    parts: Parts,
    checks: health.Parts,
    links: Sequence[_Link],
) -> None:
    """Start the web server; without it, go on where no platform is reached through it."""
    own = house_routes(checks, parts.metrics)
    wanted = [route for link in links for route in link.routes]
    server = WebServer(parts.settings.web_host, parts.settings.web_port, [*own, *wanted])
    try:
        await server.start()
    except WebError as error:
        if wanted:
            raise
        _log.warning("web_unavailable", extra={"sentence": error.sentence, "remedy": error.remedy})
    else:
        ending.first(server.stop)


def _health(
    database: Database, declarations: Mapping[str, Declaration], links: Sequence[_Link]
) -> health.Parts:
    """Return what is asked how it is: the database, and every platform that there is."""

    async def stored() -> Condition:
        await database.read(checks.probe_read)
        if database.trouble:
            # Reading may go well where nothing can be written any more.
            await database.write(checks.probe_write)
        return Condition(State.OK)

    platforms: health.Parts = dict.fromkeys(declarations, _off)
    return {"database": stored, **platforms, **{link.name: link.condition for link in links}}


def _delivering_checks(delivering: Delivering | None) -> health.Parts:
    """Return what is asked how posting is; without a platform there is none."""
    return delivering.checks if delivering else dict.fromkeys(("scheduler", "outbox"), _off)


def _following_checks(following: Following | None) -> health.Parts:
    """Return what is asked how sources are; where none are fetched there is none."""
    return following.checks if following else {"sources": _switched_off}


async def _switched_off() -> Condition:
    return Condition(State.OFF, "No source is fetched by itself (BROADSHEET_SYNC).")


async def _off() -> Condition:
    return Condition(State.OFF, "It is not configured.")


def _sentence(error: Exception) -> str:
    if isinstance(error, BroadsheetError):
        return error.sentence
    return f"Something unforeseen went wrong ({type(error).__name__})."
