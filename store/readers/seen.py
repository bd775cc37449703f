"""Papers that people have seen or that are not for them, and the feed of unseen ones.

A paper is seen that was opened or that a brief listed. The feed has the newest week first, in each
week the best paper first. A paper is in it once, in the newest week that has it. A recap has the
best unseen paper of all weeks first.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import accumulate
from typing import Any

from sqlalchemy import ColumnElement, delete, exists, func, insert, select
from sqlmodel import Session, col

from store.consensus.fusion import by_edition, merge_rankings
from store.consensus.refresh import VOTE_COLUMNS, best_by_week, build_votes
from store.coordination.request_claims import Claim, claim, claimed_at
from store.database.statements import Query, in_list, insert_for, insert_new
from store.library import mentions
from store.library.editions import IS_ORIGINAL, closed_on, is_ahead, monday_of
from store.readers.seen_lists import AWAY, shown_at
from store.records import Mention, Person
from store.search.filters import EVERYTHING, Filters, conditions
from store.tables.library import EditionRow, EntryRow
from store.tables.readers import BriefRow, DismissedPaperRow, SeenListRow, SeenPaperRow
from store.workspaces import people
from store.workspaces.people import add_person, find_person, lock_or_add_person, lock_person

# A first brief does not reach back to the beginning.
_FIRST_WEEKS = 12
# The weeks that a summary lists paper by paper.
_RECENT = 4
# Nobody reads more papers at once; most briefs end within the first.
_MOST, _AT_FIRST = 200, 25
# A paper stands in four editions at most as a rule.
_MOST_ENTRIES = 4 * _MOST

Choose = Callable[[Iterator[Mention]], Sequence[Mention]]


@dataclass(frozen=True, slots=True)
class FeedScope:
    """The sources of a feed, `None` for all, the day (UTC) that it is read on, and its filters.

    The consensus is not among them, nor are editions that still grow or that lie ahead.
    """

    sources: tuple[str, ...] | None
    day: date
    filters: Filters = EVERYTHING


@dataclass(frozen=True, slots=True)
class UnseenSummary:
    """Unseen papers of the last four weeks that have any, and the number of the others.

    Of very many the first are listed.

    `since` is the Monday of the first of the four weeks.
    """

    since: date
    recent: tuple[Mention, ...]
    older: int

    @property
    def papers(self) -> int:
        """The number of all unseen papers."""
        return len(self.recent) + self.older


@dataclass(frozen=True, slots=True)
class BestOfWeeks:
    """The papers of a scope, the best of all its weeks first, and these ISO weeks, oldest first.

    Each paper is its database id and that of its best entry.
    """

    papers: tuple[tuple[int, int], ...]
    weeks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BriefRequest:
    """A brief that a person asks for: its minutes, 0 of a recap, its scope, time and request."""

    minutes: int
    scope: FeedScope
    at: datetime
    request: Claim | None = None


@dataclass(frozen=True, slots=True)
class Brief:
    """A brief: its minutes, 0 of a recap, and its papers in order.

    `gone` is the number of its papers that are in no edition any more.
    """

    id: int
    minutes: int
    papers: tuple[Mention, ...]
    gone: int = 0


def open_paper(session: Session, person: Person, ref: str, at: datetime) -> None:
    """Record that a person opened the paper of an entry, unless a brief listed it.

    What a personal digest listed is opened by that.
    Run it in a transaction of `Database.write_locking_rows`.
    """
    found = mentions.find_paper(session, ref)
    if found is None:  # an import dropped it meanwhile
        return
    own = lock_or_add_person(session, person)
    values = {"person_id": own, "paper_id": found[0], "entry_id": found[1], "seen_at": at}
    opened = insert_for(session, SeenPaperRow).on_conflict_do_update(
        index_elements=["person_id", "paper_id"],
        set_={"delivery_id": None, "seen_at": at},
        where=col(SeenPaperRow.delivery_id).is_not(None),
    )
    session.connection().execute(opened, values)


def is_seen(session: Session, person: Person, ref: str) -> bool:
    """Tell whether a person has seen the paper of an entry."""
    found = mentions.find_paper(session, ref)
    seen = _seen_by(find_person(session, person)).where(
        col(SeenPaperRow.paper_id) == (found and found[0])
    )
    return session.connection().scalar(seen) is not None


def create_brief(
    session: Session, person: Person, wanted: BriefRequest, choose: Choose
) -> Brief | None:
    """Create a person's next brief, and mark its papers as seen.

    Return `None` where the person has seen all papers. A repeated request returns the same brief,
    `None` where it was deleted since. `choose` chooses its papers from the first unseen ones;
    it is pure, because it may be called again. Run it in `Database.write_locking_rows`.
    """
    if wanted.request is not None and not claim(session, wanted.request):
        return _of_request(session, person, wanted.request)
    member = lock_person(session, person)
    unseen = _unseen(session, member, wanted.scope)
    had = select(exists().where(col(BriefRow.person_id) == member))
    if not session.connection().scalar(had):
        unseen = _last_weeks(unseen, _FIRST_WEEKS)
    return _created(
        session, person, member, wanted, choose(_best_first(session, unseen, wanted.scope))
    )


def best_of_weeks(session: Session, scope: FeedScope) -> BestOfWeeks:
    """Rank the papers of all weeks of a scope together; a topic or an author changes no rank."""
    paper, week = col(EntryRow.paper_id), col(EditionRow.week)
    whole = replace(scope, filters=replace(scope.filters, topic=None, author=None))
    rows = session.connection().execute(
        _of_editions(*VOTE_COLUMNS, week).where(*_conditions(whole))
    )
    votes = rows.all()
    wanted = [(row.paper_id, row.week) for row in votes]
    if whole != scope:
        some = _of_editions(paper, week).where(*_conditions(scope))
        wanted = [(row.paper_id, row.week) for row in session.connection().execute(some)]
    papers, weeks = {found for found, _ in wanted}, {name for _, name in wanted}
    ranked = (each.best for each in merge_rankings(build_votes(votes), by_edition))
    return BestOfWeeks(
        tuple((best.paper, best.entry) for best in ranked if best.paper in papers),
        tuple(sorted(weeks)),
    )


def create_recap(
    session: Session, person: Person, wanted: BriefRequest, ranked: BestOfWeeks, most: int
) -> Brief | None:
    """Create a person's next recap of so many papers at most, as `create_brief` does a brief."""
    if wanted.request is not None and not claim(session, wanted.request):
        return _of_request(session, person, wanted.request)
    member = lock_person(session, person)
    seen = set(session.connection().scalars(_seen_by(member)))
    entries = [entry for paper, entry in ranked.papers if paper not in seen][:most]
    return _created(session, person, member, wanted, mentions.of_entries(session, entries))


