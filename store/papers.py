"""Papers: each known once, whoever mentions it, in whatever order the mentions come.

An entry's paper is found by arXiv id, then DOI, then title and year together, and never by
a title alone. An entry without ids belongs to the one paper with ids that is mentioned
under its title and year; where two are, nobody can tell, and it stays with neither.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import Connection, delete, exists, insert, or_, select, update
from sqlmodel import Session, SQLModel

from store.records import PaperKey

_PAPER = SQLModel.metadata.tables["paper"]
_ENTRY = SQLModel.metadata.tables["entry"]

TitleYear = tuple[str, int]


def place(session: Session, keys: Sequence[PaperKey]) -> list[int]:
    """Return the id of each key's paper, in order; papers not known yet are added."""
    connection = session.connection()
    known = _Known(connection, [key for key in keys if _names(key)])
    mentioned = _mentioned(connection, {_pair(key) for key in keys if not _names(key)})
    for key in keys:
        if _names(key) and _pair(key) in mentioned:
            mentioned[_pair(key)].add(known.paper(key))
    loose = {pair: _one_or_own(connection, pair, papers) for pair, papers in mentioned.items()}
    return [known.paper(key) if _names(key) else loose[_pair(key)] for key in keys]


def settle(session: Session, pairs: Collection[TitleYear], left: Collection[int] = ()) -> None:
    """Move entries without ids to where they belong, now that others came or went.

    `pairs` are the titles and years of the entries that did, `left` the papers that some of
    them belonged to; a paper that no entry mentions any more is dropped.
    """
    connection = session.connection()
    waiting = _loose_entries(connection, set(pairs))
    for pair, papers in _mentioned(connection, waiting.keys()).items():
        paper = _one_or_own(connection, pair, papers)
        loose = [entry for entry, _ in waiting[pair]]
        moved = update(_ENTRY).where(_ENTRY.c.id.in_(loose)).values(paper_id=paper)
        connection.execute(moved)
    _drop_unmentioned(connection, {*left, *(p for loose in waiting.values() for _, p in loose)})


def _drop_unmentioned(connection: Connection, papers: Collection[int]) -> None:
    if papers:
        mention = exists().where(_ENTRY.c.paper_id == _PAPER.c.id)
        connection.execute(delete(_PAPER).where(_PAPER.c.id.in_(papers), ~mention))


class _Known:
    """The papers that some keys with ids mean; those not known yet are added at once."""

    def __init__(self, connection: Connection, keys: Sequence[PaperKey]) -> None:
        self._connection = connection
        self._by_name: dict[str, int] = {}
        names = {name for key in keys for name in _names(key)}
        if not names:
            return
        found = or_(_PAPER.c.arxiv_id.in_(names), _PAPER.c.doi.in_(names))
        columns = (_PAPER.c.id, _PAPER.c.arxiv_id, _PAPER.c.doi)
        for paper, *ids in connection.execute(select(*columns).where(found)):
            self._by_name |= {name: paper for name in ids if name}
        self._add([key for key in keys if self._find(key) is None])
        for key in keys:
            self._learn(key)

    def paper(self, key: PaperKey) -> int:
        """Return the paper of a key that was given."""
        return self._by_name[_names(key)[0]]

    def _find(self, key: PaperKey) -> int | None:
        return next((self._by_name[name] for name in _names(key) if name in self._by_name), None)

    def _add(self, keys: Iterable[PaperKey]) -> None:
        new: list[PaperKey] = []
        for key in keys:
            if not any(set(_names(key)) & set(_names(other)) for other in new):
                new.append(key)
        for key, paper in zip(new, _insert(self._connection, new), strict=True):
            self._by_name |= dict.fromkeys(_names(key), paper)

    def _learn(self, key: PaperKey) -> None:
        """Give the paper an id that it lacked; two that turn out to be one are united."""
        first, *others = {self._by_name.get(name): None for name in _names(key)}
        if not others:
            return
        paper = next(paper for paper in (first, *others) if paper is not None)
        for other in (first, *others):
            if other not in (None, paper):
                moved = update(_ENTRY).where(_ENTRY.c.paper_id == other).values(paper_id=paper)
                self._connection.execute(moved)
                self._connection.execute(delete(_PAPER).where(_PAPER.c.id == other))
        learned = update(_PAPER).where(_PAPER.c.id == paper)
        self._connection.execute(learned.values(arxiv_id=key.arxiv_id, doi=key.doi))
        self._by_name |= dict.fromkeys(_names(key), paper)


def _names(key: PaperKey) -> list[str]:
    return [name for name in (key.arxiv_id, key.doi) if name]


def _pair(key: PaperKey) -> TitleYear:
    return key.title_key, key.year


def _insert(connection: Connection, keys: Sequence[PaperKey]) -> list[int]:
    if not keys:
        return []
    rows = [
        {
            "arxiv_id": key.arxiv_id,
            "doi": key.doi,
            "title_key": key.title_key,
            "year": key.year,
        }
        for key in keys
    ]
    statement = insert(_PAPER).returning(_PAPER.c.id, sort_by_parameter_order=True)
    return list(connection.execute(statement, rows).scalars())


def _mentioned(connection: Connection, pairs: Collection[TitleYear]) -> dict[TitleYear, set[int]]:
    """Return, for each title and year, the papers with ids that are mentioned under both."""
    papers: dict[TitleYear, set[int]] = {pair: set() for pair in pairs}
    if not pairs:
        return papers
    query = (
        select(_ENTRY.c.title_key, _PAPER.c.year, _PAPER.c.id)
        .join(_PAPER, _PAPER.c.id == _ENTRY.c.paper_id)
        .where(_ENTRY.c.title_key.in_({title for title, _ in pairs}))
        .where(or_(_ENTRY.c.arxiv_id.is_not(None), _ENTRY.c.doi.is_not(None)))
    )
    for title, year, paper in connection.execute(query):
        if (title, year) in papers:
            papers[title, year].add(paper)
    return papers


def _loose_entries(
    connection: Connection, pairs: Collection[TitleYear]
) -> dict[TitleYear, list[tuple[int, int]]]:
    """Return the entries without ids of each title and year, each with its present paper."""
    entries: dict[TitleYear, list[tuple[int, int]]] = defaultdict(list)
    if not pairs:
        return entries
    query = (
        select(_ENTRY.c.title_key, _PAPER.c.year, _ENTRY.c.id, _PAPER.c.id)
        .join(_PAPER, _PAPER.c.id == _ENTRY.c.paper_id)
        .where(_ENTRY.c.title_key.in_({title for title, _ in pairs}))
        .where(_ENTRY.c.arxiv_id.is_(None), _ENTRY.c.doi.is_(None))
    )
    for title, year, entry, paper in connection.execute(query):
        if (title, year) in pairs:
            entries[title, year].append((entry, paper))
    return entries


def _one_or_own(connection: Connection, pair: TitleYear, papers: set[int]) -> int:
    """Return the one paper with ids, else the paper that is known by title and year only."""
    if len(papers) == 1:
        return next(iter(papers))
    title, year = pair
    own = connection.scalar(
        select(_PAPER.c.id).where(
            _PAPER.c.title_key == title,
            _PAPER.c.year == year,
            _PAPER.c.arxiv_id.is_(None),
            _PAPER.c.doi.is_(None),
        )
    )
    return own or _insert(connection, [PaperKey(None, None, title, year)])[0]
