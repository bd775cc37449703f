"""The ledger: deliveries from being owed to being sent, many of them in one transaction.

    pending ─ claim ─ claimed ─ Begin ─ sending ─ Sent ─ sent
                 │                        ├─ retry, and claimed again when it is ready
                 └─ skipped               ├─ unknown, where nobody can tell whether it arrived
                                          └─ dead, where it can't be sent

The steps behind `claim` are in `steps.py`. What is about to be sent is noted before. Whoever works
on a delivery holds it under a beat, which every step counts up; a step on an older beat changes
nothing and is answered with `LeaseLost`. How long a beat has stood is measured by whoever wants to
take over, with a clock of its own that only goes forward, so that no change of the machine's time
makes a living holder look dead. A channel never has two deliveries in hands.

Claims and steps run READ COMMITTED on Postgres. That is enough, because each first locks the rows
of its deliveries, and a claim those of their channels, and judges by what statements behind that
see: nobody else takes or goes on with them meanwhile. Whoever changes what an order is owed
(`drop_unsent`, `retry`, `alter`, `refuse_workspace`) writes the same rows under SERIALIZABLE, and
so either comes first, and the beat is another, or is told to begin anew with what was noted here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import and_, bindparam, case, select, text, update
from sqlmodel import Session

from store import due, votes
from store.among import among
from store.prepared import Prepared
from store.queue import Ready
from store.records import Delivery, DeliveryState, Edition, Subscription
from store.schema import TABLES
from store.taking import OVERTAKEN, TAKEN_BACK, Found, read, unwanted
from store.votes import Shown

_SUBSCRIPTION = TABLES["subscription"]
_DELIVERY, _EDITION = TABLES["delivery"], TABLES["edition"]

# Taken in one of these, all of a delivery is laid out anew.
_UNSAID = (DeliveryState.PENDING, DeliveryState.SENT)


@dataclass(frozen=True, slots=True)
class Held:
    """A delivery in the hands of a process, as of a beat."""

    id: int
    owner: str
    beat: int


@dataclass(frozen=True, slots=True)
class Work:
    """All that is needed to carry out a delivery, or to correct what it posted.

    `content_at` is when what is posted was last changed, `changed_at` when the edition was. `votes`
    are those for its papers where it is posted, by ref, of those that have any; with `recount` they
    were others when the delivery was begun.
    """

    held: Held
    delivery: Delivery
    order: Subscription
    edition: Edition
    enqueued_at: datetime
    content_at: datetime | None
    changed_at: datetime
    insist: bool
    votes: Mapping[str, int] = field(default_factory=dict)
    recount: bool = False

    @property
    def is_correction(self) -> bool:
        """Whether all of it was sent, so that only what changed since is to be put right."""
        return self.delivery.state is DeliveryState.SENT


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an attempt.

    `state` is the delivery's, `part` that of the part at hand. `ready_at` is when to go on, `None`
    where that is over. What is `kept` in hand goes on by no wall clock: when whoever keeps it looks
    for it again, or its lease has run out.
    What was not `tried`, because it was put off, counts as no attempt, and what was said of the
    last one stays.
    """

    state: DeliveryState
    part: DeliveryState = DeliveryState.PENDING
    ready_at: datetime | None = None
    error: str | None = None
    kept: bool = False
    tried: bool = True


def claim(session: Session, candidates: Sequence[Ready], owner: str, most: int) -> list[Work]:
    """Take deliveries to work on, in order, but for those that somebody else took.

    A channel is worked on by one process at a time: of those for one channel the first is taken,
    and none where another is held. One that is held is taken over. What is no longer wanted,
    because its order was taken back or a newer edition of the source came, is skipped here, unless
    some of it was sent; it counts among the `most`.

    Args:
        session: a session whose transaction is one of `Database.write_rows`.
        candidates: what was found to be ready or held.
        owner: the process that takes them.
        most: how many to take.
    """
    ids = _locked(session, candidates, most)
    # Only now: what was imported and sent before they were locked is to be seen.
    known = due.kept(session)
    found = read(session, ids, known)
    if not found:
        return []
    over = unwanted(session, found)
    for why in (TAKEN_BACK, OVERTAKEN):
        _skip(session, [each for each, said in over.items() if said is why], why)
    taken = [each for each in found if each.delivery.id not in over]
    if taken:
        values = {"ids": [each.delivery.id for each in taken], "holder": owner}
        _TAKE.run(session.connection(), values)
    editions = due.editions(session, (each.row["edition_id"] for each in taken), known)
    places = {ready.id: ready.workspace for ready in candidates}
    shown = {
        each.delivery.id: Shown(places[each.delivery.id], editions[each.row["edition_id"]])
        for each in taken
    }
    given = votes.on(session, shown)
    return [_work(each, owner, shown[each.delivery.id].edition, given) for each in taken]


