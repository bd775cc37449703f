"""The fake REST API is as strict as its documentation."""

from typing import Any

import pytest

from tests.fakes.discord import (
    Channel,
    FakeDiscord,
    Permission,
)
from tests.fakes.tests.raw_discord_client import TEXT, V2, raw

HELLO: dict[str, Any] = {"content": "Hello"}
FORM = {
    "custom_id": "f",
    "title": "Form",
    "components": [
        {
            "type": 18,
            "label": "Day",
            "component": {
                "type": 3,
                "custom_id": "day",
                "options": [{"label": "Monday", "value": "0"}, {"label": "Friday", "value": "4"}],
            },
        },
        {
            "type": 18,
            "label": "Zone",
            "component": {"type": 4, "custom_id": "zone", "style": 1, "required": False},
        },
    ],
}


def messages(channel: Channel, more: object = "") -> str:
    """Return the path of a channel's messages."""
    return f"/channels/{channel.id}/messages{more}"


async def test_an_invalid_body_fails_the_test() -> None:
    """An invalid body gets 50035, and the end of the block fails."""
    fake = await FakeDiscord().__aenter__()
    async with raw(fake) as bot:
        channel = fake.add_guild().add_channel("general")
        refused = await bot.refused("POST", messages(channel), {"content": "x" * 2001})
    assert (refused, channel.posts) == ((400, 50035), [])
    with pytest.raises(AssertionError, match="2001 characters"):
        await fake.__aexit__(None, None, None)


async def test_an_interaction_is_answered_once_and_in_time() -> None:
    """A second first response gets 40060; a late or unknown one gets 10062."""
    async with FakeDiscord() as fake, raw(fake) as bot:
        fake.expect_refusals = True
        channel = (guild := fake.add_guild()).add_channel("general")
        ann = guild.add_member("ann")
        interaction = await ann.asks(channel, "search", query="moe")
        status, answer = await bot.responds(interaction, 4, {**HELLO, "flags": 64})
        assert (status, answer["resource"]["message"]["content"]) == (200, "Hello")
        assert answer["interaction"]["response_message_ephemeral"]
        assert (await bot.responds(interaction, 4, HELLO))[1]["code"] == 40060
        late = await ann.asks(channel, "search", query="moe")
        fake.pass_time(3.1)
        assert (await bot.responds(late, 4, HELLO))[1]["code"] == 10062
        assert late.messages == []
        unknown = f"/interactions/1/{interaction.token}/callback"
        assert await bot.refused("POST", unknown, {"type": 5}) == (404, 10062)
        assert [refusal.error for refusal in fake.refused] == [10062, 10062]


async def test_each_interaction_has_its_own_responses() -> None:
    """Each kind of interaction accepts its own kinds of responses."""
    async with FakeDiscord() as fake, raw(fake) as bot:
        fake.expect_refusals = True
        channel = (guild := fake.add_guild()).add_channel("general")
        ann = guild.add_member("ann")
        for kind, data in ((6, None), (7, HELLO), (8, {"choices": []})):
            interaction = await ann.asks(channel, "search", query="moe")
            assert (await bot.responds(interaction, kind, data))[0] == 400
        opened = await ann.asks(channel, "search", query="moe")
        assert (await bot.responds(opened, 9, FORM))[0] == 200
        sent = opened
        for kind, data in ((9, FORM), (6, None), (7, HELLO)):
            sent = await ann.submits(opened.modal, {"Day": "Friday"})
            assert (await bot.responds(sent, kind, data))[0] == 400
        assert sent.payload["data"]["components"][0]["component"]["values"] == ["4"]
        assert len(fake.refused) == 6


async def test_a_follow_up_needs_a_first_response_and_a_valid_token() -> None:
    """The webhook is unknown before the first response and expires after fifteen minutes."""
    async with FakeDiscord() as fake, raw(fake) as bot:
        fake.expect_refusals = True
        channel = (guild := fake.add_guild()).add_channel("general")
        interaction = await guild.add_member("ann").asks(channel, "search", query="moe")
        assert await bot.refused("POST", bot.webhook(interaction), HELLO) == (404, 10015)
        await bot.responds(interaction, 5, {"flags": 64})
        assert interaction.message.loading
        original = bot.webhook(interaction, "/messages/@original")
        body = {"flags": V2, "components": [TEXT]}
        assert (await bot("PATCH", original, body))[0] == 200
        assert (interaction.message.ephemeral, interaction.message.texts) == (True, ["Papers"])
        await bot("POST", bot.webhook(interaction), HELLO)
        assert [message.ephemeral for message in interaction.messages] == [True, False]
        fake.pass_time(15 * 60)
        assert await bot.refused("PATCH", original, body) == (401, 50027)


