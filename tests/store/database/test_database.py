"""The database: transactions, threads, and what becomes of its errors, on both databases."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from traceback import format_exception

import pytest
from sqlalchemy import Engine, text

from store.database import Database, Session
from store.errors import BadDatabaseURL, StoreBusy, StoreError, StoreUnavailable
from store.migrations.upgrade import upgrade
from store.tables.library import SourceRow
from tests.resources.postgres import running_postgres


def _add(session: Session, slug: str, title: str = "A source") -> None:
    session.add(SourceRow(slug=slug, title=title))


def _titles(session: Session) -> list[str]:
    return list(session.scalars(text("SELECT title FROM source ORDER BY slug")))


def _append(session: Session, mark: str) -> None:
    """Read, then write what was read and a mark: the shape in which updates get lost."""
    row = session.get_one(SourceRow, "counted")
    row.title = row.title + mark
    session.add(row)


async def test_what_must_outlast_a_power_cut_waits_for_the_disc(database: Database) -> None:
    """On SQLite one write may wait for it while the next does not; Postgres always does."""
    if not database.is_sqlite:
        assert await database.write_durably(_titles) == []
        return

    def level(session: Session) -> int:
        return int(session.scalars(text("PRAGMA synchronous")).one())

    normal, full = 1, 2
    assert await database.write(level) == normal
    assert await database.write_durably(level) == full
    with pytest.raises(LookupError):
        await database.write_durably(_fail)
    assert await database.write(level) == normal


async def test_a_store_that_cannot_be_opened_is_unavailable(tmp_path: Path) -> None:
    """Whatever is asked of it."""
    async with Database(f"sqlite:///{tmp_path / 'none' / 'store.db'}") as database:
        for call in (database.read, database.write, database.write_durably):
            with pytest.raises(StoreUnavailable, match="unable to open"):
                await call(_titles)
        assert isinstance(database.trouble, StoreUnavailable)


def _fail(_session: Session) -> None:
    raise LookupError("on purpose")


async def test_a_write_is_kept_whole_or_not_at_all(database: Database) -> None:
    """A function that raises leaves nothing of what it wrote before."""

    def write_then_fail(session: Session) -> None:
        _add(session, "lost")
        session.flush()
        raise LookupError("on purpose")

    with pytest.raises(LookupError):
        await database.write(write_then_fail)
    await database.write(_add, "kept")
    assert await database.read(_titles) == ["A source"]


async def test_a_reader_cannot_write(database: Database) -> None:
    """Whatever a read function tries, the database refuses to change by it."""

    def smuggle(session: Session) -> None:
        _add(session, "smuggled")
        session.flush()

    with pytest.raises(StoreError):
        await database.read(smuggle)
    assert await database.read(_titles) == []


async def test_eight_writers_lose_no_update(database: Database) -> None:
    """Two hundred read-modify-writes from eight writers at once all arrive, once each."""
    await database.write(_add, "counted", "")

    async def writer(mark: str) -> None:
        for _ in range(25):
            await database.write(_append, mark)

    await asyncio.gather(*(writer(mark) for mark in "abcdefgh"))
    [title] = await database.read(_titles)
    assert {mark: title.count(mark) for mark in "abcdefgh"} == dict.fromkeys("abcdefgh", 25)


async def test_writers_of_several_processes_lose_no_update(database_url: str) -> None:
    """Eight stores opened apart, as by eight processes, count to eighty together."""
    stores = [Database(database_url) for _ in range(8)]
    await stores[0].write(_add, "counted", "")

    async def writer(store: Database) -> None:
        for _ in range(10):
            await store.write(_append, ".")

    await asyncio.gather(*map(writer, stores))
    assert await stores[0].read(_titles) == ["." * 80]
    for store in stores:
        store.close()


async def test_two_writers_of_one_new_key_both_succeed(database: Database) -> None:
    """Insert-unless-there, run by many at once, inserts once and fails for none."""

    def ensure(session: Session) -> None:
        if session.get(SourceRow, "once") is None:
            _add(session, "once")

    await asyncio.gather(*(database.write(ensure) for _ in range(16)))
    assert await database.read(_titles) == ["A source"]


async def test_reads_run_beside_a_write(database: Database) -> None:
    """While a write is under way a read answers from the state before it."""
    await database.write(_add, "before")
    started, finish = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow_write(session: Session) -> None:
        _add(session, "later")
        session.flush()
        loop.call_soon_threadsafe(started.set)
        asyncio.run_coroutine_threadsafe(finish.wait(), loop).result()

    write = asyncio.create_task(database.write(slow_write))
    await started.wait()
    assert await database.read(_titles) == ["A source"]
    finish.set()
    await write
    assert len(await database.read(_titles)) == 2


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("nonsense", "can't be read as a URL"),
        ("mysql://host/name", "mysql is not supported"),
        ("sqlite+other:///papers.db", r"sqlite\+other is not supported"),
        ("sqlite://", "in memory"),
        ("sqlite:///:memory:", "in memory"),
        ("sqlite://papers.db", "name of a file follows three slashes"),
    ],
)
def test_a_url_that_cannot_be_used_is_refused_in_words(url: str, reason: str) -> None:
    """A wrong setting is named with what was expected, before anything is opened."""
    with pytest.raises(BadDatabaseURL, match=reason) as caught:
        Database(url)
    assert "BROADSHEET_DATABASE_URL" in caught.value.sentence
    assert "postgresql+psycopg://" in caught.value.remedy


@pytest.mark.parametrize(
    "url",
    [
        "",
        "me:hunter2@host/papers",
        "mysql://me:hunter2@host/papers",
        "postgresql://me:hunter2",
        "postgresql://me:hunter2@host:port/papers",
        "postgresql://me:secret@hunter2@host/papers",
        "postgresql://me:secret@hun/hunter2@host/papers",
        "postgresql://me:secret@5432/hunter2@host/papers",
        "postgresql://me:secret@host?hunter2@host/papers",
        "postgres://me:secret@hunter2:hunter2@host/papers",
        "postgresql:///me:hunter2@host/papers",
        "postgresql://m/e:hunter2@host/papers",
        "sqlite://me:hunter2@host/papers.db",
        "sqlite+pysqlcipher://:hunter2@/papers.db",
    ],
)
def test_a_url_that_cannot_be_used_is_never_told(url: str) -> None:
    """It may hold a password, or a part of one where something else should stand."""
    with pytest.raises(BadDatabaseURL) as caught:
        Database(url)
    told = "".join(format_exception(caught.value))
    assert [each for each in ("hunter2", "secret", "me:") if each in told] == []


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:hunter2@127.0.0.1:9/papers",
        "postgresql://me:hun%40ter2%2F@127.0.0.1:9/papers",
        "postgresql://127.0.0.1:9/papers?user=me&password=hunter2",
        "postgresql://me@127.0.0.1:9/papers?password=hunter2&sslpassword=hunter2",
    ],
)
async def test_a_store_is_named_without_what_is_secret_in_its_url(url: str) -> None:
    """Neither its name nor what it can't do tells a password, wherever that stands."""
    async with Database(url) as database:
        with pytest.raises(StoreUnavailable) as caught:
            await database.read(_titles)
        told = "".join([database.name, *format_exception(caught.value)])
    assert "127.0.0.1:9/papers" in told
    assert [each for each in ("hun", "ter2") if each in told] == []


