"""Conversations on every chat platform: who sees an answer, what follows it, what is kept."""

import asyncio
import re
from datetime import timedelta
from typing import Any

from store.database import Database
from tests.adapters.common.delivery_worker import until, until_seen
from tests.adapters.common.long_papers import add_long_papers
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in
from tests.bot.posting.digest.editions import REFS, TITLES
from tests.contracts.conftest import OpensRoom
from tests.file_replies import OPEN, PICTURE, PLOT

_WELCOME = "Broadsheet has the top AI papers of each week."
_SETTLED = "shows what is settled here"
_ASKED_FIRST = "Somebody else wrote this."
# For as long as another message would come, were there one.
_QUIET = 0.3


async def test_a_page_turns_in_place_and_details_stand_below(opens_room: OpensRoom) -> None:
    """Previous changes the list itself, and the list stays where a paper of it is opened."""
    async with opens_room() as room:
        listed = await room.ask("ann", "latest")
        await room.press("ann", listed, "Previous")
        await until(lambda: "Sparse Rewards" in listed.text)
        assert room.sees("ann") == [listed]
        shown = await room.pressed("ann", listed, "Details 2")
        assert "Sparse Rewards" in shown.text
        assert room.is_for(shown) == "ann"
        assert room.sees("bob") == []


async def test_what_is_shared_is_everybody_s_and_stays(opens_room: OpensRoom) -> None:
    """It says who shared it and the command; whoever presses is answered alone, and at once."""
    async with opens_room() as room:
        listed = await room.ask("ann", "latest")
        shared = await room.answer("bob", lambda: room.press("ann", listed, "Share"))
        assert "Shared by " in room.all_of(shared)
        assert "/papers week" in room.all_of(shared)
        assert "Share" not in shared.buttons
        before = room.sees("ann")
        for label, shown in (("Previous", "Sparse Rewards"), ("Details 1", TITLES[0])):
            answer = await room.pressed("bob", shared, label)
            assert shown in answer.text
            assert _ASKED_FIRST not in answer.text
            assert room.is_for(answer) == "bob"
        assert [each for each in room.sees("ann") if each not in before] == []
        assert not shared.edited


async def test_another_is_asked_before_a_shared_button_changes_anything(
    opens_room: OpensRoom,
) -> None:
    """The question shows the whole command to them alone; who shared the answer is not asked."""
    async with opens_room() as room:
        card = await room.ask("ann", f"show {REFS[0]}")
        shared = await room.answer("bob", lambda: room.press("ann", card, "Share"))
        question = await room.pressed("bob", shared, "Save")
        assert room.is_for(question) == "bob"
        assert _ASKED_FIRST in question.text
        assert f"/papers save {REFS[0]}" in question.text
        assert "On your list" in (await room.pressed("bob", question, "Save")).text
        assert "On your list" in (await room.pressed("ann", shared, "Save")).text
        assert not shared.edited


async def test_a_direct_message_is_read_as_a_person_wrote_it(opens_room: OpensRoom) -> None:
    """An address is shown, other words are searched for and narrowed, and a number is that hit.

    Between a person and the bot nothing is private, so nothing is shared.
    """
    async with opens_room() as room:
        for line, said in (
            ("https://arxiv.org/abs/2601.00003", "Read as: /papers show dair:2026-01-05#3"),
            ("anything on attention?", "Read as: /papers search attention"),
            ("only from dair", "Read as: /papers search attention from:dair"),
            ("2", "Read as: /papers show dair:2026-01-05#2"),
            ("save 1-2", "On your list: 2 papers."),
            ("latest", TITLES[0]),
            ("thanks!", "You're welcome!"),
        ):
            answer = await room.write("ann", line)
            assert said in answer.text, line
            assert "Share" not in answer.buttons, line


async def test_a_brief_goes_on_where_it_ended(opens_room: OpensRoom, store: Database) -> None:
    """A command, its button and a direct message are one stream; a colleague has their own."""
    await add_long_papers(store)
    async with opens_room() as room:
        first = await room.ask("ann", "brief 1 from:long")
        told = [
            first,
            await room.pressed("ann", first, "Next 1 minute"),
            await room.ask("ann", "brief 1 from:long", alone=True),
            await room.ask("bob", "brief 1 from:long"),
        ]
        numbers = [re.findall(r"Long Paper (\d+)", each.text)[0] for each in told]
        assert numbers == ["1", "2", "3", "1"]


async def test_a_first_answer_is_followed_by_the_welcome_once(opens_room: OpensRoom) -> None:
    """It stands below the answer, for whoever asked alone.

    The first who manages posts there is told what the workspace has settled, and nobody after.
    """
    async with opens_room(welcomes=True) as room:
        answer = await room.ask("ann", "latest")
        await until(lambda: len(room.sees("ann")) == 2)
        assert room.sees("ann")[0] is answer
        _assert_welcome(room.sees("ann")[1], settled=True)
        assert room.sees("bob") == []
        await room.ask("bob", "latest")
        await until(lambda: len(room.sees("bob")) == 2)
        _assert_welcome(room.sees("bob")[1], settled=False)
        await room.ask("ann", "topic")
        await asyncio.sleep(_QUIET)
        assert len(room.sees("ann")) == 3


def _assert_welcome(message: Any, *, settled: bool) -> None:
    assert _WELCOME in message.text
    assert (_SETTLED in message.text) is settled


async def test_a_file_is_for_whoever_sees_its_answer(opens_room: OpensRoom) -> None:
    """For the asker alone, for all once it is shared, and at once where the answer is for all."""
    async with opens_room([PLOT, OPEN]) as room:
        answer = await room.ask("ann", "plot")
        await until(lambda: room.files("ann") == [PICTURE.data])
        assert room.files("bob") == []
        await room.press("ann", answer, "Share")
        await until(lambda: room.files("bob") == [PICTURE.data])
        await room.ask("ann", "openly")
        await until(lambda: room.files("bob") == [PICTURE.data] * 2)


async def test_papers_that_are_listed_are_not_opened(
    opens_room: OpensRoom, store: Database
) -> None:
    """Several papers of a message are listed and not seen; a single one is shown and seen."""
    other = entry(1, "Another Paper", "On words.", links=["https://arxiv.org/abs/2512.00001"])
    await store.write(take_in, edition(other, first_day=MONDAY - timedelta(days=7)), "other")
    async with opens_room() as room:
        listed = await room.look_up("ann", "https://arxiv.org/abs/2601.00003 and arXiv:2512.00001")
        assert "Another Paper" in listed
        assert "Routing Experts" in await room.look_up("bob", "Have a look: 2601.00003v2 !")
        await until_seen(store, 1)
        several, one = [await room.ask(who, "brief 60") for who in ("ann", "bob")]
        for message, is_new in ((several, True), (one, False)):
            assert ("Routing Experts" in room.all_of(message)) is is_new
            assert "Another Paper" in room.all_of(message)
