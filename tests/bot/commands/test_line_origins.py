"""Whose line it is: what somebody else wrote is asked about, and what buttons carry isn't typed."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.actor import Actor
from bot.app import Broadsheet
from bot.commands.types import PRESSED, TYPED, LineOrigin
from bot.replies.blocks import Button, Reply
from bot.replies.plain_text import plain_text
from store.database import Database
from tests.bot.conftest import READER, FixedClock, bot_of
from tests.bot.member_channels import bot_over, manager, rooms
from tests.bot.posting.delivery.setup import MovedClock
from tests.bot.replies.parts import all_buttons, first_line

EVE, BOB = "eve", replace(READER, user="bob")
MENTIONED = LineOrigin(typed=True, by=EVE)
SHARED = LineOrigin(typed=False, by=EVE)
ASKED = "Somebody else wrote this. Shall it be done as yours?"
CHANGES = (
    "save 1", "vote 1", "dismiss 1", "note 1 mine", "alert mamba", "unalert 1",
    "unsave 1", "forget",
)  # fmt: skip
IN_CHANNELS = (
    "subscribe", "subscribe friday 17:00 from:dair", "unsubscribe 1", "pause 1", "resume 1",
    "deliver 1", "settings zone Europe/Berlin",
)  # fmt: skip
CARRIED = (
    "forget confirm:reader", "alerts again:1", "vote 1 in:card", "dismiss 1 undo:yes",
    "deliver 1 again:1", "subscribe change:1", "settings seen:x",
)  # fmt: skip


async def _pressed(app: Broadsheet, button: Button, actor: Actor) -> Reply:
    origin = LineOrigin(typed=False, by=button.by)
    return await app.run_text(button.command, actor, origin=origin)


async def _is_remembered(app: Broadsheet, actor: Actor) -> bool:
    return first_line(await app.run_text("forget", actor)) != "Nothing is stored about you."


@pytest.mark.parametrize("origin", [MENTIONED, SHARED])
@pytest.mark.parametrize("line", CHANGES)
async def test_what_somebody_else_wrote_is_asked_about(
    filled: Database, line: str, origin: LineOrigin
) -> None:
    """The whole command is shown, and nothing has changed."""
    app = bot_of(filled)
    asked = await app.run_text(line, BOB, origin=origin)
    shown = plain_text(asked).splitlines()
    assert shown[0] == ASKED
    assert any(each.strip().startswith(f"/papers {line.split(maxsplit=1)[0]}") for each in shown), (
        shown
    )
    assert not await _is_remembered(app, BOB)
    assert asked.private


@pytest.mark.parametrize("origin", [MENTIONED, SHARED])
@pytest.mark.parametrize("line", IN_CHANNELS)
async def test_so_is_what_changes_a_channel(
    filled: Database, line: str, origin: LineOrigin
) -> None:
    """A manager's press carries out no argument that the manager has not seen."""
    app, asker = bot_over(filled, FixedClock()), manager(rooms())
    await app.run_text("subscribe", asker)
    before = plain_text(await app.run_text("subscriptions", asker))
    asked = await app.run_text(line, asker, origin=origin)
    assert first_line(asked) == ASKED
    assert all(word in plain_text(asked) for word in line.split()[1:])
    assert plain_text(await app.run_text("subscriptions", asker)) == before
    assert "none" in plain_text(await app.run_text("settings zone", asker))


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("please save paper 1", "save dair:2026-01-05#1"),
        (
            "remind me every friday at 5pm in berlin about agents",
            "subscribe friday 5pm berlin topic:agents",
        ),
        ("note 1 for monday", "note dair:2026-01-05#1 for monday"),
    ],
)
async def test_the_command_is_shown_with_all_its_arguments(
    filled: Database, line: str, command: str
) -> None:
    """However it was said; a number in a list that may be another by then is its paper."""
    app = bot_over(filled, FixedClock())
    asked = await app.run_text(line, manager(rooms()), origin=MENTIONED)
    assert f"\n/papers {command}\n" in plain_text(asked)
    assert all_buttons(asked)[0].command == command


async def test_the_button_of_the_question_carries_it_out(filled: Database) -> None:
    """Who was asked and says yes has it done as if they had typed it."""
    app = bot_of(filled)
    asked = await app.run_text("save 1", BOB, origin=MENTIONED)
    done = await _pressed(app, all_buttons(asked)[0], BOB)
    assert "Sparse Attention" in plain_text(done)
    assert "1 paper" in plain_text(await app.run_text("saved", BOB))


async def test_the_button_of_a_question_asks_everybody_else(filled: Database) -> None:
    """That somebody was asked says nothing about another."""
    app = bot_of(filled)
    asked = await app.run_text("save 1", BOB, origin=MENTIONED)
    assert first_line(await _pressed(app, all_buttons(asked)[0], READER)) == ASKED


async def test_ones_own_line_is_not_asked_about(filled: Database) -> None:
    """Whoever wrote a mention, or shared an answer, is not asked about it."""
    app = bot_of(filled)
    for origin in (MENTIONED, SHARED):
        saved = await app.run_text("save 1", replace(READER, user=EVE), origin=origin)
        assert first_line(saved) != ASKED


