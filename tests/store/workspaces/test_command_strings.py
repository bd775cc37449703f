"""Lines under their digests: found for more than a year after they were last kept."""

import asyncio
from datetime import UTC, datetime, timedelta

from sqlalchemy import text

from store.database import Database, Session
from store.records import Person, Workspace
from store.workspaces import people
from store.workspaces.command_strings import LIFETIME, find, save, save_personal

NOW = datetime(2026, 1, 12, 8, 0, tzinfo=UTC)
LONG = f'search "{"a phrase " * 20}"'


def _instants(session: Session) -> list[datetime]:
    query = "SELECT kept_at FROM command_string ORDER BY digest"
    found = session.connection().execute(text(query)).scalars()
    return [_aware(each) for each in found]


def _aware(at: datetime | str) -> datetime:
    """Return an instant as either database gives it, whose types are not asked for here."""
    found = datetime.fromisoformat(at) if isinstance(at, str) else at
    return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)


async def test_a_line_is_found_by_its_digest(database: Database) -> None:
    """What was kept is given back as it was, and what was not is not known."""
    await database.write(save, {"one": LONG, "two": "show 深度"}, NOW)
    await database.write(save, {}, NOW)
    found = [await database.read(find, digest) for digest in ("one", "two", "three", "")]
    assert found == [LONG, "show 深度", None, None]


async def test_a_line_is_renewed_once_a_day(database: Database) -> None:
    """Kept again within a day it is not written, and after that it lasts from then on."""
    ages = []
    for hours in (0, 23, 24, 30, 48):
        await database.write(save, {"one": LONG}, NOW + timedelta(hours=hours))
        [at] = await database.read(_instants)
        ages.append((at - NOW) // timedelta(hours=1))
    assert ages == [0, 0, 24, 24, 48]


async def test_many_may_keep_the_same_lines_at_once(database: Database) -> None:
    """Sixteen writers from two processes, in whatever order they name lines, all succeed."""
    async with Database(database.url.render_as_string(hide_password=False)) as other:
        lines = {"one": "show 1", "two": "show 2", "three": "show 3"}
        turned = dict(reversed(lines.items()))
        await asyncio.gather(
            *(
                store.write(save, wanted, NOW + timedelta(days=number))
                for number in range(4)
                for store in (database, other)
                for wanted in (lines, turned)
            )
        )
    assert [await database.read(find, digest) for digest in lines] == list(lines.values())
    assert len(await database.read(_instants)) == 3


async def test_lines_of_ones_own_go_with_the_person(database: Database) -> None:
    """Two people keep the same line; it is known until both are gone."""
    ann, ben = (Person(Workspace("discord", f"@{name}"), name) for name in ("ann", "ben"))
    for person in (ann, ben, ann):
        await database.write(save_personal, person, {"one": LONG}, NOW)
    found = [await database.read(find, "one")]
    for person in (ann, ben):
        await database.write(people.delete_person, person)
        found.append(await database.read(find, "one"))
    assert found == [LONG, LONG, None]


async def test_old_lines_are_dropped(database: Database) -> None:
    """Now and then a line takes along those that nobody kept for 400 days."""
    await database.write(save, {"old": "show 1"}, NOW)
    await database.write(save, {"newer": "show 2"}, NOW + timedelta(hours=1))
    many = {f"digest {number}": f"show {number}" for number in range(300)}
    await database.write(save, many, NOW + LIFETIME - timedelta(seconds=1))
    assert await database.read(find, "old") == "show 1"
    await database.write(save, many, NOW + LIFETIME)
    found = [await database.read(find, digest) for digest in ("old", "newer", "digest 7")]
    assert found == [None, "show 2", "show 7"]
