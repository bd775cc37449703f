"""`broadsheet subscriptions` and `deliveries`: what was ordered, and what became of it."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import click

from adapters.cli.arguments import ROW_ID
from adapters.cli.order_lines import delivery_lines, delivery_name, moment_utc, order_lines
from adapters.cli.output import print_json, print_line
from adapters.cli.runtime import Runtime, with_runtime
from bot.clock import SystemClock
from bot.errors import UserError
from bot.export.json_shapes import delivery_json, subscription_json
from bot.replies.deliveries import is_requeued, post_url
from store.database import Session
from store.posting import deliveries as ledger_lines
from store.posting import queue, subscriptions
from store.records import Delivery, DeliveryState, Subscription

_FAILED = {DeliveryState.UNKNOWN, DeliveryState.DEAD, DeliveryState.RETRY}
_T = TypeVar("_T")

_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group("subscriptions")
def orders() -> None:
    """Look at the standing orders of channels."""


@orders.command("list")
@_json
def list_orders(*, as_json: bool) -> None:
    """List the standing orders of all channels by id."""

    async def verb(runtime: Runtime) -> None:
        found = await runtime.database.read(subscriptions.list_subscriptions)
        if as_json:
            print_json([subscription_json(each) for each in found])
        else:
            _print(found, order_lines, "None yet.")

    with_runtime(verb)


@click.group()
def deliveries() -> None:
    """Look at what became of each post, and have one sent again."""


@deliveries.command("list")
@click.option("--failed", is_flag=True, help="Only what is unknown, dead or being tried again.")
@_json
def list_posts(*, failed: bool, as_json: bool) -> None:
    """List the deliveries by id."""

    async def verb(runtime: Runtime) -> None:
        known, every = await runtime.database.read(_ledger)
        found = [each for each in every if not failed or _has_failed(each)]
        if as_json:
            print_json([delivery_json(each) for each in found])
        else:
            none = "None." if failed else "None yet."
            _print(found, lambda each: delivery_lines(each, known.get(each.subscription_id)), none)

    with_runtime(verb)


def _has_failed(delivery: Delivery) -> bool:
    """Tell whether a delivery failed: what waits for its first attempt, or its turn, has not."""
    return delivery.state in _FAILED and not is_requeued(delivery)


def _ledger(session: Session) -> tuple[dict[int, Subscription], list[Delivery]]:
    orders_of = {each.id or 0: each for each in subscriptions.list_subscriptions(session)}
    return orders_of, ledger_lines.list_deliveries(session)


@deliveries.command("retry")
@click.argument("delivery_id", metavar="ID", type=ROW_ID)
def retry_delivery(*, delivery_id: int) -> None:
    """Have a delivery sent that is dead, skipped or unknown."""

    async def verb(runtime: Runtime) -> str:
        delivery = await runtime.database.read(_retriable, delivery_id)
        # From when work is ready is told by a clock that no setting moves.
        now = SystemClock().now()
        if await runtime.database.write(queue.retry, delivery_id, now):
            return f"The running bot sends {delivery_name(delivery)} within a tick."
        return f"{delivery_name(delivery).capitalize()} is {delivery.state}: it goes on by itself."

    print_line(with_runtime(verb))


def _retriable(session: Session, delivery_id: int) -> Delivery:
    """Find a delivery that may still be sent.

    Raises:
        UserError: where there is none, it is sent, or nobody wants it any more.
    """
    delivery = ledger_lines.find_delivery(session, delivery_id)
    if delivery is None:
        sentence = f"There is no delivery {delivery_id}."
        raise UserError(sentence, "broadsheet deliveries list shows all that there are.")
    if delivery.state is DeliveryState.SENT:
        raise _sent_already(delivery)
    number = delivery.subscription_id
    order = subscriptions.by_id(session, number)
    if order is None or order.cancelled_at:
        sentence = f"Subscription {number}, which {delivery_name(delivery)} is for, was cancelled."
        raise UserError(sentence, f"/papers resume {number} in its channel gives it again.")
    return delivery


def _sent_already(delivery: Delivery) -> UserError:
    at, url = delivery.sent_at, post_url(delivery)
    when = f" on {moment_utc(at)}" if at else ""
    where = f"It is at {url}" if url else "broadsheet deliveries list --json says which messages."
    return UserError(f"{delivery_name(delivery).capitalize()} was posted{when}.", where)


def _print(found: Sequence[_T], lines: Callable[[_T], Iterable[str]], none: str) -> None:
    for line in (line for each in found for line in lines(each)):
        print_line(line)
    if not found:
        click.echo(none)
