"""Acknowledgements that hold the answer if it is ready in time; else the answer follows.

Slack accepts an acknowledgement for three seconds. One that holds the answer shows it at once and
costs no call, so it waits for the answer for up to a second. Whether Slack refuses what it holds is
not seen, so an answer that may be refused follows it.
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
from adapters.slack.answers.files import Attachments
from bot.cache import Cache
from bot.operations.metrics import Metrics

Payload = dict[str, Any]


class JsonPayload(Payload):
    """A payload that caches its JSON; its `attachments` are uploaded after it.

    One that Slack may refuse is sent `otherwise` then.
    """

    attachments: Attachments | None = None
    otherwise: "JsonPayload | None" = None

    @cached_property
    def json(self) -> str:
        """The payload as JSON."""
        return json.dumps(self)


Ack = Callable[..., Awaitable[Any]]

WAIT_SECONDS = 1.0
_CACHE_SECONDS = 60.0
_MAX_CACHED = 256
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Answer:
    """The task that makes an answer, and whether it missed the acknowledgement."""

    task: asyncio.Task[Payload]
    is_late: bool = False


class Acknowledger:
    """Acknowledges requests with their answers.

    Args:
        tasks: runs work that goes on after the acknowledgement.
        metrics: counts the answers in time and the late ones.
        apology: returns the answer to send if the work fails.
        seconds: a monotonic clock.
    """

    def __init__(
        self,
        tasks: Tasks,
        metrics: Metrics,
        apology: Callable[[], Payload],
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tasks = tasks
        self._metrics = metrics
        self._apology = apology
        self._seconds = seconds
        self._answers: Cache[str, _Answer] = Cache(_MAX_CACHED, _CACHE_SECONDS, seconds)

    async def answer(
        self,
        key: str,
        arrived: float,
        ack: Ack,
        work: Callable[[], Coroutine[Any, Any, Payload]],
        send_late: Callable[[Payload], Coroutine[Any, Any, None]],
    ) -> None:
        """Acknowledge with the result of `work`; if that is late, acknowledge empty and send it.

        A redelivered request (the same `key`) is acknowledged with the same answer, or empty where
        that follows; its work is done once and its late answer sent once. Never raises, and never
        cancels the work.

        Args:
            key: identifies the request.
            arrived: when the request came in, by this object's clock.
            ack: Bolt's acknowledgement.
            work: makes the answer.
            send_late: sends an answer that was not ready in time.
        """
        answer = self._answers.compute(key, lambda: self._start(work))
        timeout = max(0.0, arrived + WAIT_SECONDS - self._seconds())
        await asyncio.wait({answer.task}, timeout=timeout)
        in_time = answer.task.done() and not answer.is_late and _is_sure(answer.task.result())
        self._metrics.acknowledged("slack", answered=in_time)
        if in_time:
            await ack(answer.task.result())
            return
        is_first, answer.is_late = not answer.is_late, True
        await ack()
        if is_first:
            self._tasks.start(_send_result(answer.task, send_late), "follow-up")

    def _start(self, work: Callable[[], Coroutine[Any, Any, Payload]]) -> _Answer:
        task = asyncio.create_task(self._run(work), name="answer")
        self._tasks.track(task)
        return _Answer(task)

    async def _run(self, work: Callable[[], Coroutine[Any, Any, Payload]]) -> Payload:
        try:
            return await work()
        except Exception:  # noqa: BLE001 - the user gets an answer, whatever happened
            _log.exception("answer_failed")
            return self._apology()


def _is_sure(answer: Payload) -> bool:
    return not (isinstance(answer, JsonPayload) and answer.otherwise)


async def _send_result(
    task: asyncio.Task[Payload], send: Callable[[Payload], Coroutine[Any, Any, None]]
) -> None:
    await send(await task)
