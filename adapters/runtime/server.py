"""The serving process: the configured platforms, the web server and the services."""

import asyncio
import gc
import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

from adapters.platform import Declaration, Platform, Services
from adapters.runtime.delivery_service import DeliveryService
from adapters.runtime.health import collect_checks, operations_routes
from adapters.runtime.sync_service import SyncService
from adapters.web.chat import Chat, is_open
from adapters.web.pages.routes import Pages
from adapters.web.server import WebServer
from bot.domain.page_paths import CHAT
from bot.errors import WebError
from bot.operations import health
from bot.operations.health import Condition, State, unforeseen
from bot.posting.page_linking_client import PageLinkingClient
from bot.posting.ports import ChannelClient
from store.errors import BroadsheetError

if TYPE_CHECKING:
    from aiohttp.web import RouteDef

_log = logging.getLogger(__name__)

# A shutdown may take 15 seconds. First all work in progress ends concurrently: posts (8 s at most)
# and requests from platforms and the web; then the platforms disconnect, and the store is closed
# (3 s at most).
_DRAIN_SECONDS = 8.0
_FINISH_SECONDS = 9.5
STOP_SECONDS = 2.0


@asynccontextmanager
async def serving(
    services: Services, declarations: Mapping[str, Declaration], variables: Mapping[str, str]
) -> AsyncIterator[tuple[tuple[str, ...], str | None]]:
    """Serve the configured platforms and the web.

    Yield the names of the platforms that started and the URL of the chat, if it is served.

    A platform that fails to start is failing in health while the others serve.

    Raises:
        WebError: if the web server can't listen and a platform needs it.
        Exception: the first platform's error, if none of the configured ones could start.
    """
    configured = [each for each in declarations.values() if each.is_configured(variables)]
    runners = [_PlatformRunner(declaration, services) for declaration in configured]
    _raise_if_all_failed(runners)
    async with AsyncExitStack() as stack:
        stack.enter_context(short_switch_interval())
        # Work in progress needs the platforms, so they are stopped after it.
        stack.push_async_callback(_stop_all, runners)
        shutdown = _Shutdown()
        stack.push_async_callback(shutdown.run)
        clients = {
            each.name: _linking(each.channel_client, services.settings.public_url)
            for each in runners
            if each.channel_client
        }
        delivery = DeliveryService(services, clients) if clients else None
        sync = SyncService(services, services.open_fetcher()) if services.open_fetcher else None
        checks = collect_checks(
            services.database,
            {**dict.fromkeys(declarations), **{each.name: each.condition for each in runners}},
            {**(delivery.checks if delivery else {}), **(sync.checks if sync else {})},
        )
        chat_url = await _serve_web(shutdown, services, checks, runners)
        shutdown.add(*(each.drain for each in runners))
        await asyncio.gather(*(each.start() for each in runners))
        _raise_if_all_failed(runners)
        for each in runners:
            each.log_error()
            if each.error:
                # Its deliveries stay due until the platform can be started.
                clients.pop(each.name, None)
        if delivery:
            shutdown.add(delivery.stop)
            delivery.start()
        if sync:
            shutdown.add(sync.stop)
            await sync.start()
        services.freeze_memory()
        yield tuple(each.name for each in runners if not each.error), chat_url


def _linking(client: ChannelClient, public_url: str | None) -> ChannelClient:
    """Return a client whose messages link to the pages, if these are reachable."""
    return PageLinkingClient(client, public_url) if public_url else client


class _Shutdown:
    """The callbacks that end work in progress, run concurrently before the platforms stop."""

    def __init__(self) -> None:
        self._callbacks: list[Callable[[], Awaitable[None]]] = []

    def add(self, *callbacks: Callable[[], Awaitable[None]]) -> None:
        """Add callbacks."""
        self._callbacks += callbacks

    async def run(self) -> None:
        """Run all callbacks, within their time."""
        tasks = [asyncio.create_task(_run_logged(callback)) for callback in self._callbacks]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=_FINISH_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)


async def _run_logged(callback: Callable[[], Awaitable[None]]) -> None:
    try:
        await callback()
    except Exception:  # noqa: BLE001 - the other callbacks have to run
        _log.warning("shutdown_callback_failed", exc_info=True)


