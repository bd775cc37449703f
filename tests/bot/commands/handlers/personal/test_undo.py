"""The undo command: the last change of a person is taken back, whatever it was."""

import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.actor import Actor, ChannelInfo, Role
from bot.app import Broadsheet
from bot.commands.types import PRESSED, LineOrigin
from bot.errors import UserError
from bot.replies.plain_text import plain_text
from store.database import Database
from store.errors import StoreBusy
from tests.bot.conftest import READER, FixedClock, answered, bot_of, forgotten
from tests.bot.member_channels import bot_over, manager, rooms
from tests.bot.replies.parts import commands, first_line, pressed

OTHER = replace(READER, user="other")
SPARSE, SURVEY, EXPERTS = (f"dair:2026-01-05#{rank}" for rank in (1, 2, 3))
NOTHING = "You have changed nothing here in the last hour that can be taken back."


def _app(database: Database, minutes: float = 0) -> Broadsheet:
    clock = FixedClock()
    return bot_over(database, replace(clock, at=clock.at + timedelta(minutes=minutes)))


@pytest.mark.parametrize(
    ("before", "change", "was", "shows"),
    [
        ((), "save 1", "saved Sparse Attention", "saved"),
        (("save 2",), "save 1-3", "saved 2 papers", "saved"),
        (("save 1",), "unsave 1", "took Sparse Attention off your list", "saved"),
        (("note 1 mine", "save 2"), "unsave 1,2", "took 2 papers off your list", "saved"),
        ((), "note 1 mine", "wrote a note on Sparse Attention", "saved"),
        (("save 1",), "note 1 mine", "wrote a note on Sparse Attention", "saved"),
        (("note 1 mine",), 'note 1 "other" note', "wrote a note on Sparse Attention", "note 1"),
        ((), "save 1 tag:a,b", "saved Sparse Attention", "saved"),
        (("save 1 tag:a",), "save 1-2 tag:b", "saved 2 papers", "saved"),
        (("save 1 tag:a",), "save 1 tag:a,b", "tagged Sparse Attention", "saved"),
        (("save 1 tag:a,b",), "unsave 1 tag:a", "took tags off Sparse Attention", "saved"),
        (
            ("save 1 tag:a", "note 1 mine", "save 2 tag:b", "save 3"),
            "unsave 1-3",
            "took 3 papers off your list",
            "saved",
        ),
        ((), "read 1", "marked Sparse Attention as read", "latest"),
        (("read 1",), "read 1-2", "marked A Survey of Agents as read", "latest"),
        (("read 1",), "unread 1", "marked Sparse Attention as unread", "latest"),
        ((), "read 1-2", "marked 2 papers as read", "latest"),
        ((), "vote 1", "voted for Sparse Attention", "latest"),
        (("vote 1",), "vote 1", "took back your vote for Sparse Attention", "latest"),
        ((), "dismiss 1", "said that Sparse Attention is not for you", "forget"),
        (
            ("dismiss 1",),
            "dismiss 1 undo:yes",
            "took back that Sparse Attention is not for you",
            "forget",
        ),
    ],
)
async def test_a_change_is_taken_back(
    filled: Database, before: tuple[str, ...], change: str, was: str, shows: str
) -> None:
    """What it was is said, and everything stands as before it."""
    app = _app(filled)
    for line in ("latest", *before):
        await answered(app, line, READER, PRESSED)
    stood = _facts(plain_text(await answered(app, shows, READER)))
    await answered(app, "latest", READER)
    assert not (await answered(app, change, READER, PRESSED)).failed
    assert first_line(await answered(app, "undo", READER)) == f"Taken back: you {was}."
    assert _facts(plain_text(await answered(app, shows, READER))) == stood


def _facts(words: str) -> list[str]:
    """Return the lines of an answer that are about papers, in any order."""
    about = (
        "Sparse",
        "A Survey",
        "Routing",
        "Your note",
        "not for you",
        "✓",
        "No",
        "Nothing is on",
    )
    return sorted(
        each for each in map(str.strip, words.splitlines()) if any(map(each.__contains__, about))
    )


@pytest.mark.parametrize(
    "change",
    [
        "save 9:9", "save 1", "unsave 2", "note 2", "dismiss 1", "read 1", "unread 2", "show 2",
        "saved", "latest", "brief",
    ],
)  # fmt: skip
async def test_what_changed_nothing_is_not_taken_back(filled: Database, change: str) -> None:
    """A change that was done before, a lookup or an error leaves the one before it the last."""
    app = _app(filled)
    for line in ("save 1", "dismiss 1", "read 1", "vote 3", change):
        await answered(app, line, READER)
    assert "you voted for Routing Experts" in plain_text(await answered(app, "undo", READER))


