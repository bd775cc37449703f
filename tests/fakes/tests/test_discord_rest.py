"""The fake REST API is as strict as its documentation."""

from typing import Any

import aiohttp
import pytest

from tests.fakes.discord import (
    Channel,
    Drop,
    FakeDiscord,
    Permission,
    RateLimited,
    Refuse,
    Server,
    ServerError,
    Slow,
)
from tests.fakes.tests.raw_discord_client import COMMANDS, TEXT, V2, raw

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
POST = "POST /channels/{channel_id}/messages"


def messages(channel: Channel, more: object = "") -> str:
    """Return the path of a channel's messages."""
    return f"/channels/{channel.id}/messages{more}"


async def test_a_wrong_token_and_an_unknown_request_are_refused() -> None:
    """A wrong token gets a 401, an unknown request a 404; both are recorded."""
    async with FakeDiscord() as fake, raw(fake) as bot:
        fake.expect_refusals = True
        assert (await bot("GET", "/users/@me", token="another"))[0] == 401  # noqa: S106 - forged
        assert (await bot("GET", "/users/@me/papers"))[0] == 404
        assert [refusal.error for refusal in fake.refused] == [0, 0]


async def test_an_invalid_body_fails_the_test() -> None:
    """An invalid body gets 50035, and the end of the block fails."""
    fake = await FakeDiscord().__aenter__()
    async with raw(fake) as bot:
        channel = fake.add_guild().add_channel("general")
        refused = await bot.refused("POST", messages(channel), {"content": "x" * 2001})
    assert (refused, channel.posts) == ((400, 50035), [])
    with pytest.raises(AssertionError, match="2001 characters"):
        await fake.__aexit__(None, None, None)


async def test_commands_have_localizations_on_demand() -> None:
    """Registered commands keep their ids; `with_localizations` adds their localizations."""
    async with FakeDiscord() as fake, raw(fake) as bot:
        path = f"/applications/{fake.application_id}/commands"
        translated = {**COMMANDS[0], "name_localizations": {"de": "aufsätze"}}
        ids = [command["id"] for command in fake.commands]
        await bot("PUT", path, [translated, COMMANDS[1]])
        assert [command["id"] for command in fake.commands] == ids
        assert "name_localizations" not in (await bot("GET", path))[1][0]
        whole = (await bot("GET", f"{path}?with_localizations=true"))[1][0]
        assert whole["name_localizations"] == {"de": "aufsätze"}


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


async def test_a_private_thread_is_visible_to_its_members() -> None:
    """The bot sees a private thread as a member, and can look up each other member."""
    async with FakeDiscord() as fake, raw(fake) as bot:
        guild = fake.add_guild()
        channel, ann, bob = (
            guild.add_channel("general"),
            guild.add_member("ann"),
            guild.add_member("bob"),
        )
        ours = guild.add_thread(channel, "Ours", people=[ann, fake.bot])
        theirs = guild.add_thread(channel, "Theirs", people=[ann])
        assert await bot.refused("GET", f"/channels/{theirs.id}") == (403, 50001)
        member = f"/channels/{ours.id}/thread-members/"
        assert (await bot("GET", f"{member}{ann.id}"))[1]["user_id"] == str(ann.id)
        assert await bot.refused("GET", f"{member}{bob.id}") == (404, 10007)
        active = (await bot("GET", f"/guilds/{guild.id}/threads/active"))[1]["threads"]
        assert [thread["name"] for thread in active] == ["Ours"]
        with pytest.raises(AssertionError, match="not for them"):
            await bob.asks(ours, "search", query="moe")


async def test_a_button_may_change_its_message() -> None:
    """An update edits the message of the button, by the same rules as other edits."""
    async with FakeDiscord() as fake, raw(fake) as bot:
        channel = (guild := fake.add_guild()).add_channel("general")
        ann = guild.add_member("ann")
        button = {"type": 2, "style": 1, "label": "Next", "custom_id": "n"}
        body = {"flags": V2, "components": [TEXT, {"type": 1, "components": [button]}]}
        await bot("POST", messages(channel), body)
        pressed = await ann.presses(channel.posts[0], "Next")
        update = {"flags": V2, "components": [{**TEXT, "content": "Page 2"}]}
        assert (await bot.responds(pressed, 7, update))[0] == 200
        assert (pressed.message is channel.posts[0], pressed.messages) == (True, [])
        assert channel.posts[0].texts == ["Page 2"]


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


