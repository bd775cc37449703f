"""`status`: at one look what is posted next, what was, and why a channel did not get its post."""

from dataclasses import replace
from datetime import UTC, datetime

from bot.actor import Actor, Role
from bot.commands.handlers import COMMANDS
from bot.replies.blocks import Fields, Reply
from bot.replies.plain_text import plain_text
from store.database import Database, Session
from store.posting.subscriptions import by_id, update_subscription
from store.records import DeliveryState, Refusal, SubscriptionState
from tests.bot.conftest import FixedClock
from tests.bot.member_channels import bot_over, manager, rooms
from tests.bot.replies.parts import buttons, instants
from tests.store.posting.delivery_rows import became

MONDAY = FixedClock(datetime(2026, 1, 12, 9, 30, tzinfo=UTC))


async def _asked(database: Database, actor: Actor, *lines: str) -> Reply:
    app = bot_over(database, MONDAY)
    for line in lines:
        reply = await app.run_text(line, actor)
        assert not reply.failed, plain_text(reply)
    return await app.run_text("status", actor)


def _rows(reply: Reply) -> list[tuple[str, str]]:
    return [pair for block in reply.blocks if isinstance(block, Fields) for pair in block.pairs]


async def test_without_orders_it_says_how_to_give_one(filled: Database) -> None:
    """A manager in a channel can press it at once; a reader reads how."""
    reply = await _asked(filled, manager(rooms()))
    assert "No channel gets posts yet.\nsubscribe, asked in a channel" in plain_text(reply)
    assert {each.command for each in buttons(reply).values()} == {"subscribe"}
    reader = replace(manager(rooms()), role=Role.READER)
    assert buttons(await _asked(filled, reader)) == {}


async def test_next_and_last_posts_are_told(filled: Database) -> None:
    """The soonest five first, each with its channel; the latest five with their outcome."""
    days = ("mon", "tue", "wed", "thu", "fri", "sat")
    asker = manager(rooms())
    await _asked(filled, asker, *(f"subscribe {day}" for day in days))
    reply = await _asked(filled, asker, "deliver 1", "deliver 2")
    await filled.write(became, 1, DeliveryState.SENT, url="https://a.org/1")
    reply = await _asked(filled, asker)
    assert instants(reply)[:5] == [f"2026-01-{day}T09:00" for day in (13, 14, 15, 16, 17)]
    assert "1 post more." in plain_text(reply)
    assert _rows(reply)[:2] == [
        ("#ml (2)", "dair, Jan 5–11, 2026: being posted"),
        (
            "#ml (1)",
            "dair, Jan 5–11, 2026: posted Monday, Jan 12, 2026, 09:30 (UTC) · https://a.org/1",
        ),
    ]


async def test_what_is_wrong_comes_before_what_was_posted(filled: Database) -> None:
    """Refused, unknown, dead and missed, each with its channel, the remedy, and the way there."""
    asker = manager(rooms())
    lines = ("subscribe", "subscribe in:C2", "subscribe in:C3", "deliver 1", "deliver 2")
    await _asked(filled, replace(asker, owns=True), *lines)
    await filled.write(became, 1, DeliveryState.UNKNOWN)
    await filled.write(became, 2, DeliveryState.DEAD, error="The channel is archived.")
    await filled.write(_refused, 3)
    reply = await _asked(filled, replace(asker, owns=True))
    problems = plain_text(reply).split("Last posts:")[0]
    assert "#ml (1): Unknown: nobody can tell whether dair, Jan 5–11, 2026 was posted." in problems
    assert "#secret (2): dair, Jan 5–11, 2026: could not be posted: The channel is" in problems
    assert "#papers (3): I am not in it.\n/invite me." in problems
    commands = {label: each.command for label, each in buttons(reply).items()}
    assert commands == {
        "Post again": "deliver 1 again:1",
        "Post it now": "deliver 2",
        "Resume": "resume 3",
    }


async def test_private_channels_are_told_inside_them_or_to_those_who_manage_all(
    filled: Database,
) -> None:
    """Outside them, no user learns that they get posts, or their problems."""
    asker = manager(rooms())
    await _asked(filled, asker, "subscribe in:C2", "deliver 1")
    await filled.write(became, 1, DeliveryState.DEAD, error="It is full.")
    assert "No channel gets posts yet." in plain_text(await _asked(filled, asker))
    inside = replace(asker, channel="C2")
    thread = replace(asker, channel="T9", parent="C2")
    for seeing in (inside, thread, replace(asker, owns=True)):
        assert "#secret (1): dair" in plain_text(await _asked(filled, seeing))


async def test_what_is_shared_names_no_private_channel_but_the_one_it_is_shared_in(
    filled: Database,
) -> None:
    """Others see it than the one who manages all, who is told of each channel alone.

    That holds for whatever can be shared.
    """
    owner = replace(manager(rooms()), owns=True)
    await _asked(filled, owner, "subscribe", "subscribe in:C2", "deliver 2")
    await filled.write(became, 1, DeliveryState.DEAD, error="It is full.")
    assert "#secret" in plain_text(await _asked(filled, owner))
    shared = plain_text(await _asked(filled, replace(owner, shares=True)))
    assert "#ml (1)" in shared
    assert "secret" not in shared
    app, sharing = bot_over(filled, MONDAY), replace(owner, shares=True)
    quick = [each for each in COMMANDS if each.name != "trends"]  # whose pictures take seconds
    lines = [line for command in quick for line in (command.name, *command.examples)]
    told = {line: await app.run_text(line, sharing) for line in (*lines, "preview 2")}
    shared_too = {line: reply for line, reply in told.items() if reply.is_sharable}
    assert [line for line, reply in shared_too.items() if "secret" in str(reply)] == []
    inside = replace(owner, shares=True, channel="C2")
    assert "#secret (2)" in plain_text(await _asked(filled, inside))


async def test_workspaces_are_apart_but_for_the_operator(filled: Database) -> None:
    """Nobody sees another workspace's; the operator sees all, under platform and workspace."""
    await _asked(filled, manager(rooms()), "subscribe", "subscribe in:C2")
    elsewhere = replace(manager(rooms()), workspace="T2")
    assert "No channel gets posts yet." in plain_text(await _asked(filled, elsewhere))
    operator = Actor("terminal", "terminal", "operator", Role.OPERATOR)
    text = plain_text(await _asked(filled, operator))
    assert "slack T1 #ml (1)" in text
    assert "slack T1 #secret (2)" in text


async def test_what_is_paused_or_waited_for_is_told(filled: Database) -> None:
    """Why nothing comes where nothing is wrong."""
    asker = manager(rooms())
    await _asked(filled, asker, "subscribe", "subscribe fri", "pause 1 until:2w")
    await filled.write(_waiting, 2)
    due, last = "Monday, Jan 12, 2026, 09:30 (UTC)", "Thursday, Jan 15, 2026, 09:30 (UTC)"
    assert _rows(await _asked(filled, asker))[:2] == [
        ("#ml (1)", "paused until Monday, Jan 26, 2026, 00:00 (UTC)"),
        ("#ml (2)", f"waiting for what was due {due}, until {last}"),
    ]


def _refused(session: Session, number: int) -> None:
    order = by_id(session, number)
    assert order is not None
    refusal = Refusal("I am not in it.", "/invite me.", "not_in_channel")
    update_subscription(session, replace(order, state=SubscriptionState.REFUSED, refusal=refusal))


def _waiting(session: Session, number: int) -> None:
    order = by_id(session, number)
    assert order is not None
    update_subscription(session, replace(order, open_due_at=MONDAY.at))
