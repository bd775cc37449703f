"""Profiles of readers, and what is picked for them; papers are of four subjects, made up."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.library.profile import Pick, outside_slots, pick, profile
from store.library import similarity
from store.library.similarity import Description
from store.readers.history import Signal, SignalKind
from store.records import Mention
from tests.bot.posting.digest.editions import paper, week

NOW = datetime(2026, 3, 2, 8, tzinfo=UTC)
_DAY = timedelta(days=1)
_SUBJECTS = {
    "kites": "kite string wind tail glider meadow gust spool ribbon launch",
    "bread": "dough yeast oven crust flour knead loaf rye baker proofing",
    "tides": "moon harbour ebb current shore basin gauge surge estuary reef",
    "clocks": "pendulum gear escapement spring dial chime winding tooth minute case",
}


def _paper(subject: str, number: int) -> Mention:
    """Return a paper of a subject; its number tells it from all others."""
    words = _SUBJECTS[subject].split()
    turned = words[number % 10 :] + words[: number % 10]
    entry = paper(
        number,
        f"{subject.upper()}{number}: On {' '.join(turned[:3])}",
        subject,
        summary=f"About {' '.join(turned[:7])}.",
        highlights=(),
    )
    return Mention(number, week(), entry)


KITES = [_paper("kites", number) for number in range(1, 21)]
BREAD = [_paper("bread", number) for number in range(21, 41)]
TIDES = [_paper("tides", number) for number in range(41, 61)]
CLOCKS = [_paper("clocks", number) for number in range(61, 81)]
ALL = [each for four in zip(KITES, BREAD, TIDES, CLOCKS, strict=True) for each in four]
WEIGHTS = similarity.weights(
    Description(each.entry.title, each.entry.summary, (), None, each.entry.topics) for each in ALL
)


def _signal(mention: Mention, kind: SignalKind = SignalKind.SAVED, days: float = 0) -> Signal:
    return Signal(kind, mention, NOW - days * _DAY)


def _picked(signals: list[Signal], candidates: list[Mention], size: int = 10) -> tuple[Pick, ...]:
    return pick(profile(signals, NOW, WEIGHTS), candidates, size)


def _papers(picks: tuple[Pick, ...]) -> list[Mention]:
    return [each.mention for each in picks]


def test_papers_like_those_saved_come_first_each_with_its_reason() -> None:
    """Papers of the subject that was saved come before newer ones, and the paper saved is named."""
    picks = _picked([_signal(KITES[0])], [*BREAD[:2], *KITES[1:3]], 2)
    assert set(_papers(picks)) == {KITES[1], KITES[2]}
    assert {each.reason for each in picks} == {"because you saved KITES1"}


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (SignalKind.NOTED, "because you noted KITES1"),
        (SignalKind.SAVED, "because you saved KITES1"),
        (SignalKind.VOTED, "because you voted for KITES1"),
        (SignalKind.OPENED, "because you opened KITES1"),
    ],
)
def test_a_reason_says_what_the_reader_did(kind: SignalKind, reason: str) -> None:
    """The reason is true of the kind of signal."""
    [only] = _picked([_signal(KITES[0], kind)], [KITES[1]])
    assert only == Pick(KITES[1], reason)


def test_a_topic_is_a_reason_where_no_paper_is_near() -> None:
    """Papers that share a topic alone are explained by it once the reader has two with it."""
    bare = replace(CLOCKS[0], entry=replace(BREAD[0].entry, topics=("agents",)))
    tagged = [
        replace(each, entry=replace(each.entry, topics=("agents",), ref=f"x{each.paper_id}"))
        for each in (KITES[0], TIDES[0])
    ]
    signals = [_signal(tagged[0]), _signal(tagged[1], SignalKind.OPENED)]
    rare = replace(WEIGHTS, known={**WEIGHTS.known, "#agents": 0.5})
    [one] = pick(profile(signals[:1], NOW, rare), [bare], 1)
    [two] = pick(profile(signals, NOW, rare), [bare], 1)
    assert one == Pick(bare, "new in dair")
    assert two == Pick(bare, "because you saved or opened 2 papers on Agents")


def test_the_plain_order_is_kept_without_a_profile() -> None:
    """Who did nothing yet gets the first papers in the plain order, none of them marked."""
    assert _picked([], ALL, 5) == tuple(Pick(each, "new in dair") for each in ALL[:5])


def test_old_signals_weigh_less() -> None:
    """Of two papers saved the newer one decides which comes first."""
    candidates = [KITES[1], BREAD[1]]
    for old, new in ((KITES, BREAD), (BREAD, KITES)):
        first, _ = _picked([_signal(old[0], days=200), _signal(new[0], days=2)], candidates, 2)
        assert first.mention == new[1]


def test_a_note_weighs_more_than_a_save_a_vote_and_an_opening() -> None:
    """Of two papers the one with the stronger signal decides which comes first."""
    order = [SignalKind.NOTED, SignalKind.SAVED, SignalKind.VOTED, SignalKind.OPENED]
    for stronger, weaker in pairwise(order):
        signals = [_signal(KITES[0], weaker), _signal(BREAD[0], stronger)]
        first, _ = _picked(signals, [KITES[1], BREAD[1]], 2)
        assert first.mention == BREAD[1]


def test_papers_like_dismissed_ones_come_last() -> None:
    """They come after all others, with a profile and without one."""
    dismissed = _signal(BREAD[0], SignalKind.DISMISSED)
    candidates = [BREAD[1], TIDES[0], CLOCKS[0]]
    assert _papers(_picked([dismissed], candidates)) == [TIDES[0], CLOCKS[0], BREAD[1]]
    picks = _picked([dismissed, _signal(CLOCKS[1])], candidates)
    assert _papers(picks) == [CLOCKS[0], BREAD[1], TIDES[0]]
    assert [each.outside for each in picks] == [False, False, True]


def test_a_dismissal_is_more_than_an_opening_and_less_than_a_save() -> None:
    """Of several signals of one paper the strongest counts."""
    opened, dismissed, saved = (
        _signal(KITES[0], kind)
        for kind in (SignalKind.OPENED, SignalKind.DISMISSED, SignalKind.SAVED)
    )
    candidates = [KITES[1], BREAD[0]]
    assert _papers(_picked([opened, dismissed], candidates)) == [BREAD[0], KITES[1]]
    assert _papers(_picked([saved, dismissed], candidates)) == [KITES[1], BREAD[0]]


def test_a_smaller_interest_has_its_share() -> None:
    """With a quarter of the saves a subject has about a quarter of what is picked."""
    signals = [*map(_signal, KITES[:6]), *map(_signal, BREAD[:2])]
    picks = _picked(signals, ALL, 10)
    inside = [each.mention.entry.topics for each in picks if not each.outside]
    assert [inside.count(("kites",)), inside.count(("bread",))] == [6, 2]


@pytest.mark.parametrize(
    ("size", "slots"),
    [
        (0, ()), (1, ()), (2, ()), (3, (2,)), (4, (3,)), (5, (4,)), (7, (4,)), (8, (4, 7)),
        (10, (4, 9)), (12, (4, 9)), (13, (4, 9, 12)), (20, (4, 9, 14, 19)),
    ],
)  # fmt: skip
def test_two_of_ten_are_from_outside(size: int, slots: tuple[int, ...]) -> None:
    """Each fifth paper is, in smaller lists in proportion, and none of fewer than three."""
    assert outside_slots(size) == slots


def test_what_is_from_outside_is_the_best_of_the_plain_order() -> None:
    """It is what the profile says nothing for, and comes in the plain order."""
    picks = _picked([*map(_signal, KITES[:3])], ALL)
    assert [each for each in picks if each.outside] == [
        Pick(each, "new in dair", outside=True) for each in (BREAD[0], TIDES[0])
    ]


def test_where_all_is_inside_the_least_alike_is_from_outside() -> None:
    """Readers of everything have papers from outside too."""
    signals = [_signal(each[0]) for each in (KITES, KITES[1:], BREAD, TIDES)]
    signals.append(_signal(CLOCKS[0], SignalKind.OPENED))
    picks = _picked(signals, [CLOCKS[1], KITES[2], BREAD[1], TIDES[1]])
    assert picks[3] == Pick(CLOCKS[1], "new in dair", outside=True)
    assert [each.outside for each in picks[:3]] == [False] * 3


_SIGNALS = st.lists(
    st.builds(
        _signal, st.sampled_from(ALL), st.sampled_from(SignalKind), st.floats(-10, 900)
    ),
    max_size=30,
)  # fmt: skip
_CANDIDATES = st.lists(st.sampled_from(ALL), max_size=60)


@given(signals=_SIGNALS, candidates=_CANDIDATES, size=st.integers(0, 25), other=st.randoms())
def test_picks_are_new_explained_and_the_same_again(
    signals: list[Signal], candidates: list[Mention], size: int, other: Random
) -> None:
    """Each paper is there once, has a reason, and is none of the reader's; a fifth is outside.

    The order of signals does not matter.
    """
    picks = _picked(signals, candidates, size)
    papers = [each.mention.paper_id for each in picks]
    own = {each.mention.paper_id for each in signals}
    eligible = {each.paper_id for each in candidates} - own
    assert len(set(papers)) == len(papers) == min(size, len(eligible))
    assert eligible.issuperset(papers)
    assert all(each.reason for each in picks)
    outside = tuple(place for place, each in enumerate(picks) if each.outside)
    assert outside in {(), outside_slots(len(picks))}
    assert bool(outside) or not profile(signals, NOW, WEIGHTS).liked or len(picks) < 3
    shuffled = list(signals)
    other.shuffle(shuffled)
    assert _picked(shuffled, candidates, size) == picks
