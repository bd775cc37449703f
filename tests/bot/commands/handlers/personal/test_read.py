"""The commands read and unread, and the marks of what was read in lists."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.app import Broadsheet
from bot.commands.types import LineOrigin
from bot.replies.blocks import to_json
from bot.replies.plain_text import plain_text
from store.database import Database
from tests.bot.conftest import READER, FixedClock, answered
from tests.bot.member_channels import bot_over
from tests.bot.replies.parts import first_line, lines, pressed, refs

OTHER = replace(READER, user="other")
SPARSE, SURVEY, EXPERTS = (f"dair:2026-01-05#{rank}" for rank in (1, 2, 3))
LISTS = (
    "latest", "week 2026-W02", "search attention", "topic agents", "top 2026",
    "related dair:2026-01-05#1", "ask what does sparse attention attend to?", "saved",
)  # fmt: skip


def _app(database: Database, minutes: float = 0) -> Broadsheet:
    clock = FixedClock()
    return bot_over(database, replace(clock, at=clock.at + timedelta(minutes=minutes)))


async def test_papers_are_marked_by_number(filled: Database) -> None:
    """The answer names them, says what was so already, and has the way back."""
    app = _app(filled)
    await answered(app, "latest", READER)
    reply = await answered(app, "read 1", READER)
    assert first_line(reply) == "Marked as read: Sparse Attention."
    assert pressed(reply) == {"Mark as unread": f"unread {SPARSE}", "Details": f"show {SPARSE}"}
    several = await answered(app, "read 1-3", READER)
    assert plain_text(several).splitlines()[:2] == [
        "Marked as read: 2 papers.",
        "A Survey of Agents; Routing Experts.",
    ]
    assert pressed(several) == {"Mark as unread": f"unread {SURVEY},{EXPERTS}"}
    again = await answered(app, "read 3", READER)
    assert first_line(again) == "Marked as read already: Routing Experts."
    back = await answered(app, "unread 3", READER)
    assert first_line(back) == "Marked as unread: Routing Experts."
    assert first_line(await answered(app, "unread 3", READER)).startswith(
        "Marked as unread already"
    )


@pytest.mark.parametrize(
    "line", ["read 1-9", "read 1,7", "READ 1 and 7", "unread 2-3", "save 1-9", "vote the last two"]
)
async def test_numbers_beyond_the_list_mark_nothing(filled: Database, line: str) -> None:
    """Not even those that there are, and no other reading opens one: how many there are is said."""
    app = _app(filled)
    await answered(app, "search agents", READER)
    reply = await answered(app, line, READER)
    assert reply.failed
    assert "in the list that you saw last: it has 1 paper." in first_line(reply)
    assert "✓" not in plain_text(await answered(app, "latest", READER))


@pytest.mark.parametrize("line", LISTS)
async def test_every_list_marks_what_was_read(filled: Database, line: str) -> None:
    """The mark is words too, which a screen reader says; only its reader sees it."""
    app = _app(filled)
    for actor in (READER, OTHER):
        await answered(app, "latest", actor)
        await answered(app, "save 1-3", actor)
    await answered(app, "read 1,2", READER)
    own = await answered(app, line, READER)
    assert (
        {each.ref for each in lines(own) if each.read} == {SPARSE, SURVEY} & {*refs(own)} != set()
    )
    assert plain_text(own).count("✓ read") == len({SPARSE, SURVEY} & {*refs(own)})
    for actor in (OTHER, replace(READER, shares=True), replace(READER, remembers=False)):
        reply = await answered(app, line, actor)
        assert '"read"' not in str(to_json(reply)).replace("'", '"')


async def test_what_is_shown_unasked_is_marked_too(filled: Database) -> None:
    """Slack's App Home notes nothing as seen, and marks what its reader has read."""
    app, reader = _app(filled), replace(READER, platform="slack", channel="D1")
    await answered(app, f"read {SPARSE}", reader)
    home = await answered(app, "latest", replace(reader, remembers=False))
    assert [each.ref for each in lines(home) if each.read] == [SPARSE]


async def test_a_paper_is_read_by_each_of_its_entries(filled: Database) -> None:
    """One that an earlier edition has too is marked there."""
    app = _app(filled)
    await answered(app, f"read {EXPERTS}", READER)
    reply = await answered(app, "week 2026-W01", READER)
    assert [each.read for each in lines(reply)] == [True, False]


