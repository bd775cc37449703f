"""A delivery attempt: a claimed delivery with its lease, channel client, parts and record."""

import asyncio
import secrets
from dataclasses import dataclass, field, replace
from datetime import datetime

from bot.accounts import counted_in
from bot.errors import OutcomeUnknown, QueueFull, RetryLater, SendError
from bot.posting.delivery.capacity import Cooldowns
from bot.posting.delivery.outcomes import FailedAttempt
from bot.posting.delivery.timing import Clocks, Timing
from bot.posting.delivery.transition_batches import TransitionBatcher
from bot.posting.digest.layouts import Draft, Post, content_digest, redraw
from bot.posting.ports import ChannelClient, Message, PostedMessage
from bot.replies.blocks import Reply
from store.errors import LeaseLost
from store.posting.claim import ClaimedDelivery, DeliveryClaim, Outcome
from store.posting.queue import ReadyDelivery
from store.posting.transitions import (
    AttemptSettled,
    DeliveryCorrected,
    PartBegun,
    PartEdited,
    PartSent,
    Transition,
)
from store.records import Channel, DeliveryState, Layout, Part, Refusal

_KEY_BYTES = 12  # 16 letters, digits, hyphens and underscores


@dataclass(slots=True, eq=False)
class Attempt:
    """A delivery attempt in flight: the one object that knows of it.

    Every method that records something raises `LeaseLost` if another process has claimed the
    delivery, and `StoreError` if it can't be recorded.

    Attributes:
        ready: the delivery as it was found.
        work: the delivery as it was claimed.
        client: sends to its channel.
        renewed_at: the clocks before the last recorded step, from when the lease counts.
    """

    ready: ReadyDelivery
    work: ClaimedDelivery
    client: ChannelClient
    batcher: TransitionBatcher
    clocks: Clocks
    timing: Timing
    renewed_at: tuple[float, datetime]
    _claim: DeliveryClaim = field(init=False)
    _parts: dict[int, Part] = field(init=False)
    _unplanned: bool = field(init=False)
    _post: Post | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Take the parts that an earlier attempt planned."""
        self._claim = self.work.claim
        self._parts = {part.number: part for part in self.work.delivery.parts}
        self._unplanned = not self._parts

    @property
    def id(self) -> int:
        """The delivery's id."""
        return self.ready.id

    @property
    def platform(self) -> str:
        """The platform's name."""
        return self.ready.platform

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts as they are recorded or planned, in order."""
        return tuple(self._parts.values())

    @property
    def facts(self) -> dict[str, object]:
        """The fields of log lines about the delivery."""
        delivery = self.work.delivery
        return {
            "delivery": delivery.id,
            "kind": delivery.kind.value,
            "subscription": delivery.subscription_id,
            "platform": self.platform,
            "source": delivery.source,
            "first_day": str(delivery.first_day) if delivery.first_day else None,
        }

    @property
    def channel(self) -> Channel:
        """The channel that it goes to."""
        return self.work.delivery.channel

    @property
    def is_cancelled(self) -> bool:
        """Tell whether the subscription was cancelled and no part is known to be posted."""
        posted = any(part.state is DeliveryState.SENT for part in self.parts)
        subscription = self.work.subscription
        return subscription is not None and subscription.cancelled_at is not None and not posted

    @property
    def is_empty(self) -> bool:
        """Tell whether what alerts found, or the papers of a digest, is gone since it was planned.

        A message that an earlier attempt may have sent can still be looked for.
        """
        return self._post is None and self.work.of_edition is None

    @property
    def time_left(self) -> float:
        """The seconds until the lease ends, by whichever clock says less."""
        seconds, at = self.renewed_at
        passed = max(self.clocks.seconds() - seconds, (self.clocks.now() - at).total_seconds())
        return self.timing.lease - passed

    def plan(self, post: Post | None) -> None:
        """Take the post as it is laid out now; plan its parts unless an earlier attempt did."""
        self._post = post
        if self._unplanned and post:
            drafts = enumerate(post.messages, 1)
            self._parts = {n: Part(n, _new_key(), draft.refs) for n, draft in drafts}

    def message(self, part: Part) -> Message:
        """Return the message of a part as it is to be sent now, without words if it `is_empty`."""
        threaded = self._is_threaded(part)
        title = self._post.title if self._post else ""
        if draft := self._draft(part):
            reply = draft.reply
        elif self.is_empty:
            reply = Reply(())
        else:
            reply = self.current_reply(part)
            title = title or self.work.post.edition.title
        return Message(
            channel=self.channel,
            key=part.key,
            reply=reply,
            title=title,
            topics=self._post.topics if self._post else (),
            root=_posted(self._parts[1]) if part.number > 1 else None,
            threaded=threaded,
            thread=self._thread() if threaded else None,
            kind=self.work.delivery.facts.kind,
        )

    def current_reply(self, part: Part) -> Reply:
        """Return what a part shows as the edition is now, with its votes."""
        post = self.work.post
        reply = redraw(
            post.edition,
            post.subscription,
            part.refs,
            number=part.number,
            threaded=self._is_threaded(part),
            before=sum(len(each.refs) for each in self.parts if each.number < part.number),
            fits=self.client.fits,
        )
        return counted_in(reply, post.votes)

    def posted_reply(self, message: Message) -> Reply | None:
        """Return what a message of an earlier attempt shows, `None` if it may be outdated."""
        of_edition = self.work.of_edition
        is_unchanged = of_edition.is_unchanged if of_edition else not self.is_empty
        return message.reply if is_unchanged else None

    def _draft(self, part: Part) -> Draft | None:
        """Return the laid-out message of a part if it shows the papers that were planned."""
        drafts = self._post.messages if self._post else ()
        draft = drafts[part.number - 1] if part.number <= len(drafts) else None
        is_as_planned = self.work.of_edition is None or (draft and draft.refs == part.refs)
        return draft if is_as_planned else None

    def _is_threaded(self, part: Part) -> bool:
        of_edition = self.work.of_edition
        in_thread = of_edition and of_edition.subscription.layout is Layout.THREAD
        return bool(in_thread) and part.number > 1

    def _thread(self) -> str | None:
        replies = (part for part in self.parts if self._is_threaded(part))
        return next((part.place for part in replies if part.place), None)

    def failed(self, part: Part) -> FailedAttempt:
        """Return what is known as the attempt fails at a part."""
        return FailedAttempt(
            now=self.clocks.now(),
            enqueued_at=self.work.enqueued_at,
            attempts=self.work.delivery.attempts + 1,
            begun=not self._unplanned,
            is_reply=part.number > 1,
            send_anyway=self.work.send_anyway,
        )

    async def find(self, part: Part, message: Message) -> PostedMessage | None:
        """Return where a part is posted that may have been sent.

        Raises:
            SendError: if the platform can't tell.
        """
        since = part.began_at or self.work.enqueued_at
        try:
            async with asyncio.timeout(self.timing.send):
                return await self.client.find(message, since)
        except TimeoutError:
            raise RetryLater("Looking for it took too long.") from None

    async def send(self, message: Message) -> PostedMessage:
        """Send a message while the lease certainly holds.

        Raises:
            OutcomeUnknown: if it took too long.
            SendError: if it was not sent.
        """
        if self.time_left <= self.timing.send:
            # Nothing was sent. If another process has claimed it, recording that will tell.
            raise RetryLater("The store took too long.", after=0.0)
        try:
            async with asyncio.timeout(self.timing.send):
                return await self.client.send(message)
        except TimeoutError:
            raise OutcomeUnknown(
                "The platform took too long to answer.", "See whether it came."
            ) from None

    async def edit(self, part: Part, reply: Reply) -> None:
        """Edit a part where it is posted.

        Raises:
            Gone: if it is no longer there.
            OutcomeUnknown: if it took too long.
            SendError: if the platform refuses.
        """
        threaded = self._is_threaded(part)
        message = Message(self.channel, part.key, reply, threaded=threaded)
        try:
            async with asyncio.timeout(self.timing.send):
                await self.client.edit(_posted(part), message)
        except TimeoutError:
            raise OutcomeUnknown("It took too long.") from None

    async def begin(self, part: Part) -> None:
        """Record that a part is about to be sent; the first time, with all planned parts."""
        planned = self.parts if self._unplanned else ()
        await self._record(
            PartBegun(self._claim, part.number, self.client.now(), self.work, planned)
        )
        self._unplanned = False

    async def sent(self, part: Part, reply: Reply | None, posted: PostedMessage) -> None:
        """Record where a part is posted, and what it shows if that is known."""
        draft = self._draft(part)
        known = draft.digest if draft and draft.reply is reply else None
        sent = replace(
            part,
            state=DeliveryState.SENT,
            digest=known or (content_digest(reply) if reply else None),
            place=posted.place,
            message=posted.message,
            url=posted.url,
        )
        self._parts[part.number] = sent
        await self._record(PartSent(self._claim, sent, self.clocks.shown.now()))

    async def edited(self, part: Part) -> None:
        """Record what a part shows now."""
        await self._record(PartEdited(self._claim, part))

    async def corrected(self) -> None:
        """Record that all parts show the edition as it was claimed; release the claim."""
        await self.batcher.record(DeliveryCorrected(self._claim, self.work.post.changed_at))

    async def settle(
        self, number: int | None, outcome: Outcome, refusal: Refusal | None = None
    ) -> None:
        """Record the outcome of the attempt, of a part or of all; release the claim.

        A refusal also ends the subscription and enqueues a notice to its owner.
        """
        now, key = self.clocks.now(), _new_key() if refusal else ""
        await self.batcher.record(AttemptSettled(self._claim, number, outcome, now, refusal, key))

    async def _record(self, transition: Transition) -> None:
        """Record a transition that renews the lease."""
        if self.time_left <= 0:
            raise LeaseLost(self._claim.id)
        renewed_at = self.clocks.read()
        self._claim = await self.batcher.record(transition)
        self.renewed_at = renewed_at

    async def cool_down(self, error: SendError, cooldowns: Cooldowns) -> None:
        """Start a cooldown of the workspace if the platform requested one."""
        if isinstance(error, RetryLater) and error.after and not isinstance(error, QueueFull):
            await cooldowns.request(self.ready.workspace, error.after)


def _new_key() -> str:
    """Return a new key, by which a platform recognises a message."""
    return secrets.token_urlsafe(_KEY_BYTES)


def _posted(part: Part) -> PostedMessage:
    return PostedMessage(part.place or "", part.message, part.url or "")
