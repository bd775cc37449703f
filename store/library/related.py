"""Papers that are like one: found by its most telling stems, compared by all of them."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from heapq import nlargest

from sqlalchemy import ColumnElement, func, select
from sqlmodel import Session, col

from store.database.statements import in_list
from store.library import mentions, similarity
from store.library.similarity import Description, Vector, Weights, cosine
from store.records import Mention
from store.search.full_text import full_text
from store.tables.library import EntryRow
from store.text import stem

# Entries that tell how rare a stem is: all of a store with fewer than twice as many, of a larger
# one every second, third … entry.
_COUNTED = 400
# The most telling stems are looked for. Those that others have, but not so many, find what is
# compared, until these are enough. Of the archive's papers 98 in 100 of the first three are found
# so as if all were compared.
_LOOKED_FOR = 48
_STEMS = 24
_FREQUENT = 5000
_MATCHES = 10_000
_COMPARED = 200
_MOST_KNOWN = 20_000  # vectors of 7 KB each, and words
# A tenth of what was judged and is less alike made sense.
_LEAST = 0.16
_FIELDS = tuple(each.name for each in fields(Description))


@dataclass(frozen=True, slots=True)
class Known:
    """The papers and vectors of entries, and the entries that match a word, as they were read."""

    vectors: dict[int, tuple[int, Vector]] = field(default_factory=dict)
    matches: dict[str, list[int]] = field(default_factory=dict)

    def shrink(self) -> None:
        """Forget all if it is too much."""
        if max(len(self.vectors), len(self.matches)) > _MOST_KNOWN:
            self.vectors.clear()
            self.matches.clear()


def weights(session: Session) -> Weights:
    """Return how much stems and topics tell, which changes with the content only."""
    number = session.connection().scalar(select(func.count()).select_from(EntryRow)) or 0
    step = number // _COUNTED or 1
    counted = select(col(EntryRow.id)).where(col(EntryRow.id) % step == 0)
    described = _described(session, col(EntryRow.id).in_(counted))
    return similarity.weights(description for _, _, description in described)


def related_to(
    session: Session,
    mention: Mention,
    telling: Weights,
    limit: int,
    known: Known | None = None,
) -> list[Mention]:
    """Return the papers most like one, best first, each at its best mention.

    `known` keeps what was read, for further calls on the same content with the same weights.
    """
    own = Description(*(getattr(mention.entry, name) for name in _FIELDS))
    vector = telling.vector(own)
    known = Known() if known is None else known
    known.shrink()
    compared = _sharing(session, own, vector, known.matches)
    unknown = [entry for entry in compared if entry not in known.vectors]
    for entry, paper, other in _described(session, in_list(col(EntryRow.id), unknown)):
        known.vectors[entry] = paper, telling.vector(other)
    found = ((entry, *known.vectors[entry]) for entry in known.vectors.keys() & compared)
    alike = [
        (-cosine(vector, other), entry, paper)
        for entry, paper, other in found
        if paper != mention.paper_id
    ]
    best: dict[int, int] = {}
    for score, entry, paper in sorted(alike):
        if -score >= _LEAST:
            best.setdefault(paper, entry)
    return mentions.of_entries(session, list(best.values())[:limit])


def _sharing(
    session: Session, own: Description, vector: Vector, matching: dict[str, list[int]]
) -> list[int]:
    """Return the entries, by database id, that share most of an entry's most telling stems."""
    index = full_text(session.connection(), 0)
    spellings = {stem(word): word for word in similarity.words(own)}
    telling = sorted(spellings, key=lambda each: (-vector[each], each))
    scores: dict[int, float] = defaultdict(float)
    stems = matches = 0
    for each in telling[:_LOOKED_FOR]:
        if each not in matching:
            matching[each] = index.some((spellings[each],), _FREQUENT)
        found = matching[each]
        if 1 < len(found) < _FREQUENT:
            stems, matches = stems + 1, matches + len(found)
            for entry in found:
                scores[entry] += vector[each]
        if stems == _STEMS or matches > _MATCHES:
            break
    return nlargest(_COMPARED, sorted(scores), key=scores.__getitem__)


def _described(
    session: Session, condition: ColumnElement[bool]
) -> Iterator[tuple[int, int, Description]]:
    """Yield the database ids of entries and of their papers, and what they are about."""
    columns = (getattr(EntryRow, name) for name in _FIELDS)
    query = select(col(EntryRow.id), col(EntryRow.paper_id), *columns).where(condition)
    for entry, paper, *parts in session.connection().execute(query):
        yield entry, paper, Description(*parts)
