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

from store import due, ledger, queue
from store.database import Database, Session
from store.deliveries import found, list_deliveries
from store.errors import LeaseLost
from store.ledger import Held, Outcome, Work
from store.records import Delivery, DeliveryState, Part
from store.schema import TABLES
from store.subscriptions import add_subscription
from tests.bot.ingest.drafting import MONDAY, edition, entry
from tests.bot.ingest.importing import take_in
from tests.bot.outbox.stage import DUE, ORDER

_STATE = TABLES["delivery"].c
_OVER = {
    DeliveryState.SENT, DeliveryState.SKIPPED, DeliveryState.DEAD, DeliveryState.UNKNOWN,
}  # fmt: skip
PROCESSES = st.sampled_from(["one", "two", "three"])
FATES = st.sampled_from(
    ["heard", "heard", "heard", "lost before", "lost after", "busy", "refused", "crash before",
     "crash after"]
)  # fmt: skip


@dataclass
class Hand:
    """What a process believes to hold, its next part, and whether that is under way."""

    work: Work
    held: Held
    insist: bool
    next: Part | None = None
    calls: bool = False


class Ledger(RuleBasedStateMachine):
    """Processes over one store and one platform."""

    template: Path

    @initialize()
    def begin(self) -> None:
        """Give an order."""
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name) / "store.db"
        shutil.copy(self.template, path)
        self.database = Database(f"sqlite:///{path}")
        self.loop = asyncio.Runner()
        self.messages: Counter[str] = Counter()
        self.insisted: Counter[int] = Counter()
        self.hands: dict[str, Hand] = {}
        self.week = 0
        self.keys = 0
        self.order = self.write(add_subscription, ORDER)

    def write(self, fn: Any, *args: Any, **kwargs: Any) -> Any:
        """Do something in one transaction."""
        return self.loop.run(self.database.write(fn, *args, **kwargs))

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
        self.write(_owe, self.order, first_day)

    @rule(who=PROCESSES)
    def takes(self, who: str) -> None:
        """A process takes what is ready, the first of it."""
        ready = self.loop.run(self.database.read(queue.list_ready, ("test",), _LATER, 10))
        if who not in self.hands and ready:
            self._claim(who, ready[0])

    @rule(who=PROCESSES, steps=st.integers(1, 6), parts=st.integers(1, 2), blind=st.booleans())
    def works(self, who: str, steps: int, parts: int, *, blind: bool) -> None:
        """A process takes something and does some steps that go well, or break off."""
        self.takes(who)
        for _ in range(steps):
            if who in self.hands:
                self.goes_on(who, parts, "lost after" if blind else "heard", blind=blind)

    @rule(who=PROCESSES)
    def takes_over(self, who: str) -> None:
        """A process takes what another one holds, whose lease has run out.

        A lease is longer than a call may take, so that none is on its way then.
        """
        held = self.loop.run(self.database.read(queue.list_held, ("test",)))
        calling = {hand.held.id for hand in self.hands.values() if hand.calls}
        free = [ready for ready, _ in held if ready.id not in calling]
        if who not in self.hands and free:
            self._claim(who, free[0])

    def _claim(self, who: str, ready: queue.Ready) -> None:
        work = self.write(ledger.claim, ready, who)
        if work:
            self.hands[who] = Hand(work, work.held, work.insist)

    @precondition(lambda self: self.hands)
    @rule(who=PROCESSES, parts=st.integers(1, 3), fate=FATES, blind=st.booleans())
    def goes_on(self, who: str, parts: int, fate: str, *, blind: bool) -> None:
        """A process does its next step, on what may be another's by now."""
        if who in self.hands:
            try:
                self._go_on(who, self.hands[who], parts, fate, blind=blind)
            except LeaseLost:
                del self.hands[who]

    def _go_on(self, who: str, hand: Hand, parts: int, fate: str, *, blind: bool) -> None:
        if hand.next and hand.calls:
            self._end_call(who, hand, hand.next, fate)
            return
        if hand.next:
            hand.held = self.write(ledger.begin, hand.held, hand.next.number, DUE)
            hand.calls, hand.insist = True, False
            return
        delivery = self._delivery(hand.held.id)
        if not delivery.parts:
            planned = [Part(number, self._key(), ()) for number in range(1, parts + 1)]
            hand.held = self.write(ledger.plan, hand.held, planned, hand.work)
            return
        left = [part for part in delivery.parts if part.state is not DeliveryState.SENT]
        if not left:
            del self.hands[who]
            return
        part = left[0]
        if part.state in {DeliveryState.SENDING, DeliveryState.UNKNOWN}:
            if not blind and self.messages[part.key]:
                hand.held = self.write(ledger.sent, hand.held, _stands(part), DUE)
                return
            if blind and not hand.insist:
                self._settle(who, part, Outcome(DeliveryState.UNKNOWN, DeliveryState.UNKNOWN))
                return
        hand.next = part

    def _end_call(self, who: str, hand: Hand, part: Part, fate: str) -> None:
        arrives = fate in {"heard", "lost after", "crash after"}
        self.messages[part.key] += arrives
        hand.next, hand.calls = None, False
        match fate:
            case "heard":
                hand.held = self.write(ledger.sent, hand.held, _stands(part), DUE)
            case "busy":
                self._settle(who, part, Outcome(DeliveryState.RETRY, ready_at=DUE))
            case "refused":
                self._settle(who, part, Outcome(DeliveryState.DEAD))
            case "lost before" | "lost after":
                unclear = Outcome(DeliveryState.RETRY, DeliveryState.UNKNOWN, DUE)
                self._settle(who, part, unclear)
            case _:
                del self.hands[who]

    def _settle(self, who: str, part: Part, outcome: Outcome) -> None:
        self.write(ledger.settle, self.hands[who].held, part.number, outcome)
        del self.hands[who]

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
        self.write(queue.drop_unsent, self.order, "Paused.")

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
            self.takes("last")
            self.takes_over("last")
            while "last" in self.hands:
                self.goes_on("last", 1, "heard", blind=False)
        assert {each.state for each in self.deliveries()} <= _OVER
        self.nothing_is_posted_twice()
        self.loop.run(self.database.__aexit__(None, None, None))
        self.loop.close()
        self.folder.cleanup()

    def _key(self) -> str:
        self.keys += 1
        return f"key-{self.keys}"

    def _delivery(self, delivery_id: int) -> Delivery:
        [one] = self.loop.run(self.database.read(found, _STATE.id == delivery_id))
        return one


_LATER = DUE + timedelta(minutes=1)


def _owe(session: Session, order: int, first_day: date) -> None:
    [newest] = due.newest(session, first_day).values()
    queue.enqueue(session, order, newest.id, DUE, DUE)


def _stands(part: Part) -> Part:
    return replace(part, state=DeliveryState.SENT, place="C1", message=part.key)


@pytest.mark.usefixtures("sqlite_template")
def test_no_order_of_events_posts_anything_twice(sqlite_template: Path) -> None:
    """Over many orders of events the ledger holds to the model, and all comes to an end."""
    machine = type("TestedLedger", (Ledger,), {"template": sqlite_template})
    checks = partial(settings, deadline=None, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(machine, settings=checks(max_examples=50, stateful_step_count=50))
