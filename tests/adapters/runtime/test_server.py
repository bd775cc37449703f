"""The serving process: platforms that start, fail and stop, and the web server."""

import asyncio
import logging
import shutil
import socket
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession

from adapters.platform import Services
from adapters.runtime.server import serving, short_switch_interval
from bot.accounts import Workspaces
from bot.app import Broadsheet
from bot.clock import SystemClock
from bot.commands.handlers import COMMANDS
from bot.coordination.wakeup import WakeUp
from bot.errors import PlatformError, SettingsError, WebError
from bot.operations.metrics import Metrics
from bot.posting.ports import Message, PostedMessage
from bot.settings import Settings
from store.database import Database, Session
from store.errors import StoreUnavailable
from store.records import Channel, DeliveryState, Workspace
from store.tables.library import SourceRow
from tests.adapters.runtime.example import Example
from tests.bot.posting.delivery.setup import DUE, Stage
from tests.fakes.channel_client import MemoryChannelClient

_SPENT = PlatformError("Its token was revoked.", "Make a new one.")


def _serving(services: Services, *platforms: Example) -> Any:
    """Serve platforms that are all configured."""
    declarations = {each.name: each.declaration for each in platforms}
    return serving(services, declarations, {each.name.upper(): "1" for each in platforms})


def _services(database: Database, port: int = 0) -> Services:
    clock, workspaces = SystemClock(), Workspaces(database)
    app = Broadsheet(
        database,
        clock,
        COMMANDS,
        "UTC",
        workspaces=workspaces,
    )
    settings = Settings(web_host="127.0.0.1", web_port=port)
    return Services(app, database, workspaces, clock, settings, Metrics(), WakeUp())


@pytest.fixture
def services(sqlite_template: Path, tmp_path: Path) -> Iterator[Services]:
    """Return the services of platforms, on an empty store and any free port."""
    path = tmp_path / "store.db"
    shutil.copy(sqlite_template, path)
    database = Database(f"sqlite:///{path}")
    yield _services(database)
    database.close()


def _url(caplog: pytest.LogCaptureFixture) -> str:
    [url] = [
        record.__dict__["url"]
        for record in caplog.records
        if record.getMessage() == "web_listening"
    ]
    return str(url)


def _events(caplog: pytest.LogCaptureFixture, event: str) -> list[dict[str, Any]]:
    return [record.__dict__ for record in caplog.records if record.getMessage() == event]


class _Held(MemoryChannelClient):
    """Lets a message arrive when its platform has withdrawn."""

    def __init__(self, calls: list[str]) -> None:
        super().__init__()
        self._calls = calls

    async def send(self, message: Message) -> PostedMessage:
        """Say that it arrives."""
        self.reached.set()
        while not any("drains" in each for each in self._calls):  # noqa: ASYNC110 - a list has no event
            await asyncio.sleep(0.01)
        self._calls.append("a message arrives")
        return await super().send(message)


def _allow_writing(engine: Any, *, allowed: bool) -> None:
    """Make an SQLite store read-only or not; the pool holds one connection that writes."""
    connection = engine.raw_connection()
    connection.cursor().execute(f"PRAGMA query_only = {int(not allowed)}")
    connection.close()


def _add(session: Session) -> None:
    session.add(SourceRow(slug="one", title="One"))


def _ends(name: str) -> list[str]:
    return [f"{name} drains", f"{name} stops"]


async def _health(url: str) -> tuple[int, Any]:
    async with ClientSession() as session, session.get(f"{url}/healthz") as answer:
        return answer.status, await answer.json()


@pytest.fixture(autouse=True)
def _log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)


_NO_SOURCES = "No source is fetched by itself (BROADSHEET_SYNC)."


