"""Votes against a model of posts: after any order of events, each post shows the stored votes.

People vote, withdraw votes and are erased, and editions are corrected, so that entries move between
papers, while processes claim deliveries, send, edit, wait, crash and are replaced. A message shows
the votes that it was laid out with; when all deliveries are finished, each shows the stored votes.
"""

import asyncio
import shutil
import tempfile
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from bot.domain.drafts import EntryDraft
from store.database import Database, Session
from store.errors import LeaseLost
from store.posting import claim, editions_to_post, queue, transitions
from store.posting.claim import ClaimedDelivery, DeliveryClaim, Outcome
from store.posting.deliveries import list_deliveries
from store.posting.queue import enqueue
from store.posting.subscriptions import add_subscription
from store.readers import votes
from store.records import Channel, DeliveryState, Part, Person, Workspace
from tests.bot.ingest.drafts import edition
from tests.bot.ingest.imports import take_in
from tests.store.consensus.fused_weeks import paper
from tests.store.posting.delivery_rows import DUE, ORDER
from tests.store.readers.votes import OURS, THEIRS

PEOPLE, PLACES = st.sampled_from(["ann", "bob", "cem"]), st.sampled_from([OURS, THEIRS])
SOURCES = ["dair", "other"]
REFS = {source: [f"{source}:2026-01-05#{rank}" for rank in (1, 2)] for source in SOURCES}
# The first, by its title, and the second, by its link, are one paper where the third stands too.
BY_TITLE, BY_LINK = replace(paper(1, 1), links=()), replace(paper(1, 1), title="Another title")
PAPERS = st.sampled_from([BY_TITLE, BY_LINK, paper(1, 1), paper(1, 2)])
PROCESSES = st.sampled_from(["one", "two"])
_LATER = DUE + timedelta(days=1)
_CHANNELS = [(OURS, "C1", "dair"), (OURS, "C2", "other"), (THEIRS, "C3", "dair")]
_PARTS = 2


@dataclass
class Hand:
    """A delivery that a process holds, and whether one of its parts is being sent."""

    work: ClaimedDelivery
    held: DeliveryClaim
    done: int = 0
    calling: bool = False


def said(work: ClaimedDelivery) -> str:
    """Return the text of a message that is laid out now, which is its digest too."""
    return f"{work.post.changed_at:%H:%M} {sorted(work.post.votes.items())}"


