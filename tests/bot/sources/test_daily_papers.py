"""A week of daily papers is asked for page by page and joined, whatever its pages are like."""

import asyncio
import json
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import DocumentError, FetchLater, PageGone, WrongShape
from bot.sources.daily_papers import (
    MOST_PAGES,
    fetch_week,
    is_paged_list,
    unfrozen_weeks,
    week_in_url,
)
from tests.bot.ingest.formats.hf_daily.test_hf_daily import answer, listed
from tests.fakes.daily_papers import URL, DailyPapers

MONDAY = date(2026, 3, 2)
WEDNESDAY = datetime(2026, 3, 4, 12, tzinfo=UTC)
LONG_AFTER = datetime(2027, 3, 4, 12, tzinfo=UTC)


def paper(number: int, votes: int = 1, day: date = MONDAY) -> dict[str, Any]:
    """Make a paper that was listed on a day."""
    return listed(f"2603.{number:05}", votes, f"{day}T08:00:00.000Z")


def papers(count: int, day: date = MONDAY) -> list[dict[str, Any]]:
    """Make so many papers of a day."""
    return [paper(number, number, day) for number in range(count)]


async def ids(site: DailyPapers, monday: date = MONDAY, now: datetime = LONG_AFTER) -> list[str]:
    """Return the arXiv ids of what a week lists, none where it lists nothing yet."""
    data = await fetch_week(site, URL, monday, now)
    return [each["paper"]["id"] for each in json.loads(data or b"[]")]


@given(
    days=st.lists(st.integers(min_value=-9, max_value=16), max_size=40),
    cap=st.integers(min_value=3, max_value=100),
    refused=st.booleans(),
)
def test_a_week_is_all_of_its_papers_once(days: list[int], cap: int, refused: bool) -> None:  # noqa: FBT001 - hypothesis gives it by name
    """Whatever the length of its pages, asked for as a week or by its days, and no other's."""
    elements = [paper(number, day % 5, MONDAY + timedelta(day)) for number, day in enumerate(days)]
    weeks = frozenset({"2026-W10"}) if refused else frozenset()
    site = DailyPapers(elements, cap=cap, refused=weeks)
    of_week = [each for each, day in zip(elements, days, strict=True) if 0 <= day < 7]
    if of_week:
        found = asyncio.run(ids(site))
        assert sorted(found) == sorted(each["paper"]["id"] for each in of_week)


@pytest.mark.parametrize(
    ("now", "fetched_at", "weeks"),
    [
        ("2026-03-04T12", None, ["2026-02-23", "2026-03-02"]),
        ("2026-03-04T12", "2026-03-01T23:59:59", ["2026-02-23", "2026-03-02"]),
        ("2026-03-04T12", "2026-03-02T00:00:00", ["2026-03-02"]),
        ("2026-03-02T00", "2026-03-01T23:00:00", ["2026-02-23", "2026-03-02"]),
        ("2027-01-03T23", None, ["2026-12-21", "2026-12-28"]),
        ("2027-01-04T00", "2027-01-03T23:00:00", ["2026-12-28", "2027-01-04"]),
        # A clock was ahead.
        ("2026-03-04T12", "2026-03-14T09:00:00", ["2026-02-23", "2026-03-02"]),
    ],
)
def test_a_week_is_asked_for_once_more_after_it_ended(
    now: str, fetched_at: str | None, weeks: list[str]
) -> None:
    """The week of now always is; the one before until fetching went well after its last Sunday."""

    def instant(text: str) -> datetime:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)

    owed = unfrozen_weeks(instant(now), instant(fetched_at) if fetched_at else None)
    assert list(map(str, owed)) == weeks


@given(steps=st.lists(st.integers(min_value=1, max_value=400), max_size=30))
def test_every_week_has_one_last_word(steps: list[int]) -> None:
    """However often and seldom (in hours) it is asked, no week is asked for twice after its end.

    And the week before always had its last word, unless nothing was asked since.
    """
    now, fetched_at = LONG_AFTER, None
    last_words: list[date] = []
    for step in steps:
        now += timedelta(hours=step)
        asked = unfrozen_weeks(now, fetched_at)
        last_words += [monday for monday in asked if monday + timedelta(days=7) <= now.date()]
        assert len(set(last_words)) == len(last_words)
        assert asked[-1] - timedelta(days=7) in last_words
        fetched_at = now


