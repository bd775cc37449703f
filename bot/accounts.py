"""The settings, subscriptions and votes of workspaces, each with its changes."""

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Concatenate, ParamSpec, TypeVar

from bot.cache import Cache
from bot.clock import Clock
from bot.domain.schedule import WEEKDAYS, next_due
from bot.domain.zones import zone_name
from bot.errors import UserError
from bot.replies.blocks import Reply
from bot.replies.paper_actions import with_votes
from store.coordination.request_claims import Claim
from store.database import Database, Session
from store.posting import change_subscription
from store.posting.change_subscription import ChangedSince, ChangedSubscription
from store.readers import votes
from store.readers.votes import VoteResult
from store.records import Person, Subscription, SubscriptionState, Workspace, WorkspaceSettings
from store.workspaces import workspaces

# Another process's change is seen after so many seconds at most; this one's own is seen at once.
SETTINGS_FRESH, VOTES_FRESH = 10.0, 3.0
_CACHED = 1024

P = ParamSpec("P")
T = TypeVar("T")


class Workspaces:
    """The settings of workspaces; `seconds` is a clock that only goes forward."""

    def __init__(self, database: Database, seconds: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._cache: Cache[Workspace, WorkspaceSettings] = Cache(_CACHED, SETTINGS_FRESH, seconds)

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


class Votes:
    """The votes of workspaces; `seconds` is a clock that only goes forward.

    The workspaces with votes are cached for some seconds, so that an answer in one without votes
    costs no read.
    """

    def __init__(self, database: Database, seconds: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._cache: Cache[None, frozenset[Workspace]] = Cache(1, VOTES_FRESH, seconds)

    async def of(self, workspace: Workspace, refs: Collection[str]) -> Mapping[str, int]:
        """Return the number of votes in a workspace by ref, without papers that have none.

        Raises:
            StoreError: as `Database.read`.
        """
        if not refs or not await self._has_any(workspace):
            return {}
        return await self._database.read(votes.of_refs, workspace, refs)

    async def of_entries(self, workspace: Workspace, entries: Collection[int]) -> Mapping[int, int]:
        """Return the number of votes as `of`, by the ids of entries in the database."""
        if not entries or not await self._has_any(workspace):
            return {}
        return await self._database.read(votes.of_entries, workspace, entries)

    async def toggle(
        self,
        person: Person,
        workspace: Workspace,
        ref: str,
        request: Claim | None,
        now: datetime,
    ) -> VoteResult:
        """Cast a person's vote for a paper, or withdraw it.

        Raises:
            StoreError: as `Database.write_locking_rows`.
        """
        try:
            return await self._database.write_locking_rows(
                votes.toggle, person, workspace, ref, request, now
            )
        finally:
            self._cache.clear()

    async def _has_any(self, workspace: Workspace) -> bool:
        return workspace in await self._cache.read(
            None, lambda: self._database.read(votes.list_voting_workspaces)
        )


def counted_in(reply: Reply, votes_of: Mapping[str, int]) -> Reply:
    """Return a reply, such as a posted digest, with the votes of its papers by ref."""
    return with_votes(reply, lambda ref: votes_of.get(ref, 0)) if votes_of else reply


class Subscriptions:
    """Writes to the subscriptions of channels.

    `notify` tells posting that something may be due; deliveries wait by the system `clock`.
    """

    def __init__(self, database: Database, notify: Callable[[], None], clock: Clock) -> None:
        self._database = database
        self._notify = notify
        self._clock = clock

    async def change(
        self,
        subscription: Subscription,
        change: Callable[[Subscription], Subscription],
        now: datetime,
        request: Claim | None,
        seen: str | None = None,
    ) -> ChangedSubscription:
        """Change a stored subscription by a pure function, if it is as the user has `seen` it.

        Raises:
            UserError: if it changed since, or since a request that was carried out before.
            StoreError: as `Database.write`.
        """
        try:
            done = await self.write(
                change_subscription.change,
                stored_id(subscription),
                change,
                request,
                at=now,
                now=self._clock.now(),
                seen=seen,
            )
        except ChangedSince:
            sentence = f"Subscription {subscription.id} has changed since, so it stays as it is."
            raise UserError(sentence, _HOW_IT_STANDS) from None
        if not done.is_new and change(done.after) != done.after:
            raise _changed_since(f"subscription {subscription.id}")
        return done

    async def write(
        self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Write in one transaction, and notify posting.

        Raises:
            UserError: if the subscription was deleted since.
            StoreError: as `Database.write`.
        """
        try:
            return await self._database.write(fn, *args, **kwargs)
        except LookupError:
            raise _changed_since("the subscription") from None
        finally:
            self._notify()


_HOW_IT_STANDS = "subscriptions shows how it stands."


def stored_id(subscription: Subscription) -> int:
    """Return the id of a subscription that was read from the store."""
    if subscription.id is None:
        raise AssertionError("a stored subscription has an id")
    return subscription.id


def _changed_since(which: str) -> UserError:
    return UserError(
        f"This was asked and done before, and {which} has changed since.",
        _HOW_IT_STANDS,
    )


def with_values(
    subscription: Subscription, values: Mapping[str, Any], now: datetime
) -> Subscription:
    """Return a subscription with other values of its fields, scheduled anew.

    A due time that has come, and that no tick has looked at yet, stays: its edition is due.
    """
    changed = replace(subscription, **values)
    is_due = subscription.next_due_at is not None and subscription.next_due_at <= now
    if subscription.state is not SubscriptionState.ACTIVE or is_due:
        return changed
    return _scheduled(changed, now)


def pause_until(subscription: Subscription, until: datetime | None) -> Subscription:
    """Return a subscription that is paused until an instant, or until it is resumed."""
    return replace(
        subscription,
        state=SubscriptionState.PAUSED,
        paused_until=until,
        next_due_at=None,
        open_due_at=None,
        refusal=None,
    )


def stop_until(subscription: Subscription, until: datetime | None) -> Subscription:
    """Return a subscription as `pause_until` does, but that posts no sooner than it would have.

    That is the pause of somebody who may stop it, and not start it.
    """
    ends, is_active = subscription.paused_until, subscription.state is SubscriptionState.ACTIVE
    is_longer = until is None or (ends is not None and until > ends)
    return pause_until(subscription, until) if is_active or is_longer else subscription


def reactivate(subscription: Subscription, now: datetime) -> Subscription:
    """Return a subscription that is active again, after any pause, refusal or cancellation."""
    if subscription.state is SubscriptionState.ACTIVE and subscription.cancelled_at is None:
        return subscription
    active = replace(
        subscription,
        state=SubscriptionState.ACTIVE,
        paused_until=None,
        open_due_at=None,
        refusal=None,
        cancelled_at=None,
    )
    return _scheduled(active, now)


def cancel(subscription: Subscription, now: datetime) -> Subscription:
    """Return a subscription that is cancelled."""
    return replace(subscription, cancelled_at=subscription.cancelled_at or now, open_due_at=None)


def _scheduled(subscription: Subscription, now: datetime) -> Subscription:
    following = next_due(subscription.weekday, subscription.local_time, subscription.zone, now)
    return replace(subscription, next_due_at=following)


def in_words(subscription: Subscription) -> str:
    """Word when a subscription posts: `every Monday at 09:00 (Europe/Berlin)`."""
    day = WEEKDAYS[subscription.weekday].capitalize()
    return f"every {day} at {subscription.local_time:%H:%M} ({zone_name(subscription.zone)})"
