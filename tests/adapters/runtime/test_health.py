"""`/livez`, `/healthz` and `/metrics`."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiohttp import ClientSession

from adapters.runtime.health import operations_routes
from bot.operations.health import Check, Condition, Parts, State
from bot.operations.metrics import Metrics
from store.database import Database, Session
from store.database.database import READERS
from tests.adapters.web.served import served


@asynccontextmanager
async def _client(checks: Parts, metrics: Metrics | None = None) -> AsyncIterator[ClientSession]:
    routes = operations_routes(checks, metrics or Metrics())
    async with served(routes) as url, ClientSession(url) as session:
        yield session


def _always(condition: Condition) -> Check:
    async def check() -> Condition:
        return condition

    return check


async def _health(session: ClientSession) -> tuple[int, Any]:
    async with session.get("/healthz") as answer:
        return answer.status, await answer.json()


async def test_the_process_lives_whatever_its_parts_do() -> None:
    """`/livez` asks no part."""
    failing = _always(Condition(State.FAILING))
    async with _client({"database": failing}) as session, session.get("/livez") as answer:
        assert (answer.status, await answer.text()) == (200, "ok\n")


async def test_well_is_when_every_part_is() -> None:
    """Every part is a member with its state and sentence; a stand-by and what is off are well."""
    checks = {
        "database": _always(Condition(State.OK)),
        "discord": _always(Condition(State.STANDBY, "Another replica holds the gateway.")),
        "slack": _always(Condition(State.OFF, "It is not configured.")),
    }
    async with _client(checks) as session:
        assert await _health(session) == (
            200,
            {
                "database": {"state": "ok", "sentence": ""},
                "discord": {"state": "standby", "sentence": "Another replica holds the gateway."},
                "slack": {"state": "off", "sentence": "It is not configured."},
            },
        )


async def test_one_part_that_is_not_well_is_enough() -> None:
    """A part that fails or is only starting makes it 503, and the others are still told."""
    for state in (State.FAILING, State.STARTING):
        ill = _always(Condition(state, "It has no connection."))
        async with _client({"database": _always(Condition(State.OK)), "slack": ill}) as session:
            assert await _health(session) == (
                503,
                {
                    "database": {"state": "ok", "sentence": ""},
                    "slack": {"state": state.value, "sentence": "It has no connection."},
                },
            )


async def test_metrics_are_prometheus_text() -> None:
    """The route returns the metrics in the format of Prometheus."""
    metrics = Metrics()
    metrics.called("slack", "chat.postMessage", "ok")
    async with _client({}, metrics) as session, session.get("/metrics") as answer:
        assert answer.status == 200
        assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
        counted = (
            'broadsheet_api_calls_total{method="chat.postMessage",outcome="ok",platform="slack"}'
        )
        assert f"{counted} 1.0" in (await answer.text()).splitlines()


async def test_one_peer_leaves_readers_to_others(tmp_path: Path) -> None:
    """A client that requests health again and again gets only its share of the store's threads."""
    go, begun = threading.Event(), threading.Semaphore(0)

    def held(_session: Session) -> Condition:
        begun.release()
        go.wait(10)
        return Condition(State.OK)

    async with Database(f"sqlite:///{tmp_path / 'a.db'}") as database:

        async def check() -> Condition:
            return await database.read(held)

        async with _client({"database": check}) as session:
            asked = [asyncio.create_task(_health(session)) for _ in range(2 * READERS)]
            await asyncio.to_thread(begun.acquire)
            try:
                assert await asyncio.wait_for(database.read(lambda _: "read"), 1.5) == "read"
            finally:
                go.set()
            assert {status for status, _ in await asyncio.gather(*asked)} == {200}
