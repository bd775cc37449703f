"""The pages by their paths: which one a path means, and all that there are."""

import re
from collections.abc import Callable, Iterator

from adapters.web.pages import editions, papers, rankings, search, trends
from adapters.web.pages.page import Library, Moved, Page
from bot.domain.page_paths import (
    ABOUT,
    CONSENSUS,
    HOME,
    TOP,
    TOPICS,
    TRENDS,
    WEEKS,
    consensus_path,
    edition_path,
    source_path,
    top_path,
    topic_path,
    week_path,
)
from store.library import editions as stored_editions
from store.library import mentions, statistics
from store.search import EVERYTHING
from store.sources import CONSENSUS as CONSENSUS_SOURCE

_DAY, _WEEK, _SLUG = r"(\d{4}-\d{2}-\d{2})", r"(\d{4}-W\d{2})", r"([a-z0-9][a-z0-9-]{0,99})"

# The first pattern that a path matches as a whole names the function that makes its page, which
# gets the groups that matched.
_PAGES: tuple[tuple[re.Pattern[str], Callable[..., Page | Moved | None]], ...] = tuple(
    (re.compile(pattern, re.ASCII), function)
    for pattern, function in (
        (HOME, editions.home),
        (WEEKS, editions.weeks),
        (rf"{WEEKS}/(\d{{4}})", editions.weeks),
        (rf"{WEEKS}/{_WEEK}", editions.of_week),
        (rf"/editions/{_SLUG}", editions.of_source),
        (rf"/editions/{_SLUG}/{_DAY}", editions.edition),
        (r"/papers/(.{1,200})", papers.paper),
        (TOPICS, papers.topics),
        (rf"{TOPICS}/{_SLUG}", papers.topic),
        (rf"{TOPICS}/{_SLUG}/([1-9]\d{{0,4}})", papers.topic),
        (TOP, rankings.top),
        (rf"{TOP}/(\d{{4}}(?:-\d{{2}})?)", rankings.top),
        (TRENDS, trends.trends),
        (CONSENSUS, rankings.consensus),
        (rf"{CONSENSUS}/{_WEEK}", rankings.consensus),
        (ABOUT, search.about),
    )
)


def find_page(library: Library, path: str) -> Page | Moved | None:
    """Return the page at a path, or where it is now; `None` if there is none."""
    for pattern, make in _PAGES:
        if found := pattern.fullmatch(path):
            try:
                return make(library, *found.groups())
            except ValueError:  # a day or a week that no calendar has
                return None
    return None


def all_paths(library: Library) -> Iterator[str]:
    """Yield the path of every page, each once."""
    session = library.session
    yield from (HOME, WEEKS, TOPICS, TOP, TRENDS, ABOUT)
    listed = stored_editions.list_editions(session)
    merged = stored_editions.list_editions(session, CONSENSUS_SOURCE)
    yield from map(source_path, dict.fromkeys(each.source for each in listed))
    for each in (*listed, *merged):
        yield edition_path(each)
    if not merged:
        yield CONSENSUS
    for each in merged:
        yield consensus_path(stored_editions.iso_week(each.first_day, each.last_day))
    weeks = [name for name, _ in statistics.list_weeks(session)]
    yield from map(week_path, (*dict.fromkeys(name[:4] for name in weeks), *weeks))
    months = statistics.list_months(session)
    yield from map(top_path, (*dict.fromkeys(month[:4] for month in months), *months))
    for counted in statistics.topic_counts(session):
        for number in range(-(-counted.papers // papers.A_PAGE)):
            yield topic_path(counted.topic, number + 1)
    every = mentions.newest(session, EVERYTHING, statistics.count_papers(session))
    yield from library.paths(each.entry for each in every).values()
