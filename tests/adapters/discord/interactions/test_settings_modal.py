"""The modal of a server's settings."""

from typing import Any

from store.database import Database
from tests.adapters.discord.connected_bot import running
from tests.fakes.discord import Channel, FakeDiscord, Modal, Permission, Person


async def opened(person: Person, place: Channel) -> Modal:
    """Ask for the settings and open their form."""
    answer = await person.asks(place, "channel settings")
    return (await person.presses(answer.message, "Change settings")).modal


def held(modal: Modal) -> dict[str, Any]:
    """Return what each field of a form holds, by its name."""
    fields = [label["component"] for label in modal.payload["components"]]
    return {field["custom_id"]: _held(field) for field in fields}


def _held(field: dict[str, Any]) -> Any:
    if "options" in field:
        return [each["value"] for each in field["options"] if each.get("default")]
    if "value" in field:
        return field["value"]
    return [each["id"] for each in field.get("default_values") or []]


async def test_a_role_that_is_taken_out_is_none(stocked: Database) -> None:
    """An empty field removes the role."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        ann = guild.add_member("ann", permissions=Permission.MANAGE_GUILD)
        guild.add_role("Editors")
        room = guild.add_channel("papers")
        await ann.asks(room, "channel settings", name="role", value="Editors")
        modal = await opened(ann, room)
        told = (await ann.submits(modal, {"role": [], "zone": ""})).message
        assert "role: Editors → not set" in told.text


async def test_a_form_asks_for_what_its_asker_may_change(stocked: Database) -> None:
    """A user with only the role gets no role field; a reader gets no modal."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        role = guild.add_role("Editors")
        ann = guild.add_member("ann", permissions=Permission.MANAGE_GUILD)
        eve, dan = guild.add_member("eve", roles=[role]), guild.add_member("dan")
        room = guild.add_channel("papers")
        await ann.asks(room, "channel settings", name="role", value="Editors")
        assert held(await opened(eve, room)).keys() == {"zone", "layout"}
        answer = await ann.asks(room, "channel settings")
        assert "Share" not in answer.message.buttons
        button = {"type": 2, "style": 2, "label": "Change", "custom_id": "f1.1..settings"}
        row = {"type": 1, "components": [button]}
        old = fake.post(room, {"flags": 1 << 15, "components": [row]})
        refused = await dan.presses(old, "Change")
        assert refused.form is None
        assert "settings is for managers." in refused.message.text


async def test_in_direct_messages_one_settles_for_oneself(stocked: Database) -> None:
    """Direct messages have no roles and no forums, and the answer says whose settings they are."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        ann = guild.add_member("ann", permissions=Permission.MANAGE_GUILD)
        here = (await ann.asks(guild.add_channel("papers"), "channel settings")).message.text
        assert "What is settled here holds for everybody in this server." in here
        assert "thread in a forum, else compact" in here
        assert "role" in here
        alone = (await ann.asks(ann.dm, "channel settings")).message.text
        assert "What is settled here holds for you alone, in direct messages." in alone
        assert "forum" not in alone
        assert "role" not in alone
        refused = (await ann.asks(ann.dm, "channel settings", name="role")).message.text
        assert "role is a setting of servers only." in refused
