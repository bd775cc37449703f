"""Saying who is who: two papers are one, or an entry is of another paper than it seems.

What is said is kept by names that outlast the rows, and goes for whatever is imported later. Each
function is one transaction's work, and what was joined or parted stands differently at its end.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from itertools import chain, combinations

from sqlmodel import Session

from store import content_version
from store.consensus import refresh
from store.identity import overrides
from store.identity.candidates import Candidate, find_candidates
from store.identity.identifiers import ManualOverrides, Merge, Separation
from store.library import arxiv, mentions, papers
from store.readers import votes
from store.records import Mention


class Outcome(StrEnum):
    """What became of somebody's word.

    `apart` says that two are two papers for good, whether they were or not. `one` and `alone` say
    that it was so already, `which` that a paper has several entries and nobody said which of them
    to split off.
    """

    MERGED = "merged"
    ONE = "one"
    UNMERGED = "unmerged"
    SPLIT = "split"
    APART = "apart"
    ALONE = "alone"
    WHICH = "which"


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of it, and the papers in question before and after, each by its mentions.

    `touched` are the papers that gained or lost entries; some may be gone.
    """

    outcome: Outcome
    before: list[list[Mention]]
    after: list[list[Mention]]
    touched: frozenset[int] = frozenset()


def merge(session: Session, one: Mention, other: Mention, now: datetime) -> Judged:
    """Join the papers of two mentions for good; where a split had parted them it is taken back.

    The mentions are as the same transaction read them: who is who may change between two.
    """
    before = _papers(session, [one, other])
    if one.paper_id == other.paper_id:
        return Judged(Outcome.ONE, before, before)
    said = overrides.read(session)
    stored = find_candidates(session, (), {one.paper_id, other.paper_id}, said)
    pair = [_entry(stored.values(), each) for each in (one, other)]
    said = _without_apart(session, said, before)
    parted = _parted_by(session, said, stored, pair)
    for ref in parted or ():
        overrides.drop_split(session, ref)
    if parted is None:
        names = sorted(map(papers.grouped(session, said, stored).name, pair))
        overrides.add_merge(session, Merge(names[0], names[1], now))
    return _judged(session, Outcome.MERGED, before, now)


def split(session: Session, mention: Mention, now: datetime, *, is_entry: bool) -> Judged:
    """Take back the merges that the paper of a mention came by; else split its entry off.

    Args:
        session: where they are stored.
        mention: an entry of the paper as it is without merges, read in the same transaction.
        now: when it is said.
        is_entry: whether that very entry was named, and not just its paper.
    """
    before = _papers(session, [mention])
    said = overrides.read(session)
    stored = find_candidates(session, (), {mention.paper_id}, said)
    entry = _entry(stored.values(), mention)
    grouping = papers.grouped(session, said, stored)
    merges = [
        each
        for each in said.merges
        if grouping.is_named(entry, each.one) or grouping.is_named(entry, each.other)
    ]
    for each in merges:
        overrides.drop_merge(session, each)
    if merges:
        return _judged(session, Outcome.UNMERGED, before, now)
    if len(grouping.together(entry)) == 1:
        return Judged(Outcome.ALONE, before, before)
    if not is_entry:
        return Judged(Outcome.WHICH, before, before)
    overrides.add_split(session, mention.entry.ref, now)
    return _judged(session, Outcome.SPLIT, before, now)


def part(session: Session, one: Mention, other: Mention, now: datetime) -> Judged:
    """Say that two mentions are of two papers; what merged them is taken back.

    Where an id joins them the other entry is split off.
    """
    before = _papers(session, [one, other])
    said = overrides.read(session)
    stored = find_candidates(session, (), {one.paper_id, other.paper_id}, said)
    first, second = (_entry(stored.values(), each) for each in (one, other))
    grouping = papers.grouped(session, said, stored)
    if grouping.have_one_id(first, second):
        return split(session, other, now, is_entry=True)
    lower, higher = sorted((one.entry.ref, other.entry.ref))
    parting = Separation(lower, higher, now)
    is_said = (lower, higher) in {(each.one, each.other) for each in said.separations}
    if is_said and one.paper_id != other.paper_id:
        return Judged(Outcome.APART, before, before)
    if one.paper_id == other.paper_id:
        apart = replace(said, separations=(*said.separations, parting))
        for each in _joining(session, apart, stored, (first, second)):
            overrides.drop_merge(session, each)
    if not is_said:
        overrides.add_separation(session, parting)
    return _judged(session, Outcome.APART, before, now)


