"""Labels beside each other: apart, in order, and near where they belong."""

from itertools import pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

from bot.plots.drawing import label_heights

_PLACES = st.lists(st.floats(0, 400, allow_nan=False), max_size=8)


def test_what_is_apart_stays_where_it_is() -> None:
    """Nothing is moved without need, and nothing is no trouble."""
    assert label_heights([10, 90, 50], 20, 0, 100) == [10, 90, 50]
    assert label_heights([], 20, 0, 100) == []


def test_what_is_too_near_makes_room_both_ways() -> None:
    """Two at one place stand half a gap above and below it, the first that is given below."""
    assert label_heights([50, 50], 20, 0, 100) == [40, 60]
    assert label_heights([50, 54, 90], 20, 0, 100) == [42, 62, 90]


def test_nothing_leaves_the_bounds() -> None:
    """At an edge all the room is made on the other side."""
    assert label_heights([0, 0, 0], 20, 0, 100) == [0, 20, 40]
    assert label_heights([100, 100, 3], 20, 0, 100) == [80, 100, 3]


def test_too_many_share_what_room_there_is() -> None:
    """They stand evenly, from one bound to the other."""
    assert label_heights([5, 6, 7, 8, 9], 40, 0, 100) == [0, 25, 50, 75, 100]


@given(wanted=_PLACES, gap=st.floats(1, 60))
def test_what_holds_of_any_places(wanted: list[float], gap: float) -> None:
    """In order, inside, and apart by the gap or by an even share of the room."""
    places = label_heights(wanted, gap, 0, 400)
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    least = min(gap, 400 / max(1, len(wanted) - 1))
    assert all(-1e-6 <= place <= 400 + 1e-6 for place in places)
    assert all(places[b] - places[a] >= least - 1e-6 for a, b in pairwise(order))


@given(wanted=_PLACES, gap=st.floats(1, 60), other=st.lists(st.floats(-20, 20), min_size=8))
def test_no_other_places_are_nearer(wanted: list[float], gap: float, other: list[float]) -> None:
    """Whatever is moved a little and still apart and inside is no nearer to the wanted places."""
    assume((len(wanted) - 1) * gap <= 400)
    places = label_heights(wanted, gap, 0, 400)
    moved = [place + by for place, by in zip(places, other, strict=False)]
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    assume(all(0 <= place <= 400 for place in moved))
    assume(all(moved[b] - moved[a] >= gap for a, b in pairwise(order)))
    assert _far(moved, wanted) >= _far(places, wanted) - 1e-6


def _far(places: list[float], wanted: list[float]) -> float:
    return sum((place - want) ** 2 for place, want in zip(places, wanted, strict=True))
