"""The fake gateway answers plain frames."""

from typing import Any

import aiohttp

from tests.fakes.discord import FakeDiscord, ServerError


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


async def test_hello_and_heartbeat() -> None:
    """A connection begins with HELLO, and each heartbeat is acknowledged."""
    async with (
        FakeDiscord() as fake,
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{fake.url}/gateway/") as socket,
    ):
        assert (await socket.receive_json())["op"] == 10
        await socket.send_json({"op": 1, "d": None})
        assert (await socket.receive_json())["op"] == 11


async def test_a_wrong_token_or_intent_closes_the_connection() -> None:
    """A wrong token closes with 4004, a privileged intent with 4014."""
    async with FakeDiscord() as fake, aiohttp.ClientSession() as session:
        for frame, code in ((identify("another"), 4004), (identify(fake.token, 1 << 15), 4014)):
            async with session.ws_connect(f"{fake.url}/gateway/") as socket:
                await socket.receive_json()
                await socket.send_json(frame)
                await socket.receive()
                assert socket.close_code == code


async def test_each_shard_receives_its_guilds() -> None:
    """A guild's events go to the shard of its id."""
    async with FakeDiscord() as fake, aiohttp.ClientSession() as session:
        guilds = [fake.add_guild(str(number)) for number in range(2)]
        while (guilds[0].id >> 22) % 2 == (guilds[1].id >> 22) % 2:
            guilds[1] = fake.add_guild("another")
        for guild in guilds:
            shard = (guild.id >> 22) % 2
            async with session.ws_connect(f"{fake.url}/gateway/") as socket:
                await socket.send_json(identify(fake.token, shard=(shard, 2)))
                ready = await next_event(socket, "READY")
                assert str(guild.id) in [each["id"] for each in ready["d"]["guilds"]]
                assert (await next_event(socket, "GUILD_CREATE"))["d"]["unavailable"] is False


async def test_a_session_is_resumed() -> None:
    """The missed events are sent in order, then RESUMED; an unknown session is invalid."""
    async with FakeDiscord() as fake, aiohttp.ClientSession() as session:
        guild = fake.add_guild()
        async with session.ws_connect(f"{fake.url}/gateway/") as socket:
            await socket.send_json(identify(fake.token))
            ready = await next_event(socket, "READY")
            await fake.cut()
        guild.add_channel("missed")
        data = {"token": fake.token, "session_id": ready["d"]["session_id"], "seq": 1}
        async with session.ws_connect(ready["d"]["resume_gateway_url"]) as socket:
            await socket.receive_json()
            await socket.send_json({"op": 6, "d": data})
            events = [(await socket.receive_json(timeout=2))["t"] for _ in range(3)]
            assert events == ["GUILD_CREATE", "CHANNEL_CREATE", "RESUMED"]
            await socket.send_json({"op": 6, "d": {**data, "session_id": "unknown"}})
            assert (await socket.receive_json(timeout=2))["op"] == 9


async def test_a_connection_that_the_client_ends_ends_the_session() -> None:
    """A proper close ends the session; an aborted connection does not."""
    async with FakeDiscord() as fake, aiohttp.ClientSession() as session:
        async with session.ws_connect(f"{fake.url}/gateway/") as socket:
            await socket.send_json(identify(fake.token))
            await next_event(socket, "READY")
        await fake.settled(lambda: not fake.gateway.sessions)


async def test_a_gateway_connection_can_fail() -> None:
    """A fault of the gateway fails the next connection."""
    async with FakeDiscord() as fake, aiohttp.ClientSession() as session:
        fake.fail("gateway", ServerError(503))
        async with session.get(f"{fake.url}/gateway/") as answer:
            assert answer.status == 503
