"""Who may not: wishes in plain words, undo and marks of one person among others, on every chat."""

import re
from functools import partial
from typing import Any

import pytest

from store.database import Database
from store.posting.subscriptions import list_subscriptions
from store.workspaces.workspaces import read_settings
from tests.bot.posting.digest.editions import REFS, TITLES
from tests.contracts.conftest import OpensRoom

_MARK = "✓"
_OFFER = "Tell me when one appears"
_NOTHING = "You have changed nothing here"


@pytest.mark.parametrize(
    "line",
    [
        "post this here every monday",
        "turn it off",
        "TURN IT OFF!!! \N{POUTING FACE}",
        "pause it for two weeks",
        "make it friday 4pm Berlin",
        "fewer papers please",
        "start posting again",
        "post it now",
        "change the time zone to Tokyo",
        "tell this channel about new agents papers every friday",
    ],
)
async def test_a_wish_of_who_may_not_changes_nothing(
    opens_room: OpensRoom, store: Database, line: str
) -> None:
    """Whoever manages nothing is told who does, to them alone, and is offered no such button."""
    async with opens_room(strict=True) as room:
        await room.ask("ann", "subscribe zone:UTC")
        before = await _settled(store, room)
        answer = await room.say("bob", line)
        assert "is for managers." in room.all_of(answer)
        assert room.is_for(answer) == "bob"
        changing = {"Unsubscribe", "Pause", "Resume", "Change it", "Set up a weekly post"}
        assert changing.isdisjoint(answer.buttons)
        assert await _settled(store, room) == before


async def _settled(store: Database, room: Any) -> tuple[Any, Any]:
    workspace = room.channel.workspace
    return await store.read(list_subscriptions), await store.read(read_settings, workspace)


async def test_a_digest_of_one_s_own_needs_no_manager(opens_room: OpensRoom) -> None:
    """Bob, who manages nothing, has posts in his direct messages and does all with them there."""
    async with opens_room(strict=True) as room:
        asked = await room.write("bob", "send me a digest every friday at 5pm")
        assert "You would get a digest here every Friday at 17:00" in room.all_of(asked)
        for line, told in (
            ("subscribe friday 17:00 zone:UTC not:robotics", "a digest of what you have not seen"),
            ("make it monday", "It would be every Monday"),
            ("pause 1", "Subscription 1 is paused"),
            ("resume 1", "Subscription 1"),
            ("preview", "Preview of subscription 1"),
            ("unsubscribe 1", "Subscription 1 is cancelled"),
            ("undo", "Taken back"),
        ):
            assert told in room.all_of(await room.write("bob", line)), line
        assert "is for managers" in room.all_of(await room.ask("bob", "subscribe"))


async def test_what_one_wants_alone_is_ordered_in_direct_messages(opens_room: OpensRoom) -> None:
    """In a channel its manager is told the line to type there, as the platform has it."""
    async with opens_room(strict=True) as room:
        told = room.all_of(await room.say("ann", "every friday, just for me please"))
        line = re.search(r"with Broadsheet: /papers ([\w: ]+)", told)
        assert line, told
        assert line[1] in ("subscribe friday", "channel subscribe day:friday")


async def test_from_direct_messages_nobody_orders_posts_elsewhere(
    opens_room: OpensRoom, store: Database
) -> None:
    """Who manages nothing changes there neither a channel, nor the workspace, nor another's."""
    async with opens_room(strict=True) as room:
        await room.ask("ann", "subscribe zone:UTC")
        await room.write("ann", "subscribe friday zone:UTC")
        before, place = await _settled(store, room), room.channel.external_id
        lines = [
            f"subscribe tuesday in:{place}",
            f"subscribe tuesday in:<#{place}>",
            f"post this to <#{place}> every monday",
            f"unsubscribe in:{place}",
            f"turn off the posts in <#{place}>",
            "settings zone Asia/Tokyo",
            *(
                f"{name} {number}"
                for name in ("pause", "unsubscribe", "resume", "deliver")
                for number in (1, 2)
            ),
        ]
        for line in lines:
            await room.write("bob", line)
            assert await _settled(store, room) == before, line


