"""`subscribe`: an order for a channel, what it answers, and how it is changed."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.actor import Role
from bot.app import Broadsheet
from bot.commands.handlers.channel.subscribe import SUBSCRIBE
from bot.commands.handlers.channel.subscribe_form import FIELDS
from bot.commands.types import PRESSED
from bot.replies.blocks import Reply, Visibility
from bot.replies.plain_text import plain_text
from bot.sources.followed import follow_predefined
from store.database import Database
from store.posting.change_subscription import mark_of
from store.posting.subscriptions import list_subscriptions
from store.records import Channel, ChannelFacts, Layout, Subscription, Workspace
from tests.bot.conftest import REVIEW, WEEK, FixedClock
from tests.bot.ingest.imports import take_in
from tests.bot.member_channels import ML, Rooms, bot_over, manager, rooms
from tests.bot.replies.parts import buttons, instants

# A Monday, half an hour after the usual time in UTC.
MONDAY = FixedClock(datetime(2026, 1, 12, 9, 30, tzinfo=UTC))


async def _only(database: Database) -> Subscription:
    [order] = await database.read(list_subscriptions)
    return order


async def test_bare_subscribe_has_every_default(database: Database) -> None:
    """Monday 09:00 in the program's zone, ten papers at most, compact, three days of patience."""
    reply = await bot_over(database, MONDAY).run_text("subscribe", manager(rooms()))
    order = await _only(database)
    assert order == Subscription(
        channel=Channel(Workspace("slack", "T1"), "C1"),
        weekday=0,
        local_time=order.local_time,
        zone="UTC",
        next_due_at=datetime(2026, 1, 19, 9, tzinfo=UTC),
        sources=("dair",),
        size=10,
        layout=Layout.COMPACT,
        patience=timedelta(days=3),
        owner="U1",
        facts=ChannelFacts("ml"),
        id=order.id,
    )
    assert f"{order.local_time:%H:%M}" == "09:00"
    assert reply.visibility is Visibility.PRIVATE


@pytest.mark.parametrize(
    ("asker", "channel", "left_out"),
    [
        ({}, "", set()),
        ({"in_direct": True}, "C1", set()),
        ({"in_direct": True}, "", {"layout", "patience"}),
        ({"in_direct": True, "role": Role.READER}, "", {"layout", "patience", "channel"}),
        ({"in_direct": True, "home": "T1"}, "", {"layout", "patience", "channel"}),
    ],
)
def test_a_form_asks_for_what_its_post_goes_by(
    asker: dict[str, Any], channel: str, left_out: set[str]
) -> None:
    """In direct messages it is about a digest, unless it names a channel that there may be."""
    actor = replace(manager(rooms()), **asker)
    asked = SUBSCRIBE.in_form(actor, {"channel": channel} if channel else {}).shown
    assert {each.name for each in FIELDS} - {each.name for each in asked} == left_out


async def test_the_answer_says_all_that_was_ordered(filled: Database) -> None:
    """Its id, when in words, what, the zone and whence, the next three instants, a preview."""
    app = bot_over(filled, MONDAY)
    reply = await app.run_text("subscribe tuesday 17:30 Berlin topic:agents", manager(rooms()))
    order = await _only(filled)
    text = plain_text(reply)
    first = f"Subscription {order.id}: #ml gets posts every Tuesday at 17:30 (Europe/Berlin)."
    assert text.splitlines()[0] == first
    assert "dair · topic agents · at most 10 papers · compact" in text
    assert "Europe/Berlin, as given" in text
    assert "3 days for an edition that is late" in text
    assert instants(reply) == ["2026-01-13T16:30", "2026-01-20T16:30", "2026-01-27T16:30"]
    assert "Would post 1 of 3 papers of dair, Jan 5–11, 2026" in text
    mark = f"seen:{mark_of(order)}"
    assert {label: each.command for label, each in buttons(reply).items() if not each.form} == {
        "Preview": f"preview {order.id}",
        "Post it now": f"deliver {order.id}",
        "Undo": f"unsubscribe {order.id} {mark}",
    }
    change = buttons(reply)["Change"]
    assert change.form
    assert change.command.endswith(
        "in:C1 from:dair topic:agents not:none size:10 layout:compact patience:3d"
        f" change:{order.id} {mark}"
    )


