"""The mentions that searches found, kept between two imports."""

from sqlalchemy import event

from store import content_version
from store.database import Database, Session
from store.library import mentions
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.imports import stored


def _statements(session: Session, entries: list[int]) -> tuple[list[str], list[str]]:
    """Return the titles of entries, and what the store was asked for them."""
    said: list[str] = []

    def hear(*execution: object) -> None:
        said.append(str(execution[2]))

    connection = session.connection()
    event.listen(connection, "before_cursor_execute", hear)
    found = [each.entry.title for each in mentions.of_found(session, entries)]
    event.remove(connection, "before_cursor_execute", hear)
    return found, [each for each in said if "content" not in each]


async def test_what_was_found_before_is_not_read_again(database: Database) -> None:
    """In whatever order, and what nobody stored is left out."""
    await stored(database, edition(entry(1, "One"), entry(2, "Two"), entry(3, "Three")))
    await database.read(_statements, [1, 2])
    titles, asked = await database.read(_statements, [3, 2, 1, 99])
    assert (titles, len(asked)) == (["Three", "Two", "One"], 1)
    assert await database.read(_statements, [2, 3]) == (["Two", "Three"], [])


async def test_an_import_makes_what_was_found_old(database: Database) -> None:
    """Another process's too, whatever this one kept."""
    await stored(database, edition(entry(1, "Before")))
    await database.read(_statements, [1])
    async with Database(database.url.render_as_string(hide_password=False)) as other:
        await stored(other, edition(entry(1, "After")))
    assert (await database.read(_statements, [1]))[0] == ["After"]


async def test_a_change_is_seen_by_the_transaction_that_makes_it(database: Database) -> None:
    """What it kept before it changed the content is not what is found after."""
    await stored(database, edition(entry(1, "One")))

    def change(session: Session) -> bool:
        kept = content_version.cache(session, list[int], lambda _: [])
        content_version.touch(session)
        return content_version.cache(session, list[int], lambda _: []) is kept

    assert not await database.write(change)
