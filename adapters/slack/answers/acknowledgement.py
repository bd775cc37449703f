"""The answer in the acknowledgement where it is ready in time, and after it where it is not.

Slack takes an acknowledgement for three seconds. One that holds the answer shows it at once and
spends no call; so it waits for the answer, but for one second only, and never ends the work.
https://docs.slack.dev/interactivity/implementing-slash-commands#responding_to_commands
"""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from adapters.common.tasks import Tasks
from adapters.slack.answers.files import Enclosed
from bot.cache import Cache
from bot.operations.metrics import Metrics

Payload = dict[str, Any]


class Written(Payload):
    """A payload whose JSON is written once, however often it is sent.

    What is `enclosed` follows it.
    """

    enclosed: Enclosed | None = None

    @cached_property
    def json(self) -> str:
        """The payload as JSON."""
        return json.dumps(self)


Ack = Callable[..., Awaitable[Any]]

SECONDS = 1.0
_KEPT_SECONDS = 60.0
_MOST_KEPT = 256
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Answer:
    """An answer being made, and whether it comes after its acknowledgement."""

    task: asyncio.Task[Payload]
    follows: bool = False


class Acknowledger:
    """Acknowledges requests with their answers.

    Args:
        tasks: where work goes on after the acknowledgement.
        metrics: counts the answers that came in time and those that didn't.
        sorry: what is answered where the work fails.
        seconds: a clock that only goes forward, in seconds.
    """

    def __init__(
        self,
        tasks: Tasks,
        metrics: Metrics,
        sorry: Callable[[], Payload],
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tasks = tasks
        self._metrics = metrics
        self._sorry = sorry
        self._seconds = seconds
        self._answers: Cache[str, _Answer] = Cache(_MOST_KEPT, _KEPT_SECONDS, seconds)

    async def answer(
        self,
        key: str,
        arrived: float,
        ack: Ack,
        work: Callable[[], Coroutine[Any, Any, Payload]],
        later: Callable[[Payload], Coroutine[Any, Any, None]],
    ) -> None:
        """Acknowledge with what `work` gives, or empty, and then give that to `later`.

        A request that is delivered again (the same `key`) is acknowledged with the same answer,
        or empty where that comes later; its work is done once, and so is what comes later.
        Never raises and never ends the work.

        Args:
            key: names the request.
            arrived: when it came in, on the clock of this object.
            ack: Bolt's acknowledgement.
            work: makes the answer.
            later: sends an answer that was not ready in time.
        """
        answer = self._answers.compute(key, lambda: self._begin(work))
        left = max(0.0, arrived + SECONDS - self._seconds())
        await asyncio.wait({answer.task}, timeout=left)
        in_time = answer.task.done() and not answer.follows
        self._metrics.acknowledged("slack", answered=in_time)
        if in_time:
            await ack(answer.task.result())
            return
        is_first, answer.follows = not answer.follows, True
        await ack()
        if is_first:
            self._tasks.start(_afterwards(answer.task, later), "follow-up")

    def _begin(self, work: Callable[[], Coroutine[Any, Any, Payload]]) -> _Answer:
        task = asyncio.create_task(self._safely(work), name="answer")
        self._tasks.track(task)
        return _Answer(task)

    async def _safely(self, work: Callable[[], Coroutine[Any, Any, Payload]]) -> Payload:
        try:
            return await work()
        except Exception:  # noqa: BLE001 - whoever waits gets an answer, whatever happened
            _log.exception("answer_failed")
            return self._sorry()


async def _afterwards(
    task: asyncio.Task[Payload], later: Callable[[Payload], Coroutine[Any, Any, None]]
) -> None:
    await later(await task)