def _locked(session: Session, candidates: Sequence[Ready], most: int) -> list[int]:
    """Return the deliveries that are as they were found, locked with their channels until the end.

    On SQLite this transaction has the whole file.
    """
    first: dict[int, Ready] = {}
    for ready in candidates:
        first.setdefault(ready.channel, ready)
    asked = {ready.id: ready for ready in first.values()}
    beats = [ready.beat for ready in asked.values()]
    if session.get_bind().dialect.name == "postgresql":
        values = {"ids": list(asked), "beats": beats, "most": most}
        free = [row[0] for row in _LOCK.rows(session.connection(), values)]
    else:
        known: dict[int, int] = dict(_BEATS.rows(session.connection(), {"ids": [*asked]}))
        free = [each for each in asked if known.get(each) == asked[each].beat]
    held = _held(session, [asked[each].channel for each in free])
    of_others = {channel for channel, ids in held.items() if not ids & asked.keys()}
    return [each for each in free if asked[each].channel not in of_others][:most]


def _held(session: Session, channels: Sequence[int]) -> dict[int, set[int]]:
    """Return what is held, by whomever, in some channels."""
    held: dict[int, set[int]] = {}
    if channels:
        for channel, delivery in _HELD.rows(session.connection(), {"channels": channels}):
            held.setdefault(channel, set()).add(delivery)
    return held


def _skip(session: Session, ids: Sequence[int], why: str) -> None:
    if ids:
        _SKIP.run(session.connection(), {"ids": ids, "why": why})


def _work(
    found: Found, owner: str, edition: Edition, given: Mapping[int, Mapping[str, int]]
) -> Work:
    row = found.row
    return Work(
        held=Held(row["id"], owner, row["beat"] + 1),
        delivery=found.delivery,
        order=found.order,
        edition=edition,
        enqueued_at=row["enqueued_at"],
        content_at=row["content_at"],
        changed_at=found.owed.changed_at,
        insist=row["insist"],
        votes=given.get(row["id"], {}),
        recount=row["recount"] and found.delivery.state not in _UNSAID,
    )


# Whoever has the row of a channel lets go of it with its transaction; what it took then is seen
# by the next statement. Rows come in the order that was asked for, but for those that others have:
# https://www.postgresql.org/docs/current/sql-select.html#SQL-FOR-UPDATE-SHARE
_LOCK = Prepared(
    text(
        "SELECT delivery.id FROM unnest(CAST(:ids AS integer[]), CAST(:beats AS integer[]))"
        " WITH ORDINALITY AS asked (id, beat, place)"
        " JOIN delivery ON delivery.id = asked.id AND delivery.beat = asked.beat"
        " JOIN subscription ON subscription.id = delivery.subscription_id"
        " JOIN channel ON channel.id = subscription.channel_id"
        " ORDER BY asked.place LIMIT :most FOR NO KEY UPDATE OF delivery, channel SKIP LOCKED"
    )
)
_BEATS = Prepared(select(_DELIVERY.c.id, _DELIVERY.c.beat).where(among(_DELIVERY.c.id, "ids")))
_HELD = Prepared(
    select(_SUBSCRIPTION.c.channel_id, _DELIVERY.c.id)
    .join(_SUBSCRIPTION, _SUBSCRIPTION.c.id == _DELIVERY.c.subscription_id)
    .where(_DELIVERY.c.owner.is_not(None))
    # By a sum no index finds orders, so SQLite begins with the few that are held.
    .where(among(_SUBSCRIPTION.c.channel_id + 0, "channels"))
)
_SKIP = Prepared(
    update(_DELIVERY)
    .where(among(_DELIVERY.c.id, "ids"))
    .values(
        state=DeliveryState.SKIPPED,
        error=bindparam("why"),
        owner=None,
        ready_at=None,
        beat=_DELIVERY.c.beat + 1,
    )
)
_IS_SENT = _DELIVERY.c.state == DeliveryState.SENT
# A correction is no attempt.
_TAKE = Prepared(
    update(_DELIVERY)
    .where(among(_DELIVERY.c.id, "ids"))
    .values(
        owner=bindparam("holder"),
        beat=_DELIVERY.c.beat + 1,
        state=case((_IS_SENT, _DELIVERY.c.state), else_=DeliveryState.CLAIMED),
        attempts=_DELIVERY.c.attempts + case((_IS_SENT, 0), else_=1),
        recount=and_(_DELIVERY.c.recount, *(_DELIVERY.c.state != each for each in _UNSAID)),
    )
)
