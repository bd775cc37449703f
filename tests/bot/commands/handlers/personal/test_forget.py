"""The forget command: data is shown first, confirmed by the same user, then deleted."""

import asyncio
from dataclasses import replace

from bot.app import Broadsheet
from bot.commands.types import PRESSED, BackgroundTasks
from bot.replies.plain_text import plain_text
from store.database import Database
from store.readers import seen, seen_lists
from store.records import SeenList
from store.workspaces import people as members
from tests.bot.conftest import READER, FixedClock, answered, bot_of, forgotten
from tests.bot.member_channels import bot_over, manager, rooms
from tests.bot.replies.parts import first_line, pressed

OTHER = replace(READER, user="other")
NOW = FixedClock().now()


def _app(database: Database) -> Broadsheet:
    return bot_over(database, FixedClock())


async def test_a_stranger_is_told_that_nothing_is_stored(filled: Database) -> None:
    """There is nothing to delete, so nothing is asked."""
    reply = await _app(filled).run_text("forget", READER)
    assert (plain_text(reply), pressed(reply)) == ("Nothing is stored about you.", {})


async def test_it_says_what_there_is_and_asks_once(filled: Database) -> None:
    """Only the button deletes; then the answer says what that was, and nothing is left."""
    app = _app(filled)
    for line in ("save 1", "note 3 mine"):
        await app.run_text(line, READER)
    shown = SeenList((), 1, "dair:2026-01-05#1", None, None, NOW)
    await filled.write(seen_lists.note, READER.person, "terminal", shown)
    asked = await app.run_text("forget", READER)
    assert plain_text(asked).splitlines()[:7] == [
        "What is stored about you",
        "",
        "list   2 papers, 1 note",
        "lists  the list that you saw last, or when, in 1 place",
        "undo   2 changes of yours that undo takes back",
        "",
        "Delete all of it? It can't be brought back.",
    ]
    assert [*pressed(asked)] == ["Your list as JSON first", "Delete all of it"]
    done = await forgotten(app, READER)
    assert plain_text(done).splitlines() == [
        "All that was stored about you is deleted.",
        "",
        "That was:",
        "",
        "list   2 papers, 1 note",
        "lists  the list that you saw last, or when, in 1 place",
        "undo   2 changes of yours that undo takes back",
    ]
    assert first_line(await app.run_text("saved", READER)) == "Nothing is on your list yet."
    assert first_line(await app.run_text("forget", READER)) == "Nothing is stored about you."


async def test_what_there_is_none_of_is_not_counted(filled: Database) -> None:
    """A reader who opened papers and had no brief is told of papers alone."""
    app = _app(filled)
    await answered(app, "show 1", READER)
    assert "seen   1 paper" in plain_text(await app.run_text("forget", READER)).splitlines()


async def test_who_presses_the_button_of_another_is_asked_first(filled: Database) -> None:
    """Another user's question deletes nothing of the user who presses its button."""
    app = _app(filled)
    for actor in (READER, OTHER):
        await app.run_text("save 1", actor)
    asked = await app.run_text("forget", READER)
    line = pressed(asked)["Delete all of it"]
    asked_too = await app.run_text(line, OTHER, origin=PRESSED)
    assert first_line(asked_too) == "What is stored about you"
    assert pressed(asked_too)["Delete all of it"] != line
    for actor in (READER, OTHER):
        assert "1 paper" in plain_text(await app.run_text("saved", actor))


async def test_subscriptions_stay_without_a_name(filled: Database) -> None:
    """The channel goes on getting its posts; the answer says that its owner gets no notices."""
    app, asker = _app(filled), manager(rooms())
    await answered(app, "subscribe", asker)
    asked = await app.run_text("forget", asker)
    assert "on 1 subscription that you gave channels" in plain_text(asked)
    kept = (
        "The subscriptions you gave channels stay, without your name;"
        " if one ends, you won't be told."
    )
    assert kept in plain_text(asked)
    done = await forgotten(app, asker)
    assert plain_text(done).splitlines()[2:] == [
        "That was:",
        "",
        "your name  on 1 subscription that you gave channels",
        "lists      the list that you saw last, or when, in 1 place",
        "undo       1 change of yours that undo takes back",
        "",
        kept,
    ]
    assert "1" in plain_text(await app.run_text("subscriptions", asker))
    assert first_line(await app.run_text("forget", asker)) == "Nothing is stored about you."


async def test_votes_go_and_posts_are_looked_at(filled: Database) -> None:
    """Posting is notified, and the counts in answers are read again."""
    rung: list[str] = []
    app = bot_of(filled, FixedClock(), notify=lambda: rung.append("posts"))
    asker = manager(rooms())
    await app.run_text("vote 1", asker)
    rung.clear()
    assert "1 vote" in plain_text(await app.run_text("forget", asker))
    await forgotten(app, asker)
    assert rung == ["posts"]
    assert "1 vote" not in plain_text(await app.run_text("latest", asker))


async def test_a_request_that_comes_again_deletes_no_more(filled: Database) -> None:
    """A paper that was saved after the first delivery of a request stays after the second."""
    app = _app(filled)
    await app.run_text("save 1", READER)
    line = pressed(await app.run_text("forget", READER))["Delete all of it"]
    await app.run_text(line, READER, "k1", PRESSED)
    await app.run_text("save 1", READER)
    again = await app.run_text(line, READER, "k1", PRESSED)
    assert first_line(again) == "All that was stored about you is deleted."
    assert "1 paper" in plain_text(await app.run_text("saved", READER))


async def test_what_is_noted_soon_is_forgotten_too(filled: Database) -> None:
    """A user who opens a paper and forgets at once is unknown afterwards."""
    background, noting = BackgroundTasks(), asyncio.Event()

    async def note() -> None:
        await noting.wait()
        await filled.write_locking_rows(seen.open_paper, READER.person, "dair:2026-01-05#1", NOW)

    app = bot_of(filled, FixedClock(), background=background)
    await app.run_text("save 1", READER)
    line = pressed(await app.run_text("forget", READER))["Delete all of it"]
    background.start(note(), READER.person)
    done = asyncio.create_task(app.run_text(line, READER, origin=PRESSED))
    assert not (await asyncio.wait({done}, timeout=0.2))[0]
    noting.set()
    assert "That was:" in plain_text(await done)
    assert await filled.read(members.find_person, READER.person) is None
