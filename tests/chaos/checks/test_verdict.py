"""The verdict on what stands in the channels: it sees what a broken promise leaves there."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from store.records import Channel, Delivery, DeliveryState, Layout, Part, Workspace
from tests.chaos.checks.posted_messages import Stands
from tests.chaos.checks.verdict import Record, faults
from tests.chaos.scenario import RIGHT, Order, Place, first_day, token

CHANNEL = Channel(Workspace("slack", "T1"), "C1")
ORDER = Order(1, Place(CHANNEL), Layout.THREAD, ("dair",))
DAY = first_day(0)
PAPERS = [token("dair", DAY, rank) for rank in range(1, ORDER.size + 1)]
POST = f"dair of {DAY} to order 1"
NAMED = f"delivery 1 ({POST})"


def part(number: int) -> Part:
    """Return a message of the post as the ledger has it."""
    return Part(number, f"k{number}", (), DeliveryState.SENT, message=f"m{number}")


def message(number: int) -> Stands:
    """Return the same as the platform has it."""
    text = "\n".join(PAPERS) if number == 1 else PAPERS[number - 2]
    thread = None if number == 1 else "m1"
    return Stands("slack", "C1", thread, f"m{number}", f"k{number}", text, float(number))


NUMBERS = range(1, ORDER.size + 2)
DELIVERY = Delivery(
    id=1,
    subscription_id=1,
    channel=CHANNEL,
    source="dair",
    first_day=DAY,
    last_day=DAY + timedelta(days=6),
    state=DeliveryState.SENT,
    attempts=1,
    due_at=datetime(2026, 1, 12, tzinfo=UTC),
    sent_at=None,
    error=None,
    parts=tuple(map(part, NUMBERS)),
)
GOOD = Record([ORDER], {(1, "dair", DAY)}, [DELIVERY], list(map(message, NUMBERS)))
Stand = Callable[[Sequence[Stands]], Sequence[Stands]]


def test_a_post_that_stands_once_and_whole_is_right() -> None:
    """One root and one reply a paper, in its thread and in order, is what was promised."""
    assert faults(GOOD) == []


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (lambda m: [*m, replace(m[2], id="m9", at=9.0)], f"{NAMED} has part 3 2 times: m3, m9"),
        (lambda m: m[:-1], f"{NAMED} is sent and lacks part 6 of 6"),
        (lambda _: [], f"{NAMED} is sent and lacks part 1, 2, 3, 4, 5, 6 of 6"),
        (
            lambda m: [replace(m[0], id="m0"), *m[1:]],
            f"{NAMED} is noted under other messages than it has",
        ),
        (
            lambda m: [*m[:2], replace(m[2], at=9.0), *m[3:]],
            f"{NAMED} has its parts out of order",
        ),
        (
            lambda m: [*m[:2], replace(m[2], thread=None), *m[3:]],
            f"{NAMED} has a part outside of its thread",
        ),
        (
            lambda m: [*m[:2], replace(m[2], channel="C2"), *m[3:]],
            f"{NAMED} has part 3 in another channel",
        ),
        (
            lambda m: [*m, Stands("slack", "C1", None, "m9", "k9", "Hello", 9.0)],
            "slack C1 has a message of no delivery: 'Hello'",
        ),
    ],
)
def test_what_stands_otherwise_is_wrong(change: Stand, wrong: str) -> None:
    """A post that is doubled, missing, half, misplaced or nobody's is named."""
    assert wrong in faults(replace(GOOD, stands=change(GOOD.stands)))


def test_a_second_post_is_seen_without_its_key() -> None:
    """Papers are counted by their titles, so that nothing hangs on keys and ledger alone."""
    second = [replace(each, id=f"{each.id}+", key=f"{each.key}+") for each in GOOD.stands]
    other = replace(DELIVERY, parts=tuple(replace(p, key=f"{p.key}+") for p in DELIVERY.parts))
    found = faults(replace(GOOD, stands=[*GOOD.stands, *second], deliveries=[DELIVERY, other]))
    assert f"C1 shows {PAPERS[0]!r} 4 times instead of 2" in found


def test_what_is_owed_and_not_delivered_is_wrong() -> None:
    """What the rule owes has to be in the ledger, and nothing else may be."""
    empty = replace(GOOD, deliveries=[], stands=[])
    assert f"dair of {DAY} to order 1 was never delivered" in faults(empty)
    assert f"dair of {DAY} to order 1 was delivered and not owed" in faults(
        replace(GOOD, owed=set())
    )


@pytest.mark.parametrize(
    ("state", "place"),
    [
        (DeliveryState.UNKNOWN, Place(CHANNEL, blind=True)),
        (DeliveryState.DEAD, Place(CHANNEL, doomed=True)),
        (DeliveryState.SKIPPED, Place(CHANNEL, doomed=True)),
    ],
)
def test_what_was_not_sent_has_to_have_a_cause(state: DeliveryState, place: Place) -> None:
    """Unknown is right where nobody can look, dead and skipped where a channel is closed."""
    ended = replace(DELIVERY, state=state, error="Why.", parts=())
    record = replace(GOOD, deliveries=[ended], stands=[])
    assert f"{NAMED} is {state}: Why." in faults(record)
    assert faults(replace(record, orders=[replace(ORDER, place=place)])) == []


def test_what_was_corrected_has_to_say_so() -> None:
    """A correction reaches every post of its edition, unless the channel is closed."""
    corrected = replace(GOOD, corrected={("dair", DAY)})
    assert faults(corrected) == [f"{NAMED} was not corrected"]
    root, first, *rest = GOOD.stands
    right = replace(first, text=f"{first.text} {RIGHT}.")
    assert faults(replace(corrected, stands=[root, right, *rest])) == []


@pytest.mark.parametrize("state", [DeliveryState.RETRY, DeliveryState.SENDING])
def test_what_has_not_ended_is_wrong(state: DeliveryState) -> None:
    """In the end nothing waits any more."""
    waiting = replace(DELIVERY, state=state)
    assert f"{NAMED} is {state}: None" in faults(replace(GOOD, deliveries=[waiting]))


def test_what_is_skipped_does_not_stand() -> None:
    """A newer edition that was posted explains a skipped one, unless some of that is there."""
    newer = replace(
        DELIVERY,
        id=2,
        first_day=first_day(1),
        last_day=first_day(1) + timedelta(days=6),
        parts=(),
    )
    skipped = replace(DELIVERY, state=DeliveryState.SKIPPED)
    record = replace(GOOD, deliveries=[skipped, newer])
    assert f"{NAMED} is skipped and stands there" in faults(record)
    assert f"{NAMED} is skipped: None" not in faults(record)


@pytest.mark.parametrize(("hours", "wrong"), [(0, []), (1, [f"{POST} was delivered and not owed"])])
def test_an_edition_that_came_with_a_newer_one_is_only_for_a_due_time_before(
    hours: int, wrong: Sequence[str]
) -> None:
    """After weeks of absence a time that was due before may have the older, a later one may not."""
    due_at = datetime(2026, 1, 18, 4, tzinfo=UTC)
    older = replace(DELIVERY, due_at=due_at + timedelta(hours=hours))
    record = replace(GOOD, owed=set(), deliveries=[older], overtaken={("dair", DAY): due_at})
    assert faults(record) == wrong
