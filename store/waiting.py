"""The queries that find what waits to be delivered, made once: they are asked all the time."""

from typing import Any

from sqlalchemy import ColumnElement, Integer, bindparam, func, select

from store.among import among
from store.schema import TABLES
from store.types import Instant

_SUBSCRIPTION, _CHANNEL = TABLES["subscription"], TABLES["channel"]
_WORKSPACE, _DELIVERY = TABLES["workspace"], TABLES["delivery"]

# A prime, so that each spin but 0 is another order; two below it make a number of four bytes.
SPINS = 32_749


def _placed(*also: ColumnElement[Any]) -> Any:  # noqa: ANN401 - a query of these columns
    """Return the query of deliveries and where they go.

    To add nothing, here and to the platform, keeps SQLite from going through all channels to the
    deliveries of each, which it takes for as quick: https://www.sqlite.org/optoverview.html#uplus
    """
    return (
        select(
            _DELIVERY.c.id,
            _DELIVERY.c.beat,
            _WORKSPACE.c.platform,
            _WORKSPACE.c.id.label("workspace"),
            _CHANNEL.c.id.label("channel"),
            *also,
        )
        .join(_SUBSCRIPTION, _SUBSCRIPTION.c.id == _DELIVERY.c.subscription_id + 0)
        .join(_CHANNEL, _CHANNEL.c.id == _SUBSCRIPTION.c.channel_id + 0)
        .join(_WORKSPACE, _WORKSPACE.c.id == _CHANNEL.c.workspace_id + 0)
        .where(_WORKSPACE.c.platform.concat("").in_(bindparam("platforms", expanding=True)))
    )


def _in_turn() -> Any:  # noqa: ANN401 - the same
    """Return the query of what may be taken: the first of each workspace, then the second of each.

    Among as many of each, workspaces come in an order that is another one with each spin. It knows
    nothing of several for one channel: that would take as long again.
    """
    turn = func.row_number().over(
        partition_by=_WORKSPACE.c.id, order_by=(_DELIVERY.c.ready_at, _DELIVERY.c.id)
    )
    spun = (_WORKSPACE.c.id % SPINS) * bindparam("spin", type_=Integer()) % SPINS
    come = (_DELIVERY.c.ready_at <= _NOW) | (_DELIVERY.c.ready_at > _LATEST)
    return (
        _placed()
        .where(_FREE, _IN_REACH, come)
        .where(~among(_CHANNEL.c.id, "busy"))
        .order_by(turn, spun, _DELIVERY.c.ready_at, _DELIVERY.c.id)
        .limit(bindparam("most"))
    )


_NOW, _LATEST = bindparam("now", type_=Instant()), bindparam("latest", type_=Instant())
# As the index says it of which deliveries it is.
_FREE = _DELIVERY.c.owner.is_(None) & _DELIVERY.c.ready_at.is_not(None)
_IN_REACH = _WORKSPACE.c.left_at.is_(None) & ~among(_WORKSPACE.c.id, "full")
_BY_TIME = _placed().with_only_columns(_DELIVERY.c.ready_at).order_by(_DELIVERY.c.ready_at)

IN_TURN = _in_turn()
# In no order, for whose sake SQLite would go through all deliveries.
HELD = _placed(_DELIVERY.c.owner).where(_DELIVERY.c.owner.is_not(None))
NEXT = _BY_TIME.where(_FREE, _WORKSPACE.c.left_at.is_(None)).limit(1)
FOLLOWING = _BY_TIME.where(
    _FREE, _IN_REACH, _DELIVERY.c.ready_at > _NOW, _DELIVERY.c.ready_at <= _LATEST
).limit(1)
RESTING = select(_WORKSPACE.c.id, _WORKSPACE.c.rests_until).where(
    _WORKSPACE.c.rests_until > _NOW, _WORKSPACE.c.rests_until <= _LATEST
)