@pytest.mark.parametrize(
    ("known", "zone", "whence"),
    [
        ("given last profile settled", "Asia/Tokyo", "as given"),
        ("last profile settled", "Europe/Paris", "from this channel's last subscription"),
        ("profile settled", "America/New_York", "from your profile"),
        ("settled", "Europe/Berlin", "from this workspace's settings"),
        ("", "UTC", "the program's default"),
    ],
)
async def test_the_zone_is_the_nearest_that_is_known(
    filled: Database, known: str, zone: str, whence: str
) -> None:
    """The named one, then the channel's last, the user's, the workspace's, the program's."""
    app, asker = bot_over(filled, MONDAY), manager(rooms())
    if "settled" in known:
        await app.run_text("settings zone Europe/Berlin", asker)
    if "last" in known:
        # An order that was taken back counts as well.
        await app.run_text("subscribe Europe/Paris", asker)
        await app.run_text("unsubscribe", asker)
    asker = replace(asker, zone="America/New_York" if "profile" in known else None)
    line = "subscribe Asia/Tokyo" if "given" in known else "subscribe"
    assert f"{zone}, {whence}" in plain_text(await app.run_text(line, asker))
    assert (await _only(filled)).zone == zone


async def test_without_from_it_follows_the_newest_editions_source(filled: Database) -> None:
    """The source of the newest real edition is named, also where another is asked for later."""
    newer = replace(REVIEW, first_day=WEEK.first_day + timedelta(days=7), last_day=MONDAY.at.date())
    await filled.write(take_in, newer, "paperdive")
    reply = await bot_over(filled, MONDAY).run_text("subscribe", manager(rooms()))
    assert (await _only(filled)).sources == ("paperdive",)
    assert "paperdive · at most" in plain_text(reply)


async def test_where_nothing_is_stored_it_says_so(database: Database) -> None:
    """Then it follows dair, and posts what comes."""
    reply = await bot_over(database, MONDAY).run_text("subscribe", manager(rooms()))
    assert "Nothing that it follows is stored yet; it posts what comes." in plain_text(reply)
    assert (await _only(database)).sources == ("dair",)


async def test_a_source_that_is_not_fetched_is_told(database: Database) -> None:
    """The subscription is stored, and the answer says who can enable its source."""
    await follow_predefined(database)
    line = "subscribe from:paperdive"
    reply = await bot_over(database, MONDAY).run_text(line, manager(rooms()))
    assert (await _only(database)).sources == ("paperdive",)
    assert "paperdive is not fetched" in plain_text(reply)
    assert "broadsheet sources enable paperdive" in plain_text(reply)


async def test_a_first_post_that_is_old_is_said_to_be(filled: Database) -> None:
    """Three weeks after the newest edition the preview says how old that is."""
    later = FixedClock(datetime(2026, 2, 2, 9, tzinfo=UTC))
    reply = await bot_over(filled, later).run_text("subscribe", manager(rooms()))
    assert "(3 weeks old)" in plain_text(reply)


@pytest.mark.parametrize(
    ("channel", "settled", "given", "layout"),
    [
        ("C1", None, "", Layout.COMPACT),
        ("C3", None, "", Layout.THREAD),
        ("C1", "full", "", Layout.FULL),
        ("C3", "full", "", Layout.FULL),
        ("C3", "full", "layout:compact", Layout.COMPACT),
    ],
)
async def test_the_layout_is_the_workspaces_or_the_channels(
    filled: Database, channel: str, settled: str | None, given: str, layout: Layout
) -> None:
    """Given, then what the workspace settled, then thread in a forum and compact elsewhere."""
    app, seen = bot_over(filled, MONDAY), rooms()
    if settled:
        await app.run_text(f"settings layout {settled}", manager(seen))
    await app.run_text(f"subscribe {given}", manager(seen, channel))
    assert (await _only(filled)).layout is layout
    assert seen.entered == [(channel, layout)]


async def test_a_channel_may_be_named(filled: Database) -> None:
    """`in:` subscribes another channel that the user is in, and notes if it is private."""
    app = bot_over(filled, MONDAY)
    await app.run_text("subscribe in:#secret", manager(rooms()))
    order = await _only(filled)
    assert (order.channel.external_id, order.facts) == ("C2", ChannelFacts("secret", private=True))


