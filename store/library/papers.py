"""Papers: each known once, whoever mentions it, in whatever order the mentions come.

`grouping` decides which entries are of one paper, from all that might be (`neighbourhood`). Here
the store is made to say so, and says which papers gained or lost entries by it.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, exists, insert, select, update
from sqlmodel import Session, col

from store.database.statements import table_of
from store.database.types import next_ids
from store.identity import overrides, word_index
from store.identity.candidate_keys import candidate_keys
from store.identity.candidates import (
    Candidate,
    PaperIdentifiers,
    all_candidates,
    find_candidates,
    words_of_doubtful,
)
from store.identity.grouping import Grouping
from store.identity.identifiers import Group, Identifiers, ManualOverrides, PossibleDuplicate
from store.records import Entry
from store.tables.library import EntryRow, EntryWordRow, PaperRow
from store.text import name_key

# The arXiv id of an entry's paper before and after.
Renamed = tuple[str | None, str | None]


_TITLES = select(col(EntryRow.id), col(EntryRow.title), col(EntryRow.summary))
_UNKEYED = _TITLES.where(
    ~exists().where(col(EntryWordRow.entry_id) == col(EntryRow.id), word_index.IS_KEY)
)
_ADD = insert(PaperRow)
_CHANGE = update(PaperRow).where(col(PaperRow.id) == bindparam("row"))
_OF_PAPERS = col(PaperRow.id).in_(bindparam("papers", expanding=True))
_BARE = update(PaperRow).where(_OF_PAPERS).values(arxiv_id=None, doi=None)
_DROP = delete(PaperRow).where(_OF_PAPERS)
_MOVE = (
    update(EntryRow).where(col(EntryRow.id) == bindparam("row")).values(paper_id=bindparam("to"))
)
_NAME = (
    update(EntryRow).where(col(EntryRow.id) == bindparam("row")).values(name_key=bindparam("name"))
)


@dataclass(frozen=True, slots=True)
class Placed:
    """The paper of each entry, by the entry's id, and which papers gained or lost other entries.

    `touched` are those that entries came to or left which are not about to be written, as they are
    where an import shows that papers are one, or are not. Some may be gone. `renamed` are such
    entries whose papers go by another arXiv id than before, or by one where they had none, with
    both. `moves` are the papers that entries came to or left, by the refs of all such entries.
    """

    papers: dict[int, int]
    touched: frozenset[int]
    renamed: Mapping[int, Renamed]
    moves: Mapping[str, Collection[int]]


def place(
    session: Session,
    written: Mapping[int, tuple[Identifiers, Entry]],
    before: Collection[Candidate] = (),
) -> Placed:
    """Find the papers of entries, and move those stored before to where they belong now.

    Args:
        session: where they are stored.
        written: by id, the entries that are about to be written; the caller writes their papers
            with those that are new, the others stand with theirs already.
        before: how entries stood that were dropped, or are about to be changed.
    """
    said = overrides.read(session)
    seeds = [*(signs for signs, _ in written.values()), *(each.identifiers for each in before)]
    stored = find_candidates(session, seeds, {each.paper for each in before}, said)
    return _arrange(session, said, stored, written, before)


def place_again(session: Session, papers: Collection[int]) -> Placed:
    """Place the entries of some papers, and of all that may be one with them, by what was said."""
    said = overrides.read(session)
    return _arrange(session, said, find_candidates(session, (), papers, said))


def has_unkeyed(session: Session) -> bool:
    """Tell whether a program that knows no keys wrote entries, beside one that does."""
    rows = session.connection().execute(_UNKEYED)
    return any(candidate_keys(row.title, row.summary) for row in rows)


def place_all(session: Session) -> Placed:
    """Place all entries anew, because they were placed by other rules."""
    rows = session.connection().execute(_TITLES)
    word_index.index_keys(session, [(row.id, candidate_keys(*row[1:])) for row in rows])
    stored = all_candidates(session)
    names = [
        {"row": entry, "name": name}
        for entry, each in stored.items()
        if (name := name_key(each.identifiers.title)) != each.identifiers.name_key
    ]
    if names:
        session.connection().execute(_NAME, names)
        stored = all_candidates(session)
    return _arrange(session, overrides.read(session), stored)


def grouped(
    session: Session,
    said: ManualOverrides,
    stored: Mapping[int, Candidate],
    written: Mapping[int, tuple[Identifiers, Entry]] | None = None,
) -> Grouping:
    """Part entries into papers: those that are stored, unless they are about to be `written`."""
    written = written or {}
    signs = {entry: each.identifiers for entry, each in stored.items()}
    signs |= {entry: each for entry, (each, _) in written.items()}
    facts = {entry: each for entry, (_, each) in written.items()}
    return Grouping(signs.values(), said, words_of_doubtful(session, signs.values(), facts))


def doubtful(session: Session) -> list[PossibleDuplicate]:
    """Return the pairs of papers of the whole store that may be one, newest first."""
    return grouped(session, overrides.read(session), all_candidates(session)).possible_duplicates()


def _arrange(
    session: Session,
    said: ManualOverrides,
    stored: Mapping[int, Candidate],
    written: Mapping[int, tuple[Identifiers, Entry]] | None = None,
    before: Collection[Candidate] = (),
) -> Placed:
    """Have the store say which entries are of one paper."""
    groups = grouped(session, said, stored, written).papers()
    known = {each.paper: each.known for each in (*before, *stored.values())}
    standing = {entry: each.paper for entry, each in stored.items()}
    papers = _put(session.connection(), groups, standing, known)
    belongs = {each.entry: paper for paper, of in papers for each in of.entries}
    moved = [entry for entry, paper in standing.items() if belongs[entry] != paper]
    if moved:
        rows = [{"row": entry, "to": belongs[entry]} for entry in moved]
        session.connection().execute(_MOVE, rows)
    if left := known.keys() - {paper for paper, _ in papers}:
        session.connection().execute(_DROP, {"papers": list(left)})
    others = standing.keys() - (written or {}).keys()
    touched = {p for entry in others & set(moved) for p in (standing[entry], belongs[entry])}
    named = {paper: group.arxiv_id for paper, group in papers}
    names = {entry: (known[standing[entry]].arxiv_id, named[belongs[entry]]) for entry in others}
    renamed = {entry: both for entry, both in names.items() if both[0] != both[1]}
    moves = _moves((*before, *stored.values()), written or {}, belongs)
    return Placed(belongs, frozenset(touched), renamed, moves)


def _moves(
    before: Iterable[Candidate],
    written: Mapping[int, tuple[Identifiers, Entry]],
    belongs: Mapping[int, int],
) -> Mapping[str, Collection[int]]:
    refs = {entry: signs.ref for entry, (signs, _) in written.items()}
    were: dict[int, int] = {}
    for each in before:
        refs[each.identifiers.entry], were[each.identifiers.entry] = (
            each.identifiers.ref,
            each.paper,
        )
    moves: dict[str, set[int]] = defaultdict(set)
    for entry, ref in refs.items():
        papers = (were.get(entry), belongs.get(entry))
        if papers[0] != papers[1]:
            moves[ref].update(paper for paper in papers if paper is not None)
    return moves


def _put(
    connection: Connection,
    groups: Sequence[Group],
    standing: Mapping[int, int],
    known: Mapping[int, PaperIdentifiers],
) -> list[tuple[int, Group]]:
    """Write the rows of papers; return each group with the id of its paper."""
    kept = _kept(groups, standing, known)
    wanted = {paper: _known(groups[number]) for number, paper in kept.items()}
    changed = [paper for paper, facts in known.items() if wanted.get(paper) != facts]
    if changed:  # an id may go from one paper to another, and is unique at any time
        connection.execute(_BARE, {"papers": changed})
    new = [number for number in range(len(groups)) if number not in kept]
    ids = dict(zip(new, next_ids(connection, table_of(PaperRow), len(new)), strict=True))
    if new:
        rows = [{"id": ids[number], **_values(_known(groups[number]))} for number in new]
        connection.execute(_ADD, rows)
    if renamed := [paper for paper in changed if paper in wanted]:
        rows = [{"row": paper, **_values(wanted[paper])} for paper in renamed]
        connection.execute(_CHANGE, rows)
    kept |= ids
    return [(kept[number], each) for number, each in enumerate(groups)]


def _values(known: PaperIdentifiers) -> dict[str, object]:
    return {name: getattr(known, name) for name in PaperIdentifiers.__slots__}


def _known(group: Group) -> PaperIdentifiers:
    return PaperIdentifiers(group.arxiv_id, group.doi, group.title_key, group.year)


def _kept(
    groups: Sequence[Group], standing: Mapping[int, int], known: Mapping[int, PaperIdentifiers]
) -> dict[int, int]:
    """Return which groups, by number, keep which paper; each is kept once.

    It goes to the one with its arXiv id, else to the one that most of its entries are in.
    """
    if not standing:
        return {}
    offers = []
    for number, group in enumerate(groups):
        stood = Counter(standing[each.entry] for each in group.entries if each.entry in standing)
        for paper, times in stood.items():
            has_id = group.arxiv_id is not None and known[paper].arxiv_id == group.arxiv_id
            offers.append((not has_id, -times, paper, number))
    kept: dict[int, int] = {}
    taken: set[int] = set()
    for *_, paper, number in sorted(offers):
        if paper not in taken and number not in kept:
            kept[number] = paper
            taken.add(paper)
    return kept
