"""Fixtures for all tests: coroutine tests, and stores on both databases."""

import asyncio
import gc
import inspect
import os
import shutil
import tempfile
import uuid
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any, NoReturn

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.util import LRUCache

from store.database import Database
from store.migrations.upgrade import upgrade
from tests.resources.made_once import made_once, share_folder, shared_folder
from tests.resources.open_connections import OpenConnections
from tests.resources.postgres import running_postgres, shared_postgres

# The same examples each time and everywhere, so that whoever clones this can trust a failure.
# `make fuzz` takes others and many more, so no property sets a number of its own unless an example
# is slow. Both begin with what Hypothesis does where it finds no `CI`. No test is timed: a busy
# machine would fail it.
_DEFAULT = settings(settings.get_profile("default"), deadline=None)
settings.register_profile("same", _DEFAULT, derandomize=True, database=None, max_examples=15)
settings.register_profile("fuzz", _DEFAULT, max_examples=300)
settings.load_profile("same")


def few_examples() -> int:
    """Return how many examples a property draws of which one takes a tenth of a second or more.

    They are ten in `make test`, and a quarter of any other's in `make fuzz`, so that a seed takes
    minutes.
    """
    return max(10, settings().max_examples // 4)


# What processes do to each other on one store, beside tests that are marked `on_sqlite`.
on_both = pytest.mark.parametrize("database_url", ["sqlite", "postgres"], indirect=True)
on_postgres = pytest.mark.parametrize("database_url", ["postgres"], indirect=True)


# The one is timed. Without the other a property draws by which of its parameters is tried first.
_NO_CHECKS = {HealthCheck.too_slow, HealthCheck.differing_executors}


# They wait for leases and for programs that start and end. Begun last, one worker of several would
# wait for them alone.
_LONGEST = (
    "test_benchmarks.py",
    "test_sync_faults.py",
    "test_sync.py",
    "test_same_examples.py",
    "test_browser.py",
    "test_outages.py",
    "test_worker.py",
    "test_adapters.py",
    "test_verbs.py",
    "test_replicas.py",
)


# Stores in memory save a fifth of the time; a run needs two gigabytes of it.
_MEMORY = Path("/dev/shm")  # noqa: S108 - the folder of Linux for that, for temporary folders
_ENOUGH = 4 << 30


# More statements than the program has, on both databases.
_STATEMENTS: LRUCache[object, object] = LRUCache(2000)

_CONNECTIONS = OpenConnections()

# To connect takes half as long as to make or drop a database, so the servers that tests share have
# a connection for that.
_ADMINISTRATORS: dict[str, psycopg.Connection[Any]] = {}


def pytest_configure(config: pytest.Config) -> None:
    """Have temporary folders in memory where the machine has room, unless `TMPDIR` names one."""
    if os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ENOUGH:
        tempfile.tempdir = os.environ.setdefault("TMPDIR", str(_MEMORY))
    share_folder(config)
    if settings.get_current_profile_name() == "same":
        _draw_no_constants()
    _compile_statements_once()
    _CONNECTIONS.listen()


def _draw_no_constants() -> None:
    """Have examples hold no constants of the modules that happen to be loaded.

    These differ by the tests that ran before, by the folder of the checkout, and with each change.
    https://hypothesis.readthedocs.io/en/latest/changelog.html#v6-131-1
    """
    none = Constants()
    pytest.MonkeyPatch().setattr(providers, "_get_local_constants", lambda: none)


def _compile_statements_once() -> None:
    """Have all stores of a process share compiled statements, which each would compile anew.

    That took a third of the time of tests that only ask the bot something. SQLAlchemy's keys name
    a dialect, of which each engine has its own.
    https://docs.sqlalchemy.org/en/20/core/connections.html#sql-compilation-caching
    """
    alike = pytest.MonkeyPatch()
    alike.setattr(DefaultDialect, "__eq__", lambda one, other: type(one) is type(other))
    alike.setattr(DefaultDialect, "__hash__", lambda one: hash(type(one)))

    @event.listens_for(Engine, "engine_connect")
    def share(connection: Connection) -> None:
        connection.execution_options(compiled_cache=_STATEMENTS)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Have two workers more than there are cores: half of the time a test waits."""
    return (os.cpu_count() or 1) + 2


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest, and leave properties alone as they are drawn.

    Of tests marked so none runs on Postgres that does not say by itself which databases it is for.
    """
    items[:] = [item for item in items if not _needs_no_postgres(item)]
    items.sort(key=lambda item: item.path.name not in _LONGEST)
    for test in (item.obj for item in items if isinstance(item, pytest.Function)):
        if own := getattr(test, "_hypothesis_internal_use_settings", None):
            checks = {*own.suppress_health_check, *_NO_CHECKS}
            test._hypothesis_internal_use_settings = settings(own, suppress_health_check=checks)  # noqa: SLF001 - Hypothesis' plugin does so too


def _needs_no_postgres(item: pytest.Item) -> bool:
    if not isinstance(item, pytest.Function) or item.get_closest_marker("on_sqlite") is None:
        return False
    chosen = any("database_url" in mark.args[0] for mark in item.iter_markers("parametrize"))
    params = item.callspec.params if hasattr(item, "callspec") else {}
    return not chosen and params.get("database_url") == "postgres"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while modules load, and leave out later what stays for the whole run.

    Nearly all that a test leaves is freed without it, so it comes a tenth as often as by default.
    """
    gc.disable()
    collected = yield
    gc.freeze()
    gc.set_threshold(7_000, 10, 10)
    gc.enable()
    return collected


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run coroutine tests in an event loop of their own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames  # noqa: SLF001 - pytest's own plugins read it too
    arguments = {name: pyfuncitem.funcargs[name] for name in names}
    asyncio.run(pyfuncitem.obj(**arguments))
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, None, None]:
    """Fail the last test of a folder where one of them left a connection open."""
    yield
    if nextitem is not None and nextitem.path.parent == item.path.parent:
        return  # a fixture of the file or the package may hold some
    if left := _CONNECTIONS.close():
        pytest.fail("A store was not closed; it was opened by " + ", ".join(sorted(left)))


@pytest.fixture(scope="session")
def sqlite_template() -> Path:
    """Return an empty store at the newest schema; tests copy it."""

    def make(path: Path) -> None:
        with closing(Database(f"sqlite:///{path}")) as database:
            upgrade(database.engine)

    return made_once("store.db", make)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Start a Postgres server of the run's own, if no other process did, and return its URL.

    It comes as a Python package; where that has no build for the machine the tests skip,
    except under `CI=true`.
    """
    try:
        with (
            shared_postgres(shared_folder()) as server,
            psycopg.connect(server.url, autocommit=True) as kept,
        ):
            _ADMINISTRATORS[server.url] = kept
            yield server.url
            del _ADMINISTRATORS[server.url]
    except ImportError as error:
        _skip_or_fail(f"no Postgres server for this machine: {error}")


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str) -> str:
    """Return the name of an empty database at the newest schema; tests copy it."""
    return postgres_made_once(postgres_server, "template_store", _upgrade)


