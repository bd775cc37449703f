"""Owners of standing orders that ended, told once and in private."""

import logging
from collections.abc import Mapping
from datetime import timedelta

from bot.clock import Clock
from bot.errors import RetryLater, SendError, TokenLost, Unclear
from bot.outbox.deciding import wait
from bot.outbox.pace import Pace
from bot.ports import Poster
from bot.replies import Level, Notice, Reply, Text, Title
from store import notices
from store.database import Database
from store.notices import OwnersNotice

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

    async def tell_all(self) -> None:
        """Tell whoever is to be told now.

        Raises:
            StoreError: as `Database.write`.
        """
        for notice in await self._database.read(notices.list_notices, self._wall.now()):
            poster = self._posters.get(notice.order.channel.workspace.platform)
            if poster and notice.order.owner:
                await self._tell(notice, poster)
            elif poster:
                await self._database.write(notices.end_notice, notice.id)

    async def _tell(self, notice: OwnersNotice, poster: Poster) -> None:
        now = self._wall.now()
        again = now + timedelta(seconds=self._pace.lease)
        if not await self._database.write(notices.begin_notice, notice, now, again):
            return
        order = notice.order
        facts = {"subscription": order.id, "platform": order.channel.workspace.platform}
        try:
            await poster.tell(
                order.channel.workspace,
                order.owner,
                notice_reply(notice),
                notice.key,
                notice.began_at,
            )
        except SendError as error:
            if isinstance(error, RetryLater | Unclear | TokenLost):
                await self._again(notice, error)
                return
            _log.warning("owner_not_told", extra=facts | {"reason": str(error)})
        else:
            _log.info("owner_told", extra=facts)
        await self._database.write(notices.end_notice, notice.id)

    async def _again(self, notice: OwnersNotice, error: SendError) -> None:
        later = self._wall.now() + wait(error, notice.attempts + 1, self._pace)
        await self._database.write(notices.wait_notice, notice.id, later)


def notice_reply(notice: OwnersNotice) -> Reply:
    """Return what an owner is told."""
    order = notice.order
    where = f"#{order.facts.name}" if order.facts.name else "a channel"
    return Reply(
        (
            Title(f"Weekly papers no longer reach {where}"),
            Notice(Level.WARNING, notice.refusal.sentence, notice.refusal.remedy),
            Text(
                f"Subscription {order.id} stands still until then. "
                f"Whoever manages {where} starts it again there: /papers resume {order.id}"
            ),
        )
    )
