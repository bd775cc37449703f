"""Votes as commands see them: turned, told, and ranked by."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Concatenate, ParamSpec, TypeVar

import pytest

from bot.accounts import VOTES_FRESH, Votes, counted_in
from bot.actor import Actor, Role
from bot.app import Broadsheet
from bot.commands.types import PRESSED
from bot.replies.blocks import PaperCard, PaperList, Reply
from bot.replies.paper_actions import can_vote
from bot.replies.plain_text import plain_text
from store.consensus.queries import order_by_votes
from store.database import Database, Session
from store.records import Person, Workspace
from tests.bot.conftest import FixedClock
from tests.bot.member_channels import bot_over
from tests.bot.replies.parts import buttons, first_line, titles
from tests.bot.test_accounts import Held, Stopwatch
from tests.store.consensus.fused_weeks import SECOND, takes_in, week
from tests.store.posting.delivery_rows import DUE
from tests.store.readers.votes import OURS, THEIRS, turns

P = ParamSpec("P")
T = TypeVar("T")

FIRST, OTHER, AGAIN = "dair:2026-01-05#1", "dair:2026-01-05#2", "dair:2026-01-12#2"
ANN = Actor("test", "T1", "ann", Role.READER)
BOB = replace(ANN, user="bob")


class Counting(Database):
    """A store that counts how often it is read."""

    reads = 0

    async def read(
        self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Read, and count that."""
        self.reads += 1
        return await super().read(fn, *args, **kwargs)


async def _bot(database: Database) -> Broadsheet:
    """Return a bot over two weeks: the first paper of the one is the second of the other."""
    await takes_in(database, ("dair", week(1, 2)), ("dair", week(3, 1, first_day=SECOND)))
    return bot_over(database, FixedClock())


def _votes(reply: Reply) -> dict[str, int]:
    """Return the votes that a reply tells for its papers, by ref."""
    shown = {block.ref: block.votes for block in reply.blocks if isinstance(block, PaperCard)}
    lists = [block for block in reply.blocks if isinstance(block, PaperList)]
    return shown | {paper.ref: paper.votes for block in lists for paper in block.papers}


async def test_a_vote_is_told_and_can_be_taken_back(database: Database) -> None:
    """The answer names the paper, how many votes it has here, and turns it again by a button."""
    bot = await _bot(database)
    given = await bot.run_text(f"vote {FIRST}", ANN)
    assert first_line(given) == "You voted for Paper 1: 1 vote here."
    assert (given.command, given.quiet, given.failed) == (f"show {FIRST}", True, False)
    assert buttons(given)["Take back"].command == f"vote {FIRST}"
    assert first_line(await bot.run_text("vote 2601.00001", BOB)) == (
        "You voted for Paper 1: 2 votes here."
    )
    back = await bot.run_text(buttons(given)["Take back"].command, ANN, origin=PRESSED)
    assert first_line(back) == "Your vote for Paper 1 was removed: 1 vote here."
    assert buttons(back)["Vote again"].command == f"vote {FIRST}"


async def test_a_vote_below_a_card_gives_the_card_again(database: Database) -> None:
    """It is what `show` gives, with the votes of now, and is shared as that."""
    bot = await _bot(database)
    card = await bot.run_text(f"show {FIRST}", ANN)
    vote = buttons(card)["Vote"]
    assert (vote.command, vote.turns) == (f"vote {FIRST} in:card", True)
    turned = await bot.run_text(vote.command, ANN, origin=PRESSED)
    assert (turned.command, turned.quiet) == (f"show {FIRST}", False)
    assert _votes(turned)[FIRST] == 1
    assert buttons(turned)["Take back vote (1)"].command == vote.command
    assert buttons(await bot.run_text(f"show {FIRST}", BOB))["Vote (1)"].command == vote.command
    again = await bot.run_text(f"show {AGAIN}", ANN)
    assert buttons(again)["Take back vote (1)"].command == f"vote {AGAIN} in:card"
    shown = await bot.run_text(f"show {FIRST}", ANN)
    assert shown == replace(turned, ran=f"show {FIRST}")
    assert await bot.run_text(vote.command, ANN, origin=PRESSED) == replace(card, ran=vote.command)


async def test_a_vote_from_a_list_is_told(database: Database) -> None:
    """No message will show it, so that it is not quiet where all see the list."""
    bot = await _bot(database)
    listed = await bot.run_text("latest", ANN)
    [menu] = [
        menu
        for block in listed.blocks
        if isinstance(block, PaperList)
        for menu in block.menus
        if menu.label == "Vote for a paper"
    ]
    told = await bot.run_text(f"{menu.command} {AGAIN}", ANN, origin=PRESSED)
    assert first_line(told) == "You voted for Paper 1: 1 vote here."
    assert not told.quiet


