"""Pages of the best papers of a period, and of what the sources of a week agree on."""

from collections.abc import Iterator
from datetime import date

from adapters.web.pages.editions import no_such_week
from adapters.web.pages.page import Library, Moved, PageFacts
from bot.domain.page_paths import CONSENSUS, TOP, consensus_path, edition_path, top_path
from bot.domain.weeks import Week, parse_whole_period
from bot.replies.naming import titles_by_ref
from bot.replies.wording import count, days
from store.consensus import queries
from store.library import editions, mentions, statistics
from store.sources import CONSENSUS as CONSENSUS_SOURCE

_BEST = 50
_DISPUTED = 5
_PLACED = 100  # papers under one heading; all of them are on the pages of the edition


def top(library: Library, name: str | None = None) -> PageFacts | None:
    """Return the page of the best papers of a year or a month, by default of the newest month."""
    months = statistics.list_months(library.session, library.day)
    years = list(dict.fromkeys(month[:4] for month in months))
    shown = name or next(iter(months), None)
    period = parse_whole_period(shown, library.day) if shown in {*months, *years} else None
    if period is None and name:
        return None
    within = (period.first_day, period.last_day) if period else (library.day, library.day)
    papers = queries.best_papers(library.session, within, library.day)
    best = mentions.of_entries(library.session, [paper[0] for paper in papers[:_BEST]])
    when = _period_name(shown) if period and shown else days(*within)
    return PageFacts(
        top_path(name) if name else TOP,
        "top.html",
        f"Best papers of {when}" if best else "Best papers",
        f"The best of {count(len(papers), 'paper')} of {when} over all sources.",
        {
            "papers": best,
            "titles": titles_by_ref([each.entry for each in best]),
            "paths": library.paths(each.entry for each in best),
            "total": len(papers),
            "years": years,
            "months": months,
            "shown": shown,
        },
    )


def consensus(library: Library, week: str | None = None) -> PageFacts | Moved | None:
    """Return the page of the consensus of an ISO week; without a week the newest one's."""
    if week is None:
        newest = queries.newest_week(library.session, library.day)
        return Moved(consensus_path(newest), for_good=False) if newest else _no_consensus()
    found = queries.of_week(library.session, week, _DISPUTED)
    if found is None:
        return no_such_week(library, week, CONSENSUS_SOURCE)
    beside = editions.neighbours(library.session, week, CONSENSUS_SOURCE, library.day)
    named = Week.named(week)
    entries = (each.mentions[0].entry for each in _placed(found))
    placed = list({entry.ref: entry for entry in entries}.values())
    when = days(named.first_day, named.last_day)
    sources = ", ".join(found.sources)
    return PageFacts(
        consensus_path(week),
        "consensus.html",
        f"Consensus, {when}",
        f"The papers of {when} that {sources} agree on.",
        {
            "found": found,
            "week": named,
            "titles": titles_by_ref(placed),
            "paths": library.paths(placed),
            "most": _PLACED,
            "whole": edition_path(found.edition),
            "before": beside.before,
            "after": beside.after,
        },
    )


def _placed(found: queries.Consensus) -> Iterator[queries.ConsensusPaper]:
    """Yield the papers of a consensus that its page shows."""
    yield from (*found.agreed[:_PLACED], *found.disputed)
    for source in found.sources:
        yield from found.only_in(source)[:_PLACED]


def _period_name(name: str) -> str:
    """Word a year or a month: `2025`, `November 2025`."""
    year, _, month = name.partition("-")
    return f"{date(int(year), int(month), 1):%B} {year}" if month else year


def _no_consensus() -> PageFacts:
    return PageFacts(
        CONSENSUS, "consensus.html", "Consensus", "No week has one yet.", {"found": None}
    )
