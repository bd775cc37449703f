"""Budgets: how fast all processes together may use a platform's limit.

A budget is spent in slots that are evenly apart. Whoever wants some is told how many it gets and
when the first of them is; no other process gets those. It is kept in one instant, from which on
slots are free: the generic cell rate algorithm,
https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import bindparam, delete, func, select, text, update
from sqlmodel import Session, col

from store.database.types import Instant
from store.tables.coordination import RateLimitRow

# How many seconds away a slot may be, where nothing else is said.
HORIZON = 10.0
# What is longer was reckoned while the clock was wrong.
_LONGEST = timedelta(seconds=60)
_LONGEST_SLOW = timedelta(minutes=10)
# After a refusal it is used so many times as slowly, and for so long at least.
_SLOWER = 1.5
_SLOW = timedelta(seconds=5)
_KEPT = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Want:
    """So many slots of a budget, which are `every` so many seconds.

    `burst` is how many may be used at once where none was for a while.
    """

    key: str
    every: float
    count: int
    burst: int = 1


@dataclass(frozen=True, slots=True)
class Grant:
    """So many slots, the first of them `wait` seconds from now and the others `every` so many.

    Fewer than wanted where the others are too far away; where there are none, `wait` is when it is
    of use to ask again. A slot that lies behind is one of a burst.
    """

    count: int
    wait: float
    every: float


@dataclass(frozen=True, slots=True)
class Budget:
    """From when on slots are free, and until when a part of them is used."""

    free_at: datetime
    slow_until: datetime | None = None


_NEW = text("INSERT INTO rate_limit (key, free_at) VALUES (:key, :free_at) ON CONFLICT DO NOTHING")
_NEW = _NEW.bindparams(bindparam("free_at", type_=Instant()))
_SPEND = (
    update(RateLimitRow)
    .where(col(RateLimitRow.key) == bindparam("of"))
    .values(free_at=bindparam("from_now", type_=Instant()))
)
_OLD = delete(RateLimitRow).where(col(RateLimitRow.free_at) < bindparam("old"))


def take(
    session: Session,
    wants: Sequence[Want],
    now: datetime,
    horizon: float = HORIZON,
    lead: float = 0.0,
) -> tuple[datetime, list[Grant]]:
    """Spend what is wanted as far as it is near; return the time and what was got, in order.

    Args:
        session: where budgets are stored; each is locked until that is committed.
        wants: what is wanted, each of another budget.
        now: the time, which on Postgres is the server's instead, the same for all.
        horizon: how many seconds away a slot may be.
        lead: how many seconds it takes until the answer is there.
    """
    connection = session.connection()
    now = _time(session, now)
    kept = _locked(session, [want.key for want in wants], now)
    found = [granted(kept[want.key], want, now, horizon, lead) for want in wants]
    spent = [
        {"of": want.key, "from_now": free_at}
        for want, (grant, free_at) in zip(wants, found, strict=True)
        if grant.count
    ]
    if spent:
        connection.execute(_SPEND, spent)
    return now, [grant for grant, _ in found]


def slow(session: Session, keys: Sequence[str], seconds: float, now: datetime) -> None:
    """Use budgets for so many seconds not at all, and then for a while more slowly.

    Args:
        session: where they are stored.
        keys: which.
        seconds: how long the platform asked to wait.
        now: as of `take`.
    """
    now = _time(session, now)
    rest = min(timedelta(seconds=max(seconds, 0.0)), _LONGEST)
    kept = _locked(session, keys, now)
    for key in sorted(kept):
        session.connection().execute(
            update(RateLimitRow)
            .where(col(RateLimitRow.key) == key)
            .values(
                free_at=max(_believed(kept[key], now).free_at, now + rest),
                slow_until=now + max(_SLOW, 2 * rest),
            )
        )


def forget(session: Session, now: datetime) -> int:
    """Delete budgets that nobody used for a day; return how many."""
    old = _time(session, now) - _KEPT
    return session.connection().execute(_OLD, {"old": old}).rowcount


def granted(
    budget: Budget, want: Want, now: datetime, horizon: float = HORIZON, lead: float = 0.0
) -> tuple[Grant, datetime]:
    """Return what is got of a budget, and from when on its slots are free then. Pure."""
    budget = _believed(budget, now)
    slowed = budget.slow_until is not None and budget.slow_until > now
    every = want.every * (_SLOWER if slowed else 1)
    burst = 1 if slowed else want.burst
    first = max(budget.free_at, now + timedelta(seconds=lead - (burst - 1) * every))
    wait = (first - now).total_seconds()
    near = int((horizon - wait) / every) + 1 if wait <= horizon else 0
    count = min(want.count, near)
    following = first + timedelta(seconds=count * every)
    return Grant(count, wait if count else max(wait - horizon, every), every), following


def _believed(budget: Budget, now: datetime) -> Budget:
    """Return a budget without what was reckoned by a clock that was ahead."""
    free_at = budget.free_at if budget.free_at <= now + 2 * _LONGEST else now
    slow = budget.slow_until
    return Budget(free_at, slow if slow and slow <= now + _LONGEST_SLOW else None)


def _locked(session: Session, keys: Sequence[str], now: datetime) -> dict[str, Budget]:
    """Return budgets that nobody else changes meanwhile, made where there are none."""
    connection = session.connection()
    # In one order, so that two who lock some of them never wait for each other.
    ordered = sorted(set(keys))
    query = (
        select(RateLimitRow)
        .where(col(RateLimitRow.key).in_(ordered))
        .order_by(col(RateLimitRow.key))
        .with_for_update()
    )
    kept = _budgets(session, query)
    missing = [key for key in ordered if key not in kept]
    if missing:
        connection.execute(_NEW, [{"key": key, "free_at": now} for key in missing])
        kept = _budgets(session, query)
    return kept


def _budgets(session: Session, query: object) -> dict[str, Budget]:
    rows = session.connection().execute(query)  # type: ignore[call-overload] # a select of the table
    return {row.key: Budget(row.free_at, row.slow_until) for row in rows}


def _time(session: Session, now: datetime) -> datetime:
    if session.get_bind().dialect.name != "postgresql":
        return now
    told: datetime = session.connection().scalars(select(func.clock_timestamp())).one()
    return told.astimezone(UTC)
