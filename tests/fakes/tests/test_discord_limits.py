"""The limits that the fake Discord keeps when it is asked to."""

import aiohttp
import pytest

from tests.fakes.discord import FakeDiscord, Limits

PAYLOAD = {"content": "Papers", "tts": False, "allowed_mentions": {"parse": []}}


class Passing:
    """A time that passes when it is told to."""

    now = 0.0

    def seconds(self) -> float:
        """Return it."""
        return self.now


async def post(fake: FakeDiscord, channel: int) -> aiohttp.ClientResponse:
    """Post to a channel as a client without any patience does."""
    url, headers = f"{fake.api_url}/channels/{channel}/messages", {}
    headers["Authorization"] = f"Bot {fake.token}"
    async with aiohttp.ClientSession() as session:
        answer = await session.post(url, json=PAYLOAD, headers=headers)
        await answer.read()
        return answer


@pytest.mark.parametrize("scale", [1.0, 4.0])
async def test_a_bot_makes_fifty_requests_in_any_second(scale: float) -> None:
    """The one after them is refused for all, with when to come again, and counts for nothing."""
    time = Passing()
    async with FakeDiscord() as fake:
        guild = fake.add_guild()
        rooms = [guild.add_channel(f"room-{number}") for number in range(52)]
        fake.limits = Limits(scale, time.seconds)
        for number, room in enumerate(rooms[:50]):
            time.now = number * 0.01 / scale
            assert (await post(fake, room.id)).status == 200
        answer = await post(fake, rooms[50].id)
        told = await answer.json()
        assert (answer.status, told["global"]) == (429, True)
        assert answer.headers["X-RateLimit-Scope"] == "global"
        assert told["retry_after"] == pytest.approx(0.51 / scale)
        assert [call.status for call in fake.limits.refused] == [429]
        time.now += told["retry_after"]
        assert (await post(fake, rooms[50].id)).status == 200
        assert (await post(fake, rooms[51].id)).status == 429
        assert fake.limits.accepted == 51


async def test_a_channel_takes_five_messages_in_five_seconds() -> None:
    """Each answer tells how many are left and until when; another channel has its own."""
    time = Passing()
    async with FakeDiscord() as fake:
        guild = fake.add_guild()
        room, other = guild.add_channel("papers"), guild.add_channel("other")
        fake.limits = Limits(1, time.seconds)
        answers = [await post(fake, room.id) for _ in range(5)]
        left = [each.headers["X-RateLimit-Remaining"] for each in answers]
        assert left == ["4", "3", "2", "1", "0"]
        assert float(answers[-1].headers["X-RateLimit-Reset-After"]) == 5
        refused = await post(fake, room.id)
        assert (refused.status, refused.headers["X-RateLimit-Scope"]) == (429, "user")
        assert (await post(fake, other.id)).status == 200
        time.now = 5
        assert (await post(fake, room.id)).status == 200
        assert len(room.posts) == 6


async def test_without_limits_nothing_is_refused() -> None:
    """Whoever tests something else is not held up."""
    async with FakeDiscord() as fake:
        room = fake.add_guild().add_channel("papers")
        for _ in range(6):
            answer = await post(fake, room.id)
            assert answer.status == 200
            assert "X-RateLimit-Limit" not in answer.headers