async def test_a_vote_in_a_shared_card_renames_its_button(database: Database) -> None:
    """It is quiet, and tells the count of then; the same request asked again does so too."""
    bot = await _bot(database)
    line = f"vote {FIRST} in:shared"
    given = await bot.run_text(line, ANN, "slack:1", PRESSED)
    [button] = given.renamed
    assert (given.quiet, button.label, button.command) == (True, "Vote (1)", line)
    assert first_line(given) == "You voted for Paper 1: 1 vote here."
    await bot.run_text(line, BOB, "slack:2", PRESSED)
    [again] = (await bot.run_text(line, ANN, "slack:1", PRESSED)).renamed
    assert again.label == "Vote (2)"


async def test_every_answer_shows_the_votes_of_its_workspace(database: Database) -> None:
    """Lists and cards, by whichever ref they show a paper; those of others are not seen."""
    bot = await _bot(database)
    await bot.run_text(f"vote {FIRST}", ANN)
    for line in ("latest", "week 2026-W03", "search paper", "top 2026", "show 2601.00001"):
        votes = _votes(await bot.run_text(line, BOB))
        assert {ref for ref, count in votes.items() if count} <= {FIRST, AGAIN}, line
        assert 1 in votes.values(), line
        elsewhere = await bot.run_text(line, replace(BOB, workspace="T2"))
        assert set(_votes(elsewhere).values()) == {0}, line


async def test_a_request_that_comes_again_turns_nothing(database: Database) -> None:
    """It is answered as the first time."""
    bot = await _bot(database)
    first = await bot.run_text(f"vote {FIRST}", ANN, "slack:1")
    assert await bot.run_text(f"vote {FIRST}", ANN, "slack:1") == first
    assert _votes(await bot.run_text("latest", ANN))[AGAIN] == 1


@pytest.mark.parametrize(
    "actor",
    [
        Actor("discord", "@ann", "ann", Role.MANAGER, home="@ann"),
        Actor("discord", "@ann", "ann", Role.READER, home="@ann", joined=False),
        replace(ANN, joined=False),
    ],
)
async def test_where_there_are_no_others_no_vote_counts(database: Database, actor: Actor) -> None:
    """In direct messages of a platform that has people everywhere, and where the bot is not."""
    bot = await _bot(database)
    for line in (f"vote {FIRST}", f"vote {FIRST} in:card"):
        refused = await bot.run_text(line, actor, origin=PRESSED)
        assert refused.failed
        assert not refused.quiet
        assert "counts among the people of a server" in first_line(refused)
    spoken = first_line(await bot.run_text("please vote for the first paper", actor))
    assert "counts among the people of a server" in spoken
    for line in ("latest", "week 2026-W03", "search paper", "top 2026", f"show {FIRST}", "brief"):
        assert not can_vote(await bot.run_text(line, actor)), line
    ranked = plain_text(await bot.run_text("top 2026 by:votes", actor))
    assert "there are none here" in ranked
    assert "Vote stands" not in ranked
    assert _votes(await bot.run_text("latest", ANN))[AGAIN] == 0


async def test_a_person_known_everywhere_votes_in_each_server(database: Database) -> None:
    """The vote counts where it is given, by whomever of that person's servers."""
    bot = await _bot(database)
    ours = Actor("discord", "1", "ann", Role.READER, home="@ann")
    for actor in (ours, replace(ours, workspace="2")):
        assert "1 vote here" in first_line(await bot.run_text(f"vote {FIRST}", actor))


async def test_whoever_sends_posts_is_woken(database: Database) -> None:
    """A vote may show in posts."""
    await takes_in(database, ("dair", week(1, 2)))
    rung: list[None] = []
    await bot_over(database, FixedClock(), rung).run_text(f"vote {FIRST}", ANN)
    assert rung == [None]


async def test_votes_rank_where_that_is_asked_for(database: Database) -> None:
    """Most votes first, then as without; pages and lines keep the order that was asked for."""
    bot = await _bot(database)
    assert titles(await bot.run_text("top 2026", ANN)) == ["Paper 1", "Paper 3", "Paper 2"]
    await bot.run_text(f"vote {OTHER}", ANN)
    await bot.run_text(f"vote {OTHER}", BOB)
    await bot.run_text(f"vote {AGAIN}", BOB)
    ranked = await bot.run_text("top 2026 by:votes", ANN)
    assert titles(ranked) == ["Paper 2", "Paper 1", "Paper 3"]
    assert "most votes here first, then" in plain_text(ranked)
    assert ranked.command == "top 2026 by:votes"
    assert titles(await bot.run_text("top 2026 by:rank", ANN)) == ["Paper 1", "Paper 3", "Paper 2"]


