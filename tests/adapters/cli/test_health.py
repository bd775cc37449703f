"""`broadsheet health` against a bot, other servers and closed ports."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import pytest
from aiohttp import web

from adapters.cli.health import check_liveness
from adapters.runtime.health import operations_routes
from bot.errors import WebError
from bot.operations.metrics import Metrics
from tests.adapters.web.served import served


@asynccontextmanager
async def _server(*routes: web.RouteDef) -> AsyncIterator[int]:
    async with served(routes) as url:
        yield urlsplit(url).port or 0


async def _check(port: int) -> None:
    await asyncio.to_thread(check_liveness, "127.0.0.1", port)


async def test_a_bot_that_lives_is_believed() -> None:
    """A bot with `/livez` is live."""
    async with _server(*operations_routes({}, Metrics())) as port:
        await _check(port)


async def test_another_program_is_not_taken_for_it() -> None:
    """A server without `/livez` is an error with its status."""
    async with _server() as port:
        with pytest.raises(WebError) as caught:
            await _check(port)
    assert caught.value.sentence == (
        f"The bot does not say that it lives: on port {port} of 127.0.0.1 the answer is 404."
    )


async def test_what_speaks_no_http_is_no_bot() -> None:
    """A server without HTTP and a closed port are errors."""

    async def greet(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail ready\r\n")
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(WebError):
            await _check(port)
    with pytest.raises(WebError) as caught:
        await _check(port)
    assert caught.value.sentence == (
        f"The bot does not say that it lives: on port {port} of 127.0.0.1 "
        "nothing answers as it should."
    )
