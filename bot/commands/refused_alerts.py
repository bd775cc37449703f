"""Refused alerts: people are told in their next answer what can no longer be told."""

import logging
import time
from collections.abc import Callable, Iterator, Sequence

from bot.actor import Actor
from bot.cache import Cache
from bot.commands.permissions import May
from bot.commands.places import placed_alerts
from bot.replies.blocks import Actions, Block, Button, Level, Notice
from bot.replies.wording import count, shorten
from store.database import Database
from store.errors import StoreError
from store.readers import alerts
from store.readers.alerts import Alert
from store.records import ChannelFacts, Person

_log = logging.getLogger(__name__)
# For so many seconds it is known who is to be told; a later answer is soon enough.
_FRESH_SECONDS = 5.0
_NAMED, _LABEL = 3, 40


class RefusedAlerts:
    """The refused alerts that their owners do not know of; `seconds` only goes forward."""

    def __init__(self, database: Database, seconds: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._cache: Cache[None, frozenset[Person]] = Cache(1, _FRESH_SECONDS, seconds)

    async def told(self, actor: Actor) -> tuple[Block, ...]:
        """Return what an answer begins with: the alerts of its user that were refused, once."""
        try:
            refused = await self._take(actor.person)
        except StoreError as error:  # a later answer tells it
            _log.warning("refusals_not_told", extra={"reason": error.sentence})
            return ()
        if not refused:
            return ()
        placed = await placed_alerts(actor, refused, {each.id for each in refused})
        inside = [each.alert for each in placed if each.access.may is May.ALL]
        return tuple(_blocks(refused, inside))

    async def _take(self, person: Person) -> Sequence[Alert]:
        untold = await self._cache.read(
            None, lambda: self._database.read(alerts.list_untold_owners)
        )
        return await self._database.write(alerts.tell_refusals, person) if person in untold else ()


def again_string(alert: Alert, facts: ChannelFacts) -> str:
    """Return the command string that makes an alert anew; `facts` are those of its channel."""
    place = "" if facts.direct else f" in:{alert.channel.external_id}"
    return f"alert {alert.query.text}{place}"


def _blocks(refused: Sequence[Alert], inside: Sequence[Alert]) -> Iterator[Block]:
    """Yield what tells a person of refused alerts.

    `inside` are those told to a place that the person is in; of no other it is said why.
    """
    names = "; ".join(each.query.text for each in refused[:_NAMED])
    more = f" and {len(refused) - _NAMED} more" if len(refused) > _NAMED else ""
    why = inside[0].refusal if inside else None
    reason = f" {why.sentence} {why.remedy}".rstrip() if why else ""
    sentence = f"{count(len(refused), 'alert')} could not be told: {names}{more}."
    remedy = "Once that is put right, make it again." if inside else "alerts lists yours."
    yield Notice(Level.WARNING, sentence + reason, remedy)
    if inside:
        again = (
            Button(f"Try {shorten(each.query.text, _LABEL)} again", again_string(each, each.facts))
            for each in inside[:_NAMED]
        )
        yield Actions(tuple(again))
