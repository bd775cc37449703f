"""The fake Discord enforces its limits if they are set."""

import aiohttp
import pytest

from tests.fakes.clock import Seconds
from tests.fakes.discord import FakeDiscord, Limits

PAYLOAD = {"content": "Papers", "tts": False, "allowed_mentions": {"parse": []}}


async def post(fake: FakeDiscord, channel: int) -> aiohttp.ClientResponse:
    """Post to a channel without a retry."""
    url, headers = f"{fake.api_url}/channels/{channel}/messages", {}
    headers["Authorization"] = f"Bot {fake.token}"
    async with aiohttp.ClientSession() as session:
        answer = await session.post(url, json=PAYLOAD, headers=headers)
        await answer.read()
        return answer


@pytest.mark.parametrize("scale", [1.0, 4.0])
async def test_a_bot_makes_fifty_requests_a_second(scale: float) -> None:
    """The next request gets a global 429 with its retry_after, and does not count."""
    clock = Seconds()
    async with FakeDiscord() as fake:
        guild = fake.add_guild()
        rooms = [guild.add_channel(f"room-{number}") for number in range(52)]
        fake.limits = Limits(scale, clock)
        for number, room in enumerate(rooms[:50]):
            clock.at = number * 0.01 / scale
            assert (await post(fake, room.id)).status == 200
        answer = await post(fake, rooms[50].id)
        body = await answer.json()
        assert (answer.status, body["global"]) == (429, True)
        assert answer.headers["X-RateLimit-Scope"] == "global"
        assert body["retry_after"] == pytest.approx(0.51 / scale)
        assert [call.status for call in fake.limits.refused] == [429]
        clock.at += body["retry_after"]
        assert (await post(fake, rooms[50].id)).status == 200
        assert (await post(fake, rooms[51].id)).status == 429
        assert fake.limits.accepted == 51


async def test_a_channel_accepts_five_messages_in_five_seconds() -> None:
    """Each response has the remaining count and the reset time; each channel has its bucket."""
    clock = Seconds()
    async with FakeDiscord() as fake:
        guild = fake.add_guild()
        room, other = guild.add_channel("papers"), guild.add_channel("other")
        fake.limits = Limits(1, clock)
        answers = [await post(fake, room.id) for _ in range(5)]
        left = [each.headers["X-RateLimit-Remaining"] for each in answers]
        assert left == ["4", "3", "2", "1", "0"]
        assert float(answers[-1].headers["X-RateLimit-Reset-After"]) == 5
        refused = await post(fake, room.id)
        assert (refused.status, refused.headers["X-RateLimit-Scope"]) == (429, "user")
        assert (await post(fake, other.id)).status == 200
        clock.at = 5
        assert (await post(fake, room.id)).status == 200
        assert len(room.posts) == 6
