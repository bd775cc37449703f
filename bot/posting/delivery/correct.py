"""What was posted put right after its edition changed, or its votes: edited where it stands."""

import asyncio
import logging
from dataclasses import replace
from datetime import datetime, timedelta

from bot.errors import Gone, OutcomeUnknown, SendError
from bot.operations.metrics import Metrics
from bot.posting.delivery.attempt import facts_of, heed, is_threaded, posted_of, reply_of
from bot.posting.delivery.cooldowns import Rests
from bot.posting.delivery.lease import Holding
from bot.posting.delivery.outcomes import Situation, after_editing
from bot.posting.delivery.timing import Pace
from bot.posting.digest import digest_of
from bot.posting.ports import Message, Poster
from bot.replies.blocks import Reply
from store.posting.claim import Outcome, Work
from store.records import LEFT, DeliveryState, Part

_log = logging.getLogger(__name__)


class Correcting:
    """Edits what was posted.

    Args:
        pace: how long what may take.
        metrics: counts what becomes of corrections.
        rests: knows what is to be let alone for a while.
    """

    def __init__(self, pace: Pace, metrics: Metrics, rests: Rests) -> None:
        self._pace = pace
        self._metrics = metrics
        self._rests = rests

    async def correct(self, holding: Holding, poster: Poster) -> None:
        """Edit the parts that say something else than the edition and its votes do now.

        Raises:
            LeaseLost: where somebody else took it over.
            StoreError: where something could not be noted.
        """
        work = holding.work
        edits = 0
        for part in work.delivery.parts:
            if part.message is None or part.digest == LEFT:
                continue
            reply = reply_of(work, part, poster)
            if digest_of(reply) == part.digest:
                continue
            again_at = self._paused(holding) or await self._one(holding, poster, part, reply)
            if again_at is not None:
                self._metrics.corrected(_platform(work), "retry")
                await holding.settle(None, Outcome(DeliveryState.SENT, ready_at=again_at))
                return
            edits += 1
        await holding.corrected()
        if edits:
            self._metrics.corrected(_platform(work), "edited")
            _log.info("delivery_corrected", extra=facts_of(work) | {"messages": edits})

    def _paused(self, holding: Holding) -> datetime | None:
        pause = self._rests.pause(holding.work.delivery.id)
        return None if pause is None else holding.now() + timedelta(seconds=pause)

    async def _one(
        self, holding: Holding, poster: Poster, part: Part, reply: Reply
    ) -> datetime | None:
        """Edit one part; return when to go on where that can't be done now."""
        work = holding.work
        message = Message(work.order.channel, part.key, reply, threaded=is_threaded(work, part))
        said = replace(part, digest=digest_of(reply))
        try:
            async with asyncio.timeout(self._pace.send):
                await poster.edit(posted_of(part), message)
        except Gone:
            said = replace(said, message=None)
        except (SendError, TimeoutError) as error:
            failed = error if isinstance(error, SendError) else OutcomeUnknown("It took too long.")
            at = Situation(holding.now(), work.enqueued_at, work.delivery.attempts)
            await heed(failed, work.delivery.id, self._rests)
            if (later := after_editing(failed, at, self._pace)) is not None:
                return later
            _log.warning("correction_refused", extra=facts_of(work) | {"reason": str(failed)})
        await holding.edited(said)
        return None


def _platform(work: Work) -> str:
    return work.order.channel.workspace.platform
