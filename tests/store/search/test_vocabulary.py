"""The file of words that a search takes for each other."""

from store.search.query import STOP_WORDS
from store.search.vocabulary import everyday, everyday_lines, stems, synonyms
from store.text import fold


def test_the_lines_are_in_order() -> None:
    """Both tables stand in the order of the alphabet, each word as a search folds it."""
    for table in (synonyms(), everyday_lines()):
        assert list(table) == sorted(table)
        assert all(words == fold(words) for words in table)
    terms = [*synonyms().values(), *(term for line in everyday_lines().values() for term in line)]
    assert all(term == fold(term) for term in terms)


def test_no_line_is_of_no_use() -> None:
    """No two lines share their stems, none repeats itself, and none is made of stop words."""
    assert len(everyday()) == len(everyday_lines())
    for words, terms in everyday_lines().items():
        runs = [stems(tuple(run.split())) for run in (words, *terms)]
        assert len(set(runs)) == len(runs) > 1, words
        assert not STOP_WORDS.issuperset(words.split()), words
