"""Plain words carried out: what they are read by, and the answers that are no command's."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.actor import Actor
from bot.commands.handlers.channel.offers import (
    Offer,
    look_of_posts,
    offer_for_posts,
    offer_posts,
    with_counted_values,
)
from bot.commands.handlers.channel.subscribe import SUBSCRIBE
from bot.commands.handlers.papers import LEAVES_OUT, VOTE, no_voters
from bot.commands.handlers.personal.undo import offer_undo
from bot.commands.params.arguments import ReadCall, read_call, with_arguments
from bot.commands.params.filters import with_period
from bot.commands.parser import FirstWord, matches_by_look, names_argument, parse, read_head
from bot.commands.parser import command_string as write_command_string
from bot.commands.permissions import lacks_channels, lacks_direct_messages, may
from bot.commands.plain_words.cleaning import names_no_paper
from bot.commands.plain_words.filters import ReadingFacts
from bot.commands.plain_words.keywords import unknown_superlatives
from bot.commands.plain_words.list_references import read_list_reference
from bot.commands.plain_words.not_offered import NotOffered, find_not_offered
from bot.commands.plain_words.posts.schedules import unmet_rhythm
from bot.commands.plain_words.posts.wishes import is_for_one, is_subject
from bot.commands.plain_words.reader import Courtesy, Reading, Turn, read
from bot.commands.plain_words.unused import RunCommand, unused_parts
from bot.commands.seen_list import find_below_post, has_it, narrow_seen
from bot.commands.types import Call, Command, Context, Group, LineOrigin
from bot.commands.unknown_command import is_slip
from bot.domain.dates import holds_misread
from bot.domain.topics import topic_names
from bot.errors import Choice, UserError
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Level,
    Notice,
    Reply,
    Text,
    Title,
    Verbatim,
    WebPage,
)
from bot.replies.naming import shown_title
from bot.replies.wording import shorten
from store.library import editions
from store.records import Mention
from store.search import is_english
from store.sources import CONSENSUS
from store.text import fold

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
_UNCHANGED = "Nothing has changed yet."
_CHANNEL = "channel"  # the argument of commands that are about one
_ENDS = "?!. "
# Commands of which the post is shown where there is no channel, and those about what is posted.
_SHOWN = frozenset({"subscribe", "preview"})
_OF_POSTS = frozenset({"unsubscribe", "pause", "resume", "deliver"})
_FOREIGN = "Somebody else wrote this. Shall it be done as yours?"
# Commands that without a paper are about the one that was spoken of.
_OF_A_PAPER = frozenset({"related", "show", "save", "unsave", "read", "unread", "vote", "dismiss"})
# Words that no argument has: a line about a channel without them was meant as the command.
_SPOKEN = re.compile(
    r"\b(?:me|us|this|every|each|about|please|to|for|the|it|week)\b", re.IGNORECASE
)
_MARKS_NAME = re.compile(
    r"\b(?:by|authors?|from|of|wrote|written|publish\w*)\b|\bauthor\s?[:=]", re.IGNORECASE
)
_NAMED_AUTHOR = re.compile(r'author:("[^"]+"|\S+)')
_SHOW = "show"
_LONGEST_TURN = 80  # characters
_LEFT_OUT = re.compile(r"^subscribe not:(?=[^\s,]+$)")
_NO_READING = Reading(())
_NAMED = re.compile(r" (?=[a-z]+:)")
_LONGEST_TITLE, _MOST_NAMED = 100, 5
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


def read_as(context: Context, shown: Sequence[Block] = ()) -> str:
    """Return the small line that teaches the command that plain words were read as.

    A question that is the title of what is `shown` is not said twice.
    """
    line = context.display_command or context.command_string
    bare = line.rstrip(_ENDS)
    titles = (block.text.rstrip(_ENDS) for block in shown if isinstance(block, Title))
    said = (each for each in titles if bare.casefold().endswith(f" {each.casefold()}"))
    if title := next(said, ""):
        line = f"{bare[: -len(title)]}…"
    return f"Read as: {'/papers ' if context.actor.in_chat else ''}{line}"


def aside_reply(said: Courtesy | NotOffered) -> Reply:
    """Answer what asks for no command: a courtesy in a line, or a wish that can't be met."""
    if isinstance(said, NotOffered):
        near = tuple(Button(line, line) for line in said.offers)
        return Reply((Notice(Level.INFO, said.sentence, said.remedy), Actions(near)))
    return Reply((Notice(Level.INFO, _COURTESIES[said]), Actions(_TO_ASK)))


