"""Places that a person is not in: nothing of them is told, whatever they once ordered there."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import select
from sqlmodel import col

from bot.actor import Actor, ChannelInfo, Role
from bot.commands.handlers.channel.targets import ID
from bot.commands.types import PRESSED
from bot.replies.blocks import Reply
from bot.replies.plain_text import plain_text
from store.database import Database
from store.posting.subscriptions import by_id, save_channel_facts
from store.readers import alerts
from store.records import Channel, ChannelFacts, Refusal, SubscriptionState, Workspace
from store.tables.readers import AlertRow
from tests.bot.conftest import FixedClock
from tests.bot.member_channels import ML, SECRET, Rooms, bot_over, manager, rooms
from tests.bot.replies.parts import buttons

NOW = FixedClock(datetime(2026, 1, 12, 9, 30, tzinfo=UTC))
RENAMED = replace(SECRET, name="takeover")
TALK = ChannelInfo("C7", "papers and a talk", private=True, kind="private_thread", parent="C1")
REFUSED = Refusal("Broadsheet may not Send Messages in #takeover.", "Allow it.")


async def _asked(database: Database, actor: Actor, *lines: str) -> Reply:
    app = bot_over(database, NOW)
    replies = [await app.run_text(line, actor, origin=PRESSED) for line in lines]
    return replies[-1]


async def _removed(database: Database, *lines: str) -> Actor:
    """Have somebody ask inside a private channel, and remove them; then it gets another name."""
    seen = rooms()
    for line in lines:
        assert not (await _asked(database, manager(seen, "C2"), line)).failed, line
    await _asked(database, manager(Rooms([RENAMED]), "C2", "U2"), "subscriptions")
    return manager(Rooms([ML]))


def _told(reply: Reply) -> str:
    """Return all that a reply has, also behind its buttons."""
    return str(reply)


async def test_an_alert_of_a_place_that_one_left_is_stopped_and_no_more(filled: Database) -> None:
    """It is listed without the name, and stopping it can't be undone from outside."""
    asker = await _removed(filled, "alert sparse in:C2", "subscribe")
    listed = await _asked(filled, asker, "alerts")
    assert "1  sparse · tells a channel that you are not in · since" in plain_text(listed)
    stopped = await _asked(filled, asker, "unalert 1")
    assert plain_text(stopped).startswith("Alert 1 is stopped: sparse.")
    assert "Undo" not in buttons(stopped)
    for reply in (listed, stopped):
        assert "takeover" not in _told(reply)
        assert "secret" not in _told(reply)
        assert "C2" not in _told(reply)


async def test_a_brief_tells_a_stranger_of_no_other_channel(filled: Database) -> None:
    """To another organisation every channel is private: a brief is not of what they follow."""
    await _asked(filled, manager(rooms()), "subscribe from:paperdive")
    member = replace(manager(Rooms([ML]), "C9", "U3"), role=Role.READER)
    assert "from paperdive" in plain_text(await _asked(filled, member, "brief"))
    stranger = replace(member, user="U4", is_stranger=True)
    assert "from all sources" in plain_text(await _asked(filled, stranger, "brief"))
    inside = replace(stranger, channel="C1")
    assert "from paperdive" in plain_text(await _asked(filled, inside, "brief"))


async def test_why_an_alert_is_refused_is_told_where_it_would_be(filled: Database) -> None:
    """The reason may have the new name, and another try would be made there."""
    asker = await _removed(filled, "alert sparse in:C2")
    channel = select(col(AlertRow.channel_id))
    number = await filled.read(lambda session: session.connection().scalars(channel).one())
    await filled.write(alerts.refuse, number, REFUSED)
    shared = await _asked(filled, replace(asker, shares=True), "latest")
    assert "sparse" not in _told(shared)
    first = await _asked(filled, asker, "latest")
    assert plain_text(first).startswith("1 alert could not be told: sparse.")
    for reply in (first, await _asked(filled, asker, "alerts")):
        assert "takeover" not in _told(reply)
        assert "C2" not in _told(reply)
    inside = await _asked(filled, manager(rooms(), "C2"), "alerts")
    assert "Broadsheet may not Send Messages in #takeover." in plain_text(inside)
    assert buttons(inside)["Try 1 again"].command == "alert sparse in:C2"