def count_unseen(session: Session, person: Person, ranked: BestOfWeeks) -> int:
    """Return how many of some papers a person has not seen."""
    seen = set(session.connection().scalars(_seen_by(find_person(session, person))))
    return sum(paper not in seen for paper, _ in ranked.papers)


def last_visit(session: Session, person: Person, now: datetime) -> datetime | None:
    """Return when the visit ended that was the person's last before this one, `None` without one.

    A visit ends where the person is shown nothing for `seen_lists.AWAY`; what was posted to the
    person is no part of one.
    """
    member = find_person(session, person)
    latest = _last_shown(session, member, now)
    if latest is None or now - latest > AWAY:
        return latest
    left = select(func.max(col(SeenListRow.left_at))).where(col(SeenListRow.person_id) == member)
    # A program of before noted no visits.
    return session.connection().scalar(left) or _last_shown(session, member, now - AWAY)


def _last_shown(session: Session, member: int | None, until: datetime) -> datetime | None:
    """Return when something was shown to a person last, but not after an instant."""
    seen_at = col(SeenPaperRow.seen_at)
    papers = select(func.max(seen_at)).where(
        col(SeenPaperRow.person_id) == member,
        col(SeenPaperRow.delivery_id).is_(None),
        seen_at <= until,
    )
    lists = select(func.max(shown_at())).where(
        col(SeenListRow.person_id) == member, shown_at() <= until
    )
    return max(filter(None, map(session.connection().scalar, (papers, lists))), default=None)


