"""The pages by their paths: which one a path means, and all that there are."""

import re
from collections.abc import Callable, Iterator

from adapters.web.pages import editions, papers, rankings, search, trends
from adapters.web.pages.page import Library, Moved, PageFacts
from bot.domain.long_lists import A_PAGE
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
    numbered,
    source_path,
    top_path,
    topic_path,
    week_path,
)
from store.library import editions as stored_editions
from store.library import mentions, statistics
from store.search import EVERYTHING
from store.sources import CONSENSUS as CONSENSUS_SOURCE

_PAGE = r"(?:/([1-9]\d{0,3}))?"  # the number of one of several
_DAY, _WEEK, _SLUG = r"(\d{4}-\d{2}-\d{2})", r"(\d{4}-W\d{2})", r"([a-z0-9][a-z0-9-]{0,99})"

# The first pattern that a path matches as a whole names the function that makes its page, which
# gets the groups that matched.
_PAGES: tuple[tuple[re.Pattern[str], Callable[..., PageFacts | Moved | None]], ...] = tuple(
    (re.compile(pattern, re.ASCII), function)
    for pattern, function in (
        (HOME, editions.home),
        (rf"{WEEKS}(?:/(\d{{4}}))?", editions.weeks),
        (rf"{WEEKS}/{_WEEK}{_PAGE}", editions.of_week),
        (rf"{WEEKS}/(\d{{4}}-?[Ww]\d{{1,2}}|\d{{4}}-\d\d-\d\d)", editions.week_written_otherwise),
        (rf"/editions/{_SLUG}{_PAGE}", editions.of_source),
        (rf"/editions/{_SLUG}/{_DAY}{_PAGE}", editions.edition),
        (r"/papers/(.{1,200})", papers.paper),
        (TOPICS, papers.topics),
        (rf"{TOPICS}/{_SLUG}{_PAGE}", papers.topic),
        (rf"{TOP}(?:/(\d{{4}}(?:-\d{{2}})?))?", rankings.top),
        (TRENDS, trends.trends),
        (rf"{CONSENSUS}(?:/{_WEEK})?", rankings.consensus),
        (ABOUT, search.about),
    )
)


def find_page(library: Library, path: str) -> PageFacts | Moved | None:
    """Return the page at a path, or where it is now; `None` if there is none.

    A page that was asked for at another path than its own, such as `/editions/dair/1`, has moved.
    """
    for pattern, make in _PAGES:
        if named := pattern.fullmatch(path):
            try:
                found = make(library, *named.groups())
            except ValueError:  # a day or a week that no calendar has
                return None
            if isinstance(found, PageFacts) and found.path != path:
                return Moved(found.path)
            return found
    return None


def all_paths(library: Library) -> Iterator[str]:
    """Yield the path of every page, each once."""
    session = library.session
    yield from (HOME, WEEKS, TOPICS, TOP, TRENDS, ABOUT)
    yield from _paths_of_editions(library)
    weeks = [name for name, _ in statistics.list_weeks(session, library.day)]
    yield from map(week_path, dict.fromkeys(name[:4] for name in weeks))
    for name in weeks:
        yield from _pages(week_path(name), editions.count_week_pages(library, name))
    months = statistics.list_months(session, library.day)
    yield from map(top_path, (*dict.fromkeys(month[:4] for month in months), *months))
    for counted in statistics.topic_counts(session):
        yield from _pages(topic_path(counted.topic), -(-counted.papers // A_PAGE))
    every = mentions.newest(session, EVERYTHING, library.day, statistics.count_papers(session))
    often = mentions.named_often(session, papers.FEW)
    for paper, path in library.paths(each.entry for each in every).items():
        yield from _pages(path, papers.count_pages(library, paper) if paper in often else 1)


def _paths_of_editions(library: Library) -> Iterator[str]:
    listed = stored_editions.list_editions(library.session)
    merged = stored_editions.list_editions(library.session, CONSENSUS_SOURCE)
    for source in dict.fromkeys(each.source for each in listed):
        yield from _pages(source_path(source), editions.count_source_pages(library, source))
    for each in (*listed, *merged):
        yield from _pages(edition_path(each), editions.count_pages(library, each))
    if not merged:
        yield CONSENSUS
    for each in merged:
        yield consensus_path(stored_editions.iso_week(each.first_day, each.last_day))


def _pages(path: str, last: int) -> Iterator[str]:
    """Yield the paths of so many pages."""
    for number in range(last):
        yield numbered(path, number + 1)
