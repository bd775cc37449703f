"""A command whose words find their arguments by what they look like."""

from bot.command import Command, Context, Group, Param
from bot.params.counts import SIZE
from bot.params.lists import TOPICS
from bot.params.times import TIME_OF_DAY
from bot.params.weekdays import WEEKDAY
from bot.params.zones import ZONE
from bot.replies import Reply


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