async def test_platforms_are_opened_started_and_stopped(
    services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    """All platforms are opened, then started, served and stopped."""
    calls: list[str] = []
    here, there = Example("here", calls, path="/here"), Example("there", calls)
    async with _serving(services, here, there) as (names, _):
        assert names == ("here", "there")
        assert calls == ["here is opened", "there is opened", "here starts", "there starts"]
        async with ClientSession(_url(caplog)) as session, session.get("/here") as answer:
            assert await answer.text() == "here"
        names_of_it = ("database", "here", "there", "scheduler", "outbox")
        status, found = await _health(_url(caplog))
        assert found.pop("sources") == {"state": "off", "sentence": _NO_SOURCES}
        assert (status, found) == (
            200,
            {name: {"state": "ok", "sentence": ""} for name in names_of_it},
        )
    ending = ["here drains", "there drains", "here stops", "there stops"]
    assert calls[4:] == ending
    with pytest.raises(OSError, match="Connect call failed"):
        await _health(_url(caplog))


async def test_what_is_not_configured_is_left_alone(
    services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    """A platform without its settings is not opened, and off in health."""
    calls: list[str] = []
    declarations = {"here": Example("here", calls).declaration}
    async with serving(services, declarations, {"OTHER": "1"}) as (names, _):
        assert (names, calls) == ((), [])
        status, found = await _health(_url(caplog))
    assert (status, found["here"]) == (200, {"state": "off", "sentence": "It is not configured."})


@pytest.mark.parametrize(
    ("errors", "after"),
    [
        ({"start_error": _SPENT}, ["ill starts", "ill stops", "well starts"]),
        ({"open_error": SettingsError(_SPENT.sentence)}, ["well starts"]),
    ],
)
async def test_one_that_fails_leaves_the_others_serving(
    services: Services,
    caplog: pytest.LogCaptureFixture,
    errors: dict[str, Any],
    after: list[str],
) -> None:
    """A failed platform is logged once, failing in health, and stopped."""
    calls: list[str] = []
    ill = replace(Example("ill", calls), **errors)
    well = Example("well", calls)
    async with _serving(services, ill, well) as (names, _):
        assert names == ("well",)
        status, found = await _health(_url(caplog))
    assert calls == ["ill is opened", "well is opened", *after, *_ends("well")]
    assert (status, found["ill"]) == (
        503,
        {"state": "failing", "sentence": "Its token was revoked."},
    )
    assert found["well"] == {"state": "ok", "sentence": ""}
    [line] = _events(caplog, "platform_failed")
    assert (line["platform"], line["sentence"]) == ("ill", "Its token was revoked.")
    assert line["exc_info"] is None


async def test_posts_wait_for_a_platform_that_fails(services: Services) -> None:
    """A failed platform's deliveries stay due; those of the others are sent."""
    stage = Stage(services.database)
    await stage.takes_in()
    for name in ("ill", "well"):
        await stage.ordered(channel=Channel(Workspace(name, "T1"), "C1"), next_due_at=DUE)
    ill, well = Example("ill", [], start_error=_SPENT), Example("well", [])
    async with _serving(services, ill, well):
        await stage.until(DeliveryState.SENT)
    waiting, sent = await stage.deliveries()
    assert (waiting.state, waiting.attempts) == (DeliveryState.PENDING, 0)
    assert (sent.state, len(well.posts.messages)) == (DeliveryState.SENT, 1)


async def test_an_unforeseen_error_is_logged_with_its_traceback(
    services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    """The traceback of an unhandled error reaches the log, not health."""
    ill = Example("ill", [], open_error=KeyError("secret"))
    async with _serving(services, ill, Example("well", [])):
        _, found = await _health(_url(caplog))
    assert found["ill"] == {
        "state": "failing",
        "sentence": "Something unforeseen went wrong (KeyError).",
    }
    [line] = _events(caplog, "platform_failed")
    assert line["exc_info"]


async def test_where_nobody_can_start_the_first_says_why(
    services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    """The first error is raised if no platform starts; the others are logged."""
    calls: list[str] = []
    first = Example("first", calls, start_error=_SPENT)
    second = Example("second", calls, start_error=PlatformError("Its token is no token."))
    with pytest.raises(PlatformError) as caught:
        async with _serving(services, first, second):
            pytest.fail("nobody is there to serve")
    assert caught.value is _SPENT
    assert [line["platform"] for line in _events(caplog, "platform_failed")] == ["second"]
    assert calls[2:] == ["first starts", "first stops", "second starts", "second stops"]
    with pytest.raises(OSError, match="Connect call failed"):
        await _health(_url(caplog))


async def test_where_nobody_can_be_opened_nothing_is_begun(
    services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    """Invalid settings of all platforms are raised before the web server listens."""
    ill = Example("ill", [], open_error=SettingsError("Its token is not set."))
    with pytest.raises(SettingsError):
        async with _serving(services, ill):
            pytest.fail("nobody is there to serve")
    assert caplog.records == []


async def test_health_tells_of_a_platform_that_is_starting(
    services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    """Health reports a platform as starting while it starts."""
    slow = Example("slow", [], may_start=asyncio.Event())
    context = _serving(services, slow)
    entering = asyncio.create_task(context.__aenter__())
    await slow.starts.wait()
    status, found = await _health(_url(caplog))
    assert (status, found["slow"]["state"]) == (503, "starting")
    assert slow.may_start
    slow.may_start.set()
    await entering
    assert (await _health(_url(caplog)))[0] == 200
    await context.__aexit__(None, None, None)


async def test_who_is_interrupted_while_starting_is_stopped(services: Services) -> None:
    """A platform whose start is cancelled is stopped."""
    calls: list[str] = []
    slow = Example("slow", calls, may_start=asyncio.Event())
    entering = asyncio.create_task(_serving(services, slow).__aenter__())
    await slow.starts.wait()
    entering.cancel()
    with pytest.raises(asyncio.CancelledError):
        await entering
    assert calls[-1] == "slow stops"


async def test_one_that_can_not_be_stopped_leaves_the_others_to_be(
    services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    """An error of stopping is logged, and the other platforms are stopped."""
    calls: list[str] = []
    stuck = Example(
        "stuck", calls, drain_error=RuntimeError("too"), stop_error=RuntimeError("stuck")
    )
    async with _serving(services, stuck, Example("fine", calls)):
        pass
    assert calls[4:] == ["stuck drains", "fine drains", "stuck stops", "fine stops"]
    for event in ("platform_not_drained", "platform_not_stopped"):
        [line] = _events(caplog, event)
        assert line["platform"] == "stuck"


async def test_what_is_on_its_way_arrives_before_a_platform_is_stopped(services: Services) -> None:
    """A platform drains while a message is sent, and disconnects after it arrived."""
    stage, calls = Stage(services.database), list[str]()
    await stage.takes_in()
    await stage.ordered(channel=Channel(Workspace("slow", "T1"), "C1"), next_due_at=DUE)
    posts = _Held(calls)
    async with _serving(services, Example("slow", calls, posts=posts)):
        await posts.reached.wait()
    assert calls[2:] == ["slow drains", "a message arrives", "slow stops"]
    [sent] = await stage.deliveries()
    assert sent.state == DeliveryState.SENT


async def test_the_database_says_that_nothing_can_be_written(
    services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    """A refused write stays in health until a write succeeds, which the check tries."""
    async with _serving(services, Example("here", [])):
        await services.database.run(partial(_allow_writing, allowed=False))
        with pytest.raises(StoreUnavailable):
            await services.database.write(_add)
        status, found = await _health(_url(caplog))
        assert (status, found["database"]["state"]) == (503, "failing")
        assert "readonly" in found["database"]["sentence"]
        await services.database.run(partial(_allow_writing, allowed=True))
        assert (await _health(_url(caplog)))[0] == 200


@pytest.mark.parametrize(
    ("settings", "has_chat"),
    [
        ({"web_host": "127.0.0.1"}, True),
        ({"web_host": "127.0.0.1", "public_url": "https://papers.example"}, False),
        ({"web_host": "0.0.0.0"}, False),  # noqa: S104 - what is tested
    ],
)
async def test_only_a_server_for_this_machine_has_the_chat(
    services: Services,
    caplog: pytest.LogCaptureFixture,
    settings: dict[str, str],
    *,
    has_chat: bool,
) -> None:
    """Elsewhere no page links to it, and nothing is there."""
    here = replace(services, settings=Settings(web_port=0, **settings))  # type: ignore[arg-type] # all are texts
    async with serving(here, {}, {}) as (_, chat_url), ClientSession(_url(caplog)) as session:
        assert chat_url == (f"{_url(caplog)}/chat" if has_chat else None)
        async with session.get("/chat") as answer:
            assert answer.status == (200 if has_chat else 404)
        async with session.get("/weeks") as answer:
            assert ('href="chat"' in await answer.text()) is has_chat


async def test_a_port_in_use_is_one_warning(
    services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    """A port in use is only logged if no platform has routes."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        busy = replace(services, settings=Settings(web_host="127.0.0.1", web_port=port))
        async with _serving(busy, Example("here", [])) as (names, _):
            assert names == ("here",)
    [line] = _events(caplog, "web_unavailable")
    assert line["levelname"] == "WARNING"
    assert line["sentence"] == (
        f"The web server can't listen on port {port} of 127.0.0.1: Address already in use."
    )


async def test_a_port_in_use_ends_it_where_a_platform_needs_the_web(services: Services) -> None:
    """A platform with routes is not started without the web server."""
    calls: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        busy = replace(services, settings=Settings(web_host="127.0.0.1", web_port=port))
        with pytest.raises(WebError):
            async with _serving(busy, Example("here", calls, path="/here")):
                pytest.fail("it can't be reached")
    assert calls == ["here is opened", "here stops"]


async def test_health_tells_of_the_database(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """The database is healthy while it responds, and failing with its error."""
    async with serving(_services(database), {}, {}):
        off = {"state": "off", "sentence": "It is not configured."}
        well = {
            "database": {"state": "ok", "sentence": ""},
            "scheduler": off,
            "outbox": off,
            "sources": {"state": "off", "sentence": _NO_SOURCES},
        }
        assert await _health(_url(caplog)) == (200, well)
        await database.run(_drop_schema)
        status, found = await _health(_url(caplog))
    assert (status, found["database"]["state"]) == (503, "failing")
    assert found["database"]["sentence"]


def _drop_schema(engine: Any) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE alembic_version")


def test_threads_take_turns_often_while_it_serves() -> None:
    """The switch interval is short within the block and restored after it."""
    before = sys.getswitchinterval()
    with short_switch_interval():
        assert sys.getswitchinterval() < before
    assert sys.getswitchinterval() == before
