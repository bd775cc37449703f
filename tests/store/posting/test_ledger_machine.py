"""The ledger against a model: whoever does what in whatever order, nothing is posted twice.

Processes take deliveries, send parts, hear of it or not, crash, and are taken over; a person
decides about what nobody knows. The platform is a count of messages by their keys.
"""

import asyncio
import shutil
import tempfile
from collections import Counter
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlmodel import col

from store.database import Database, Session
from store.errors import LeaseLost
from store.posting import claim, queue
from store.posting import editions_to_post as due
from store.posting import transitions as steps
from store.posting.claim import ClaimedDelivery, DeliveryClaim, Outcome
from store.posting.deliveries import find_deliveries, list_deliveries
from store.posting.subscriptions import add_subscription
from store.records import Channel, Delivery, DeliveryState, Part, Workspace
from store.tables.posting import DeliveryRow
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in
from tests.store.posting.delivery_rows import DUE, ORDER

WORKSPACE = Workspace("test", "T1")
_OVER = {
    DeliveryState.SENT, DeliveryState.SKIPPED, DeliveryState.DEAD, DeliveryState.UNKNOWN,
}  # fmt: skip
PROCESSES = st.sampled_from(["one", "two", "three"])
FATES = st.sampled_from(
    ["heard", "heard", "heard", "lost before", "lost after", "busy", "put off", "refused",
     "crash before", "crash after"]
)  # fmt: skip


@dataclass
class Hand:
    """What a process believes to hold, its next part, and whether that is under way."""

    work: ClaimedDelivery
    held: DeliveryClaim
    send_anyway: bool
    next: Part | None = None
    calls: bool = False


@dataclass(frozen=True)
class Way:
    """How processes go on: so many parts are planned, and a call meets a fate."""

    parts: int = 1
    fate: str = "heard"
    blind: bool = False