class _PlatformRunner:
    """The lifecycle of a configured platform, failed or not."""

    def __init__(self, declaration: Declaration, services: Services) -> None:
        self.name = declaration.name
        self.error: Exception | None = None
        self._platform: Platform | None = None
        self._started = False
        services.metrics.connected(self.name, up=False)
        try:
            self._platform = declaration.open(services)
        except Exception as error:  # noqa: BLE001 - the other platforms have to serve
            self.error = error

    @property
    def routes(self) -> "Sequence[RouteDef]":
        """The HTTP routes that the platform needs."""
        return self._platform.routes if self._platform else ()

    @property
    def channel_client(self) -> ChannelClient | None:
        """The client of the platform's channels, `None` if the platform could not be opened."""
        return self._platform.channel_client if self._platform else None

    async def start(self) -> None:
        """Start the platform, and stop it again if that fails."""
        if self._platform is None:
            return
        try:
            await self._platform.start()
            self._started = True
        except Exception as error:  # noqa: BLE001 - the same
            self.error = error
            await self.stop()

    async def drain(self) -> None:
        """Drain the platform within its time, if it was started."""
        if self._platform is None or not self._started:
            return
        await self._end(self._platform.drain, _DRAIN_SECONDS, "platform_not_drained")

    async def stop(self) -> None:
        """Stop the platform within its time, if it was opened."""
        platform, self._platform = self._platform, None
        if platform is not None:
            await self._end(platform.stop, STOP_SECONDS, "platform_not_stopped")

    async def _end(self, step: Callable[[], Awaitable[None]], seconds: float, event: str) -> None:
        """Do a step of the end within its time; log an event where it fails."""
        try:
            async with asyncio.timeout(seconds):
                await step()
        except Exception:  # noqa: BLE001 - this and the other platforms have to be stopped
            _log.warning(event, exc_info=True, extra={"platform": self.name})

    def log_error(self) -> None:
        """Log the error of the start, if there was one."""
        if self.error:
            foreseen = isinstance(self.error, BroadsheetError)
            facts = {"platform": self.name, "sentence": _sentence(self.error)}
            _log.error("platform_failed", extra=facts, exc_info=None if foreseen else self.error)

    async def condition(self) -> Condition:
        """Return the health of the platform."""
        if self.error:
            return Condition(State.FAILING, _sentence(self.error))
        if self._platform is None:
            return Condition(State.OFF, "It is stopped.")
        return await self._platform.condition() if self._started else Condition(State.STARTING)


def _raise_if_all_failed(runners: Sequence[_PlatformRunner]) -> None:
    """Check that a platform has not failed, or that none is configured.

    Raises:
        Exception: the first platform's error; the others' are logged.
    """
    errors = [each.error for each in runners if each.error]
    if errors and len(errors) == len(runners):
        for each in runners[1:]:
            each.log_error()
        raise errors[0]


async def _stop_all(runners: Sequence[_PlatformRunner]) -> None:
    await asyncio.gather(*(each.stop() for each in runners))


async def _serve_web(
    shutdown: _Shutdown,
    services: Services,
    checks: health.Parts,
    runners: Sequence[_PlatformRunner],
) -> str | None:
    """Start the web server, and return the URL of its chat, if it has one.

    A failure is only logged if no platform needs the server.
    """
    routes = [route for each in runners for route in each.routes]
    settings = services.settings
    own_routes = operations_routes(checks, services.metrics)
    has_chat = is_open(settings.web_host, settings.public_url)
    chat_routes = Chat(services.app).routes if has_chat else []
    pages = Pages(
        services.app,
        services.database,
        services.clock,
        services.system_clock,
        settings.public_url,
        has_chat=has_chat,
    )
    served = [*own_routes, *routes, *chat_routes, *pages.routes]
    server = WebServer(settings.web_host, settings.web_port, served)
    try:
        await server.start()
    except WebError as error:
        if routes:
            raise
        _log.warning("web_unavailable", extra={"sentence": error.sentence, "remedy": error.remedy})
        return None
    shutdown.add(server.stop)
    return f"{server.url}{CHAT}" if has_chat else None


def _sentence(error: Exception) -> str:
    return error.sentence if isinstance(error, BroadsheetError) else unforeseen(error)


_SWITCH_SECONDS = 0.001


def freeze_memory() -> None:
    """Exclude all present objects from garbage collection for good.

    Objects such as the joined servers stay as long as the process. Collecting them took 30 ms of
    the event loop every few seconds while thousands of posts were sent.
    https://docs.python.org/3/library/gc.html#gc.freeze
    """
    gc.collect()
    gc.freeze()


@contextmanager
def short_switch_interval() -> Iterator[None]:
    """Switch between threads five times as often as by default.

    The event loop, which acknowledges commands, waits for that long while a thread of the store
    reads much: https://docs.python.org/3/library/sys.html#sys.setswitchinterval
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