async def test_one_undo_after_another_takes_back_the_change_before(filled: Database) -> None:
    """Each says what the next would take back, the last that nothing is left."""
    app = _app(filled)
    for line in ("save 1", "vote 2", "read 3"):
        await answered(app, line, READER)
    told = [plain_text(await answered(app, "undo", READER)).splitlines() for _ in range(4)]
    assert [each[:2] for each in told[:3]] == [
        [
            "Taken back: you marked Routing Experts as read.",
            "Before it you voted for A Survey of Agents; undo again takes that back too.",
        ],
        [
            "Taken back: you voted for A Survey of Agents.",
            "Before it you saved Sparse Attention; undo again takes that back too.",
        ],
        [
            "Taken back: you saved Sparse Attention.",
            "Nothing before it is left to be taken back.",
        ],
    ]
    assert told[3][0] == NOTHING
    assert "forget" in told[3][1]


async def test_a_button_that_took_a_change_back_is_a_change(filled: Database) -> None:
    """After *Take back* `undo` saves the paper again."""
    app = _app(filled)
    saved = await answered(app, "save 1", READER)
    await answered(app, pressed(saved)["Take back"], READER, PRESSED)
    reply = await answered(app, "undo", READER)
    assert first_line(reply) == "Taken back: you took Sparse Attention off your list."
    assert "On your list: Sparse Attention." in plain_text(reply)


async def test_it_counts_for_an_hour_and_over_a_restart(filled: Database) -> None:
    """Another process takes back what one changed, and an hour later nobody does."""
    for minutes, first in ((59, "Taken back: you saved Sparse Attention."), (61, NOTHING)):
        await answered(_app(filled), "save 1", READER)
        with closing(Database(f"sqlite:///{filled.name}")) as later:
            assert first_line(await answered(_app(later, minutes), "undo", READER)) == first
        await answered(_app(filled, 200), "unsave 1", READER)


async def test_nobody_takes_back_what_another_changed(filled: Database) -> None:
    """Neither somebody else there nor the same person's name in another workspace."""
    app = _app(filled)
    await answered(app, "save 1", READER)
    for actor in (OTHER, replace(READER, workspace="elsewhere")):
        assert first_line(await answered(app, "undo", actor)) == NOTHING
    assert SPARSE in str((await answered(app, "saved", READER)).blocks)


async def test_what_is_of_a_server_is_taken_back_there(filled: Database) -> None:
    """A person of all servers takes back a vote in its own alone, and what they saved anywhere."""
    here = Actor("discord", "100", "U1", Role.READER, home="@U1")
    there = replace(here, workspace="200")
    app = _app(filled)
    for line in ("save 1", "vote 2"):
        await answered(app, line, here)
    assert "you saved Sparse Attention" in plain_text(await answered(app, "undo", there))
    assert first_line(await answered(app, "undo", there)) == NOTHING
    assert "you voted for A Survey" in plain_text(await answered(app, "undo", here))


async def test_a_request_that_comes_again_takes_back_no_more(filled: Database) -> None:
    """The same request is answered by the change that it took back, on any replica."""
    app = _app(filled)
    for line in ("save 1", "save 2"):
        await answered(app, line, READER)
    first = await app.run_text("undo", READER, "k1")
    with closing(Database(f"sqlite:///{filled.name}")) as later:
        again = await _app(later).run_text("undo", READER, "k1")
    assert plain_text(again) == plain_text(first)
    saved = str((await answered(app, "saved", READER)).blocks)
    assert (SPARSE in saved, SURVEY in saved) == (True, False)


async def test_a_change_that_comes_again_is_one_change(filled: Database) -> None:
    """A request delivered twice, even after it was taken back, is one change to take back."""
    app = _app(filled)
    for _ in range(2):
        await app.run_text("save 1", READER, "k1")
        await app.wait()
    assert "you saved" in plain_text(await answered(app, "undo", READER))
    await app.run_text("save 1", READER, "k1")
    await app.wait()
    assert first_line(await answered(app, "undo", READER)) == NOTHING


