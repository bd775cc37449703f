"""A command with parameters of all types, which answers with its arguments."""

from typing import Any

from bot.actor import Role
from bot.commands.params.channels_and_roles import CHANNEL
from bot.commands.params.scalars import LAYOUT, SIZE, SUBSCRIPTION_ID
from bot.commands.params.times import PATIENCE, TIME_OF_DAY, WEEKDAY, ZONE
from bot.commands.params.topics_and_sources import SOURCES, TOPICS
from bot.commands.types import Command, Context, Form, Group, Param
from bot.errors import UserError
from bot.replies.blocks import Actions, Button, Reply, Text

CHANGE = (
    "order tuesday 17:30 Europe/Berlin in:C2 from:dair,paperdive topic:agents not:rag size:5"
    " layout:full patience:2d change:7"
)


async def _order(context: Context, **given: Any) -> Reply:
    """Say what was given, and where, which has to be known; over twenty papers are too many."""
    if "channel" not in given and context.actor.channel is None:
        raise UserError("Which channel?", "Choose one.")
    if given.get("size", 0) > 20:
        raise UserError("Nobody reads that many.", "Ask for fewer.")
    texts = {name: "+".join(v) if isinstance(v, tuple) else str(v) for name, v in given.items()}
    said = [f"{name}={text}" for name, text in texts.items()]
    buttons = (
        Button("Choose…", "order", form=True),
        Button("Change…", CHANGE, form=True),
        Button("Order it", "order friday"),
        Button("Details", "show 1"),
    )
    text = Text(f"In {context.actor.channel}: {' '.join(said) or 'nothing'}")
    return Reply((text, Actions(buttons)), command="order")


async def _here(context: Context) -> dict[str, str]:
    """Return the channel that the form is opened in."""
    return {"channel": context.actor.channel} if context.actor.channel else {}


ORDER = Command(
    name="order",
    group=Group.CHANNEL,
    summary="Say what is ordered",
    handler=_order,
    params=(
        Param("day", "The day of the week", WEEKDAY),
        Param("time", "The time of day", TIME_OF_DAY),
        Param("zone", "The time zone", ZONE),
        Param("channel", "Which channel", CHANNEL, "in"),
        Param("source", "Whose editions", SOURCES, "from"),
        Param("topic", "Only these topics", TOPICS, "topic"),
        Param("not", "None of these topics", TOPICS, "not"),
        Param("size", "How many papers", SIZE, "size"),
        Param("layout", "How it is laid out", LAYOUT, "layout"),
        Param("patience", "How long it waits", PATIENCE, "patience"),
        Param("change", "Which one is changed", SUBSCRIPTION_ID, "change", buttons=True),
    ),
    role=Role.MANAGER,
    examples=("order",),
    form=Form(values=_here),
)
