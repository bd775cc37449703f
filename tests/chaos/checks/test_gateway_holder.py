"""Watching the gateway and what is asked: what breaks a promise there is named."""

from dataclasses import dataclass
from datetime import time
from typing import cast

import pytest

from store.records import Channel, Subscription, Workspace
from tests.chaos.checks.commands import Asked, Heard, doubles
from tests.chaos.checks.gateway_holder import NOBODY, NOBODY_LONGER, SEVERAL, Gateway
from tests.chaos.workers.processes import Health, Worker

LONG = 1000.0
Sight = tuple[float, dict[int, float], list[float]]


@dataclass
class Standing:
    """A worker that has been well for so long."""

    seconds: float
    number: int = 1

    def well_for(self) -> float:
        """Return for how long."""
        return self.seconds


def seen(*sights: Sight) -> Gateway:
    """Return what was made of some looks at the gateway."""
    gateway = Gateway()
    for now, holders, well in sights:
        gateway.see(now, holders, well)
    return gateway


def heard(seconds: float | None, well_for: float) -> Heard:
    """Return a question that somebody heard who had been well for so long."""
    return Heard("slack", "latest", (cast("Worker", Standing(well_for)),), seconds)


def test_one_after_the_other_is_right() -> None:
    """Whoever takes over may be late by what it takes, and that is counted."""
    gateway = seen(
        (0, {1: LONG}, [LONG, LONG]),
        (1, {}, [LONG]),
        (NOBODY, {2: LONG}, [LONG]),
        (NOBODY + 1, {}, [0.0, 0.0]),
        (3 * NOBODY, {1: 1.0}, [1.0, 1.0]),
    )
    assert gateway.complaints == []
    assert gateway.takeovers == 2


def test_nobody_for_long_is_wrong() -> None:
    """Somebody who could have connected all the while should have."""
    gateway = seen((0, {}, [LONG]), (NOBODY, {}, [LONG]), (NOBODY + 1, {}, [LONG]))
    assert gateway.complaints == [f"nobody was connected to the gateway for {NOBODY + 1:.0f} s"]


def test_each_that_ended_meanwhile_gives_longer() -> None:
    """Whoever ended may have taken over first, so that the others wait anew, once for each."""
    begun: list[Sight] = [(0, {}, [LONG, LONG]), (1, {}, [LONG, 0.0])]
    latest = NOBODY + NOBODY_LONGER
    assert seen(*begun, (latest, {}, [LONG, 9.0])).complaints == []
    assert len(seen(*begun, (latest + 1, {}, [LONG, 9.0])).complaints) == 1


@pytest.mark.parametrize("well", [[0.0], [NOBODY - 1, 1.0]])
def test_nobody_is_right_while_nobody_can(well: list[float]) -> None:
    """Those who were away have as long from when they are back."""
    assert seen((0, {}, well), (2 * NOBODY, {}, well)).complaints == []


def test_two_for_long_are_wrong() -> None:
    """Two may be connected together for as long as handing over takes."""
    both = {1: LONG, 3: LONG}
    assert seen((0, both, []), (SEVERAL, both, []), (SEVERAL + 1, {3: LONG}, [])).complaints == []
    assert seen((0, both, []), (SEVERAL + 1, both, [])).complaints == [
        "workers 1 and 3 were connected to the gateway together"
    ]


def test_who_has_just_woken_up_may_not_know_yet() -> None:
    """A worker that was frozen has a moment to notice that another took over."""
    assert seen((0, {1: LONG, 3: 0.1}, []), (LONG, {1: LONG, 3: 0.1}, [])).complaints == []


@pytest.mark.parametrize(
    ("question", "complaints"),
    [
        (heard(0.2, LONG), 0),
        (heard(None, LONG), 1),
        (heard(3.05, LONG), 1),
        (heard(None, 4.0), 0),
        (Heard("slack", "latest", (), None), 0),
    ],
)
def test_a_question_is_acknowledged_by_whoever_is_well(question: Heard, complaints: int) -> None:
    """Only who was away, frozen or cut off a moment ago may leave it unanswered."""
    asked = Asked()
    asked.take(question)
    assert len(asked.complaints) == complaints


def test_an_order_made_twice_is_found() -> None:
    """In a spare channel one order may stand, whoever brought the question how often."""

    def in_channel(number: int, name: str) -> Subscription:
        return Subscription(
            channel=Channel(Workspace("slack", "T1"), name),
            weekday=0,
            local_time=time(9),
            zone="UTC",
            next_due_at=None,
            id=number,
        )

    orders = [in_channel(1, "C1"), in_channel(2, "C1"), in_channel(3, "C9"), in_channel(4, "C8")]
    assert doubles(orders, ours={1, 2}) == []
    assert doubles([*orders, in_channel(5, "C9")], ours={1, 2}) == [
        "slack: C9 has its order 2 times"
    ]


def test_what_ails_a_worker_is_known_until_it_is_mended() -> None:
    """It is well from when the last of it was mended, and each is known by itself."""
    health = Health()
    assert health.free_for() == 0.0
    health.mended("away")
    health.ails("slack")
    assert health.free_for() == 0.0
    assert health.free_for("away") > 0.0
    assert health.free_for("slack") == 0.0
    health.mended("slack")
    assert health.free_for("discord") > health.free_for() > 0.0
