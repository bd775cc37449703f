"""The searches that are nearest to one that found nothing, each of which finds something."""

from calendar import monthrange
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from bot.library.search import corrected_text, parse_query
from store.consensus.queries import nearest_days
from store.database import Session
from store.library import statistics
from store.library.editions import latest_end
from store.search import EVERYTHING, Filters, SearchQuery, entry_facts, search, words_like
from store.search.filters import EntryFacts, lets_through

# So many hits are looked at without the filters, of so many matches: who found nothing has spent
# the time of one search already.
_LOOKED_AT = 500
_READ = 10_000
_SPELLED = 3  # other spellings that are tried
_QUOTES = str.maketrans("", "", '"\u201c\u201d')
_OF_PERIOD = ("since", "until", "period")  # arguments
_NAMES = ("topic", "source", "author", "period")


@dataclass(frozen=True, slots=True)
class NearSearches:
    """The searches and days of near hits where a search found nothing.

    `texts` are its words otherwise, `without` the filters (`topic`, `source`, `author`, `period`)
    any of which kept everything out, or all of them where no single one did. `before` and `after`
    are the last days of the nearest editions around its period.
    """

    texts: tuple[str, ...] = ()
    without: tuple[tuple[str, ...], ...] = ()
    before: date | None = None
    after: date | None = None

    def offers(self, asked: Mapping[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield the label and the arguments of each, the nearest months first.

        `asked` are the arguments of the search that found nothing. Without a label the arguments
        say what is searched for.
        """
        kept = _kept(asked, _OF_PERIOD)
        if self.before:
            yield f"Last one before: {self.before:%b %Y}", {**kept, **_month(self.before)}
        if self.after:
            yield f"First one after: {self.after:%b %Y}", {**kept, **_month(self.after)}
        yield from (("", {**asked, "query": text}) for text in self.texts)
        for names in self.without:
            yield "", _kept(asked, {*names, *(_OF_PERIOD if "period" in names else ())})


def near_searches(session: Session, query: SearchQuery, day: date) -> NearSearches:
    """Return what finds something in place of a query that found nothing on a day (UTC)."""
    filters = query.filters
    named = tuple(name for name in _NAMES if _without(filters, (name,)) != filters)
    if query.is_filters_alone:
        return _of_filters(session, filters, named, day)
    facts = _facts(session, query, day)
    texts = tuple(
        text
        for text in _other_texts(session, query)
        if _finds(_facts(session, parse_query(text), day), filters)
    )
    before, after = _around(filters, facts)
    return NearSearches(texts, tuple(_emptied(filters, named, facts)), before, after)


def _facts(session: Session, query: SearchQuery, day: date) -> Collection[EntryFacts]:
    """Return the facts of the best hits of a query without its filters."""
    bare = replace(query, filters=EVERYTHING)
    found = search(session, bare, _LOOKED_AT, read_limit=_READ, latest=latest_end(day))
    return entry_facts(session, [each.entry_id for each in found.hits]).values()


def _other_texts(session: Session, query: SearchQuery) -> Iterator[str]:
    """Yield a query with its unknown words spelled otherwise, and without quotation marks."""
    likes = words_like(session, query.words, _SPELLED)
    texts = (corrected_text(query.text, [like]) for like in likes)
    yield from filter(None, texts)
    if query.phrases:
        yield " ".join(query.text.translate(_QUOTES).split())


def _finds(facts: Collection[EntryFacts], filters: Filters) -> bool:
    return any(lets_through(filters, each) for each in facts)


def _emptied(
    filters: Filters, named: tuple[str, ...], facts: Collection[EntryFacts]
) -> Iterator[tuple[str, ...]]:
    """Yield the filters each of which, or else all of which, kept the hits out."""
    single = [name for name in named if _finds(facts, _without(filters, (name,)))]
    if single or not facts:
        yield from ((name,) for name in single)
    elif named:
        yield named


def _around(filters: Filters, facts: Collection[EntryFacts]) -> tuple[date | None, date | None]:
    """Return the last days of the nearest hits before and after a period."""
    if not (filters.since or filters.until):
        return None, None
    of_any_time = _without(filters, ("period",))
    ends = [each.last_day for each in facts if lets_through(of_any_time, each)]
    since, until = filters.since or date.min, filters.until or date.max
    before = max((each for each in ends if each < since), default=None)
    return before, min((each for each in ends if each > until), default=None)


def _of_filters(
    session: Session, filters: Filters, named: tuple[str, ...], day: date
) -> NearSearches:
    """Return what finds something in place of filters without any words."""
    others = ((name, _without(filters, (name,))) for name in named)
    without = tuple(
        (name,) for name, left in others if left and statistics.has_papers(session, left)
    )
    if not (filters.since or filters.until):
        return NearSearches(without=without)
    ends = filters.since or date.min, filters.until or date.max
    near = nearest_days(session, ends, day, _without(filters, ("period",)))
    return NearSearches(without=without, before=near.before, after=near.after)


def _kept(texts: Mapping[str, str], dropped: Collection[str]) -> dict[str, str]:
    return {name: text for name, text in texts.items() if name not in dropped}


def _month(ends: date) -> dict[str, str]:
    """Return the month of a day as arguments."""
    last = monthrange(ends.year, ends.month)[1]
    return {"since": f"{ends:%Y-%m}-01", "until": f"{ends:%Y-%m}-{last}"}


def _without(filters: Filters, names: tuple[str, ...]) -> Filters:
    fields = {"period": ("since", "until")}
    dropped = (field for name in names for field in fields.get(name, (name,)))
    return replace(filters, **dict.fromkeys(dropped))
