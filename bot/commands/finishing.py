"""The last touch of an answer: its numbers, its links, and the buttons that its user has. Pure."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from bot.actor import Actor
from bot.commands.parser import read_head, with_option_names
from bot.commands.permissions import lacks_channels, lacks_direct_messages
from bot.commands.types import Command, LineOrigin
from bot.replies.blocks import Actions, Block, Button, PaperCard, PaperLine, PaperList, Reply
from bot.replies.paper_actions import without_votes_in
from bot.replies.papers import with_page_link

# What the bot offers beside a paper that it shows.
_OF_LISTED = ("save ", "vote ")


@dataclass(frozen=True, slots=True)
class Finish:
    """The circumstances of an answer: who asked, whose line it was, where the web pages are."""

    actor: Actor
    origin: LineOrigin
    commands: Sequence[Command]
    public_url: str | None = None


def finished(reply: Reply, finish: Finish, first: Sequence[Block] = ()) -> Reply:
    """Return an answer as its user sees it, behind the blocks that come `first`.

    Its papers have numbers, and it links to web pages. Left out are votes where nobody votes, and
    buttons whose commands need what there is not where one asks. Buttons and the command string
    name options where the platform has these, and buttons say whose words they may hold.
    """
    actor, numbers = finish.actor, _numbers(reply)
    own = _OF_LISTED if reply.command and not reply.failed else ()
    blocks: list[Block] = []
    for block in (*first, *reply.blocks):
        shown = block if actor.has_voters else without_votes_in(block)
        if isinstance(shown, Actions):
            buttons = tuple(
                _button(each, finish, own) for each in shown.buttons if _has_place(each, finish)
            )
            blocks += [Actions(buttons)] if buttons else []
            continue
        if isinstance(shown, PaperList) and shown.numbered and numbers is not None:
            shown = replace(shown, papers=tuple(_numbered(each, numbers) for each in shown.papers))
        blocks.append(with_page_link(shown, finish.public_url))
    line = reply.display_command
    if actor.by_name and reply.command and line is None:
        line = with_option_names(reply.command, finish.commands)
    return replace(reply, blocks=tuple(blocks), display_command=line)


def _numbers(reply: Reply) -> Mapping[str, str] | None:
    """Return the numbers of listed papers by ref, in the order in which they are asked for.

    They go on over the lists of an answer, and a paper that stands in two has one. A card is no
    list: the papers below it have none.
    """
    if any(isinstance(block, PaperCard) for block in reply.blocks):
        return None
    lists = (block for block in reply.blocks if isinstance(block, PaperList))
    numbers = count(next((each.first for each in lists), 1))
    return defaultdict(lambda: str(next(numbers)))


def _numbered(line: PaperLine, numbers: Mapping[str, str]) -> PaperLine:
    number = numbers[line.ref]
    return line if line.number == number else replace(line, number=number)


def _has_place(button: Button, finish: Finish) -> bool:
    """Tell whether there is what a button needs: channels, or direct messages for what is told."""
    actor = finish.actor
    if actor.channels is not None:  # there are both
        return True
    command = read_head(button.command, finish.commands).command
    return command is None or not (
        lacks_channels(actor, command) or lacks_direct_messages(actor, command)
    )


def _button(button: Button, finish: Finish, own: tuple[str, ...]) -> Button:
    """Return a button as it is labelled there, and with the author of the words that it may hold.

    Those of a line that somebody else typed are not the bot's own, but for buttons that begin so.
    """
    if finish.actor.by_name and button.label == button.command:  # only a line has options
        button = replace(button, label=with_option_names(button.command, finish.commands))
    is_foreign = finish.origin.typed and finish.origin.is_foreign(finish.actor)
    if is_foreign and button.by is None and not button.command.startswith(own):
        button = replace(button, by=finish.origin.by or "")
    return button
