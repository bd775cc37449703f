"""The web server: where it listens, what it answers, and what it says where it can't."""

import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO

import pytest
from aiohttp import ClientSession, web

from adapters.web.server import MAX_BODY, WebServer, listen_on
from bot.errors import WebError


async def _echo(request: web.Request) -> web.Response:
    return web.Response(body=await request.read())


@asynccontextmanager
async def _listening(host: str = "127.0.0.1") -> AsyncIterator[WebServer]:
    server = WebServer(host, 0, [web.post("/echo", _echo)])
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


async def test_it_answers_its_routes_and_nothing_else() -> None:
    """A route is answered; any other path is not found, in plain text."""
    async with _listening() as server, ClientSession(server.url) as session:
        async with session.post("/echo", data=b"hello") as answer:
            assert (answer.status, await answer.read()) == (200, b"hello")
        async with session.get("/nowhere") as answer:
            assert (answer.status, answer.content_type) == (404, "text/plain")


async def test_a_body_may_have_one_mebibyte() -> None:
    """The largest that is read is read whole, and a byte more is refused."""
    async with _listening() as server, ClientSession(server.url) as session:
        async with session.post("/echo", data=BytesIO(bytes(MAX_BODY))) as answer:
            assert len(await answer.read()) == MAX_BODY
        async with session.post("/echo", data=BytesIO(bytes(MAX_BODY + 1))) as answer:
            assert answer.status == 413


async def test_the_picked_port_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """One line says where it is reached, and no line is written for a request."""
    caplog.set_level(logging.INFO)
    async with _listening() as server, ClientSession(server.url) as session:
        async with session.get("/nowhere"):
            pass
        [record] = caplog.records
        assert record.getMessage() == "web_listening"
        assert record.__dict__["url"] == server.url
        assert server.url.startswith("http://127.0.0.1:")


@pytest.mark.parametrize("host", ["0.0.0.0", "localhost"])  # noqa: S104 - a free port, for a moment
async def test_where_it_is_reached_is_an_address_of_this_machine(host: str) -> None:
    """The logged URL works on this machine, also if the server listens on all addresses."""
    async with _listening(host) as server, ClientSession(server.url) as session:
        assert server.url.startswith(("http://127.0.0.1:", "http://[::1]:"))
        async with session.post("/echo", data=b"hello") as answer:
            assert answer.status == 200


async def test_stopped_it_listens_no_longer() -> None:
    """The port is free as soon as the server has stopped."""
    async with _listening() as server:
        port = int(server.url.rpartition(":")[2])
    again = WebServer("127.0.0.1", port, [])
    await again.start()
    await again.stop()


async def test_a_port_in_use_is_an_error_in_words() -> None:
    """The sentence names port, address and reason, the remedy the settings."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(WebError) as caught:
            await WebServer("127.0.0.1", port, []).start()
    assert caught.value.sentence == (
        f"The web server can't listen on port {port} of 127.0.0.1: Address already in use."
    )
    assert caught.value.remedy == (
        "Set BROADSHEET_WEB_PORT to a free port (0 picks one), or BROADSHEET_WEB_HOST."
    )


@pytest.mark.parametrize("host", ["198.51.100.7", "a..b"])
async def test_an_address_that_is_not_here_is_an_error_in_words(host: str) -> None:
    """Another machine's address, and what is no name at all, are refused alike."""
    with pytest.raises(WebError, match=f"can't listen on port 0 of {host}: "):
        await WebServer(host, 0, []).start()


def test_an_address_whose_family_the_machine_lacks_is_left_out() -> None:
    """A name with an address of IPv6 can be listened on where there is IPv4 alone."""
    lacking = (socket.AF_DECnet, ("127.0.0.1", 0))
    [listening] = listen_on([lacking, (socket.AF_INET, ("127.0.0.1", 0))])
    listening.close()
    with pytest.raises(OSError, match="not supported"):
        listen_on([lacking])
