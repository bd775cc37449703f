"""Messages of papers in full: summaries and highlights, cut only where one alone is too long.

Pure.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.posting.digest.cutting import SMALL, WHOLE, Cut, at_sentence, cut_card, cuts, details
from bot.posting.digest.filters import judged, kept
from bot.posting.digest.fitting import Fits, richest
from bot.posting.digest.head import head, whole_edition
from bot.posting.digest.listing import titled
from bot.replies.blocks import (
    Actions,
    Block,
    Level,
    Menu,
    Notice,
    PaperCard,
    Reply,
    Text,
    TopicMark,
    Visibility,
)
from bot.replies.paper_actions import (
    POST_MENUS,
    SAVE_MENUS,
    paper_choices,
    post_actions,
    short_menus,
)
from bot.replies.papers import paper_card, paper_line
from store.records import Edition, Entry, Subscription
from store.sources import CONSENSUS

_ALL = 1_000_000
# What stands below papers, where their own buttons are too much for one message.
_MENUS = (None, POST_MENUS, short_menus(POST_MENUS), short_menus(SAVE_MENUS), ())
_OVERVIEWS = (_ALL, 2_000, 1_200, 700, 400, 200, 0)  # characters


@dataclass(frozen=True, slots=True)
class Page:
    """What one message shows: entries in order, and the refs of what is no longer one.

    `opens` where it is the first of its post, and has the head of that.
    """

    entries: tuple[Entry, ...] = ()
    gone: tuple[str, ...] = ()
    opens: bool = False


@dataclass(frozen=True, slots=True)
class _Fullness:
    """How much a message says: so many characters of the overview, and of each paper a cut.

    `menus` are those below all papers, `None` where each has its buttons below it.
    """

    overview: int = _ALL
    cut: Cut = WHOLE
    menus: tuple[Menu, ...] | None = None


def laid_out(edition: Edition, order: Subscription, page: Page, fits: Fits) -> Reply:
    """Return a page as a message that fits; the overview is cut first, then all papers alike."""
    return _reply(edition, order, page, _fullest(edition, order, page, fits))


def pages(
    edition: Edition, order: Subscription, entries: Sequence[Entry], fits: Fits
) -> list[Page]:
    """Split entries over pages: as many whole ones on each as fit, or one that does not.

    The first page opens the post; it has no entries where its head leaves room for none.
    """
    found = [Page(opens=True)]
    beside = _fullest(edition, order, found[0], fits)
    for entry in entries:
        longer = Page((*found[-1].entries, entry), opens=found[-1].opens)
        if fits(_reply(edition, order, longer, beside)):
            found[-1] = longer
        else:
            found.append(Page((entry,)))
    return found


def _fullest(edition: Edition, order: Subscription, page: Page, fits: Fits) -> _Fullness:
    def holds(fullness: _Fullness) -> bool:
        return fits(_reply(edition, order, page, fullness))

    if holds(_Fullness()):
        return _Fullness()
    small = _Fullness(_OVERVIEWS[-1], SMALL)
    some = (menus for menus in _MENUS if holds(replace(small, menus=menus)))
    menus = next(some, _MENUS[-1])
    return richest([replace(step, menus=menus) for step in _steps(edition, page)], holds)


def _steps(edition: Edition, page: Page) -> list[_Fullness]:
    """Return how full a page may be, the fullest first."""
    overviews = _OVERVIEWS if page.opens and edition.overview else (_ALL,)
    highlights = max((len(entry.highlights) for entry in page.entries), default=0)
    papers = cuts(highlights)[1:] if page.entries else ()
    steps = [_Fullness(overview) for overview in overviews]
    return [*steps, *(_Fullness(overviews[-1], cut) for cut in papers)]


def _reply(edition: Edition, order: Subscription, page: Page, fullness: _Fullness) -> Reply:
    blocks: list[Block] = []
    if page.opens:
        blocks += _opening(edition, order, fullness.overview)
    for ref in page.gone:
        blocks.append(Notice(Level.INFO, f"{_name(edition, ref)} is no longer in this edition."))
    for entry in page.entries:
        card = _card(edition, entry)
        blocks += cut_card(card, entry, fullness.cut)
        if fullness.menus is None:
            blocks.append(post_actions(card, details(entry)))
    if fullness.menus is not None and page.entries:
        blocks += _below_all(page.entries, fullness.menus)
    if page.opens and _is_partial(edition, order, fullness.overview):
        blocks.append(Actions((whole_edition(edition),)))
    return Reply(tuple(blocks), Visibility.CHANNEL)


def _below_all(entries: Sequence[Entry], menus: tuple[Menu, ...]) -> Iterator[Block]:
    yield Actions(tuple(map(details, entries)))
    yield from paper_choices(menus, [(titled(paper_line(entry)), entry.ref) for entry in entries])


def _card(edition: Edition, entry: Entry) -> PaperCard:
    """Show a paper without the words that speak for its topics: who asks for details sees them."""
    card = paper_card(edition, entry)
    return replace(card, topics=tuple(TopicMark(mark.topic) for mark in card.topics))


def _opening(edition: Edition, order: Subscription, longest: int) -> Iterator[Block]:
    yield from head(edition, order, judged(edition, order))
    overview = at_sentence(edition.overview or "", longest)
    if overview:
        yield Text(overview)


def _is_partial(edition: Edition, order: Subscription, overview: int) -> bool:
    """Tell whether the post leaves out papers of the edition, or some of its overview."""
    papers = len(kept(edition, order)) < len(edition.entries)
    return papers or len(edition.overview or "") > overview


def _name(edition: Edition, ref: str) -> str:
    """Name an entry by its ref alone: `Number 3`, else its episode or arXiv id.

    In the consensus, where it stood under another number, it has its whole ref.
    """
    if edition.source == CONSENSUS:
        return ref
    _, hash_sign, rank = ref.partition("#")
    return f"Number {rank}" if hash_sign else ref.rpartition(":")[2]
