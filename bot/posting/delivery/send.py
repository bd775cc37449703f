"""Sending: the parts of a delivery, after a look for those that may be posted already."""

import asyncio
import logging
from datetime import timedelta

from bot.coordination.rate_limiter import RateLimiter
from bot.errors import OutcomeUnknown, QueueFull, RetryLater, SendError, TokenRevoked
from bot.operations.metrics import Metrics
from bot.posting.delivery.attempt import Attempt
from bot.posting.delivery.capacity import Cooldowns
from bot.posting.delivery.contents import Contents
from bot.posting.delivery.outcomes import after_find_error, after_send_error, postpone
from bot.posting.delivery.unconfirmed import UnconfirmedMessages
from bot.posting.ports import Message, PostedMessage
from store.posting.claim import CANCELLED, Outcome
from store.records import DeliveryState, Part

_log = logging.getLogger(__name__)
_CANCELLED = Outcome(DeliveryState.SKIPPED, error=CANCELLED)
_NOTHING = Outcome(DeliveryState.SKIPPED, error="There is nothing left of it to post.")
_NOTHING_SELECTED = Outcome(DeliveryState.SKIPPED, error="The filters keep nothing of it.")


class Sender:
    """Carries out delivery attempts."""

    def __init__(
        self,
        contents: Contents,
        limiter: RateLimiter,
        cooldowns: Cooldowns,
        unconfirmed: UnconfirmedMessages,
        metrics: Metrics,
    ) -> None:
        self._contents = contents
        self._limiter = limiter
        self._cooldowns = cooldowns
        self._unconfirmed = unconfirmed
        self._metrics = metrics
        self._slots: set[asyncio.Task[None]] = set()

    def cancel_waits(self) -> None:
        """Let no attempt wait for a slot any more."""
        for slot in self._slots:
            slot.cancel()

    async def send(self, attempt: Attempt) -> None:
        """Send the parts that are not sent yet, and record the outcome."""
        client = attempt.client
        attempt.plan(await self._contents.post_of(attempt.work, attempt.platform, client.fits))
        if not attempt.parts:
            nothing = _NOTHING_SELECTED if attempt.work.of_edition else _NOTHING
            await attempt.settle(None, nothing)
            self._report(attempt, nothing)
            return
        for part in attempt.parts:
            if part.state is not DeliveryState.SENT and not await self._ensure_sent(attempt, part):
                return
        self._report(attempt, Outcome(DeliveryState.SENT))
        lag = attempt.clocks.now() - attempt.work.enqueued_at
        self._metrics.lag(attempt.platform, lag.total_seconds())

    async def _ensure_sent(self, attempt: Attempt, part: Part) -> bool:
        """Find a part that may be posted, or send it; return whether it is posted."""
        message = attempt.message(part)
        if part.state in {DeliveryState.SENDING, DeliveryState.UNKNOWN}:
            if part.state is DeliveryState.SENDING:
                # How the call ended is not recorded; it began a lease ago.
                workspace = attempt.channel.workspace
                self._unconfirmed.add_found(attempt.id, workspace)
            found = await self._find(attempt, part, message)
            if isinstance(found, Outcome):
                await attempt.settle(part.number, found)
                self._report(attempt, found)
                return False
            self._unconfirmed.remove(attempt.id)
            if found:
                await attempt.sent(part, attempt.posted_reply(message), found)
                return True
        if attempt.is_empty:
            await attempt.settle(part.number, _NOTHING)
            self._report(attempt, _NOTHING)
            return False
        return await self._send(attempt, part, message)

    async def _find(
        self, attempt: Attempt, part: Part, message: Message
    ) -> PostedMessage | Outcome | None:
        """Return where a part is posted that may have been sent, or the attempt's outcome.

        `None` means that it is to be sent: it is not there, and can no longer appear.
        """
        try:
            found = await attempt.find(part, message)
        except SendError as error:
            await attempt.cool_down(error, self._cooldowns)
            retries = isinstance(error, RetryLater | TokenRevoked)
            if retries and self._unconfirmed.may_appear(attempt.id):
                return self._look_later(attempt)
            return after_find_error(error, attempt.failed(part), attempt.timing)
        if found is None and self._unconfirmed.may_appear(attempt.id):
            return self._look_later(attempt)
        return _CANCELLED if found is None and attempt.is_cancelled else found

    def _look_later(self, attempt: Attempt) -> Outcome:
        """Return the outcome by which this process keeps the claim and looks again later.

        No system clock is involved: another process could look too early and send it twice.
        """
        self._unconfirmed.look_later(attempt.id)
        return Outcome(DeliveryState.RETRY, DeliveryState.UNKNOWN, stays_claimed=True, counts=False)

    async def _send(self, attempt: Attempt, part: Part, message: Message) -> bool:
        if (pause := await self._wait_for_slot(attempt, message)) is not None:
            await attempt.settle(None, postpone(timedelta(seconds=pause), attempt.failed(part)))
            return False
        try:
            await attempt.begin(part)
            posted = await attempt.send(message)
        except SendError as error:
            await self._settle_failed(attempt, part, error)
            return False
        await attempt.sent(part, message.reply, posted)
        return True

    async def _settle_failed(self, attempt: Attempt, part: Part, error: SendError) -> None:
        outcome, refusal = after_send_error(error, attempt.failed(part), attempt.timing)
        await attempt.cool_down(error, self._cooldowns)
        await attempt.settle(part.number, outcome, refusal)
        if isinstance(error, OutcomeUnknown) and outcome.stays_claimed:
            workspace = attempt.channel.workspace
            self._unconfirmed.add(attempt.id, workspace, error.within)
        self._report(attempt, outcome, error)
        if refusal:
            self._metrics.delivered(attempt.platform, "refused")
            _log.warning("subscription_refused", extra=attempt.facts | {"reason": str(error)})

    async def _wait_for_slot(self, attempt: Attempt, message: Message) -> float | None:
        """Wait until a message may be sent; return for how many seconds to pause instead."""
        workspace = attempt.ready.workspace
        if (pause := self._cooldowns.pause(workspace)) is not None:
            return pause
        limits = attempt.client.rate_limits(message.channel)
        if not limits:
            return None
        slot = asyncio.create_task(self._limiter.acquire(limits), name=f"slot-{attempt.id}")
        self._slots.add(slot)
        try:
            await asyncio.wait({slot})
        finally:
            self._slots.discard(slot)
            slot.cancel()
        if not slot.cancelled() and (error := slot.exception()):
            if not isinstance(error, QueueFull):
                raise error
            after = error.after or attempt.timing.first_wait
            self._cooldowns.exhausted(workspace, after)
            return after
        return self._cooldowns.pause(workspace)

    def _report(self, attempt: Attempt, outcome: Outcome, error: SendError | None = None) -> None:
        """Count and log the outcome of an attempt that was not just postponed."""
        if not outcome.counts:
            return
        state = outcome.state
        self._metrics.delivered(attempt.platform, state.value)
        quiet = state in {DeliveryState.SENT, DeliveryState.SKIPPED}
        level = logging.INFO if quiet else logging.WARNING
        reason = {"reason": str(error), "code": error.code or None} if error else {}
        _log.log(level, f"delivery_{state.value}", extra=attempt.facts | reason)
