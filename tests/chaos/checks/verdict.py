"""What is wrong with what stands in the channels, given what is owed. Pure."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from store.records import Delivery, DeliveryState, Layout, Part
from tests.chaos.checks.posted_messages import Stands
from tests.chaos.scenario import RIGHT, Order, token

Owed = tuple[int, str, date]


@dataclass(frozen=True)
class Record:
    """All that a verdict is given on.

    `owed` is what has to have been posted, as order, source and first day, by the rule and not by
    the ledger; `deliveries` is the ledger, `stands` what the platforms have. `corrected` are the
    editions that changed after they were posted, as source and first day. `overtaken` are those
    that came together with a newer one, and when they came: a due time that still had patience by
    then may have had such a one, where the newer lay too far ahead.
    """

    orders: Sequence[Order]
    owed: Collection[Owed]
    deliveries: Sequence[Delivery]
    stands: Sequence[Stands]
    corrected: Collection[tuple[str, date]] = ()
    overtaken: Mapping[tuple[str, date], datetime] = field(default_factory=dict)


def faults(record: Record) -> list[str]:
    """Return what is wrong, a sentence each; nothing where every promise was kept."""
    return [*_ledger_faults(record), *_delivery_faults(record), *_paper_faults(record)]


def _ledger_faults(record: Record) -> Iterator[str]:
    """Hold the ledger against what is owed, and the channels against the ledger."""
    known = Counter(owed_by(each) for each in record.deliveries)
    doomed = {order.id for order in record.orders if order.place.doomed}
    for owed in sorted(set(record.owed) - set(known)):
        if owed[0] not in doomed:
            yield f"{_named(owed)} was never delivered"
    early = {owed_by(each) for each in record.deliveries if _is_early(each, record)}
    for owed in sorted(set(known) - set(record.owed) - early):
        yield f"{_named(owed)} was delivered and not owed"
    keys = {part.key for each in record.deliveries for part in each.parts}
    for each in record.stands:
        if each.key not in keys:
            yield f"{_place(each)} has a message of no delivery: {each.text[:60]!r}"


def _is_early(delivery: Delivery, record: Record) -> bool:
    """Tell whether a due time before a newer edition was the newest had one that came with it."""
    came_at = record.overtaken.get((delivery.source or "", delivery.first_day or date.min))
    return came_at is not None and delivery.due_at <= came_at


def _delivery_faults(record: Record) -> Iterator[str]:
    orders = {order.id: order for order in record.orders}
    by_key: dict[str | None, list[Stands]] = defaultdict(list)
    for each in record.stands:
        by_key[each.key].append(each)
    for delivery in record.deliveries:
        order = orders[delivery.subscription_id or 0]
        found = [by_key[part.key] for part in delivery.parts]
        for wrong in _delivery_wrongs(delivery, order, found, record):
            yield f"delivery {delivery.id} ({_named(owed_by(delivery))}) {wrong}"


def _delivery_wrongs(
    delivery: Delivery, order: Order, found: Sequence[Sequence[Stands]], record: Record
) -> Iterator[str]:
    for part, stands in zip(delivery.parts, found, strict=True):
        if len(stands) > 1:
            ids = ", ".join(each.id for each in stands)
            yield f"has part {part.number} {len(stands)} times: {ids}"
        if any(each.channel != order.place.channel.external_id for each in stands):
            yield f"has part {part.number} in another channel"
    if delivery.state is DeliveryState.SENT:
        yield from _sent_wrongs(delivery.parts, order, found)
        if not _is_up_to_date(delivery, order, found, record):
            yield "was not corrected"
        return
    if delivery.state is DeliveryState.SKIPPED and any(found):
        yield "is skipped and stands there"
    if not _is_explained(delivery, order, record):
        yield f"is {delivery.state}: {delivery.error}"


def _is_up_to_date(
    delivery: Delivery, order: Order, found: Sequence[Sequence[Stands]], record: Record
) -> bool:
    """Tell whether a post of a corrected edition says so, where it can still be edited."""
    if order.place.doomed or (delivery.source, delivery.first_day) not in record.corrected:
        return True
    return any(RIGHT in each.text for stands in found for each in stands)


def _is_explained(delivery: Delivery, order: Order, record: Record) -> bool:
    """Tell whether a delivery that was not sent could not be, or need not."""
    match delivery.state:
        case DeliveryState.UNKNOWN:
            return order.place.blind
        case DeliveryState.DEAD:
            return order.place.doomed
        case DeliveryState.SKIPPED:
            return order.place.doomed or _is_overtaken(delivery, record.deliveries)
    return False


def _sent_wrongs(
    parts: Sequence[Part], order: Order, found: Sequence[Sequence[Stands]]
) -> Iterator[str]:
    missing = [str(part.number) for part, each in zip(parts, found, strict=True) if not each]
    if missing or not parts:
        yield f"is sent and lacks part {', '.join(missing) or 1} of {len(parts)}"
        return
    whole = [each[0] for each in found]
    # A correction finds out that what was posted to a channel is gone with it.
    gone = {None} if order.place.doomed else set()
    if any(part.message not in {each.id, *gone} for part, each in zip(parts, whole, strict=True)):
        yield "is noted under other messages than it has"
    if [each.at for each in whole] != sorted(each.at for each in whole):
        yield "has its parts out of order"
    root = whole[0]
    replies = order.layout is Layout.THREAD
    thread = root.id if replies else root.thread
    if root.thread not in {None, root.id} or any(each.thread != thread for each in whole[1:]):
        yield "has a part outside of its thread"


def _paper_faults(record: Record) -> Iterator[str]:
    """Count how often each paper is shown, by its title and not by any key."""
    shown: Counter[tuple[str, str]] = Counter()
    due: Counter[tuple[str, str]] = Counter()
    unsure = {
        order.place.channel.external_id
        for order in record.orders
        if order.place.blind or order.place.doomed
    }
    skipped = {owed_by(d) for d in record.deliveries if d.state is DeliveryState.SKIPPED}
    owed = set(record.owed) - skipped
    orders = {order.id: order for order in record.orders}
    for order_id, source, day in owed:
        order = orders[order_id]
        for rank in range(1, order.size + 1):
            messages = 2 if order.layout is Layout.THREAD else 1
            due[order.place.channel.external_id, token(source, day, rank)] += messages
    titles: dict[str, list[str]] = defaultdict(list)
    for channel, words in due:
        titles[channel].append(words)
    for each in record.stands:
        shown.update((each.channel, words) for words in titles[each.channel] if words in each.text)
    for place in sorted(set(shown) | set(due)):
        channel, words = place
        if channel not in unsure and shown[place] != due[place]:
            yield f"{channel} shows {words!r} {shown[place]} times instead of {due[place]}"


def _is_overtaken(delivery: Delivery, deliveries: Iterable[Delivery]) -> bool:
    """Tell whether a newer edition of the source was posted to the same order."""
    return any(
        each.subscription_id == delivery.subscription_id
        and each.source == delivery.source
        and (each.last_day or date.min) > (delivery.last_day or date.min)
        and each.state not in {DeliveryState.DEAD, DeliveryState.SKIPPED}
        for each in deliveries
    )


def owed_by(delivery: Delivery) -> Owed:
    """Return what a delivery of an edition gives: an order's edition."""
    return delivery.subscription_id or 0, delivery.source or "", delivery.first_day or date.min


def _named(owed: Owed) -> str:
    order, source, day = owed
    return f"{source} of {day} to order {order}"


def _place(stands: Stands) -> str:
    return f"{stands.platform} {stands.channel}"
