"""Subscriptions: listed, paused, resumed, cancelled, previewed, posted now."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.app import Broadsheet
from bot.commands.types import PRESSED
from bot.errors import UserError
from bot.replies.blocks import Reply
from bot.replies.plain_text import plain_text
from store.database import Database, Session
from store.posting.deliveries import list_deliveries
from store.posting.subscriptions import by_id, list_subscriptions, update_subscription
from store.records import (
    Delivery,
    DeliveryState,
    Refusal,
    Subscription,
    SubscriptionState,
)
from tests.bot.conftest import WEEK, FixedClock, bot_of
from tests.bot.ingest.imports import take_in
from tests.bot.member_channels import Rooms, bot_over, manager, rooms
from tests.bot.replies.parts import buttons, instants
from tests.store.posting.delivery_rows import became

MONDAY = FixedClock(datetime(2026, 1, 12, 9, 30, tzinfo=UTC))
REFUSED = Refusal("Broadsheet is not in #ml any more.", "/invite @Broadsheet.", "not_in_channel")


@pytest.fixture
def seen() -> Rooms:
    """Return the channels that the user is in."""
    return rooms()


class Channel:
    """A manager in a channel with a bot over a store, and what rang the bell."""

    def __init__(self, database: Database, seen: Rooms, clock: FixedClock = MONDAY) -> None:
        self.database = database
        self.rung: list[None] = []
        self.app: Broadsheet = bot_over(database, clock, self.rung)
        self.actor = manager(seen)

    async def ask(self, line: str, key: str | None = None) -> Reply:
        """Return what is answered, which is no error."""
        reply = await self.app.run_text(line, self.actor, key, PRESSED)
        assert not reply.failed, plain_text(reply)
        return reply

    async def refused(self, line: str) -> list[str]:
        """Return the lines of what is answered, which is an error."""
        reply = await self.app.run_text(line, self.actor, origin=PRESSED)
        assert reply.failed
        return plain_text(reply).splitlines()

    async def order(self, number: int = 1) -> Subscription:
        """Return an order as it is stored."""
        found = await self.database.read(by_id, number)
        assert found is not None
        return found

    async def deliveries(self) -> list[Delivery]:
        """Return all that is or was owed."""
        return await self.database.read(list_deliveries)


async def _subscribed(database: Database, seen: Rooms, *lines: str) -> Channel:
    channel = Channel(database, seen)
    for line in lines or ("subscribe",):
        await channel.ask(line)
    return channel


def _refuse(session: Session, number: int) -> None:
    order = by_id(session, number)
    assert order is not None
    refused = replace(order, state=SubscriptionState.REFUSED, refusal=REFUSED)
    update_subscription(session, refused)


async def test_a_channel_without_orders_is_offered_some(filled: Database, seen: Rooms) -> None:
    """It says so, and how one is given: at once, or with a form."""
    channel = Channel(filled, seen)
    reply = await channel.ask("subscriptions")
    assert plain_text(reply).startswith("#ml gets no posts yet.")
    assert {(b.command, b.form) for b in buttons(reply).values()} == {
        ("subscribe", False),
        ("subscribe", True),
    }
    for line in ("pause", "resume", "unsubscribe", "deliver"):
        assert await channel.refused(line) == [
            "#ml gets no posts.",
            "subscribe makes it get one every week.",
            "",
            "  > subscribe",
            "    Subscribe",
        ]


async def test_an_order_is_listed_with_its_buttons(filled: Database, seen: Rooms) -> None:
    """When, what, its state, the next instant; the last post, and its instant, once it is made."""
    channel = await _subscribed(filled, seen)
    reply = await channel.ask("subscriptions")
    assert plain_text(reply).splitlines()[:7] == [
        "Posts in #ml",
        "",
        "Subscription 1  every Monday at 09:00 (UTC)",
        "Posts           dair · at most 10 papers · compact",
        "State           active",
        "",
        "Next  Monday, Jan 19, 2026, 09:00 (UTC)",
    ]
    lines = {label: each.command for label, each in buttons(reply).items() if not each.form}
    assert lines == {"Preview": "preview 1", "Pause": "pause 1", "Unsubscribe": "unsubscribe 1"}
    assert buttons(reply)["Change"].form
    await channel.ask("deliver")
    await filled.write(became, 1, DeliveryState.SENT, url="https://example.org/1")
    text = plain_text(await channel.ask("subscriptions"))
    assert "Last post       dair, Jan 5–11, 2026 · https://example.org/1" in text
    assert "Posted  Monday, Jan 12, 2026, 09:30 (UTC)" in text


async def test_of_several_each_is_named(filled: Database, seen: Rooms) -> None:
    """Buttons tell whose they are, and a command without a number offers each."""
    channel = await _subscribed(filled, seen, "subscribe", "subscribe fri topic:agents")
    reply = await channel.ask("subscriptions")
    assert {"Preview 1", "Preview 2", "Pause 1", "Unsubscribe 2"} <= set(buttons(reply))
    several = await channel.app.run_text("unsubscribe", channel.actor)
    assert plain_text(several).startswith("#ml has 2 subscriptions.\nWhich one?")
    assert {label: each.command for label, each in buttons(several).items()} == {
        "1: Monday 09:00, dair": "unsubscribe 1",
        "2: Friday 09:00, dair, agents": "unsubscribe 2",
    }


async def test_another_workspaces_order_is_none(filled: Database, seen: Rooms) -> None:
    """A number of another workspace is answered as an unknown one, whatever the command."""
    channel = await _subscribed(filled, seen)
    channel.actor = replace(channel.actor, workspace="T2")
    for command in ("pause", "resume", "unsubscribe", "preview", "deliver", "subscribe change:1"):
        line = command if ":" in command else f"{command} 1"
        assert (await channel.refused(line))[0] == "There is no subscription 1 here."


async def test_an_order_of_a_channel_that_one_is_not_in_is_none(
    filled: Database, seen: Rooms
) -> None:
    """The owner, or a manager of all, can still stop it, even if the channel is gone."""
    channel = await _subscribed(filled, seen, "subscribe in:C2")
    seen.rooms = [room for room in seen.rooms if room.id != "C2"]
    other = Channel(filled, seen)
    other.actor = replace(other.actor, user="U2")
    assert (await other.refused("unsubscribe 1"))[0] == "There is no subscription 1 here."
    await channel.ask("pause 1")
    other.actor = replace(other.actor, owns=True)
    await other.ask("unsubscribe 1")
    assert (await channel.order()).cancelled_at == MONDAY.at


@pytest.mark.parametrize("owns", [False, True])
async def test_who_is_not_in_a_channel_can_do_no_more_than_stop_its_subscription(
    filled: Database, seen: Rooms, *, owns: bool
) -> None:
    """A command that shows the channel, or acts there, is refused with a remedy, to admins too.

    Only admins are told which channel it is.
    """
    channel = await _subscribed(filled, seen, "subscribe in:C2")
    seen.rooms = [room for room in seen.rooms if room.id != "C2"]
    channel.actor = replace(channel.actor, owns=owns, user="U2" if owns else "U1")
    before, entered = await channel.order(), len(seen.entered)
    where = "#secret" if owns else "that channel"
    sentence = f"You or Broadsheet are not in {where}: from elsewhere subscription 1 can be paused"
    for line in ("preview 1", "resume 1", "deliver 1", "deliver 1 again:1", "subscribe change:1"):
        assert await channel.refused(line) == [
            f"{sentence} and cancelled, and no more.",
            f"Ask somebody who is in {where} to do it there.",
            "",
            "  > pause 1",
            "    Pause it",
            "  > unsubscribe 1",
            "    Cancel it",
        ]
    assert (await channel.order(), len(seen.entered)) == (before, entered)
    assert await channel.deliveries() == []
    for line in ("pause 1", "unsubscribe 1"):
        assert buttons(await channel.ask(line)) == {}


async def test_where_a_platform_does_not_tell_that_is_said(filled: Database, seen: Rooms) -> None:
    """Trouble of the platform's own is not taken for a channel that was left."""
    channel = await _subscribed(filled, seen, "subscribe in:C2")
    seen.trouble = UserError("The platform is away.", "Try again in a moment.")
    for line in ("preview 1", "resume 1", "deliver 1"):
        assert (await channel.refused(line))[0] == "The platform is away."
    await channel.ask("pause 1")


