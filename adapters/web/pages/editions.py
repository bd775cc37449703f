"""Pages of editions: the newest, one by source and day, those of a source or a week."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import chain, groupby

from adapters.web.pages.page import Library, Moved, PageFacts, numbered_title
from bot.domain.long_lists import (
    MOST_TEXT,
    entry_pages,
    in_pages,
    length_of_edition,
    length_of_entry,
)
from bot.domain.page_paths import FEED as FEED_PATH
from bot.domain.page_paths import (
    HOME,
    WEEKS,
    card_path,
    consensus_path,
    edition_path,
    source_path,
    week_path,
    with_query,
)
from bot.domain.weeks import Week, parse_week
from bot.export.json_shapes import editions_json, json_text, with_next
from bot.library.brief import reading_minutes
from bot.plots.plotter import Card
from bot.replies.naming import shown_title, titles_by_ref
from bot.replies.papers import edition_title, so_far, title_without_days
from bot.replies.wording import count, days
from store.library import arxiv, editions, statistics
from store.records import Edition
from store.sources import CONSENSUS

ALL_PAPERS = "Papers of the week"
_AT_ONCE = 100  # arXiv ids of one query
_ON_CARD = 10  # titles; a card has room for a few less
_EDITIONS = 300  # on one page of a source: six years of weeks


def home(library: Library) -> PageFacts:
    """Return the page of the newest edition and of the sources."""
    newest = editions.newest_edition(library.session, day=library.day)
    described = f"{ALL_PAPERS}: " + (edition_title(newest) if newest else "nothing is stored yet")
    return PageFacts(
        HOME,
        "home.html",
        ALL_PAPERS,
        f"{described}.",
        {
            **_edition_facts(library, newest),
            "sources": editions.source_states(library.session, library.day),
        },
        feeds={ALL_PAPERS: FEED_PATH},
        card=card_path(newest) if newest else None,
    )


def edition(
    library: Library, source: str, first_day: str, page: str | None = None
) -> PageFacts | None:
    """Return a page of an edition, `None` if there is none of that source and day."""
    found = _of_day(library, source, first_day)
    last = len(entry_pages(found)) if found else 0
    number = int(page or 1)
    if found is None or number > last:
        return None
    week = editions.iso_week(found.first_day, found.last_day)
    beside = editions.neighbours(library.session, week, source, library.day)
    papers = count(len(found.entries), "paper")
    shown = _page(found, number)
    following = edition_path(found, number + 1) if number < last else None
    facts = {
        **_edition_facts(library, found, number),
        "week": week,
        "others": [other for other in beside.others if other != source],
        "before": _newest_of_week(library, beside.before, source),
        "after": _newest_of_week(library, beside.after, source),
    }
    return PageFacts(
        edition_path(found, number),
        "edition.html",
        numbered_title(edition_title(found), number),
        f"{papers} from {found.source}, {days(found.first_day, found.last_day)}.",
        facts,
        feeds={f"Editions of {source}": with_query(FEED_PATH, source=source)},
        json=lambda: _as_json(library, [shown], following),
        card=card_path(found),
    )


def card(library: Library, source: str, first_day: str) -> Card | None:
    """Return the card that previews of an edition show, `None` if there is no such edition."""
    try:
        found = _of_day(library, source, first_day)
    except ValueError:  # no day of the calendar
        return None
    if found is None:
        return None
    papers = count(len(found.entries), "paper")
    minutes = count(found.minutes or reading_minutes(found.entries), "minute")
    when = days(found.first_day, found.last_day)
    titles = tuple(dict.fromkeys(map(shown_title, found.entries)))
    line = f"{source} · {when} · {papers} · {minutes}"
    more = max(0, len(titles) - _ON_CARD)
    return Card(title_without_days(found), line, titles[:_ON_CARD], more)


def of_source(library: Library, source: str, page: str | None = None) -> PageFacts | Moved | None:
    """Return a page of the editions of a source, newest first."""
    found = editions.list_editions(library.session, source, library.day)
    pages = in_pages(found, map(length_of_edition, found), _EDITIONS)
    number = int(page or 1)
    if not found or number > len(pages):
        return None
    if source == CONSENSUS:
        return Moved(edition_path(found[0]), for_good=False)
    states = {
        each.source.slug: each for each in editions.source_states(library.session, library.day)
    }
    state = states[source]
    shown, last = pages[number - 1], len(pages)
    following = source_path(source, number + 1) if number < last else None
    return PageFacts(
        source_path(source, number),
        "source.html",
        numbered_title(f"{state.source.title} ({source})", number),
        f"All {count(len(found), 'edition')} of {source}.",
        {"source": state, "years": _by_year(shown), "on_page": number, "last_page": last},
        feeds={f"Editions of {source}": with_query(FEED_PATH, source=source)},
        json=lambda: json_text(with_next(editions_json(shown, entries=False), following)),
    )


def week_written_otherwise(library: Library, text: str) -> Moved | None:
    """Return where a week is that is written as `2026-w2`, or by a day in it."""
    week = parse_week(text.lower(), library.day)
    return Moved(week_path(week.name)) if week else None


def of_week(library: Library, name: str, page: str | None = None) -> PageFacts | None:
    """Return a page of the editions of an ISO week; without any, the weeks beside it."""
    found = editions.of_week(library.session, name)
    if not found:
        return no_such_week(library, name) if page is None else None
    pages = _week_pages(found)
    number = int(page or 1)
    if number > len(pages):
        return None
    shown = pages[number - 1]
    week = Week.named(name)
    when = days(week.first_day, week.last_day)
    own = [each for each in shown if each.source != CONSENSUS]
    beside = editions.neighbours(library.session, name, day=library.day)
    facts = {
        "week": week,
        "editions": own,
        "titles": _titles(own, found),
        "paths": library.paths(entry for each in own for entry in each.entries),
        "papers": {each.source: len(each.entries) for each in found},
        "has_consensus": any(each.source == CONSENSUS for each in found),
        "before": beside.before,
        "after": beside.after,
        "on_page": number,
        "last_page": len(pages),
    }
    following = week_path(name, number + 1) if number < len(pages) else None
    return PageFacts(
        week_path(name, number),
        "week.html",
        numbered_title(f"Week {week.number} of {week.year}, {when}", number),
        f"Papers of {when} from {', '.join(each.source for each in found)}.",
        facts,
        feeds={ALL_PAPERS: FEED_PATH},
        json=lambda: _as_json(library, shown, following),
    )


def no_such_week(library: Library, name: str, source: str | None = None) -> PageFacts:
    """Return the page of a week without an edition, of a source or of any: the weeks beside it.

    Raises:
        ValueError: if no calendar has the week.
    """
    week = Week.named(name)
    path_of = consensus_path if source == CONSENSUS else week_path
    beside = editions.neighbours(library.session, name, source, library.day)
    before, after = (path_of(each) if each else None for each in (beside.before, beside.after))
    when = days(week.first_day, week.last_day)
    what = "consensus" if source == CONSENSUS else "edition"
    return PageFacts(
        path_of(name),
        "no_week.html",
        f"No {what}: {when}",
        f"No {what} of {when} is stored.",
        {"before": beside.before, "after": beside.after, "path_of": path_of},
        json=lambda: json_text({"editions": [], "before": before, "after": after}),
        missing=True,
    )


def count_pages(library: Library, edition: Edition) -> int:
    """Return how many pages an edition has, given without its entries."""
    found = editions.of_day(library.session, edition.source, edition.first_day)
    return len(entry_pages(found)) if found else 0


def count_week_pages(library: Library, name: str) -> int:
    """Return how many pages an ISO week has."""
    return len(_week_pages(editions.of_week(library.session, name)))


def count_source_pages(library: Library, source: str) -> int:
    """Return how many pages the list of a source's editions has."""
    found = editions.list_editions(library.session, source, library.day)
    return len(in_pages(found, map(length_of_edition, found), _EDITIONS))


