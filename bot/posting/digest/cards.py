"""Messages of full papers: summaries and highlights, cut only if one alone is too long. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.posting.digest.cuts import (
    SMALL,
    WHOLE,
    Cut,
    at_sentence,
    cut_card,
    cut_steps,
    details_button,
)
from bot.posting.digest.filters import apply_filters, selected_entries
from bot.posting.digest.fit import Fits, richest
from bot.posting.digest.head import head, whole_edition_button
from bot.posting.digest.paper_list import numbered_title
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
# The menus below all papers, if their own buttons are too much for one message.
_MENUS = (None, POST_MENUS, short_menus(POST_MENUS), short_menus(SAVE_MENUS), ())
_OVERVIEWS = (_ALL, 2_000, 1_200, 700, 400, 200, 0)  # characters


@dataclass(frozen=True, slots=True)
class Page:
    """The content of one message: entries in order, and the refs of entries that are gone.

    The page that `opens` its post has the head of the post.
    """

    entries: tuple[Entry, ...] = ()
    gone: tuple[str, ...] = ()
    opens: bool = False


@dataclass(frozen=True, slots=True)
class _Fullness:
    """The fullness of a message: characters of the overview, and a cut of each paper.

    `menus` are below all papers; with `None` each paper has its own buttons.
    """

    overview: int = _ALL
    cut: Cut = WHOLE
    menus: tuple[Menu, ...] | None = None


def lay_out_page(edition: Edition, subscription: Subscription, page: Page, fits: Fits) -> Reply:
    """Lay a page out as a message that fits; cut the overview first, then all papers alike."""
    return _reply(edition, subscription, page, _fullest(edition, subscription, page, fits))


def pages(
    edition: Edition, subscription: Subscription, entries: Sequence[Entry], fits: Fits
) -> list[Page]:
    """Split entries over pages: as many whole ones on each as fit, or one that is cut.

    The first page opens the post; it has no entries if its head leaves no room.
    """
    split = [Page(opens=True)]
    fullness = _fullest(edition, subscription, split[0], fits)
    for entry in entries:
        longer = Page((*split[-1].entries, entry), opens=split[-1].opens)
        if fits(_reply(edition, subscription, longer, fullness)):
            split[-1] = longer
        else:
            split.append(Page((entry,)))
    return split


def _fullest(edition: Edition, subscription: Subscription, page: Page, fits: Fits) -> _Fullness:
    def holds(fullness: _Fullness) -> bool:
        return fits(_reply(edition, subscription, page, fullness))

    if holds(_Fullness()):
        return _Fullness()
    small = _Fullness(_OVERVIEWS[-1], SMALL)
    some = (menus for menus in _MENUS if holds(replace(small, menus=menus)))
    menus = next(some, _MENUS[-1])
    return richest([replace(step, menus=menus) for step in _steps(edition, page)], holds)


def _steps(edition: Edition, page: Page) -> list[_Fullness]:
    """Return the fullnesses to try, the fullest first."""
    overviews = _OVERVIEWS if page.opens and edition.overview else (_ALL,)
    highlights = max((len(entry.highlights) for entry in page.entries), default=0)
    papers = cut_steps(highlights)[1:] if page.entries else ()
    steps = [_Fullness(overview) for overview in overviews]
    return [*steps, *(_Fullness(overviews[-1], cut) for cut in papers)]


def _reply(edition: Edition, subscription: Subscription, page: Page, fullness: _Fullness) -> Reply:
    blocks: list[Block] = []
    if page.opens:
        blocks += _opening(edition, subscription, fullness.overview)
    for ref in page.gone:
        blocks.append(Notice(Level.INFO, f"{_name(edition, ref)} is no longer in this edition."))
    for entry in page.entries:
        card = _card(edition, entry)
        blocks += cut_card(card, entry, fullness.cut)
        if fullness.menus is None:
            blocks.append(post_actions(card, details_button(entry)))
    if fullness.menus is not None and page.entries:
        blocks += _below_all(page.entries, fullness.menus)
    if page.opens and _is_partial(edition, subscription, fullness.overview):
        blocks.append(Actions((whole_edition_button(edition),)))
    return Reply(tuple(blocks), Visibility.CHANNEL)


def _below_all(entries: Sequence[Entry], menus: tuple[Menu, ...]) -> Iterator[Block]:
    yield Actions(tuple(map(details_button, entries)))
    yield from paper_choices(
        menus, [(numbered_title(paper_line(entry)), entry.ref) for entry in entries]
    )


def _card(edition: Edition, entry: Entry) -> PaperCard:
    """Return a card without the evidence for its topics, which the details show."""
    card = paper_card(edition, entry)
    return replace(card, topics=tuple(TopicMark(mark.topic) for mark in card.topics))


def _opening(edition: Edition, subscription: Subscription, longest: int) -> Iterator[Block]:
    yield from head(edition, subscription, apply_filters(edition, subscription))
    overview = at_sentence(edition.overview or "", longest)
    if overview:
        yield Text(overview)


def _is_partial(edition: Edition, subscription: Subscription, overview: int) -> bool:
    """Tell whether the post leaves out papers or a part of the overview."""
    papers = len(selected_entries(edition, subscription)) < len(edition.entries)
    return papers or len(edition.overview or "") > overview


def _name(edition: Edition, ref: str) -> str:
    """Return the name of an entry by its ref: `Number 3`, else its episode or arXiv id.

    In the consensus, where its number may have been another one, that is the whole ref.
    """
    if edition.source == CONSENSUS:
        return ref
    _, hash_sign, rank = ref.partition("#")
    return f"Number {rank}" if hash_sign else ref.rpartition(":")[2]
