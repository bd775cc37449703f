"""A whole post as a list in one message: titles, with or without a line on each. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.posting.digest.filters import apply_filters, head, whole_edition_button
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

# Tells whether one message holds a reply.
Fits = Callable[[Reply], bool]

_WHOLE = 10_000


@dataclass(frozen=True, slots=True)
class _Rung:
    """The listed extent of each paper, in characters; `line` 0 leaves its line out.

    With `beside` each Details button is beside its paper, which takes room, else below the list;
    without `details` there is none. `menus` are the papers' menus.
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
# Titles are cut last, when only the whole edition has buttons; no paper is ever left out.
_CUT = (
    _Rung(0, 100, beside=False),
    *(_Rung(0, title, beside=False, details=False) for title in (_WHOLE, 100, 60, 40, 25, 12)),
)


def _with(menus: tuple[Menu, ...], *rungs: _Rung) -> tuple[_Rung, ...]:
    return tuple(replace(rung, menus=menus) for rung in rungs)


# From the richest down. Votes go before lines are shortened; menus to save papers go before lines.
_MENUS = (POST_MENUS, short_menus(POST_MENUS), short_menus(SAVE_MENUS))
_ONLY_TITLES = (
    *(rung for menus in _MENUS for rung in _with(menus, *_TITLED)),
    *_TITLED, *_CUT,
)  # fmt: skip
_WITH_LINES = (
    *(rung for menus in _MENUS for rung in _with(menus, *_LINED)),
    *_with(short_menus(SAVE_MENUS), *_SHORTER), *_LINED, *_SHORTER, *_ONLY_TITLES,
)  # fmt: skip


def lay_out_list(edition: Edition, subscription: Subscription, fits: Fits, *, lined: bool) -> Reply:
    """Lay the selected papers of an edition out as one message, the richest that fits.

    With `lined` each paper has a line, as far as there is room.
    """
    rungs = _WITH_LINES if lined else _ONLY_TITLES
    replies = (_listed(edition, subscription, rung) for rung in rungs)
    fitting = next(filter(fits, replies), None)
    return fitting or _listed(edition, subscription, rungs[-1])


def without_line(paper: PaperLine) -> PaperLine:
    """Return a list entry with its title alone."""
    return replace(paper, line=None)


def numbered_title(paper: PaperLine) -> str:
    """Return a title after its number: `3. Title`, `E162 · Title`."""
    sign = ". " if paper.number.isdecimal() else " · "
    return f"{paper.number}{sign}{paper.title}"


def _listed(edition: Edition, subscription: Subscription, rung: _Rung) -> Reply:
    verdicts = apply_filters(edition, subscription)
    entries = [verdict.entry for verdict in verdicts if verdict.reason is None]
    blocks: list[Block] = [*head(edition, subscription, verdicts)]
    if rung.overview and edition.overview:
        blocks.append(Text(edition.overview))
    if entries:
        blocks.append(_papers(entries, rung))
    else:
        blocks.append(Notice(Level.INFO, "None of its papers is wanted here any more."))
    if len(entries) < len(verdicts) or not rung.details or (edition.overview and not rung.overview):
        blocks.append(Actions((whole_edition_button(edition),)))
    return Reply(tuple(blocks), Visibility.CHANNEL)


def _papers(entries: Sequence[Entry], rung: _Rung) -> PaperList:
    papers = tuple(
        _cut(replace(paper_line(entry), number=entry.episode or str(place)), rung)
        for place, entry in enumerate(entries, start=1)
    )
    return PaperList(
        papers,
        menus=rung.menus,
        close=not rung.beside,
        details=rung.details,
        shares_menus=True,
    )


def _cut(paper: PaperLine, rung: _Rung) -> PaperLine:
    line = shorten(paper.line, rung.line) if paper.line and rung.line else None
    return replace(paper, title=shorten(paper.title, rung.title), line=line)