class Ledger(RuleBasedStateMachine):
    """Processes over one store and one platform."""

    template: Path

    @initialize()
    def begin(self) -> None:
        """Give three orders, two of them to one channel."""
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name) / "store.db"
        shutil.copy(self.template, path)
        self.database = Database(f"sqlite:///{path}")
        self.loop = asyncio.Runner()
        self.messages: Counter[str] = Counter()
        self.insisted: Counter[int] = Counter()
        self.hands: dict[str, dict[int, Hand]] = {}
        self.week = 0
        self.keys = 0
        self.orders = [
            self.write(add_subscription, replace(ORDER, channel=Channel(WORKSPACE, channel)))
            for channel in ("C1", "C1", "C2")
        ]
        self.looks()

    def write(self, fn: Any, *args: Any, **kwargs: Any) -> Any:
        """Do something in one transaction."""
        return self.loop.run(self.database.write_locking_rows(fn, *args, **kwargs))

    def deliveries(self) -> list[Delivery]:
        """Return the ledger."""
        return self.loop.run(self.database.read(list_deliveries))

    @rule(fast=st.booleans())
    def an_edition_comes(self, *, fast: bool) -> None:
        """Import the next week's, and owe it."""
        if self.week > 4 and not fast:
            return
        first_day = MONDAY + timedelta(days=7 * self.week)
        self.week += 1
        self.write(take_in, edition(entry(1, f"Paper of {first_day}"), first_day=first_day))
        for order in self.orders:
            self.write(_owe, order, first_day)

    @rule()
    def looks(self) -> None:
        """Somebody looks for what there is to do; what is found may be old when it is taken."""
        self.seen = self.loop.run(self.database.read(queue.find_ready, ("test",), _LATER, 10))

    @rule(who=PROCESSES, most=st.integers(1, 3))
    def takes(self, who: str, most: int = 3) -> None:
        """A process takes what was found ready, the first of it."""
        self._claim(who, self.seen.ready, most)

    @rule(who=PROCESSES, steps=st.integers(1, 6), parts=st.integers(1, 2), blind=st.booleans())
    def works(self, who: str, steps: int, parts: int, *, blind: bool) -> None:
        """A process takes something and does some steps that go well, or break off."""
        self.looks()
        self.takes(who)
        for _ in range(steps):
            self._go_on(who, Way(parts, "lost after" if blind else "heard", blind))

    @rule(who=PROCESSES)
    def takes_over(self, who: str) -> None:
        """A process takes what others hold, whose lease has run out.

        A lease is longer than a call may take, so that none is on its way then.
        """
        calling = {each.held.id for each in self._hands if each.calls}
        mine = self.hands.get(who, {})
        free = [ready for ready, _ in self.seen.claimed if ready.id not in {*calling, *mine}]
        self._claim(who, free, 3)

    def _claim(self, who: str, candidates: list[queue.ReadyDelivery], most: int) -> None:
        for work in self.write(claim.claim_deliveries, candidates, who, most):
            self.hands.setdefault(who, {})[work.claim.id] = Hand(work, work.claim, work.send_anyway)

    @precondition(lambda self: self.hands)
    @rule(who=PROCESSES, parts=st.integers(1, 3), fate=FATES, blind=st.booleans())
    def goes_on(self, who: str, parts: int, fate: str, *, blind: bool) -> None:
        """A process does its next steps, on what may be another's by now."""
        self._go_on(who, Way(parts, fate, blind))

    def _go_on(self, who: str, way: Way) -> None:
        mine = self.hands.get(who, {})
        due = [(hand, self._step(hand, way)) for hand in list(mine.values())]
        if any(hand.calls for hand in mine.values()) and way.fate.startswith("crash"):
            del self.hands[who]
            return
        for hand in [hand for hand, step in due if step is None]:
            del mine[hand.held.id]
        taken = [(hand, step) for hand, step in due if step is not None]
        noted = self.write(steps.record_transitions, [step for _, step in taken])
        for (hand, step), held in zip(taken, noted, strict=True):
            if isinstance(held, LeaseLost) or isinstance(step, steps.AttemptSettled):
                del mine[hand.held.id]
                continue
            hand.held = held
            hand.calls = isinstance(step, steps.PartBegun)
            hand.send_anyway = hand.send_anyway and not hand.calls

    def _step(self, hand: Hand, way: Way) -> steps.Transition | None:
        """Return what a process notes next, `None` where nothing is left to be done."""
        if hand.next and hand.calls:
            return self._end_call(hand, hand.next, way.fate)
        parts = self._delivery(hand.held.id).parts
        if not parts:
            planned = tuple(Part(number, self._key(), ()) for number in range(1, way.parts + 1))
            hand.next = planned[0]
            return steps.PartBegun(hand.held, 1, DUE, hand.work, planned)
        hand.next = next((part for part in parts if part.state is not DeliveryState.SENT), None)
        if hand.next is None:
            return None
        if hand.next.state in {DeliveryState.SENDING, DeliveryState.UNKNOWN}:
            if not way.blind and self.messages[hand.next.key]:
                return steps.PartSent(hand.held, _stands(hand.next), DUE)
            if way.blind and not hand.send_anyway:
                unknown = Outcome(DeliveryState.UNKNOWN, DeliveryState.UNKNOWN)
                return steps.AttemptSettled(hand.held, hand.next.number, unknown, DUE)
        return steps.PartBegun(hand.held, hand.next.number, DUE, hand.work)

    def _end_call(self, hand: Hand, part: Part, fate: str) -> steps.Transition:
        self.messages[part.key] += fate in {"heard", "lost after", "crash after"}
        outcomes = {
            "busy": Outcome(DeliveryState.RETRY, ready_at=DUE),
            "put off": Outcome(DeliveryState.RETRY, ready_at=DUE, counts=False),
            "refused": Outcome(DeliveryState.DEAD),
            "heard": None,
        }
        unclear = Outcome(DeliveryState.RETRY, DeliveryState.UNKNOWN, DUE)
        outcome = outcomes.get(fate, unclear)
        if outcome is None:
            return steps.PartSent(hand.held, _stands(part), DUE)
        return steps.AttemptSettled(hand.held, part.number, outcome, DUE)

    @property
    def _hands(self) -> list[Hand]:
        return [hand for mine in getattr(self, "hands", {}).values() for hand in mine.values()]

    @rule(data=st.data())
    def somebody_decides(self, data: st.DataObject) -> None:
        """A person has something sent after all."""
        if deliveries := self.deliveries():
            chosen = data.draw(st.sampled_from(deliveries))
            if self.write(queue.retry, chosen.id, DUE):
                self.insisted[chosen.id] += chosen.state is DeliveryState.UNKNOWN

    @rule()
    def somebody_pauses(self) -> None:
        """What nothing was sent of is no longer wanted."""
        for order in self.orders:
            self.write(queue.skip_unsent, order, "Paused.")

    @invariant()
    def a_channel_is_worked_on_once(self) -> None:
        """Of those for one channel one is held, and one message is on its way."""
        if hasattr(self, "database"):
            held = self.loop.run(self.database.read(queue.list_claimed, ("test",)))
            channels = [ready.channel for ready, _ in held]
            assert len(channels) == len(set(channels))
        calls = Counter(hand.work.delivery.channel for hand in self._hands if hand.calls)
        assert set(calls.values()) <= {1}

    @invariant()
    def nothing_is_posted_twice(self) -> None:
        """A message stands once, and once more for each time that somebody insisted."""
        for delivery in self.deliveries() if hasattr(self, "database") else ():
            for part in delivery.parts:
                assert self.messages[part.key] <= 1 + self.insisted[delivery.id]

    @invariant()
    def what_is_noted_is_true(self) -> None:
        """What is noted as sent stands there; a delivery is sent when all of its parts are."""
        for delivery in self.deliveries() if hasattr(self, "database") else ():
            assert delivery.attempts >= bool(delivery.sent_at)
            sent = [part.state is DeliveryState.SENT for part in delivery.parts]
            for part, is_sent in zip(delivery.parts, sent, strict=True):
                assert not is_sent or self.messages[part.key]
            assert (delivery.state is DeliveryState.SENT) == (bool(sent) and all(sent))
            assert sent == sorted(sent, reverse=True), "parts are sent in order"

    def teardown(self) -> None:
        """A process that meets no fault brings all to an end."""
        if not hasattr(self, "database"):
            return
        self.hands.clear()
        for _ in range(200):
            open_ = [each for each in self.deliveries() if each.state not in _OVER]
            if not open_:
                break
            self.looks()
            self.takes("last")
            self.takes_over("last")
            while self.hands.get("last"):
                self._go_on("last", Way())
        assert {each.state for each in self.deliveries()} <= _OVER
        self.nothing_is_posted_twice()
        self.loop.run(self.database.__aexit__(None, None, None))
        self.loop.close()
        self.folder.cleanup()

    def _key(self) -> str:
        self.keys += 1
        return f"key-{self.keys}"

    def _delivery(self, delivery_id: int) -> Delivery:
        [one] = self.loop.run(
            self.database.read(find_deliveries, col(DeliveryRow.id) == delivery_id)
        )
        return one


_LATER = DUE + timedelta(minutes=1)


def _owe(session: Session, order: int, first_day: date) -> None:
    [newest] = due.newest_editions(session, first_day).values()
    queue.enqueue(session, [order], newest.id, DUE, DUE)


def _stands(part: Part) -> Part:
    return replace(part, state=DeliveryState.SENT, place="C1", message=part.key)


@pytest.mark.usefixtures("sqlite_template")
def test_no_order_of_events_posts_anything_twice(sqlite_template: Path) -> None:
    """Over many orders of events the ledger holds to the model, and all comes to an end."""
    machine = type("TestedLedger", (Ledger,), {"template": sqlite_template})
    checks = partial(settings, suppress_health_check=list(HealthCheck))
    examples = settings().max_examples // 3
    run_state_machine_as_test(
        machine, settings=checks(max_examples=examples, stateful_step_count=50)
    )
