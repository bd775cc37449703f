"""Owners of standing orders that ended, told once and in private."""

import asyncio
import logging
from collections.abc import Mapping
from datetime import timedelta

from bot.clock import Clock
from bot.errors import OutcomeUnknown, RetryLater, SendError, TokenRevoked
from bot.posting.delivery.outcomes import wait
from bot.posting.delivery.timing import Pace
from bot.posting.ports import Poster
from bot.replies.blocks import Level, Notice, Reply, Text, Title
from bot.replies.deliveries import channel_label
from store.database import Database
from store.errors import StoreError
from store.posting import notices
from store.posting.change_subscription import REMOVED
from store.posting.notices import OwnersNotice

_log = logging.getLogger(__name__)


class Telling:
    """Tells owners what became of their orders.

    What nobody knows to have arrived is looked for and then sent again: a notice that comes twice
    is better than an order that ends in silence.

    Args:
        database: the store.
        posters: the platforms' doors by name.
        wall: the time that no setting moves.
        pace: how long what may take.
    """

    def __init__(
        self, database: Database, posters: Mapping[str, Poster], wall: Clock, pace: Pace
    ) -> None:
        self._database = database
        self._posters = posters
        self._wall = wall
        self._pace = pace
        self.stopping = False

    async def tell_all(self) -> None:
        """Tell whoever is to be told now; what goes wrong is logged, and tried again."""
        try:
            found = await self._database.read(
                notices.list_notices, self._wall.now(), [*self._posters]
            )
            for notice in found:
                if self.stopping:
                    return
                poster = self._posters[notice.order.channel.workspace.platform]
                if notice.order.owner:
                    await self._tell(notice, poster)
                else:
                    await self._database.write(notices.end_notice, notice.id)
        except StoreError as error:
            _log.warning("outbox_failed", extra={"reason": error.sentence})
        except Exception:  # noqa: BLE001 - whatever it was, it is tried again
            _log.exception("outbox_failed")

    async def _tell(self, notice: OwnersNotice, poster: Poster) -> None:
        again = self._wall.now() + timedelta(seconds=self._pace.lease)
        if not await self._database.write(notices.begin_notice, notice, poster.now(), again):
            return
        order = notice.order
        facts = {"subscription": order.id, "platform": order.channel.workspace.platform}
        try:
            async with asyncio.timeout(self._pace.send):
                await poster.tell(
                    order.channel.workspace,
                    order.owner,
                    notice_reply(notice),
                    notice.key,
                    notice.began_at,
                )
        except (SendError, TimeoutError) as error:
            failed = error if isinstance(error, SendError) else OutcomeUnknown("It took too long.")
            if self._is_tried_again(notice, poster, failed):
                await self._again(notice, failed)
                return
            _log.warning("owner_not_told", extra=facts | {"reason": str(failed)})
        except StoreError:
            raise
        except Exception:  # noqa: BLE001 - the others are to be told; when to try again is noted
            _log.exception("owner_not_told", extra=facts)
            return
        else:
            _log.info("owner_told", extra=facts)
        await self._database.write(notices.end_notice, notice.id)

    def _is_tried_again(self, notice: OwnersNotice, poster: Poster, error: SendError) -> bool:
        if not isinstance(error, RetryLater | OutcomeUnknown | TokenRevoked):
            return False
        since = notice.began_at or poster.now()
        return notice.attempts < self._pace.tries or poster.now() < since + self._pace.give_up

    async def _again(self, notice: OwnersNotice, error: SendError) -> None:
        later = self._wall.now() + wait(error, notice.attempts + 1, self._pace)
        await self._database.write(notices.wait_notice, notice.id, later)


def notice_reply(notice: OwnersNotice) -> Reply:
    """Return what an owner is told."""
    order = notice.order
    where = channel_label(order.facts.name) if order.facts.name else "a channel"
    title = Title(f"Weekly papers no longer reach {where}")
    why = Notice(Level.WARNING, notice.refusal.sentence, notice.refusal.remedy)
    if order.refusal is not None and order.refusal.code == REMOVED:
        return Reply((title, why))  # it goes on by itself
    again = (
        f"Once that is put right, whoever manages {where} starts subscription {order.id} again "
        f"there: /papers channel resume id:{order.id}"
    )
    return Reply((title, why, Text(again)))
