"""A store on trial: its writes are seen by its own reads and by nobody else, and never stay."""

import pytest
from sqlalchemy import func, text
from sqlmodel import Session, select

from store.database import Database
from store.database.trial import TrialDatabase
from store.errors import StoreError
from store.tables.library import SourceRow


def _add(session: Session, slug: str) -> None:
    session.add(SourceRow(slug=slug, title=slug))


def _count(session: Session) -> int:
    return session.exec(select(func.count()).select_from(SourceRow)).one()


async def test_writes_are_seen_until_the_end(database: Database, database_url: str) -> None:
    """The trial reads what it wrote; others never do, and go on writing afterwards."""
    before = await database.read(_count)
    async with TrialDatabase(database_url) as trial:
        assert await trial.read(_count) == before
        for write in (trial.write, trial.write_locking_rows, trial.write_durably):
            await write(_add, f"one-{write.__name__.replace('_', '-')}")
        await trial.write_each(_add, ["two", "three"])
        assert await trial.read(_count) == before + 5
        assert await database.read(_count) == before
    assert await database.read(_count) == before
    await database.write(_add, "two")
    assert await database.read(_count) == before + 1


async def test_a_write_that_fails_undoes_itself_alone(
    database: Database, database_url: str
) -> None:
    """What was written before is still seen, and the next write works."""
    before = await database.read(_count)

    def fail(session: Session) -> None:
        _add(session, "lost")
        session.flush()
        session.connection().execute(text("SELECT nothing FROM nowhere"))

    async with TrialDatabase(database_url) as trial:
        await trial.write(_add, "one")
        with pytest.raises(StoreError):
            await trial.write(fail)
        await trial.write(_add, "two")
        assert await trial.read(_count) == before + 2
    assert await database.read(_count) == before
