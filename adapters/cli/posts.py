"""`broadsheet subscriptions` and `deliveries`: the ledger of posts."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import click

from adapters.cli.arguments import ROW_ID
from adapters.cli.output import moment_utc, print_json, print_line
from adapters.cli.runtime import Runtime, with_runtime
from bot.clock import SystemClock
from bot.domain.schedule import WEEKDAYS
from bot.errors import UserError
from bot.export.json_shapes import delivery_json, subscription_json
from bot.replies.deliveries import content_text, is_requeued, post_url
from bot.replies.wording import count, duration
from store.database import Session
from store.posting import deliveries as ledger_lines
from store.posting import queue, subscriptions
from store.records import Delivery, DeliveryState, Subscription

_FAILED = {DeliveryState.UNKNOWN, DeliveryState.DEAD, DeliveryState.RETRY}
_T = TypeVar("_T")
_STATE_WIDTH = max(map(len, DeliveryState))
_ID_WIDTH = 5
_MARGIN = " " * (_STATE_WIDTH + _ID_WIDTH + 2)

_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group("subscriptions")
def subscriptions_group() -> None:
    """List the subscriptions of channels."""


@subscriptions_group.command("list")
@_json
def list_orders(*, as_json: bool) -> None:
    """List the subscriptions of all channels by id."""

    async def verb(runtime: Runtime) -> None:
        found = await runtime.database.read(subscriptions.list_subscriptions)
        if as_json:
            print_json([subscription_json(each) for each in found])
        else:
            _print(found, subscription_lines, "None yet.")

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
    subscription = subscriptions.by_id(session, number)
    if subscription is None or subscription.cancelled_at:
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


def subscription_lines(subscription: Subscription) -> Iterator[str]:
    """Yield a subscription as lines: its state and place first, its schedule and content below."""
    yield _headed(subscription.state, subscription.id, _place(subscription))
    yield _MARGIN + _when(subscription)
    yield _MARGIN + content_text(subscription)
    if subscription.paused_until:
        yield f"{_MARGIN}paused until {moment_utc(subscription.paused_until)}"
    if subscription.missed_at:
        patience = duration(subscription.patience)
        yield f"{_MARGIN}nothing came within {patience} of {moment_utc(subscription.missed_at)}"
    if subscription.refusal:
        yield _MARGIN + f"{subscription.refusal.sentence} {subscription.refusal.remedy}".strip()


def delivery_lines(delivery: Delivery, subscription: Subscription | None) -> Iterator[str]:
    """Yield a delivery as lines; `subscription` is `None` where it was cancelled."""
    place = _place(subscription) if subscription else "cancelled"
    edition = f"{delivery.source} {delivery.first_day}"
    name = f"{edition}, subscription {delivery.subscription_id}, {place}"
    yield _headed(delivery.state, delivery.id, name)
    yield _MARGIN + _progress(delivery)
    if delivery.error:
        yield _MARGIN + delivery.error
    if url := post_url(delivery):
        yield _MARGIN + url


def delivery_name(delivery: Delivery) -> str:
    """Name a delivery inside a sentence: `delivery 12 (dair 2026-01-05)`."""
    return f"delivery {delivery.id} ({delivery.source} {delivery.first_day})"


def _headed(state: str, number: int | None, text: str) -> str:
    return f"{state:<{_STATE_WIDTH}}{number:>{_ID_WIDTH}}  {text}"


def _place(subscription: Subscription) -> str:
    channel = subscription.channel
    where = f"{channel.workspace.platform} {channel.workspace.external_id} {channel.external_id}"
    return f"#{subscription.facts.name} ({where})" if subscription.facts.name else where


def _when(subscription: Subscription) -> str:
    weekday, due = WEEKDAYS[subscription.weekday], subscription.next_due_at
    schedule = f"{weekday} {subscription.local_time:%H:%M} {subscription.zone}"
    return f"{schedule}, next {moment_utc(due)}" if due else schedule


def _progress(delivery: Delivery) -> str:
    facts = [f"due {moment_utc(delivery.due_at)}"]
    if delivery.sent_at:
        facts.append(f"sent {moment_utc(delivery.sent_at)}")
    facts.append(count(delivery.attempts, "attempt"))
    if delivery.waits_until:
        facts.append(f"next {moment_utc(delivery.waits_until)}")
    if delivery.parts:
        sent = sum(part.state is DeliveryState.SENT for part in delivery.parts)
        facts.append(f"{sent} of {count(len(delivery.parts), 'message')}")
    return ", ".join(facts)
