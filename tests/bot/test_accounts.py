"""Settings of workspaces, cached: fresh enough, and separate; changes to subscriptions."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import time, timedelta
from typing import Concatenate, ParamSpec, TypeVar

from bot.accounts import SETTINGS_FRESH, Workspaces, with_values
from store.database import Database, Session
from store.records import Workspace, WorkspaceSettings
from tests.bot.posting.delivery.setup import DUE, ORDER

P = ParamSpec("P")
T = TypeVar("T")

OURS, THEIRS = Workspace("slack", "T1"), Workspace("slack", "T2")
NO_CARDS = WorkspaceSettings(unfurls=False)
_MINUTE = timedelta(minutes=1)


@dataclass
class Stopwatch:
    """A clock that goes when it is told to."""

    now: float = 0

    def __call__(self) -> float:
        """Return the seconds that have passed."""
        return self.now


async def test_ones_own_change_is_seen_at_once(database: Database) -> None:
    """A value that was cached before a change is not returned after it."""
    workspaces = Workspaces(database, Stopwatch())
    assert await workspaces.settings(OURS) == WorkspaceSettings()
    assert await workspaces.change(OURS, {"unfurls": "off"}) == (WorkspaceSettings(), NO_CARDS)
    assert await workspaces.settings(OURS) == NO_CARDS


async def test_anothers_change_is_seen_within_seconds(database: Database) -> None:
    """Another process's change is seen when what is remembered gets old, or where it matters."""
    watch = Stopwatch()
    here, elsewhere = Workspaces(database, watch), Workspaces(database, watch)
    await here.settings(OURS)
    await elsewhere.change(OURS, {"unfurls": "off"})
    watch.now = SETTINGS_FRESH - 1
    assert await here.settings(OURS) == WorkspaceSettings()
    watch.now = SETTINGS_FRESH
    assert await here.settings(OURS) == NO_CARDS
    await elsewhere.change(OURS, {"unfurls": "on"})
    assert await here.settings(OURS, fresh=True) == WorkspaceSettings()
    assert await here.settings(OURS) == WorkspaceSettings()


async def test_workspaces_do_not_see_each_other(database: Database) -> None:
    """A cached value is of one workspace, before and after a change."""
    workspaces = Workspaces(database, Stopwatch())
    for _ in range(2):
        assert await workspaces.settings(THEIRS) == WorkspaceSettings()
        await workspaces.change(OURS, {"unfurls": "off"})
        assert await workspaces.settings(OURS) == NO_CARDS


class Held(Database):
    """A store whose reads, once made, wait for a gate to open before they are told."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.made, self.gate = asyncio.Event(), asyncio.Event()

    async def read(
        self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Read at once, and answer when the gate is open."""
        found = await super().read(fn, *args, **kwargs)
        self.made.set()
        await self.gate.wait()
        return found


async def test_what_was_read_before_a_change_is_not_kept_after_it(database_url: str) -> None:
    """A slow read that a change overtakes is answered, and forgotten."""
    async with Held(database_url) as database:
        workspaces = Workspaces(database, Stopwatch())
        reading = asyncio.create_task(workspaces.settings(OURS))
        await database.made.wait()
        await workspaces.change(OURS, {"unfurls": "off"})
        database.gate.set()
        assert await reading == WorkspaceSettings()
        assert await workspaces.settings(OURS) == NO_CARDS


def test_a_change_reckons_the_next_time_anew() -> None:
    """Whether that is earlier or later than what was ordered."""
    later = with_values(ORDER, {"local_time": time(10)}, DUE - _MINUTE)
    assert later.next_due_at == DUE + timedelta(hours=1)
    earlier = with_values(ORDER, {"local_time": time(8)}, DUE - _MINUTE)
    assert earlier.next_due_at == DUE + timedelta(days=7, hours=-1)


def test_a_change_loses_no_time_that_has_come() -> None:
    """At a minute past nine, before any tick, nine o'clock is still owed."""
    altered = with_values(ORDER, {"local_time": time(10), "size": 3}, DUE + _MINUTE)
    assert altered == replace(ORDER, local_time=time(10), size=3)
