"""Rate limits that all processes share.

A limit has evenly spaced slots. A process that asks for some is told how many it gets and when the
first of them is; no other process gets these. All that is stored is the instant from which on slots
are free: the generic cell rate algorithm,
https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import bindparam, delete, func, select, update
from sqlmodel import Session, col

from store.database.statements import execute_each, insert_new
from store.tables.coordination import RateLimitRow

# How many seconds away a slot may be by default.
HORIZON = 10.0

# A longer wait was computed while the clock was wrong.
_LONGEST_WAIT = timedelta(seconds=60)
_LONGEST_SLOW = timedelta(minutes=10)
# After a refusal a limit is used so many times as slowly, and for so long at least.
_SLOWER = 1.5
_SLOW = timedelta(seconds=5)
_UNUSED = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class SlotRequest:
    """A request for slots of a rate limit, which are `interval` seconds apart.

    `burst` is how many may be used at once where none was for a while.
    """

    key: str
    interval: float
    count: int
    burst: int = 1


@dataclass(frozen=True, slots=True)
class SlotGrant:
    """Granted slots, the first of them `wait` seconds from now and the others `interval` apart.

    They are fewer than requested where the others are too far away; where there are none, `wait`
    is when to ask again. A slot in the past is one of a burst.
    """

    count: int
    wait: float
    interval: float


@dataclass(frozen=True, slots=True)
class SlotState:
    """A rate limit: from when on slots are free, and until when it is used more slowly."""

    free_at: datetime
    slow_until: datetime | None = None


def claim_slots(
    session: Session,
    requests: Sequence[SlotRequest],
    now: datetime,
    horizon: float = HORIZON,
    lead: float = 0.0,
) -> tuple[datetime, list[SlotGrant]]:
    """Claim slots as far as they are near; return the time and the grants, in order.

    Each request is for another limit, which is locked until the transaction ends. On Postgres the
    server's time is used instead of `now`, the same for all. A slot may be `horizon` seconds away;
    the caller has the answer `lead` seconds later.
    """
    now = _time(session, now)
    limits = _lock(session, [request.key for request in requests], now)
    granted = [
        grant_slots(limits[request.key], request, now, horizon, lead) for request in requests
    ]
    spent = [
        {"of": request.key, "from_now": free_at}
        for request, (grant, free_at) in zip(requests, granted, strict=True)
        if grant.count
    ]
    execute_each(session.connection(), _SPEND, spent)
    return now, [grant for grant, _ in granted]


def slow_down(session: Session, keys: Sequence[str], seconds: float, now: datetime) -> None:
    """Use limits not at all for some seconds, and then more slowly for a while.

    `seconds` is how long the platform asked to wait, `now` as of `claim_slots`.
    """
    now = _time(session, now)
    wait = min(timedelta(seconds=max(seconds, 0.0)), _LONGEST_WAIT)
    for key, limit in sorted(_lock(session, keys, now).items()):
        session.connection().execute(
            update(RateLimitRow)
            .where(col(RateLimitRow.key) == key)
            .values(
                free_at=max(_plausible(limit, now).free_at, now + wait),
                slow_until=now + max(_SLOW, 2 * wait),
            )
        )


def delete_unused(session: Session, now: datetime) -> int:
    """Delete limits that were not used for a day; return how many."""
    old = delete(RateLimitRow).where(col(RateLimitRow.free_at) < _time(session, now) - _UNUSED)
    return session.connection().execute(old).rowcount


def grant_slots(
    limit: SlotState,
    request: SlotRequest,
    now: datetime,
    horizon: float = HORIZON,
    lead: float = 0.0,
) -> tuple[SlotGrant, datetime]:
    """Return the granted slots of a limit, and from when on its slots are free then. Pure."""
    limit = _plausible(limit, now)
    slowed = limit.slow_until is not None and limit.slow_until > now
    interval = request.interval * (_SLOWER if slowed else 1)
    burst = 1 if slowed else request.burst
    first = max(limit.free_at, now + timedelta(seconds=lead - (burst - 1) * interval))
    wait = (first - now).total_seconds()
    near = int((horizon - wait) / interval) + 1 if wait <= horizon else 0
    count = min(request.count, near)
    following = first + timedelta(seconds=count * interval)
    return SlotGrant(count, wait if count else max(wait - horizon, interval), interval), following


def _plausible(limit: SlotState, now: datetime) -> SlotState:
    """Return a limit without instants that were computed by a clock that was ahead."""
    free_at = limit.free_at if limit.free_at <= now + 2 * _LONGEST_WAIT else now
    slow = limit.slow_until
    return SlotState(free_at, slow if slow and slow <= now + _LONGEST_SLOW else None)


def _lock(session: Session, keys: Sequence[str], now: datetime) -> dict[str, SlotState]:
    """Lock and return limits; those that are new are added."""
    limits = _read(session, keys)
    if missing := sorted(set(keys) - limits.keys()):
        new = [{"key": key, "free_at": now} for key in missing]
        session.connection().execute(insert_new(session, RateLimitRow), new)
        limits = _read(session, keys)
    return limits


def _read(session: Session, keys: Sequence[str]) -> dict[str, SlotState]:
    rows = session.connection().execute(_LIMITS, {"keys": keys})
    return {row.key: SlotState(row.free_at, row.slow_until) for row in rows}


def _time(session: Session, now: datetime) -> datetime:
    if session.get_bind().dialect.name != "postgresql":
        return now
    server: datetime = session.connection().scalars(select(func.clock_timestamp())).one()
    return server.astimezone(UTC)


# The statements are built once: to build one takes as long as to run it.
_SPEND = (
    update(RateLimitRow)
    .where(col(RateLimitRow.key) == bindparam("of"))
    .values(free_at=bindparam("from_now"))
)
# In one order, so that two who lock some of them never wait for each other.
_LIMITS = (
    select(RateLimitRow)
    .where(col(RateLimitRow.key).in_(bindparam("keys", expanding=True)))
    .order_by(col(RateLimitRow.key))
    .with_for_update()
)
