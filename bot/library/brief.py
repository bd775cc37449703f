"""Briefs: whose papers are in one, and how many of them are read in some minutes. All pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from bot.actor import Actor
from bot.replies.wording import marked_title
from store.posting.editions_to_post import EVERY_SOURCE
from store.records import Highlight, Mention, Subscription, SubscriptionState
from store.sources import CONSENSUS, precedence

WORDS_A_MINUTE = 200
LONGEST = 60  # minutes
# Nobody looks through more at once, also where there is next to nothing to read of each.
MOST_PAPERS = 100


@dataclass(frozen=True, slots=True)
class Read:
    """A paper in a brief, and how many of its highlights are shown there."""

    paper: Mention
    highlights: int

    @property
    def words(self) -> int:
        """How many words of it are shown."""
        shown = self.paper.entry.highlights[: self.highlights]
        return _words_beside(self.paper) + sum(map(_words_of, shown))


def words_of(paper: Mention) -> int:
    """Return how many words of a paper a brief shows where there is room for all of them."""
    return Read(paper, len(paper.entry.highlights)).words


def minutes_for(words: int) -> int:
    """Return in how many minutes words are read, rounded up."""
    return ceil(words / WORDS_A_MINUTE)


def fitted(papers: Iterable[Mention], minutes: int) -> list[Read]:
    """Return the first of some papers, as far as they are read in so many minutes.

    One that is too long has its last highlights left out; where that does not help, it and what
    comes after it is left for the next brief. The first is there even if it alone takes longer.
    """
    found: list[Read] = []
    for each, room in _one_by_one(papers, minutes):
        if found and room < 0:
            break
        found.append(each)
        if room < 0 or len(found) == MOST_PAPERS:
            break
    return found


def fitted_again(papers: Iterable[Mention], minutes: int) -> list[Read]:
    """Return all papers of a brief as it showed them, also where some have grown since."""
    return [each for each, _ in _one_by_one(papers, minutes)]


def sources_here(orders: Sequence[Subscription], actor: Actor) -> tuple[str, ...] | None:
    """Return the sources that the channel asked in follows, else those of the workspace.

    `None` are all: where no order is carried out, where one follows all, and where one follows the
    consensus, which is made of all.

    Args:
        orders: those of the workspace that the asker may know of.
        actor: who asks, and where.
    """
    active = [each for each in orders if each.state is SubscriptionState.ACTIVE]
    of_place = (
        [each for each in active if place and each.channel.external_id == place]
        for place in (actor.channel, actor.parent)
    )
    here = next(filter(None, of_place), active)
    found = {slug for each in here for slug in each.sources}
    if not found or found & {EVERY_SOURCE, CONSENSUS}:
        return None
    return tuple(sorted(found, key=precedence))


def _one_by_one(papers: Iterable[Mention], minutes: int) -> Iterator[tuple[Read, int]]:
    """Yield each paper as far as there is room, and for how many words there still is after it."""
    room = minutes * WORDS_A_MINUTE
    for paper in papers:
        left, highlights = room - _words_beside(paper), 0
        for highlight in paper.entry.highlights:
            if _words_of(highlight) > left:
                break
            left, highlights = left - _words_of(highlight), highlights + 1
        yield Read(paper, highlights), left
        room = left


def _words_beside(paper: Mention) -> int:
    return _words(marked_title(paper.entry)) + _words(paper.entry.summary)


def _words_of(highlight: Highlight) -> int:
    return _words(highlight.lead) + _words(highlight.text)


def _words(text: str | None) -> int:
    return len((text or "").split())