async def test_posting_checks_the_channel() -> None:
    """Each reason for which the bot can't post has its error code."""
    async with FakeDiscord() as fake, raw(fake) as bot:
        guild = fake.add_guild()
        hidden = guild.add_channel("a", bot_lacks=Permission.VIEW_CHANNEL)
        mute = guild.add_channel("b", deny=Permission.SEND_MESSAGES)
        forum, gone = guild.add_channel("c", kind="forum"), guild.add_channel("d")
        guild.remove_channel(gone)
        foreign = fake.add_guild("H", bot=False).add_channel("e")
        closed = fake.add_person("bob", closed=True).dm
        plain = guild.add_channel("f", bot_lacks=Permission.EMBED_LINKS)
        places = (hidden, mute, gone, foreign, closed)
        codes = [await bot.refused("POST", messages(place), HELLO) for place in places]
        expected = [(403, 50001), (403, 50013), (404, 10003), (403, 50001), (403, 50007)]
        assert codes == expected
        embed = {"embeds": [{"title": "Papers"}]}
        assert await bot.refused("POST", messages(plain), embed) == (403, 50013)
        assert fake.refused == []
        fake.expect_refusals = True
        assert await bot.refused("POST", messages(forum), HELLO) == (400, 50008)


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


async def test_an_enforced_nonce_posts_once() -> None:
    """A nonce returns the earlier message, or 10008 if that was deleted, until it expires."""
    async with FakeDiscord() as fake, raw(fake) as bot:
        channel = fake.add_guild().add_channel("general")
        body = {**HELLO, "nonce": "key", "enforce_nonce": True}
        first, second = [(await bot("POST", messages(channel), body))[1] for _ in range(2)]
        assert first == second
        await bot("POST", messages(channel), {**HELLO, "nonce": "key"})
        assert len(channel.posts) == 2
        fake.pass_time(300)
        third = (await bot("POST", messages(channel), body))[1]
        assert third["id"] != first["id"]
        assert (await bot("DELETE", messages(channel, f"/{third['id']}")))[0] == 204
        assert await bot.refused("POST", messages(channel), body) == (404, 10008)


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


async def test_history_is_read_newest_first() -> None:
    """A page has the newest messages before one; without the permission it is empty."""
    async with FakeDiscord() as fake, raw(fake) as bot:
        guild = fake.add_guild()
        channel, ann = guild.add_channel("general"), guild.add_member("ann")
        ids = [str(ann.says(channel, str(number)).id) for number in range(4)]
        path = messages(channel, f"?limit=2&before={ids[3]}")
        assert [each["id"] for each in (await bot("GET", path))[1]] == [ids[2], ids[1]]
        guild.forbid_bot(channel, Permission.READ_MESSAGE_HISTORY)
        assert (await bot("GET", path))[1] == []
        assert await bot.refused("GET", messages(channel, f"/{ids[0]}")) == (403, 50013)


async def test_an_announcement_is_published_once() -> None:
    """A second crosspost gets 40033, another kind of channel gets 50024."""
    async with FakeDiscord() as fake, raw(fake) as bot:
        fake.expect_refusals = True
        guild = fake.add_guild()
        news, general = guild.add_channel("news", kind="announcement"), guild.add_channel("general")
        for channel in (news, general):
            await bot("POST", messages(channel), HELLO)
        path = messages(news, f"/{news.posts[0].id}/crosspost")
        assert (await bot("POST", path))[0] == 200
        assert await bot.refused("POST", path) == (400, 40033)
        path = messages(general, f"/{general.posts[0].id}/crosspost")
        assert await bot.refused("POST", path) == (403, 50024)


async def test_a_message_has_one_thread() -> None:
    """The thread has the message's id; a second gets 160004, a missing permission 50013."""
    async with FakeDiscord() as fake, raw(fake) as bot:
        guild = fake.add_guild()
        channel = guild.add_channel("general")
        await bot("POST", messages(channel), HELLO)
        path = messages(channel, f"/{channel.posts[0].id}/threads")
        thread = (await bot("POST", path, {"name": "Week"}))[1]
        assert (thread["id"], thread["type"]) == (str(channel.posts[0].id), 11)
        assert await bot.refused("POST", path, {"name": "Week"}) == (400, 160004)
        guild.forbid_bot(channel, Permission.CREATE_PUBLIC_THREADS)
        assert await bot.refused("POST", path, {"name": "Week"}) == (403, 50013)
        active = (await bot("GET", f"/guilds/{guild.id}/threads/active"))[1]
        assert [each["id"] for each in active["threads"]] == [thread["id"]]


