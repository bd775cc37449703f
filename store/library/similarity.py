"""Similarity of entries: the cosine of their stems and topics, weighted by rarity. Pure."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from store.records import Highlight
from store.search.query import STOP_WORDS
from store.search.weights import rarity
from store.text import stem, tokens

# Features, stems and topics, with their weights. The name of a topic follows a sign that no stem
# has, so that it never counts as a word.
Vector = Mapping[str, float]
_TOPIC = "#"

# No title of the archive has more than 120 characters, no other text of an entry more than 2,300;
# further words of a stranger's would only cost time.
_LONGEST_TITLE, _LONGEST, _MOST_WORDS = 300, 3000, 200
_MOST_FEATURES = 10_000
# Among a few entries every word is frequent; it counts as if it had been met among so many.
_FEWEST = 400
# With these 40 papers had the most sensible neighbours (`tests/data/related_judgements.toml`).
_TITLE_TIMES = 2
_TOPIC_WEIGHT = 1.5


@dataclass(frozen=True, slots=True)
class Description:
    """The parts of an entry that tell what its paper is about."""

    title: str
    summary: str | None
    highlights: tuple[Highlight, ...]
    heading: str | None
    topics: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Weights of features, which grow with their rarity; `unknown` is that of all others.

    It is compared by identity, so that what is computed by it can be cached by it.
    """

    known: Mapping[str, float]
    unknown: float

    def vector(self, description: Description) -> Vector:
        """Return the features of an entry, weighted and of length 1."""
        known, unknown = self.known, self.unknown
        weighted = {
            feature: weight * known.get(feature, unknown)
            for feature, weight in _features(description).items()
        }
        length = math.hypot(*weighted.values()) or 1
        return {feature: weight / length for feature, weight in weighted.items()}


def weights(descriptions: Iterable[Description]) -> Weights:
    """Return the weights of features by how many of these entries have them.

    Each is the square root of the rarity, which so counts once where two vectors are multiplied.
    """
    number: Counter[str] = Counter()
    entries = 0
    for description in descriptions:
        entries += 1
        number.update(_features(description).keys())
        if len(number) > _MOST_FEATURES:
            break
    among = max(entries, _FEWEST)
    rare = {count: math.sqrt(rarity(count, among)) for count in {0, *number.values()}}
    return Weights({feature: rare[count] for feature, count in number.items()}, rare[0])


def words(description: Description) -> dict[str, int]:
    """Return the folded words of an entry that may tell something, by how often they occur."""
    bullets = (f"{bullet.lead or ''} {bullet.text}" for bullet in description.highlights)
    text = " ".join([description.heading or "", description.summary or "", *bullets])
    title = tokens(description.title[:_LONGEST_TITLE])
    found = Counter([*title * _TITLE_TIMES, *tokens(text[:_LONGEST])])
    telling = (word for word in found if word not in STOP_WORDS and not word.isdigit())
    return {word: found[word] for word in islice(telling, _MOST_WORDS)}


def cosine(one: Vector, other: Vector) -> float:
    """Return how much alike two vectors of length 1 are, from 0 to 1."""
    return math.fsum([one[feature] * other[feature] for feature in one.keys() & other.keys()])


def _features(description: Description) -> dict[str, float]:
    times: dict[str, int] = {}
    for word, number in words(description).items():
        stemmed = stem(word)
        times[stemmed] = times.get(stemmed, 0) + number
    stems = {each: 1 + math.log(number) for each, number in times.items()}
    return stems | dict.fromkeys(map(_TOPIC.__add__, description.topics), _TOPIC_WEIGHT)