async def test_a_refused_alert_of_a_channel_is_tried_again_in_that_channel(
    filled: Database,
) -> None:
    """The button that is offered with the next answer does not move it to direct messages."""
    await _asked(filled, manager(rooms()), "alert sparse in:C1")
    channel = select(col(AlertRow.channel_id))
    number = await filled.read(lambda session: session.connection().scalars(channel).one())
    await filled.write(alerts.refuse, number, REFUSED)
    told = await _asked(filled, manager(rooms()), "latest")
    assert buttons(told)["Try sparse again"].command == "alert sparse in:C1"


@pytest.mark.parametrize("number", [1, 9])
async def test_what_is_nobody_s_business_is_as_what_is_not_there(
    filled: Database, number: int
) -> None:
    """Ids can't be probed: of another's row in a place of others one hears what of none."""
    await _removed(filled, "alert sparse in:C2", "subscribe")
    other = manager(Rooms([ML]), user="U3")
    lines = ("preview", "deliver", "resume", "pause", "unsubscribe", "unalert", "deliver 1 again:")
    for line in lines:
        asked = line.replace(" 1 ", f" {number} ") + ("1" if ":" in line else f" {number}")
        first = plain_text(await _asked(filled, other, asked)).splitlines()[0]
        noun = "You have no alert" if "alert" in line else "There is no subscription"
        assert first.startswith(f"{noun} {number}"), asked
    form = await _asked(filled, other, f"subscribe change:{number} friday")
    assert plain_text(form).startswith(f"There is no subscription {number} here.")
    assert "sparse" not in _told(await _asked(filled, other, "alerts"))
    assert plain_text(await _asked(filled, other, "alerts again:1")).startswith("You have no")


async def test_who_left_may_not_start_a_subscription_by_a_pause_that_ends(
    filled: Database,
) -> None:
    """A pause from outside makes it post no sooner than it would have."""
    asker = await _removed(filled, "subscribe Asia/Tokyo", "pause 1")
    told = await _asked(filled, asker, "pause 1 until:2026-01-14")
    paused = await filled.read(by_id, 1)
    assert paused is not None
    assert (paused.state, paused.paused_until) == (SubscriptionState.PAUSED, None)
    assert plain_text(told).startswith("Subscription 1 is paused.")
    assert "Tokyo" not in _told(told)
    assert buttons(told) == {}


async def test_a_cancelled_subscription_of_a_place_that_one_left_is_none(filled: Database) -> None:
    """Whether those inside have cancelled it is theirs to know."""
    asker = await _removed(filled, "subscribe", "unsubscribe 1")
    for line in ("pause 1", "preview 1", "deliver 1"):
        told = plain_text(await _asked(filled, asker, line))
        assert told.startswith(("There is no subscription 1 here.", "You or Broadsheet are not"))
        assert "was cancelled" not in told


async def test_a_form_left_open_offers_nothing_of_a_channel_that_one_left(
    filled: Database,
) -> None:
    """Neither its completions nor its errors tell what is posted there; those inside have both."""
    outside = replace(await _removed(filled, "subscribe friday", "subscribe monday"), channel="C2")
    for asker, offered in ((manager(rooms(), "C2"), ["1", "2"]), (outside, [])):
        options = await bot_over(filled, NOW).options(ID, "", asker)
        assert [each.value for each in options] == offered
        refused = await _asked(filled, asker, "preview x")
        assert [each.command for each in buttons(refused).values()] == [
            f"preview {number}" for number in offered
        ]


