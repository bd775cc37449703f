"""Which topics rise and fall: pure, over counts of weeks."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.weeks import Week
from bot.library.trends import (
    COUNTED_WEEKS,
    EARLIER_WEEKS,
    MOVERS,
    RECENT_WEEKS,
    SHOWN_WEEKS,
    trends_of,
    weeks_to,
)
from store.library.statistics import WeekCount, WeeklyCounts

LAST = Week(2026, 2)
_TOPICS = ("agents", "code", "data", "math", "safety", "video", "vision")


def _counted(*papers: tuple[int, int] | None, topic: str = "agents") -> WeeklyCounts:
    """Count (with the topic, all) of weeks that end with the last one, `None` without papers."""
    weeks = zip(weeks_to(LAST, len(papers)), papers, strict=True)
    found = (WeekCount(w.name, each[1], {topic: each[0]}) for w, each in weeks if each)
    return WeeklyCounts(tuple(found), ("dair",))


def test_weeks_end_with_the_one_that_is_named() -> None:
    """They stand in order, over the end of a year too."""
    assert [week.name for week in weeks_to(LAST, 4)] == [
        "2025-W51", "2025-W52", "2026-W01", "2026-W02",
    ]  # fmt: skip


def test_a_share_is_of_the_papers_of_four_weeks() -> None:
    """Counts are added up, so that a week with more papers weighs more; the first has fewer."""
    counts = _counted((1, 10), (0, 10), (5, 10), (2, 70), (0, 10))
    [found] = trends_of(counts, LAST, ["agents"]).topics
    assert found.shares == (0.1, 1 / 20, 6 / 30, 8 / 100, 7 / 100)
    assert found.single == (0.1, 0.0, 0.5, 2 / 70, 0.0)
    assert (found.recent, found.recent_papers) == (Fraction(7, 100), 100)


def test_a_week_without_papers_is_a_gap() -> None:
    """It has no point, adds nothing to the weeks after it, and is no share of zero."""
    counts = _counted((4, 10), None, None, (2, 10))
    found = trends_of(counts, LAST, ["agents", "code"])
    agents, code = found.topics
    assert agents.shares == (0.4, None, None, 6 / 20)
    assert agents.single == (0.4, None, None, 0.2)
    assert code.shares == (0.0, None, None, 0.0)
    assert (found.recent_weeks, found.earlier_weeks) == (2, 0)


def test_the_last_four_weeks_are_compared_with_the_twelve_before() -> None:
    """Older weeks do not count, and nearer ones count on one side only."""
    twelve = [(3, 10)] * EARLIER_WEEKS
    counts = _counted((10, 10), *twelve, *[(1, 10)] * RECENT_WEEKS)
    found = trends_of(counts, LAST, ["agents"])
    [agents] = found.topics
    assert (agents.recent, agents.earlier) == (Fraction(1, 10), Fraction(3, 10))
    assert (agents.recent_papers, agents.earlier_papers, agents.change) == (40, 120, -20)
    assert (found.recent_weeks, found.earlier_weeks, found.is_compared) == (4, 12, True)


def test_nothing_before_is_nothing_to_compare_with() -> None:
    """Then the change is none, and the topics of the greatest shares stand first."""
    weeks = (WeekCount(LAST.name, 10, {"code": 2, "agents": 2, "math": 5}),)
    found = trends_of(WeeklyCounts(weeks, ("dair",)), LAST)
    assert [each.topic for each in found.topics] == ["math", "agents", "code"]
    assert not found.is_compared
    assert {(each.earlier, each.change) for each in found.topics} == {(None, 0)}


def test_those_that_moved_most_stand_first_whichever_way() -> None:
    """Five of them, equals by their slug; one that is no longer there has moved too."""
    before = {"video": 10, "agents": 1, "code": 3, "data": 3, "math": 2, "safety": 2}
    after = {"agents": 9, "code": 5, "data": 1, "math": 3, "safety": 3}
    weeks = (WeekCount("2025-W50", 20, before), WeekCount(LAST.name, 20, after))
    found = trends_of(WeeklyCounts(weeks, ("dair",)), LAST).topics
    assert [(each.topic, each.change) for each in found] == [
        ("video", -50), ("agents", 40), ("code", 10), ("data", -10), ("math", 5),
    ]  # fmt: skip


def test_equal_changes_are_equal_whatever_they_are_of() -> None:
    """2 of 20 less 1 of 60 is 5 of 60, so these two stand by their slugs."""
    weeks = (
        WeekCount("2025-W50", 60, {"robotics": 1, "evaluation": 5}),
        WeekCount(LAST.name, 20, {"robotics": 2}),
    )
    found = trends_of(WeeklyCounts(weeks, ("dair",)), LAST).topics
    assert [(each.topic, each.moved) for each in found] == [
        ("evaluation", Fraction(-1, 12)),
        ("robotics", Fraction(1, 12)),
    ]


def test_less_than_one_paper_is_no_change() -> None:
    """Of 20 papers one is five points: what moved by fewer says nothing of the topic."""
    weeks = (
        WeekCount("2025-W50", 60, {"agents": 19, "code": 18, "math": 6}),
        WeekCount(LAST.name, 20, {"agents": 6, "code": 7, "math": 1}),
    )
    found = trends_of(WeeklyCounts(weeks, ("dair",)), LAST).topics
    assert {each.topic: each.change for each in found} == {"agents": 0, "code": 5, "math": -5}


def test_the_change_is_that_of_the_shares_as_they_are_shown() -> None:
    """From 12% to 13% is one point, though 0.124 to 0.126 is a fifth of one."""
    counts = _counted((124, 1000), *[None] * 3, (126, 1000))
    [found] = trends_of(counts, LAST, ["agents"]).topics
    assert found.change == 1


def test_weeks_before_the_first_are_not_shown() -> None:
    """A store of a few weeks has a picture of these; a longer one of the last 26."""
    for stored, shown in ((1, 1), (5, 5), (SHOWN_WEEKS, SHOWN_WEEKS), (COUNTED_WEEKS, SHOWN_WEEKS)):
        found = trends_of(_counted(*[(1, 10)] * stored), LAST)
        assert found.weeks == weeks_to(LAST, shown)
    gap = trends_of(_counted((1, 10), *[None] * 20, (1, 10)), LAST)
    assert gap.weeks == weeks_to(LAST, 22)


def test_the_first_point_is_of_four_weeks_too() -> None:
    """Three weeks more are counted than are shown."""
    counts = _counted((8, 10), *[(0, 10)] * (COUNTED_WEEKS - 1))
    [found] = trends_of(counts, LAST, ["agents"]).topics
    assert found.shares[0] == 8 / 40
    assert set(found.shares[1:]) == {0.0}


_WEEK = st.none() | st.integers(1, 40).flatmap(
    lambda papers: st.tuples(
        st.just(papers), st.dictionaries(st.sampled_from(_TOPICS), st.integers(0, papers))
    )
)


@given(
    earlier=st.lists(_WEEK, max_size=COUNTED_WEEKS - 1),
    last=_WEEK.filter(bool),
    asked=st.lists(st.sampled_from(_TOPICS), unique=True),
)
def test_what_holds_of_any_weeks(
    earlier: list[tuple[int, dict[str, int]] | None],
    last: tuple[int, dict[str, int]],
    asked: list[str],
) -> None:
    """Points are where papers are, shares are shares, and the end of a curve is the last share."""
    weeks = zip(weeks_to(LAST, len(earlier) + 1), (*earlier, last), strict=True)
    counts = tuple(WeekCount(week.name, *each) for week, each in weeks if each)
    found = trends_of(WeeklyCounts(counts, ("dair",)), LAST, asked)
    stored = {each.week for each in counts}
    if asked:
        assert [each.topic for each in found.topics] == asked
    else:
        moved = [abs(each.recent - (each.earlier or 0)) for each in found.topics]
        assert moved == sorted(moved, reverse=True)
        assert len(moved) <= MOVERS
    for each in found.topics:
        for points in (each.shares, each.single):
            there = [point is not None for point in points]
            assert there == [week.name in stored for week in found.weeks]
            assert all(0 <= point <= 1 for point in points if point is not None)
        assert each.shares[-1] == float(each.recent)
        assert each.change == 0 or abs(each.moved) * each.recent_papers >= 1
        assert (each.earlier is None) == (not found.is_compared)
