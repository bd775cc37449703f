"""The commands, one file a family, in the order of help."""

from bot.command import Command
from bot.commands.brief import BRIEF
from bot.commands.channel import (
    DELIVER,
    PAUSE,
    PREVIEW,
    RESUME,
    SUBSCRIBE,
    SUBSCRIPTIONS,
    UNSUBSCRIBE,
)
from bot.commands.consensus import CONSENSUS_OF, TOP
from bot.commands.editions import LATEST, WEEK_OF
from bot.commands.forgetting import FORGET
from bot.commands.help import HELP
from bot.commands.overviews import SOURCES, STATUS
from bot.commands.papers import RANDOM, RELATED, SHOW
from bot.commands.saving import NOTE_ON, SAVE, SAVED, UNSAVE
from bot.commands.search import SEARCH
from bot.commands.settings import SETTINGS
from bot.commands.topics import TOPIC_OF
from bot.commands.trends import TRENDS
from bot.commands.voting import VOTE

COMMANDS: tuple[Command, ...] = (
    LATEST,
    WEEK_OF,
    SHOW,
    SEARCH,
    RELATED,
    RANDOM,
    TOPIC_OF,
    SOURCES,
    TOP,
    CONSENSUS_OF,
    TRENDS,
    BRIEF,
    STATUS,
    HELP,
    SAVE,
    UNSAVE,
    NOTE_ON,
    VOTE,
    SAVED,
    FORGET,
    SUBSCRIBE,
    SUBSCRIPTIONS,
    UNSUBSCRIBE,
    PAUSE,
    RESUME,
    PREVIEW,
    DELIVER,
    SETTINGS,
)
