"""Finding and counting entries by topic."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Select, func, select
from sqlmodel import Session

from store.library import mentions
from store.records import Mention
from store.tables import TABLES

_ENTRY_TOPIC, _ENTRY, _EDITION = TABLES["entry_topic"], TABLES["entry"], TABLES["edition"]


@dataclass(frozen=True, slots=True)
class TopicCount:
    """How many papers have a topic, and the last day of the newest edition that names one."""

    topic: str
    papers: int
    last_day: date


def counts(session: Session) -> list[TopicCount]:
    """Return the topics that papers have, the most frequent first."""
    papers = func.count(_ENTRY.c.paper_id.distinct())
    query = (
        select(_ENTRY_TOPIC.c.topic, papers, func.max(_EDITION.c.last_day))
        .join(_ENTRY, _ENTRY.c.id == _ENTRY_TOPIC.c.entry_id)
        .join(_EDITION, _EDITION.c.id == _ENTRY.c.edition_id)
        .group_by(_ENTRY_TOPIC.c.topic)
        .order_by(papers.desc(), _ENTRY_TOPIC.c.topic)
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


_ENTRIES = select(_ENTRY_TOPIC.c.topic, func.count()).group_by(_ENTRY_TOPIC.c.topic)
_SEVERAL = select(_ENTRY.c.paper_id).group_by(_ENTRY.c.paper_id).having(func.count() > 1)
_REPEATED = (
    select(_ENTRY_TOPIC.c.topic, func.count() - func.count(_ENTRY.c.paper_id.distinct()))
    .join(_ENTRY, _ENTRY.c.id == _ENTRY_TOPIC.c.entry_id)
    .where(_ENTRY.c.paper_id.in_(_SEVERAL))
    .group_by(_ENTRY_TOPIC.c.topic)
)


def count_papers(session: Session, topic: str | None = None) -> int:
    """Return how many papers have a topic, or how many there are."""
    query = select(func.count(_ENTRY.c.paper_id.distinct()))
    return session.connection().scalar(_of_topic(query, topic)) or 0


def papers(session: Session, topic: str | None, limit: int, offset: int = 0) -> list[Mention]:
    """Return papers with a topic, or any, each at its newest mention that has it, newest first."""
    order = (_EDITION.c.sample, _EDITION.c.last_day.desc(), _EDITION.c.source, _ENTRY.c.position)
    mention = func.row_number().over(partition_by=_ENTRY.c.paper_id, order_by=order)
    ranked = _of_topic(
        select(
            _ENTRY.c.id,
            _ENTRY.c.position,
            _EDITION.c.sample,
            _EDITION.c.last_day,
            _EDITION.c.source,
            mention.label("mention"),
        ).join(_EDITION, _EDITION.c.id == _ENTRY.c.edition_id),
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


def _of_topic(query: Select[Any], topic: str | None) -> Select[Any]:
    if topic is None:
        return query
    joined = query.join(_ENTRY_TOPIC, _ENTRY_TOPIC.c.entry_id == _ENTRY.c.id)
    return joined.where(_ENTRY_TOPIC.c.topic == topic)
