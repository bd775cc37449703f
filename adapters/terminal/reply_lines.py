"""Lines of a reply at the prompt, with the number of each button. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from adapters.terminal.buttons import NumberedButton
from bot.replies.blocks import Actions, Block, Choices, Pager, PaperLine, PaperList, Reply
from bot.replies.plain_text import Line, Span, Style, block_lines, joined
from bot.replies.wording import count

_Papers = Sequence[tuple[PaperLine, NumberedButton]]

_PAPER_COMMANDS = ("show ", "save ", "unsave ", "vote ")


def numbered_lines(
    reply: Reply, by_block: Sequence[tuple[NumberedButton, ...]], *, refs: bool
) -> list[Line]:
    """Return a reply as lines; `by_block` holds the buttons of each block.

    With `refs` the papers of lists show their refs, for programs; users type the number, and find
    the ref on the paper's card.
    """
    width = max((len(_mark(each)) for buttons in by_block for each in buttons), default=0)
    layout = _Layout(width, refs)
    blocks = zip(reply.blocks, by_block, strict=True)
    return joined(layout.lines(block, buttons) for block, buttons in blocks)


@dataclass(frozen=True, slots=True)
class _Layout:
    """The layout of a reply: `width` columns for numbers, with refs or without."""

    width: int
    refs: bool

    def lines(self, block: Block, buttons: Sequence[NumberedButton]) -> Iterable[Line]:
        match block:
            case PaperList():
                papers = list(zip(block.papers, buttons, strict=True))
                return self._edition(papers) if block.numbered else self._papers(papers)
            case Actions():
                return map(self._action, buttons)
            case Choices():
                return self._menu(block, buttons)
            case Pager():
                return self._pager(block, buttons)
            case _:
                return block_lines(block)

    def _edition(self, papers: _Papers) -> list[Line]:
        """Return the papers of an edition under their headings, each heading once."""
        same_numbers = all(paper.number == str(choice.number) for paper, choice in papers)
        groups = groupby(papers, key=lambda pair: pair[0].where)
        return joined(
            self._group(heading, list(group), same_numbers=same_numbers)
            for heading, group in groups
        )

    def _group(self, heading: str | None, papers: _Papers, *, same_numbers: bool) -> Iterator[Line]:
        if heading:
            yield Line((Span(heading, Style.FAINT),))
        for paper, choice in papers:
            title = Span(paper.title, Style.TITLE)
            number = () if same_numbers else (Span(f"{_own_number(paper)} ·", Style.FAINT),)
            yield self._numbered(choice, *number, title)
            yield from self._details(paper, None)

    def _papers(self, papers: _Papers) -> Iterator[Line]:
        for paper, choice in papers:
            yield self._numbered(choice, Span(paper.title, Style.TITLE))
            yield from self._details(paper, paper.where)

    def _details(self, paper: PaperLine, where: str | None) -> Iterator[Line]:
        """Yield the lines below a title: the summary, then place and votes."""
        votes = count(paper.votes, "vote") if paper.votes else None
        place = " · ".join(filter(None, (where, votes, paper.ref if self.refs else None)))
        for text, style in ((paper.line, Style.TEXT), (place, Style.FAINT)):
            if text:
                yield Line((Span(text, style),), margin=self._margin)

    def _action(self, choice: NumberedButton) -> Line:
        """Return the line of a button, with its command if users learn from it.

        Users type the number of a paper, so commands with a ref are left out.
        """
        label, command = choice.button.label, choice.button.command
        is_shown = label != command and (self.refs or not command.startswith(_PAPER_COMMANDS))
        typed = (Span(f"· {command}", Style.FAINT),) if is_shown else ()
        return self._numbered(choice, Span(label), *typed)

    def _menu(self, block: Choices, buttons: Sequence[NumberedButton]) -> Iterator[Line]:
        if block.label:
            yield Line((Span(block.label, Style.TITLE),))
        yield from map(self._action, buttons)

    def _pager(self, pager: Pager, buttons: Sequence[NumberedButton]) -> Iterator[Line]:
        yield Line((Span(pager.position, Style.FAINT),))
        for each in buttons:
            yield self._numbered(each, Span(each.button.label))

    def _numbered(self, choice: NumberedButton, *spans: Span) -> Line:
        mark = Span(f"{_mark(choice):>{self.width}}", Style.CHOICE)
        return Line(spans, mark, self._margin)

    @property
    def _margin(self) -> int:
        return self.width + 2


def _mark(choice: NumberedButton) -> str:
    return f"[{choice.number}]"


def _own_number(paper: PaperLine) -> str:
    """Return a paper's number in its edition, unlike a button's number: `#3`, `E31`."""
    return f"#{paper.number}" if paper.number.isdecimal() else paper.number
