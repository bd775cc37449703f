"""The verdict on direct messages: it sees what a broken promise leaves there."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from store.records import Channel, Delivery, DeliveryState, Part, Person, Workspace
from tests.chaos.checks.posted_messages import Stands
from tests.chaos.readers.people import Brought, Digest, Query, Reader
from tests.chaos.readers.verdict import ReadersRecord, found_in, owed, reader_faults

THERE = Workspace("slack", "T1")
CHANNEL = Channel(THERE, "D7")
DIGEST = Digest(3, weekday=0, zone="UTC")
READER = Reader(Person(THERE, "U7"), CHANNEL, (Query("quorvex"), Query("quorvex", "dair")), DIGEST)
OTHER = Reader(Person(THERE, "U8"), Channel(THERE, "D8"), (Query("ostrel"),))
FIRST, SECOND = "dair 01-05 number 1.", "dair 01-05 number 2."
IMPORTS = (
    {("dair", FIRST): ("quorvex", "glimmo"), ("dair", SECOND): ("tamblin", "glimmo")},
    {("paperdive", "paperdive 01-05 number 1."): ("quorvex", "hundel")},
)
BY_BOTH = f"""1 new paper for 2 of your alerts
1. Of {FIRST} Quorvex glimmo
Quorvex glimmo
#1 in dair, Jan 5–11, 2026 · matches quorvex, quorvex from:dair"""
BY_ONE = """1 new paper for your alert: quorvex
1. Of paperdive 01-05 number 1. Quorvex hundel
#1 in paperdive, Jan 5–11, 2026 · matches quorvex"""
TOLD = BY_BOTH, BY_ONE
LISTED = f"Your papers, Mon Jan 12: 1 paper\n1. Of {SECOND} Tamblin glimmo"


def message(number: int, text: str) -> Stands:
    """Return a message of a delivery as the platform has it."""
    return Stands("slack", "D7", None, f"m{number}", f"k{number}", text, float(number))


def delivery(number: int, order: int | None = None) -> Delivery:
    """Return the delivery that has a message, as the ledger has it."""
    part = Part(1, f"k{number}", (), DeliveryState.SENT, message=f"m{number}")
    return Delivery(
        id=number,
        subscription_id=order,
        channel=CHANNEL,
        source=None,
        first_day=None,
        last_day=None,
        state=DeliveryState.SENT,
        attempts=1,
        due_at=DIGEST.due_at(1),
        sent_at=None,
        error=None,
        parts=(part,),
    )


GOOD = ReadersRecord(
    [READER, OTHER],
    IMPORTS,
    {(DIGEST.order, DIGEST.due_at(1))},
    range(3),
    [delivery(1), delivery(2), delivery(3, DIGEST.order)],
    [message(1, TOLD[0]), message(2, TOLD[1]), message(3, LISTED)],
)
Stand = Callable[[Sequence[Stands]], Sequence[Stands]]


def test_what_is_told_once_is_right() -> None:
    """A message an import with each paper that the alerts find, and one digest, were promised."""
    assert reader_faults(GOOD) == []


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (lambda m: m[1:], f"U7 is not told of '{FIRST}' by 'quorvex from:dair'"),
        (lambda m: m[1:], "delivery 1 (alert to D7) is sent and does not stand there"),
        (lambda m: [*m, replace(m[0], id="m9")], "delivery 1 (alert to D7) stands 2 times"),
        (
            lambda m: [*m, replace(m[0], id="m9", key="k9")],
            f"U7 is told of '{FIRST}' by 'quorvex' 2 times",
        ),
        (lambda m: [*m, replace(m[0], id="m9", key="k9")], "U7 has 2 messages of import 0"),
        (
            lambda m: [*m, replace(m[0], channel="D8", key="k9")],
            f"U8 is told of '{FIRST}', which 'quorvex' does not find",
        ),
        (
            lambda m: [replace(m[0], channel="D8"), *m[1:]],
            "delivery 1 (alert to D7) stands in another channel",
        ),
        (
            lambda m: [*m, replace(m[0], channel="D9", key="k9")],
            "slack D9 is no reader's and has 1 messages",
        ),
        (
            lambda m: [replace(m[0], text="\n".join(TOLD)), *m[2:]],
            "U7 has a message that tells not of one import",
        ),
        (lambda m: [*m, replace(m[2], id="m9", key="k9")], "U7 has 2 digests of Mon Jan 12"),
        (
            lambda m: [*m, replace(m[2], key="k9", text=LISTED.replace("12", "19"))],
            f"U7 has '{SECOND}' in digests 2 times",
        ),
        (lambda m: [*m[:2], replace(m[2], text=LISTED[:24])], "U7 has a digest without papers"),
        (
            lambda m: [*m, replace(m[0], key="k9", text="Hello")],
            "slack D7 has a message of no delivery: 'Hello'",
        ),
    ],
)
def test_what_stands_otherwise_is_wrong(change: Stand, wrong: str) -> None:
    """A paper that is missing, told twice, or told to somebody else is named."""
    assert wrong in reader_faults(replace(GOOD, stands=change(GOOD.stands)))


