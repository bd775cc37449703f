"""Calls repeated while their outcome is unknown."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import aiohttp
import discord
import pytest

from adapters.discord.api.calls import Calls
from adapters.discord.posts.nonce_window import NonceWindow, still_unknown
from bot.errors import Gone, NotAllowed, OutcomeUnknown, Rejected, RetryLater, SendError
from bot.operations.metrics import Metrics

LOST = aiohttp.ServerDisconnectedError()
BUSY = discord.RateLimited(40)
NEVER_MADE = aiohttp.ConnectionTimeoutError()


@dataclass
class Watch:
    """A clock that advances only by sleeps and calls."""

    now: float = 1000.0
    slept: list[float] = field(default_factory=list)

    def seconds(self) -> float:
        """Return the time."""
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Let time go on."""
        self.slept.append(seconds)
        self.now += seconds


@dataclass
class Attempts:
    """A call with given outcomes, the last of which repeats."""

    watch: Watch
    outcomes: Sequence[Exception | str]
    takes: float = 0.0
    made: int = 0

    async def __call__(self) -> str:
        """Return or raise the next outcome."""
        outcome = self.outcomes[min(self.made, len(self.outcomes) - 1)]
        self.made += 1
        self.watch.now += self.takes
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


def window_of(watch: Watch) -> NonceWindow:
    """Return a nonce window with a fake clock."""
    return NonceWindow(Calls(Metrics()), watch.seconds, watch.sleep)


async def test_what_is_clear_is_made_once() -> None:
    """A call that succeeds or certainly fails is not repeated."""
    watch = Watch()
    attempts = Attempts(watch, ["made"])
    assert await window_of(watch).run("call", attempts) == "made"
    for error, kind in ((BUSY, RetryLater), (NEVER_MADE, RetryLater)):
        failing = Attempts(watch, [error, "made"])
        with pytest.raises(kind):
            await window_of(watch).run("call", failing)
        assert failing.made == 1
    assert watch.slept == []


async def test_what_is_unclear_is_made_again() -> None:
    """A call with a lost connection is repeated after growing pauses."""
    watch = Watch()
    attempts = Attempts(watch, [LOST, TimeoutError(), LOST, "made"])
    assert await window_of(watch).run("call", attempts) == "made"
    assert watch.slept == [1.0, 2.0, 5.0]


@pytest.mark.parametrize("takes", [0.0, 3.0, 25.0, 39.0])
async def test_nothing_is_repeated_once_discord_may_have_forgotten(takes: float) -> None:
    """The outcome stays unknown after six attempts, or two minutes."""
    watch = Watch()
    attempts = Attempts(watch, [LOST], takes)
    with pytest.raises(OutcomeUnknown):
        await window_of(watch).run("call", attempts)
    assert 2 <= attempts.made <= 6
    assert watch.now - takes - 1000 < 110


async def test_the_time_may_have_begun_before() -> None:
    """A call ends with an earlier deadline, and does not start after it."""
    watch = Watch()
    window = NonceWindow(Calls(Metrics()), watch.seconds, watch.sleep, window=10)
    deadline = window.deadline()
    watch.now += 6
    attempts = Attempts(watch, [LOST])
    with pytest.raises(OutcomeUnknown):
        await window.run("call", attempts, deadline=deadline)
    assert (watch.slept, watch.now < deadline) == ([1.0, 2.0], True)
    watch.now = deadline
    late = Attempts(watch, ["made"])
    with pytest.raises(RetryLater):
        await window.run("call", late, deadline=deadline)
    assert late.made == 0


async def test_a_refusal_to_connect_does_not_undo_what_may_have_arrived() -> None:
    """A later attempt that surely fails leaves open what became of the first."""
    for later in (NEVER_MADE, BUSY):
        watch = Watch()
        attempts = Attempts(watch, [LOST, later, later, later, later, later])
        with pytest.raises(OutcomeUnknown):
            await window_of(watch).run("call", attempts)
        assert attempts.made > 1


async def test_a_rate_limit_after_a_loss_is_waited_out() -> None:
    """The wait of a rate limit is kept if it ends before the deadline."""
    watch = Watch()
    attempts = Attempts(watch, [LOST, BUSY, "made"])
    assert await window_of(watch).run("call", attempts) == "made"
    assert watch.slept == [1.0, 40.0]


async def test_an_attempt_is_looked_for_before_the_next() -> None:
    """The result of an attempt with an unknown outcome is found, and not created twice."""
    watch = Watch()
    attempts = Attempts(watch, [LOST, "made twice"])
    looks = Attempts(watch, ["found"])
    assert await window_of(watch).run("call", attempts, looks) == "found"
    assert (attempts.made, looks.made) == (1, 1)


async def test_nothing_is_made_again_while_nobody_can_look() -> None:
    """A failed search leaves a single attempt."""
    watch = Watch()
    attempts = Attempts(watch, [LOST, "made twice"])

    async def look() -> str | None:
        raise NotAllowed("Broadsheet may not Read Message History in #papers.")

    with pytest.raises(OutcomeUnknown):
        await window_of(watch).run("call", attempts, look)
    assert attempts.made == 1


async def test_an_attempt_that_is_not_there_is_made_again() -> None:
    """A look that finds nothing is followed by the call."""
    watch = Watch()
    attempts = Attempts(watch, [LOST, "made"])

    async def look() -> str | None:
        return None

    assert await window_of(watch).run("call", attempts, look) == "made"
    assert attempts.made == 2


@pytest.mark.parametrize(
    ("error", "stays"),
    [
        (OutcomeUnknown("Later."), True),
        (RetryLater("Not now."), True),
        (NotAllowed("Not any more."), True),
        (Gone("The channel is gone.", code="10003"), True),
        (Gone("The message is gone.", code="10008"), False),
        (Rejected("The form is wrong."), False),
    ],
)
def test_only_some_answers_tell_what_became_of_an_earlier_attempt(
    error: SendError,
    stays: bool,  # noqa: FBT001 - a column of the table
) -> None:
    """Gone means that it had arrived, a refused form that it never did; no other error tells."""
    with pytest.raises(SendError) as caught:
        raise still_unknown(error, OutcomeUnknown("Before."))
    assert isinstance(caught.value, OutcomeUnknown) is stays
    with pytest.raises(type(error)):
        raise still_unknown(error, None)
