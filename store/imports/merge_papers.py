"""Manual overrides of the grouping: two papers are one, or an entry is of another paper.

An override is kept under names that outlast the rows, and holds for later imports. Each function
runs in one transaction, which also regroups the entries concerned.
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
from store.identity.candidates import EntryCandidate, find_candidates
from store.identity.overrides import ManualOverrides, Merge, Separation
from store.library import arxiv, mentions, papers
from store.readers import votes
from store.records import Mention


class MergeOutcome(StrEnum):
    """The outcome of a merge or a split.

    `separated` means that two papers stay two for good. `already_one` and `not_joined` mean that
    nothing had to change, `ambiguous` that the paper has several entries and the caller named none
    of them to split off.
    """

    MERGED = "merged"
    ALREADY_ONE = "already_one"
    UNMERGED = "unmerged"
    SPLIT = "split"
    SEPARATED = "separated"
    NOT_JOINED = "not_joined"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True, slots=True)
class MergeResult:
    """An outcome with the papers concerned before and after, each by its mentions.

    `touched` are the papers that gained or lost entries; some may be gone.
    """

    outcome: MergeOutcome
    before: list[list[Mention]]
    after: list[list[Mention]]
    touched: frozenset[int] = frozenset()


def merge(session: Session, one: Mention, other: Mention, now: datetime) -> MergeResult:
    """Merge the papers of two mentions for good; a split that separates them is undone.

    The mentions must be read in the same transaction.
    """
    before = _papers(session, [one, other])
    if one.paper_id == other.paper_id:
        return MergeResult(MergeOutcome.ALREADY_ONE, before, before)
    manual = overrides.read(session)
    stored = find_candidates(session, (), {one.paper_id, other.paper_id}, manual)
    pair = [_entry(stored.values(), each) for each in (one, other)]
    manual = _without_separations(session, manual, before)
    splits = _splits_between(session, manual, stored, pair)
    for ref in splits or ():
        overrides.drop_split(session, ref)
    if splits is None:
        names = sorted(map(papers.grouped(session, manual, stored).name, pair))
        overrides.add_merge(session, Merge(names[0], names[1], now))
    return _applied(session, MergeOutcome.MERGED, before, now)


def split(session: Session, mention: Mention, now: datetime, *, is_entry: bool) -> MergeResult:
    """Undo the merges of the paper of a mention; without merges, split its entry off.

    The mention is of an entry of the paper as it is without merges, read in the same transaction;
    `is_entry` tells whether the caller named this entry, and not just its paper.
    """
    before = _papers(session, [mention])
    manual = overrides.read(session)
    stored = find_candidates(session, (), {mention.paper_id}, manual)
    entry = _entry(stored.values(), mention)
    grouping = papers.grouped(session, manual, stored)
    merges = [
        each
        for each in manual.merges
        if grouping.is_named(entry, each.one) or grouping.is_named(entry, each.other)
    ]
    for each in merges:
        overrides.drop_merge(session, each)
    if merges:
        return _applied(session, MergeOutcome.UNMERGED, before, now)
    if len(grouping.together(entry)) == 1:
        return MergeResult(MergeOutcome.NOT_JOINED, before, before)
    if not is_entry:
        return MergeResult(MergeOutcome.AMBIGUOUS, before, before)
    overrides.add_split(session, mention.entry.ref, now)
    return _applied(session, MergeOutcome.SPLIT, before, now)


def separate(session: Session, one: Mention, other: Mention, now: datetime) -> MergeResult:
    """Keep the papers of two mentions separate for good; their merges are undone.

    Where an id joins them, the other entry is split off.
    """
    before = _papers(session, [one, other])
    manual = overrides.read(session)
    stored = find_candidates(session, (), {one.paper_id, other.paper_id}, manual)
    first, second = (_entry(stored.values(), each) for each in (one, other))
    grouping = papers.grouped(session, manual, stored)
    if grouping.have_one_id(first, second):
        return split(session, other, now, is_entry=True)
    lower, higher = sorted((one.entry.ref, other.entry.ref))
    separation = Separation(lower, higher, now)
    is_known = (lower, higher) in {(each.one, each.other) for each in manual.separations}
    if is_known and one.paper_id != other.paper_id:
        return MergeResult(MergeOutcome.SEPARATED, before, before)
    if one.paper_id == other.paper_id:
        apart = replace(manual, separations=(*manual.separations, separation))
        for each in _joining(session, apart, stored, (first, second)):
            overrides.drop_merge(session, each)
    if not is_known:
        overrides.add_separation(session, separation)
    return _applied(session, MergeOutcome.SEPARATED, before, now)


def _joining(
    session: Session,
    manual: ManualOverrides,
    stored: Mapping[int, EntryCandidate],
    pair: tuple[int, int],
) -> list[Merge]:
    """Return the merges without which two entries are of two papers.

    These are the merges of both; where a third paper joins them too, all merges of the first.
    """
    grouping = papers.grouped(session, manual, stored)

    def of(entry: int) -> list[Merge]:
        is_named = grouping.is_named
        return [m for m in manual.merges if is_named(entry, m.one) or is_named(entry, m.other)]

    firsts, seconds = map(of, pair)
    both = [each for each in firsts if each in seconds]
    kept = tuple(each for each in manual.merges if each not in both)
    for group in papers.grouped(session, replace(manual, merges=kept), stored).papers():
        if {each.entry for each in group.entries}.issuperset(pair):
            return firsts
    return both


def undo_merges(session: Session, merges: Iterable[Merge]) -> MergeResult:
    """Undo merges of papers that are not stored."""
    for each in merges:
        overrides.drop_merge(session, each)
    return MergeResult(MergeOutcome.UNMERGED, [], [])


def _without_separations(
    session: Session, manual: ManualOverrides, both: Sequence[Sequence[Mention]]
) -> ManualOverrides:
    """Drop the overrides that keep two papers separate; return the others."""
    one, other = ({each.entry.ref for each in paper} for paper in both)
    separation = [
        each
        for each in manual.separations
        if (each.one in one and each.other in other) or (each.one in other and each.other in one)
    ]
    for each in separation:
        overrides.drop_separation(session, each)
    return replace(
        manual, separations=tuple(each for each in manual.separations if each not in separation)
    )


def _splits_between(
    session: Session,
    manual: ManualOverrides,
    stored: Mapping[int, EntryCandidate],
    pair: Sequence[int],
) -> list[str] | None:
    """Return the refs of two entries whose splits keep them from being of one paper.

    There may be none, where the overrides join them already. `None` means that no splits do.
    """
    refs = {stored[entry].identifiers.ref for entry in pair} & {each.ref for each in manual.splits}
    for some in chain.from_iterable(combinations(sorted(refs), size) for size in (0, 1, 2)):
        kept = tuple(each for each in manual.splits if each.ref not in some)
        for group in papers.grouped(session, replace(manual, splits=kept), stored).papers():
            if {each.entry for each in group.entries}.issuperset(pair):
                return list(some)
    return None


def _entry(stored: Iterable[EntryCandidate], mention: Mention) -> int:
    """Return the id of a mention's entry."""
    return next(
        each.identifiers.entry
        for each in stored
        if (each.paper, each.identifiers.ref) == (mention.paper_id, mention.entry.ref)
        if each.identifiers.last_day == mention.edition.last_day
    )


def _applied(
    session: Session, outcome: MergeOutcome, before: Sequence[Sequence[Mention]], now: datetime
) -> MergeResult:
    """Regroup the papers and refresh the consensus of their weeks; return the result."""
    placed = papers.place_again(session, {each.paper_id for paper in before for each in paper})
    refresh.refresh(session, refresh.weeks_of(session, placed.touched), now)
    arxiv.touch_renamed(session, placed.renamed, now)
    votes.outdate_posts(session, placed.moves)
    content_version.touch(session)
    refs = {each.entry.ref for paper in before for each in paper}
    found = [each for ref in sorted(refs) for each in mentions.by_ref(session, ref)]
    return MergeResult(
        outcome, [list(each) for each in before], _papers(session, found), placed.touched
    )


def _papers(session: Session, found: Iterable[Mention]) -> list[list[Mention]]:
    """Return the papers of mentions, each with all of its mentions, newest first."""
    papers_found = dict.fromkeys(each.paper_id for each in found)
    return [mentions.of_paper(session, paper) for paper in papers_found]
