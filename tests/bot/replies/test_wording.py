"""How facts are worded."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.replies.wording import GAP, count, days, moment, paper_name, shorten, with_gaps
from tests.bot.posting.digest.editions import paper

_EPISODE = paper(1, episode="E1")


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        (date(2026, 1, 5), date(2026, 1, 11), "Jan 5–11, 2026"),
        (date(2026, 3, 30), date(2026, 4, 5), "Mar 30 – Apr 5, 2026"),
        (date(2025, 12, 29), date(2026, 1, 4), "Dec 29, 2025 – Jan 4, 2026"),
        (date(2026, 1, 5), date(2026, 1, 5), "Jan 5, 2026"),
    ],
)
def test_a_range_of_days_says_nothing_twice(first: date, last: date, words: str) -> None:
    """Month and year stand once where they are one."""
    assert days(first, last) == words


def test_shortening_cuts_at_a_word() -> None:
    """A text that is too long ends with a whole word and an ellipsis, never longer."""
    assert shorten("attention is all you need", 15) == "attention is…"
    assert shorten("short", 15) == "short"
    assert len(shorten("x" * 100, 15)) == 15


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("MEM1: Memory for Long Tasks", "MEM1"),
        ("Attention Is All You Need", "Attention Is All You Need"),
        ("On Why 3:1 Is Enough", "On Why 3:1 Is Enough"),
        ("A Title That Goes On and On, for No Reason", "A Title That Goes On and On, for No…"),
    ],
)  # fmt: skip
def test_a_paper_is_named_in_short(title: str, name: str) -> None:
    """Its name is what stands before the colon, else the beginning of its title."""
    assert paper_name(title) == name


def test_counts_are_worded() -> None:
    """One is singular, many plural, thousands are parted."""
    assert [count(1, "paper"), count(2, "entry"), count(3, "day"), count(1300, "paper")] == [
        "1 paper",
        "2 entries",
        "3 days",
        "1,300 papers",
    ]


@pytest.mark.parametrize(
    ("zone", "words"),
    [
        ("Europe/Berlin", "Monday, Jan 12, 2026, 00:30 (Europe/Berlin)"),
        ("America/New_York", "Sunday, Jan 11, 2026, 18:30 (America/New_York)"),
        ("UTC", "Sunday, Jan 11, 2026, 23:30 (UTC)"),
    ],
)
def test_an_instant_is_worded_in_its_zone(zone: str, words: str) -> None:
    """The day and the time are those of the zone, which is named."""
    assert moment(datetime(2026, 1, 11, 23, 30, tzinfo=UTC), zone) == words


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("A kite — , — flies.", "A kite — […] — flies."),
        ("It turns into a , and it flies.", "It turns into a […], and it flies."),
        ("It flies where you can't .", "It flies where you can't […]."),
        ("They call it '' at sea.", "They call it '[…]' at sea."),
        ("It has two halves: a that pulls.", "It has two halves: a […] that pulls."),
        ("It flies. refuses to land.", "It flies. […] refuses to land."),
        (
            "Kites vs. gliders, e.g. paper ones, don't.",
            "Kites vs. gliders, e.g. paper ones, don't.",
        ),
        ("The 'string' isn't 'tail'.", "The 'string' isn't 'tail'."),
    ],
)
def test_a_lost_word_leaves_a_mark(text: str, shown: str) -> None:
    """Signs that no sentence has show where a word was lost; sound text stays as it is."""
    assert with_gaps(_EPISODE, text) == shown


@given(st.text(" ,.'aA—the", max_size=60))
def test_a_mark_adds_nothing_else(text: str) -> None:
    """Without the marks the text has the same words."""
    assert _words(with_gaps(_EPISODE, text).replace(GAP, "")) == _words(text)


def _words(text: str) -> str:
    return "".join(text.split()).replace("—,—", "——")


def test_only_reviews_lose_words() -> None:
    """A newsletter's text stays word for word."""
    assert with_gaps(paper(1), "It flies. refuses , to land.") == "It flies. refuses , to land."
