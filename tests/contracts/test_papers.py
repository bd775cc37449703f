"""Votes and lists on every platform: what is pressed counts, shows where it should, and is told."""

from functools import partial
from typing import Any

import pytest
from sqlalchemy import Engine

from store.database import Database
from store.posting.subscriptions import list_subscriptions
from store.records import Layout
from tests.adapters.common.delivery_worker import until
from tests.bot.posting.digest.editions import REFS, TITLES
from tests.contracts.conftest import OpensRoom
from tests.contracts.stages.rooms import Room


async def _listed(room: Room, who: str) -> list[str]:
    """Return the titles on somebody's list."""
    shown = await room.ask(who, "saved")
    return [title for title in TITLES if title in shown.text]


async def _shared(room: Room, message: Any) -> Any:
    """Let Ann share an answer; return what all see."""
    return await room.answer("bob", lambda: room.press("ann", message, "Share"))


async def test_votes_in_a_post_show_in_it_and_nowhere_else(opens_room: OpensRoom) -> None:
    """Nobody is sent a message; a second vote of somebody takes theirs back."""
    async with opens_room() as room:
        post = await room.delivered()
        before = [len(room.sees(who)) for who in ("ann", "bob")]
        for voters, told in ((("ann", "bob"), "2 votes"), (("ann",), "1 vote")):
            for who in voters:
                await room.pick(who, post, "Vote", 1, TITLES[0])
            await until(partial(_says, post, told))
        assert [len(room.sees(who)) for who in ("ann", "bob")] == before
        assert post.edited


def _says(message: Any, words: str) -> bool:
    return words in message.text


def _offers(message: Any, label: str) -> bool:
    return label in message.buttons


async def test_a_vote_in_an_answer_shows_there_and_in_the_post(opens_room: OpensRoom) -> None:
    """The card takes its own place, with the vote, and who asks after that sees it too."""
    async with opens_room() as room:
        post = await room.delivered()
        card = await room.ask("ann", f"show {REFS[0]}")
        before = room.sees("ann")
        await room.press("ann", card, "Vote")
        await until(partial(_offers, card, "Take back vote (1)"))
        told = await room.ask("bob", f"vote {REFS[0]}")
        assert "You voted for Sparse Attention: 2 votes here." in told.text
        await until(partial(_says, post, "2 votes"))
        await room.press("ann", card, "Take back vote (1)")
        await until(partial(_offers, card, "Vote (1)"))
        assert room.sees("ann") == before


async def test_a_vote_for_a_shared_card_shows_in_it(opens_room: OpensRoom) -> None:
    """Its button tells the new count to all, the rest of it stays, and nobody is told anything.

    Who shared it had voted, which it does not say.
    """
    async with opens_room() as room:
        card = await room.ask("ann", f"show {REFS[0]}")
        await room.press("ann", card, "Vote")
        await until(partial(_offers, card, "Take back vote (1)"))
        shared = await _shared(room, card)
        text = _without_buttons(shared)
        await room.press("ann", shared, "Vote (1)")
        await until(partial(_offers, shared, "Vote"))
        await room.ask("bob", f"vote {REFS[0]}")
        # An edit that a busy machine makes late has counted the vote of bob already.
        counted = _offers(shared, "Vote (1)")
        await room.press("ann", shared, "Vote (1)" if counted else "Vote")
        await until(partial(_offers, shared, "Vote (2)"))
        assert _without_buttons(shared) == text
        assert "Shared by " in room.all_of(shared)
        assert room.sees("ann")[-1] is shared
        assert room.open_to_all() == [shared]


def _without_buttons(message: Any) -> str:
    return str(message.text).partition("[")[0]


async def test_a_vote_from_a_list_is_told_to_who_votes(opens_room: OpensRoom) -> None:
    """In one's own answer and in one that all see, which stay as they are."""
    async with opens_room() as room:
        listed = await room.ask("ann", "latest")
        told = await room.picked("ann", listed, "Vote", 1, TITLES[0])
        assert "You voted for Sparse Attention: 1 vote here." in told.text
        shared = await _shared(room, listed)
        question = await room.picked("bob", shared, "Vote", 1, TITLES[0])
        assert f"/papers vote {REFS[0]}\n" in question.text
        await room.press("bob", question, "Vote")
        await until(lambda: any(map(partial(_says, words="2 votes here."), room.sees("bob"))))
        told = room.sees("bob")[-1]
        assert "You voted for Sparse Attention: 2 votes here." in told.text
        assert room.is_for(told) == "bob"
        assert not shared.edited


@pytest.mark.parametrize("layout", [Layout.FULL, Layout.COMPACT])
async def test_a_paper_of_a_post_is_saved(opens_room: OpensRoom, layout: Layout) -> None:
    """Below its card or from a menu; who saved it is told alone, and the post stays."""
    async with opens_room() as room:
        post = await room.post(layout)
        told = await room.picked("ann", post, "Save", 3, TITLES[2])
        assert room.is_for(told) == "ann"
        assert "On your list: Routing Experts." in told.text
        assert await _listed(room, "ann") == [TITLES[2]]
        assert await _listed(room, "bob") == []
        assert not post.edited


async def test_a_vote_that_fails_is_told(opens_room: OpensRoom, store: Database) -> None:
    """In a post, where a vote is quiet, and in an answer, which stays as it is."""
    async with opens_room() as room:
        post, card = await room.post(Layout.COMPACT), await room.ask("ann", f"show {REFS[0]}")
        await store.run(_lose_votes)
        for fails in (
            partial(room.picked, "ann", post, "Vote", 1, TITLES[0]),
            partial(room.pressed, "ann", card, "Vote"),
        ):
            told = await fails()
            assert "Something went wrong" in told.text
            assert room.is_for(told) == "ann"
        assert not card.edited


def _lose_votes(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE vote")


async def test_what_is_saved_in_a_channel_is_exported_alone(opens_room: OpensRoom) -> None:
    """A list is one person's, wherever they ask."""
    async with opens_room() as room:
        told = await room.pressed("ann", await room.ask("ann", f"show {REFS[2]}"), "Save")
        assert room.is_for(told) == "ann"
        for form in ("bibtex", "json"):
            exported = await room.ask("ann", f"saved as:{form}", alone=True)
            assert "2601.00003" in room.all_of(exported)


async def test_all_of_it_is_deleted_by_a_button(opens_room: OpensRoom, store: Database) -> None:
    """The answer takes the question's place, which can't be asked again; others keep theirs.

    An order in direct messages goes, one in a channel stays without a name.
    """
    async with opens_room() as room:
        for who in ("ann", "bob"):
            await room.ask(who, f"save {REFS[0]}")
        for alone in (True, False):
            await room.ask("ann", "subscribe", alone=alone)
        question = await room.ask("ann", "forget")
        assert not _offers(question, "Share")
        before = len(room.sees("ann"))
        await room.press("ann", question, "Delete all of it")
        await until(
            lambda: "All that was stored about you is deleted." in room.sees("ann")[-1].text
        )
        assert len(room.sees("ann")) == before
        assert not _offers(room.sees("ann")[-1], "Delete all of it")
        assert "Nothing is on your list yet." in (await room.ask("ann", "saved")).text
        assert await _listed(room, "bob") == [TITLES[0]]
        [left] = await store.read(list_subscriptions)
        assert (left.channel, left.owner) == (room.channel, "")