async def test_a_second_press_takes_back_no_other_change(filled: Database) -> None:
    """In plain words undo names the change and asks; its button is for that change alone."""
    app = _app(filled)
    await answered(app, "save 1", READER)
    await answered(app, "vote 2", READER)
    asked = await answered(app, "please take that back", READER)
    assert "You voted for A Survey of Agents." in plain_text(asked)
    [line, _] = commands(asked)
    origin = LineOrigin(typed=False, by=READER.user)
    first = await app.run_text(line, READER, origin=origin)
    assert first_line(first) == "Taken back: you voted for A Survey of Agents."
    again = await app.run_text(line, READER, origin=origin)
    gone = "That was taken back before, is an hour old, or was somebody else's change."
    assert first_line(again) == gone
    assert "Sparse Attention" in plain_text(await app.run_text("saved", READER))


@pytest.mark.parametrize(
    ("first", "then"),
    [("vote 1", "vote 1"), ("note 1 mine", "note 1 other"), ("save 1", "note 1 a")],
)
async def test_a_button_of_a_change_overwrites_no_later_one(
    filled: Database, first: str, then: str
) -> None:
    """Pressed after another change of the same paper it leaves that, and offers it instead."""
    app = _app(filled)
    await answered(app, first, READER)
    line = commands(await answered(app, "please take that back", READER))[0]
    await answered(app, then, READER)
    stands = [plain_text(await app.run_text(each, READER)) for each in ("saved", "forget")]
    late = await answered(app, line, READER, LineOrigin(typed=False, by=READER.user))
    assert "which goes first." in first_line(late)
    now = [plain_text(await app.run_text(each, READER)) for each in ("saved", "forget")]
    assert now[0] == stands[0]
    assert "vote" not in now[1]
    done = await answered(app, commands(late)[0], READER, LineOrigin(typed=False, by=READER.user))
    assert first_line(done).startswith("Taken back: you ")


async def test_where_nothing_can_be_taken_back_the_question_says_so(filled: Database) -> None:
    """In plain words undo is asked about, also by who has changed nothing."""
    asked = plain_text(await answered(_app(filled), "please take that back", READER))
    assert f"Shall I do that?\n{NOTHING} Nothing has changed yet." in asked


async def test_of_very_many_changes_the_last_are_kept(filled: Database) -> None:
    """Twenty are, however many there were."""
    app = _app(filled)
    for _ in range(13):
        for line in ("save 1", "unsave 1"):
            await answered(app, line, READER)
    told = [first_line(await answered(app, "undo", READER)) for _ in range(21)]
    assert [each == NOTHING for each in told] == [*[False] * 20, True]


@pytest.mark.parametrize(
    ("before", "change", "was", "shows"),
    [
        ((), "subscribe", "added subscription 1", "subscriptions"),
        (("subscribe",), "subscribe change:1 friday", "changed subscription 1", "subscriptions"),
        (("subscribe",), "unsubscribe", "cancelled subscription 1", "subscriptions"),
        (("subscribe",), "pause until:2w", "paused subscription 1", "subscriptions"),
        (("subscribe", "pause"), "resume", "resumed subscription 1", "subscriptions"),
        (("subscribe", "pause"), "unsubscribe", "cancelled subscription 1", "subscriptions"),
        (
            ("subscribe", "pause until:2026-12-24"),
            "pause",
            "paused subscription 1",
            "subscriptions",
        ),
        (
            ("subscribe", "pause until:2026-12-24"),
            "resume",
            "resumed subscription 1",
            "subscriptions",
        ),
        (
            (),
            "settings zone:Asia/Tokyo",
            "changed the setting zone: not set → Asia/Tokyo",
            "settings",
        ),
        ((), "alert sparse", "added alert 1: sparse", "alerts"),
        (("alert sparse",), "unalert 1", "stopped alert 1: sparse", "alerts"),
        ((), "alert sparse in:#ml", "added alert 1: sparse", "alerts"),
    ],
)
async def test_a_change_of_a_channel_is_taken_back(
    filled: Database, before: tuple[str, ...], change: str, was: str, shows: str
) -> None:
    """Subscriptions, settings and alerts stand as before."""
    app, asker = _app(filled), manager(rooms())
    for line in before:
        await answered(app, line, asker, PRESSED)
    stood = plain_text(await answered(app, shows, asker))
    assert not (await answered(app, change, asker, PRESSED)).failed
    assert first_line(await answered(app, "undo", asker)) == f"Taken back: you {was}."
    now = plain_text(await answered(app, shows, asker))
    again = re.compile(r"\b2(?=\W)")  # what is added again has a number of its own
    assert again.sub("1", now) == again.sub("1", stood)


