"""Whether a document has other papers for a week than are stored for it. All pure.

Two entries, each of its own edition, are of one paper if they have in common, best first,

    the title | an arXiv id or DOI | a link or the name before a colon
        | words of the title | words of all that they say

where the title and the ids are enough by themselves, and two arXiv ids that differ leave only a
text that is nearly the same. What stands in several entries of one edition tells none of them
from the others and is left out.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from bot.domain import paper_ids
from bot.domain.drafts import EntryDraft
from store.text import name_key, title_key, tokens

# So many words, and such a part of the fewer, are left of a title or a text that was reworded,
_TITLE_WORDS, _TITLE_PART = 2, 0.5
_TEXT_WORDS, _TEXT_PART = 4, 0.4
# and such a part of the more words of a text that was left as it was.
_SAME_TEXT_PART = 0.8
# Shorter words, and numbers, tell nothing.
_SHORTEST_WORD = 3
# One site, and one post there, under several addresses.
_HOSTS = {"twitter.com": "x.com", "mobile.twitter.com": "x.com"}
_POST = re.compile(r"/status/\d+")

# What each entry of an edition, in its order, is known by.
_Known = Sequence[frozenset[str]]


@dataclass(frozen=True, slots=True)
class Replacement:
    """Papers of which others would take the place: how many of all, and the first pair."""

    gone: int
    total: int
    stored: str
    instead: str


def replacement(before: Sequence[EntryDraft], now: Sequence[EntryDraft]) -> Replacement | None:
    """Return how other papers would take the place of more than half of an edition's.

    `None` where they don't. Ranks don't count, and a paper that is only left out is in nobody's
    place.
    """
    pairs = _pairs(before, now)
    gone = [entry for place, entry in enumerate(before) if place not in pairs]
    kept = set(pairs.values())
    came = [entry for place, entry in enumerate(now) if place not in kept]
    if not came or 2 * len(gone) <= len(before):
        return None
    instead = next((each for each in came if _key(each) == _key(gone[0])), came[0])
    return Replacement(len(gone), len(before), gone[0].title, instead.title)


def _key(entry: EntryDraft) -> int | str | None:
    return entry.episode or entry.rank


def _pairs(before: Sequence[EntryDraft], now: Sequence[EntryDraft]) -> dict[int, int]:
    """Pair the places of entries that are of one paper, each in one pair at most."""
    arxiv = _each(before, _arxiv_ids), _each(now, _arxiv_ids)

    def differ(place: int, other: int) -> bool:
        one, two = arxiv[0][place], arxiv[1][other]
        return bool(one and two) and one.isdisjoint(two)

    def share(part: float, least: int, known: tuple[_Known, _Known]) -> _Enough:
        def enough(place: int, other: int, met: int) -> bool:
            sizes = len(known[0][place]), len(known[1][other])
            if differ(place, other):
                return least <= met >= _SAME_TEXT_PART * max(sizes)
            return least <= met >= part * min(sizes)

        return enough

    pairs: dict[int, int] = {}
    for known_by in (_titles, _ids):
        _join(pairs, (_telling(before, known_by), _telling(now, known_by)), lambda *_: True)
    known = _telling(before, _links), _telling(now, _links)
    _join(pairs, known, lambda place, other, _: not differ(place, other))
    if 2 * len(pairs) < len(before):
        for known_by, part, least in (
            (_title_words, _TITLE_PART, _TITLE_WORDS),
            (_words, _TEXT_PART, _TEXT_WORDS),
        ):
            known = _telling(before, known_by), _telling(now, known_by)
            _join(pairs, known, share(part, least, known))
    return pairs


# Whether two entries, by their places, are of one paper when they have so much in common.
_Enough = Callable[[int, int, int], bool]


def _join(pairs: dict[int, int], known: tuple[_Known, _Known], enough: _Enough) -> None:
    """Pair what is not paired yet, each entry with the one that has most in common with it."""
    owners = {sign: place for place, signs in enumerate(known[1]) for sign in signs}
    taken = set(pairs.values())
    for place, signs in enumerate(known[0]):
        if place in pairs:
            continue
        met = Counter(owners[sign] for sign in signs if sign in owners)
        for other, times in met.most_common():
            if other not in taken and enough(place, other, times):
                pairs[place] = other
                taken.add(other)
                break


def _each(
    entries: Iterable[EntryDraft], known_by: Callable[[EntryDraft], Iterable[str]]
) -> list[frozenset[str]]:
    return [frozenset(known_by(entry)) for entry in entries]


def _telling(
    entries: Iterable[EntryDraft], known_by: Callable[[EntryDraft], Iterable[str]]
) -> list[frozenset[str]]:
    """Return what each entry alone is known by."""
    each = _each(entries, known_by)
    times = Counter(sign for signs in each for sign in signs)
    return [frozenset(sign for sign in signs if times[sign] == 1) for signs in each]


def _titles(entry: EntryDraft) -> Iterable[str]:
    return filter(None, [title_key(entry.title)])


def _arxiv_ids(entry: EntryDraft) -> Iterable[str]:
    return filter(None, (paper_ids.arxiv_id_in_url(link.url) for link in entry.links))


def _ids(entry: EntryDraft) -> Iterable[str]:
    return filter(None, [*_arxiv_ids(entry), paper_ids.doi(entry.links)])


def _links(entry: EntryDraft) -> Iterable[str]:
    """Return the addresses of an entry without what may differ, and the name of its title."""
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
    texts += [f"{each.lead or ''} {each.text}" for each in entry.highlights]
    return _long(tokens(" ".join(texts)))


def _long(words: Iterable[str]) -> Iterable[str]:
    return (word for word in words if len(word) >= _SHORTEST_WORD and not word.isdigit())