async def test_a_user_installed_app_follows_up_five_times() -> None:
    """The sixth follow-up is refused if the bot is no member."""
    async with FakeDiscord() as fake, raw(fake) as bot:
        fake.expect_refusals = True
        guild = fake.add_guild("H", bot=False)
        channel, ann = guild.add_channel("general"), fake.add_person("ann", installed=True)
        guild.add_member(ann)
        interaction = await ann.asks(channel, "search", query="moe")
        await bot.responds(interaction, 4, HELLO)
        codes = [(await bot("POST", bot.webhook(interaction), HELLO))[0] for _ in range(6)]
        assert codes == [200] * 5 + [400]


async def test_permissions_come_from_roles_and_overwrites() -> None:
    """Overwrites of a role outweigh those of everyone, and a member's outweigh both."""
    async with FakeDiscord() as fake, raw(fake) as bot:
        guild = fake.add_guild()
        writers = guild.add_role("writers")
        send = int(Permission.SEND_MESSAGES)
        closed, granted = {guild.id: (0, send)}, {writers.id: (send, 0)}
        channel = guild.add_channel("a", overwrites={**closed, **granted})
        barred = guild.add_channel("b", overwrites={**granted, fake.bot.id: (0, send)})
        assert (await bot("POST", messages(channel), HELLO))[0] == 403
        guild.members[fake.bot.id].roles = [writers]
        assert (await bot("POST", messages(channel), HELLO))[0] == 200
        assert (await bot("POST", messages(barred), HELLO))[0] == 403
        guild.members[fake.bot.id].roles = [guild.add_role("all", Permission.ADMINISTRATOR)]
        assert (await bot("POST", messages(barred), HELLO))[0] == 200


async def test_components_v2_stay() -> None:
    """An edit can neither remove their flag nor add content."""
    async with FakeDiscord() as fake, raw(fake) as bot:
        fake.expect_refusals = True
        channel = fake.add_guild().add_channel("general")
        await bot("POST", messages(channel), {"flags": V2, "components": [TEXT]})
        path = messages(channel, f"/{channel.posts[0].id}")
        bodies: tuple[dict[str, Any], ...] = ({"flags": 0}, HELLO, {"components": []})
        for body in bodies:
            assert await bot.refused("PATCH", path, body) == (400, 50035)
        status, _ = await bot("PATCH", path, {"components": [{**TEXT, "content": "New"}]})
        assert (status, channel.posts[0].texts) == (200, ["New"])


async def test_option_values_are_checked() -> None:
    """Values keep to bounds and channel types, required options need one, and no other is there."""
    async with FakeDiscord() as fake, raw(fake):
        guild = fake.add_guild()
        text, voice = guild.add_channel("general"), guild.add_channel("v", kind="voice")
        ann = guild.add_member("ann")
        for options, words in (
            ({"size": 3}, "needs"),
            ({"query": "moe", "size": 0}, "at least 1"),
            ({"query": "moe", "size": True}, "takes no True"),
            ({"query": "moe", "place": voice}, "offers no voice"),
        ):
            with pytest.raises(AssertionError, match=words):
                await ann.asks(text, "search", **options)
        with pytest.raises(AssertionError, match="never registered"):
            await ann.asks(text, "newest")
        with pytest.raises(AssertionError, match="no options"):
            await ann.asks(text, "search", query="moe", week="W02")
        interaction = await ann.asks(text, "search", query="moe", place=text)
        assert list(interaction.payload["data"]["resolved"]["channels"]) == [str(text.id)]
        grouped = await ann.asks(text, "channel preview")
        assert [each["name"] for each in grouped.payload["data"]["options"]] == ["channel"]