def test_a_week_begins_on_monday_in_utc() -> None:
    """A clock elsewhere may show another day."""
    sunday = datetime.fromisoformat("2026-03-01T23:00:00-05:00")
    assert unfrozen_weeks(sunday, sunday) == (MONDAY,)


async def test_pages_are_asked_for_until_one_has_nothing_new() -> None:
    """In pages of the most that there may be; the query of the address itself stays."""
    site = DailyPapers(papers(230))
    data = await fetch_week(site, f"{URL}?sort=trending&limit=5&date=x#top", MONDAY, LONG_AFTER)
    assert len(json.loads(data or b"")) == 230
    pages = [
        {"sort": "trending", "week": "2026-W10", "p": str(page), "limit": "100"}
        for page in range(4)
    ]
    assert [dict(parse_qsl(each)) for each in site.requests] == pages


async def test_a_short_page_is_not_taken_for_the_last() -> None:
    """One may have fewer papers than were asked for, and be followed by another."""
    hidden = frozenset({"2603.00119", "2603.00050"})
    site = DailyPapers(papers(120), hidden=hidden)
    assert len(await ids(site)) == 118


async def test_behind_a_short_page_there_may_be_none() -> None:
    """A page that is not there ends the week where the one before could be the last."""
    gone = PageGone("papers.example answers with 404.", status=404)
    site = DailyPapers(papers(20), instead={"p=1": gone})
    assert len(await ids(site)) == 20
    site = DailyPapers(papers(120), instead={"p=1": gone})
    with pytest.raises(PageGone):
        await ids(site)
    shut_out = PageGone("papers.example answers with 403.", status=403)
    site = DailyPapers(papers(20), instead={"p=1": shut_out})
    with pytest.raises(PageGone):
        await ids(site)


async def test_of_a_paper_on_two_pages_the_later_one_counts() -> None:
    """Votes grow while we read, and papers move from page to page."""
    pages = [[paper(1, 5), paper(2, 5)], [paper(2, 6), paper(3, 4)], []]
    instead = {f"p={number}": answer(*page) for number, page in enumerate(pages)}
    site = DailyPapers(instead={**instead})
    data = await fetch_week(site, URL, MONDAY, LONG_AFTER)
    votes = [(each["paper"]["id"], each["paper"]["upvotes"]) for each in json.loads(data or b"")]
    assert votes == [("2603.00001", 5), ("2603.00002", 6), ("2603.00003", 4)]


async def test_a_paper_that_slipped_to_a_page_before_is_found() -> None:
    """Where papers moved while we read, the pages are read once more, and no more often."""

    class Lively(DailyPapers):
        """A site where one paper overtakes another after each page that is read."""

        async def fetch(self, url: str, *told: Any, **given: Any) -> Any:
            """Return a page."""
            page = await super().fetch(url, *told, **given)
            last, first = sorted(self.listed, key=lambda each: -each["paper"]["upvotes"])[3:5]
            votes = last["paper"]["upvotes"], first["paper"]["upvotes"]
            first["paper"]["upvotes"], last["paper"]["upvotes"] = votes
            return page

    site = Lively([paper(number, 99 - number) for number in range(8)], cap=4)
    assert len(await ids(site)) == 8
    assert len(site.requests) == 6


async def test_what_can_not_be_read_is_handed_on() -> None:
    """The import names it; as it tells no day, it is in the week that it was found in."""
    broken = {"paper": {"id": "2603.00009"}}
    site = DailyPapers(instead={"p=0": answer(paper(1), broken, None), "p=1": "[]"})
    data = await fetch_week(site, URL, MONDAY, LONG_AFTER)
    assert json.loads(data or b"") == [paper(1), broken, None]