def no_page_reply(turn: Turn) -> Reply:
    """Say that there is no page to turn to."""
    last = "That was all there is." if turn is Turn.MORE else "That was the first page."
    return Reply((Notice(Level.INFO, last, "Perhaps one of these:"), Actions(_TO_ASK)))


def is_elsewhere(call: Call, actor: Actor) -> bool:
    """Tell whether a call is about a channel where none is to be had, as in the terminal."""
    names_one = actor.channels is None and _CHANNEL in call.arguments
    is_about_one = call.command.group is Group.CHANNEL
    return lacks_channels(actor, call.command) or (is_about_one and names_one)


async def elsewhere_reply(
    call: Call, context: Context, others: Sequence[str] = (), asked: str = ""
) -> Reply:
    """Show the line to type in a channel, and the post as it would look.

    `others` are command strings that may be meant as well; what was `asked` and can't be is said.

    Raises:
        UserError: as `read_call`; what channels there are nobody knows here.
    """
    texts = {name: text for name, text in call.arguments.items() if name != _CHANNEL}
    ready = await read_call(replace(call, arguments=texts), context)
    command, named = call.command, call.arguments.get(_CHANNEL)
    arguments = {**ready.context.arguments, **({_CHANNEL: named} if named else {})}
    there = with_arguments(ready.context, command, arguments)
    typed = f"/papers {there.command_string}"
    blocks: list[Block] = [Notice(Level.INFO, "That is done in a channel. Type there:", typed)]
    if command.name in _SHOWN:
        blocks += (
            Text(f"Or, to {each.summary[0].lower()}{each.summary[1:]}: /papers {line}")
            for each, line in _other_changes(command, others, context)
        )
        unmet = _unmet(command, asked, arguments)
        blocks += [Text(unmet)] if unmet else []
        blocks += await look_of_posts(context, ready.values)
    return Reply(tuple(blocks), read_as=read_as(there))


async def confirmation_reply(ready: ReadCall, others: Sequence[str] = (), asked: str = "") -> Reply:
    """Ask whether a command that changes something was meant, before anything is changed.

    `others` are command strings that may be meant as well: those that change something else are
    offered too. What was `asked` and can't be is said. The button's line is the user's own. A line
    of somebody else's is shown whole.
    """
    command, context = ready.command, ready.context
    if context.origin.is_foreign(context.actor):
        return _foreign_reply(ready)
    if lacks_direct_messages(context.actor, command):
        there = "That is told in a direct message. Ask in Slack or Discord:"
        told = Notice(Level.INFO, there, f"/papers {context.command_string}")
        return Reply((told,), read_as=read_as(context))
    if command is VOTE and not context.actor.has_voters:
        raise no_voters()
    offer = await _offer(ready, asked)
    if offer is None:
        button = Button(command.name.capitalize(), context.command_string, by=context.actor.user)
        named = _papers_named(ready.values)
        offer = Offer(named, (button, Button("What is new instead", "latest")))
    user = context.actor.user
    more = tuple(
        Button(f"{each.name.capitalize()} instead", line, by=user)
        for each, line in _other_changes(command, others, context)
    )
    if offer.open or more:
        which = "Which of these?" if more else ""
        question = Notice(Level.INFO, offer.sentence, f"{which} {_UNCHANGED}".strip())
    else:
        unmet = _unmet(command, asked, context.arguments)
        remedy = " ".join(filter(None, (unmet, offer.sentence, _UNCHANGED)))
        question = Notice(Level.INFO, "Shall I do that?", remedy)
    buttons = (*offer.buttons[:1], *more, *offer.buttons[1:])
    return Reply((question, Actions(buttons)), read_as=read_as(context))


def _unmet(command: Command, asked: str, arguments: Mapping[str, str]) -> str:
    """Return what of a wish for posts can't be had."""
    if command.name == "subscribe" and arguments.keys() - {_CHANNEL} == {"not"}:
        return LEAVES_OUT
    return unmet_rhythm(asked) if command.name in _SHOWN else ""


def _other_changes(
    command: Command, others: Sequence[str], context: Context
) -> Iterator[tuple[Command, str]]:
    """Yield those of some command strings that change something by another command."""
    for line in others:
        other = read_head(line, context.commands).command
        if other and other is not command and changes(other) and may(context.actor, other):
            yield other, line