async def test_direct_messages_are_nobody_elses(filled: Database) -> None:
    """An admin neither sees nor touches somebody's digest, and the owner is told of it there."""
    room = ChannelInfo("D1", "the chat with Broadsheet", private=True, direct=True)
    owner = manager(Rooms([room]), "D1")
    await _asked(filled, owner, "subscribe", "alert sparse")
    admin = replace(manager(rooms(), user="U2"), owns=True)
    assert "No channel gets posts yet." in plain_text(await _asked(filled, admin, "status"))
    for line in ("pause 1", "unsubscribe 1", "resume 1", "preview 1", "deliver 1"):
        told = plain_text(await _asked(filled, admin, line))
        assert told.startswith("There is no subscription 1 here."), line
    assert plain_text(await _asked(filled, admin, "unalert 1")).startswith("You have no alert 1.")
    assert "Next posts:" in plain_text(await _asked(filled, owner, "status"))
    elsewhere = replace(owner, channel="C1", channels=rooms())
    assert "is paused" in plain_text(await _asked(filled, elsewhere, "pause 1"))
    assert not (await _asked(filled, elsewhere, "resume 1")).failed
    shared = await _asked(filled, replace(elsewhere, shares=True), "preview 1")
    assert plain_text(shared).startswith("There is no subscription 1 here.")


async def test_a_thread_with_blanks_in_its_name_is_no_direct_messages(filled: Database) -> None:
    """Its alert tells the thread, and stopping it is undone there."""
    asker = manager(Rooms([ML, TALK]))
    made = await _asked(filled, asker, "alert sparse in:C7")
    assert "papers and a talk gets a message for each new paper" in plain_text(made)
    assert "tells papers and a talk · " in plain_text(await _asked(filled, asker, "alerts"))
    stopped = await _asked(filled, asker, "unalert 1")
    assert buttons(stopped)["Undo"].command == "alert sparse in:C7"


async def test_an_alert_of_another_workspace_has_no_name_here(filled: Database) -> None:
    """Even to somebody who manages this one, and whatever its channels are called."""
    here = replace(manager(rooms()), platform="discord", workspace="100", home="@U1", owns=True)
    await _asked(filled, here, "alert sparse in:C2")
    there = replace(here, workspace="200")
    listed = await _asked(filled, there, "alerts")
    assert "tells a channel that you are not in" in plain_text(listed)
    assert "secret" not in _told(listed)
    assert "Undo" not in buttons(await _asked(filled, there, "unalert 1"))


async def test_alerts_of_many_channels_are_looked_up_a_few_at_a_time(filled: Database) -> None:
    """Whoever has alerts in very many channels makes no more than ten questions of the platform."""
    many = [ChannelInfo(f"C10{number}", f"room-{number}") for number in range(15)]
    seen = _Counting(many)
    for each in many:
        await _asked(filled, manager(seen, each.id), f"alert sparse in:{each.id}")
    seen.looks = 0
    text = plain_text(await _asked(filled, manager(seen, "C1014"), "alerts"))
    assert seen.looks == 10
    assert text.count("tells #room-") == 10
    assert "tells #room-14" in text


class _Counting(Rooms):
    looks = 0

    async def look(self, channel: str) -> ChannelInfo:
        """Return a channel, and count that."""
        self.looks += 1
        return await super().look(channel)


async def test_a_public_channel_that_is_private_now_is_not_told_of(filled: Database) -> None:
    """What the platform tells counts, not what it told when the order was given."""

    async def hidden(channels: object) -> set[str]:
        assert channels == {"C1"}
        return {"C1"}

    await _asked(filled, manager(rooms()), "subscribe")
    other = replace(manager(Rooms([]), "C3", "U3"), hidden=hidden)
    assert "No channel gets posts yet." in plain_text(await _asked(filled, other, "status"))
    inside = replace(other, channel="C1", channels=rooms())
    assert "#ml (1)" in plain_text(await _asked(filled, inside, "status"))


async def test_direct_messages_that_an_older_program_added_are_known_by_a_new_alert(
    filled: Database,
) -> None:
    """They count as a private channel, until the same alert is asked for again."""
    asker, here = manager(rooms()), Channel(Workspace("slack", "T1"), "D1")
    await _asked(filled, asker, "alert sparse")
    as_before = ChannelFacts("the chat with Broadsheet", private=True)
    await filled.write(save_channel_facts, here, as_before)
    assert "that you are not in" in plain_text(await _asked(filled, asker, "alerts"))
    await _asked(filled, asker, "alert sparse")
    assert "tells you" in plain_text(await _asked(filled, asker, "alerts"))
