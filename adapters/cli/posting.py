"""`broadsheet subscriptions` and `broadsheet deliveries`."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import click

from adapters.cli.arguments import AS_JSON, ROW_ID
from adapters.cli.context import OpenStore, with_store
from adapters.cli.output import moment_utc, print_json, print_line
from bot.clock import SystemClock
from bot.domain.schedule import WEEKDAYS
from bot.domain.zones import without_summer_time, zone_in_words
from bot.errors import UserError
from bot.export.json_shapes import delivery_json, subscription_json
from bot.replies.deliveries import content_text, is_requeued, post_url
from bot.replies.wording import count, duration
from store.database import Session
from store.posting import deliveries as delivery_store
from store.posting import queue
from store.posting import subscriptions as subscription_store
from store.records import Delivery, DeliveryState, Subscription

_FAILED = {DeliveryState.UNKNOWN, DeliveryState.DEAD, DeliveryState.RETRY}
_T = TypeVar("_T")
_STATE_WIDTH = max(map(len, DeliveryState))
_ID_WIDTH = 5
_MARGIN = " " * (_STATE_WIDTH + _ID_WIDTH + 2)


@click.group()
def subscriptions() -> None:
    """Look at the subscriptions of channels."""


@subscriptions.command("list")
@AS_JSON
def list_all(*, as_json: bool) -> None:
    """List the subscriptions of all channels by id."""

    async def action(opened: OpenStore) -> None:
        found = await opened.database.read(subscription_store.list_subscriptions)
        if as_json:
            print_json([subscription_json(each) for each in found])
        else:
            _print(found, _subscription_lines, "None yet.")

    with_store(action)


@click.group()
def deliveries() -> None:
    """Look at what became of each post, and have one sent again."""


@deliveries.command("list")
@click.option("--failed", is_flag=True, help="Only what is unknown, dead or being tried again.")
@AS_JSON
def list_posts(*, failed: bool, as_json: bool) -> None:
    """List the deliveries by id."""

    async def action(opened: OpenStore) -> None:
        subscription_of, every = await opened.database.read(_read_deliveries)
        found = [each for each in every if not failed or _has_failed(each)]
        if as_json:
            print_json([delivery_json(each) for each in found])
        else:
            none = "None." if failed else "None yet."
            _print(found, lambda each: _delivery_lines(each, subscription_of), none)

    with_store(action)


def _has_failed(delivery: Delivery) -> bool:
    """Tell whether a delivery failed; one that is requeued has not."""
    return delivery.state in _FAILED and not is_requeued(delivery)


def _read_deliveries(session: Session) -> tuple[dict[int, Subscription], list[Delivery]]:
    by_id = {each.id or 0: each for each in subscription_store.list_subscriptions(session)}
    return by_id, delivery_store.list_deliveries(session)


@deliveries.command("retry")
@click.argument("delivery_id", metavar="ID", type=ROW_ID)
def retry_delivery(*, delivery_id: int) -> None:
    """Have a delivery sent that is dead, skipped or unknown."""

    async def action(opened: OpenStore) -> str:
        delivery = await opened.database.read(_retriable, delivery_id)
        # Queue times are those of the system clock, which no setting offsets.
        now = SystemClock().now()
        if await opened.database.write(queue.retry, delivery_id, now):
            return f"The running bot sends {_delivery_name(delivery)} within a tick."
        return f"{_delivery_name(delivery).capitalize()} is {delivery.state}: it goes on by itself."

    print_line(with_store(action))


def _retriable(session: Session, delivery_id: int) -> Delivery:
    """Return a delivery that may still be sent.

    Raises:
        UserError: if there is none, it is sent, or its subscription is cancelled.
    """
    delivery = delivery_store.find_delivery(session, delivery_id)
    if delivery is None:
        sentence = f"There is no delivery {delivery_id}."
        raise UserError(sentence, "broadsheet deliveries list shows all that there are.")
    if delivery.state is DeliveryState.SENT:
        raise _already_sent(delivery)
    number = delivery.subscription_id
    if number is None:
        return delivery
    subscription = subscription_store.by_id(session, number)
    if subscription is None or subscription.cancelled_at:
        sentence = f"Subscription {number}, which {_delivery_name(delivery)} is for, was cancelled."
        raise UserError(sentence, f"/papers resume {number} in its channel gives it again.")
    return delivery


def _already_sent(delivery: Delivery) -> UserError:
    at, url = delivery.sent_at, post_url(delivery)
    when = f" on {moment_utc(at)}" if at else ""
    where = f"It is at {url}" if url else "broadsheet deliveries list --json says which messages."
    return UserError(f"{_delivery_name(delivery).capitalize()} was posted{when}.", where)


def _print(found: Sequence[_T], lines: Callable[[_T], Iterable[str]], none: str) -> None:
    for line in (line for each in found for line in lines(each)):
        print_line(line)
    if not found:
        click.echo(none)


def _subscription_lines(subscription: Subscription) -> Iterator[str]:
    """Return the lines of a subscription: channel, schedule, content and problems."""
    yield _header(subscription.state, subscription.id, _place(subscription))
    yield _MARGIN + _schedule(subscription)
    if fixed := without_summer_time(subscription.zone):
        yield f"{_MARGIN}{fixed} /papers subscriptions in its channel offers others."
    yield _MARGIN + content_text(subscription)
    if subscription.paused_until:
        yield f"{_MARGIN}paused until {moment_utc(subscription.paused_until)}"
    if subscription.missed_at:
        patience = duration(subscription.patience)
        yield f"{_MARGIN}nothing came within {patience} of {moment_utc(subscription.missed_at)}"
    if subscription.refusal:
        yield _MARGIN + f"{subscription.refusal.sentence} {subscription.refusal.remedy}".strip()


def _delivery_lines(
    delivery: Delivery, subscription_of: Mapping[int, Subscription]
) -> Iterator[str]:
    """Return the lines of a delivery; `subscription_of` has the subscriptions not cancelled."""
    number, place = delivery.subscription_id, _place(delivery)
    if number is not None:
        place = place if number in subscription_of else "cancelled"
        place = f"subscription {number}, {place}"
    name = f"{_content_name(delivery)}, {place}"
    yield _header(delivery.state, delivery.id, name)
    yield _MARGIN + _progress(delivery)
    if delivery.error:
        yield _MARGIN + delivery.error
    if url := post_url(delivery):
        yield _MARGIN + url


def _delivery_name(delivery: Delivery) -> str:
    """Name a delivery in a sentence: `delivery 12 (dair 2026-01-05)`."""
    return f"delivery {delivery.id} ({_content_name(delivery)})"


def _content_name(delivery: Delivery) -> str:
    """Name what a delivery posts: `dair 2026-01-05`, `digest`, `alert`."""
    return f"{delivery.source} {delivery.first_day}" if delivery.source else delivery.kind.value


def _header(state: str, number: int | None, text: str) -> str:
    return f"{state:<{_STATE_WIDTH}}{number:>{_ID_WIDTH}}  {text}"


def _place(of: Subscription | Delivery) -> str:
    channel = of.channel
    where = f"{channel.workspace.platform} {channel.workspace.external_id} {channel.external_id}"
    return f"#{of.facts.name} ({where})" if of.facts.name else where


def _schedule(subscription: Subscription) -> str:
    day, zone = WEEKDAYS[subscription.weekday], zone_in_words(subscription.zone)
    schedule = f"{day} {subscription.local_time:%H:%M} {zone}"
    return (
        f"{schedule}, next {moment_utc(subscription.next_due_at)}"
        if subscription.next_due_at
        else schedule
    )


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