async def test_what_was_read_stands_last_in_the_list(filled: Database) -> None:
    """Unread papers come first, each part the last saved first."""
    app = _app(filled)
    for each in (EXPERTS, SPARSE, SURVEY):
        await answered(app, f"save {each}", READER)
    await answered(app, f"read {EXPERTS}", READER)
    last = refs(await answered(app, "saved", READER))
    assert (last[-1], {*last}) == (EXPERTS, {SPARSE, SURVEY, EXPERTS})
    await answered(app, f"unread {EXPERTS}", READER)
    assert [each.read for each in lines(await answered(app, "saved", READER))] == [False] * 3


async def test_the_list_shows_what_was_read_or_not(filled: Database) -> None:
    """Beside filters and tags, over files too; where there is nothing, that is said."""
    app = _app(filled)
    for each in (SPARSE, f"{SURVEY} tag:own", EXPERTS):
        await answered(app, f"save {each}", READER)
    assert first_line(await answered(app, "saved read", READER)) == "Nothing read is on your list."
    await answered(app, f"read {SURVEY}", READER)
    shown = {
        line: (first_line(reply), {*refs(reply)})
        for line in ("saved unread", "saved read agents", "saved read tag:own", "saved state:read")
        for reply in [await answered(app, line, READER)]
    }
    assert shown == {
        "saved unread": ("Your list: unread papers", {SPARSE, EXPERTS}),
        "saved read agents": ("Your list: read papers on agents", {SURVEY}),
        "saved read tag:own": ("Your list: read papers tagged own", {SURVEY}),
        "saved state:read": ("Your list: read papers", {SURVEY}),
    }
    everything = plain_text(await answered(app, "saved", READER))
    assert "3 papers, unread before read, of each the last saved first" in everything
    assert first_line(await answered(app, "saved unread as:json", READER)) == "2 papers as JSON."


@pytest.mark.parametrize(
    ("line", "ran"),
    [
        ("read more about attention", "show"),
        ("unread papers", "brief"),
        ("read some papers", ""),  # what about is asked
    ],
)
async def test_a_wish_to_read_marks_nothing(filled: Database, line: str, ran: str) -> None:
    """What begins as a wish for papers is read as plain words, and is no title."""
    app = _app(filled)
    reply = await answered(app, line, READER)
    assert (reply.ran or "").partition(" ")[0] == ran
    assert not any(each.read for each in lines(await answered(app, "latest", READER)))


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("mark 1 as read", "Sparse Attention."),
        ("mark 1 and 3 as read", "Sparse Attention; Routing Experts."),
        ("please save paper 2", "A Survey of Agents."),
        ("never show me 3", "Routing Experts."),
        ("vote for 1", "Sparse Attention."),
    ],
)
async def test_a_question_names_the_papers_that_it_is_about(
    filled: Database, line: str, named: str
) -> None:
    """A number may be of another list than was meant; so is what somebody else wrote."""
    app = _app(filled)
    await answered(app, "latest", READER)
    assert f"Shall I do that?\n{named} Nothing" in plain_text(await answered(app, line, READER))
    foreign = LineOrigin(typed=True, by="eve")
    asked = plain_text(await answered(app, line, READER, foreign))
    assert f"Shall it be done as yours?\n{named} Nothing has changed yet." in asked


async def test_what_was_read_is_in_no_brief(filled: Database) -> None:
    """It counts as seen; marked as unread, it is new again, unless it was seen otherwise."""
    await answered(_app(filled), f"show {SURVEY}", READER)
    app = _app(filled, minutes=1)
    await answered(app, f"read {SPARSE},{SURVEY}", READER)
    await answered(app, f"unread {SPARSE},{SURVEY}", READER)
    words = plain_text(await answered(app, "brief 60", READER))
    assert ("Sparse Attention" in words, "A Survey of Agents" in words) == (True, False)


async def test_a_request_that_comes_again_is_answered_as_before(filled: Database) -> None:
    """It marks nothing that was unmarked since."""
    app = _app(filled)
    first = await app.run_text("read 1", READER, "k1")
    assert await app.run_text("read 1", READER, "k1") == first
    await app.run_text("unread 1", READER, "k2")
    await app.run_text("read 1", READER, "k1")
    assert not any(each.read for each in lines(await answered(app, "latest", READER)))