@pytest.mark.parametrize(
    ("before", "mine", "theirs"),
    [
        (("subscribe",), "subscribe change:1 tuesday", "subscribe change:1 friday size:3"),
        ((), "subscribe", "subscribe change:1 friday"),
        (("subscribe",), "pause until:2w", "pause"),
        (("subscribe",), "pause", "unsubscribe"),
        (("subscribe", "pause"), "unsubscribe", "resume 1"),
        (("subscribe", "pause"), "resume", "pause until:2026-12-24"),
        (("subscribe", "unsubscribe"), "resume 1", "pause until:2026-12-24"),
        ((), "settings zone Asia/Tokyo", "settings zone Europe/Berlin"),
        ((), "settings zone:Asia/Tokyo layout:full", "settings zone:default layout:thread"),
    ],
)
async def test_what_somebody_else_changed_since_stays(
    filled: Database, before: tuple[str, ...], mine: str, theirs: str
) -> None:
    """Neither undo nor the button of the answer overwrites it, and undo says so."""
    app, asker, other = _app(filled), manager(rooms()), manager(rooms(), user="U2")
    for line in before:
        await answered(app, line, asker, PRESSED)
    done = await answered(app, mine, asker, PRESSED)
    assert not (await answered(app, theirs, other, PRESSED)).failed
    stands = await _settled(app, asker)
    said = first_line(await answered(app, "undo", asker))
    assert "can't be taken back now" in said or said.startswith("Not taken back: you changed")
    await answered(app, pressed(done).get("Undo", "latest"), asker, PRESSED)
    assert await _settled(app, asker) == stands


async def _settled(app: Broadsheet, asker: Actor) -> list[str]:
    lines = ("subscriptions", "settings")
    return [plain_text(await answered(app, line, asker)) for line in lines]


async def test_a_chain_of_changes_of_one_subscription_is_taken_back(filled: Database) -> None:
    """Each undo leaves it as the change before had left it, to the first."""
    app, asker = _app(filled), manager(rooms())
    chain = (
        "subscribe Asia/Tokyo", "subscribe change:1 friday", "pause until:2026-12-24", "resume",
        "pause", "unsubscribe 1", "resume 1", "unsubscribe 1",
    )  # fmt: skip
    stood = []
    for line in chain:
        stood.append(plain_text(await answered(app, "subscriptions", asker)))
        assert not (await answered(app, line, asker, PRESSED)).failed
    for expected in reversed(stood):
        assert first_line(await answered(app, "undo", asker)).startswith("Taken back: you ")
        now = plain_text(await answered(app, "subscriptions", asker))
        assert now == expected


@pytest.mark.parametrize(
    ("before", "change", "why"),
    [
        (("subscribe",), "deliver", "people may have seen it"),
    ],
)
async def test_what_stays_is_said_once(
    filled: Database, before: tuple[str, ...], change: str, why: str
) -> None:
    """It says why, and that another `undo` takes back the change before."""
    app, asker = _app(filled), manager(rooms())
    for line in (*before, change):
        await answered(app, line, asker)
    stays, goes = [plain_text(await answered(app, "undo", asker)) for _ in range(2)]
    assert "That can't be taken back:" in stays
    assert why in stays
    assert goes.startswith("Taken back: you ")


async def test_who_may_no_more_takes_back_no_more(filled: Database) -> None:
    """A role or a channel that was lost meanwhile is needed to take back what was done with it."""
    app, asker = _app(filled), manager(rooms())
    await answered(app, "subscribe", asker)
    reply = await answered(app, "undo", replace(asker, role=Role.READER))
    assert reply.failed
    assert "You added subscription 1. That can't be taken back now" in plain_text(reply)
    assert "Subscription 1" in plain_text(await answered(app, "subscriptions", asker))


async def test_who_left_a_channel_is_told_no_name(filled: Database) -> None:
    """A subscription of a channel that the person is in no more keeps what it is."""
    seen = rooms()
    app, asker = _app(filled), manager(seen, "C2")
    await answered(app, "subscribe", asker)
    await answered(app, "pause", asker)
    seen.rooms = [ChannelInfo("C1", "ml")]
    reply = await answered(app, "undo", replace(asker, channel="C1"))
    assert reply.failed
    assert "secret" not in plain_text(reply)


