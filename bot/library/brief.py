"""Briefs: their sources, and the papers that fit their minutes. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from itertools import islice
from math import ceil

from bot.actor import Actor
from bot.replies.naming import shown_title
from store.posting.editions_to_post import EVERY_SOURCE
from store.records import Entry, Highlight, Mention, Subscription, SubscriptionState
from store.search import Filters
from store.sources import CONSENSUS, precedence

WORDS_A_MINUTE = 200
LONGEST = 60  # minutes
MOST_PAPERS = 100
_WEEK = timedelta(weeks=1)


@dataclass(frozen=True, slots=True)
class Read:
    """A paper in a brief, and how many of its highlights are shown there."""

    paper: Mention
    highlights: int

    @property
    def words(self) -> int:
        """The number of words of it that are shown."""
        shown = self.paper.entry.highlights[: self.highlights]
        return _words_beside(self.paper.entry) + sum(map(_words_of, shown))


def reading_minutes(entries: Iterable[Entry]) -> int:
    """Return how many minutes it takes to read all about some papers."""
    return minutes_for(sum(map(_words_about, entries)))


def _words_about(entry: Entry) -> int:
    """Return the number of words of a whole paper."""
    return _words_beside(entry) + sum(map(_words_of, entry.highlights))


def minutes_for(words: int) -> int:
    """Return the minutes to read so many words, rounded up."""
    return ceil(words / WORDS_A_MINUTE)


def fitted(papers: Iterable[Mention], minutes: int) -> list[Read]:
    """Return the first papers that can be read in so many minutes.

    A paper that is too long loses its last highlights; if that is not enough, it and the papers
    after it are left for the next brief. The first paper is always there.
    """
    found: list[Read] = []
    for each, room in islice(_one_by_one(papers, minutes), MOST_PAPERS):
        if room >= 0 or not found:
            found.append(each)
        if room < 0:
            break
    return found


def fitted_again(papers: Iterable[Mention], minutes: int) -> list[Read]:
    """Return all papers of an earlier brief, fitted as it was."""
    return [each for each, _ in _one_by_one(papers, minutes)]


def is_over_weeks(filters: Filters, today: date) -> bool:
    """Tell whether filters are of more days than a week; without an end it is today."""
    if filters.since is None:
        return filters.until is not None
    return (filters.until or today) - filters.since >= _WEEK


def sources_here(subscriptions: Sequence[Subscription], actor: Actor) -> tuple[str, ...] | None:
    """Return the sources that the channel of a request follows, else those of its workspace.

    `None` for all sources: without an active subscription, or with one that follows all or the
    consensus, which is made of all. `subscriptions` are those that the user may see.
    """
    active = [each for each in subscriptions if each.state is SubscriptionState.ACTIVE]
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
    """Yield each paper fitted to the room, and the words that are left after it."""
    room = minutes * WORDS_A_MINUTE
    for paper in papers:
        left, highlights = room - _words_beside(paper.entry), 0
        for highlight in paper.entry.highlights:
            if _words_of(highlight) > left:
                break
            left, highlights = left - _words_of(highlight), highlights + 1
        yield Read(paper, highlights), left
        room = left


def _words_beside(entry: Entry) -> int:
    return _words(shown_title(entry)) + _words(entry.summary)


def _words_of(highlight: Highlight) -> int:
    return _words(highlight.lead) + _words(highlight.text)


@lru_cache(2048)  # every answer with an edition counts the same texts
def _words(text: str | None) -> int:
    return len((text or "").split())
