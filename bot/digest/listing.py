"""A whole post as a list in one message: titles, each with one line or none. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.digest.cutting import details
from bot.digest.filters import judged
from bot.digest.fitting import Fits, first_fitting
from bot.digest.head import head, whole_edition
from bot.replies import (
    Actions,
    Block,
    Fields,
    Level,
    Notice,
    PaperLine,
    PaperList,
    Reply,
    Text,
    Visibility,
)
from bot.views.editions import paper_line
from bot.wording import shorten
from store.records import Edition, Entry, Subscription

_WHOLE = 10_000


@dataclass(frozen=True, slots=True)
class _Rung:
    """How much of each paper is listed, in characters; `line` 0 leaves its line out.

    `beside` puts each Details button beside its paper, which takes room; else all stand below,
    or without `details` nowhere.
    """

    line: int
    title: int = _WHOLE
    beside: bool = True
    details: bool = True
    overview: bool = False


# From the richest down. Titles are cut last, when the whole edition has the buttons of all, and
# no paper ever goes.
_LINED = (
    _Rung(160, overview=True), _Rung(160), _Rung(100), _Rung(60),
    _Rung(160, beside=False, overview=True), _Rung(160, beside=False),
    _Rung(100, beside=False), _Rung(60, beside=False),
)  # fmt: skip
_TITLED = (
    _Rung(0, overview=True), _Rung(0),
    _Rung(0, beside=False, overview=True), _Rung(0, beside=False),
    _Rung(0, 100, beside=False),
    *(_Rung(0, title, beside=False, details=False) for title in (_WHOLE, 100, 60, 40, 25, 12)),
)  # fmt: skip


def listing(edition: Edition, order: Subscription, fits: Fits, *, lined: bool) -> Reply:
    """Return the papers of an edition that an order wants as one message that fits.

    Args:
        edition: what they are of.
        order: whose filters choose them.
        fits: tells whether one message holds a reply.
        lined: whether there is a line on each, as far as there is room.
    """
    rungs = (*_LINED, *_TITLED) if lined else _TITLED
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
    if not entries:
        blocks.append(Notice(Level.INFO, "None of its papers is wanted here any more."))
    blocks += _papers(entries, rung)
    if len(entries) < len(verdicts) or not rung.details or (edition.overview and not rung.overview):
        blocks.append(Actions((whole_edition(edition),)))
    return Reply(tuple(blocks), Visibility.CHANNEL)


def _papers(entries: Sequence[Entry], rung: _Rung) -> Iterator[Block]:
    papers = tuple(_cut(paper_line(entry), rung) for entry in entries)
    if rung.beside:
        yield PaperList(papers)
        return
    yield Fields(tuple((titled(paper), paper.line or "") for paper in papers))
    if rung.details:
        yield Actions(tuple(map(details, entries)))


def _cut(paper: PaperLine, rung: _Rung) -> PaperLine:
    line = shorten(paper.line, rung.line) if paper.line and rung.line else None
    return replace(paper, title=shorten(paper.title, rung.title), line=line)