async def _offer(ready: ReadCall, asked: str) -> Offer | None:
    if ready.command.name == "subscribe":
        return await offer_posts(ready.context, ready.values, for_one=is_for_one(asked))
    if ready.command.name == "undo":
        return await offer_undo(ready.context)
    if ready.command.name in _OF_POSTS:
        return await offer_for_posts(ready.command, ready.context, ready.values)
    return None


def _papers_named(values: Mapping[str, Any]) -> str:
    """Return the titles of the papers that a call is about, which its line has as refs."""
    papers = values.get("paper") or ()
    several = papers if isinstance(papers, Sequence) else (papers,)
    titles = (
        shown_title(each.entry) if isinstance(each, Mention) else each.title for each in several
    )
    named = [shorten(each, _LONGEST_TITLE) for each in titles]
    more = f"; and {len(named) - _MOST_NAMED} more" if len(named) > _MOST_NAMED else ""
    return f"{'; '.join(named[:_MOST_NAMED])}{more}." if named else ""


def _foreign_reply(ready: ReadCall) -> Reply:
    command, context = ready.command, ready.context
    command_string = context.command_string
    if _AS_SHOWN in context.arguments:
        said = {name: text for name, text in context.arguments.items() if name != _AS_SHOWN}
        command_string = write_command_string(command, said)
    has_form = command.name == "subscribe"
    user = context.actor.user
    button = Button(command.name.capitalize(), command_string, form=has_form, by=user)
    buttons = Actions((button, Button("What is new instead", "latest")))
    named = _papers_named(ready.values)
    warning = Notice(Level.WARNING, _FOREIGN, f"{named} {_UNCHANGED}".strip())
    return Reply((warning, Verbatim(f"/papers {command_string}"), buttons), private=True)


def choice_reply(error: UserError) -> Reply:
    """Answer plain words that name nothing by themselves: a choice, and no error."""
    buttons = tuple(Button(each.label, each.command) for each in error.suggestions)
    notice = Notice(Level.INFO, error.sentence, error.remedy)
    return Reply((notice, *_page_of(error), Actions(buttons or _TO_ASK)))


def error_reply(error: UserError) -> Reply:
    """Answer what can't be carried out, with the nearest that can."""
    notice = Notice(Level.ERROR, error.sentence, error.remedy)
    buttons = tuple(Button(each.label, each.command) for each in error.suggestions)
    offers = (Actions(buttons),) if buttons else ()
    return Reply((notice, *_page_of(error), *offers), failed=True)


def _page_of(error: UserError) -> tuple[WebPage, ...]:
    return (WebPage("", error.page[1], error.page[0]),) if error.page else ()


async def meant_otherwise(
    command: Command, text: str, error: UserError, context: Context
) -> Reading | NotOffered:
    """Return what a line may mean that names a command but not its arguments.

    A line of one word, with arguments by name, or a slip away from a suggested one was meant as the
    command; so was one that changes what a list has under some numbers, one about a channel that
    nobody would speak, and one with a day that may be two or that there is not. One about a channel
    with a suggestion means that very command.
    """
    if text.strip().lower() in _OF_A_PAPER and await has_it(context):
        return Reading((f"{command.name} it",))
    is_one_word = len(text.split()) == 1
    facts = await facts_of(context)
    reading = _NO_READING if is_one_word else read(text, facts)
    if not isinstance(reading, Reading):
        is_wish = not (names_argument(command, text) or names_listed(text))
        return (find_not_offered(text) if is_wish else None) or _NO_READING
    meant = [each for each in reading.sure[:1] if names_listed(each) and not names_listed(text)]
    if command.name in _OF_A_PAPER and meant and meant[0].startswith(f"{command.name} "):
        return replace(reading, commands=(meant[0],))
    is_grammar = is_one_word or names_argument(command, text)
    is_grammar = is_grammar or (command.changes and names_listed(text))
    if not is_grammar and is_subject(text, facts):
        return Reading((f"search {text}",))
    is_of_channel = command.group is Group.CHANNEL
    is_near = is_slip(text, command, error) or (is_of_channel and not _SPOKEN.search(text))
    is_dated = matches_by_look(command) and holds_misread(text)
    if is_grammar or is_near or is_dated or isinstance(error, Choice):
        return _NO_READING
    others = reading.other_than(text)
    if is_of_channel and error.suggestions:
        others = tuple(each for each in others if each.split()[0] == command.name)
    return replace(reading, commands=others)


