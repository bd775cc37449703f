"""Choose search words, rare and common ones, that occur together in stored titles."""

import random
from itertools import islice
from pathlib import Path

from store.search import SearchQuery, significant
from tests.benchmarks.inputs import sqlite

_TRIES = 20  # for each question that is wanted


def search_commands(store: Path, number: int) -> list[str]:
    """Return so many different `search` commands of one to four words."""
    found = questions(store, number, most_words=4)
    return [f"search {' '.join(query.words)}" for query in found]


def questions(store: Path, number: int, most_words: int = 3) -> list[SearchQuery]:
    """Return so many different searches of up to three words, the same for the same store.

    A word is as likely as it is frequent in titles.

    Raises:
        ValueError: if the store's titles don't hold as many.
    """
    with sqlite.connected(store) as connection:
        titles = connection.execute("SELECT title_key FROM entry WHERE title_key <> '' ORDER BY id")
        keys = [significant(key.split()) for (key,) in titles]
    chance = random.Random(7)  # noqa: S311 - a sample, not a secret
    found: dict[frozenset[str], SearchQuery] = {}
    for words in chance.choices(keys, k=_TRIES * number):
        length = min(len(words), chance.randint(1, most_words))
        asked = tuple(chance.sample(words, length))
        found.setdefault(frozenset(asked), SearchQuery(words=asked))
    if len(found) < number:
        raise ValueError(f"{store} has too few titles for {number} questions")
    return list(islice(found.values(), number))
