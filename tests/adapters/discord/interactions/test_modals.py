"""Modals of commands: opened by a button, filled in, corrected, submitted."""

from typing import Any

from bot.actor import Role
from bot.commands.params.scalars import PAGE
from bot.commands.params.times import ZONE
from bot.commands.params.topics_and_sources import SOURCE, TOPIC
from bot.commands.params.weeks import SINCE
from bot.commands.types import Command, Context, Form, Group, Param
from bot.replies.blocks import Actions, Button, Reply, Text
from store.database import Database
from tests.adapters.discord.connected_bot import running
from tests.fakes.discord import Channel, FakeDiscord, Message, Permission, Person

LINE = "order change:7 zone:Europe/Berlin topic:agents patience:2"


async def _order(_context: Context, **given: Any) -> Reply:
    told = " ".join(f"{name}={value}" for name, value in sorted(given.items()))
    return Reply((Text(f"Ordered {told}."),))


async def _offer(_context: Context) -> Reply:
    long = f"{LINE} source:dair since:2025-01-01 until:2026-01-01 seen:2026-01-02"
    ways = (("order", "order"), ("Change", LINE), ("Change more", long), ("Odd", "ordr 3"))
    buttons = tuple(Button(label, line, form=True) for label, line in ways)
    return Reply((Text("What do you want?"), Actions((*buttons, Button("Order it", LINE)))))


ORDER = Command(
    "order",
    Group.CHANNEL,
    "Order something",
    _order,
    (
        Param("source", "From this source", SOURCE, "from"),
        Param("since", "Since then", SINCE, "since"),
        Param("until", "Until then", SINCE, "until"),
        Param("seen", "Seen then", SINCE, "seen"),
        Param("patience", "How long to wait", PAGE, "patience"),
        Param("zone", "The zone", ZONE, "zone"),
        Param("topic", "On this topic", TOPIC, "topic"),
        Param("change", "Instead of this", PAGE, "change", hidden=True),
    ),
    role=Role.MANAGER,
    examples=("order",),
    form=Form(first=("zone", "topic")),
)
OFFER = Command("offer", Group.LOOKUP, "Offer something", _offer, examples=("offer",))
COMMANDS = (ORDER, OFFER)


def people(discord: FakeDiscord) -> tuple[Channel, Person, Person]:
    """Return a channel of a server, one who manages it, and one who does not."""
    guild = discord.add_guild("G")
    bob = guild.add_member("bob", permissions=Permission.MANAGE_GUILD)
    return guild.add_channel("general"), bob, guild.add_member("ann")


async def offered(channel: Channel, person: Person) -> Message:
    """Return a message with buttons that open the form."""
    return (await person.asks(channel, "offer")).message


async def test_what_a_form_does_not_ask_for_is_carried(stocked: Database) -> None:
    """Hidden arguments, and those that there is no field for, stay; a cleared field is gone.

    In the id of a form of an earlier version stands what was in the fields, too.
    """
    async with FakeDiscord() as discord, running(stocked, discord, COMMANDS):
        channel, bob, _ = people(discord)
        for custom_id in (None, f"f1.1..{LINE}"):
            modal = (await bob.presses(await offered(channel, bob), "Change")).modal
            modal.payload["custom_id"] = custom_id or modal.payload["custom_id"]
            submitted = await bob.submits(modal, {"zone": "", "topic": [], "source": ["dair"]})
            assert submitted.message.text == "Ordered change=7 patience=2 source=dair."
            assert submitted.message.ephemeral_for is bob.user


async def test_a_long_line_is_carried_through_a_restart(stocked: Database) -> None:
    """A command string too long for a modal's id is stored, and another process finds it."""
    async with FakeDiscord() as discord:
        async with running(stocked, discord, COMMANDS):
            channel, bob, _ = people(discord)
            opened = await bob.presses(await offered(channel, bob), "Change more")
            assert len(opened.modal.payload["custom_id"]) <= 100
        async with running(stocked, discord, COMMANDS):
            submitted = await bob.submits(opened.modal, {"topic": []})
        assert submitted.message.text.startswith("Ordered change=7 patience=2 seen=")
        assert "topic" not in submitted.message.text


async def test_who_may_not_is_told_and_offered_no_form(stocked: Database) -> None:
    """No form opens for a reader; one that opened before is refused, and not to be corrected."""
    async with FakeDiscord() as discord, running(stocked, discord, COMMANDS):
        channel, bob, ann = people(discord)
        unopened = await ann.presses(await offered(channel, ann), "channel order")
        assert unopened.form is None
        assert "order is for managers." in unopened.message.text
        opened = await bob.presses(await offered(channel, bob), "channel order")
        assert channel.guild is not None
        channel.guild.members[bob.id].roles.clear()
        refused = await bob.submits(opened.modal)
        assert "order is for managers." in refused.message.text
        assert refused.message.buttons == {}


async def test_a_form_of_nothing_known_is_answered(stocked: Database) -> None:
    """A command string that can't be parsed opens no modal, and the user reads so."""
    async with FakeDiscord() as discord:
        async with running(stocked, discord, COMMANDS):
            channel, bob, _ = people(discord)
            message = await offered(channel, bob)
            odd = await bob.presses(message, "Odd")
            assert "no longer known" in odd.message.text
            opened = await bob.presses(message, "channel order")
        async with running(stocked, discord):
            unknown = await bob.submits(opened.modal)
        assert "no longer known" in unknown.message.text
        assert unknown.message.ephemeral_for is bob.user
