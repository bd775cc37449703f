"""Plain words carried out: what they are read by, and the answers that are no command's."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bot.actor import Actor
from bot.commands.parser import command_string as write_command_string
from bot.commands.parser import matches_by_look, names_argument
from bot.commands.permissions import lacks_channels
from bot.commands.plain_words.filters import ReadingFacts
from bot.commands.plain_words.list_references import read_list_reference
from bot.commands.plain_words.reader import Courtesy, Reading, Turn, read
from bot.commands.seen_list import find_below_post, find_seen
from bot.commands.types import Call, Command, Context, Group, LineOrigin
from bot.domain.dates import holds_misread
from bot.domain.topics import topic_names
from bot.domain.typed_text import STOPS
from bot.errors import Choice, UserError
from bot.replies.blocks import Actions, Button, Level, Notice, Reply, Verbatim
from store.library import editions
from store.sources import CONSENSUS

_TO_ASK = (
    Button("What's new", "latest"),
    Button("Search", "search mixture of experts"),
    Button("Catch up in 10 minutes", "brief 10"),
)
_COURTESIES = {
    Courtesy.GREETING: "Hello! I keep the top AI papers of each week. Ask me for instance:",
    Courtesy.LAUGHTER: "Glad you like it here. Ask me for instance:",
    Courtesy.THANKS: "You're welcome! Whenever you like:",
}
# The argument for where a vote shows: the question is no such place.
_AS_SHOWN = "shown"
_FOREIGN = "Somebody else wrote this. Shall it be done as yours?"
# Commands that without a paper are about the one that was spoken of.
_OF_A_PAPER = frozenset({"related", "show"})
# Words that no argument has: a line about a channel without them was meant as the command.
_SPOKEN = re.compile(r"\b(?:me|us|this|every|each|about|please|to|for|the|it)\b", re.IGNORECASE)
_NO_READING = Reading(())
_SHORTEST_SLIP = 4  # letters
# Of the commands about a channel, those that only look.
_LOOKS = frozenset({"subscriptions", "preview", "status"})


async def facts_of(context: Context) -> ReadingFacts:
    """Return the facts that plain words are read by."""
    sources = await context.content.read(editions.list_sources)
    return ReadingFacts(
        topics=topic_names(),
        sources=frozenset({each.slug for each in sources} | {CONSENSUS}),
        commands=frozenset(each.name for each in context.commands),
        changing=frozenset(each.name for each in context.commands if changes(each)),
        today=context.today,
    )


def changes(command: Command) -> bool:
    """Tell whether a command changes something, for its user or for a channel."""
    return command.changes or (command.group is Group.CHANNEL and command.name not in _LOOKS)


def asks_first(call: Call, origin: LineOrigin, actor: Actor) -> bool:
    """Tell whether a user is asked before a call is carried out, as its line is another's.

    What a button alone carries changes something, whatever the command.
    """
    is_changing = changes(call.command) or any(
        param.buttons and param.name in call.arguments for param in call.command.params
    )
    return is_changing and origin.is_foreign(actor)


def read_as(context: Context) -> str:
    """Return the small line that teaches the command that plain words were read as."""
    line = context.display_command or context.command_string
    return f"Read as: {'/papers ' if context.actor.in_chat else ''}{line}"


def courtesy_reply(courtesy: Courtesy) -> Reply:
    """Answer a greeting or thanks in a line, with three things to ask."""
    return Reply((Notice(Level.INFO, _COURTESIES[courtesy]), Actions(_TO_ASK)))


def no_page_reply(turn: Turn) -> Reply:
    """Say that there is no page to turn to."""
    last = "That was all there is." if turn is Turn.MORE else "That was the first page."
    return Reply((Notice(Level.INFO, last, "Perhaps one of these:"), Actions(_TO_ASK)))


def confirmation_reply(command: Command, context: Context) -> Reply:
    """Ask whether a command that changes something was meant, before anything is changed.

    `context` is that of its call, whose arguments were read. A line of somebody else's is shown
    whole. The button's line is the user's own.
    """
    command_string = context.command_string
    if lacks_channels(context.actor, command):
        typed = f"/papers {command_string}"
        notice = Notice(Level.INFO, "That is done in a channel. Type there:", typed)
        return Reply((notice,), read_as=read_as(context))
    is_foreign = context.origin.is_foreign(context.actor)
    if is_foreign and _AS_SHOWN in context.arguments:
        said = {name: text for name, text in context.arguments.items() if name != _AS_SHOWN}
        command_string = write_command_string(command, said)
    has_form = command.name == "subscribe"
    user = context.actor.user
    button = Button(command.name.capitalize(), command_string, form=has_form, by=user)
    buttons = Actions((button, Button("What is new instead", "latest")))
    if is_foreign:
        warning = Notice(Level.WARNING, _FOREIGN, "Nothing has changed yet.")
        return Reply((warning, Verbatim(f"/papers {command_string}"), buttons), private=True)
    question = Notice(Level.INFO, "Shall I do that?", "Nothing has changed yet.")
    return Reply((question, buttons), read_as=read_as(context))


def choice_reply(error: UserError) -> Reply:
    """Answer plain words that name nothing by themselves: a choice, and no error."""
    buttons = tuple(Button(each.label, each.command) for each in error.suggestions)
    notice = Notice(Level.INFO, error.sentence, error.remedy)
    return Reply((notice, Actions(buttons or _TO_ASK)))


def error_reply(error: UserError) -> Reply:
    """Answer what can't be carried out, with the nearest that can."""
    notice = Notice(Level.ERROR, error.sentence, error.remedy)
    buttons = tuple(Button(each.label, each.command) for each in error.suggestions)
    return Reply((notice, Actions(buttons)) if buttons else (notice,), failed=True)


