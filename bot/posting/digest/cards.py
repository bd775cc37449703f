"""Messages of full papers: summaries and highlights, cut only if one alone is too long. Pure."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.posting.digest.filters import (
    apply_filters,
    head,
    selected_entries,
    whole_edition_button,
)
from bot.posting.digest.paper_list import Fits, numbered_title
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Level,
    Menu,
    Notice,
    PaperCard,
    Reply,
    Text,
    TopicMark,
    Visibility,
)
from bot.replies.naming import shown_title
from bot.replies.paper_actions import (
    CARD_MENUS,
    SAVE_MENUS,
    paper_choices,
    post_actions,
    short_menus,
)
from bot.replies.papers import paper_card, paper_lines
from bot.replies.wording import count, shorten
from store.records import Edition, Entry, Subscription
from store.sources import CONSENSUS

_ALL = 1_000_000
_READABLE = 3_000  # characters of a message that holds several papers: some screens of a phone
# The menus below all papers, if their own buttons are too much for one message.
_MENUS = (None, CARD_MENUS, short_menus(CARD_MENUS), short_menus(SAVE_MENUS), ())
_OVERVIEWS = (_ALL, 2_000, 1_200, 700, 400, 200, 0)  # characters
_SENTENCE_END = re.compile(r"[.!?。][\"”’)]*(?=\s)|\n\n")


@dataclass(frozen=True, slots=True)
class Cut:
    """The shown extent of a paper: numbers of highlights and links, characters of the rest.

    `small` leaves the topics out, and shortens the paper's place in its edition.
    """

    summary: int = _ALL
    highlights: int = _ALL
    links: int = _ALL
    title: int = _ALL
    small: bool = False


_WHOLE = Cut()
_FIRST = Cut(summary=1_500, links=6)
_FEW_LINKS = 2
_LONGEST_PLACE = 100
_LONGEST_TITLE = 50  # read aloud
_SMALL = Cut(150, 0, _FEW_LINKS, small=True)


@dataclass(frozen=True, slots=True)
class PostPage:
    """The content of one message: entries in order, and the refs of entries that are gone.

    The page that `opens` its post has the head of the post; `places` are those of its entries
    there, from 1.
    """

    entries: tuple[Entry, ...] = ()
    places: tuple[int, ...] = ()
    gone: tuple[str, ...] = ()
    opens: bool = False


@dataclass(frozen=True, slots=True)
class _Fullness:
    """The fullness of a message: characters of the overview, and a cut of each paper.

    `menus` are below all papers; with `None` each paper has its own buttons.
    """

    overview: int = _ALL
    cut: Cut = _WHOLE
    menus: tuple[Menu, ...] | None = None


def lay_out_page(edition: Edition, subscription: Subscription, page: PostPage, fits: Fits) -> Reply:
    """Lay a page out as a message that fits; cut the overview first, then all papers alike."""
    return _reply(edition, subscription, page, _fullest(edition, subscription, page, fits))


def pages(
    edition: Edition, subscription: Subscription, entries: Sequence[Entry], fits: Fits
) -> list[PostPage]:
    """Split entries over pages: as many whole ones on each as are read at once, or one that is cut.

    The first page opens the post; it has no entries if its head leaves no room.
    """
    split = [PostPage(opens=True)]
    fullness = _fullest(edition, subscription, split[0], fits)
    for place, entry in enumerate(entries, start=1):
        last = split[-1]
        longer = PostPage((*last.entries, entry), (*last.places, place), opens=last.opens)
        is_short = len(longer.entries) == 1 or sum(map(_length, longer.entries)) <= _READABLE
        if is_short and fits(_reply(edition, subscription, longer, fullness)):
            split[-1] = longer
        else:
            split.append(PostPage((entry,), (place,)))
    return split


def _length(entry: Entry) -> int:
    """Return how many characters of text a paper has."""
    highlights = sum(len(each.text) + len(each.lead or "") for each in entry.highlights)
    return len(entry.title) + len(entry.summary or "") + highlights


def _fullest(edition: Edition, subscription: Subscription, page: PostPage, fits: Fits) -> _Fullness:
    def holds(fullness: _Fullness) -> bool:
        return fits(_reply(edition, subscription, page, fullness))

    if holds(_Fullness()):
        return _Fullness()
    small = _Fullness(_OVERVIEWS[-1], _SMALL)
    some = (menus for menus in _MENUS if holds(replace(small, menus=menus)))
    menus = next(some, _MENUS[-1])
    steps = [replace(step, menus=menus) for step in _steps(edition, page)]
    # The first needs no note on what is left out, and may be shorter than the second. Of the others
    # each shows less than the one before.
    if holds(steps[0]):
        return steps[0]
    place = bisect_left(steps, True, key=holds)  # noqa: FBT003 - what is looked for
    return steps[min(place, len(steps) - 1)]


def _steps(edition: Edition, page: PostPage) -> list[_Fullness]:
    """Return the fullnesses to try, the fullest first."""
    overviews = _OVERVIEWS if page.opens and edition.overview else (_ALL,)
    highlights = max((len(entry.highlights) for entry in page.entries), default=0)
    papers = _cut_steps(highlights)[1:] if page.entries else ()
    steps = [_Fullness(overview) for overview in overviews]
    return [*steps, *(_Fullness(overviews[-1], cut) for cut in papers)]


def _reply(
    edition: Edition, subscription: Subscription, page: PostPage, fullness: _Fullness
) -> Reply:
    blocks: list[Block] = []
    if page.opens:
        blocks += _opening(edition, subscription, fullness.overview)
    for ref in page.gone:
        blocks.append(Notice(Level.INFO, f"{_name(edition, ref)} is no longer in this edition."))
    for entry, place in zip(page.entries, page.places, strict=True):
        card, details = _card(edition, entry, place), details_button(entry, place)
        blocks += cut_card(card, details, fullness.cut)
        if fullness.menus is None:
            blocks.append(post_actions(card, details))
    if fullness.menus is not None and page.entries:
        blocks += _below_all(page, fullness.menus)
    if page.opens and _is_partial(edition, subscription, fullness.overview):
        blocks.append(Actions((whole_edition_button(edition),)))
    return Reply(tuple(blocks), Visibility.CHANNEL)


def _below_all(page: PostPage, menus: tuple[Menu, ...]) -> Iterator[Block]:
    yield Actions(tuple(map(details_button, page.entries, page.places)))
    lines = [
        replace(line, number=str(place))
        for line, place in zip(paper_lines(page.entries), page.places, strict=True)
    ]
    yield from paper_choices(menus, [(numbered_title(line), line.ref) for line in lines])


def _card(edition: Edition, entry: Entry, place: int) -> PaperCard:
    """Return a card without the evidence for its topics, which the details show."""
    card = replace(paper_card(edition, entry), number=str(place))
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


def _cut_steps(highlights: int) -> tuple[Cut, ...]:
    """Return the cuts to try on papers with at most so many highlights, the lightest first."""
    fewer = (replace(_FIRST, highlights=most) for most in range(highlights, -1, -1))
    shorter = (replace(_FIRST, summary=length, highlights=0) for length in (1000, 700, 500, 300))
    least = (Cut(0, 0, 0, title, small=True) for title in (200, 100, 60, 30, 15))
    return (_WHOLE, *fewer, *shorter, _SMALL, *least)


def details_button(entry: Entry, place: int) -> Button:
    """Return the button to all about a paper, named by its place in an answer or a post."""
    label = f"Details {place}"
    aloud = f"{label}: {shorten(shown_title(entry), _LONGEST_TITLE)}"
    return Button(label, f"show {entry.ref}", aloud=aloud)


def cut_card(card: PaperCard, details: Button, cut: Cut) -> tuple[Block, ...]:
    """Return a shortened card, and below it a line on what is left out and which button has it."""
    shown = replace(
        card,
        title=shorten(card.title, cut.title),
        where=shorten(card.where, _LONGEST_PLACE) if cut.small else card.where,
        summary=at_sentence(card.summary or "", cut.summary) or None,
        highlights=card.highlights[: cut.highlights],
        links=card.links[: cut.links],
        topics=() if cut.small else card.topics,
    )
    left = _left_out(card, shown)
    if not left:
        return (shown,)
    return shown, Text(f"Left out: {', '.join(left)}; {details.label} has all.")


def at_sentence(text: str, longest: int) -> str:
    """Shorten a text that is too long after a sentence, or after a word."""
    if len(text) <= longest:
        return text
    if not longest:
        return ""
    ends = [found.end() for found in _SENTENCE_END.finditer(text, 0, longest - 1)]
    if ends and ends[-1] > longest // 2:
        return f"{text[: ends[-1]].rstrip()} …"
    return shorten(text, longest)


def _left_out(card: PaperCard, shown: PaperCard) -> list[str]:
    highlights = len(card.highlights) - len(shown.highlights)
    links = len(card.links) - len(shown.links)
    left = {
        "the end of its title": shown.title != card.title,
        "its summary": card.summary and not shown.summary,
        "the end of its summary": shown.summary and shown.summary != card.summary,
        _of(highlights, len(card.highlights), "highlight"): highlights,
        _of(links, len(card.links), "link"): links,
        "its topics": shown.topics != card.topics,
    }
    return [words for words, is_left in left.items() if is_left]


def _of(left: int, of: int, noun: str) -> str:
    return count(left, noun) if left == of else f"{left} of {count(of, noun)}"