async def test_a_number_and_a_channel_have_to_agree(filled: Database, seen: Rooms) -> None:
    """A number of another of the workspace's channels will do alone, and not with that channel."""
    channel = await _subscribed(filled, seen, "subscribe in:C2")
    await channel.ask("preview 1")
    assert (await channel.refused("preview 1 in:#papers"))[0] == "There is no subscription 1 here."
    await channel.ask("preview in:#secret")


async def test_unsubscribing_can_be_undone(database: Database, seen: Rooms) -> None:
    """It posts nothing more and stays in the ledger; Undo has it stand as before."""
    channel = await _subscribed(database, seen)
    before = await channel.order()
    reply = await channel.ask("unsubscribe")
    assert await database.read(list_subscriptions) == []
    await channel.ask(buttons(reply)["Undo"].command)
    assert await channel.order() == before


async def test_a_pause_ends_by_itself_or_by_hand(filled: Database, seen: Rooms) -> None:
    """Nothing is due meanwhile, and what was not sent yet waits."""
    channel = await _subscribed(filled, seen)
    await channel.ask("deliver")
    reply = await channel.ask("pause until:2w")
    paused = await channel.order()
    assert (paused.state, paused.next_due_at) == (SubscriptionState.PAUSED, None)
    assert paused.paused_until == datetime(2026, 1, 26, tzinfo=UTC)
    assert [each.state for each in await channel.deliveries()] == [DeliveryState.SKIPPED]
    assert "paused until Monday, Jan 26, 2026, 00:00 (UTC)" in plain_text(reply)
    again = await channel.ask("pause")
    assert "paused until it is resumed" in plain_text(again)
    resumed = await channel.ask(buttons(again)["Undo"].command)
    assert instants(resumed) == ["2026-01-19T09:00"]
    assert (await channel.order()).state is SubscriptionState.ACTIVE
    assert [each.state for each in await channel.deliveries()] == [DeliveryState.RETRY]


