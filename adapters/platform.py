"""The interface of a chat platform, and the lookup of the platforms.

A platform is a folder in `adapters/` with a module `declaration` that exposes `DECLARATION`.
Declarations are light: the platform's library is imported only by `Declaration.open`.
"""

import pkgutil
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

import adapters
from bot.accounts import Workspaces
from bot.app import Broadsheet
from bot.clock import Clock, SystemClock
from bot.coordination.leases import LeaseTerm
from bot.coordination.rate_limiter import RateLimiter
from bot.coordination.wakeup import WakeUp
from bot.operations.doctor_checks import Finding
from bot.operations.health import Condition
from bot.posting.delivery.timing import Timing
from bot.posting.ports import ChannelClient
from bot.replies.blocks import Reply
from bot.settings import Settings
from store.database import Database
from store.records import Channel, KeptToken

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from aiohttp.web import RouteDef

    from bot.operations.metrics import Metrics
    from bot.sources.fetcher import Fetcher


class Platform(Protocol):
    """A configured platform."""

    @property
    def name(self) -> str:
        """The name in health and logs: `slack`."""

    @property
    def routes(self) -> "Sequence[RouteDef]":
        """The HTTP routes that it needs."""

    @property
    def channel_client(self) -> ChannelClient:
        """The client that posts to its channels."""

    async def start(self) -> None:
        """Connect, or begin to connect if that takes long.

        Raises:
            PlatformError: if it can never work with these settings.
        """

    async def drain(self) -> None:
        """Give up the leases, then finish the requests that have arrived.

        Posting goes on meanwhile, and needs the connection; `stop` follows. `drain` is not called
        if the start failed.
        """

    async def stop(self) -> None:
        """Disconnect, within two seconds; also after a failed start."""

    async def condition(self) -> Condition:
        """Return the health of the connection."""


@dataclass(frozen=True, slots=True)
class Services:
    """The services of the application that platforms use.

    Attributes:
        clock: the application's clock, which a setting may offset.
        wake_up: the event that wakes the delivery worker.
        system_clock: the machine's clock, which no setting offsets.
        timing: the timeouts and limits of posting.
        term: the durations of a lease.
        replica: the name of this process among those on the same store.
        freeze_memory: is called after many objects were loaded that stay.
        open_fetcher: opens the fetcher of sources; `None` if none are fetched by themselves.
        rate_limiter: keeps the requests of all processes within the platforms' rate limits.
    """

    app: Broadsheet
    database: Database
    workspaces: Workspaces
    clock: Clock
    settings: Settings
    metrics: "Metrics"
    wake_up: WakeUp
    system_clock: Clock = field(default_factory=SystemClock)
    timing: Timing = field(default_factory=Timing)
    term: LeaseTerm = field(default_factory=LeaseTerm)
    replica: str = field(default_factory=lambda: secrets.token_urlsafe(8))
    freeze_memory: Callable[[], None] = lambda: None
    open_fetcher: "Callable[[], AbstractAsyncContextManager[Fetcher]] | None" = None
    rate_limiter: RateLimiter = field(init=False)

    def __post_init__(self) -> None:
        """Create the rate limiter over the store."""
        limiter = RateLimiter(self.database, self.system_clock, horizon=self.timing.horizon)
        object.__setattr__(self, "rate_limiter", limiter)


Diagnose = Callable[
    [Mapping[str, str], Sequence[Channel], Sequence[KeptToken]], Awaitable[list[Finding]]
]


@dataclass(frozen=True, slots=True)
class Declaration:
    """The declaration of a platform: what is known of it without connecting.

    Attributes:
        name: the platform's name.
        setting_names: the names of its environment variables.
        is_configured: tells by the variables whether the platform is wanted.
        open: creates the platform; raises `SettingsError`.
        preview: renders a reply to a reader as it would be sent.
        diagnose: returns the doctor's findings about the variables, the channels that get posts
            and the stored tokens.
        check: asks the platform what it would say of a preview; `None` where it can't be asked.
        setup_hint: a sentence that says how to configure the platform.
    """

    name: str
    setting_names: tuple[str, ...]
    is_configured: Callable[[Mapping[str, str]], bool]
    open: Callable[[Services], Platform]
    preview: Callable[[Reply], dict[str, Any]]
    diagnose: Diagnose
    setup_hint: str
    check: Callable[[Mapping[str, str], dict[str, Any]], Awaitable[list[Finding]]] | None = None


def find_platforms() -> dict[str, Declaration]:
    """Return the declarations of all platforms by name."""
    names = (module.name for module in pkgutil.iter_modules(adapters.__path__) if module.ispkg)
    modules = (f"adapters.{name}.declaration" for name in names)
    found = (import_module(module).DECLARATION for module in modules if find_spec(module))
    return {declaration.name: declaration for declaration in found}
