"""The fake's gateway, met by frames written by hand."""

from typing import Any

import aiohttp

from tests.fakes.discord import FakeDiscord, ServerError


async def told(socket: aiohttp.ClientWebSocketResponse, event: str) -> dict[str, Any]:
    """Return the next event of a name."""
    while True:
        frame: dict[str, Any] = await socket.receive_json(timeout=2)
        if frame["t"] == event:
            return frame


def identify(token: str, intents: int = 1, shard: tuple[int, int] = (0, 1)) -> dict[str, Any]:
    """Return the frame by which a client says who it is."""
    data = {"token": token, "intents": intents, "properties": {}, "shard": list(shard)}
    return {"op": 2, "d": data}


async def test_a_client_says_hello_and_beats() -> None:
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
    """4004 for another's token, 4014 for intents that the app was not given."""
    async with FakeDiscord() as fake, aiohttp.ClientSession() as session:
        for frame, code in ((identify("another"), 4004), (identify(fake.token, 1 << 15), 4014)):
            async with session.ws_connect(f"{fake.url}/gateway/") as socket:
                await socket.receive_json()
                await socket.send_json(frame)
                await socket.receive()
                assert socket.close_code == code


async def test_each_shard_hears_of_its_own_servers() -> None:
    """A server's events go to the shard of its id; direct messages to the first."""
    async with FakeDiscord() as fake, aiohttp.ClientSession() as session:
        guilds = [fake.add_guild(str(number)) for number in range(2)]
        while (guilds[0].id >> 22) % 2 == (guilds[1].id >> 22) % 2:
            guilds[1] = fake.add_guild("another")
        for guild in guilds:
            shard = (guild.id >> 22) % 2
            async with session.ws_connect(f"{fake.url}/gateway/") as socket:
                await socket.send_json(identify(fake.token, shard=(shard, 2)))
                ready = await told(socket, "READY")
                assert str(guild.id) in [each["id"] for each in ready["d"]["guilds"]]
                assert (await told(socket, "GUILD_CREATE"))["d"]["unavailable"] is False


async def test_a_session_is_resumed_where_it_was_left() -> None:
    """All that was missed comes again in order, then RESUMED; an unknown session is invalid."""
    async with FakeDiscord() as fake, aiohttp.ClientSession() as session:
        guild = fake.add_guild()
        async with session.ws_connect(f"{fake.url}/gateway/") as socket:
            await socket.send_json(identify(fake.token))
            ready = await told(socket, "READY")
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
    """A proper close forgets the session; a cut does not."""
    async with FakeDiscord() as fake, aiohttp.ClientSession() as session:
        async with session.ws_connect(f"{fake.url}/gateway/") as socket:
            await socket.send_json(identify(fake.token))
            await told(socket, "READY")
        await fake.settled(lambda: not fake.gateway.sessions)


async def test_the_gateway_can_be_out_of_order() -> None:
    """A fault asked for meets the next connection."""
    async with FakeDiscord() as fake, aiohttp.ClientSession() as session:
        fake.fail("gateway", ServerError(503))
        async with session.get(f"{fake.url}/gateway/") as answer:
            assert answer.status == 503
