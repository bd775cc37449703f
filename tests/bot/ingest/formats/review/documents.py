"""Review copies for tests: one whole document of invented papers, and drafts at random."""

import re
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

from hypothesis import strategies as st

from bot.domain.drafts import (
    DocumentKind,
    EditionDraft,
    EntryDraft,
    ParsedDocument,
    ParseOptions,
    RawDocument,
    YearRule,
)
from bot.ingest.formats.review import FORMAT
from store.records import Heading, Link

TITLE = "AI Papers Week in Review: March 9–15, 2026"
FACTS = "Weekly review · 4 episodes · Mar 15, 2026 · 17 min"
PLAYER = f"The Show — {TITLE} — cover art\npaperdive.ai\nReview\n{TITLE}\n0:00\n17 min"
OVERVIEW = (
    "This week (March 9–15, 2026) small routers beat big ones E201, caches forgot on purpose "
    "E202, E203 and a robot learned to wait E204."
)
ROUTING = "Routing Without Regret"
ROUTING_TAGLINE = "Three papers on asking the right model, and on what it costs to ask a wrong one."
UNSURE = "A router that says when it is unsure"
ROUTER = "The first paper trains a router on its own mistakes E201. It asks for help at times."
CACHE = "The second paper keeps a cache that forgets what nobody wanted twice E202. It is small."
CACHE_MORE = "Its weak point is a burst of new questions, which the cache meets cold."
COST = "What a forgotten answer costs"
BILL = "Here a bill is drawn up for each forgotten answer E203. Most of them were cheap."
LIST = "Episodes in this topic"
ROBOTS = "Robots That Wait"
ROBOTS_TAGLINE = "One paper on the use of doing nothing for a while."
PAUSE = "A pause before each grasp"
ROBOT = "The robot waits until the scene is still E204. It drops less."

WHOLE = (
    *("← all reviews", FACTS, TITLE, PLAYER, OVERVIEW),
    *(ROUTING, ROUTING_TAGLINE, UNSURE, ROUTER, CACHE, CACHE_MORE, COST, BILL, LIST),
    *(ROBOTS, ROBOTS_TAGLINE, PAUSE, ROBOT, LIST),
)


def copy_of(*changes: tuple[str, str]) -> str:
    """Return the whole document with parts of its text replaced, one after the other."""
    text = "\n\n".join(WHOLE)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


_TODAY = date(2026, 4, 1)


def parse(text: str, year: int | None = None) -> ParsedDocument:
    """Parse a copy in April 2026."""
    options = ParseOptions(today=_TODAY, year=year)
    return FORMAT.parse(RawDocument("review.txt", text), options)


def edition_of(text: str) -> EditionDraft:
    """Return the edition of a copy."""
    return parse(text).editions[0]


def entries_of(text: str) -> dict[str, EntryDraft]:
    """Return the entries by episode, having seen that no line of the copy is lost."""
    parsed = parse(text)
    assert unaccounted(text, parsed) == []
    return {str(entry.episode): entry for entry in parsed.editions[0].entries}


def warned(parsed: ParsedDocument, text: str, start: str) -> list[str]:
    """Return the warnings on the first line of the copy that has this start."""
    line = next(n for n, line in enumerate(text.split("\n"), 1) if line.startswith(start))
    return [note.text for note in parsed.warnings if note.line == line]


def unaccounted(text: str, parsed: ParsedDocument) -> list[int]:
    """Return the numbers of the lines that are neither kept nor noted.

    A line is kept if it stands in one field of the edition as it is, or by its letters and
    digits in their order, marks left out; or, where it has an episode's mark or an arXiv
    number, if the title and the links of that episode, or of any, have all of its words.
    """
    noted = {note.line for note in (*parsed.warnings, *parsed.passed_over)}
    kept = [field for edition in parsed.editions for field in _fields(edition)]
    fields = [_squash(field) for field in kept]
    listed = {str(e.episode): _words(e) for edition in parsed.editions for e in edition.entries}
    return [
        number
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
        and number not in noted
        and not any(line.strip() in field for field in kept)
        and not any(_squash(line) and _squash(line) in field for field in fields)
        and not _is_listed(line, listed)
    ]


def _squash(text: str) -> str:
    return "".join(re.findall(r"\w", re.sub(r"\bE\d{1,4}\b", "", text)))


def _fields(edition: EditionDraft) -> list[str]:
    headings = [part for heading in edition.headings for part in (heading.title, heading.tagline)]
    entries = [
        part
        for entry in edition.entries
        for part in (entry.title, entry.section, entry.summary, *(link.url for link in entry.links))
    ]
    parts = [edition.title, edition.overview, edition.url, *headings, *entries]
    return [part for part in parts if part]


def _words(entry: EntryDraft) -> set[str]:
    text = " ".join([entry.title, *(link.url for link in entry.links)])
    return set(re.findall(r"\w+", text.lower()))