async def test_a_forum_requires_its_own_tags() -> None:
    """A post has tags of its forum, at least one if that requires it; a nonce has no effect."""
    async with FakeDiscord() as fake, raw(fake) as bot:
        guild = fake.add_guild()
        forum = guild.add_channel("papers", kind="forum", tags=["agents"], require_tag=True)
        path = f"/channels/{forum.id}/threads"
        body: dict[str, Any] = {"name": "Week", "message": HELLO}
        assert await bot.refused("POST", path, body) == (400, 40067)
        tagged = {**body, "applied_tags": [str(forum.tags["agents"])]}
        first, second = [(await bot("POST", path, tagged))[1] for _ in range(2)]
        assert first["id"] == first["message"]["id"] != second["id"]
        fake.expect_refusals = True
        unknown = {**body, "applied_tags": ["1"]}
        assert await bot.refused("POST", path, unknown) == (404, 10087)


async def test_a_locked_thread_refuses_messages() -> None:
    """A locked thread refuses messages; an archived one opens again."""
    async with FakeDiscord() as fake, raw(fake) as bot:
        guild: Server = fake.add_guild()
        channel = guild.add_channel("general")
        locked = guild.add_thread(channel, "a", locked=True)
        both = guild.add_thread(channel, "b", locked=True, archived=True)
        archived = guild.add_thread(channel, "c", archived=True)
        assert await bot.refused("POST", messages(locked), HELLO) == (400, 160005)
        assert await bot.refused("POST", messages(both), HELLO) == (400, 50083)
        listed = (await bot("GET", f"/channels/{channel.id}/threads/archived/public"))[1]
        assert [each["id"] for each in listed["threads"]] == [str(archived.id), str(both.id)]
        assert (await bot("POST", messages(archived), HELLO))[0] == 200
        assert not archived.archived


async def test_direct_messages_are_one_channel() -> None:
    """Opening direct messages twice gives the same channel; ids may be numbers."""
    async with FakeDiscord() as fake, raw(fake) as bot:
        ann = fake.add_person("ann")
        path = "/users/@me/channels"
        ids = (str(ann.id), ann.id)
        first, second = [(await bot("POST", path, {"recipient_id": each}))[1] for each in ids]
        assert first["id"] == second["id"] == str(ann.dm.id)
        await bot("POST", messages(ann.dm), HELLO)
        assert [message.text for message in ann.sees(ann.dm)] == ["Hello"]


async def test_faults_of_requests() -> None:
    """Each fault happens once to the named request, with the message stored or not."""
    async with FakeDiscord() as fake, raw(fake) as bot:
        channel = fake.add_guild().add_channel("general")
        fake.fail(POST, RateLimited(0.5, is_global=True))
        status, answer = await bot("POST", messages(channel), HELLO)
        assert (status, answer["retry_after"], answer["global"]) == (429, 0.5, True)
        fake.fail(POST, Refuse(403, 50013))
        assert await bot.refused("POST", messages(channel), HELLO) == (403, 50013)
        fake.fail(POST, ServerError(503))
        assert (await bot("POST", messages(channel), HELLO))[0] == 503
        fake.fail(POST, Drop(stored=False))
        with pytest.raises(aiohttp.ClientError):
            await bot("POST", messages(channel), HELLO)
        assert channel.posts == []
        fake.fail(POST, ServerError(502, stored=True))
        assert (await bot("POST", messages(channel), HELLO))[0] == 502
        fake.fail(POST, Drop())
        with pytest.raises(aiohttp.ClientError):
            await bot("POST", messages(channel), HELLO)
        fake.fail(POST, Slow(0.01))
        await bot("POST", messages(channel), HELLO)
        assert len(channel.posts) == 3
        assert [call.status for call in fake.calls(POST)][:3] == [429, 403, 503]


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