def test_a_digest_is_one_delivery_of_its_due_time() -> None:
    """Each that is due is in the ledger once, and what is there was due in some week."""
    named = f"the digest of order 3 due at {DIGEST.due_at(1)}"
    two = replace(GOOD, deliveries=[*GOOD.deliveries, delivery(4, DIGEST.order)])
    assert f"{named} is 2 deliveries" in reader_faults(two)
    none = replace(GOOD, deliveries=GOOD.deliveries[:2])
    assert f"{named} was never delivered" in reader_faults(none)
    at = datetime(2026, 1, 11, 4, tzinfo=UTC)
    moved = replace(delivery(3, DIGEST.order), due_at=at)
    wrong = reader_faults(replace(GOOD, deliveries=[*GOOD.deliveries[:2], moved]))
    assert f"the digest of order 3 due at {at} was not due" in wrong


@pytest.mark.parametrize(
    ("weeks", "wrong"), [(7, ["delivery 3 (digest to D7) is skipped: Why."]), (8, [])]
)
def test_a_digest_may_be_held_up_until_its_papers_are_too_old(weeks: int, wrong: list[str]) -> None:
    """Skipped for that it is right, and wrong while its papers could be listed."""
    skipped = replace(
        delivery(3, DIGEST.order), state=DeliveryState.SKIPPED, error="Why.", parts=()
    )
    later = replace(delivery(4, DIGEST.order), due_at=DIGEST.due_at(1 + weeks))
    record = replace(
        GOOD,
        weeks=range(12),
        deliveries=[*GOOD.deliveries[:2], skipped, later],
        stands=[*GOOD.stands[:2], message(4, LISTED)],
    )
    assert reader_faults(record) == wrong


@pytest.mark.parametrize("state", [DeliveryState.DEAD, DeliveryState.SKIPPED])
def test_who_takes_no_messages_need_not_be_told(state: DeliveryState) -> None:
    """Dead and skipped are right for somebody who closed their messages, and for nobody else."""
    ended = replace(delivery(1), state=state, error="Why.", parts=())
    record = replace(GOOD, deliveries=[ended, *GOOD.deliveries[1:]], stands=GOOD.stands[1:])
    assert f"delivery 1 (alert to D7) is {state}: Why." in reader_faults(record)
    assert reader_faults(replace(record, readers=[replace(READER, doomed=True)])) == []


@pytest.mark.parametrize(
    "state", [DeliveryState.RETRY, DeliveryState.SENDING, DeliveryState.UNKNOWN]
)
def test_everybody_else_is_told_in_the_end(state: DeliveryState) -> None:
    """Direct messages can be read, so that nothing is left waiting or unknown there."""
    waiting = replace(delivery(1), state=state)
    record = replace(
        GOOD,
        readers=[replace(READER, doomed=True)],
        deliveries=[waiting, *GOOD.deliveries[1:]],
    )
    assert f"delivery 1 (alert to D7) is {state}: None" in reader_faults(record)


def test_messages_are_read_whatever_a_platform_escapes() -> None:
    """A paper is told by the words of its title, its source, and the alerts that it matches."""
    title = f"1\\. **Of {FIRST} Quorvex**"
    place = "-# \\#1 in dair, Jan 5–11, 2026 · matches quorvex \\-hundel"
    assert found_in(f"{title}\n{place}") == [("dair", FIRST, ("quorvex -hundel",))]


def test_what_is_owed_is_found_by_brute_force() -> None:
    """Every query is held against the title and the source of every paper."""
    queries = Query("quorvex", without="glimmo"), Query("quorvex", "paperdive"), Query("ostrel")
    reader = replace(READER, queries=queries)
    told = "paperdive 01-05 number 1."
    assert owed(reader, IMPORTS) == {("quorvex -glimmo", told), ("quorvex from:paperdive", told)}


def test_an_import_brings_what_was_not_there() -> None:
    """Papers that an earlier import of the source brought are not new in a later one."""
    brought = Brought()
    for papers in IMPORTS[0], {**IMPORTS[0], ("dair", "x"): ("a", "b")}, IMPORTS[0]:
        brought.take(papers)
    assert brought.imports == [IMPORTS[0], {("dair", "x"): ("a", "b")}, {}]
