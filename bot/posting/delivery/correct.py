"""Corrections: posted parts edited after their edition or its votes changed."""

import logging
from dataclasses import replace
from datetime import timedelta

from bot.errors import Gone, SendError
from bot.operations.metrics import Metrics
from bot.posting.delivery.attempt import Attempt
from bot.posting.delivery.capacity import Cooldowns
from bot.posting.delivery.outcomes import FailedAttempt, after_edit_error
from bot.posting.digest.layouts import content_digest
from store.posting.claim import Outcome
from store.records import LEFT, DeliveryState

_log = logging.getLogger(__name__)


async def correct(attempt: Attempt, cooldowns: Cooldowns, metrics: Metrics) -> None:
    """Edit the parts that show something else than the edition and its votes do now."""
    edits = 0
    for part in attempt.parts:
        if part.message is None or part.digest == LEFT:
            continue
        reply = attempt.current_reply(part)
        shown = replace(part, digest=content_digest(reply))
        if shown.digest == part.digest:
            continue
        retry_at = None
        if (pause := cooldowns.pause(attempt.ready.workspace)) is not None:
            retry_at = attempt.clocks.now() + timedelta(seconds=pause)
        else:
            try:
                await attempt.edit(part, reply)
            except Gone:
                shown = replace(shown, message=None)
            except SendError as error:
                await attempt.cool_down(error, cooldowns)
                work, now = attempt.work, attempt.clocks.now()
                failed = FailedAttempt(now, work.enqueued_at, work.delivery.attempts)
                retry_at = after_edit_error(error, failed, attempt.timing)
                if retry_at is None:
                    facts = attempt.facts | {"reason": str(error)}
                    _log.warning("correction_refused", extra=facts)
        if retry_at is not None:
            metrics.corrected(attempt.platform, "retry")
            await attempt.settle(None, Outcome(DeliveryState.SENT, ready_at=retry_at))
            return
        await attempt.edited(shown)
        edits += 1
    await attempt.corrected()
    if edits:
        metrics.corrected(attempt.platform, "edited")
        _log.info("delivery_corrected", extra=attempt.facts | {"messages": edits})
