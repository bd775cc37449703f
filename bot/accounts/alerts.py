"""Refusals of alerts: people are told in their next answer what can no longer be told."""

import time
from collections.abc import Callable

from bot.cache import Cache
from bot.replies.blocks import Actions, Block, Button, Level, Notice
from bot.replies.wording import count, shorten
from store.database import Database
from store.readers import alerts
from store.readers.alerts import Alert
from store.records import Person

# For so many seconds it is known who is to be told; a later answer is soon enough.
_FRESH_SECONDS = 5.0
_NAMED, _LABEL = 3, 40


class AlertRefusals:
    """The refused alerts that their owners do not know of; `seconds` only goes forward."""

    def __init__(self, database: Database, seconds: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._cache: Cache[None, frozenset[Person]] = Cache(1, _FRESH_SECONDS, seconds)

    async def tell(self, person: Person) -> tuple[Block, ...]:
        """Return the blocks that tell a person of their refused alerts, once.

        Raises:
            StoreError: as `Database.write`.
        """
        untold = await self._cache.read(
            None, lambda: self._database.read(alerts.list_untold_owners)
        )
        if person not in untold:
            return ()
        refused = await self._database.write(alerts.tell_refusals, person)
        return _blocks(refused) if refused else ()


def _blocks(refused: list[Alert]) -> tuple[Block, ...]:
    names = "; ".join(each.query.text for each in refused[:_NAMED])
    more = f" and {len(refused) - _NAMED} more" if len(refused) > _NAMED else ""
    why = refused[0].refusal
    reason = f" {why.sentence} {why.remedy}".rstrip() if why else ""
    sentence = f"{count(len(refused), 'alert')} could not be told: {names}{more}."
    notice = Notice(Level.WARNING, sentence + reason, "Once that is put right, make it again.")
    again = (
        Button(f"Try {shorten(each.query.text, _LABEL)} again", f"alert {each.query.text}")
        for each in refused[:_NAMED]
    )
    return notice, Actions(tuple(again))
