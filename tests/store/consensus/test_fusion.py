"""Fusion: what reciprocal ranks make of several lists, worked by hand and held by properties."""

from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from store.consensus.fusion import Vote, by_edition, count_agreed, disputed, merge_rankings

MONDAY = date(2026, 1, 5)


def _list(source: str, *papers: int, ranked: bool = True, first_day: date = MONDAY) -> list[Vote]:
    """Return the votes of an edition that has papers in this order."""
    start = 1000 * (sum(map(ord, source)) + first_day.toordinal())
    return [
        Vote(paper, start + place, source, first_day, place, place + 1 if ranked else None)
        for place, paper in enumerate(papers)
    ]


def _papers(votes: list[Vote]) -> list[int]:
    return [paper.best.paper for paper in merge_rankings(votes)]


def test_reciprocal_ranks_are_summed() -> None:
    """What two sources have comes before what one has, even as its first.

    Paper 2 gets 1/62 + 1/61 = 0.0325, paper 1 gets 1/61 = 0.0164, paper 3 gets 1/62 = 0.0161.
    """
    assert _papers([*_list("dair", 1, 2), *_list("hf-daily", 2, 3)]) == [2, 1, 3]


def test_two_low_ranks_outweigh_one_high_one() -> None:
    """Two tenth places, 2/70 = 0.0286, are more than a first one, 1/61 = 0.0164."""
    first = _list("dair", *range(1, 10), 99)
    second = _list("other", *range(11, 20), 99)
    assert _papers([*first, *second])[0] == 99


def test_what_has_no_rank_stands_in_the_middle_of_its_list() -> None:
    """Of five episodes each counts as the third: 1/63 is less than 1/62 and more than 1/64."""
    episodes = _list("paperdive", 11, 12, 13, 14, 15, ranked=False)
    fused = _papers([*_list("dair", 1, 2, 3, 4), *episodes])
    assert fused == [1, 2, 3, 11, 12, 13, 14, 15, 4]


def test_a_median_may_lie_between_two_ranks() -> None:
    """Of four episodes each counts as 2.5: 1/62.5 lies between 1/62 and 1/63."""
    episodes = _list("paperdive", 11, 12, 13, 14, ranked=False)
    assert _papers([*_list("dair", 1, 2, 3), *episodes]) == [1, 2, 11, 12, 13, 14, 3]


def test_several_editions_of_a_source_are_one_list() -> None:
    """A paper that a source has twice in a week counts once, by its best rank.

    Paper 3 gets 1/61 for its second edition's first rank and nothing for the first's third.
    """
    later = MONDAY + timedelta(days=3)
    votes = [*_list("dair", 1, 2, 3), *_list("dair", 3, 4, first_day=later)]
    fused = merge_rankings(votes)
    assert [paper.best.paper for paper in fused] == [3, 1, 4, 2]
    assert [len(paper.votes) for paper in fused] == [1, 1, 1, 1]
    assert [len(paper.votes) for paper in merge_rankings(votes, by_edition)] == [2, 1, 1, 1]


def test_equal_sums_go_to_more_sources() -> None:
    """Three ninetieth ranks and two fortieth ones give the same: 3/150 = 2/100."""
    three = [replace(vote, rank=90) for slug in ("a", "b", "c") for vote in _list(slug, 1)]
    two = [replace(vote, rank=40) for slug in ("d", "e") for vote in _list(slug, 2)]
    assert _papers([*two, *three]) == [1, 2]


def test_equal_sums_of_as_many_go_to_the_higher_rank_then_to_precedence() -> None:
    """A rank comes before a median of the same worth; dair before paperdive, hf-daily, others."""
    slugs = ("zeta", "alpha", "hf-daily", "paperdive", "dair")
    votes = [vote for number, slug in enumerate(slugs) for vote in _list(slug, number)]
    shown = [paper.best.source for paper in merge_rankings(votes)]
    assert shown == ["dair", "paperdive", "hf-daily", "alpha", "zeta"]
    assert _papers([*_list("paperdive", 5, ranked=False), *_list("zeta", 7)]) == [7, 5]


def test_equal_papers_of_one_source_stand_newest_first_and_as_printed() -> None:
    """Episodes keep the order of their edition, those of a newer one come before."""
    later = MONDAY + timedelta(days=3)
    old = _list("paperdive", 4, 2, 9, ranked=False)
    new = _list("paperdive", 7, 1, ranked=False, first_day=later)
    assert _papers([*old, *new]) == [7, 1, 4, 2, 9]


