"""What a store should say, computed from its entries alone, beside what it says."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlmodel import SQLModel, col

from store import content_version
from store.consensus.fusion import Vote, merge_rankings
from store.database import Session
from store.identity import candidates, overrides
from store.identity.comparison import words_of
from store.identity.grouping import Grouping
from store.identity.identifiers import Identifiers, PaperGroup, candidate_keys
from store.library import arxiv, editions
from store.records import Edition
from store.sources import CONSENSUS
from store.tables.library import ConsensusRankRow, EditionRow, EntryRow, PaperRow
from store.tables.posting import DeliveryRow
from store.tables.readers import SavedPaperRow, SeenPaperRow, VoteRow
from store.text import name_key, title_key

_FEWEST = 2  # sources that make a consensus

Rows = list[Any]
Day = tuple[str, object]


@dataclass(frozen=True)
class Shown:
    """What readers are told: editions by source and first day, papers, and what else there is."""

    editions: dict[Day, Edition]
    papers: frozenset[frozenset[str]]
    told: dict[str, arxiv.ArxivPaper]
    said: object
    imported_at: datetime | None


@dataclass(frozen=True)
class Noted:
    """What tells others that something changed: the content's version, and of each edition when."""

    version: str
    changed_at: dict[Day, datetime]


def shown(session: Session) -> Shown:
    """Return what readers are told."""
    found = [
        *editions.export_editions(session),
        *editions.export_editions(session, CONSENSUS),
    ]
    papers: dict[int, set[str]] = defaultdict(set)
    for row in _entries(session):
        papers[row.paper_id].add(f"{row.source} {row.first_day} {row.ref}")
    return Shown(
        {(each.source, each.first_day): each for each in found},
        frozenset(map(frozenset, papers.values())),
        arxiv.known(session),
        overrides.read(session),
        content_version.changed_at(session),
    )


def noted(session: Session) -> Noted:
    """Return what tells others that something changed."""
    rows = session.connection().execute(select(EditionRow))
    changed_at = {(row.source, row.first_day): row.changed_at for row in rows}
    return Noted(content_version.version(session), changed_at)


def wrong(session: Session) -> list[str]:
    """Return what a store says otherwise than its entries have it."""
    return [*_wrong_papers(session), *_wrong_consensus(session), *_wrong_indexes(session)]


def _entries(session: Session) -> Rows:
    columns = (
        col(EditionRow.last_day),
        col(EditionRow.week),
        col(EditionRow.source),
        col(EditionRow.first_day),
    )
    joined = select(EntryRow, *columns).join(
        EditionRow, col(EditionRow.id) == col(EntryRow.edition_id)
    )
    return [*session.connection().execute(joined)]


def _wrong_papers(session: Session) -> list[str]:
    """Compare the papers with a grouping of all entries by all their words."""
    entries = _entries(session)
    signs = [_signs(row) for row in entries]
    words = {
        row.id: words_of(
            row.title, [row.summary or "", *(each.text for each in row.highlights)], row.links
        )
        for row in entries
    }
    wanted = {_facts(each) for each in Grouping(signs, overrides.read(session), words).papers()}
    # A paper without entries stays as long as a person keeps anything of it.
    kept = {
        paper
        for row in (SavedPaperRow, SeenPaperRow, VoteRow)
        for paper in session.connection().scalars(select(col(row.paper_id)))
    }
    of_paper: dict[int, set[int]] = defaultdict(set)
    for row in entries:
        of_paper[row.paper_id].add(row.id)
    stored = {
        (frozenset(of_paper[row.id]), row.arxiv_id, row.doi, row.title_key, row.year)
        for row in session.connection().execute(select(PaperRow))
        if row.id in of_paper or row.id not in kept
    }
    return [f"paper {each}" for each in wanted ^ stored]


def _signs(row: Any) -> Identifiers:
    keys = title_key(row.title), name_key(row.title)
    by_title = candidate_keys(row.title, row.summary)
    return Identifiers(
        row.id, row.ref, row.title, *keys, row.arxiv_id, row.doi, row.last_day, by_title
    )


def _facts(group: PaperGroup) -> tuple[object, ...]:
    entries = frozenset(each.entry for each in group.entries)
    return entries, group.arxiv_id, group.doi, group.title_key, group.year


def _wrong_consensus(session: Session) -> list[str]:
    """Compare the ranks of each consensus with those of all votes of its week, fused."""
    votes: dict[str, list[Vote]] = defaultdict(list)
    for row in _entries(session):
        vote = Vote(row.paper_id, row.id, row.source, row.first_day, row.position, row.rank)
        votes[row.week].append(vote)
    wanted = {
        week: [paper.best.entry for paper in merge_rankings(each)]
        for week, each in votes.items()
        if len({vote.source for vote in each}) >= _FEWEST
    }
    connection = session.connection()
    weeks = select(col(EditionRow.id), col(EditionRow.week)).where(
        col(EditionRow.source) == CONSENSUS
    )
    week_of = {row.id: row.week for row in connection.execute(weeks)}
    stored: dict[str, list[int]] = {week: [] for week in week_of.values()}
    for row in connection.execute(
        select(ConsensusRankRow).order_by(
            col(ConsensusRankRow.edition_id), col(ConsensusRankRow.rank)
        )
    ):
        stored[week_of[row.edition_id]].append(row.entry_id)
    # What was posted stays where its week has no consensus any more.
    posted = set(connection.scalars(select(col(DeliveryRow.edition_id))))
    kept = {week for edition_id, week in week_of.items() if edition_id in posted}
    differ = {week for week in wanted.keys() | stored if wanted.get(week) != stored.get(week)}
    return [f"consensus {week}" for week in differ - (kept - wanted.keys())]


def _wrong_indexes(session: Session) -> list[str]:
    """Look for each entry once in each index, and for nothing else."""
    entries = _entries(session)
    connection = session.connection()
    topics = sorted((topic, row.id) for row in entries for topic in row.topics)
    words = sorted(
        (word, row.id) for row in entries for word in candidates.indexed_words(_signs(row))
    )
    indexed = {
        "entry_text": sorted(row.id for row in entries),
        "entry_topic": topics,
        "entry_word": words,
    }
    tables = SQLModel.metadata.tables
    texts = connection.exec_driver_sql("SELECT rowid FROM entry_text").scalars()
    found: dict[str, Rows] = {
        "entry_text": sorted(texts),
        **{
            name: sorted(
                tuple(row)
                for row in connection.execute(
                    select(tables[name].c[name.removeprefix("entry_")], tables[name].c.entry_id)
                )
            )
            for name in ("entry_topic", "entry_word")
        },
    }
    wrong_words = [row.ref for row in entries if row.name_key != name_key(row.title)]
    return [name for name in indexed if indexed[name] != found[name]] + wrong_words
