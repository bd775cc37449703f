"""The memory of what was imported: how long it holds, and what it asks of the store."""

import asyncio
from dataclasses import dataclass, replace
from itertools import pairwise

from bot.library.content import FRESH_SECONDS, ContentCache
from store.database import Database, Session
from store.library.editions import newest_edition
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.imports import take_in
from tests.fakes.clock import Seconds


@dataclass
class Counted:
    """A read that counts how often the store was asked."""

    times: int = 0

    def title(self, session: Session, _name: str = "") -> str | None:
        """Return the title of the newest edition's first paper."""
        self.times += 1
        newest = newest_edition(session)
        return newest.entries[0].title if newest else None


async def test_a_read_is_done_once(database: Database) -> None:
    """The same read with the same arguments asks the store once, with others again."""
    await database.write(take_in, edition(entry(1, "First")))
    read, content = Counted(), ContentCache(database, Seconds())
    answers = [await content.read(read.title, name) for name in ("a", "a", "b", "a")]
    assert answers == ["First"] * 4
    assert read.times == 2


async def test_an_import_is_seen_within_a_second(database_url: str) -> None:
    """Another process's import is answered as soon as the version is read again."""
    mine, other = Database(database_url), Database(database_url)
    seconds = Seconds()
    read, content = Counted(), ContentCache(mine, seconds)
    await mine.write(take_in, edition(entry(1, "First")))
    assert await content.read(read.title) == "First"
    await other.write(take_in, edition(entry(1, "First, mended")))
    seconds.at = FRESH_SECONDS / 2
    assert await content.read(read.title) == "First"
    seconds.at = FRESH_SECONDS
    assert await content.read(read.title) == "First, mended"
    for each in (mine, other):
        each.close()


async def test_nothing_is_forgotten_while_nothing_changes(database: Database) -> None:
    """An import of what is stored already, and time that passes, leave the memory alone."""
    week = edition(entry(1, "First"))
    await database.write(take_in, week)
    seconds = Seconds()
    read, content = Counted(), ContentCache(database, seconds)
    for at in range(5):
        seconds.at = float(at)
        await database.write(take_in, week)
        assert await content.read(read.title) == "First"
    assert read.times == 1


async def test_what_was_read_before_a_change_is_not_kept(database: Database) -> None:
    """A read that a change overtakes is answered and forgotten, never kept as the new truth."""
    await database.write(take_in, edition(entry(1, "First")))
    seconds = Seconds()
    content = ContentCache(database, seconds)
    started, go_on = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow(session: Session) -> str | None:
        newest = newest_edition(session)
        loop.call_soon_threadsafe(started.set)
        asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result()
        return newest.entries[0].title if newest else None

    reading = asyncio.create_task(content.read(slow))
    await started.wait()
    await database.write(take_in, edition(entry(1, "Second")))
    seconds.at = FRESH_SECONDS
    read = Counted()
    assert await content.read(read.title) == "Second"
    go_on.set()
    assert await reading == "First"
    assert await content.read(slow) == "Second"


async def test_a_change_names_another_content(database: Database) -> None:
    """Every edition that is applied leaves another version; one that says nothing new does not."""
    from store.content_version import version

    week = edition(entry(1, "First"))
    versions = [await database.read(version)]
    for draft in (week, week, replace(week, title="Another title")):
        await database.write(take_in, draft)
        versions.append(await database.read(version))
    assert [a == b for a, b in pairwise(versions)] == [False, True, False]
