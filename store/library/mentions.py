"""Finding papers by whatever names them: each answer is a mention, an entry in its edition."""

from collections.abc import Mapping, Sequence
from datetime import date

from sqlalchemy import ColumnElement, select
from sqlmodel import Session, col

from store.database.statements import among, table_of
from store.library.arxiv import IS_WITHDRAWN
from store.library.editions import edition_record, newest_first
from store.library.entries import told_record
from store.records import Mention
from store.tables.library import EditionRow, EntryRow, PaperRow
from store.text import title_key


def by_ref(session: Session, ref: str) -> list[Mention]:
    """Return what an entry's `ref` names, newest first; an episode may stand twice."""
    return _mentions(session, col(EntryRow.ref) == ref)


def by_episode(session: Session, episode: str) -> list[Mention]:
    """Return the entries of an episode ("E162") over all sources."""
    return _mentions(session, col(EntryRow.episode) == episode)


def by_day_and_rank(session: Session, first_day: date, rank: int) -> list[Mention]:
    """Return the entries of a rank in the editions that start on a day."""
    return _mentions(session, col(EditionRow.first_day) == first_day, col(EntryRow.rank) == rank)


def by_arxiv_id(session: Session, arxiv_id: str) -> list[Mention]:
    """Return the entries of the paper with an arXiv id (without version)."""
    if found := _mentions(session, col(PaperRow.arxiv_id) == arxiv_id):
        return found
    # Of a paper that was merged with another it may be the second id.
    bearers = select(col(EntryRow.paper_id)).where(col(EntryRow.arxiv_id) == arxiv_id)
    return _mentions(session, col(PaperRow.id).in_(bearers))


def by_title(session: Session, title: str) -> list[Mention]:
    """Return the entries under exactly this title, whatever its case, signs and accents."""
    return _mentions(session, col(EntryRow.title_key) == title_key(title))


def of_paper(session: Session, paper_id: int) -> list[Mention]:
    """Return every entry of a paper, newest first."""
    return _mentions(session, col(PaperRow.id) == paper_id)


def of_entries(session: Session, entry_ids: Sequence[int]) -> list[Mention]:
    """Return the mentions of entries given by database id, in the order given."""
    if not entry_ids:
        return []
    found = dict(_rows(session, among(col(EntryRow.id), "ids"), given={"ids": [*entry_ids]}))
    return [found[row_id] for row_id in entry_ids if row_id in found]


def _mentions(session: Session, *conditions: ColumnElement[bool]) -> list[Mention]:
    mentions = [mention for _, mention in _rows(session, *conditions)]
    return sorted(
        mentions, key=lambda mention: (newest_first(mention.edition), mention.entry.position)
    )


_OF_EDITION = [column for column in table_of(EditionRow).c if column.key != "id"]
_ROWS = (
    select(
        EntryRow,
        IS_WITHDRAWN,
        *(column.label(f"edition_{column.key}") for column in _OF_EDITION),
    )
    .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
    .join(PaperRow, col(PaperRow.id) == col(EntryRow.paper_id))
)


def _rows(
    session: Session, *conditions: ColumnElement[bool], given: Mapping[str, object] | None = None
) -> list[tuple[int, Mention]]:
    """Return mentions, each with its entry's database id; the conditions may ask for values."""
    mentions = []
    for row in session.connection().execute(_ROWS.where(*conditions), given or {}).mappings():
        edition = {column.key: row[f"edition_{column.key}"] for column in _OF_EDITION}
        entry = told_record(row)
        mention = Mention(row["paper_id"], edition_record(edition), entry)
        mentions.append((row["id"], mention))
    return mentions
