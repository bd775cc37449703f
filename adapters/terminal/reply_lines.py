"""Lines of a reply at the prompt, with the letter of each button. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from adapters.terminal.buttons import LetteredButton
from bot.replies.blocks import Actions, Block, Choices, Pager, PaperLine, PaperList, Reply
from bot.replies.plain_text import Style, StyledLine, StyledSpan, block_lines, joined, read_as_lines
from bot.replies.wording import count

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
