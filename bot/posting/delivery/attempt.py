"""A delivery on its way, and what there is to know of its parts."""

import asyncio
from dataclasses import replace

from bot.accounts.votes import counted_in
from bot.errors import OutcomeUnknown, QueueFull, RetryLater, SendError
from bot.posting.delivery.cooldowns import Rests
from bot.posting.delivery.lease import Holding
from bot.posting.delivery.outcomes import Situation
from bot.posting.delivery.timing import Pace
from bot.posting.digest import Draft, Post, again, digest_of
from bot.posting.ports import Message, Posted, Poster
from bot.replies.blocks import Reply
from store.posting.claim import Work
from store.records import DeliveryState, Layout, Part

_SLOW = OutcomeUnknown("The platform took too long to answer.", "See whether it came.")


class Errand:
    """A delivery on its way: its parts, and what stands of them."""

    def __init__(
        self, holding: Holding, poster: Poster, parts: list[Part], made: Post | None, pace: Pace
    ) -> None:
        self.holding = holding
        self.poster = poster
        self.work = holding.work
        self._parts = {part.number: part for part in parts}
        self._unplanned = not holding.work.delivery.parts
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

    @property
    def is_taken_back(self) -> bool:
        """Whether nobody wants it any more, and nothing of it is known to stand."""
        stands = any(part.state is DeliveryState.SENT for part in self._parts.values())
        return self.work.order.cancelled_at is not None and not stands

    def situation(self, part: Part) -> Situation:
        """Return what is known as an attempt at a part fails."""
        return Situation(
            now=self.holding.now(),
            enqueued_at=self.work.enqueued_at,
            attempts=self.work.delivery.attempts + 1,
            begun=not self._unplanned,
            replies=part.number > 1,
            send_anyway=self.work.send_anyway,
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
            kind=self.work.order.facts.kind,
        )

    def _draft(self, part: Part) -> Draft | None:
        """Return what a part was laid out as, where it shows the same papers as planned."""
        drafts = self._made.messages if self._made else ()
        draft = drafts[part.number - 1] if part.number <= len(drafts) else None
        return draft if draft and draft.refs == part.refs else None

    def _reply(self, part: Part) -> Reply:
        """Return what a part says now: as planned, where it shows the same papers."""
        draft = self._draft(part)
        return draft.reply if draft else reply_of(self.work, part, self.poster)

    def _digest(self, part: Part, reply: Reply) -> str:
        draft = self._draft(part)
        return draft.digest if draft and draft.reply is reply else digest_of(reply)

    def _thread(self) -> str | None:
        replies = (part for part in self._parts.values() if is_threaded(self.work, part))
        return next((part.place for part in replies if part.place), None)

    def said(self, message: Message) -> Reply | None:
        """Return what a message says that was sent before, unless that may be older by now."""
        unchanged = self.work.content_at == self.work.changed_at and not self.work.votes_changed
        return message.reply if unchanged else None

    async def look(self, part: Part, message: Message) -> Posted | None:
        """Look whether a part stands that may have been sent.

        Raises:
            SendError: where that can't be told.
        """
        since = part.began_at or self.work.enqueued_at
        try:
            async with asyncio.timeout(self._pace.send):
                return await self.poster.find(message, since)
        except TimeoutError:
            raise RetryLater("Looking for it took too long.") from None

    async def begin(self, part: Part) -> None:
        """Note that a part is about to be sent; with the first one, all that will be.

        Raises:
            LeaseLost: where somebody else holds the delivery now.
            StoreError: where it could not be noted.
        """
        planned = tuple(self._parts.values()) if self._unplanned else ()
        await self.holding.begin(part.number, self.poster.now(), planned)
        self._unplanned = False

    async def send(self, message: Message) -> Posted:
        """Send a message while it is certain that nobody else does.

        Raises:
            OutcomeUnknown: where it took too long.
            SendError: where it was not sent.
        """
        if self.holding.left <= self._pace.send:
            # Nothing was sent; whether somebody else has taken it by now is found out by noting.
            raise RetryLater("The store took too long.", after=0.0)
        try:
            async with asyncio.timeout(self._pace.send):
                return await self.poster.send(message)
        except TimeoutError:
            raise _SLOW from None

    async def stands(self, part: Part, reply: Reply | None, posted: Posted) -> None:
        """Note where a part stands, and what it says where that is known."""
        stands = replace(
            part,
            state=DeliveryState.SENT,
            digest=self._digest(part, reply) if reply else None,
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
    """Return what a part says as the edition is now, and its votes."""
    reply = again(
        work.edition,
        work.order,
        part.refs,
        number=part.number,
        threaded=is_threaded(work, part),
        fits=poster.fits,
    )
    return counted_in(reply, work.votes)


async def heed(error: SendError, delivery: int, rests: Rests) -> None:
    """Leave the workspace of a delivery alone where the platform asks for that."""
    if isinstance(error, QueueFull):
        return
    if isinstance(error, RetryLater) and error.after:
        await rests.ask(delivery, error.after)


def facts_of(work: Work) -> dict[str, object]:
    """Return what log lines say of a delivery."""
    return {
        "delivery": work.delivery.id,
        "subscription": work.delivery.subscription_id,
        "platform": work.order.channel.workspace.platform,
        "source": work.delivery.source,
        "first_day": str(work.delivery.first_day),
    }
