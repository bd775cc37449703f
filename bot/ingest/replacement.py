"""The check that a document does not replace most papers of a stored week. All pure.

An entry of the stored edition and one of the document are of one paper if they share, best first,

    the title | an arXiv id or DOI | a link or the name before a colon
        | words of the title | words of all texts

where the title and the ids suffice by themselves, and entries with different arXiv ids must have
nearly the same text. A feature that several entries of one edition share identifies none of them.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlsplit

from bot.domain import paper_ids
from bot.domain.drafts import EntryDraft
from store.text import name_key, title_key, tokens

# Shorter words, and numbers, identify nothing.
_SHORTEST_WORD = 3
# One site, and one post there, under several addresses.
_HOSTS = {"twitter.com": "x.com", "mobile.twitter.com": "x.com"}
_POST = re.compile(r"/status/\d+")


@dataclass(frozen=True, slots=True)
class Replacement:
    """The number of papers that would be replaced, of all, and the titles of the first pair."""

    gone: int
    total: int
    stored: str
    new: str


_Extract = Callable[[EntryDraft], Iterable[str]]


class _Stage(NamedTuple):
    """The features of two entries that are of one paper if they share enough of them.

    They share at least `least` features and `part` of the shorter text's, or, where their arXiv ids
    differ, `part_of_longer`. Vague features are compared only while less than half is paired.
    """

    extract: _Extract
    least: int = 1
    part: float = 0.0
    part_of_longer: float = 0.0
    is_vague: bool = False


def find_replacement(before: Sequence[EntryDraft], now: Sequence[EntryDraft]) -> Replacement | None:
    """Return the replacement if more than half of an edition's papers would be other ones.

    Ranks don't count, and a paper that is only missing is not replaced.
    """
    pairs = _pairs(before, now)
    gone = [entry for place, entry in enumerate(before) if place not in pairs]
    kept = set(pairs.values())
    came = [entry for place, entry in enumerate(now) if place not in kept]
    if not came or 2 * len(gone) <= len(before):
        return None
    new = next((entry for entry in came if _key(entry) == _key(gone[0])), came[0])
    return Replacement(len(gone), len(before), gone[0].title, new.title)


def _key(entry: EntryDraft) -> int | str | None:
    return entry.episode or entry.rank


def _pairs(before: Sequence[EntryDraft], now: Sequence[EntryDraft]) -> dict[int, int]:
    """Pair the places of entries that are of one paper, each in one pair at most."""
    ids = [frozenset(_arxiv_ids(entry)) for entry in before]
    other_ids = [frozenset(_arxiv_ids(entry)) for entry in now]
    pairs: dict[int, int] = {}
    for stage in _STAGES:
        if stage.is_vague and 2 * len(pairs) >= len(before):
            break
        features, others = _unique(before, stage.extract), _unique(now, stage.extract)
        owners = {feature: place for place, own in enumerate(others) for feature in own}
        paired = set(pairs.values())
        for place, own in enumerate(features):
            if place in pairs:
                continue
            for other, count in Counter(owners[f] for f in own if f in owners).most_common():
                sizes = len(own), len(others[other])
                differ = ids[place] and other_ids[other] and ids[place].isdisjoint(other_ids[other])
                part = stage.part_of_longer * max(sizes) if differ else stage.part * min(sizes)
                if other not in paired and stage.least <= count >= part:
                    pairs[place] = other
                    paired.add(other)
                    break
    return pairs


def _unique(entries: Iterable[EntryDraft], extract: _Extract) -> list[frozenset[str]]:
    """Return the features of each entry that no other entry has."""
    features = [frozenset(extract(entry)) for entry in entries]
    counts = Counter(feature for own in features for feature in own)
    return [frozenset(feature for feature in own if counts[feature] == 1) for own in features]


def _titles(entry: EntryDraft) -> Iterable[str]:
    return filter(None, [title_key(entry.title)])


def _arxiv_ids(entry: EntryDraft) -> Iterable[str]:
    return filter(None, (paper_ids.arxiv_id_in_url(link.url) for link in entry.links))


def _ids(entry: EntryDraft) -> Iterable[str]:
    return filter(None, [*_arxiv_ids(entry), paper_ids.doi(entry.links)])


def _links(entry: EntryDraft) -> Iterable[str]:
    """Return an entry's addresses, normalised, and the name that its title begins with."""
    name = name_key(entry.title) or title_key(entry.title)
    return [*map(_address, (link.url for link in entry.links)), *([f"name:{name}"] if name else [])]


def _address(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:  # brackets that are no address of version 6
        return url
    host = parts.netloc.lower().removeprefix("www.")
    host = _HOSTS.get(host, host)
    if host == "x.com" and (post := _POST.search(parts.path)):
        return f"{host}{post[0]}"
    return f"{host}{parts.path.rstrip('/')}?{parts.query}"


def _title_words(entry: EntryDraft) -> Iterable[str]:
    return _long(tokens(entry.title))


def _words(entry: EntryDraft) -> Iterable[str]:
    texts = [entry.title, entry.summary or ""]
    texts += [f"{highlight.lead or ''} {highlight.text}" for highlight in entry.highlights]
    return _long(tokens(" ".join(texts)))


def _long(words: Iterable[str]) -> Iterable[str]:
    return (word for word in words if len(word) >= _SHORTEST_WORD and not word.isdigit())


# The features that are compared, best first. A reworded title or text keeps so many words and such
# a part of the shorter one, the same text such a part of the longer one.
_STAGES = (
    _Stage(_titles),
    _Stage(_ids),
    _Stage(_links, part_of_longer=math.inf),
    _Stage(_title_words, least=2, part=0.5, part_of_longer=0.8, is_vague=True),
    _Stage(_words, least=4, part=0.4, part_of_longer=0.8, is_vague=True),
)