async def test_who_left_a_channel_hears_of_no_change_there(filled: Database) -> None:
    """What they ordered ends by undo whatever those inside have made of it, which is theirs."""
    seen = rooms()
    app, asker = _app(filled), manager(seen, "C2")
    await answered(app, "subscribe", asker)
    await answered(app, "subscribe change:1 friday", manager(rooms(), "C2", "U2"), PRESSED)
    seen.rooms = [ChannelInfo("C1", "ml")]
    told = plain_text(await answered(app, "undo", replace(asker, channel="C1")))
    assert told.startswith("Taken back: you added subscription 1.")
    assert "changed" not in told
    assert "secret" not in told


async def test_what_was_added_is_taken_back_and_nothing_in_its_place(filled: Database) -> None:
    """Another manager's alert has another number than one that was stopped before."""
    app, asker, other = _app(filled), manager(rooms()), manager(rooms(), user="U2")
    added = await answered(app, "alert sparse in:#ml", asker)
    for line in ("unalert 1", "alert routing in:#ml"):
        await answered(app, line, other)
    assert "can't be taken back now" in first_line(await answered(app, "undo", asker))
    assert (await answered(app, pressed(added)["Stop this alert"], asker, PRESSED)).failed
    assert "routing" in plain_text(await answered(app, "alerts", other))


async def test_another_persons_button_asks_first(filled: Database) -> None:
    """Who presses `undo` that somebody else typed is shown the command and asked."""
    app = _app(filled)
    await answered(app, "save 1", READER)
    foreign = LineOrigin(typed=False, by="somebody")
    reply = await answered(app, "undo", READER, foreign)
    assert commands(reply)[0] == "undo"
    assert SPARSE in str((await answered(app, "saved", READER)).blocks)


async def test_forget_leaves_nothing_to_take_back(filled: Database) -> None:
    """All that could be taken back is deleted, and nothing is stored by asking."""
    app = _app(filled)
    await answered(app, "note 1 secret words", READER)
    await forgotten(app, READER)
    assert first_line(await answered(app, "undo", READER)) == NOTHING
    assert first_line(await answered(app, "forget", READER)) == "Nothing is stored about you."


async def test_a_refused_undo_is_not_used_up(filled: Database) -> None:
    """A platform that does not answer leaves the change the last one, for `undo` and a button."""
    seen = rooms()
    app, asker = _app(filled), manager(seen)
    for line in ("subscribe", "pause"):
        await answered(app, line, asker)
    seen.trouble = UserError("Slack did not answer.", "Try again in a moment.")
    told = "You paused subscription 1. That can't be taken back now: Slack did not answer."
    refused = [await answered(app, "undo", asker) for _ in range(2)]
    assert [first_line(each) for each in refused] == [told, told]
    seen.trouble = None
    again = await answered(app, pressed(refused[0])["Try again"], asker, PRESSED)
    assert first_line(again) == "Taken back: you paused subscription 1."
    assert "you added subscription 1" in first_line(await answered(app, "undo", asker))


async def test_what_is_refused_can_be_left_for_the_change_before(filled: Database) -> None:
    """A button passes over it; nothing else has to wait for what can't be taken back any more."""
    app, asker, other = _app(filled), manager(rooms()), manager(rooms(), user="U2")
    for line in ("save 1", "alert sparse in:#ml"):
        await answered(app, line, asker)
    for line in ("unalert 1", "alert routing in:#ml"):
        await answered(app, line, other)
    refused = await answered(app, "undo", asker)
    assert "can't be taken back now" in first_line(refused)
    left = await answered(app, pressed(refused)["Leave it"], asker, PRESSED)
    assert first_line(left) == "Left as it is: you added alert 1: sparse."
    assert "you saved Sparse Attention" in first_line(await answered(app, "undo", asker))


async def test_what_the_store_refuses_can_be_taken_back_later(filled: Database) -> None:
    """A store that is busy leaves the change the last one."""
    app = bot_of(_Refusing(filled))  # type: ignore[arg-type] # a store that refuses one write
    await answered(app, "save 1", READER)
    assert (await answered(app, "undo", READER)).failed
    assert "you saved Sparse Attention" in plain_text(await answered(app, "undo", READER))


class _Refusing:
    """A store that refuses the first removal."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._refused = False

    def __getattr__(self, name: str) -> object:
        return getattr(self._database, name)

    async def write(self, fn: Callable[..., object], *args: object) -> object:
        """Write, but refuse to take a paper off for the first time."""
        if fn.__name__ == "unsave_all" and not self._refused:
            self._refused = True
            raise StoreBusy
        return await self._database.write(fn, *args)
