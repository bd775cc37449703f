"""The day of a post: whatever form a feed states it in, it is one that the feed states."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.dates import find_day
from tests.bot.ingest.formats.feed.printer import Printed, print_atom, print_rss
from tests.bot.ingest.formats.feed.test_feed import HEAD, entries, parse

_FORMS = (
    "{0:%a}, {0:%Y-%m-%d} 14:00", "Posted on {0:%B %d, %Y}",
    "{0:%a, %d %b %Y} 14:00:00 GMT", "{0:%a, %d %b %y} 14:00:00 GMT", "{0:%A, %d-%b-%y} 14:00 GMT",
    "{0:%a %b} {0.day} 14:00:00 {0.year}", "{0:%a %b} {0.day} 14:00:00 UTC {0.year}",
    "{0:%d %B %Y}", "{0:%B %d, %Y}", "{0:%b. %d, %Y}", "{0:%Y-%m-%d}", "{0:%Y-%m-%d}T14:00:00",
    "{0.year}-{0.month}-{0.day}", "{0:%Y/%m/%d}", "{0:%Y%m%d}", "{0:%Y%m%d}T140000Z",
    "{0.year}年{0.month}月{0.day}日", "{0.year}년 {0.month}월 {0.day}일",
)  # fmt: skip


@given(st.dates(date(1991, 1, 1), date(2040, 12, 31)), st.sampled_from(_FORMS))
def test_a_day_is_read_in_each_form(day: date, form: str) -> None:
    """Forms of mail, of the web, of old servers, of clocks and of people give the same day."""
    assert find_day(form.format(day)) == day


@pytest.mark.parametrize(
    "text",
    ["", "14", "2026", "2026-01", "1768140000", "1768140000000", "https://a.example/2021/05/06",
     "soon", "2026-02-30", "Sun, 31 Apr 2026 14:00:00 GMT", "01/11/2026",
     "11 foo 2026", "0000-01-01"],
)  # fmt: skip
def test_what_states_no_day(text: str) -> None:
    """A number, half a day, one of no calendar and one of two readings are none."""
    assert find_day(text) is None


@pytest.mark.parametrize("text", ["25.01.2026", "01/25/2026 14:00", "25/1/2026", "Sun, 25.01.2026"])
def test_numbers_of_one_reading_are_a_day(text: str) -> None:
    """A number that is no month's is the day's."""
    assert find_day(text) == date(2026, 1, 25)


@given(st.text())
def test_any_text_states_a_day_or_none(text: str) -> None:
    """Nothing that a feed has in the place of a date breaks the reading of it."""
    find_day(text)


@pytest.mark.parametrize(
    ("stated", "day"),
    [
        ("Sun, 11 Jan 2026 23:00:00 EST", date(2026, 1, 12)),
        ("2026-01-11T01:00:00+02:00", date(2026, 1, 10)),
        ("Sunday, 11-Jan-26 23:00:00 GMT", date(2026, 1, 11)),
        ("2026-01-11T14:00:00+99:99", date(2026, 1, 11)),
        ("Sun, 11 Jan 2026 24:00:00 GMT", date(2026, 1, 11)),
    ],
)
def test_a_zone_moves_it_by_a_day_at_most(stated: str, day: date) -> None:
    """The day is that of UTC, where the zone is one."""
    post = print_rss(Printed(HEAD + entries(), published_on=None))
    (edition,) = parse(post.replace("</item>", f"<pubDate>{stated}</pubDate></item>")).editions
    assert edition.published_on == day


def test_the_first_day_that_can_be_one_counts() -> None:
    """A day of the far future or of 1970 stands in no way of another that the post has."""
    body = HEAD + entries()
    dated = '<date xmlns="http://purl.org/dc/elements/1.1/">2026-01-11</date>'
    rss, atom = (print_(Printed(body, published_on=None)) for print_ in (print_rss, print_atom))
    for wrong in ("Sun, 11 Jan 2099 14:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "soon"):
        for text in (
            rss.replace("</item>", f"<pubDate>{wrong}</pubDate>{dated}</item>"),
            atom.replace(
                "</entry>", f"<published>{wrong}</published><updated>2026-01-11</updated></entry>"
            ),
        ):
            (edition,) = parse(text).editions
            assert edition.published_on == date(2026, 1, 11)
