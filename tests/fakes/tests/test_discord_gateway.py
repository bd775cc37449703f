"""The fake gateway answers plain frames."""

from typing import Any

import aiohttp

from tests.fakes.discord import FakeDiscord


async def next_event(socket: aiohttp.ClientWebSocketResponse, event: str) -> dict[str, Any]:
    """Return the next event of a name."""
    while True:
        frame: dict[str, Any] = await socket.receive_json(timeout=2)
        if frame["t"] == event:
            return frame


def identify(token: str, intents: int = 1, shard: tuple[int, int] = (0, 1)) -> dict[str, Any]:
    """Return an IDENTIFY frame."""
    data = {"token": token, "intents": intents, "properties": {}, "shard": list(shard)}
    return {"op": 2, "d": data}


async def test_a_wrong_token_or_intent_closes_the_connection() -> None:
    """A wrong token closes with 4004, a privileged intent with 4014."""
    async with FakeDiscord() as fake, aiohttp.ClientSession() as session:
        for frame, code in ((identify("another"), 4004), (identify(fake.token, 1 << 15), 4014)):
            async with session.ws_connect(f"{fake.url}/gateway/") as socket:
                await socket.receive_json()
                await socket.send_json(frame)
                await socket.receive()
                assert socket.close_code == code


async def test_a_connection_that_the_client_ends_ends_the_session() -> None:
    """A proper close ends the session; an aborted connection does not."""
    async with FakeDiscord() as fake, aiohttp.ClientSession() as session:
        async with session.ws_connect(f"{fake.url}/gateway/") as socket:
            await socket.send_json(identify(fake.token))
            await next_event(socket, "READY")
        await fake.settled(lambda: not fake.gateway.sessions)