def weeks(library: Library, year: str | None = None) -> PageFacts | None:
    """Return the page that lists the weeks of a year, by default of the newest one."""
    listed = statistics.list_weeks(library.session, library.day)
    years = list(dict.fromkeys(name[:4] for name, _ in listed))
    if year not in {None, *years}:
        return None
    shown = year or next(iter(years), None)
    found = [(Week.named(name), sources) for name, sources in listed if name[:4] == shown]
    return PageFacts(
        week_path(year) if year else WEEKS,
        "weeks.html",
        f"Weeks of {shown}" if shown else "Weeks",
        f"The {count(len(found), 'week')} of {shown} with papers." if shown else "No week yet.",
        {"weeks": found, "years": years, "shown": shown},
        feeds={ALL_PAPERS: FEED_PATH},
    )


def _edition_facts(library: Library, found: Edition | None, number: int = 1) -> dict[str, object]:
    if found is None:
        return {"edition": None}
    shown = _page(found, number)
    headings = {each.title: each.tagline for each in found.headings}
    grouped = [(name, list(group)) for name, group in groupby(shown.entries, lambda e: e.heading)]
    return {
        "edition": shown,
        "papers": len(found.entries),
        "so_far": so_far(found, library.day),
        "taglines": headings,
        "groups": grouped,
        "titles": titles_by_ref(shown.entries, found.entries),
        "paths": library.paths(shown.entries),
        "minutes": found.minutes or reading_minutes(found.entries),
        "on_page": number,
        "last_page": len(entry_pages(found)),
    }


