"""Buttons at a prompt: each gets a number, and is pressed by typing that or its label. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import singledispatch
from itertools import count

from bot.errors import UserError
from bot.replies.blocks import Actions, Block, Button, Choices, Pager, PaperList, Reply
from bot.replies.plain_text import printable
from bot.replies.wording import shorten

_LONGEST_ECHO = 20


@dataclass(frozen=True, slots=True)
class Choice:
    """A button and the number, from 1 on, that presses it."""

    number: int
    button: Button


def number_buttons(reply: Reply) -> list[tuple[Choice, ...]]:
    """Return the choices of each block of a reply, in the order in which they stand.

    Papers that have numbers of their own come first, whatever stands above them: so a paper's
    number in its edition is what is typed for it, wherever both count from one.
    """
    numbers = count(1)
    places = sorted(range(len(reply.blocks)), key=lambda place: _rank(reply.blocks[place]))
    found = {
        place: tuple(Choice(next(numbers), button) for button in buttons(reply.blocks[place]))
        for place in places
    }
    return [found[place] for place in range(len(reply.blocks))]


def chosen(text: str, choices: Sequence[Choice]) -> str:
    """Return the command that a line stands for: a choice's, or the line itself.

    Raises:
        UserError: for a number that isn't offered, and for a label of several choices.
    """
    words = " ".join(text.split())
    if words.isdecimal():
        return _by_number(words, choices)
    named = [choice for choice in choices if _label(choice) == words.casefold()]
    if len({choice.button.command for choice in named}) > 1:
        numbers = ", ".join(str(choice.number) for choice in named)
        raise UserError(
            f"{named[0].button.label} stands there {len(named)} times.",
            f"Type the number of one: {numbers}.",
        )
    return named[0].button.command if named else text


@singledispatch
def buttons(block: Block) -> tuple[Button, ...]:
    """Return the buttons of a block in the order in which they stand; most have none."""
    del block
    return ()


@buttons.register
def _of_papers(block: PaperList) -> tuple[Button, ...]:
    return tuple(Button(f"Details {paper.number}", f"show {paper.ref}") for paper in block.papers)


@buttons.register
def _of_actions(block: Actions) -> tuple[Button, ...]:
    return block.buttons


@buttons.register
def _of_choices(block: Choices) -> tuple[Button, ...]:
    return block.options


@buttons.register
def _of_pager(block: Pager) -> tuple[Button, ...]:
    pages = (("Previous", block.previous), ("Next", block.next))
    return tuple(Button(label, command) for label, command in pages if command)


def _rank(block: Block) -> int:
    return 0 if isinstance(block, PaperList) and block.numbered else 1


def _label(choice: Choice) -> str:
    return " ".join(printable(choice.button.label).split()).casefold()


def _by_number(digits: str, choices: Iterable[Choice]) -> str:
    by_number = {str(choice.number): choice.button.command for choice in choices}
    if digits.lstrip("0") in by_number:
        return by_number[digits.lstrip("0")]
    number = shorten(digits, _LONGEST_ECHO)
    raise UserError(
        f"There is no choice {number}: {_offer(len(by_number))}.",
        f"show {number} asks for paper {number} of the newest edition.",
    )


def _offer(number: int) -> str:
    if number < 2:  # noqa: PLR2004 - a range needs two
        return f"the last answer offers {'only 1' if number else 'none'}"
    return f"the last answer offers 1 to {number}"