async def test_a_pause_of_a_week_in_hours_leaves_out_the_next_post_alone(
    filled: Database, seen: Rooms
) -> None:
    """It holds one due time, also where a post came earlier on this very day."""
    channel = await _subscribed(filled, seen)
    due = (await channel.order()).next_due_at
    assert due is not None
    await channel.ask("pause until:168h")
    end = (await channel.order()).paused_until
    assert end is not None
    assert due <= end < due + timedelta(weeks=1)


async def test_a_pause_ends_as_the_day_begins_where_the_posts_are(
    filled: Database, seen: Rooms
) -> None:
    """It is told in the zone it was reckoned in; a day that has begun there is refused."""
    channel = await _subscribed(filled, seen, "subscribe Asia/Tokyo")
    channel.actor = replace(channel.actor, zone="America/Los_Angeles")
    told = plain_text(await channel.ask("pause until:monday"))
    assert "is paused until Monday, Jan 19, 2026, 00:00 (Asia/Tokyo)." in told
    late = FixedClock(datetime(2026, 1, 13, 7, 30, tzinfo=UTC))
    there = Channel(filled, seen, FixedClock(late.at + timedelta(hours=9)))
    there.actor = channel.actor
    assert await there.refused("pause until:tomorrow") == [
        "That day has begun where subscription 1 posts (Asia/Tokyo).",
        "Name a later one.",
    ]


@pytest.mark.parametrize(
    ("line", "nearest"),
    [
        ("pause 1 until monday", ["pause 1 until:monday", "pause 1"]),
        ("pause monday", ["pause until:monday", "pause 1"]),
        ("unsubscribe subscription 1", ["unsubscribe 1"]),
        ("unsubscribe #secret", ["unsubscribe in:#secret", "unsubscribe 1"]),
    ],
)
async def test_a_wrong_number_is_answered_with_the_nearest_right_thing(
    filled: Database, seen: Rooms, line: str, nearest: list[str]
) -> None:
    """A number in the words is suggested first, then the existing ones."""
    channel = await _subscribed(filled, seen)
    reply = await channel.app.run_text(line, channel.actor)
    assert reply.failed
    assert [each.command for each in buttons(reply).values()] == nearest


async def test_what_is_active_is_resumed_as_it_is(filled: Database, seen: Rooms) -> None:
    """The answer says that nothing has changed."""
    channel = await _subscribed(filled, seen)
    before = await channel.order()
    assert "already; nothing has changed" in plain_text(await channel.ask("resume"))
    assert await channel.order() == before