def _is_listed(line: str, listed: dict[str, set[str]]) -> bool:
    marks = [mark for mark in re.findall(r"\bE\d{1,4}\b", line) if mark in listed]
    if not marks and re.search(r"\d{4}\.\d{5}", line):
        marks = list(listed)
    words = set(re.findall(r"\w+", line.lower())) - {mark.lower() for mark in marks}
    return any(words <= listed[mark] for mark in marks)


_PLAIN = ["agents", "drafts", "a", "router", "of", "the", "cache", "slow", "judges", "learned"]
_ODD = [",", ";", "—", "-3B", "E2E", "'gated'", "(small)", "Θ(W·K)", "50%", "memory:", "naïve"]
_WORDS = st.sampled_from(_PLAIN + _ODD)


@st.composite
def _titles(draw: st.DrawFn) -> str:
    words = draw(st.lists(_WORDS, min_size=1, max_size=7))
    end = draw(st.sampled_from(["", "?", " at last"]))
    return f"Why {' '.join(words)} matter{end}"


@st.composite
def _texts(draw: st.DrawFn, number: int) -> str:
    """Return up to three paragraphs; the number makes them unlike any other."""
    paragraphs = []
    for place in range(draw(st.integers(1, 3))):
        words = draw(st.lists(_WORDS, min_size=1, max_size=60))
        paragraphs.append(f"Case {number}.{place} shows {' '.join(words)} in the end.")
    return "\n\n".join(paragraphs)


@st.composite
def _headings(draw: st.DrawFn) -> list[Heading]:
    titles = draw(st.lists(_titles(), min_size=1, max_size=4, unique=True))
    tagline = _titles().map(lambda title: f"{title}, which is told here in a sentence or two.")
    return [Heading(title, draw(st.none() | tagline)) for title in titles]


@st.composite
def _entries(draw: st.DrawFn, headings: list[Heading]) -> list[EntryDraft]:
    """Return entries under each heading; the first ones may stand before any section."""
    entries: list[EntryDraft] = []
    number = draw(st.integers(1, 900))
    for heading in headings:
        sections = draw(st.lists(_titles(), min_size=1, max_size=3, unique=True))
        for section in [draw(st.sampled_from([None, sections[0]])), *sections[1:]]:
            for _ in range(draw(st.integers(1, 3))):
                number += draw(st.integers(1, 3))
                entries.append(draw(_entry(number, heading.title, section)))
    return _named(entries)


@st.composite
def _entry(draw: st.DrawFn, number: int, heading: str, section: str | None) -> EntryDraft:
    paper = draw(st.none() | st.integers(10000, 99999))
    return EntryDraft(
        line=0,
        title=f"Paper {number}: {draw(_titles())}" if paper else "?",
        episode=f"E{number}",
        summary=draw(_texts(number)),
        heading=heading,
        section=section,
        links=(Link("Paper", f"https://arxiv.org/abs/2603.{paper}"),) if paper else (),
    )


def _named(entries: list[EntryDraft]) -> list[EntryDraft]:
    """Title the entries that no list titles by their place, as the rule says."""
    places = [entry.section or str(entry.heading) for entry in entries]
    shared = Counter(places)
    return [
        entry
        if entry.links
        else replace(entry, title=f"{place} ({entry.episode})" if shared[place] > 1 else place)
        for entry, place in zip(entries, places, strict=True)
    ]


@st.composite
def editions(draw: st.DrawFn) -> EditionDraft:
    """Return an edition as a whole copy gives it, published by the day of its parsing."""
    longest, latest = 13, 9
    newest = _TODAY - timedelta(days=longest + latest)
    first_day = draw(st.dates(date(2015, 1, 1), newest))
    last_day = first_day + timedelta(days=draw(st.integers(0, longest)))
    has_year = draw(st.booleans())
    published_on = last_day + timedelta(days=draw(st.integers(0, latest)))
    headings = draw(_headings())
    return EditionDraft(
        line=0,
        kind=DocumentKind.REVIEW,
        title=f"AI Papers Week in Review: {_range(first_day, last_day, has_year=has_year)}",
        first_day=first_day,
        last_day=last_day,
        year_rule=None if has_year else YearRule.FEED,
        published_on=draw(st.sampled_from([published_on, None])) if has_year else published_on,
        overview=draw(st.none() | _texts(0)),
        minutes=draw(st.none() | st.integers(1, 200)),
        url=draw(st.sampled_from([None, "https://paperdive.ai/reviews/7"])),
        headings=tuple(headings),
        entries=tuple(draw(_entries(headings))),
    )


def _range(first_day: date, last_day: date, *, has_year: bool) -> str:
    """Print a range as titles do: `June 29 – July 5, 2026`, both years where they differ."""
    years = has_year and first_day.year != last_day.year
    start = f"{first_day:%B} {first_day.day}{f', {first_day.year}' if years else ''}"
    same_month = (first_day.year, first_day.month) == (last_day.year, last_day.month)
    end = f"{last_day.day}" if same_month else f"{last_day:%B} {last_day.day}"
    return f"{start}–{end}{f', {last_day.year}' if has_year else ''}"