async def test_without_votes_the_sources_rank(database: Database) -> None:
    """The answer says that nobody voted, and how to; an empty period offers others."""
    bot = await _bot(database)
    await bot.run_text(f"vote {OTHER}", replace(ANN, workspace="T2"))
    usual = await bot.run_text("top 2026 by:votes", ANN)
    assert titles(usual) == ["Paper 1", "Paper 3", "Paper 2"]
    assert "Nobody here has voted for any of these papers yet." in plain_text(usual)
    assert "Vote stands below a paper where its Details show it" in plain_text(usual)
    assert can_vote(usual)
    empty = await bot.run_text("top 2025 by:votes", ANN)
    assert [each.command for each in buttons(empty).values()] == ["top 2026-01 by:votes"]


def test_the_order_stays_among_as_many_votes() -> None:
    """A paper has the votes that any of its entries is told to have."""
    papers = ((1,), (2, 3), (4,), (5,))
    assert order_by_votes(papers, {}) == papers
    assert order_by_votes(papers, {3: 2, 4: 2, 5: 3}) == ((5,), (2, 3), (4,), (1,))


async def test_ones_own_vote_is_seen_at_once(database: Database) -> None:
    """It is told in that workspace as soon as it is given or taken back; nor elsewhere."""
    await takes_in(database, ("dair", week(1, 2)))
    votes = Votes(database, Stopwatch())
    assert await votes.of(OURS, [FIRST]) == {}
    for expected in ({FIRST: 1}, {}):
        await votes.toggle(Person(OURS, "ann"), OURS, FIRST, None, DUE)
        assert await votes.of(OURS, [FIRST]) == expected
        assert await votes.of(THEIRS, [FIRST]) == {}


async def test_anothers_vote_is_seen_within_seconds(database: Database) -> None:
    """The first in a workspace when what is remembered gets old, those after it at once."""
    await takes_in(database, ("dair", week(1, 2)))
    watch = Stopwatch()
    votes = Votes(database, watch)
    assert await votes.of(OURS, [FIRST]) == {}
    await turns(database, "ann", FIRST)
    watch.now = VOTES_FRESH - 1
    assert await votes.of(OURS, [FIRST]) == {}
    watch.now = VOTES_FRESH
    assert await votes.of(OURS, [FIRST]) == {FIRST: 1}
    await turns(database, "bob", FIRST)
    assert await votes.of(OURS, [FIRST]) == {FIRST: 2}


async def test_a_workspace_without_votes_costs_nothing(database_url: str) -> None:
    """The workspaces with votes are read once in some seconds, for all of them."""
    async with Counting(database_url) as database:
        await takes_in(database, ("dair", week(1, 2)))
        await turns(database, "ann", FIRST)
        votes = Votes(database, Stopwatch())
        for number in range(20):
            nobodys = Workspace("test", f"none-{number}")
            assert await votes.of(nobodys, [FIRST]) == {}
            assert await votes.of_entries(nobodys, [1]) == {}
        assert database.reads == 1
        for refs, expected in (([FIRST], {FIRST: 1}), ([OTHER], {})):
            assert await votes.of(OURS, refs) == expected
        assert database.reads == 3
        assert await votes.of(OURS, []) == {}
        assert database.reads == 3


async def test_what_was_read_before_a_vote_does_not_hide_it(database_url: str) -> None:
    """A slow read of where anybody votes, overtaken by the first vote here, takes it from none."""
    async with Held(database_url) as database:
        database.gate.set()
        await takes_in(database, ("dair", week(1, 2)))
        votes = Votes(database, Stopwatch())
        database.gate.clear()
        database.made.clear()
        reading = asyncio.create_task(votes.of(OURS, [FIRST]))
        await database.made.wait()
        await votes.toggle(Person(OURS, "ann"), OURS, FIRST, None, DUE)
        database.gate.set()
        await reading
        assert await votes.of(OURS, [FIRST]) == {FIRST: 1}


def test_a_reply_without_votes_stays_the_very_same() -> None:
    """So that what is laid out for many is laid out once."""
    reply = Reply(())
    assert counted_in(reply, {}) is reply