async def test_what_was_refused_is_resumed_once_the_bot_is_let_in(
    filled: Database, seen: Rooms
) -> None:
    """The list says why it was, in words with the remedy; resuming looks whether that helped."""
    channel = await _subscribed(filled, seen)
    await filled.write(_refuse, 1)
    text = plain_text(await channel.ask("subscriptions"))
    assert REFUSED.sentence in text
    assert REFUSED.remedy in text
    seen.closed = {"C1"}
    assert (await channel.refused("resume"))[0] == "I can't post there."
    assert (await channel.order()).state is SubscriptionState.REFUSED
    seen.closed = set()
    await channel.ask("resume")
    order = await channel.order()
    assert (order.state, order.refusal) == (SubscriptionState.ACTIVE, None)
    assert order.next_due_at == datetime(2026, 1, 19, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("pause", "Subscription 1 is paused until it is resumed."),
        ("unsubscribe 1", "Subscription 1 is cancelled: #ml gets no more of it."),
        ("unsubscribe", "Subscription 1 is cancelled: #ml gets no more of it."),
        ("resume 1", "Subscription 1 posts in #ml every Monday at 09:00 (UTC)."),
        ("deliver 1", "Posting dair, Jan 5–11, 2026 in #ml now."),
    ],
)
async def test_a_request_that_comes_again_does_nothing_twice(
    filled: Database, seen: Rooms, line: str, first: str
) -> None:
    """Delivered twice, it is answered the same."""
    channel = await _subscribed(filled, seen)
    if line.startswith("resume"):
        await channel.ask("pause")
    said = await channel.ask(line, "slack:T1:9")
    stands = (await channel.order(), await channel.deliveries())
    assert await channel.ask(line, "slack:T1:9") == said
    assert (await channel.order(), await channel.deliveries()) == stands
    assert plain_text(said).splitlines()[0] == first


async def test_a_post_that_was_asked_for_is_not_said_to_have_been_there(
    database: Database, seen: Rooms
) -> None:
    """Though it was sent before the same request came again; another one is told so."""
    await database.write(take_in, WEEK)
    channel = await _subscribed(database, seen)
    said = await channel.ask("deliver", "discord:9")
    [delivery] = await channel.deliveries()
    await database.write(became, delivery.id, DeliveryState.SENT, url="https://example.org/1")
    assert await channel.ask("deliver", "discord:9") == said
    assert "was posted in #ml already" in plain_text(await channel.ask("deliver", "discord:10"))


async def test_a_request_that_comes_again_late_undoes_nothing(
    filled: Database, seen: Rooms
) -> None:
    """Later changes stay, and the answer mentions them."""
    channel = await _subscribed(filled, seen)
    await channel.ask("pause", "slack:T1:9")
    await channel.ask("resume", "slack:T1:10")
    reply = await channel.app.run_text("pause", channel.actor, "slack:T1:9")
    assert "subscription 1 has changed since" in plain_text(reply)
    assert (await channel.order()).state is SubscriptionState.ACTIVE


async def test_deliver_posts_at_once_and_once(database: Database, seen: Rooms) -> None:
    """It is enqueued and posting is notified; a posted edition links to its post."""
    await database.write(take_in, WEEK)
    channel = await _subscribed(database, seen)
    channel.rung.clear()
    reply = await channel.ask("deliver")
    assert plain_text(reply) == "Posting dair, Jan 5–11, 2026 in #ml now."
    assert channel.rung == [None]
    [delivery] = await channel.deliveries()
    assert (delivery.state, delivery.due_at) == (DeliveryState.PENDING, MONDAY.at)
    await database.write(became, delivery.id, DeliveryState.SENT, url="https://example.org/1")
    again = plain_text(await channel.ask("deliver 1"))
    assert again.splitlines() == [
        "dair, Jan 5–11, 2026 was posted in #ml already; nothing is posted again.",
        "Posted Monday, Jan 12, 2026, 09:30 (UTC) · https://example.org/1",
    ]
    assert len(await channel.deliveries()) == 1


async def test_deliver_posts_each_source_that_is_followed(filled: Database, seen: Rooms) -> None:
    """One delivery a source; one without an edition is not spoken of."""
    channel = await _subscribed(filled, seen, "subscribe from:all")
    text = plain_text(await channel.ask("deliver"))
    assert "Posting dair, Jan 5–11, 2026 in #ml now." in text
    assert "Posting paperdive, Dec 22–28, 2025 in #ml now." in text
    assert len(await channel.deliveries()) == 2


