"""The payloads of posts: their key, as nonce and in the ids of buttons."""

import json

from tests.adapters.discord.post_senders import CREATE, EDIT, KEY, POST, REPLY, poster_for, target
from tests.fakes.discord import FakeDiscord


async def test_the_nonce_of_a_message_is_the_key_in_its_buttons() -> None:
    """Discord recognizes a repeat by the nonce, and the bot finds the message by the ids."""
    async with FakeDiscord() as fake:
        channel = fake.add_guild().add_channel("papers")
        async with poster_for(fake) as poster:
            sent = await poster.sender.send(target(channel), REPLY, KEY)
            await poster.sender.edit(sent, REPLY, KEY)
        created, edited = fake.calls(POST)[0].body, fake.calls(EDIT)[0].body
    assert (created["nonce"], created["enforce_nonce"]) == (KEY, True)
    assert "nonce" not in edited
    for body in (created, edited):
        ids = json.dumps(body["components"])
        assert ids.count(KEY) == ids.count('"custom_id"') > 0


async def test_a_forum_post_has_the_key_in_its_buttons_only() -> None:
    """Discord has no nonce for threads."""
    async with FakeDiscord() as fake:
        forum = fake.add_guild().add_channel("papers", kind="forum")
        async with poster_for(fake) as poster:
            await poster.sender.send(target(forum), REPLY, KEY, title="Week 2")
        [call] = fake.calls(CREATE)
    assert (call.body["name"], call.body["applied_tags"]) == ("Week 2", [])
    assert "nonce" not in call.body["message"]
    ids = json.dumps(call.body["message"]["components"])
    assert ids.count(KEY) == ids.count('"custom_id"') > 0


async def test_an_edit_of_components_keeps_their_flags() -> None:
    """Discord removes the flags that an edit leaves out."""
    async with FakeDiscord() as fake:
        channel = fake.add_guild().add_channel("papers")
        async with poster_for(fake) as poster:
            sent = await poster.sender.send(target(channel), REPLY, KEY)
            await poster.sender.edit(sent, REPLY, KEY)
        created, edited = fake.calls(POST)[0].body, fake.calls(EDIT)[0].body
    assert created["flags"] == edited["flags"] == 1 << 15 | 1 << 2
    assert (edited["content"], edited["embeds"]) == (None, [])