async def in_this_place(commands: Sequence[str], context: Context) -> Sequence[str]:
    """Return commands by what is known of the place that they were typed in.

    A command that lacks a paper is about the one that was spoken of, a question about that of the
    post below which it was asked; fewer papers are fewer than the channel gets, and an hour later
    is later than it gets them. Who may not leave a topic out of its posts is told what they may.
    """
    if not (may(context.actor, SUBSCRIBE) or context.actor.channels is None):
        commands = [_LEFT_OUT.sub("dismiss ", each) for each in commands]
    commands = await narrow_seen(await with_counted_values(commands, context), context)
    if not _OF_A_PAPER.isdisjoint(commands) and await has_it(context):
        commands = [f"{each} it" if each in _OF_A_PAPER else each for each in commands]
    seen = await find_below_post(context)
    if seen is None or seen.it is None:
        return commands
    return [f"{each} of:{seen.it}" if each.startswith("ask ") else each for each in commands]


def named_command(head: FirstWord, text: str) -> Command | None:
    """Return the command that a line names; "show more" and "show only 2025" name no paper."""
    is_short = head.word == _SHOW and len(text) <= _LONGEST_TURN
    is_short = is_short and (text[-1:].isalpha() or text.count(" ") > 1)
    return None if is_short and names_no_paper(text) else head.command


def names_listed(command_string: str) -> bool:
    """Tell whether a command string, but for arguments by name, speaks of the list seen last."""
    paper = _NAMED.split(command_string.partition(" ")[2], maxsplit=1)[0]
    return read_list_reference(paper) is not None


async def said_first(reply: Reply, ready: ReadCall, asked: str, unused: Sequence[str]) -> Reply:
    """Return the reply of a call that begins with what was `asked` and could not be used.

    `unused` is what is said of other readings. What the store can't know is said with what is
    shown instead.
    """
    told = await _not_used(ready, asked, unused) if asked else ()
    notices = (Notice(Level.INFO, each) for each in told)
    return replace(reply, blocks=(*notices, *reply.blocks)) if told else reply


async def _not_used(ready: ReadCall, asked: str, unused: Sequence[str]) -> tuple[str, ...]:
    command, context = ready.command, ready.context
    shown = "what the sources rank best" if command.name == "top" else "what fits the words best"
    unknown = (f"{each}: this is {shown}." for each in unknown_superlatives(asked))
    takes = frozenset(param.name for param in command.params)
    ran = RunCommand(command.name, takes, context.arguments)
    parts = () if unused else unused_parts(asked, ran, await facts_of(context))
    return (*dict.fromkeys((*unknown, *unused, *parts)),)


def unused_filter(line: str, error: UserError, asked: str) -> Sequence[str]:
    """Return what is said first where a line with a name can't be run and another one is.

    Words that nothing marks as a name were only tried: "mamba papers", "sparse attention papers".
    """
    name = _NAMED_AUTHOR.search(line)
    is_meant = "from:" in line or (
        name is not None and (_MARKS_NAME.search(asked) or _may_be_name(fold(name[1])))
    )
    return (error.sentence,) if is_meant else ()


def _may_be_name(words: str) -> bool:
    return " " in words and not all(map(is_english, words.split()))


@dataclass(frozen=True, slots=True)
class Meaning:
    """The call that a line means, and what is said first, as of it could not be used."""

    call: ReadCall
    told: tuple[str, ...] = ()


async def first_meaning(line: str, context: Context, *, named: bool) -> Meaning | None:
    """Return the first of what a line may mean that can be run; `named` if it names a command.

    One about a channel is not read where there is none: it can't be.
    """
    reading = read(line, await facts_of(context))
    unused: list[str] = []
    for each in (*((line,) if named else ()), *(_commands_of(reading))):
        try:
            call = parse(each, context.commands, typed=True)
            if each == line:
                ready = await read_call(with_period(call, context.today), context)
                return Meaning(ready)
            if lacks_channels(context.actor, call.command):
                placed = with_arguments(context, call.command, call.arguments)
                return Meaning(ReadCall(call.command, {}, placed))
            ready = await read_call(call, context)
        except UserError as error:
            unused += unused_filter(each, error, line)
        else:
            return Meaning(ready, await _not_used(ready, line, unused))
    return None


def _commands_of(reading: object) -> Sequence[str]:
    return reading.commands if isinstance(reading, Reading) else ()