async def test_a_channel_needs_the_asker_in_it_and_the_bot_let_in(filled: Database) -> None:
    """Else nothing is stored, and the answer is the platform's words with their remedy."""
    seen = rooms()
    seen.closed = {"C1"}
    app = bot_over(filled, MONDAY)
    for line, said in (
        ("subscribe", "I can't post there."),
        ("subscribe in:C0987654321", "no such channel"),
    ):
        reply = await app.run_text(line, manager(seen))
        assert reply.failed
        assert said in plain_text(reply)
    assert await filled.read(list_subscriptions) == []


async def test_a_thread_stands_for_the_channel_it_belongs_to(filled: Database) -> None:
    """Unless the thread gets posts of its own."""
    seen = rooms()
    seen.rooms.append(replace(ML, id="T9", name="a thread", parent="C1"))
    app, asker = bot_over(filled, MONDAY), replace(manager(seen, "T9"), parent="C1")
    await app.run_text("subscribe", asker)
    assert (await _only(filled)).channel.external_id == "C1"
    await app.run_text("subscribe in:T9 friday", asker)
    assert plain_text(await app.run_text("subscriptions", asker)).startswith("Posts in a thread")


async def test_without_channels_there_is_nothing_to_order_for(filled: Database) -> None:
    """If a platform has no channels, the answer says so."""
    app = bot_over(filled, MONDAY)
    nowhere = replace(manager(rooms()), channels=None)
    assert "A channel is needed" in plain_text(await app.run_text("subscribe", nowhere))
    reply = await app.run_text("subscribe", replace(nowhere, channel=None))
    assert "That is done in a channel. Type there:\n/papers subscribe" in plain_text(reply)


async def test_where_nobody_is_in_a_channel_one_is_named(filled: Database) -> None:
    """A request outside of all channels, as in a modal, is about the one that it names."""
    app, asker = bot_over(filled, MONDAY), replace(manager(rooms()), channel=None)
    for line in ("subscribe", "subscriptions", "pause", "preview"):
        reply = await app.run_text(line, asker)
        assert reply.failed
        assert plain_text(reply).splitlines() == [
            "Which channel? You ask in none.",
            "Ask in a channel, or name it: in:#papers.",
        ]
    by_name = await app.run_text("subscribe", replace(asker, by_name=True))
    assert "name it: channel:." in plain_text(by_name)
    await app.run_text("subscribe in:#ml", asker)
    assert (await _only(filled)).channel.external_id == "C1"
    assert [each.text for each in await app.complete("paus", asker)] == ["pause"]


async def test_a_number_says_which_channel_is_meant(filled: Database) -> None:
    """So the buttons of a subscription work anywhere, for users in its channel."""
    app, asker = bot_over(filled, MONDAY), replace(manager(rooms()), channel=None)
    await app.run_text("subscribe in:#ml", asker)
    for line in ("preview 1", "pause 1", "resume 1", "deliver 1", "unsubscribe 1", "resume 1"):
        reply = await app.run_text(line, asker)
        assert not reply.failed, plain_text(reply)
    stranger = replace(asker, user="U2", channels=Rooms([]))
    assert "no subscription 1 here" in plain_text(await app.run_text("preview 1", stranger))


async def test_the_same_again_adds_nothing(filled: Database) -> None:
    """An identical subscription is answered with the stored one; another is added."""
    app, asker = bot_over(filled, MONDAY), manager(rooms())
    await app.run_text("subscribe", asker)
    again = await app.run_text("subscribe monday 9:00 from:dair", asker)
    order = await _only(filled)
    assert plain_text(again).startswith(f"#ml has that already: subscription {order.id}.")
    assert "Undo" not in buttons(again)
    await app.run_text("subscribe size:5", asker)
    assert len(await filled.read(list_subscriptions)) == 2


@pytest.mark.parametrize("line", ["subscribe UTC", "subscribe"])
async def test_a_request_that_comes_again_adds_once_and_is_told_the_same(
    database: Database, line: str
) -> None:
    """Delivered twice, a request is carried out once; what has changed since stays."""
    app, asker = bot_over(database, MONDAY), manager(rooms())
    first = await app.run_text(line, asker, "slack:T1:1")
    assert await app.run_text(line, asker, "slack:T1:1") == first
    order = await _only(database)
    await app.run_text(f"unsubscribe {order.id}", asker)
    late = await app.run_text(line, asker, "slack:T1:1")
    assert late.failed
    assert await database.read(list_subscriptions) == []