async def test_deliver_says_where_the_filters_keep_nothing(filled: Database, seen: Rooms) -> None:
    """The answer says why no post comes, and where to look."""
    channel = await _subscribed(filled, seen, "subscribe topic:robotics")
    text = plain_text(await channel.ask("deliver"))
    assert text.splitlines() == [
        "The filters keep nothing of dair, Jan 5–11, 2026, so nothing is posted.",
        "preview 1 says why.",
    ]


async def test_nothing_stored_is_nothing_posted(database: Database, seen: Rooms) -> None:
    """The answer says that there is nothing, and what the order follows."""
    channel = await _subscribed(database, seen)
    text = plain_text(await channel.ask("deliver"))
    assert text.startswith("There is nothing to post: no edition that subscription 1 follows")
    assert await channel.deliveries() == []


async def test_deliver_looks_whether_the_bot_may(filled: Database, seen: Rooms) -> None:
    """A refused subscription is resumed first; if that fails, nothing is enqueued."""
    channel = await _subscribed(filled, seen)
    await filled.write(_refuse, 1)
    seen.closed = {"C1"}
    assert (await channel.refused("deliver"))[0] == "I can't post there."
    assert await channel.deliveries() == []
    seen.closed = set()
    await channel.ask("deliver")
    assert (await channel.order()).state is SubscriptionState.ACTIVE
    assert len(await channel.deliveries()) == 1
    await channel.ask("unsubscribe")
    assert (await channel.refused("deliver 1"))[0] == "Subscription 1 was cancelled."


async def test_a_paused_order_can_be_posted_now(filled: Database, seen: Rooms) -> None:
    """The pause stays."""
    channel = await _subscribed(filled, seen)
    await channel.ask("pause")
    await channel.ask("deliver")
    assert [each.state for each in await channel.deliveries()] == [DeliveryState.PENDING]
    assert (await channel.order()).state is SubscriptionState.PAUSED


async def test_what_nobody_knows_of_is_posted_again_by_its_button(
    filled: Database, seen: Rooms
) -> None:
    """Both the list and deliver offer it; a delivery of another order is none."""
    channel = await _subscribed(filled, seen, "subscribe", "subscribe fri")
    await channel.ask("deliver 1")
    await filled.write(became, 1, DeliveryState.UNKNOWN)
    reply = await channel.ask("subscriptions")
    assert "Unknown: nobody can tell whether dair, Jan 5–11, 2026 was posted." in plain_text(reply)
    command = buttons(reply)["Post again"].command
    assert buttons(await channel.ask("deliver 1"))["Post again"].command == command
    wrong = command.replace("deliver 1", "deliver 2")
    assert (await channel.refused(wrong))[0] == "Subscription 2 has no delivery 1."
    again = await channel.ask(command)
    assert plain_text(again) == "Posting dair, Jan 5–11, 2026 in #ml now."
    assert [each.state for each in await channel.deliveries()] == [DeliveryState.RETRY]


async def test_why_a_post_is_not_there_is_said(filled: Database, seen: Rooms) -> None:
    """Failures, retries, and a due time without an edition."""
    channel = await _subscribed(filled, seen)
    await channel.ask("deliver")
    for state, said in (
        (DeliveryState.RETRY, "not posted yet, tried 3 times: It is busy."),
        (DeliveryState.DEAD, "could not be posted: It is busy."),
        (DeliveryState.SKIPPED, "not posted: It is busy."),
    ):
        await filled.write(became, 1, state, error="It is busy.", attempts=3)
        assert said in plain_text(await channel.ask("subscriptions"))
    missed = replace(await channel.order(), missed_at=MONDAY.at + timedelta(days=7))
    await filled.write(update_subscription, missed)
    text = plain_text(await channel.ask("subscriptions"))
    assert "Nothing came for Monday, Jan 19, 2026, 09:30 (UTC) within 3 days." in text


