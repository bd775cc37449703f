"""A command whose words find their arguments by what they look like."""

from bot.commands.params.scalars import SIZE
from bot.commands.params.times import TIME_OF_DAY, WEEKDAY, ZONE
from bot.commands.params.topics_and_sources import TOPICS
from bot.commands.types import Command, Context, Group, Param
from bot.replies.blocks import Reply


async def _answer(_context: Context, **_values: object) -> Reply:
    return Reply(())


ORDER = Command(
    "order",
    Group.LIST,
    "Order something for a day and a time",
    _answer,
    (
        Param("day", "The day", WEEKDAY),
        Param("time", "The time", TIME_OF_DAY),
        Param("zone", "The zone", ZONE),
        Param("topic", "Topics", TOPICS, key="topic"),
        Param("size", "How many", SIZE, key="size"),
    ),
)
