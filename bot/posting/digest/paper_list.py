"""A whole post as a list in one message: the first papers with a line each, all titles. Pure."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from bot.posting.digest.filters import apply_filters, head, whole_edition_button
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Level,
    Menu,
    Notice,
    PaperLine,
    PaperList,
    Reply,
    Text,
    Visibility,
)
from bot.replies.one_lines import LINE_LENGTH
from bot.replies.paper_actions import OPEN_AND_SAVE_MENUS, POST_MENUS, short_menus
from bot.replies.papers import paper_lines
from bot.replies.wording import shorten
from store.records import Edition, Entry, Subscription

# Tells whether one message holds a reply.
Fits = Callable[[Reply], bool]

_LEADING = 3  # papers that have a line and their topics
WHOLE = 10_000  # characters of a title, which no title has
_BRIEF = Button("Brief", "brief")


@dataclass(frozen=True, slots=True)
class Rung:
    """The listed extent of each paper, in characters; `line` 0 leaves lines out.

    The `richest` has what goes first: the overview, or what stands beside each paper.
    """

    line: int = LINE_LENGTH
    title: int = WHOLE
    richest: bool = False
    menus: tuple[Menu, ...] = ()


_SHORT_MENUS = short_menus(POST_MENUS)
_FEW_MENUS = short_menus(OPEN_AND_SAVE_MENUS)
# From the richest down: the overview goes first, then votes, lines and menus. Titles are cut last,
# and no paper is ever left out.
_RUNGS = (
    Rung(richest=True, menus=POST_MENUS), Rung(menus=POST_MENUS), Rung(menus=_SHORT_MENUS),
    Rung(80, menus=_FEW_MENUS), Rung(50, menus=_FEW_MENUS), Rung(0, menus=_FEW_MENUS),
    *(Rung(0, title) for title in (WHOLE, 100, 60, 40, 25, 12)),
)  # fmt: skip


def lay_out_list(edition: Edition, subscription: Subscription, fits: Fits) -> Reply:
    """Lay the selected papers of an edition out as one message, the richest that fits."""
    return first_fitting((_listed(edition, subscription, rung) for rung in _RUNGS), fits)


def first_fitting(replies: Iterable[Reply], fits: Fits) -> Reply:
    """Return the first of some replies, from the richest down, that fits, else the last."""
    reply = Reply(())
    for reply in replies:
        if fits(reply):
            break
    return reply


def without_line(paper: PaperLine) -> PaperLine:
    """Return a list entry with its title alone."""
    return replace(paper, line=None, topics=())


def numbered_title(paper: PaperLine) -> str:
    """Return a title after its number: `3. Title`, `E162 · Title`."""
    sign = ". " if paper.number.isdecimal() else " · "
    return f"{paper.number}{sign}{paper.title}"


def _listed(edition: Edition, subscription: Subscription, rung: Rung) -> Reply:
    verdicts = apply_filters(edition, subscription)
    entries = [verdict.entry for verdict in verdicts if verdict.reason is None]
    blocks: list[Block] = [*head(edition, subscription, verdicts)]
    if rung.richest and edition.overview:
        blocks.append(Text(edition.overview))
    if entries:
        blocks += _papers(entries, rung)
    else:
        blocks.append(Notice(Level.INFO, "None of its papers is wanted here any more."))
    partial = len(entries) < len(verdicts) or not rung.menus
    whole = partial or bool(edition.overview and not rung.richest)
    blocks.append(Actions((_BRIEF, whole_edition_button(edition)) if whole else (_BRIEF,)))
    return Reply(tuple(blocks), Visibility.CHANNEL)


def _papers(entries: Sequence[Entry], rung: Rung) -> Iterator[PaperList]:
    """List the first papers with a line and their topics, and the others close by their titles.

    Without lines all are close.
    """
    lines = paper_lines(entries, length=rung.line or LINE_LENGTH)
    papers = [
        replace(line, number=str(place), title=shorten(line.title, rung.title))
        for place, line in enumerate(lines, start=1)
    ]
    led = _LEADING if rung.line else 0
    leading, others = papers[:led], map(without_line, papers[led:])
    for listed, close in ((leading, False), (others, True)):
        if papers_listed := tuple(listed):
            yield PaperList(papers_listed, menus=rung.menus, close=close, details=False)
