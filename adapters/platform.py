"""What a chat platform is to the rest of the house, and where the platforms are.

A platform is a folder in `adapters/` with a module `declaration` that exposes `DECLARATION`.
Declarations are light: the platform's library is imported only where it is connected to.
"""

import pkgutil
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

import adapters
from bot.accounts.workspaces import Workspaces
from bot.app import Broadsheet
from bot.clock import Clock, SystemClock
from bot.coordination.leases import LeaseTerm
from bot.coordination.rate_limiter import RateLimiter
from bot.coordination.wakeup import WakeUp
from bot.operations.health import Condition, Finding
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
    """A platform while it is connected to."""

    @property
    def name(self) -> str:
        """What it is called in health and logs: `slack`."""

    @property
    def routes(self) -> "Sequence[RouteDef]":
        """What it wants to be reached by over HTTP; it can't do without any of these."""

    @property
    def poster(self) -> ChannelClient:
        """What posts to its channels."""

    async def start(self) -> None:
        """Connect, or begin to where that takes patience.

        Raises:
            PlatformError: where it can never work with these settings.
        """

    async def withdraw(self) -> None:
        """Leave to other processes what only one does, then finish the requests that came.

        Posting goes on meanwhile, and needs the connection; `stop` follows. It is not called where
        the start failed.
        """

    async def stop(self) -> None:
        """Disconnect, within two seconds; also after a start that failed."""

    async def condition(self) -> Condition:
        """Say how the connection is."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a platform is made over.

    `wake_up` wakes the delivery worker. `wall` is the system clock, which no setting moves;
    `timing` holds the timeouts and limits of posting. `replica` names this process among those on
    the same store; `rate_limiter` keeps what all of them send within the platforms' limits.
    `loaded` is called when much was loaded that stays. `fetcher` makes what fetches sources;
    without it none are fetched by themselves.
    """

    app: Broadsheet
    database: Database
    workspaces: Workspaces
    clock: Clock
    settings: Settings
    metrics: "Metrics"
    wake_up: WakeUp
    wall: Clock = field(default_factory=SystemClock)
    timing: Timing = field(default_factory=Timing)
    term: LeaseTerm = field(default_factory=LeaseTerm)
    replica: str = field(default_factory=lambda: secrets.token_urlsafe(8))
    loaded: Callable[[], None] = lambda: None
    fetcher: "Callable[[], AbstractAsyncContextManager[Fetcher]] | None" = None
    rate_limiter: RateLimiter = field(init=False)

    def __post_init__(self) -> None:
        """Make the rate limiter over the store."""
        limiter = RateLimiter(self.database, self.wall, horizon=self.timing.horizon)
        object.__setattr__(self, "rate_limiter", limiter)


Examine = Callable[
    [Mapping[str, str], Sequence[Channel], Sequence[KeptToken]], Awaitable[list[Finding]]
]


@dataclass(frozen=True, slots=True)
class Declaration:
    """All that is known of a platform without connecting to it.

    `settings` are the names of its variables; `is_configured` tells by the variables whether it
    is wanted, `open` makes it of its parts (and raises `SettingsError`), `preview` renders a
    reply to a reader as it would be sent, `examine` finds what would not work with them, in the
    channels that get posts and with the tokens that are stored, and `missing` says in a sentence
    how to add the platform.
    """

    name: str
    settings: tuple[str, ...]
    is_configured: Callable[[Mapping[str, str]], bool]
    open: Callable[[Parts], Platform]
    preview: Callable[[Reply], dict[str, Any]]
    examine: Examine
    missing: str


def declared() -> dict[str, Declaration]:
    """Return the platforms by name."""
    names = (module.name for module in pkgutil.iter_modules(adapters.__path__) if module.ispkg)
    places = (f"adapters.{name}.declaration" for name in names)
    found = (import_module(place).DECLARATION for place in places if find_spec(place))
    return {declaration.name: declaration for declaration in found}