def _page(whole: Edition, number: int) -> Edition:
    """Return an edition with the entries of a page, and of a long one with their headings alone."""
    pages = entry_pages(whole)
    shown = pages[number - 1]
    if len(pages) == 1 and length_of_edition(whole) <= MOST_TEXT:
        return whole
    named = {entry.heading for entry in shown}
    headings = tuple(each for each in whole.headings if each.title in named)
    return replace(whole, entries=tuple(shown), headings=headings)


def _titles(shown: Sequence[Edition], whole: Sequence[Edition]) -> dict[str, str]:
    """Return the titles on a page of a week, as each whole edition has them."""
    entries = {(each.source, each.first_day): each.entries for each in whole}
    named = (titles_by_ref(each.entries, entries[each.source, each.first_day]) for each in shown)
    return dict(chain.from_iterable(each.items() for each in named))


def _week_pages(found: Sequence[Edition]) -> list[list[Edition]]:
    """Return pages of the entries of editions, each with the editions that these are of."""
    entries = [(each, entry) for each in found for entry in each.entries]
    pages = in_pages(entries, (length_of_entry(entry) for _, entry in entries))
    if len(pages) == 1 and sum(map(length_of_edition, found)) <= MOST_TEXT:
        return [list(found)]
    return [
        [
            replace(edition, entries=tuple(entry for _, entry in pairs), headings=())
            for edition, pairs in groupby(page, lambda pair: pair[0])
        ]
        for page in pages
    ]


def _of_day(library: Library, source: str, first_day: str) -> Edition | None:
    return editions.of_day(library.session, source, date.fromisoformat(first_day))


def _newest_of_week(library: Library, week: str | None, source: str) -> Edition | None:
    found = editions.of_week(library.session, week, source) if week else []
    return found[0] if found else None


def _by_year(found: Sequence[Edition]) -> list[tuple[int, list[Edition]]]:
    return [(year, list(own)) for year, own in groupby(found, lambda each: each.last_day.year)]


def _as_json(library: Library, found: Sequence[Edition], following: str | None) -> str:
    ids = [entry.arxiv_id for each in found for entry in each.entries if entry.arxiv_id]
    known: dict[str, arxiv.ArxivPaper] = {}
    for start in range(0, len(ids), _AT_ONCE):
        known |= arxiv.known(library.session, ids[start : start + _AT_ONCE])
    facts = editions_json(found, entries=True, arxiv=known)
    return json_text(with_next(facts, following))
