"""One delivery, sent part by part: what may stand already is looked for, the rest is sent."""

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import replace

from bot.digest import Draft, Post, again, digest_of, post
from bot.errors import SendError, Unclear
from bot.metrics import Metrics
from bot.outbox.deciding import Situation, after_looking, after_sending
from bot.outbox.holding import Holding
from bot.outbox.pace import Pace
from bot.ports import Message, Posted, Poster
from bot.replies import Reply
from store.errors import LeaseLost
from store.ledger import Outcome, Work
from store.records import DeliveryState, Layout, Part

_log = logging.getLogger(__name__)
_MOST_POSTS = 32
_SLOW = Unclear("The platform took too long to answer.", "See whether it came.")
Sleep = Callable[[float], Awaitable[object]]


class Sending:
    """Carries out deliveries.

    Args:
        pace: how long what may take.
        metrics: counts what becomes of deliveries.
        stopping: tells whether no further message is to be sent.
        sleep: waits.
    """

    def __init__(
        self,
        pace: Pace,
        metrics: Metrics,
        stopping: Callable[[], bool],
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._pace = pace
        self._metrics = metrics
        self._stopping = stopping
        self._sleep = sleep
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
        errand = _Errand(holding, poster, parts, made, self._pace)
        for part in parts:
            if not await self._one(errand, part):
                return
        self._told(work, "sent")
        lag = holding.now() - work.enqueued_at
        self._metrics.lag(work.order.channel.workspace.platform, lag.total_seconds())

    async def _one(self, errand: "_Errand", part: Part) -> bool:
        """Make sure that one part stands; whether it does."""
        if part.state is DeliveryState.SENT:
            return True
        message = errand.message(part)
        if part.state in {DeliveryState.SENDING, DeliveryState.UNKNOWN}:
            try:
                found = await errand.look(part, message)
            except SendError as error:
                outcome = after_looking(error, errand.situation(part), self._pace)
                if outcome is not None:
                    await self._settle(errand, part, outcome)
                    return False
                found = None
            if found:
                await errand.stands(part, message, found)
                return True
        return await self._sent(errand, part, message)

    async def _sent(self, errand: "_Errand", part: Part, message: Message) -> bool:
        if errand.has_sent:
            await self._sleep(errand.poster.gap)
        if self._stopping():
            now = errand.holding.now()
            await errand.holding.settle(part.number, Outcome(DeliveryState.RETRY, ready_at=now))
            return False
        try:
            await errand.holding.begin(part.number)
            posted = await errand.send(message)
        except SendError as error:
            outcome, refusal = after_sending(error, errand.situation(part), self._pace)
            await errand.holding.settle(part.number, outcome, refusal, secrets.token_urlsafe(12))
            self._told(errand.work, outcome.state.value, error)
            if refusal:
                self._metrics.delivered(errand.platform, "refused")
                _log.warning("subscription_refused", extra=errand.facts | {"reason": str(error)})
            return False
        await errand.stands(part, message, posted)
        return True

    async def _settle(self, errand: "_Errand", part: Part, outcome: Outcome) -> None:
        await errand.holding.settle(part.number, outcome)
        self._told(errand.work, outcome.state.value)

    def _told(self, work: Work, outcome: str, error: SendError | None = None) -> None:
        self._metrics.delivered(work.order.channel.workspace.platform, outcome)
        level = logging.INFO if outcome in {"sent", "skipped"} else logging.WARNING
        reason = {"reason": str(error), "code": error.code or None} if error else {}
        _log.log(level, f"delivery_{outcome}", extra=facts_of(work) | reason)


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


class _Errand:
    """A delivery on its way: its parts, and what stands of them."""

    def __init__(
        self, holding: Holding, poster: Poster, parts: list[Part], made: Post | None, pace: Pace
    ) -> None:
        self.holding = holding
        self.poster = poster
        self.work = holding.work
        self.has_sent = False
        self._parts = {part.number: part for part in parts}
        self._made = made
        self._pace = pace

    @property
    def platform(self) -> str:
        """The platform's name."""
        return self.work.order.channel.workspace.platform

    @property
    def facts(self) -> dict[str, object]:
        """What log lines say of it."""
        return facts_of(self.work)

    def situation(self, part: Part) -> Situation:
        """Return what is known as an attempt at a part fails."""
        now = self.holding.now()
        began = part.began_at
        fresh = began is not None and 0 <= (now - began).total_seconds() < self.poster.repeats
        return Situation(
            now=now,
            enqueued_at=self.work.enqueued_at,
            attempts=self.work.delivery.attempts + 1,
            replies=part.number > 1,
            repeatable=fresh,
            insist=self.work.insist,
        )

    def message(self, part: Part) -> Message:
        """Return a part as it is to be sent now."""
        root = self._parts[1]
        threaded = is_threaded(self.work, part)
        return Message(
            channel=self.work.order.channel,
            key=part.key,
            reply=self._reply(part),
            title=self._made.title if self._made else self.work.edition.title,
            topics=self._made.topics if self._made else (),
            root=posted_of(root) if part.number > 1 else None,
            threaded=threaded,
            thread=self._thread() if threaded else None,
        )

    def _reply(self, part: Part) -> Reply:
        """Return what a part says now: as planned, where it shows the same papers."""
        drafts = self._made.messages if self._made else ()
        draft = drafts[part.number - 1] if part.number <= len(drafts) else None
        if draft and draft.refs == part.refs:
            return draft.reply
        return reply_of(self.work, part, self.poster)

    def _thread(self) -> str | None:
        replies = (part for part in self._parts.values() if is_threaded(self.work, part))
        return next((part.place for part in replies if part.place), None)

    async def look(self, part: Part, message: Message) -> Posted | None:
        """Look whether a part stands that may have been sent.

        Raises:
            SendError: where that can't be told.
        """
        since = part.began_at or self.work.enqueued_at
        async with asyncio.timeout(self._pace.send):
            return await self.poster.find(message, since)

    async def send(self, message: Message) -> Posted:
        """Send a message while it is certain that nobody else does.

        Raises:
            Unclear: where it took too long.
            SendError: where it was not sent.
            LeaseLost: where there is no time left to send it in.
        """
        if self.holding.left <= self._pace.send:
            raise LeaseLost(self.work.delivery.id)
        self.has_sent = True
        try:
            async with asyncio.timeout(self._pace.send):
                return await self.poster.send(message)
        except TimeoutError:
            raise _SLOW from None

    async def stands(self, part: Part, message: Message, posted: Posted) -> None:
        """Note where a part stands."""
        stands = replace(
            part,
            state=DeliveryState.SENT,
            digest=digest_of(message.reply),
            place=posted.place,
            message=posted.message,
            url=posted.url,
        )
        self._parts[part.number] = stands
        await self.holding.sent(stands)


def is_threaded(work: Work, part: Part) -> bool:
    """Tell whether a part replies to the first one."""
    return work.order.layout is Layout.THREAD and part.number > 1


def posted_of(part: Part) -> Posted:
    """Return where a part stands."""
    return Posted(part.place or "", part.message, part.url or "")


def reply_of(work: Work, part: Part, poster: Poster) -> Reply:
    """Return what a part says as the edition is now."""
    return again(
        work.edition,
        work.order,
        part.refs,
        number=part.number,
        threaded=is_threaded(work, part),
        fits=poster.fits,
    )


def facts_of(work: Work) -> dict[str, object]:
    """Return what log lines say of a delivery."""
    return {
        "delivery": work.delivery.id,
        "subscription": work.delivery.subscription_id,
        "platform": work.order.channel.workspace.platform,
        "source": work.delivery.source,
        "first_day": str(work.delivery.first_day),
    }


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


def _nothing_kept() -> Outcome:
    return Outcome(DeliveryState.SKIPPED, error="The filters keep nothing of it.")