def find_brief(session: Session, person: Person, brief_id: int) -> Brief | None:
    """Return a brief of a person, `None` where the person has no such brief."""
    of_person = col(BriefRow.person_id) == find_person(session, person)
    query = select(col(BriefRow.minutes)).where(col(BriefRow.id) == brief_id, of_person)
    minutes = session.connection().scalar(query)
    if minutes is None:
        return None
    listed = (
        select(col(SeenPaperRow.paper_id), col(SeenPaperRow.entry_id))
        .where(col(SeenPaperRow.brief_id) == brief_id)
        .order_by(col(SeenPaperRow.position))
    )
    rows = session.connection().execute(listed).all()
    found = mentions.of_papers(session, {row.paper_id: row.entry_id for row in rows})
    papers = tuple(found[row.paper_id] for row in rows if row.paper_id in found)
    return Brief(brief_id, minutes, papers, len(rows) - len(papers))


def last_brief(session: Session, person: Person) -> Brief | None:
    """Return the brief that a person asked for last, `None` if there was none."""
    of_person = col(BriefRow.person_id) == find_person(session, person)
    last = session.connection().scalar(select(func.max(col(BriefRow.id))).where(of_person))
    return None if last is None else find_brief(session, person, last)


def unseen_summary(session: Session, person: Person, scope: FeedScope) -> UnseenSummary:
    """Return a summary of the papers that a person has not seen."""
    member = find_person(session, person)
    unseen = _unseen(session, member, scope)
    if not unseen:
        return UnseenSummary(scope.day, (), 0)
    read = tuple(_best_first(session, _last_weeks(unseen, _RECENT), scope))
    older = _count(session, member, scope) - len(read)
    return UnseenSummary(_first_day(max(unseen), _RECENT), read, older)


def _created(
    session: Session,
    person: Person,
    member: int | None,
    wanted: BriefRequest,
    chosen: Sequence[Mention],
) -> Brief | None:
    """Create a brief of the papers that were chosen, `None` without any."""
    if not chosen:
        return None
    papers, own = tuple(chosen), add_person(session, person) if member is None else member
    return Brief(_add(session, own, wanted, papers), wanted.minutes, papers)


def _add(session: Session, member: int, wanted: BriefRequest, papers: Sequence[Mention]) -> int:
    """Add a brief, mark its papers as seen, and return its database id."""
    at = wanted.request.at if wanted.request else wanted.at
    new = insert(BriefRow).values(person_id=member, minutes=wanted.minutes, asked_at=at)
    brief_id: int = session.connection().execute(new.returning(col(BriefRow.id))).scalar_one()
    shown = select(col(EntryRow.id), col(EntryRow.paper_id), col(EntryRow.ref)).where(
        col(EntryRow.ref).in_([each.entry.ref for each in papers])
    )
    entries = {(row.paper_id, row.ref): row.id for row in session.connection().execute(shown)}
    listed = [
        {
            "person_id": member,
            "paper_id": each.paper_id,
            "entry_id": entries.get((each.paper_id, each.entry.ref)),
            "seen_at": at,
            "brief_id": brief_id,
            "position": position,
        }
        for position, each in enumerate(papers)
    ]
    session.connection().execute(insert(SeenPaperRow).values(listed))
    return brief_id


def _of_request(session: Session, person: Person, request: Claim) -> Brief | None:
    at = claimed_at(session, request)
    query = select(col(BriefRow.id)).where(
        col(BriefRow.person_id) == find_person(session, person), col(BriefRow.asked_at) == at
    )
    brief_id = session.connection().scalar(query)
    return None if brief_id is None else find_brief(session, person, brief_id)


def _unseen(session: Session, member: int | None, scope: FeedScope) -> dict[str, set[int]]:
    """Return the first unseen papers by the ISO week that is their newest; all of each week."""
    paper, week = col(EntryRow.paper_id), col(EditionRow.week)
    seen = _seen_by(member).where(col(SeenPaperRow.paper_id) == paper)
    query = (
        _of_editions(week, paper).where(*_conditions(scope), ~exists(seen)).order_by(week.desc())
    )
    # The oldest entries of very many are not read.
    last = session.connection().scalar(query.offset(_MOST_ENTRIES).limit(1))
    rows = session.connection().execute(query.where(week >= last) if last else query)
    newest: dict[int, str] = {}
    for name, found in rows:
        newest.setdefault(found, name)
    weeks = defaultdict[str, set[int]](set)
    for found, name in newest.items():
        weeks[name].add(found)
    return weeks