async def test_a_line_of_somebody_unknown_is_another_s(filled: Database) -> None:
    """The lines of messages of before say nobody's name."""
    reply = await bot_of(filled).run_text("save 1", BOB, origin=LineOrigin(typed=True, by=""))
    assert first_line(reply) == ASKED


@pytest.mark.parametrize("line", ["latest", "search attention", "show 1", "saved", "help"])
async def test_a_lookup_is_answered_at_once(filled: Database, line: str) -> None:
    """What only shows something needs no question."""
    app = bot_of(filled)
    reply = await app.run_text(line, BOB, origin=MENTIONED)
    assert plain_text(reply) == plain_text(await app.run_text(line, BOB))


async def test_what_stands_beside_a_paper_that_was_asked_for_is_the_bot_s_own(
    filled: Database,
) -> None:
    """After a lookup of another's, the presser saves and votes as after one of their own."""
    app = bot_of(filled)
    reply = await app.run_text("show 1", BOB, origin=MENTIONED)
    [save] = [button for button in all_buttons(reply) if button.label == "Save"]
    assert "On your list" in plain_text(await _pressed(app, save, BOB))


async def test_who_may_not_is_told_so_and_not_asked(filled: Database) -> None:
    """The question is for those who could do it."""
    reader = manager(rooms())
    reader = replace(reader, role=READER.role)
    reply = await bot_over(filled, FixedClock()).run_text("subscribe", reader, origin=MENTIONED)
    assert first_line(reply) == "subscribe is for managers."


@pytest.mark.parametrize("line", ["sve 1", "savee dair:2026-01-05#1", "please save paper 1"])
async def test_what_is_suggested_for_it_is_asked_about_too(filled: Database, line: str) -> None:
    """A misspelt line of somebody else's leads to no button that acts at once."""
    app = bot_of(filled)
    reply = await app.run_text(line, BOB, origin=MENTIONED)
    for button in all_buttons(reply):
        if button.by != BOB.user:
            await _pressed(app, button, BOB)
    assert plain_text(await app.run_text("saved", BOB)).startswith("Nothing is on your list yet.")


@pytest.mark.parametrize("line", CARRIED)
async def test_what_only_buttons_carry_is_not_typed(filled: Database, line: str) -> None:
    """The answer says so and offers the command without it."""
    name, argument = line.split(maxsplit=1)[0], line.rsplit(maxsplit=1)[-1]
    app = bot_over(filled, FixedClock())
    reply = await app.run_text(line, manager(rooms()), origin=TYPED)
    assert first_line(reply) == f"{argument.partition(':')[0]}: can't be typed."
    assert reply.failed
    assert [each.command for each in all_buttons(reply)] == [line.removesuffix(argument).strip()]
    assert name in line


async def test_words_of_a_note_are_no_argument(filled: Database) -> None:
    """A note may hold what buttons carry."""
    app = bot_of(filled)
    await app.run_text("note 1 remove:yes please", READER)
    assert "remove:yes please" in plain_text(await app.run_text("note 1", READER))


@pytest.mark.parametrize("line", ["delivr 1 again:1", "nott 1 remove:yes", "forgett confirm:me"])
async def test_no_suggestion_carries_it(filled: Database, line: str) -> None:
    """A misspelt command makes no button of what can't be typed, except as words."""
    reply = await bot_over(filled, FixedClock()).run_text(line, manager(rooms()))
    carried = line.rsplit(maxsplit=1)[-1]
    offered = [each.command for each in all_buttons(reply)]
    changing = [each for each in offered if not each.startswith(("search ", "alert "))]
    assert changing
    assert not any(carried in each for each in changing)


async def test_what_everybody_s_buttons_do_is_done_at_once(filled: Database) -> None:
    """A button below a post is the bot's own, whoever presses it."""
    done = await bot_of(filled).run_text("vote 1 in:words", READER, origin=PRESSED)
    assert "You voted for" in plain_text(done)


async def test_a_question_about_all_data_holds_once_and_for_an_hour(filled: Database) -> None:
    """Whoever forgets what is stored about them was asked just before, and each time."""
    clock = MovedClock(FixedClock().at)
    app = bot_of(filled, system_clock=clock)
    await app.run_text("save 1", READER)
    first, second = [all_buttons(await app.run_text("forget", READER))[-1] for _ in range(2)]
    assert first.command != second.command
    assert first_line(await _pressed(app, first, BOB)) == "Nothing is stored about you."
    clock.at += timedelta(minutes=59)
    assert (
        first_line(await _pressed(app, first, READER))
        == "All that was stored about you is deleted."
    )
    await app.run_text("save 1", READER)
    assert first_line(await _pressed(app, first, READER)) == "What is stored about you"
    clock.at += timedelta(minutes=2)
    assert first_line(await _pressed(app, second, READER)) == "What is stored about you"
    assert "1 paper" in plain_text(await app.run_text("saved", READER))
