"""A whole post as a list in one message: titles, each with one line or none. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.posting.digest.filters import judged
from bot.posting.digest.fitting import Fits, first_fitting
from bot.posting.digest.head import head, whole_edition
from bot.replies.blocks import (
    Actions,
    Block,
    Level,
    Menu,
    Notice,
    PaperLine,
    PaperList,
    Reply,
    Text,
    Visibility,
)
from bot.replies.paper_actions import POST_MENUS, SAVE_MENUS, short_menus
from bot.replies.papers import paper_line
from bot.replies.wording import shorten
from store.records import Edition, Entry, Subscription

_WHOLE = 10_000


@dataclass(frozen=True, slots=True)
class _Rung:
    """How much of each paper is listed, in characters; `line` 0 leaves its line out.

    `beside` puts each Details button beside its paper, which takes room; else all stand below,
    or without `details` nowhere. `menus` are those of the papers.
    """

    line: int
    title: int = _WHOLE
    beside: bool = True
    details: bool = True
    overview: bool = False
    menus: tuple[Menu, ...] = ()


# From the richest down.
_LINED = (
    _Rung(160, overview=True), _Rung(160), _Rung(100),
    _Rung(160, beside=False, overview=True), _Rung(160, beside=False), _Rung(100, beside=False),
)  # fmt: skip
_SHORTER = (_Rung(60), _Rung(60, beside=False))
_TITLED = (
    _Rung(0, overview=True),
    _Rung(0),
    _Rung(0, beside=False, overview=True),
    _Rung(0, beside=False),
)
# Titles are cut last, when the whole edition has the buttons of all, and no paper ever goes.
_CUT = (
    _Rung(0, 100, beside=False),
    *(_Rung(0, title, beside=False, details=False) for title in (_WHOLE, 100, 60, 40, 25, 12)),
)


def _with(menus: tuple[Menu, ...], *rungs: _Rung) -> tuple[_Rung, ...]:
    return tuple(replace(rung, menus=menus) for rung in rungs)


# From the most down. Votes go before lines get shorter, and no line goes for what keeps papers.
_MENUS = (POST_MENUS, short_menus(POST_MENUS), short_menus(SAVE_MENUS))
_ONLY_TITLES = (
    *(rung for menus in _MENUS for rung in _with(menus, *_TITLED)),
    *_TITLED, *_CUT,
)  # fmt: skip
_WITH_LINES = (
    *(rung for menus in _MENUS for rung in _with(menus, *_LINED)),
    *_with(short_menus(SAVE_MENUS), *_SHORTER), *_LINED, *_SHORTER, *_ONLY_TITLES,
)  # fmt: skip


def listing(edition: Edition, order: Subscription, fits: Fits, *, lined: bool) -> Reply:
    """Return the papers of an edition that an order wants as one message that fits.

    Args:
        edition: what they are of.
        order: whose filters choose them.
        fits: tells whether one message holds a reply.
        lined: whether there is a line on each, as far as there is room.
    """
    rungs = _WITH_LINES if lined else _ONLY_TITLES
    return first_fitting((_listed(edition, order, rung) for rung in rungs), fits)


def without_line(paper: PaperLine) -> PaperLine:
    """Return a paper in a list by its title alone."""
    return replace(paper, line=None)


def titled(paper: PaperLine) -> str:
    """Return the title of a paper after its number: `3. Title`, `E162 · Title`."""
    sign = ". " if paper.number.isdecimal() else " · "
    return f"{paper.number}{sign}{paper.title}"


def _listed(edition: Edition, order: Subscription, rung: _Rung) -> Reply:
    verdicts = judged(edition, order)
    entries = [verdict.entry for verdict in verdicts if verdict.reason is None]
    blocks: list[Block] = [*head(edition, order, verdicts)]
    if rung.overview and edition.overview:
        blocks.append(Text(edition.overview))
    if entries:
        blocks.append(_papers(entries, rung))
    else:
        blocks.append(Notice(Level.INFO, "None of its papers is wanted here any more."))
    if len(entries) < len(verdicts) or not rung.details or (edition.overview and not rung.overview):
        blocks.append(Actions((whole_edition(edition),)))
    return Reply(tuple(blocks), Visibility.CHANNEL)


def _papers(entries: Sequence[Entry], rung: _Rung) -> PaperList:
    papers = tuple(_cut(paper_line(entry), rung) for entry in entries)
    return PaperList(papers, menus=rung.menus, close=not rung.beside, details=rung.details)


def _cut(paper: PaperLine, rung: _Rung) -> PaperLine:
    line = shorten(paper.line, rung.line) if paper.line and rung.line else None
    return replace(paper, title=shorten(paper.title, rung.title), line=line)
