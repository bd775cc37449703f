"""The layout of papers: in lists, in tables, and one in full. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from adapters.common.layout.limits import Limits, Look, Shape
from adapters.common.layout.pieces import (
    MenuOption,
    MenuPick,
    Piece,
    Span,
    TableRow,
    pressed,
    worded,
)
from adapters.common.layout.texts import cleaned, paragraphs
from bot.replies.blocks import (
    Button,
    Menu,
    PaperCard,
    PaperLine,
    PaperList,
    PaperTable,
    Quote,
    Table,
)
from bot.replies.wording import count, shorten
from store.records import Link
from store.text import storable

_DESCRIBED_BY = 2  # the first cells: a name and what it is


def table_pieces(block: Table, group: int, limits: Limits) -> list[Piece]:
    """Return a table, or the line of each row with its other facts in small print below."""
    columns = tuple(map(cleaned, block.columns))
    rows = [tuple(map(cleaned, row)) for row in block.rows]
    lines = [worded(limits, group, _cells_line(columns, row), joined=True) for row in rows]
    cells = [tuple(map(Span, row)) for row in rows]
    return as_rows(lines, columns, cells, limits) or [piece for line in lines for piece in line]


def as_rows(
    lines: Sequence[list[Piece]],
    columns: tuple[str, ...],
    cells: Sequence[tuple[Span, ...]],
    limits: Limits,
) -> list[Piece]:
    """Return lines as the rows of a table; none where the platform has none that holds them."""
    if not (0 < len(columns) <= limits.most_columns and len(lines) <= limits.most_rows):
        return []
    whole = all(len(line) == 1 for line in lines)
    short = all(
        _weight(row, limits) <= limits.longest_run for row in (*cells, [*map(Span, columns)])
    )
    if not (whole and short and all(columns)):
        return []
    return [
        line._replace(row=TableRow(columns, row), joined=False)
        for (line,), row in zip(lines, cells, strict=True)
    ]


def _cells_line(columns: Sequence[str], row: Sequence[str]) -> Iterator[Span]:
    """Give the name of a row, what it is, and below that its other facts with their headings."""
    name, about = row[0] if row else "", " ".join(row[1:_DESCRIBED_BY])
    pairs = [*zip(columns, row, strict=True)][_DESCRIBED_BY:]
    facts = " · ".join(f"{heading}: {fact}" for heading, fact in pairs if fact)
    yield Span(f"{name}: " if name and about else name, Look.BOLD)
    yield Span(about)
    yield Span(f"\n{facts}" if facts and (name or about) else facts, Look.FAINT)


def _weight(row: Sequence[Span], limits: Limits) -> int:
    texts = (text for span in row for text in (span.text, span.url or ""))
    return sum(map(limits.weight, texts))


TELLS = " · "  # before what tells a button from others of its name
_DETAILS = "Details"
_DETAILS_MENU = "Details of a paper"
_PAPER, _VOTES = "Paper", "Votes"  # headings
_RELATED = ("Related", "related")
_TELLING = 30  # characters of a title or a place that tell two buttons apart
_KEPT = 1024  # menus of papers
_ALOUD = 50  # of a title that is read aloud, which with the label is no longer than Slack takes


def list_pieces(block: PaperList, group: int, limits: Limits) -> Iterator[Piece]:
    """List papers, each with its Details button or menu; a heading stands once over its papers."""
    if block.close:
        yield from _close_pieces(block, group, limits)
        return
    over = (None, *(paper.heading for paper in block.papers))
    labels: list[str] = []  # where a paper has no menu
    for place, (paper, (before, heading)) in enumerate(
        zip(block.papers, pairwise(over), strict=True)
    ):
        if heading != before:
            words = Span(cleaned(heading or ""))
            yield from worded(limits, group, (words,), Shape.FAINT, leads=True)
        spans = [*_title_spans(paper, limits, numbered=block.numbered)]
        is_alone = limits.puts_titles_alone_beside and block.details and bool(spans)
        below = _rows_below(paper, begun=bool(spans) and not is_alone)
        spans += () if is_alone else below
        has_menu = spans and limits.puts_menus_beside and block.details
        if has_menu and (options := _options(paper.ref, block.menus, limits)):
            yield from worded(limits, group, spans, options=options)
            continue
        picks = _picks(block, paper, _title(paper, numbered=block.numbered), limits)
        if not block.details:
            yield from worded(limits, group, spans, picks=picks)
            continue
        labels = labels or _labels(block.papers)
        details = _details(paper, labels[place], beside=limits.puts_buttons_beside)
        pieces = _line(limits, group, spans, details, picks)
        if is_alone and below:
            pieces[-1] = pieces[-1]._replace(leads=True)
        yield from (*pieces, *worded(limits, group, below if is_alone else ()))


def paper_table_pieces(block: PaperTable, group: int, limits: Limits) -> Iterator[Piece]:
    """Show papers in a table with menus below it, or as the list that they are."""
    plain = replace(block, details=False)
    titles = [_title(paper, numbered=block.numbered) for paper in block.papers]
    lines = [
        worded(limits, group, _spans_of(paper, limits, numbered=block.numbered), picks=picks)
        for paper, title in zip(block.papers, titles, strict=True)
        for picks in [(*_details_pick(paper, title, limits), *_picks(plain, paper, title, limits))]
    ]
    columns, cells = _columns(block), [*_cells(block, limits)]
    placed = any(paper.small_print or paper.heading for paper in block.papers)
    menus = 1 + len(block.menus)
    picked = all(len(line) == 1 and len(line[0].picks) == menus for line in lines)
    rows = as_rows(lines, columns, cells, limits) if picked and not placed else []
    yield from rows or list_pieces(block, group, limits)


def card_pieces(card: PaperCard, group: int, limits: Limits) -> Iterator[Piece]:
    """Show all about one paper; its title leads to it."""
    title = Span(cleaned(card.title), Look.BOLD, _link(card, limits))
    spans = (Span(_number(cleaned(card.number))), title) if card.number else (title,)
    yield from worded(limits, group, spans, Shape.NAME, leads=True)
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
        spans = [*_title_spans(paper, limits, numbered=block.numbered)]
        if line:
            spans.append(Span(f": {line}" if spans else line))
        picks = _picks(block, paper, title, limits)
        yield from worded(limits, group, spans, joined=True, picks=picks)
    if block.details:
        for paper, label in zip(block.papers, _labels(block.papers), strict=True):
            yield from pressed(limits, group, (_details(paper, label, beside=False),))


def _columns(block: PaperTable) -> tuple[str, ...]:
    votes = (_VOTES,) if any(paper.votes for paper in block.papers) else ()
    return (_PAPER, *map(cleaned, block.columns), *votes)


def _cells(block: PaperTable, limits: Limits) -> Iterator[tuple[Span, ...]]:
    has_votes = any(paper.votes for paper in block.papers)
    for paper, cells in zip(block.papers, block.cells, strict=True):
        title = _title(paper, numbered=block.numbered)
        votes = (f"{paper.votes:,}" if paper.votes else "",) if has_votes else ()
        others = map(Span, (*map(cleaned, cells), *votes))
        yield (Span(title, url=_link(paper, limits)), *others)


def _details_pick(paper: PaperLine, title: str, limits: Limits) -> tuple[MenuPick, ...]:
    command = storable(f"show {paper.ref}")
    if not limits.is_pickable(command):
        return ()
    return (MenuPick(_DETAILS_MENU, shorten(title, limits.longest_option).strip() or "…", command),)


def _picks(block: PaperList, paper: PaperLine, title: str, limits: Limits) -> tuple[MenuPick, ...]:
    """Return a paper's options in the menus of its list; with a ref too long for one it has none.

    It is still kept from its card, which its details are.
    """
    found = []
    for menu in block.menus:
        longest = min(menu.longest or limits.longest_option, limits.longest_option)
        command = storable(f"{menu.command} {paper.ref}")
        if limits.is_pickable(command):
            found.append(MenuPick(menu.label, shorten(title, longest).strip() or "…", command))
    return tuple(found)


@lru_cache(_KEPT)
def _options(ref: str, menus: Sequence[Menu], limits: Limits) -> tuple[MenuOption, ...]:
    """Return what the menu beside a paper offers; none where its ref is too long for one."""
    verbs = ((_DETAILS, "show"), *((menu.verb, menu.command) for menu in menus), _RELATED)
    options = [(verb, storable(f"{command} {ref}")) for verb, command in verbs]
    if not all(limits.is_pickable(command) for _, command in options):
        return ()
    payload, around = limits.payload, limits.costs.option.payload
    return tuple(
        MenuOption(verb, command, around + payload.of(verb) + payload.of(command))
        for verb, command in options
    )


def _spans_of(paper: PaperLine, limits: Limits, *, numbered: bool) -> list[Span]:
    spans = [*_title_spans(paper, limits, numbered=numbered)]
    return spans + _rows_below(paper, begun=bool(spans))


def _title(paper: PaperLine, *, numbered: bool) -> str:
    number = _number(cleaned(paper.number)) if numbered else ""
    return f"{number}{cleaned(paper.title)}"


def _title_spans(paper: PaperLine, limits: Limits, *, numbered: bool) -> Iterator[Span]:
    """Give a number and the title behind it, which leads to the paper."""
    number = _number(cleaned(paper.number)) if numbered else ""
    if number:
        yield Span(number)
    if title := cleaned(paper.title):
        yield Span(title, Look.BOLD, _link(paper, limits))


def _votes(paper: PaperLine) -> str:
    return count(paper.votes, "vote") if paper.votes else ""


def _rows_below(paper: PaperLine, *, begun: bool) -> list[Span]:
    """Return the rows below the title of a paper; its votes stand at the end of the last."""
    line, place = cleaned(paper.line or ""), cleaned(paper.small_print)
    if votes := _votes(paper):
        if line and not place:
            line += f"{TELLS}{votes}"
        else:
            place = f"{place}{TELLS}{votes}" if place else votes
    rows = [each for each in ((line, Look.PLAIN), (place, Look.FAINT)) if each[0]]
    return [
        Span(f"\n{text}" if begun or row else text, look) for row, (text, look) in enumerate(rows)
    ]


def _line(
    limits: Limits,
    group: int,
    spans: Sequence[Span],
    details: Button,
    picks: tuple[MenuPick, ...],
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


def _details(paper: PaperLine, label: str, *, beside: bool) -> Button:
    """Return the button to a paper, read aloud with the paper's title.

    Beside its paper it needs nothing that tells it from others.
    """
    title = shorten(cleaned(paper.title), _ALOUD)
    aloud = f"{label}: {title}" if title and TELLS not in label else label
    shown = _DETAILS if beside else label
    return Button(shown, f"show {paper.ref}", aloud="" if aloud == shown else aloud)


def _label(paper: PaperLine, telling: str = "") -> str:
    words = shorten(cleaned(telling), _TELLING)
    name = f"{_DETAILS} {shorten(cleaned(paper.number), _TELLING)}".rstrip()
    return f"{name}{TELLS}{words}" if words else name


def _link(paper: PaperLine | PaperCard, limits: Limits) -> str | None:
    return paper.url if paper.url and limits.is_linkable(paper.url) else None


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
    topics = ", ".join(mark.topic for mark in card.topics)
    return cleaned(f"Topics: {topics}") if topics else ""
