"""Papers: each stored once, in whatever order its mentions are imported.

`store.identity.grouping` decides which entries are of one paper, from all candidates. This module
writes that decision, and returns which papers gained or lost entries.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher

from sqlalchemy import Connection, bindparam, delete, exists, insert, or_, select, update
from sqlmodel import Session, col

from store.database.statements import execute_each, in_list, next_ids
from store.identity import candidates, overrides
from store.identity.candidates import (
    EntryCandidate,
    PaperIdentifiers,
    all_candidates,
    find_candidates,
    words_of_doubtful,
)
from store.identity.grouping import Grouping
from store.identity.identifiers import Identifiers, PaperGroup, PossibleDuplicate, candidate_keys
from store.identity.overrides import ManualOverrides
from store.library import kept_papers
from store.library.kept_papers import IS_KEPT
from store.records import Entry
from store.tables.library import EntryRow, EntryWordRow, PaperRow
from store.text import name_key

# The arXiv id of an entry's paper before and after.
Renamed = tuple[str | None, str | None]


_TITLES = select(col(EntryRow.id), col(EntryRow.title), col(EntryRow.summary))
_IS_UNUSED = ~exists().where(col(EntryRow.paper_id) == col(PaperRow.id))
# Of an entry and of a paper, by the parameter `row`.
_THIS_ENTRY = update(EntryRow).where(col(EntryRow.id) == bindparam("row"))
_THIS_PAPER = update(PaperRow).where(col(PaperRow.id) == bindparam("row"))


@dataclass(frozen=True, slots=True)
class PlacedEntries:
    """The paper of each entry, by the entry's id, and the papers that gained or lost entries.

    `touched` are the papers that stored entries moved to or from; some may be deleted. `renamed`
    are stored entries whose paper has another arXiv id than before, with both ids. `moves` are all
    papers that gained or lost entries, in pairs: the paper of an entry before, and after; `None`
    is no paper.
    """

    papers: dict[int, int]
    touched: frozenset[int]
    renamed: Mapping[int, Renamed]
    moves: frozenset[tuple[int | None, int | None]]


def place(
    session: Session,
    written: Mapping[int, tuple[Identifiers, Entry]],
    before: Collection[EntryCandidate] = (),
) -> PlacedEntries:
    """Find the papers of entries, and regroup the stored entries around them.

    `written` are the entries that are about to be written, by id; the caller writes the paper ids
    of new ones. `before` are the stored entries that were deleted, or are about to be changed.
    """
    manual = overrides.read(session)
    seeds = [*(signs for signs, _ in written.values()), *(each.identifiers for each in before)]
    stored = find_candidates(session, seeds, {each.paper for each in before}, manual)
    return _arrange(session, manual, stored, written, before)


def place_again(session: Session, papers: Collection[int]) -> PlacedEntries:
    """Regroup the entries of some papers and of their candidates."""
    manual = overrides.read(session)
    return _arrange(session, manual, find_candidates(session, (), papers, manual))


def has_unkeyed(session: Session) -> bool:
    """Tell whether an older program, which writes no keys, wrote entries."""
    is_keyed = exists().where(col(EntryWordRow.entry_id) == col(EntryRow.id), candidates.IS_KEY)
    rows = session.connection().execute(_TITLES.where(~is_keyed))
    return any(candidate_keys(row.title, row.summary) for row in rows)


def place_all(session: Session) -> PlacedEntries:
    """Regroup all entries, because the rules changed; drop papers that nothing refers to."""
    rows = session.connection().execute(_TITLES)
    candidates.index_keys(session, [(row.id, candidate_keys(*row[1:])) for row in rows])
    stored = all_candidates(session)
    names = [
        {"row": entry, "name_key": name}
        for entry, each in stored.items()
        if (name := name_key(each.identifiers.title)) != each.identifiers.name_key
    ]
    if names:
        session.connection().execute(_THIS_ENTRY, names)
        stored = all_candidates(session)
    session.connection().execute(delete(PaperRow).where(_IS_UNUSED, ~IS_KEPT))
    return _arrange(session, overrides.read(session), stored)


def grouped(
    session: Session,
    manual: ManualOverrides,
    stored: Mapping[int, EntryCandidate],
    written: Mapping[int, tuple[Identifiers, Entry]] | None = None,
) -> Grouping:
    """Group stored entries into papers, with those that are about to be `written`."""
    written = written or {}
    signs = {entry: each.identifiers for entry, each in stored.items()}
    signs |= {entry: each for entry, (each, _) in written.items()}
    facts = {entry: each for entry, (_, each) in written.items()}
    return Grouping(signs.values(), manual, words_of_doubtful(session, signs.values(), facts))


def doubtful(session: Session) -> list[PossibleDuplicate]:
    """Return all pairs of papers that may be one, newest first."""
    return grouped(session, overrides.read(session), all_candidates(session)).possible_duplicates()


def _arrange(
    session: Session,
    manual: ManualOverrides,
    stored: Mapping[int, EntryCandidate],
    written: Mapping[int, tuple[Identifiers, Entry]] | None = None,
    before: Collection[EntryCandidate] = (),
) -> PlacedEntries:
    """Write which entries are of one paper."""
    written = written or {}
    groups = grouped(session, manual, stored, written).papers()
    was = {each.identifiers.entry: each.paper for each in (*before, *stored.values())}
    others = of_other_papers(
        session, {each.identifiers.entry: each.identifiers for each in before}, written
    )
    standing = {entry: each.paper for entry, each in stored.items() if entry not in others}
    known = {each.paper: each.known for each in (*before, *stored.values())}
    known |= _without_entries(session, groups, written)
    kept, homes = _kept(groups, standing, known, written)
    papers = _put(session.connection(), groups, kept, known)
    belongs = {each.entry: paper for paper, of in papers for each in of.entries}
    to_move = [entry for entry, each in stored.items() if belongs[entry] != each.paper]
    rows = [{"row": entry, "paper_id": belongs[entry]} for entry in to_move]
    execute_each(session.connection(), _THIS_ENTRY, rows)
    moves = {
        entry: (was.get(entry), belongs.get(entry))
        for entry in was.keys() | written.keys()
        if was.get(entry) != belongs.get(entry)
    }
    joined = {paper: papers[number][0] for paper, number in homes.items()}
    joined = {paper: home for paper, home in joined.items() if paper != home}
    pairs = {*moves.values(), *joined.items()}
    if sources := {before for before, _ in pairs if before is not None}:
        now = {entry: standing.get(entry) and belongs[entry] for entry in moves if entry in was}
        targets = {after for before, after in pairs if before is not None and after is not None}
        kept_papers.follow(session, sources | targets, joined, now)
    if left := known.keys() - {paper for paper, _ in papers}:
        unkept = delete(PaperRow).where(in_list(col(PaperRow.id), left), ~IS_KEPT)
        session.connection().execute(unkept)
    unwritten = standing.keys() - written.keys()
    touched = {p for entry in unwritten & moves.keys() for p in (standing[entry], belongs[entry])}
    named = {paper: group.arxiv_id for paper, group in papers}
    names = {e: (known[standing[e]].arxiv_id, named[belongs[e]]) for e in unwritten}
    renamed = {entry: both for entry, both in names.items() if both[0] != both[1]}
    return PlacedEntries(belongs, frozenset(touched), renamed, frozenset(pairs))


def _without_entries(
    session: Session, groups: Sequence[PaperGroup], written: Collection[int]
) -> dict[int, PaperIdentifiers]:
    """Return the stored papers without entries that share an identifier with some groups."""
    titles = {each.title_key for group in groups for each in group.entries if each.entry in written}
    shares_identifier = or_(
        in_list(col(PaperRow.arxiv_id), {each.arxiv_id for each in groups if each.arxiv_id}),
        in_list(col(PaperRow.doi), {each.doi for each in groups if each.doi}),
        in_list(col(PaperRow.title_key), titles),
    )
    rows = session.connection().execute(select(PaperRow).where(shares_identifier, _IS_UNUSED))
    return {
        row.id: PaperIdentifiers(row.arxiv_id, row.doi, row.title_key, row.year) for row in rows
    }


def _put(
    connection: Connection,
    groups: Sequence[PaperGroup],
    kept: Mapping[int, int],
    known: Mapping[int, PaperIdentifiers],
) -> list[tuple[int, PaperGroup]]:
    """Write the rows of papers; return each group with the id of its paper."""
    wanted = {paper: _known(groups[number]) for number, paper in kept.items()}
    arxiv_ids = {each.arxiv_id for each in groups} - {None}
    dois = {each.doi for each in groups} - {None}
    changed = [
        paper
        for paper, facts in known.items()
        if wanted.get(paper) != facts
        and (paper in wanted or facts.arxiv_id in arxiv_ids or facts.doi in dois)
    ]
    if changed:  # an id may go from one paper to another, and is unique at any time
        bare = update(PaperRow).where(in_list(col(PaperRow.id), changed))
        connection.execute(bare.values(arxiv_id=None, doi=None))
    new = [number for number in range(len(groups)) if number not in kept]
    ids = dict(zip(new, next_ids(connection, PaperRow, len(new)), strict=True))
    rows = [{"id": ids[number], **asdict(_known(groups[number]))} for number in new]
    execute_each(connection, insert(PaperRow), rows)
    rows = [{"row": paper, **asdict(wanted[paper])} for paper in changed if paper in wanted]
    execute_each(connection, _THIS_PAPER, rows)
    numbers = {**kept, **ids}
    return [(numbers[number], each) for number, each in enumerate(groups)]


def _known(group: PaperGroup) -> PaperIdentifiers:
    return PaperIdentifiers(group.arxiv_id, group.doi, group.title_key, group.year)


def _kept(
    groups: Sequence[PaperGroup],
    standing: Mapping[int, int],
    known: Mapping[int, PaperIdentifiers],
    written: Collection[int],
) -> tuple[dict[int, int], dict[int, int]]:
    """Return the paper row of each group that keeps one, and the group of each paper, by number.

    A row is kept once: by the group with its arXiv id, else by the one with most of its entries. A
    row without entries is kept by a group with a written entry that has its id or title.
    """
    offers = []
    for number, group in enumerate(groups):
        stood = Counter(standing[each.entry] for each in group.entries if each.entry in standing)
        for paper, times in stood.items():
            has_id = group.arxiv_id is not None and known[paper].arxiv_id == group.arxiv_id
            offers.append((not has_id, -times, paper, number))
    lost = known.keys() - set(standing.values())
    found = _returned({paper: known[paper] for paper in lost}, groups, written) if lost else {}
    offers += [(True, 0, paper, number) for paper, number in found.items()]
    kept: dict[int, int] = {}
    homes: dict[int, int] = {}
    first: dict[int, int] = {}
    for *_, paper, number in sorted(offers):
        first.setdefault(paper, number)
        if paper not in homes and number not in kept:
            kept[number] = paper
            homes[paper] = number
    return kept, {**first, **homes}


def _returned(
    lost: Mapping[int, PaperIdentifiers], groups: Sequence[PaperGroup], written: Collection[int]
) -> dict[int, int]:
    """Return the group, by number, that has the id or else the title of each lost paper."""
    arxiv_ids: dict[str | None, int] = {}
    dois: dict[str | None, int] = {}
    titles: dict[tuple[str, int], set[int]] = defaultdict(set)
    for number, group in enumerate(groups):
        new = [each for each in group.entries if each.entry in written]
        if new:
            arxiv_ids[group.arxiv_id] = dois[group.doi] = number
        for each in new:
            for year in (group.year, each.last_day.year):
                titles[each.title_key, year].add(number)
    found = {}
    for paper, facts in lost.items():
        by_title = {
            number
            for number in titles[facts.title_key, facts.year]
            if facts.title_key and not _differ(facts, groups[number])
        }
        if facts.arxiv_id and facts.arxiv_id in arxiv_ids:
            found[paper] = arxiv_ids[facts.arxiv_id]
        elif facts.doi and facts.doi in dois:
            found[paper] = dois[facts.doi]
        elif len(by_title) == 1:
            [found[paper]] = by_title
    return found


def _differ(facts: PaperIdentifiers, group: PaperGroup) -> bool:
    """Tell whether a paper and a group have ids that make them two papers."""
    if facts.arxiv_id and group.arxiv_id:
        return facts.arxiv_id != group.arxiv_id
    return bool(facts.doi and group.doi and facts.doi != group.doi)


_NUMBER = re.compile(r"\d+")
_LEAST_LIKENESS = 0.85  # of a title and the same title with a slip corrected


def of_other_papers(
    session: Session,
    before: Mapping[int, Identifiers],
    written: Mapping[int, tuple[Identifiers, Entry]],
) -> set[int]:
    """Return the ids of entries that are about to become entries of other papers.

    An entry keeps its paper with its title. It also keeps it where it seems to be retitled, and
    neither the paper that it had nor the one that it has is anywhere else in the edition.
    `before` are the identifiers, by id, of the edition's entries that are changed or removed.
    """
    retitled = [
        entry
        for entry, (signs, _) in written.items()
        if entry in before and before[entry].title_key != signs.title_key
    ]
    if not retitled:
        return set()
    had = _by_identifier(before)
    has = _by_identifier({entry: signs for entry, (signs, _) in written.items()})
    query = select(col(EntryRow.id), col(EntryRow.summary)).where(col(EntryRow.id).in_(retitled))
    summaries = {row.id: row.summary for row in session.connection().execute(query)}
    return {
        entry
        for entry in retitled
        if any(has[each] - {entry} for each in _identifiers(before[entry]))
        or any(had[each] - {entry} for each in _identifiers(written[entry][0]))
        or not _is_retitled(before[entry], summaries[entry], written[entry][1], written[entry][0])
    }


def _by_identifier(entries: Mapping[int, Identifiers]) -> Mapping[str, set[int]]:
    found: dict[str, set[int]] = defaultdict(set)
    for entry, signs in entries.items():
        for each in _identifiers(signs):
            found[each].add(entry)
    return found


def _identifiers(signs: Identifiers) -> Iterator[str]:
    yield f"title:{signs.title_key}"
    if signs.arxiv_id:
        yield f"arxiv:{signs.arxiv_id}"
    if signs.doi:
        yield f"doi:{signs.doi}"


def _is_retitled(before: Identifiers, summary: str | None, entry: Entry, now: Identifiers) -> bool:
    """Tell whether an entry seems to be of one paper under both titles."""
    if before.arxiv_id and now.arxiv_id:
        return before.arxiv_id == now.arxiv_id
    if summary and summary == entry.summary:
        return True
    one, other = before.title_key, now.title_key
    is_begun = one.startswith(f"{other} ") or other.startswith(f"{one} ")
    has_slip = _NUMBER.findall(one) == _NUMBER.findall(other) and _is_alike(one, other)
    return is_begun or has_slip


def _is_alike(one: str, other: str) -> bool:
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= _LEAST_LIKENESS
