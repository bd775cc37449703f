"""The check that a document does not replace most papers of a stored week. All pure.

An entry of the stored edition and one of the document are of one paper if they share, best first,

    the title | an arXiv id or DOI | a link or the name before a colon
        | words of the title | words of all texts

where the title and the ids suffice by themselves, and entries with different arXiv ids must have
nearly the same text. A feature that several entries of one edition share identifies none of them.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from bot.domain import paper_ids
from bot.domain.drafts import EntryDraft
from store.text import name_key, title_key, tokens

# A reworded title or text keeps so many words, and such a part of the shorter one.
_TITLE_WORDS, _TITLE_PART = 2, 0.5
_TEXT_WORDS, _TEXT_PART = 4, 0.4
# The same text shares such a part of the longer one.
_SAME_TEXT_PART = 0.8
# Shorter words, and numbers, identify nothing.
_SHORTEST_WORD = 3
# One site, and one post there, under several addresses.
_HOSTS = {"twitter.com": "x.com", "mobile.twitter.com": "x.com"}
_POST = re.compile(r"/status/\d+")

# The features of each entry of an edition, in its order.
_Features = Sequence[frozenset[str]]


@dataclass(frozen=True, slots=True)
class Replacement:
    """The number of papers that would be replaced, of all, and the titles of the first pair."""

    gone: int
    total: int
    stored: str
    new: str


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
    arxiv = _features(before, _arxiv_ids), _features(now, _arxiv_ids)

    def differ(place: int, other: int) -> bool:
        one, two = arxiv[0][place], arxiv[1][other]
        return bool(one and two) and one.isdisjoint(two)

    def share(part: float, least: int, features: tuple[_Features, _Features]) -> _IsSame:
        def is_same(place: int, other: int, shared: int) -> bool:
            sizes = len(features[0][place]), len(features[1][other])
            if differ(place, other):
                return least <= shared >= _SAME_TEXT_PART * max(sizes)
            return least <= shared >= part * min(sizes)

        return is_same

    pairs: dict[int, int] = {}
    for extract in (_titles, _ids):
        _pair(pairs, (_unique(before, extract), _unique(now, extract)), lambda *_: True)
    features = _unique(before, _links), _unique(now, _links)
    _pair(pairs, features, lambda place, other, _: not differ(place, other))
    if 2 * len(pairs) < len(before):
        for extract, part, least in (
            (_title_words, _TITLE_PART, _TITLE_WORDS),
            (_words, _TEXT_PART, _TEXT_WORDS),
        ):
            features = _unique(before, extract), _unique(now, extract)
            _pair(pairs, features, share(part, least, features))
    return pairs


# Tells whether two entries, by their places, are of one paper if they share so many features.
_IsSame = Callable[[int, int, int], bool]
_Extract = Callable[[EntryDraft], Iterable[str]]


def _pair(pairs: dict[int, int], features: tuple[_Features, _Features], is_same: _IsSame) -> None:
    """Pair each entry that is not paired yet with the one that it shares most features with."""
    owners = {feature: place for place, own in enumerate(features[1]) for feature in own}
    paired = set(pairs.values())
    for place, own in enumerate(features[0]):
        if place in pairs:
            continue
        shared = Counter(owners[feature] for feature in own if feature in owners)
        for other, count in shared.most_common():
            if other not in paired and is_same(place, other, count):
                pairs[place] = other
                paired.add(other)
                break


def _features(entries: Iterable[EntryDraft], extract: _Extract) -> list[frozenset[str]]:
    return [frozenset(extract(entry)) for entry in entries]


def _unique(entries: Iterable[EntryDraft], extract: _Extract) -> list[frozenset[str]]:
    """Return the features of each entry that no other entry has."""
    features = _features(entries, extract)
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