async def test_a_change_keeps_what_it_says_nothing_of(filled: Database) -> None:
    """Day, time, zone, topics and the rest stay, unless they are named; the next instant is new."""
    app, asker = bot_over(filled, MONDAY), manager(rooms())
    await app.run_text("subscribe tue 17:30 Berlin topic:agents size:5 layout:full", asker)
    before = await _only(filled)
    reply = await app.run_text(f"subscribe change:{before.id} friday", asker, origin=PRESSED)
    assert await _only(filled) == replace(
        before, weekday=4, next_due_at=datetime(2026, 1, 16, 16, 30, tzinfo=UTC)
    )
    undone = await app.run_text(buttons(reply)["Undo"].command, asker, origin=PRESSED)
    assert await _only(filled) == before
    await app.run_text(f"subscribe change:{before.id} topic:none", asker, origin=PRESSED)
    assert await _only(filled) == replace(before, topics=())
    assert "Europe/Berlin" in plain_text(undone)


async def test_the_form_opens_with_what_stands(filled: Database) -> None:
    """The line of Change, asked as it is, changes nothing."""
    app, asker = bot_over(filled, MONDAY), manager(rooms())
    line = "subscribe sun 0:00 Apia from:all topic:agents,rag not:vision size:25 patience:0"
    first = await app.run_text(line, asker)
    before = await _only(filled)
    reply = await app.run_text(buttons(first)["Change"].command, asker, origin=PRESSED)
    assert "is so already; nothing has changed" in plain_text(reply)
    assert await _only(filled) == before


async def test_an_order_stays_in_its_channel(filled: Database) -> None:
    """A change to another channel is refused, and so is one of what was taken back or is not."""
    app, asker = bot_over(filled, MONDAY), manager(rooms())
    await app.run_text("subscribe", asker)
    number = (await _only(filled)).id
    moved = await app.run_text(f"subscribe change:{number} in:C2", asker, origin=PRESSED)
    assert f"Subscription {number} stays in #ml." in plain_text(moved)
    await app.run_text("unsubscribe", asker)
    assert (
        await _failed(app, f"subscribe change:{number}") == f"Subscription {number} was cancelled."
    )
    assert await _failed(app, "subscribe change:99") == "There is no subscription 99 here."


async def _failed(app: Broadsheet, line: str) -> str:
    reply: Reply = await app.run_text(line, manager(rooms()), origin=PRESSED)
    assert reply.failed
    return plain_text(reply).splitlines()[0]


async def test_readers_order_nothing(filled: Database) -> None:
    """A reader sees what a channel gets and orders nothing."""
    app, reader = bot_over(filled, MONDAY), replace(manager(rooms()), role=Role.READER)
    assert (await app.run_text("subscribe", reader)).failed
    reply = await app.run_text("subscriptions", reader)
    assert (reply.failed, buttons(reply)) == (False, {})


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("subscribe dair", ["subscribe from:dair"]),
        ("subscribe agents", ["subscribe topic:agents", "subscribe not:agents"]),
        ("subscribe agents rag", ["subscribe topic:agents,rag", "subscribe not:agents,rag"]),
        ("subscribe topic agents friday", ["subscribe friday topic:agents"]),
        ("subscribe topic:agents rag", ["subscribe topic:agents,rag"]),
        ("subscribe #secret", ["subscribe in:#secret"]),
        ("subscribe thread", ["subscribe layout:thread"]),
        ("subscribe mars", []),
    ],
)
async def test_words_without_the_name_they_need_are_understood(
    filled: Database, line: str, lines: list[str]
) -> None:
    """A word that is no day, time or zone is suggested as other arguments, by name."""
    reply = await bot_over(filled, MONDAY).run_text(line, manager(rooms()))
    text = plain_text(reply)
    assert text.startswith("I can't read ")
    assert "as a day, time or zone." in text
    assert "Anything else needs its name: in:, from:, topic:, not:" in text
    assert [each.command for each in buttons(reply).values()][: len(lines)] == lines


async def test_a_long_line_with_the_nearest_right_thing_is_labelled_by_that(
    filled: Database,
) -> None:
    """So is one that has what only buttons carry; a short one shows what would be typed."""
    app, asker = bot_over(filled, MONDAY), manager(rooms())
    await app.run_text("subscribe", asker)
    for line, label in (
        ("subscribe 25:00", "subscribe 23:00"),
        ("subscribe change:1 25:00", "time: 23:00"),
        ("subscribe monday 10:00 from:dair layout:full size:77", "size: 25"),
    ):
        assert list(buttons(await app.run_text(line, asker, origin=PRESSED))) == [label]
