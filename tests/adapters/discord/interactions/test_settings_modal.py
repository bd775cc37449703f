"""The modal of a server's settings."""

from typing import Any

from bot.accounts.workspaces import Workspaces
from store.database import Database
from store.records import Layout, Workspace, WorkspaceSettings
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


async def test_settings_are_changed_together_in_a_form(stocked: Database) -> None:
    """The modal has the current settings, reports each change, and can undo all."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        ann = guild.add_member("ann", permissions=Permission.MANAGE_GUILD)
        role, room = guild.add_role("Editors"), guild.add_channel("papers")
        ours = Workspace("discord", str(guild.id))
        modal = await opened(ann, room)
        assert modal.title == "Settings"
        assert held(modal) == {"zone": "default", "layout": ["default"], "role": []}
        entered = {"zone": "berlin", "layout": ["full"], "role": [role.id]}
        told = (await ann.submits(modal, entered)).message
        assert told.ephemeral_for is ann.user
        for change in (
            "3 settings were changed.",
            "not set → Europe/Berlin",
            "thread in a forum, else compact → full",
            "not set → Editors",
        ):
            assert change in told.text
        kept = WorkspaceSettings("Europe/Berlin", role=str(role.id), layout=Layout.FULL)
        assert await Workspaces(stocked).settings(ours) == kept
        again = await opened(ann, room)
        assert held(again) == {
            "zone": "Europe/Berlin", "layout": ["full"], "role": [str(role.id)],
        }  # fmt: skip
        await ann.presses(told, "Undo")
        assert await Workspaces(stocked).settings(ours) == WorkspaceSettings()


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


async def test_a_value_that_is_none_is_corrected_in_the_form(stocked: Database) -> None:
    """The error explains the value, and its button opens the modal with all values."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        ann = guild.add_member("ann", permissions=Permission.MANAGE_GUILD)
        room = guild.add_channel("papers")
        modal = await opened(ann, room)
        wrong = await ann.submits(modal, {"zone": "Berlln", "layout": ["full"]})
        assert "I can't read 'Berlln' as a zone." in wrong.message.text
        again = (await ann.presses(wrong.message, "Correct it")).modal
        assert held(again) == {"zone": "Berlln", "layout": ["full"], "role": []}
        right = (await ann.submits(again, {"zone": "Berlin"})).message
        assert "2 settings were changed." in right.text


async def test_two_managers_who_have_the_form_open_overwrite_nothing_unseen(
    stocked: Database,
) -> None:
    """The second reads what the first changed, and may settle theirs by a button."""
    async with FakeDiscord() as fake, running(stocked, fake):
        guild = fake.add_guild("G")
        ann, bob = (
            guild.add_member(name, permissions=Permission.MANAGE_GUILD) for name in ("ann", "bob")
        )
        room = guild.add_channel("papers")
        ours = Workspace("discord", str(guild.id))
        first, second = await opened(ann, room), await opened(bob, room)
        await ann.submits(first, {"zone": "Asia/Tokyo"})
        told = (await bob.submits(second, {"zone": "Berlin", "layout": ["full"]})).message
        assert "somebody else set it to Asia/Tokyo meanwhile" in told.text
        kept = WorkspaceSettings("Asia/Tokyo", layout=Layout.FULL)
        assert await Workspaces(stocked).settings(ours) == kept
        await bob.presses(told, "Set zone to Europe/Berlin")
        assert (await Workspaces(stocked).settings(ours)).zone == "Europe/Berlin"


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


async def test_a_form_is_submitted_to_another_process(stocked: Database) -> None:
    """Another process handles a submitted modal, also in direct messages."""
    async with FakeDiscord() as fake:
        ann = fake.add_guild("G").add_member("ann")
        async with running(stocked, fake):
            zone = "America/Argentina/ComodRivadavia"
            await ann.asks(ann.dm, "channel settings", name="zone", value=zone)
            modal = await opened(ann, ann.dm)
        async with running(stocked, fake):
            told = (await ann.submits(modal, {"zone": "", "layout": ["full"]})).message
            assert f"{zone} → not set" in told.text


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