async def meant_otherwise(
    command: Command, text: str, error: UserError, context: Context
) -> Reading:
    """Return what a line may mean that names a command but not its arguments.

    A line of one word, with arguments by name, or a slip away from a suggested one was meant as the
    command; so was one about a channel for which anything is suggested, or that nobody would speak,
    and one with a day that may be two or that there is not.
    """
    if text.strip().lower() in _OF_A_PAPER and (seen := await find_seen(context)) and seen.it:
        return Reading((f"{command.name} it",))
    is_grammar = len(text.split()) == 1 or names_argument(command, text)
    is_near = _is_slip(text, command, error) or (
        command.group is Group.CHANNEL and (error.suggestions or not _SPOKEN.search(text))
    )
    is_dated = matches_by_look(command) and holds_misread(text)
    if is_grammar or is_near or is_dated or isinstance(error, Choice):
        return _NO_READING
    reading = read(text, await facts_of(context))
    if not isinstance(reading, Reading):
        return _NO_READING
    return replace(reading, commands=reading.other_than(text))


async def of_the_thread(commands: Sequence[str], context: Context) -> Sequence[str]:
    """Return commands of which a question is about the paper whose post it was asked below."""
    seen = await find_below_post(context)
    if seen is None or seen.it is None:
        return commands
    return [f"{each} of:{seen.it}" if each.startswith("ask ") else each for each in commands]


def names_listed(command_string: str) -> bool:
    """Tell whether the argument of a command string speaks of the list seen last."""
    return read_list_reference(command_string.partition(" ")[2]) is not None


def _is_slip(text: str, command: Command, error: UserError) -> bool:
    """Tell whether a suggested command string has a word that is a slip away from a typed one."""
    from rapidfuzz.distance import OSA  # here, because few lines need it

    suggested = {
        word
        for each in error.suggestions
        if each.command.startswith(f"{command.name} ")
        for word in re.split(r"[\s:]+", each.command.lower())
    }
    words = (word.rstrip(f"{STOPS}?") for word in text.lower().split()[1:])
    typed = [word for word in words if word not in suggested]
    return any(
        OSA.distance(word, other) == 1
        for word in typed
        if len(word) >= _SHORTEST_SLIP
        for other in suggested
    )


def said_first(
    reply: Reply, command: Command, unknown: Sequence[str], unused: Sequence[str]
) -> Reply:
    """Return a reply of a command that begins with what of the request could not be used.

    `unknown` is what the store can't know, said with what is shown instead.
    """
    shown = "what the sources rank best" if command.name == "top" else "what fits the words best"
    told = (*(f"{each}: this is {shown}." for each in unknown), *unused)
    notices = (Notice(Level.INFO, each) for each in dict.fromkeys(told))
    return replace(reply, blocks=(*notices, *reply.blocks)) if told else reply


def unused_filter(line: str, error: UserError) -> Sequence[str]:
    """Return what is said first where a line with an author can't be run and another one is."""
    return (error.sentence,) if "author:" in line else ()