async def test_undo_is_of_one_person_and_for_them_alone(
    opens_room: OpensRoom, store: Database
) -> None:
    """Bob takes back nothing of Ann's in the channel or beside it, and sees nothing of hers."""
    async with opens_room(strict=True) as room:
        await room.ask("ann", "subscribe zone:UTC")
        await room.ask("bob", f"save {REFS[0]}")
        for ask in (room.say, room.write):
            asked = await ask("bob", "take that back please")
            assert "ubscription" not in room.all_of(asked)
        assert "Taken back: you saved" in room.all_of(await room.ask("bob", "undo"))
        for ask in (room.ask, room.write):
            assert _NOTHING in room.all_of(await ask("bob", "undo"))
        assert len(await store.read(list_subscriptions)) == 1
        done = await room.ask("ann", "undo")
        assert "Taken back: you added subscription 1." in room.all_of(done)
        assert room.is_for(done) == "ann"
        assert "Share" not in done.buttons
        assert await store.read(list_subscriptions) == []
        assert all("Taken back" not in room.all_of(each) for each in room.open_to_all())


async def test_what_one_has_read_and_tagged_is_shared_with_nobody(opens_room: OpensRoom) -> None:
    """A list that is marked for Ann has no mark once she shares it, and none for Bob."""
    async with opens_room(strict=True) as room:
        await room.ask("ann", f"read {REFS[0]}")
        saved = await room.ask("ann", f"save {REFS[1]} tag:secret")
        listed = await room.ask("ann", "latest")
        assert _MARK in room.all_of(listed)
        assert _MARK not in room.all_of(await room.ask("bob", "latest"))
        for answer in (listed, saved):
            shared = await room.answer("bob", partial(room.press, "ann", answer, "Share"))
            assert room.is_for(shared) is None
            assert _MARK not in room.all_of(shared)
            assert "secret" not in room.all_of(shared)
        for line in ("undo", f"read {REFS[2]}", "saved", "saved tag:secret"):
            assert "Share" not in (await room.ask("ann", line)).buttons, line


async def test_what_one_did_not_find_alerts_nobody_else_unasked(opens_room: OpensRoom) -> None:
    """The offer below a shared answer shows Bob the whole alert, and he has none by one press."""
    async with opens_room(strict=True) as room:
        empty = await room.say("ann", "anything on zzyzx kumquats?")
        shared = await room.answer("bob", partial(room.press, "ann", empty, "Share"))
        asked = await room.pressed("bob", shared, _OFFER)
        assert "Somebody else wrote this." in room.all_of(asked)
        assert "/papers alert zzyzx kumquats" in room.all_of(asked)
        for who in ("ann", "bob"):
            assert "You have no alerts." in room.all_of(await room.ask(who, "alerts"))
        assert "Alert 1: " in room.all_of(await room.pressed("ann", shared, _OFFER))


async def test_the_button_of_an_undo_is_for_who_was_asked(opens_room: OpensRoom) -> None:
    """Pressed twice it takes back one change; after another change it takes back nothing.

    What came after may be of the same thing, as a second vote is.
    """
    async with opens_room(strict=True) as room:
        await room.ask("ann", f"save {REFS[0]}")
        await room.ask("ann", f"save {REFS[1]}")
        asked = await room.say("ann", "take that back please")
        await room.ask("ann", f"save {REFS[2]}")
        late = await room.pressed("ann", asked, "Take back")
        assert f"After that you saved {TITLES[2]}, which goes first." in room.all_of(late)
        for said in ("Taken back: you saved", "That was taken back before"):
            assert said in room.all_of(await room.pressed("ann", late, "Take back"))
        assert "2 papers" in room.all_of(await room.ask("ann", "saved"))
