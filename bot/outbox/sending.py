"""One delivery, sent part by part: what may stand already is looked for, the rest is sent."""

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from datetime import timedelta

from bot.digest import Draft, Post, post
from bot.errors import SendError
from bot.metrics import Metrics
from bot.outbox.deciding import after_looking, after_sending
from bot.outbox.errand import Errand, Waits, facts_of, heed
from bot.outbox.holding import Holding
from bot.outbox.pace import Pace
from bot.ports import Message, Poster
from store.ledger import Outcome, Work
from store.records import Channel, DeliveryState, Part

_log = logging.getLogger(__name__)
_MOST_POSTS = 32
_MOST_CHANNELS = 1024
Sleep = Callable[[float], Awaitable[object]]


class Sending:
    """Carries out deliveries.

    Args:
        pace: how long what may take.
        metrics: counts what becomes of deliveries.
        pause: returns for how many seconds a delivery, by its id, is to send no further message;
            `None` where it may go on.
        waits: is told where the platform asked to wait.
        sleep: waits.
        seconds: a clock that only goes forward.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what it asks and tells, and the time that it has
        self,
        pace: Pace,
        metrics: Metrics,
        pause: Callable[[int], float | None],
        waits: Waits,
        sleep: Sleep = asyncio.sleep,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pace = pace
        self._metrics = metrics
        self._pause = pause
        self._waits = waits
        self._gaps = Gaps(sleep, seconds)
        self._posts = _Posts()

    async def send(self, holding: Holding, poster: Poster) -> None:
        """Send what is not sent yet, and note what became of it.

        Raises:
            LeaseLost: where somebody else took it over.
            StoreError: where something could not be noted.
        """
        work = holding.work
        made = self._posts.of(work, poster)
        if made is None and not work.delivery.parts:
            await holding.settle(None, _nothing_kept())
            self._told(work, "skipped")
            return
        parts = await _parts(holding, made)
        errand = Errand(holding, poster, parts, made, self._pace)
        for part in parts:
            if not await self._one(errand, part):
                return
        self._told(work, "sent")
        lag = holding.now() - work.enqueued_at
        self._metrics.lag(work.order.channel.workspace.platform, lag.total_seconds())

    async def _one(self, errand: Errand, part: Part) -> bool:
        """Make sure that one part stands; whether it does."""
        if part.state is DeliveryState.SENT:
            return True
        message = errand.message(part)
        if part.state in {DeliveryState.SENDING, DeliveryState.UNKNOWN}:
            try:
                found = await errand.look(part, message)
            except SendError as error:
                outcome = after_looking(error, errand.situation(part), self._pace)
                heed(error, errand.work.delivery.id, self._waits)
                if outcome is not None:
                    await self._settle(errand, part, outcome)
                    return False
                found = None
            else:
                if found is None and errand.is_taken_back:
                    await self._settle(errand, part, _taken_back())
                    return False
            if found:
                await errand.stands(part, errand.said(message), found)
                return True
        return await self._sent(errand, part, message)

    async def _sent(self, errand: Errand, part: Part, message: Message) -> bool:
        await self._gaps.keep(message.channel, errand.poster.gap)
        if (pause := self._pause(errand.work.delivery.id)) is not None:
            later = errand.holding.now() + timedelta(seconds=pause)
            await errand.holding.settle(None, Outcome(DeliveryState.RETRY, ready_at=later))
            return False
        try:
            await errand.holding.begin(part.number, errand.poster.now())
            posted = await errand.send(message)
        except SendError as error:
            outcome, refusal = after_sending(error, errand.situation(part), self._pace)
            heed(error, errand.work.delivery.id, self._waits)
            await errand.holding.settle(part.number, outcome, refusal, secrets.token_urlsafe(12))
            self._told(errand.work, outcome.state.value, error)
            if refusal:
                self._metrics.delivered(errand.platform, "refused")
                _log.warning("subscription_refused", extra=errand.facts | {"reason": str(error)})
            return False
        await errand.stands(part, message.reply, posted)
        return True

    async def _settle(self, errand: Errand, part: Part, outcome: Outcome) -> None:
        await errand.holding.settle(part.number, outcome)
        self._told(errand.work, outcome.state.value)

    def _told(self, work: Work, outcome: str, error: SendError | None = None) -> None:
        self._metrics.delivered(work.order.channel.workspace.platform, outcome)
        level = logging.INFO if outcome in {"sent", "skipped"} else logging.WARNING
        reason = {"reason": str(error), "code": error.code or None} if error else {}
        _log.log(level, f"delivery_{outcome}", extra=facts_of(work) | reason)


class Gaps:
    """The time between two messages to one channel, whichever orders they are for."""

    def __init__(self, sleep: Sleep, seconds: Callable[[], float]) -> None:
        self._sleep = sleep
        self._seconds = seconds
        self._last: OrderedDict[Channel, float] = OrderedDict()

    async def keep(self, channel: Channel, gap: float) -> None:
        """Wait until the last message to a channel is so many seconds ago."""
        left = self._last.pop(channel, -gap) + gap - self._seconds()
        if left > 0:
            await self._sleep(left)
        self._last[channel] = self._seconds()
        if len(self._last) > _MOST_CHANNELS:
            self._last.popitem(last=False)


class _Posts:
    """The last posts that were laid out: at nine many channels get the same one."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, Post | None] = OrderedDict()

    def of(self, work: Work, poster: Poster) -> Post | None:
        """Return the post of an edition to an order, `None` where its filters keep nothing."""
        order, edition = work.order, work.edition
        wanted = (order.layout, order.size, order.topics, order.not_topics)
        platform = order.channel.workspace.platform
        key = (platform, edition.source, edition.first_day, work.changed_at, *wanted)
        if key not in self._kept:
            self._kept[key] = post(edition, order, poster.fits)
            if len(self._kept) > _MOST_POSTS:
                self._kept.popitem(last=False)
        return self._kept[key]


async def _parts(holding: Holding, made: Post | None) -> list[Part]:
    """Return the parts of a delivery, planned before, or now where none was."""
    known = holding.work.delivery.parts
    if known or made is None:
        return list(known)
    parts = [_planned(number, draft) for number, draft in enumerate(made.messages, 1)]
    await holding.plan(parts)
    return parts


def _planned(number: int, draft: Draft) -> Part:
    return Part(number, secrets.token_urlsafe(12), draft.refs)


def _taken_back() -> Outcome:
    return Outcome(DeliveryState.SKIPPED, error="The subscription was taken back.")


def _nothing_kept() -> Outcome:
    return Outcome(DeliveryState.SKIPPED, error="The filters keep nothing of it.")
