"""Answers at the prompt: as lines, each button with the number that presses it. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from adapters.terminal.choices import Choice
from bot.replies.blocks import Actions, Block, Choices, Pager, PaperLine, PaperList, Reply
from bot.replies.plain_text import Line, Span, Style, block_lines, joined
from bot.replies.wording import count

_Papers = Sequence[tuple[PaperLine, Choice]]

_OF_A_PAPER = ("show ", "save ", "unsave ", "vote ")


def numbered_lines(
    reply: Reply, offered: Sequence[tuple[Choice, ...]], *, refs: bool
) -> list[Line]:
    """Return a reply as lines; `offered` are the choices of its blocks.

    Papers in lists show their refs on request only: a person types the number and finds the ref
    on the paper's card, a program wants it at once.
    """
    width = max((len(_mark(choice)) for choices in offered for choice in choices), default=0)
    shape = _Shape(width, refs)
    blocks = zip(reply.blocks, offered, strict=True)
    return joined(shape.lines(block, choices) for block, choices in blocks)


@dataclass(frozen=True, slots=True)
class _Shape:
    """How one answer is laid out: `width` columns for marks, with refs or without."""

    width: int
    refs: bool

    def lines(self, block: Block, choices: Sequence[Choice]) -> Iterable[Line]:
        match block:
            case PaperList():
                papers = list(zip(block.papers, choices, strict=True))
                return self._edition(papers) if block.numbered else self._papers(papers)
            case Actions():
                return map(self._action, choices)
            case Choices():
                return self._menu(block, choices)
            case Pager():
                return self._pager(block, choices)
            case _:
                return block_lines(block)

    def _edition(self, papers: _Papers) -> list[Line]:
        """List the papers of an edition, each heading once over those that stand under it."""
        counted = all(paper.number == str(choice.number) for paper, choice in papers)
        groups = groupby(papers, key=lambda pair: pair[0].where)
        return joined(
            self._under(heading, list(group), counted=counted) for heading, group in groups
        )

    def _under(self, heading: str | None, papers: _Papers, *, counted: bool) -> Iterator[Line]:
        if heading:
            yield Line((Span(heading, Style.FAINT),))
        for paper, choice in papers:
            title = Span(paper.title, Style.TITLE)
            number = () if counted else (Span(f"{_own_number(paper)} ·", Style.FAINT),)
            yield self._marked(choice, *number, title)
            yield from self._below(paper, None)

    def _papers(self, papers: _Papers) -> Iterator[Line]:
        for paper, choice in papers:
            yield self._marked(choice, Span(paper.title, Style.TITLE))
            yield from self._below(paper, paper.where)

    def _below(self, paper: PaperLine, where: str | None) -> Iterator[Line]:
        """Give what stands below a title: a line on the paper, where it is found, its votes."""
        votes = count(paper.votes, "vote") if paper.votes else None
        place = " · ".join(filter(None, (where, votes, paper.ref if self.refs else None)))
        for text, style in ((paper.line, Style.TEXT), (place, Style.FAINT)):
            if text:
                yield Line((Span(text, style),), margin=self._margin)

    def _action(self, choice: Choice) -> Line:
        """Give a button, and the command that it types where that teaches something.

        What a person would type for a paper is the number, so there the ref is noise.
        """
        label, command = choice.button.label, choice.button.command
        teaches = label != command and (self.refs or not command.startswith(_OF_A_PAPER))
        typed = (Span(f"· {command}", Style.FAINT),) if teaches else ()
        return self._marked(choice, Span(label), *typed)

    def _menu(self, block: Choices, choices: Sequence[Choice]) -> Iterator[Line]:
        if block.label:
            yield Line((Span(block.label, Style.TITLE),))
        yield from map(self._action, choices)

    def _pager(self, pager: Pager, choices: Sequence[Choice]) -> Iterator[Line]:
        yield Line((Span(pager.position, Style.FAINT),))
        for choice in choices:
            yield self._marked(choice, Span(choice.button.label))

    def _marked(self, choice: Choice, *spans: Span) -> Line:
        mark = Span(f"{_mark(choice):>{self.width}}", Style.CHOICE)
        return Line(spans, mark, self._margin)

    @property
    def _margin(self) -> int:
        return self.width + 2


def _mark(choice: Choice) -> str:
    return f"[{choice.number}]"


def _own_number(paper: PaperLine) -> str:
    """Return a paper's number in its edition, not to be taken for a choice: `#3`, `E31`."""
    return f"#{paper.number}" if paper.number.isdecimal() else paper.number