def test_a_paper_is_shown_as_the_source_has_it_that_ranks_it_highest() -> None:
    """The best rank decides, a rank before none, and of equal ones precedence."""
    votes = [
        *_list("dair", 1, 2, 3),
        *_list("hf-daily", 3, 2, 1),
        *_list("paperdive", 1, 4, ranked=False),
    ]
    shown = {paper.best.paper: paper.best.source for paper in merge_rankings(votes)}
    assert shown == {1: "dair", 2: "dair", 3: "hf-daily", 4: "paperdive"}


def test_agreed_is_what_more_than_one_source_has() -> None:
    """Two editions of one source don't agree with each other."""
    later = MONDAY + timedelta(days=2)
    votes = [*_list("dair", 1, 2), *_list("dair", 2, first_day=later), *_list("other", 1)]
    assert count_agreed(merge_rankings(votes)) == 1


def test_disputed_is_what_stands_high_here_and_low_there() -> None:
    """The first of three stands at 0, the second at 1/2, the last at 1, in any ranking.

    Paper 1 is first of three and last of five: distance 1. Paper 2 is second of three and first
    of five: 1/2. Paper 3 is last of three and fourth of five: 1 - 3/4 = 1/4. A source that ranks
    nothing has no say.
    """
    votes = [
        *_list("dair", 1, 2, 3),
        *_list("hf-daily", 2, 7, 8, 3, 1),
        *_list("paperdive", 7, 8, ranked=False),
    ]
    assert [paper.best.paper for paper in disputed(merge_rankings(votes), 3)] == [1, 2, 3]
    assert [paper.best.paper for paper in disputed(merge_rankings(votes), 1)] == [1]


def test_nothing_is_disputed_where_all_say_the_same() -> None:
    """No distance is no dispute, and of one ranking alone there is none."""
    assert disputed(merge_rankings([*_list("dair", 1, 2), *_list("other", 1, 2)]), 3) == []
    assert (
        disputed(merge_rankings([*_list("dair", 1, 2), *_list("e", 2, 1, ranked=False)]), 3) == []
    )


_EDITIONS = st.lists(
    st.tuples(
        st.sampled_from(["dair", "paperdive", "hf-daily", "alpha", "zeta"]),
        st.integers(0, 2),
        st.booleans(),
        st.lists(st.integers(1, 12), min_size=1, max_size=8),
    ),
    max_size=6,
    unique_by=lambda each: each[:2],
)


def _votes(editions: list[tuple[str, int, bool, list[int]]]) -> list[Vote]:
    return [
        vote
        for slug, day, ranked, papers in editions
        for vote in _list(slug, *papers, ranked=ranked, first_day=MONDAY + timedelta(days=day))
    ]


@given(_EDITIONS.flatmap(lambda made: st.tuples(st.just(made), st.permutations(_votes(made)))))
def test_the_order_of_votes_never_matters(
    made: tuple[list[tuple[str, int, bool, list[int]]], list[Vote]],
) -> None:
    """Sources and entries may come in any order: what is fused of them is the same."""
    editions, shuffled = made
    assert merge_rankings(shuffled) == merge_rankings(_votes(editions))
    assert merge_rankings(shuffled, by_edition) == merge_rankings(_votes(editions), by_edition)
    assert disputed(merge_rankings(shuffled), 3) == disputed(merge_rankings(_votes(editions)), 3)


@given(_EDITIONS)
def test_sums_are_those_of_fractions(editions: list[tuple[str, int, bool, list[int]]]) -> None:
    """The order is that of the exact sums of 1 / (60 + rank), and each paper stands in it once."""
    votes = _votes(editions)
    sizes: dict[str, set[int]] = {}
    for vote in votes:
        sizes.setdefault(vote.source, set()).add(vote.paper)

    def given_by(vote: Vote) -> Fraction:
        middle = Fraction(len(sizes[vote.source]) + 1, 2)
        return 1 / (60 + (middle if vote.rank is None else Fraction(vote.rank)))

    fused = merge_rankings(votes)
    sums = [sum(map(given_by, paper.votes)) for paper in fused]
    assert sums == sorted(sums, reverse=True)
    assert sorted(p.best.paper for p in fused) == sorted({vote.paper for vote in votes})
    for paper in fused:
        for best in paper.votes:
            own = [v for v in votes if (v.paper, v.source) == (best.paper, best.source)]
            assert best.rank == min((v.rank for v in own if v.rank), default=None)