async def test_what_waits_for_its_turn_is_said(filled: Database, seen: Rooms) -> None:
    """A postponement is no attempt: the answer has its end, by the clock of dates."""
    channel = await _subscribed(filled, seen)
    await channel.ask("deliver")
    channel.app = bot_of(filled, MONDAY)  # whose system clock is the real one
    until = datetime.now(UTC) + timedelta(minutes=5, seconds=5)
    for error, tried, said in (
        (None, 0, "waiting for its turn until"),
        ("It is busy.", 3, "not posted yet, tried 3 times, next"),
    ):
        state = DeliveryState.RETRY if error else DeliveryState.PENDING
        await filled.write(became, 1, state, error=error, attempts=tried, waits_until=until)
        text = plain_text(await channel.ask("subscriptions"))
        at = MONDAY.at + timedelta(minutes=5, seconds=5)
        assert f"{said} Monday, {at:%b} {at.day}, {at:%Y, %H:%M} (UTC)" in text


async def test_what_is_waited_for_is_said(filled: Database, seen: Rooms) -> None:
    """Until its patience ends a due time that is open is named."""
    channel = await _subscribed(filled, seen)
    await filled.write(update_subscription, replace(await channel.order(), open_due_at=MONDAY.at))
    text = plain_text(await channel.ask("subscriptions"))
    assert (
        "waiting for what was due Monday, Jan 12, 2026, 09:30 (UTC),"
        " until Thursday, Jan 15, 2026, 09:30 (UTC)"
    ) in text


async def test_preview_says_what_is_kept_and_why_not_the_rest(
    filled: Database, seen: Rooms
) -> None:
    """Of what its source has, and over the last eight weeks; any reader may ask."""
    channel = await _subscribed(filled, seen, "subscribe topic:agents from:dair,hf-daily")
    reply = await channel.ask("preview")
    text = plain_text(reply)
    assert "Would post 1 of 3 papers of dair, Jan 5–11, 2026" in text
    assert "(wanted: agents)" in text
    assert "hf-daily has no edition to post yet." in text
    assert "Over the last 8 weeks these filters keep 1 of 5 papers." in text
    assert buttons(reply)["Post it now"].command == "deliver 1"
    await channel.ask("deliver")
    assert "Post it now" not in buttons(await channel.ask("preview 1"))


async def test_what_is_shared_tells_of_a_private_channel_inside_it_alone(
    filled: Database, seen: Rooms
) -> None:
    """Elsewhere people see it who are not in that channel."""
    channel = await _subscribed(filled, seen, "subscribe in:C2")
    channel.actor = replace(channel.actor, shares=True)
    for line in ("preview 1", "preview in:C2", "subscriptions in:C2"):
        assert await channel.refused(line) == [
            "This is about a private channel, so it can be shared in that channel alone."
        ]
    for inside in (
        replace(channel.actor, channel="C2"),
        replace(channel.actor, channel="T9", parent="C2"),
    ):
        channel.actor = inside
        await channel.ask("preview 1")


async def test_completion_offers_the_channels_orders(filled: Database, seen: Rooms) -> None:
    """The id is completed by those where one is, in a thread by those of its channel."""
    channel = await _subscribed(filled, seen, "subscribe", "subscribe in:C2")
    inside = replace(channel.actor, channel="T9", parent="C1")
    for actor in (channel.actor, inside):
        found = await channel.app.complete("pause ", actor)
        assert [(each.text, each.label) for each in found if each.text == "1"] == [
            ("1", "every Monday at 09:00 (UTC)")
        ]
        assert "2" not in {each.text for each in found}


async def test_a_channels_new_name_is_noted(filled: Database, seen: Rooms) -> None:
    """Whenever the channel is looked at, what is stored of it follows."""
    channel = await _subscribed(filled, seen)
    seen.rooms[0] = replace(seen.rooms[0], name="papers-ml", private=True)
    await channel.ask("subscriptions")
    facts = (await channel.order()).facts
    assert (facts.name, facts.private) == ("papers-ml", True)


async def test_a_newer_edition_is_what_is_posted(filled: Database, seen: Rooms) -> None:
    """Of each source only the newest; an older one is never asked for."""
    channel = await _subscribed(filled, seen)
    first_day = WEEK.first_day + timedelta(days=6)
    newer = replace(WEEK, first_day=first_day, last_day=first_day)
    await filled.write(take_in, newer, "dair")
    await channel.ask("deliver")
    [delivery] = await channel.deliveries()
    assert delivery.first_day == first_day
