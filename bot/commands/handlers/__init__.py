"""The commands, in the order of help. Each module has the commands of one family."""

from bot.commands.handlers.alerts import ALERT, ALERTS, UNALERT
from bot.commands.handlers.brief import BRIEF
from bot.commands.handlers.channel.preview import DELIVER, PREVIEW
from bot.commands.handlers.channel.subscribe import SUBSCRIBE
from bot.commands.handlers.channel.subscriptions import PAUSE, RESUME, SUBSCRIPTIONS, UNSUBSCRIBE
from bot.commands.handlers.consensus import CONSENSUS_OF, TOP
from bot.commands.handlers.editions import LATEST, WEEK_OF
from bot.commands.handlers.help import HELP
from bot.commands.handlers.papers import DISMISS, RANDOM, RELATED, SHOW, TOPIC_OF, VOTE
from bot.commands.handlers.personal.forget import FORGET
from bot.commands.handlers.personal.read import READ, UNREAD
from bot.commands.handlers.personal.saved_list import SAVED
from bot.commands.handlers.personal.undo import UNDO
from bot.commands.handlers.saved import NOTE_ON, SAVE, UNSAVE
from bot.commands.handlers.search import ASK, SEARCH
from bot.commands.handlers.settings import SETTINGS
from bot.commands.handlers.status import SOURCES, STATUS
from bot.commands.handlers.trends import TRENDS
from bot.commands.types import Command

COMMANDS: tuple[Command, ...] = (
    LATEST,
    WEEK_OF,
    SHOW,
    SEARCH,
    ASK,
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
    READ,
    UNREAD,
    NOTE_ON,
    VOTE,
    SAVED,
    ALERT,
    ALERTS,
    UNALERT,
    DISMISS,
    UNDO,
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