def postgres_made_once(
    server: str, name: str, fill: Callable[[Database], None], options: str = ""
) -> str:
    """Have the first process that wants a database of the run create and fill it; return its name.

    Others copy it, so nobody stays connected.
    """

    def make(made: Path) -> None:
        _administer(server, f"CREATE DATABASE {name} {options}")
        with closing(Database(_database_url(server, name))) as database:
            fill(database)
        made.touch()

    return made_once(name, make).name


def _upgrade(database: Database) -> None:
    upgrade(database.engine)


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the URL of an empty store at the newest schema, once on each database."""
    if request.param == "sqlite":
        path = tmp_path / "store.db"
        shutil.copy(request.getfixturevalue("sqlite_template"), path)
        yield f"sqlite:///{path}"
        return
    server = request.getfixturevalue("postgres_server")
    template = request.getfixturevalue("postgres_template")
    with copied_postgres(server, template) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the URL of a database without any schema, once on each database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'store.db'}"
        return
    with fresh_postgres(request.getfixturevalue("postgres_server")) as url:
        yield url


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """Return an open store, once on each database."""
    database = Database(database_url)
    yield database
    database.close()


@contextmanager
def own_postgres() -> Iterator[str]:
    """Give the URL of a Postgres server of our own for as long as it is wanted.

    Raises:
        ImportError: where it has no build for the machine.
    """
    with running_postgres() as server:
        yield server.url


def copied_postgres(server: str, template: str) -> AbstractContextManager[str]:
    """Give the URL of a copy of a database of a server for as long as it is wanted."""
    return fresh_postgres(server, f"TEMPLATE {template} STRATEGY file_copy")


@contextmanager
def fresh_postgres(server: str, options: str = "") -> Iterator[str]:
    """Give the URL of a new database of a server for as long as it is wanted."""
    name = f"store_{uuid.uuid4().hex}"
    _administer(server, f"CREATE DATABASE {name} {options}")
    try:
        yield _database_url(server, name)
    finally:
        _administer(server, f"DROP DATABASE {name} WITH (FORCE)")


def _administer(server: str, statement: str) -> None:
    if server in _ADMINISTRATORS:
        _ADMINISTRATORS[server].execute(statement.encode())
        return
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(statement.encode())


def _database_url(server: str, name: str) -> str:
    return make_url(server).set(database=name).render_as_string(hide_password=False)


def _skip_or_fail(reason: str) -> NoReturn:
    """Skip, but under `CI=true` fail: nothing may go untested unnoticed."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