class OutdatedPosts(RuleBasedStateMachine):
    """Voters and processes over one store and one platform."""

    template: Path

    @initialize()
    def begin(self) -> None:
        """Post editions of two sources to a workspace, and one of them to another."""
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name) / "store.db"
        shutil.copy(self.template, path)
        self.database = Database(f"sqlite:///{path}")
        self.loop = asyncio.Runner()
        self.stands: dict[str, str] = {}
        self.hands: dict[str, dict[int, Hand]] = {}
        self.hours = 0
        self.papers = {"dair": [BY_TITLE, paper(2, 1)], "other": [BY_LINK, paper(2, 2)]}
        for source in SOURCES:
            self.is_corrected(source)
        for place, name, source in _CHANNELS:
            self.write(_owed, place, name, source)
        self.votes("ann", OURS, REFS["dair"][0])
        self.takes("first")
        while self.hands["first"]:
            self.goes_on("first", "heard")

    def write(self, fn: Any, *args: Any) -> Any:
        """Do something in one transaction."""
        return self.loop.run(self.database.write_locking_rows(fn, *args))

    @rule(name=PEOPLE, place=PLACES, ref=st.sampled_from(sorted(chain(*REFS.values()))))
    def votes(self, name: str, place: Workspace, ref: str) -> None:
        """A person votes, or withdraws the vote."""
        self.write(votes.toggle, Person(OURS, name), place, ref, None, DUE)

    @rule(name=PEOPLE)
    def is_forgotten(self, name: str) -> None:
        """All votes of a person are deleted."""
        self.write(votes.delete_all, Person(OURS, name), DUE)

    @rule(source=st.sampled_from(SOURCES))
    def is_corrected(self, source: str) -> None:
        """An edition changes, with the same papers."""
        self.hours += 1
        draft = replace(edition(*self.papers[source]), overview=f"Edition {self.hours}.")
        self.write(take_in, draft, source, DUE + timedelta(hours=self.hours))

    @rule(source=st.sampled_from(SOURCES), rank=st.sampled_from([1, 2]), draft=PAPERS)
    def has_another_paper(self, source: str, rank: int, draft: EntryDraft) -> None:
        """An entry is replaced, so that it or entries that it joined move between papers."""
        self.papers[source][rank - 1] = replace(draft, rank=rank)
        self.is_corrected(source)

    @rule()
    def a_tick_finds_what_is_outdated(self) -> None:
        """Posts of older versions of an edition are enqueued for correction."""
        outdated = self.loop.run(self.database.read(queue.list_outdated))
        self.write(queue.enqueue_corrections, outdated, DUE)

    @rule(who=PROCESSES)
    def takes(self, who: str) -> None:
        """A process claims ready deliveries, and held ones whose owner makes no call."""
        found = self.loop.run(self.database.read(queue.find_ready, ("test",), _LATER, 9))
        calling = {
            each.held.id for own in self.hands.values() for each in own.values() if each.calling
        }
        mine = self.hands.setdefault(who, {})
        overdue = [ready for ready, _ in found.claimed if ready.id not in calling | mine.keys()]
        for work in self.write(claim.claim_deliveries, [*overdue, *found.ready], who, 9):
            mine[work.claim.id] = Hand(work, work.claim)

    @rule(who=PROCESSES, fate=st.sampled_from(["heard"] * 4 + ["later", "lost", "crash"]))
    def goes_on(self, who: str, fate: str) -> None:
        """A process makes the next step with each delivery that it holds."""
        for delivery, hand in list(self.hands.get(who, {}).items()):
            step = self._step(hand, fate)
            if fate == "crash":
                del self.hands[who]
                return
            [held] = self.write(transitions.record_transitions, [step])
            over = isinstance(step, transitions.AttemptSettled | transitions.DeliveryCorrected)
            if over or isinstance(held, LeaseLost) or self._is_sent(delivery, hand):
                del self.hands[who][delivery]
            else:
                hand.held = held

    def _step(self, hand: Hand, fate: str) -> transitions.Transition:
        return (
            self._correcting(hand, fate) if hand.work.is_correction else self._sending(hand, fate)
        )

    def _sending(self, hand: Hand, fate: str) -> transitions.Transition:
        parts = self._parts(hand)
        planned = () if parts else tuple(_part(hand, number) for number in range(1, _PARTS + 1))
        unsent = (each for each in parts or planned if each.state is not DeliveryState.SENT)
        # Where another one took it over and sent all, this one has yet to hear of that.
        part = next(unsent, (*parts, *planned)[-1])
        now = said(hand.work)
        if hand.calling:
            hand.calling = False
            if fate == "later":  # nothing arrived
                return transitions.AttemptSettled(
                    hand.held, part.number, _later(DeliveryState.RETRY), DUE
                )
            self.stands[part.key] = now
            if fate == "lost":
                unclear = replace(_later(DeliveryState.RETRY), part=DeliveryState.UNKNOWN)
                return transitions.AttemptSettled(hand.held, part.number, unclear, DUE)
            return transitions.PartSent(hand.held, _stands(part, now), DUE)
        if part.state in {DeliveryState.SENDING, DeliveryState.UNKNOWN} and part.key in self.stands:
            fresh = (
                hand.work.post.content_at == hand.work.post.changed_at
                and not hand.work.post.votes_changed
            )
            return transitions.PartSent(hand.held, _stands(part, now if fresh else None), DUE)
        hand.calling = True
        return transitions.PartBegun(hand.held, part.number, DUE, hand.work, planned)

    def _correcting(self, hand: Hand, fate: str) -> transitions.Transition:
        now = said(hand.work)
        for part in self._parts(hand):
            if part.digest != now:
                if fate == "later":
                    return transitions.AttemptSettled(
                        hand.held, None, _later(DeliveryState.SENT), DUE
                    )
                self.stands[part.key] = now
                return transitions.PartEdited(hand.held, replace(part, digest=now))
        return transitions.DeliveryCorrected(hand.held, hand.work.post.changed_at)

    def _parts(self, hand: Hand) -> tuple[Part, ...]:
        deliveries = self.loop.run(self.database.read(list_deliveries))
        return next(each.parts for each in deliveries if each.id == hand.held.id)

    def _is_sent(self, delivery: int, hand: Hand) -> bool:
        deliveries = self.loop.run(self.database.read(list_deliveries))
        sent = next(each.state for each in deliveries if each.id == delivery)
        return sent is DeliveryState.SENT and not hand.work.is_correction

    @invariant()
    def what_is_at_rest_is_true(self) -> None:
        """A post that is neither held nor enqueued shows the stored votes."""
        if hasattr(self, "loop"):
            for key, expected in self.loop.run(self.database.read(_at_rest)).items():
                assert self.stands[key].partition(" ")[2] == expected

    def teardown(self) -> None:
        """A process without faults finishes all deliveries."""
        if not hasattr(self, "loop"):
            return
        self.hands.clear()
        self.a_tick_finds_what_is_outdated()
        for _ in range(40):
            self.takes("last")
            if not self.hands["last"]:
                break
            while self.hands["last"]:
                self.goes_on("last", "heard")
        assert len(self.loop.run(self.database.read(_at_rest))) == 3 * _PARTS
        self.what_is_at_rest_is_true()
        self.loop.run(self.database.__aexit__(None, None, None))
        self.loop.close()
        self.folder.cleanup()


def _owed(session: Session, place: Workspace, name: str, source: str) -> None:
    order = add_subscription(session, replace(ORDER, channel=Channel(place, name)))
    enqueue(
        session,
        [order],
        editions_to_post.newest_editions(session, _LATER.date())[source].id,
        DUE,
        DUE,
    )


def _part(hand: Hand, number: int) -> Part:
    return Part(number, f"{hand.held.id}-{number}", ())


def _stands(part: Part, digest: str | None) -> Part:
    return replace(part, state=DeliveryState.SENT, digest=digest, place="C", message=part.key)


def _later(state: DeliveryState) -> Outcome:
    return Outcome(state, ready_at=DUE)


def _at_rest(session: Session) -> dict[str, str]:
    """Return the votes that each finished message should show, by key."""
    found = queue.find_ready(session, ("test",), _LATER, 9)
    busy = {ready.id for ready in (*found.ready, *(ready for ready, _ in found.claimed))}
    busy.update(queue.list_outdated(session))  # which the next tick finds
    return {
        part.key: str(sorted(votes.of_refs(session, place, REFS[source]).items()))
        for each, (place, _, source) in zip(list_deliveries(session), _CHANNELS, strict=True)
        if each.state is DeliveryState.SENT and each.id not in busy
        for part in each.parts
    }


def test_every_finished_post_shows_the_stored_votes(sqlite_template: Path) -> None:
    """Over many orders of events, every finished post shows the stored votes."""
    machine = type("TestedOutdatedPosts", (OutdatedPosts,), {"template": sqlite_template})
    checks = partial(settings, suppress_health_check=list(HealthCheck))
    examples = settings().max_examples // 3
    run_state_machine_as_test(
        machine, settings=checks(max_examples=examples, stateful_step_count=40)
    )