def _count(session: Session, member: int | None, scope: FeedScope) -> int:
    """Return the number of unseen papers: all papers less the seen ones, which is faster."""
    papers = _of_editions(col(EntryRow.paper_id)).distinct().where(*_conditions(scope))
    known, seen = (
        session.connection().scalar(select(func.count()).select_from(each.subquery())) or 0
        for each in (papers, papers.where(col(EntryRow.paper_id).in_(_seen_by(member))))
    )
    return known - seen


def _last_weeks(unseen: Mapping[str, set[int]], weeks: int) -> dict[str, set[int]]:
    """Return the papers of so many weeks that end with the newest."""
    since = _first_day(max(unseen), weeks) if unseen else date.min
    return {week: papers for week, papers in unseen.items() if monday_of(week) >= since}


def _best_first(
    session: Session, unseen: Mapping[str, set[int]], scope: FeedScope
) -> Iterator[Mention]:
    """Yield unseen papers, the newest week first, each week in the order of its consensus."""
    weeks = sorted(unseen, reverse=True)
    before = accumulate((len(unseen[week]) for week in weeks), initial=0)
    weeks = [week for week, papers in zip(weeks, before, strict=False) if papers < _MOST]
    query = _of_editions(*VOTE_COLUMNS, col(EditionRow.week)).where(
        *_conditions(scope), in_list(col(EditionRow.week), weeks)
    )
    wanted = set[int]().union(*(unseen[week] for week in weeks))
    best = best_by_week(session.connection().execute(query))
    entries = [entry for paper, entry in best.items() if paper in wanted][:_MOST]
    for some in (entries[:_AT_FIRST], entries[_AT_FIRST:]):
        yield from mentions.of_entries(session, some)


def _first_day(week: str, weeks: int) -> date:
    """Return the Monday of the first of so many weeks that end with one."""
    return monday_of(week) - timedelta(weeks=weeks - 1)


def _conditions(scope: FeedScope) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions of all editions in a scope."""
    yield from (IS_ORIGINAL, closed_on(scope.day), ~is_ahead(scope.day))
    if scope.sources is not None:
        yield col(EditionRow.source).in_(scope.sources)
    yield from conditions(scope.filters)


def _of_editions(*columns: Any) -> Query:  # noqa: ANN401 - columns of entries and editions
    return select(*columns).join_from(
        EntryRow, EditionRow, col(EditionRow.id) == col(EntryRow.edition_id)
    )


def _seen_by(member: int | None) -> Query:
    return select(col(SeenPaperRow.paper_id)).where(col(SeenPaperRow.person_id) == member)


def dismiss(session: Session, person: Person, ref: str, at: datetime) -> bool:
    """Record that the paper of an entry is not for a person; return whether that is new.

    Run it in a transaction of `Database.write_locking_rows`.
    """
    found = mentions.find_paper(session, ref)
    if found is None:  # an import dropped it meanwhile
        return False
    own = people.lock_or_add_person(session, person)
    values = {"person_id": own, "paper_id": found[0], "entry_id": found[1], "dismissed_at": at}
    new = insert_new(session, DismissedPaperRow).returning(col(DismissedPaperRow.paper_id))
    return session.connection().scalar(new, values) is not None


def restore(session: Session, person: Person, ref: str) -> bool:
    """Record that the paper of an entry may be for a person after all; return if that is new."""
    found = mentions.find_paper(session, ref)
    of_person = col(DismissedPaperRow.person_id) == people.find_person(session, person)
    of_paper = col(DismissedPaperRow.paper_id) == (found and found[0])
    gone = delete(DismissedPaperRow).where(of_person, of_paper)
    return session.connection().execute(gone).rowcount > 0
