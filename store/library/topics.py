"""Finding and counting entries by topic."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import func, select
from sqlmodel import Session, col

from store.database.statements import Query
from store.library import mentions
from store.records import Mention
from store.tables.library import EditionRow, EntryRow, EntryTopicRow


@dataclass(frozen=True, slots=True)
class TopicCount:
    """How many papers have a topic, and the last day of the newest edition that names one."""

    topic: str
    papers: int
    last_day: date


def counts(session: Session) -> list[TopicCount]:
    """Return the topics that papers have, the most frequent first."""
    papers = func.count(col(EntryRow.paper_id).distinct())
    query = (
        select(col(EntryTopicRow.topic), papers, func.max(col(EditionRow.last_day)))
        .join(EntryRow, col(EntryRow.id) == col(EntryTopicRow.entry_id))
        .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
        .group_by(col(EntryTopicRow.topic))
        .order_by(papers.desc(), col(EntryTopicRow.topic))
    )
    return [TopicCount(*row) for row in session.connection().execute(query)]


def frequencies(session: Session) -> dict[str, int]:
    """Return how many papers each topic has, the most frequent first, as `counts` has them.

    Entries are counted, which takes a tenth of counting papers, and those taken off again that
    stand for a paper once more.
    """
    connection = session.connection()
    found = {topic: number for topic, number in connection.execute(_ENTRIES)}  # noqa: C416 - rows are tuples to mypy only so
    for topic, repeated in connection.execute(_REPEATED):
        found[topic] -= repeated
    return dict(sorted(found.items(), key=lambda each: (-each[1], each[0])))


_ENTRIES = select(col(EntryTopicRow.topic), func.count()).group_by(col(EntryTopicRow.topic))
_SEVERAL = select(col(EntryRow.paper_id)).group_by(col(EntryRow.paper_id)).having(func.count() > 1)
_REPEATED = (
    select(col(EntryTopicRow.topic), func.count() - func.count(col(EntryRow.paper_id).distinct()))
    .join(EntryRow, col(EntryRow.id) == col(EntryTopicRow.entry_id))
    .where(col(EntryRow.paper_id).in_(_SEVERAL))
    .group_by(col(EntryTopicRow.topic))
)


def count_papers(session: Session, topic: str | None = None) -> int:
    """Return how many papers have a topic, or how many there are."""
    query = select(func.count(col(EntryRow.paper_id).distinct()))
    return session.connection().scalar(_of_topic(query, topic)) or 0


def papers(session: Session, topic: str | None, limit: int, offset: int = 0) -> list[Mention]:
    """Return papers with a topic, or any, each at its newest mention that has it, newest first."""
    order = (
        col(EditionRow.sample),
        col(EditionRow.last_day).desc(),
        col(EditionRow.source),
        col(EntryRow.position),
    )
    mention = func.row_number().over(partition_by=col(EntryRow.paper_id), order_by=order)
    ranked = _of_topic(
        select(
            col(EntryRow.id),
            col(EntryRow.position),
            col(EditionRow.sample),
            col(EditionRow.last_day),
            col(EditionRow.source),
            mention.label("mention"),
        ).join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id)),
        topic,
    ).subquery()
    query = (
        select(ranked.c.id)
        .where(ranked.c.mention == 1)
        .order_by(ranked.c.sample, ranked.c.last_day.desc(), ranked.c.source, ranked.c.position)
        .limit(limit)
        .offset(offset)
    )
    return mentions.of_entries(session, list(session.connection().scalars(query)))


def _of_topic(query: Query, topic: str | None) -> Query:
    if topic is None:
        return query
    joined = query.join(EntryTopicRow, col(EntryTopicRow.entry_id) == col(EntryRow.id))
    return joined.where(col(EntryTopicRow.topic) == topic)
