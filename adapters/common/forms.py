"""The fields of a command's form that are alike on every platform. Pure."""

from bot.commands.params.scalars import LAYOUT
from bot.commands.params.times import WEEKDAY
from bot.commands.params.topics_and_sources import SOURCE, SOURCES, TOPIC, TOPICS
from bot.commands.params.workspace_settings import SETTLED_LAYOUT, SETTLED_SWITCH
from bot.commands.types import Param
from bot.replies.wording import capitalised

SEPARATOR = ","  # of the values of a list, which a command takes as one text
FILTERS = (TOPIC, SOURCE)
LISTS = (TOPICS, SOURCES)
# These have so few values that all of them are shown at once.
FEW_VALUES = (LAYOUT, SETTLED_LAYOUT, SETTLED_SWITCH)
# The values of these are words; those of others are names.
_WORDS = (WEEKDAY, *FEW_VALUES)
# All values of a form together stay below `bot.commands.parser.LONGEST_COMMAND_STRING`.
_LONGEST_MULTILINE, _LONGEST_FREE_TEXT, _LONGEST_TYPED = 800, 500, 50


def longest_text(param: Param) -> int:
    """Return how many characters a text input of a parameter takes."""
    if param.type.long:
        return _LONGEST_MULTILINE
    return _LONGEST_FREE_TEXT if param.type.free or param.type in LISTS else _LONGEST_TYPED


def values_of(param: Param, argument: str) -> list[str]:
    """Return the values in an argument, without duplicates."""
    texts = argument.split(SEPARATOR) if param.type in LISTS else [argument]
    return list(dict.fromkeys(text.strip() for text in texts if text.strip()))


def shown(param: Param, value: str) -> str:
    """Return how an option of a parameter is shown."""
    return capitalised(value) if param.type in _WORDS else value


def placeholder(param: Param) -> str:
    """Return the text of an empty select."""
    return param.empty or "Choose…"
