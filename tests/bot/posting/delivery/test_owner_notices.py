"""The notice that an owner gets in private once a subscription has ended."""

from dataclasses import replace

import pytest

from bot.posting.delivery.owner_notices import notice_reply
from bot.replies.plain_text import plain_text
from store.database import Database
from store.posting.notices import OwnerNotice, list_notices
from store.records import ChannelFacts, DeliveryState, Refusal, SubscriptionState
from tests.bot.posting.delivery.setup import Stage
from tests.fakes.channel_client import Fault
from tests.store.posting.test_subscriptions import ORDER

NO_MORE = Refusal("Broadsheet may not Send Messages in #takeover.", "A manager allows it.")


def _told(facts: ChannelFacts) -> str:
    order = replace(ORDER, id=7, facts=facts)
    return plain_text(notice_reply(OwnerNotice(1, order, "n7-1", NO_MORE, 0, None)))


def test_a_private_channel_is_not_named_to_whoever_may_have_left_it() -> None:
    """Nor does the reason have its name; the remedy is there, and which subscription it is."""
    told = _told(ChannelFacts("takeover", private=True))
    assert "takeover" not in told
    assert told.startswith("Weekly papers no longer reach a private channel")
    assert "A manager allows it." in told
    assert "resume id:7" in told


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        (ChannelFacts("papers"), "#papers"),
        (ChannelFacts("the chat", private=True, direct=True), "the chat"),
        (ChannelFacts(), "a channel"),
    ],
    ids=str,
)
def test_other_places_are_named_with_the_reason(facts: ChannelFacts, name: str) -> None:
    """What everybody may know, and one's own direct messages, are told as they are."""
    told = _told(facts)
    assert told.startswith(f"Weekly papers no longer reach {name}")
    assert NO_MORE.sentence in told


async def test_an_order_of_nobody_ends_without_telling_anyone(database: Database) -> None:
    """It is refused as any other, and what its owner was to be told is forgotten."""
    stage = Stage(database)
    stage.client.faults.append(Fault.FORBIDDEN)
    await stage.due(owner="")
    async with stage.sending():
        await stage.until(DeliveryState.DEAD)
        while await database.read(list_notices, stage.clock.now()):
            stage.wake_up.notify()
            await stage.until(DeliveryState.DEAD)
    assert (await stage.order()).state is SubscriptionState.REFUSED
    assert stage.client.notifications == []
