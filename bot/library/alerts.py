"""The entries that alerts match, and those that a new one would have found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from bot.library.search import parse_query, snippet
from store import search
from store.database import Session
from store.library import mentions, new_entries
from store.library.editions import latest_end
from store.posting.alert_matches import AlertMatch
from store.readers import alerts
from store.readers.alerts import AlertQuery, FoundPaper
from store.records import Mention
from store.search import SearchQuery

# Of so many papers of the last weeks it is known that a new alert need not tell of them.
_MOST_FOUND = 1000


@dataclass(frozen=True, slots=True)
class AlertPreview:
    """The papers that an alert would have told of: the newest with their snippets, and all ids.

    `papers` are all of them by database id, each with an entry.
    """

    shown: tuple[tuple[Mention, str], ...]
    papers: Mapping[int, int]


def search_query(query: AlertQuery) -> SearchQuery:
    """Return the search of an alert: every word is demanded, as it was typed."""
    return replace(parse_query(query.words, query.filters), every_word=True, as_typed=True)


def find_matches(session: Session, ids: Sequence[int], entries: Sequence[int]) -> list[AlertMatch]:
    """Return which alerts match which entries, by their ids, in the order of the entries."""
    stored = alerts.queries(session, ids)
    queries = {each: parse_query(query.words, query.filters) for each, query in stored.items()}
    found = search.matching(session, queries, entries)
    place = {entry: number for number, entry in enumerate(entries)}
    matches = [AlertMatch(alert, entry) for alert, matched in found.items() for entry in matched]
    return sorted(matches, key=lambda each: (place[each.entry_id], each.alert_id))


def papers_told(session: Session, delivery_id: int, most: int) -> list[FoundPaper]:
    """Return the papers that a delivery tells of, the first ones with the sentence that matched."""
    found = alerts.papers_of(session, delivery_id)
    return [*(_with_snippet(session, each) for each in found[:most]), *found[most:]]


def _with_snippet(session: Session, found: FoundPaper) -> FoundPaper:
    _, query = found.alerts[0]
    terms = search.terms_of(session, search_query(query))
    return replace(found, snippet=snippet(found.mention.entry, terms))


def preview(session: Session, query: SearchQuery, today: date, most: int) -> AlertPreview:
    """Return what an alert with a query would have found in the editions that are news."""
    since, until = new_entries.oldest_news(today), latest_end(today)
    wanted = replace(query, filters=replace(query.filters, since=since, until=until))
    if query.is_empty:
        entries = mentions.newest_entries(session, wanted.filters, today, _MOST_FOUND)
        if query.excluded:
            kept = search.matching(session, {0: query}, [*entries.values()]).get(0, ())
            entries = {paper: entry for paper, entry in entries.items() if entry in set(kept)}
    else:
        hits = search.search(
            session, wanted, _MOST_FOUND, latest=latest_end(today), once_a_paper=True
        ).hits
        entries = mentions.papers_of(session, [hit.entry_id for hit in hits])
    shown = mentions.of_entries(session, [*entries.values()][:most])
    terms = search.terms_of(session, query)
    with_snippets = tuple((each, snippet(each.entry, terms)) for each in shown)
    return AlertPreview(with_snippets, entries)
