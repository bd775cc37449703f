"""What holds enough of a query, decided without any database."""

from hypothesis import given
from hypothesis import strategies as st

from store.search.scoring import highest_scores, matching_all, matching_most, sum_scores

_SETS = st.sets(st.integers(1, 12))
_HELD = st.lists(st.tuples(_SETS, st.integers(1, 9)), min_size=1, max_size=8)


def test_a_quarter_of_the_weight_is_enough() -> None:
    """Of two words that weigh much the same either is enough, a common one beside a rare is not."""
    assert matching_most([({1}, 6), ({2}, 5)]) == {1, 2}
    assert matching_most([({1}, 6), ({2}, 1)]) == {1}


def test_of_a_description_a_few_words_are_enough() -> None:
    """Of eight words that weigh the same an entry that holds two is shown."""
    held = [({1, 2}, 1), ({1}, 1), *[({3}, 1)] * 2, *[(set[int](), 1)] * 4]
    assert matching_most(held) == {1, 3}


def test_where_nothing_holds_enough_the_most_is_shown() -> None:
    """If no entry holds a quarter, those that hold the most of what is held are shown."""
    assert matching_most([(set(), 90), ({1, 2}, 3), ({2, 3}, 3), ({4}, 5)]) == {2}


@given(_HELD)
def test_passing_over_light_words_loses_nothing(held: list[tuple[set[int], int]]) -> None:
    """The answer is the same as by weighing every entry against every word."""
    entries = {entry for holders, _ in held for entry in holders}
    weights = {e: sum(weight for holders, weight in held if e in holders) for e in entries}
    least = min(0.25 * sum(weight for _, weight in held), max(weights.values(), default=0))
    assert matching_most(held) == {entry for entry in entries if weights[entry] >= least}


@given(st.lists(_SETS, min_size=1, max_size=5))
def test_what_holds_all_stands_in_every_set(held: list[set[int]]) -> None:
    """Exactly the entries that are in each set hold all."""
    assert matching_all(held) == {e for e in range(1, 13) if all(e in each for each in held)}


def test_scores_add_up() -> None:
    """An entry's score is the sum over the words that it holds; others' don't matter."""
    assert sum_scores({1, 2}, [{1: 2.0, 3: 9.0}, {1: 0.5, 2: 1.0}]) == {1: 2.5, 2: 1.0}


def test_the_best_form_of_a_word_counts() -> None:
    """An entry that holds a word in several forms has the score of one, the highest."""
    assert highest_scores([{1: 2.0, 2: 1.0}, {1: 0.5, 3: 4.0}]) == {1: 2.0, 2: 1.0, 3: 4.0}
