"""Papers that are like one: found by its most telling stems, compared by all of them."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields

from sqlalchemy import ColumnElement, func, select
from sqlmodel import Session, col

from store.database.statements import in_list
from store.library import mentions, similarity
from store.library.similarity import Description, Vector, Weights, cosine
from store.records import Mention
from store.search.corpus import Corpus
from store.tables.library import EntryRow
from store.text import stem

# Entries that tell how rare a stem is: all of a store with fewer than twice as many, of a larger
# one every second, third … entry.
_COUNTED = 400
# The most telling stems by which entries are found, and how many matches these may have in all. Of
# the archive's papers 98 in 100 of the first three are so found as if all were compared.
_STEMS = 24
_MATCHES = 20_000
_COMPARED = 200
# A tenth of what was judged and is less alike made sense.
_LEAST = 0.16
_FIELDS = tuple(field.name for field in fields(Description))


def weights(session: Session) -> Weights:
    """Return how much stems and topics tell, which changes with the content only."""
    number = session.connection().scalar(select(func.count()).select_from(EntryRow)) or 0
    step = number // _COUNTED or 1
    counted = select(col(EntryRow.id)).where(col(EntryRow.id) % step == 0)
    described = _described(session, col(EntryRow.id).in_(counted))
    return similarity.weights(description for _, _, description in described)


def related_to(session: Session, mention: Mention, telling: Weights, limit: int) -> list[Mention]:
    """Return the papers most like one, best first, each at its best mention."""
    own = Description(*(getattr(mention.entry, name) for name in _FIELDS))
    vector = telling.vector(own)
    compared = _sharing(session, own, vector)
    alike = [
        (-cosine(vector, telling.vector(other)), entry, paper)
        for entry, paper, other in _described(session, in_list(col(EntryRow.id), compared))
        if paper != mention.paper_id
    ]
    best: dict[int, int] = {}
    for score, entry, paper in sorted(alike):
        if -score >= _LEAST:
            best.setdefault(paper, entry)
    return mentions.of_entries(session, list(best.values())[:limit])


def _sharing(session: Session, own: Description, vector: Vector) -> list[int]:
    """Return the entries, by database id, that share most of an entry's most telling stems."""
    corpus = Corpus(session)
    spellings = {stem(word): word for word in similarity.words(own)}
    scores: dict[int, float] = defaultdict(float)
    read, left = 0, _MATCHES
    for each in sorted(spellings, key=lambda each: (-vector[each], each)):
        forms = ((spellings[each],),)
        if 1 < (number := corpus.frequency(forms)) <= left:
            read, left = read + 1, left - number
            for entry in corpus.matches(forms):
                scores[entry] += vector[each]
        if read == _STEMS:
            break
    return sorted(scores, key=lambda entry: (-scores[entry], entry))[:_COMPARED]


def _described(
    session: Session, condition: ColumnElement[bool]
) -> Iterator[tuple[int, int, Description]]:
    """Yield the database ids of entries and of their papers, and what they are about."""
    columns = (getattr(EntryRow, name) for name in _FIELDS)
    query = select(col(EntryRow.id), col(EntryRow.paper_id), *columns).where(condition)
    for entry, paper, *parts in session.connection().execute(query):
        yield entry, paper, Description(*parts)
