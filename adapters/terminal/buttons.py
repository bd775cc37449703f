"""Numbered buttons at a prompt, pressed by typing their number or label. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import singledispatch
from itertools import count

from bot.errors import UserError
from bot.replies.blocks import Actions, Block, Button, Choices, Pager, PaperList, Reply
from bot.replies.plain_text import printable
from bot.replies.wording import shorten

_MAX_ECHO = 20


@dataclass(frozen=True, slots=True)
class NumberedButton:
    """A button and the number, from 1 on, that presses it."""

    number: int
    button: Button


def number_buttons(reply: Reply) -> list[tuple[NumberedButton, ...]]:
    """Return the numbered buttons of each block of a reply.

    Papers with numbers of their own come first, whatever stands above them, so that the number of a
    paper in its edition presses its button if both count from one.
    """
    numbers = count(1)
    indexes = sorted(range(len(reply.blocks)), key=lambda index: _rank(reply.blocks[index]))
    numbered = {
        index: tuple(
            NumberedButton(next(numbers), button) for button in buttons(reply.blocks[index])
        )
        for index in indexes
    }
    return [numbered[index] for index in range(len(reply.blocks))]


def resolve_input(text: str, offered: Sequence[NumberedButton]) -> str:
    """Return the command of the button that a line presses, or the line itself.

    Raises:
        UserError: for a number that isn't offered, or a label of several buttons.
    """
    words = " ".join(text.split())
    if words.isdecimal():
        return _by_number(words, offered)
    matches = [each for each in offered if _label(each) == words.casefold()]
    if len({each.button.command for each in matches}) > 1:
        numbers = ", ".join(str(each.number) for each in matches)
        raise UserError(
            f"{matches[0].button.label} stands there {len(matches)} times.",
            f"Type the number of one: {numbers}.",
        )
    return matches[0].button.command if matches else text


@singledispatch
def buttons(block: Block) -> tuple[Button, ...]:
    """Return the buttons of a block in order; most blocks have none."""
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


def _label(numbered: NumberedButton) -> str:
    return " ".join(printable(numbered.button.label).split()).casefold()


def _by_number(digits: str, offered: Iterable[NumberedButton]) -> str:
    by_number = {str(each.number): each.button.command for each in offered}
    if digits.lstrip("0") in by_number:
        return by_number[digits.lstrip("0")]
    number = shorten(digits, _MAX_ECHO)
    raise UserError(
        f"There is no choice {number}: {_offer(len(by_number))}.",
        f"show {number} asks for paper {number} of the newest edition.",
    )


def _offer(number: int) -> str:
    if number < 2:  # noqa: PLR2004 - a range needs two
        return f"the last answer offers {'only 1' if number else 'none'}"
    return f"the last answer offers 1 to {number}"
