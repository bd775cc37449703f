"""One delivery, sent part by part: what may stand already is looked for, the rest is sent."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from datetime import timedelta

from bot.accounts.votes import counted_in
from bot.coordination.rate_limiter import Lanes
from bot.errors import OutcomeUnknown, QueueFull, RetryLater, SendError, TokenRevoked
from bot.operations.metrics import Metrics
from bot.posting.delivery.attempt import Errand, facts_of, heed
from bot.posting.delivery.cooldowns import Rests
from bot.posting.delivery.lease import Holding
from bot.posting.delivery.message_keys import Keys
from bot.posting.delivery.outcomes import after_looking, after_sending, put_off
from bot.posting.delivery.timing import Pace
from bot.posting.delivery.unconfirmed import Awaiting
from bot.posting.digest import Post, post
from bot.posting.ports import Message, Posted, Poster
from store.posting.claim import Outcome, Work
from store.records import DeliveryState, Part

_log = logging.getLogger(__name__)
_MOST_POSTS = 128


class Sending:
    """Carries out deliveries.

    Args:
        pace: how long what may take.
        metrics: counts what becomes of deliveries.
        lanes: give each message its turn.
        rests: knows what is to send no further message for a while.
        awaiting: knows what may still appear.
    """

    def __init__(
        self, pace: Pace, metrics: Metrics, lanes: Lanes, rests: Rests, awaiting: Awaiting
    ) -> None:
        self._awaiting = awaiting
        self._pace = pace
        self._metrics = metrics
        self._lanes = lanes
        self._rests = rests
        self._turns: set[asyncio.Task[None]] = set()
        self._posts = _Posts()
        self._keys = Keys()

    def hurry(self) -> None:
        """Have nothing wait for its turn any more."""
        for turn in self._turns:
            turn.cancel()

    async def send(self, holding: Holding, poster: Poster) -> None:
        """Send what is not sent yet, and note what became of it.

        Raises:
            LeaseLost: where somebody else took it over.
            StoreError: where something could not be noted.
        """
        work = holding.work
        made = self._posts.of(work, poster)
        if made is None and not work.delivery.parts:
            await holding.settle(None, skipped := _nothing_kept())
            self._told(work, skipped)
            return
        parts = self._parts(work, made)
        errand = Errand(holding, poster, parts, made, self._pace)
        for part in parts:
            if not await self._one(errand, part):
                return
        self._told(work, Outcome(DeliveryState.SENT))
        lag = holding.now() - work.enqueued_at
        self._metrics.lag(work.order.channel.workspace.platform, lag.total_seconds())

    async def _one(self, errand: Errand, part: Part) -> bool:
        """Make sure that one part stands; whether it does."""
        if part.state is DeliveryState.SENT:
            return True
        message = errand.message(part)
        if part.state in {DeliveryState.SENDING, DeliveryState.UNKNOWN}:
            found = await self._looked(errand, part, message)
            if isinstance(found, Outcome):
                await self._settle(errand, part, found)
                return False
            self._awaiting.forget(errand.work.delivery.id)
            if found:
                await errand.stands(part, errand.said(message), found)
                return True
        return await self._sent(errand, part, message)

    async def _looked(
        self, errand: Errand, part: Part, message: Message
    ) -> Posted | Outcome | None:
        """Return where a part stands that may have been sent, or what becomes of the delivery.

        `None` is where it is to be sent: it is not there, and can no longer appear.
        """
        delivery = errand.work.delivery.id
        try:
            found = await errand.look(part, message)
        except SendError as error:
            await heed(error, delivery, self._rests)
            if isinstance(error, RetryLater | TokenRevoked) and self._awaiting.may_appear(delivery):
                return self._later(delivery)
            return after_looking(error, errand.situation(part), self._pace)
        if found is None and self._awaiting.may_appear(delivery):
            return self._later(delivery)
        if found is None and errand.is_taken_back:
            return _taken_back()
        return found

    def _later(self, delivery: int) -> Outcome:
        """Return that a delivery is looked for again; it stays in this process's hands till then.

        By no wall clock: another process that looked sooner would find nothing, and send it.
        """
        self._awaiting.look_again(delivery)
        return Outcome(DeliveryState.RETRY, DeliveryState.UNKNOWN, kept=True, tried=False)

    async def _sent(self, errand: Errand, part: Part, message: Message) -> bool:
        if (pause := await self._turn(errand, message)) is not None:
            later = put_off(timedelta(seconds=pause), errand.situation(part))
            await errand.holding.settle(None, later)
            return False
        try:
            await errand.begin(part)
            posted = await errand.send(message)
        except SendError as error:
            outcome, refusal = after_sending(error, errand.situation(part), self._pace)
            await heed(error, errand.work.delivery.id, self._rests)
            await errand.holding.settle(part.number, outcome, refusal, self._keys.new())
            if isinstance(error, OutcomeUnknown) and outcome.kept:
                workspace = errand.work.order.channel.workspace
                self._awaiting.expect(errand.work.delivery.id, workspace, error.within)
            self._told(errand.work, outcome, error)
            if refusal:
                self._metrics.delivered(errand.platform, "refused")
                _log.warning("subscription_refused", extra=errand.facts | {"reason": str(error)})
            return False
        await errand.stands(part, message.reply, posted)
        return True

    async def _turn(self, errand: Errand, message: Message) -> float | None:
        """Wait until a message may leave; return for how many seconds to pause instead.

        Raises:
            StoreError: where the store can't tell.
        """
        delivery = errand.work.delivery.id
        if (pause := self._rests.pause(delivery)) is not None:
            return pause
        lanes = errand.poster.lanes(message.channel)
        if not lanes:
            return None
        turn = asyncio.create_task(self._lanes.turn(lanes), name=f"turn-{delivery}")
        self._turns.add(turn)
        try:
            await asyncio.wait({turn})
        finally:
            self._turns.discard(turn)
            turn.cancel()
        if not turn.cancelled() and (error := turn.exception()):
            if not isinstance(error, QueueFull):
                raise error
            after = error.after or self._pace.first_wait
            self._rests.crowd(delivery, after)
            return after
        return self._rests.pause(delivery)

    def _parts(self, work: Work, made: Post | None) -> list[Part]:
        """Return the parts of a delivery, planned before, or now where none was."""
        if work.delivery.parts or made is None:
            return list(work.delivery.parts)
        drafts = enumerate(made.messages, 1)
        return [Part(number, self._keys.new(), draft.refs) for number, draft in drafts]

    async def _settle(self, errand: Errand, part: Part, outcome: Outcome) -> None:
        await errand.holding.settle(part.number, outcome)
        self._told(errand.work, outcome)

    def _told(self, work: Work, outcome: Outcome, error: SendError | None = None) -> None:
        """Count and log what became of an attempt; what was put off was none."""
        if not outcome.tried:
            return
        state = outcome.state
        self._metrics.delivered(work.order.channel.workspace.platform, state.value)
        quiet = state in {DeliveryState.SENT, DeliveryState.SKIPPED}
        level = logging.INFO if quiet else logging.WARNING
        reason = {"reason": str(error), "code": error.code or None} if error else {}
        _log.log(level, f"delivery_{state.value}", extra=facts_of(work) | reason)


class _Posts:
    """The last posts that were laid out: at nine many channels get the same one.

    Where there are votes it is the same with these in it: they move nothing else.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, Post | None] = OrderedDict()

    def of(self, work: Work, poster: Poster) -> Post | None:
        """Return the post of an edition to an order, `None` where its filters keep nothing."""
        order, edition = work.order, work.edition
        wanted = (order.layout, order.size, order.topics, order.not_topics)
        platform = order.channel.workspace.platform
        key = (platform, edition.source, edition.first_day, work.changed_at, *wanted)
        made = self._once(key, lambda: post(edition, order, poster.fits))
        if made is None or not work.votes:
            return made
        voted = (*key, frozenset(work.votes.items()))
        return self._once(voted, lambda: _with_votes(made, work.votes))

    def _once(self, key: Hashable, make: Callable[[], Post | None]) -> Post | None:
        if key not in self._kept:
            self._kept[key] = make()
            if len(self._kept) > _MOST_POSTS:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]


def _with_votes(made: Post, votes: Mapping[str, int]) -> Post:
    drafts = (replace(each, reply=counted_in(each.reply, votes)) for each in made.messages)
    return replace(made, messages=tuple(drafts))


def _taken_back() -> Outcome:
    return Outcome(DeliveryState.SKIPPED, error="The subscription was taken back.")


def _nothing_kept() -> Outcome:
    return Outcome(DeliveryState.SKIPPED, error="The filters keep nothing of it.")
