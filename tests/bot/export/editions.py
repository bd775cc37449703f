"""Editions to export: a few by hand, any by chance, and what formats make of any text."""

import unicodedata
from dataclasses import replace
from datetime import date, timedelta

from hypothesis import strategies as st

from store.records import Edition, Entry, Highlight, Link

MONDAY = date(2026, 1, 5)
_PLAIN = Entry(
    ref="dair:2026-01-05#1",
    position=0,
    rank=1,
    episode=None,
    title="Steering Kites",
    summary=None,
    highlights=(),
    heading=None,
    section=None,
    links=(),
    arxiv_id=None,
    doi=None,
)


def entry(title: str, **facts: object) -> Entry:
    """Return an entry; `edition` gives it its place."""
    return replace(_PLAIN, title=title, **facts)  # type: ignore[arg-type] # tests name real fields


def edition(
    *entries: Entry, source: str = "dair", first_day: date = MONDAY, **facts: object
) -> Edition:
    """Return a week's edition, its entries ranked in order."""
    placed = [
        replace(each, ref=f"{source}:{first_day}#{rank}", position=rank - 1, rank=rank)
        for rank, each in enumerate(entries, start=1)
    ]
    week = Edition(
        source=source,
        kind="newsletter",
        title="Top Papers",
        first_day=first_day,
        last_day=first_day + timedelta(days=6),
        published_on=None,
        year_rule="heading",
        overview=None,
        minutes=None,
        url=None,
        headings=(),
        entries=tuple(placed),
    )
    return replace(week, **facts)  # type: ignore[arg-type] # tests name real fields


def folded(text: str | None) -> str:
    """Return a text as the line that every format keeps.

    Control characters, signs that turn text, halves of surrogate pairs and two non-characters count
    as blanks.
    """
    kept = (" " if _is_unprintable(char) else char for char in text or "")
    return " ".join("".join(kept).split())


def _is_unprintable(char: str) -> bool:
    return (
        unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"}
        or unicodedata.bidirectional(char) in _TURNING
        or char in "\ufffe\uffff"
    )


# Unicode Standard Annex 9: embeddings, overrides and isolates, and what ends them.
_TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}

# Every character there is, and time and again one that means something to some format.
_SIGNS = st.sampled_from(
    [
        *"{}\\%&$#_~^\"'`,;:=<>|@!?+-*/ ",
        *("\n", "\r\n", "\t", "\0", "\x1b", "\x85", "\u2028", "\u202e"),
        *("\ud83d", "\udce2", "\ufffe"),
        *("\nTY  - ", "\n@misc{x,", "]]>", "&amp;", "<b>", "%7B", "\uff1d", "\xa0"),
    ]
)
_ANY_CHARACTER = st.characters(exclude_categories=())
# Two halves of a surrogate pair side by side are one sign in JSON, so in whatever came from it.
TEXT = st.lists(_SIGNS | _ANY_CHARACTER, max_size=12).map(
    lambda signs: "".join(signs).encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
)
_URLS = TEXT.map("https://kites.org/".__add__) | TEXT
_LINKS = st.builds(Link, st.sampled_from(["Paper", "Code"]) | TEXT, _URLS)
_ARXIV_IDS = st.from_regex(r"(9[1-9]|[01][0-9])(0[1-9]|1[0-2])\.[0-9]{5}", fullmatch=True)
_DOIS = TEXT.map("10.1234/".__add__)
_DAYS = st.dates(date(2000, 1, 1), date(2040, 1, 1))
_ENTRIES = st.builds(
    entry,
    TEXT,
    summary=st.none() | TEXT,
    highlights=st.lists(st.builds(Highlight, st.none() | TEXT, TEXT), max_size=2).map(tuple),
    heading=st.none() | TEXT,
    section=st.none() | TEXT,
    links=st.lists(_LINKS, max_size=3).map(tuple),
    arxiv_id=st.none() | _ARXIV_IDS,
    doi=st.none() | _DOIS,
    topics=st.lists(st.sampled_from(["agents", "code", "long-context"]), unique=True).map(tuple),
)
_EDITIONS = st.builds(
    lambda entries, **facts: edition(*entries, **facts),
    st.lists(_ENTRIES, max_size=3),
    source=st.from_regex(r"[a-z0-9][a-z0-9-]{0,9}", fullmatch=True),
    first_day=_DAYS,
    title=TEXT,
    published_on=st.none() | _DAYS,
    overview=st.none() | TEXT,
    url=st.none() | _URLS,
)


def _newest_first(week: Edition) -> tuple[date, str]:
    return week.last_day, week.source


EDITIONS = st.lists(
    _EDITIONS, max_size=3, unique_by=lambda week: (week.source, week.first_day)
).map(lambda weeks: sorted(weeks, key=_newest_first, reverse=True))