async def test_half_a_character_is_no_obstacle() -> None:
    """JSON can spell what UTF-8 can't; it stays spelled as it was."""
    half = listed("2603.00001", title="Kites \ud83d fly")
    site = DailyPapers(instead={"p=0": answer(half), "p=1": "[]"})
    data = await fetch_week(site, URL, MONDAY, LONG_AFTER)
    assert json.loads(data or b"") == [half]


@pytest.mark.parametrize("number", [0, 1, 2])
async def test_a_page_that_fails_fails_its_week(number: int) -> None:
    """Half of a week would take the other half away."""
    away = FetchLater("papers.example answers with 503: not now.", status=503)
    for said in (away, "<html>", '{"error": "none"}', answer(paper(1))[:-9]):
        site = DailyPapers(papers(230), instead={f"p={number}": said})
        with pytest.raises((FetchLater, DocumentError)):
            await ids(site)


async def test_pages_without_end_are_refused() -> None:
    """A site that always finds one more is not asked for ever."""
    site = DailyPapers(papers(2 * MOST_PAGES), cap=1)
    with pytest.raises(DocumentError, match="more than 20 pages"):
        await ids(site)
    assert len(site.requests) == MOST_PAGES


@pytest.mark.parametrize("cap", [2, 100])
async def test_a_fifty_third_week_is_asked_for_by_its_days(cap: int) -> None:
    """The year 2026 has one, and the site takes no more than 52; nor does it take later days."""
    monday, now = date(2026, 12, 28), datetime(2026, 12, 31, 9, tzinfo=UTC)
    elements = [paper(number, 1, monday + timedelta(number % 6)) for number in range(18)]
    site = DailyPapers(elements, now.date(), cap, refused=frozenset({"2026-W53"}))
    assert sorted(await ids(site, monday, now)) == sorted(
        each["paper"]["id"] for number, each in enumerate(elements) if number % 6 < 4
    )
    assert site.requests[0].startswith("week=2026-W53&")
    days = {dict(parse_qsl(each)).get("date") for each in site.requests[1:]}
    assert days == {"2026-12-28", "2026-12-29", "2026-12-30", "2026-12-31"}


async def test_another_week_for_one_that_is_not_known_is_seen_through() -> None:
    """A site that gives its newest week instead is asked by days, too."""
    monday = date(2026, 12, 28)
    others, own = papers(3), paper(7, 1, monday)
    site = DailyPapers([own], instead={"week=2026-W53&p=0": answer(*others)})
    assert await ids(site, monday) == ["2603.00007"]


async def test_an_address_that_is_wrong_is_told_as_it_is() -> None:
    """Where the days are refused as the week was, there is no such page at all."""
    gone = PageGone("papers.example answers with 404.", status=404)
    site = DailyPapers(instead={"": gone})
    with pytest.raises(PageGone):
        await ids(site)
    assert len(site.requests) == 2


async def test_a_young_week_may_be_empty() -> None:
    """For three days nobody wonders; a later one without papers is no list that we know."""
    site = DailyPapers()
    assert await fetch_week(site, URL, MONDAY, WEDNESDAY) is None
    with pytest.raises(WrongShape, match="no paper of 2026-W10"):
        await fetch_week(site, URL, MONDAY, WEDNESDAY + timedelta(days=1))


def test_an_address_names_its_week() -> None:
    """One of the list has to; what is saved elsewhere is as long as it is."""
    assert week_in_url(f"{URL}?sort=trending&week=2026-W10&p=3") == MONDAY
    assert week_in_url("https://[half/api/daily_papers?week=2026-W10") is None
    assert week_in_url(f"{URL}?week=2026-W53") == date(2026, 12, 28)
    assert week_in_url("https://papers.example/saved.json") is None
    for query in ("", "?date=2026-03-02", "?week=2025-W53", "?week=10", "?week=2026-03-02"):
        with pytest.raises(DocumentError, match="names no week"):
            week_in_url(f"{URL}{query}")


def test_a_list_is_told_from_other_documents() -> None:
    """Only a page that says when its papers were listed is one of several."""
    assert is_paged_list(answer(paper(1)).encode())
    assert not is_paged_list(b"[]")
    assert not is_paged_list(b'# Notes on "submittedOnDailyAt"')
    assert not is_paged_list(b'\xff "submittedOnDailyAt"')
