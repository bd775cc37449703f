"""Lettered buttons at a prompt, pressed by typing their letter or label. Pure.

A listed paper has its number, by which the bot knows it; `3` is no button but a command.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import singledispatch
from itertools import count, product
from string import ascii_lowercase

from bot.commands.types import PRESSED, TYPED, LineOrigin
from bot.errors import UserError
from bot.replies.blocks import Actions, Block, Button, Choices, Pager, PaperList, Reply
from bot.replies.plain_text import printable


@dataclass(frozen=True, slots=True)
class LetteredButton:
    """A button and the letters that press it; a numbered paper is opened by its number."""

    letters: str
    button: Button


def letter_buttons(reply: Reply) -> list[tuple[LetteredButton, ...]]:
    """Return the buttons of each block of a reply with their letters, from `a` on."""
    letters = _letters()
    return [tuple(_lettered(block, letters)) for block in reply.blocks]


def _lettered(block: Block, letters: Iterator[str]) -> Iterator[LetteredButton]:
    if isinstance(block, PaperList) and block.numbered:
        yield from (
            LetteredButton(paper.number, button)
            for paper, button in zip(block.papers, buttons(block), strict=True)
        )
        return
    for button in buttons(block):
        yield LetteredButton(next(letters), button)


def _letters() -> Iterator[str]:
    """Yield `a` to `z`, then `aa`, `ab` and so on."""
    for length in count(1):
        yield from map("".join, product(ascii_lowercase, repeat=length))


def resolve_input(text: str, offered: Sequence[LetteredButton]) -> tuple[str, LineOrigin]:
    """Return the command of the button that a line presses, or the line itself, and which it is.

    The command of a button, as it stands beside it, presses it too.

    Raises:
        UserError: for a label of several buttons.
    """
    words = " ".join(text.split()).casefold()
    by_letters = {each.letters: each.button.command for each in offered}
    if words in by_letters and not words.isdecimal():
        return by_letters[words], PRESSED
    matches = [each for each in offered if _label(each) == words]
    if len({each.button.command for each in matches}) > 1:
        letters = ", ".join(each.letters for each in matches)
        raise UserError(
            f"{matches[0].button.label} stands there {len(matches)} times.",
            f"Type the letter of one: {letters}.",
        )
    if matches:
        return matches[0].button.command, PRESSED
    is_offered = any(each.button.command == text for each in offered)
    return text, PRESSED if is_offered else TYPED


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


def _label(lettered: LetteredButton) -> str:
    return " ".join(printable(lettered.button.label).split()).casefold()
