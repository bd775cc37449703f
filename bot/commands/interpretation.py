"""Plain words carried out: what they are read by, and the answers that are no command's."""

from bot.commands.parser import with_option_names
from bot.commands.permissions import lacks_channels
from bot.commands.plain_words.filters import Facts
from bot.commands.plain_words.reader import Courtesy, Turn
from bot.commands.types import Command, Context, Group
from bot.domain.topics import topic_names
from bot.errors import UserError
from bot.replies.blocks import Actions, Button, Level, Notice, Reply
from store.library import editions
from store.sources import CONSENSUS

_TO_ASK = (
    Button("What's new", "latest"),
    Button("Search", "search mixture of experts"),
    Button("Catch up in 10 minutes", "brief 10"),
)
_COURTESIES = {
    Courtesy.GREETING: "Hello! I keep the top AI papers of each week. Ask me for instance:",
    Courtesy.THANKS: "You're welcome! Whenever you like:",
}
# Of the commands about a channel, those that only look.
_LOOKS = frozenset({"subscriptions", "preview", "status"})


async def facts_of(context: Context) -> Facts:
    """Return the facts that plain words are read by."""
    sources = await context.content.read(editions.list_sources)
    return Facts(
        topics=topic_names(),
        sources=frozenset({each.slug for each in sources} | {CONSENSUS}),
        commands=frozenset(each.name for each in context.commands),
        changing=frozenset(each.name for each in context.commands if changes(each)),
        today=context.today,
    )


def changes(command: Command) -> bool:
    """Tell whether a command changes something, for its user or for a channel."""
    return command.changes or (command.group is Group.CHANNEL and command.name not in _LOOKS)


def read_as(command_string: str, context: Context) -> str:
    """Return the small line that teaches the command that plain words were read as."""
    if context.actor.by_name:
        command_string = with_option_names(command_string, context.commands)
    return f"Read as: {'/papers ' if context.actor.in_chat else ''}{command_string}"


def courtesy_reply(courtesy: Courtesy) -> Reply:
    """Answer a greeting or thanks in a line, with three things to ask."""
    return Reply((Notice(Level.INFO, _COURTESIES[courtesy]), Actions(_TO_ASK)))


def no_page_reply(turn: Turn) -> Reply:
    """Say that there is no page to turn to."""
    last = "That was all there is." if turn is Turn.MORE else "That was the first page."
    return Reply((Notice(Level.INFO, last, "Perhaps one of these:"), Actions(_TO_ASK)))


def confirmation_reply(command: Command, command_string: str, context: Context) -> Reply:
    """Ask whether a command that changes something was meant, before anything is changed."""
    if lacks_channels(context.actor, command):
        typed = f"/papers {command_string}"
        return Reply((Notice(Level.INFO, "That is done in a channel. Type there:", typed),))
    has_form = command.name == "subscribe"
    button = Button(f"{command.name.capitalize()}", command_string, form=has_form)
    question = Notice(Level.INFO, "Shall I do that?", "Nothing has changed yet.")
    buttons = Actions((button, Button("What is new instead", "latest")))
    return Reply((question, buttons), read_as=read_as(command_string, context))


def choice_reply(error: UserError) -> Reply:
    """Answer plain words that name nothing by themselves: a choice, and no error."""
    buttons = tuple(Button(each.label, each.command) for each in error.suggestions)
    notice = Notice(Level.INFO, error.sentence, error.remedy)
    return Reply((notice, Actions(buttons or _TO_ASK)))