async def test_what_is_no_database_is_named(tmp_path: Path) -> None:
    """A file that SQLite did not write is refused by its path."""
    path = tmp_path / "notes.txt"
    path.write_text("not a database, " * 100)
    async with Database(f"sqlite:///{path}") as database:
        with pytest.raises(StoreUnavailable, match=r"notes\.txt"):
            await database.read(_titles)


async def test_sqlite_opens_as_documented(tmp_path: Path) -> None:
    """An SQLite store keeps a write-ahead log and holds foreign keys to be true."""
    async with Database(f"sqlite:///{tmp_path / 'store.db'}") as database:

        def pragmas(session: Session) -> tuple[object, ...]:
            names = ("journal_mode", "foreign_keys", "synchronous", "busy_timeout")
            return tuple(session.scalar(text(f"PRAGMA {name}")) for name in names)

        assert await database.write(pragmas) == ("wal", 1, 1, 5000)


async def test_a_store_that_another_program_holds_is_busy(
    sqlite_template: Path, tmp_path: Path
) -> None:
    """A transaction that can't even begin fails in words too, and nothing of it is written."""
    path = tmp_path / "held.db"
    shutil.copy(sqlite_template, path)

    def be_impatient(engine: Engine) -> None:
        connection = engine.raw_connection()
        connection.cursor().execute("PRAGMA busy_timeout = 0")
        connection.close()  # back into the pool, which holds this one alone

    async with Database(f"sqlite:///{path}") as database:
        await database.run(be_impatient)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreBusy):
                await database.write(lambda session: session.connection())


async def test_a_silent_server_is_not_waited_for(database: Database) -> None:
    """A statement that is not answered is given up in words, and the next one is asked afresh."""
    if database.is_sqlite:
        return
    url = database.url.render_as_string(hide_password=False)
    async with Database(url, patience=0.3) as impatient:
        for call in (impatient.read, impatient.write, impatient.write_locking_rows):
            with pytest.raises(StoreUnavailable, match="did not answer in time"):
                await call(_sleep)
            assert await impatient.read(_titles) == []


async def test_closing_does_not_wait_for_a_silent_server(database: Database) -> None:
    """What is under way then is given up, for a program has to end in time."""
    if database.is_sqlite:
        return
    url = database.url.render_as_string(hide_password=False)
    async with Database(url, patience=3600) as endless:
        asked = asyncio.create_task(endless.read(_sleep))
        await endless.read(_titles)
    with pytest.raises(StoreUnavailable):
        await asked


async def test_a_server_that_accepts_and_says_nothing_is_unavailable() -> None:
    """Not even a connection is waited for without end."""
    ended = asyncio.Event()

    async def say_nothing(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await ended.wait()
        writer.close()

    async with await asyncio.start_server(say_nothing, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with Database(f"postgresql://reader@127.0.0.1:{port}/papers") as database:
            with pytest.raises(StoreUnavailable):
                await database.read(_titles)
        ended.set()


@pytest.mark.usefixtures("postgres_server")  # skips where there is none for the machine
async def test_a_server_that_was_restarted_is_asked_afresh() -> None:
    """Connections from before raise no error: neither in reads nor in writes of any kind."""
    with running_postgres() as server:
        async with Database(server.url) as database:
            await database.run(upgrade)
            await asyncio.gather(*(database.read(_titles) for _ in range(4)))
            await asyncio.gather(*(database.write(_add, f"{number}") for number in range(4)))
            await asyncio.to_thread(server.stop, "fast")
            with pytest.raises(StoreUnavailable):
                await database.read(_titles)
            with pytest.raises(StoreUnavailable):
                await database.write(_add, "lost")
            troubles = [database.trouble]
            await asyncio.to_thread(server.start)
            await asyncio.gather(
                *(database.write_locking_rows(_add, f"1{number}") for number in range(4))
            )
            troubles.append(database.trouble)
            assert [type(each) for each in troubles] == [StoreUnavailable, type(None)]
            assert len(await database.read(_titles)) == 8


def _sleep(session: Session) -> None:
    session.connection().execute(text("SELECT pg_sleep(3600)"))
