"""Notices to the owners of subscriptions that ended, sent once and in private."""

import asyncio
import logging
from collections.abc import Mapping
from datetime import timedelta

from bot.errors import OutcomeUnknown, RetryLater, SendError, TokenRevoked
from bot.posting.delivery.outcomes import retry_delay
from bot.posting.delivery.timing import Clocks, Timing
from bot.posting.ports import ChannelClient
from bot.replies.blocks import Level, Notice, Reply, Text, Title
from bot.replies.deliveries import channel_label
from store.database import Database
from store.errors import StoreError
from store.posting import notices
from store.posting.change_subscription import REMOVED
from store.posting.notices import OwnerNotice

_log = logging.getLogger(__name__)


class OwnerNotices:
    """Notifies owners that their subscriptions ended.

    An unconfirmed notice is looked for and then sent again: a notice that comes twice is better
    than a subscription that ends in silence.
    """

    def __init__(
        self,
        database: Database,
        clients: Mapping[str, ChannelClient],
        clocks: Clocks,
        timing: Timing,
    ) -> None:
        self._database = database
        self._clients = clients
        self._clocks = clocks
        self._timing = timing
        self.stopping = False

    async def send_due(self) -> None:
        """Send the notices that are due; log what fails, to be retried."""
        try:
            due = await self._database.read(
                notices.list_notices, self._clocks.now(), [*self._clients]
            )
            for notice in due:
                if self.stopping:
                    return
                if notice.subscription.owner:
                    await self._attempt(notice)
                else:
                    await self._database.write(notices.delete_notice, notice.id)
        except StoreError as error:
            _log.warning("delivery_worker_failed", extra={"reason": error.sentence})
        except Exception:  # noqa: BLE001 - whatever it was, it is retried
            _log.exception("delivery_worker_failed")

    async def _attempt(self, notice: OwnerNotice) -> None:
        order = notice.subscription
        platform = order.channel.workspace.platform
        client = self._clients[platform]
        retry_at = self._clocks.now() + timedelta(seconds=self._timing.lease)
        if not await self._database.write(notices.begin_notice, notice, client.now(), retry_at):
            return
        facts = {"subscription": order.id, "platform": platform}
        try:
            await self._send(notice, client)
        except SendError as error:
            if self._retries(notice, client, error):
                retry_at = self._clocks.now() + retry_delay(
                    error, notice.attempts + 1, self._timing
                )
                await self._database.write(notices.postpone_notice, notice.id, retry_at)
                return
            _log.warning("owner_not_notified", extra=facts | {"reason": str(error)})
        except StoreError:
            raise
        except Exception:  # noqa: BLE001 - the others are notified; the retry is recorded
            _log.exception("owner_not_notified", extra=facts)
            return
        else:
            _log.info("owner_notified", extra=facts)
        await self._database.write(notices.delete_notice, notice.id)

    async def _send(self, notice: OwnerNotice, client: ChannelClient) -> None:
        order, reply = notice.subscription, notice_reply(notice)
        try:
            async with asyncio.timeout(self._timing.send):
                await client.notify_user(
                    order.channel.workspace, order.owner, reply, notice.key, notice.began_at
                )
        except TimeoutError:
            raise OutcomeUnknown("It took too long.") from None

    def _retries(self, notice: OwnerNotice, client: ChannelClient, error: SendError) -> bool:
        if not isinstance(error, RetryLater | OutcomeUnknown | TokenRevoked):
            return False
        since = notice.began_at or client.now()
        return notice.attempts < self._timing.tries or client.now() < since + self._timing.give_up


def notice_reply(notice: OwnerNotice) -> Reply:
    """Return the notice that an owner gets.

    The owner may have left a private channel, so neither its name nor a reason that has it is told.
    """
    order, reason = notice.subscription, notice.refusal.sentence
    where = channel_label(order.facts.name) if order.facts.name else "a channel"
    if order.facts.private and not order.is_direct:
        where, reason = "a private channel", "Broadsheet can no longer post there."
    title = Title(f"Weekly papers no longer reach {where}")
    why = Notice(Level.WARNING, reason, notice.refusal.remedy)
    if order.refusal is not None and order.refusal.code == REMOVED:
        return Reply((title, why))  # it resumes by itself
    resume = (
        f"Once that is put right, whoever manages {where} starts subscription {order.id} again "
        f"there: /papers channel resume id:{order.id}"
    )
    return Reply((title, why, Text(resume)))
