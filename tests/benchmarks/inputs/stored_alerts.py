"""Store the alerts of very many people: words and phrases of titles, authors, topics."""

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from sqlalchemy import insert, select
from sqlmodel import col

from bot.library.alerts import search_query
from bot.library.search import parse_query
from store.database import Session
from store.readers.alerts import AlertQuery
from store.records import Channel, Person, Workspace
from store.search import Filters, SearchQuery, index_keys
from store.tables.library import EntryRow, EntryTopicRow
from store.tables.readers import AlertKeyRow, AlertRow
from store.workspaces import people, workspaces

AUTHORS = (
    "Ada Aune", "Bo Birk", "Cleo Cole", "Dan Dahl", "Eva Eder", "Finn Falk", "Gil Gray", "Hal Holm",
    "Ida Ivers", "Jan Juul", "Kim Kern", "Lea Lund", "Max Moen", "Nia Noth", "Ole Oest", "Pia Pohl",
)  # fmt: skip

_WORKSPACE = Workspace("slack", "T1")
_NOW = datetime(2026, 1, 12, 9, 0, tzinfo=UTC)
_ROWS_AT_ONCE = 10_000


def store_alerts(session: Session, number: int) -> None:
    """Store so many alerts, the same ones in the same store."""
    owner = people.ensure_person(session, Person(_WORKSPACE, "U1"))
    channel = workspaces.channel_id(session, Channel(_WORKSPACE, "D1"))
    keys: dict[SearchQuery, tuple[str, ...]] = {}
    alerts, filed = [], []
    for place, query in enumerate(_queries(session, number), 1):
        parsed = search_query(query)
        if parsed not in keys:
            keys[parsed] = index_keys(session, parsed)
        filed += [{"key": key, "alert_id": place} for key in keys[parsed]]
        filters = query.filters
        alerts.append({
            "id": place, "person_id": owner, "channel_id": channel, "query": str(place),
            "words": query.words, "topic": filters.topic, "source": filters.source,
            "author": filters.author, "created_at": _NOW, "refusal_told": False,
        })  # fmt: skip
    for table, rows in ((AlertRow, alerts), (AlertKeyRow, filed)):
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            session.connection().execute(insert(table), rows[start : start + _ROWS_AT_ONCE])


def _queries(session: Session, number: int) -> Iterator[AlertQuery]:
    """Yield queries: of a hundred 35 words, 25 pairs, 15 phrases, 5 with an exclusion and so on.

    A word is as likely as it is frequent in titles, a topic as it is among papers.
    """
    connection = session.connection()
    titles = connection.scalars(select(col(EntryRow.title_key)).order_by(col(EntryRow.id)))
    words = [title.split() for title in titles if title]
    topic = col(EntryTopicRow.topic)
    topics = connection.scalars(select(topic).order_by(topic)).all() or ["agents"]
    chance = random.Random(7)  # noqa: S311 - texts that repeat, not a secret
    kinds = chance.choices(_KINDS, [share for _, share in _KINDS], k=number)
    for kind, _ in kinds:
        yield _query(chance, kind, chance.choice(words), topics)


_KINDS = (("word", 35), ("pair", 25), ("phrase", 15), ("author", 10), ("topic", 10), ("without", 5))


def _query(
    chance: random.Random, kind: str, title: Sequence[str], topics: Sequence[str]
) -> AlertQuery:
    significant = parse_query(" ".join(title)).significant_words
    one, other = chance.choice(significant), chance.choice(significant)
    start = chance.randrange(len(title))
    phrase = " ".join(title[start : start + 2])
    if kind == "author":
        return AlertQuery("", "", Filters(author=chance.choice(AUTHORS)))
    if kind == "topic":
        return AlertQuery("", chance.choice(["", one]), Filters(topic=chance.choice(topics)))
    words = {
        "word": one, "pair": f"{one} {other}", "phrase": f'"{phrase}"', "without": f"{one} -{other}"
    }[kind]  # fmt: skip
    return AlertQuery("", words, Filters())