def _joining(
    session: Session, said: ManualOverrides, stored: Mapping[int, Candidate], pair: tuple[int, int]
) -> list[Merge]:
    """Return the merges without which two entries are not of one paper.

    These are the ones of both; where a third joins them too, all of the first one's.
    """
    grouping = papers.grouped(session, said, stored)

    def of(entry: int) -> list[Merge]:
        is_named = grouping.is_named
        return [m for m in said.merges if is_named(entry, m.one) or is_named(entry, m.other)]

    firsts, seconds = map(of, pair)
    both = [each for each in firsts if each in seconds]
    kept = tuple(each for each in said.merges if each not in both)
    for group in papers.grouped(session, replace(said, merges=kept), stored).papers():
        if {each.entry for each in group.entries}.issuperset(pair):
            return firsts
    return both


def take_back(session: Session, merges: Iterable[Merge]) -> Judged:
    """Take merges back that wait for papers, neither of which is stored."""
    for each in merges:
        overrides.drop_merge(session, each)
    return Judged(Outcome.UNMERGED, [], [])


def _without_apart(
    session: Session, said: ManualOverrides, both: Sequence[Sequence[Mention]]
) -> ManualOverrides:
    """Take back that two papers are two; return what else was said."""
    one, other = ({each.entry.ref for each in paper} for paper in both)
    parting = [
        each
        for each in said.separations
        if (each.one in one and each.other in other) or (each.one in other and each.other in one)
    ]
    for each in parting:
        overrides.drop_separation(session, each)
    return replace(
        said, separations=tuple(each for each in said.separations if each not in parting)
    )


def _parted_by(
    session: Session, said: ManualOverrides, stored: Mapping[int, Candidate], pair: Sequence[int]
) -> list[str] | None:
    """Return the refs, of two entries, without whose splits these would be of one paper.

    There may be none, where they would be so by what is said. `None` is that they never would.
    """
    refs = {stored[entry].identifiers.ref for entry in pair} & {each.ref for each in said.splits}
    for some in chain.from_iterable(combinations(sorted(refs), size) for size in (0, 1, 2)):
        kept = tuple(each for each in said.splits if each.ref not in some)
        for group in papers.grouped(session, replace(said, splits=kept), stored).papers():
            if {each.entry for each in group.entries}.issuperset(pair):
                return list(some)
    return None


def _entry(stored: Iterable[Candidate], mention: Mention) -> int:
    """Return the id of a mention's entry."""
    return next(
        each.identifiers.entry
        for each in stored
        if (each.paper, each.identifiers.ref) == (mention.paper_id, mention.entry.ref)
        if each.identifiers.last_day == mention.edition.last_day
    )


def _judged(
    session: Session, outcome: Outcome, before: Sequence[Sequence[Mention]], now: datetime
) -> Judged:
    """Have the papers, and the consensus of their weeks, stand as is said now; tell how they do."""
    placed = papers.place_again(session, {each.paper_id for paper in before for each in paper})
    refresh.refresh(session, refresh.weeks_of(session, placed.touched), now)
    arxiv.touch_renamed(session, placed.renamed, now)
    votes.follow(session, placed.moves)
    content_version.touch(session)
    refs = {each.entry.ref for paper in before for each in paper}
    found = [each for ref in sorted(refs) for each in mentions.by_ref(session, ref)]
    return Judged(outcome, [list(each) for each in before], _papers(session, found), placed.touched)


def _papers(session: Session, found: Iterable[Mention]) -> list[list[Mention]]:
    """Return the papers of some mentions, each with all of its mentions, newest first."""
    papers_found = dict.fromkeys(each.paper_id for each in found)
    return [mentions.of_paper(session, paper) for paper in papers_found]
