"""Lines of a reply at the prompt, and the letters that press its buttons. Pure.

A listed paper has its number, by which the bot knows it; `3` is no button but a command.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import singledispatch
from string import ascii_lowercase

from bot.commands.types import PRESSED, TYPED, LineOrigin
from bot.errors import UserError
from bot.replies.blocks import Actions, Block, Button, Choices, Pager, PaperLine, PaperList, Reply
from bot.replies.plain_text import (
    Style,
    StyledLine,
    StyledSpan,
    block_lines,
    joined,
    printable,
    read_as_lines,
)
from bot.replies.wording import count


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
    for length in itertools.count(1):
        yield from map("".join, itertools.product(ascii_lowercase, repeat=length))


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


_PAPER_COMMANDS = ("show ", "save ", "unsave ", "vote ")


def lettered_lines(
    reply: Reply, by_block: Sequence[tuple[LetteredButton, ...]], *, refs: bool
) -> list[StyledLine]:
    """Return a reply as lines; `by_block` holds the buttons of each block.

    With `refs` the papers of lists show their refs, for programs; users type the number, and find
    the ref on the paper's card.
    """
    width = max((len(_mark(each)) for buttons in by_block for each in buttons), default=0)
    layout = _Layout(width, refs)
    blocks = zip(reply.blocks, by_block, strict=True)
    answer = (layout.lines(block, buttons) for block, buttons in blocks)
    return joined([read_as_lines(reply), *answer])


@dataclass(frozen=True, slots=True)
class _Layout:
    """The layout of a reply: `width` columns for letters and numbers, with refs or without."""

    width: int
    refs: bool

    def lines(self, block: Block, buttons: Sequence[LetteredButton]) -> Iterable[StyledLine]:
        match block:
            case PaperList():
                return self._papers(block.papers, buttons)
            case Actions():
                return map(self._action, buttons)
            case Choices():
                return self._menu(block, buttons)
            case Pager():
                return self._pager(block, buttons)
            case _:
                return block_lines(block)

    def _papers(
        self, papers: Sequence[PaperLine], buttons: Sequence[LetteredButton]
    ) -> Iterator[StyledLine]:
        """Yield papers under their headings, each heading once."""
        heading = None
        for paper, choice in zip(papers, buttons, strict=True):
            if paper.heading and paper.heading != heading:
                yield StyledLine((StyledSpan(paper.heading, Style.FAINT),))
            heading = paper.heading
            yield self._lettered(choice, StyledSpan(paper.title, Style.TITLE))
            votes = count(paper.votes, "vote") if paper.votes else None
            ref = paper.ref if self.refs else None
            place = " · ".join(filter(None, (paper.small_print, votes, ref)))
            for text, style in ((paper.line, Style.TEXT), (place, Style.FAINT)):
                if text:
                    yield StyledLine((StyledSpan(text, style),), margin=self._margin)

    def _action(self, choice: LetteredButton) -> StyledLine:
        """Return the line of a button, with its command if users learn from it.

        Users type the number of a paper, so commands with a ref are left out.
        """
        label, command = choice.button.label, choice.button.command
        is_shown = label != command and (self.refs or not command.startswith(_PAPER_COMMANDS))
        typed = (StyledSpan(f"· {command}", Style.FAINT),) if is_shown else ()
        return self._lettered(choice, StyledSpan(label), *typed)

    def _menu(self, block: Choices, buttons: Sequence[LetteredButton]) -> Iterator[StyledLine]:
        if block.label:
            yield StyledLine((StyledSpan(block.label, Style.TITLE),))
        yield from map(self._action, buttons)

    def _pager(self, pager: Pager, buttons: Sequence[LetteredButton]) -> Iterator[StyledLine]:
        yield StyledLine((StyledSpan(pager.position, Style.FAINT),))
        for each in buttons:
            yield self._lettered(each, StyledSpan(each.button.label))

    def _lettered(self, choice: LetteredButton, *spans: StyledSpan) -> StyledLine:
        mark = StyledSpan(f"{_mark(choice):>{self.width}}", Style.CHOICE)
        return StyledLine(spans, mark, self._margin)

    @property
    def _margin(self) -> int:
        return self.width + 2


def _mark(choice: LetteredButton) -> str:
    return f"[{choice.letters}]"
