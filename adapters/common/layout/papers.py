"""The layout of papers: in lists, and one in full. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from adapters.common.layout.limits import Limits
from adapters.common.layout.looks import Look, Shape
from adapters.common.layout.pieces import Pick, Piece, Span, pressed, worded
from adapters.common.layout.texts import cleaned, paragraphs
from bot.replies.blocks import Button, PaperCard, PaperLine, PaperList, Quote
from bot.replies.wording import count, shorten
from store.records import Link
from store.text import storable

_ARXIV = "https://arxiv.org/abs/"
TELLS = " · "  # before what tells a button from others of its name
_TELLING = 30  # characters of a title or a place that tell two buttons apart
_ALOUD = 50  # of a title that is read aloud, which with the label is no longer than Slack takes


def list_pieces(block: PaperList, group: int, limits: Limits) -> Iterator[Piece]:
    """List papers, each with its Details button; a heading stands once over its papers."""
    if block.close:
        yield from _close_pieces(block, group, limits)
        return
    over = (None, *(paper.heading for paper in block.papers))
    for paper, label, (before, heading) in zip(
        block.papers, _labels(block.papers), pairwise(over), strict=True
    ):
        if heading != before:
            words = Span(cleaned(heading or ""))
            yield from worded(limits, group, (words,), Shape.FAINT, leads=True)
        title = _title(paper, numbered=block.numbered)
        spans = _spans(title, paper)
        details, picks = _details(paper, label), _picks(block, paper, title, limits)
        yield from _line(limits, group, spans, details, picks)


def card_pieces(card: PaperCard, group: int, limits: Limits) -> Iterator[Piece]:
    """Show all about one paper; its title leads to arXiv."""
    title = Span(cleaned(card.title), Look.BOLD, _arxiv(card, limits))
    yield from worded(limits, group, (title,), Shape.NAME, leads=True)
    yield from worded(limits, group, (Span(cleaned(card.where)),), Shape.FAINT, leads=True)
    for paragraph in paragraphs(card.summary or ""):
        yield from worded(limits, group, (Span(paragraph),))
    for highlight in card.highlights:
        lead, text = cleaned(highlight.lead or ""), cleaned(highlight.text)
        bold = Span(f"{lead}: " if lead and text else lead, Look.BOLD)
        yield from worded(limits, group, (bold, Span(text)), Shape.BULLET, joined=True)
    yield from worded(limits, group, _links(card.links, limits))
    yield from worded(limits, group, (Span(_topics(card)),), Shape.FAINT)


def quote_pieces(quote: Quote, group: int, limits: Limits) -> Iterator[Piece]:
    """Show a sentence of a paper, and below it which paper that is."""
    paper = TELLS.join(filter(None, (cleaned(quote.title), cleaned(quote.where))))
    words = (Span(cleaned(quote.text)),)
    yield from worded(limits, group, words, Shape.QUOTE, leads=bool(paper))
    yield from worded(limits, group, (Span(paper),), Shape.FAINT)


def _close_pieces(block: PaperList, group: int, limits: Limits) -> Iterator[Piece]:
    for paper in block.papers:
        title, votes = _title(paper, numbered=block.numbered), _votes(paper)
        line = TELLS.join(filter(None, (cleaned(paper.line or ""), votes)))
        spans = Span(f"{title}: " if title and line else title, Look.BOLD), Span(line)
        picks = _picks(block, paper, title, limits)
        yield from worded(limits, group, spans, joined=True, picks=picks)
    if block.details:
        for paper, label in zip(block.papers, _labels(block.papers), strict=True):
            yield from pressed(limits, group, (_details(paper, label),))


def _picks(block: PaperList, paper: PaperLine, title: str, limits: Limits) -> tuple[Pick, ...]:
    """Return a paper's options in the menus of its list; with a ref too long for one it has none.

    It is still kept from its card, which its details are.
    """
    found = []
    for menu in block.menus:
        longest = min(menu.longest or limits.longest_option, limits.longest_option)
        command = storable(f"{menu.command} {paper.ref}")
        if limits.is_pickable(command):
            found.append(Pick(menu.label, shorten(title, longest).strip() or "…", command))
    return tuple(found)


def _title(paper: PaperLine, *, numbered: bool) -> str:
    number = _number(cleaned(paper.number)) if numbered else ""
    return f"{number}{cleaned(paper.title)}"


def _votes(paper: PaperLine) -> str:
    return count(paper.votes, "vote") if paper.votes else ""


def _spans(title: str, paper: PaperLine) -> list[Span]:
    """Return the rows of a paper; its votes stand at the end of the last below the title."""
    line, place = cleaned(paper.line or ""), cleaned(paper.where or "")
    if votes := _votes(paper):
        if line and not place:
            line += f"{TELLS}{votes}"
        else:
            place = f"{place}{TELLS}{votes}" if place else votes
    rows = ((title, Look.BOLD), (line, Look.PLAIN), (place, Look.FAINT))
    shown = [(text, look) for text, look in rows if text]
    return [Span(f"\n{text}" if place else text, look) for place, (text, look) in enumerate(shown)]


def _line(
    limits: Limits,
    group: int,
    spans: Sequence[Span],
    details: Button,
    picks: tuple[Pick, ...],
) -> list[Piece]:
    if spans and limits.is_pressable(details.command):
        return worded(limits, group, spans, button=details, picks=picks)
    first, *rest = *worded(limits, group, spans), *pressed(limits, group, (details,))
    return [first._replace(picks=picks), *rest]


def _number(number: str) -> str:
    if not number:
        return ""
    return f"{number}. " if number.isdecimal() else f"{number} · "


def _labels(papers: Sequence[PaperLine]) -> list[str]:
    """Name the Details buttons, with the title where two papers share a number, or the place."""
    names = [_label(paper) for paper in papers]
    titles = [paper.title for paper in papers]
    places = [paper.where or paper.ref for paper in papers]
    for tellings in (titles, places):
        taken = Counter(names)
        if len(taken) == len(names):
            break
        names = [
            _label(paper, telling) if taken[name] > 1 else name
            for paper, name, telling in zip(papers, names, tellings, strict=True)
        ]
    return names


def _details(paper: PaperLine, label: str) -> Button:
    """Return the button to a paper, read aloud with the paper's title."""
    title = shorten(cleaned(paper.title), _ALOUD)
    aloud = f"{label}: {title}" if title and TELLS not in label else ""
    return Button(label, f"show {paper.ref}", aloud=aloud)


def _label(paper: PaperLine, telling: str = "") -> str:
    words = shorten(cleaned(telling), _TELLING)
    name = f"Details {shorten(cleaned(paper.number), _TELLING)}".rstrip()
    return f"{name}{TELLS}{words}" if words else name


def _arxiv(card: PaperCard, limits: Limits) -> str | None:
    url = f"{_ARXIV}{card.arxiv_id}"
    return url if card.arxiv_id and limits.is_linkable(url) else None


def _links(links: Sequence[Link], limits: Limits) -> Iterator[Span]:
    for place, link in enumerate(links):
        label, url = cleaned(link.label), cleaned(link.url)
        if place:
            yield Span(" · ")
        if limits.is_linkable(url):
            yield Span(label or url, url=url)
        else:
            yield Span(f"{label}: {url}" if label and url else label or url)


def _topics(card: PaperCard) -> str:
    marks = (mark.text for mark in card.topics)
    return cleaned(f"Topics: {', '.join(marks)}") if card.topics else ""
