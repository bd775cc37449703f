"""Papers: each known once, whoever mentions it, in whatever order the mentions come.

An entry's paper is found by arXiv id, then DOI, then title and year together, and never by
a title alone. An entry without ids belongs to the one paper with ids that is mentioned
under its title and year; where two are, nobody can tell, and it stays with neither.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from sqlalchemy import Connection, bindparam, delete, exists, func, insert, or_, select, update
from sqlmodel import Session

from store.ids import next_ids
from store.records import PaperKey
from store.schema import TABLES

_PAPER = TABLES["paper"]
_ENTRY = TABLES["entry"]

TitleYear = tuple[str, int]


def place(session: Session, keys: Sequence[PaperKey]) -> tuple[list[int], bool]:
    """Return the id of each key's paper, in order; papers not known yet are added.

    The second answer is whether that settles it: false where entries stored before may
    belong elsewhere now, and `settle` is to be called once the new ones are written.
    """
    connection = session.connection()
    known = _Known(connection, [key for key in keys if _names(key)])
    mentioned, waiting = _relatives(connection, {_pair(key) for key in keys})
    for key in keys:
        if _names(key):
            mentioned[_pair(key)].add(known.paper(key))
    loose = {_pair(key) for key in keys if not _names(key)}
    without = _one_or_own(connection, loose, mentioned, waiting)
    placed = [known.paper(key) if _names(key) else without[_pair(key)] for key in keys]
    return placed, not waiting


def settle(session: Session, pairs: Collection[TitleYear], left: Collection[int] = ()) -> None:
    """Move entries without ids to where they belong, now that others came or went.

    `pairs` are the titles and years of the entries that did, `left` the papers that some of
    them belonged to; a paper that no entry mentions any more is dropped.
    """
    connection = session.connection()
    mentioned, waiting = _relatives(connection, pairs)
    for pair, paper in _one_or_own(connection, waiting, mentioned, waiting).items():
        entries = [entry for entry, _ in waiting[pair]]
        moved = update(_ENTRY).where(_ENTRY.c.id.in_(entries)).values(paper_id=paper)
        connection.execute(moved)
    _drop_unmentioned(connection, {*left, *(p for loose in waiting.values() for _, p in loose)})


def _drop_unmentioned(connection: Connection, papers: Collection[int]) -> None:
    if papers:
        mention = exists().where(_ENTRY.c.paper_id == _PAPER.c.id)
        connection.execute(delete(_PAPER).where(_PAPER.c.id.in_(papers), ~mention))


_BY_NAME = select(_PAPER.c.id, _PAPER.c.arxiv_id, _PAPER.c.doi).where(
    or_(
        _PAPER.c.arxiv_id.in_(bindparam("names", expanding=True)),
        _PAPER.c.doi.in_(bindparam("names", expanding=True)),
    )
)
_ADD = insert(_PAPER)


class _Known:
    """The papers that some keys with ids mean; those not known yet are added at once."""

    def __init__(self, connection: Connection, keys: Sequence[PaperKey]) -> None:
        self._connection = connection
        self._by_name: dict[str, int] = {}
        names = {name for key in keys for name in _names(key)}
        if not names:
            return
        owners: dict[str, str] = {}
        for paper, arxiv_id, doi in connection.execute(_BY_NAME, {"names": list(names)}):
            self._by_name |= {name: paper for name in (arxiv_id, doi) if name}
            if arxiv_id and doi:
                owners[doi] = arxiv_id
        keys = [_without_borrowed_doi(key, owners) for key in keys]
        self._add([key for key in keys if self._find(key) is None])
        for key in keys:
            self._learn(key)

    def paper(self, key: PaperKey) -> int:
        """Return the paper of a key that was given."""
        return self._by_name[_names(key)[0]]

    def _find(self, key: PaperKey) -> int | None:
        return next((self._by_name[name] for name in _names(key) if name in self._by_name), None)

    def _add(self, keys: Iterable[PaperKey]) -> None:
        new: dict[str, PaperKey] = {}
        for key in keys:
            if not any(name in new for name in _names(key)):
                new |= dict.fromkeys(_names(key), key)
        once = list(dict.fromkeys(new.values()))
        for key, paper in zip(once, _insert(self._connection, once), strict=True):
            self._by_name |= dict.fromkeys(_names(key), paper)

    def _learn(self, key: PaperKey) -> None:
        """Give the paper an id that it lacked; two that turn out to be one are united."""
        papers = dict.fromkeys(self._by_name.get(name) for name in _names(key))
        if len(papers) == 1:
            return
        paper, *others = [paper for paper in papers if paper is not None]
        for other in others:
            moved = update(_ENTRY).where(_ENTRY.c.paper_id == other).values(paper_id=paper)
            self._connection.execute(moved)
            self._connection.execute(delete(_PAPER).where(_PAPER.c.id == other))
        lacking = {
            "arxiv_id": func.coalesce(_PAPER.c.arxiv_id, key.arxiv_id),
            "doi": func.coalesce(_PAPER.c.doi, key.doi),
        }
        self._connection.execute(update(_PAPER).where(_PAPER.c.id == paper).values(lacking))
        for name, found in self._by_name.items():
            if found in others:
                self._by_name[name] = paper
        self._by_name |= dict.fromkeys(_names(key), paper)


def _without_borrowed_doi(key: PaperKey, owners: dict[str, str]) -> PaperKey:
    """Take the DOI from a key whose arXiv id is not that of the DOI's owner.

    Where the two ids contradict each other the arXiv id decides.
    """
    if not (key.arxiv_id and key.doi):
        return key
    owner = owners.setdefault(key.doi, key.arxiv_id)
    return key if owner == key.arxiv_id else replace(key, doi=None)


def _names(key: PaperKey) -> list[str]:
    return [name for name in (key.arxiv_id, key.doi) if name]


def _pair(key: PaperKey) -> TitleYear:
    return key.title_key, key.year


def _insert(connection: Connection, keys: Sequence[PaperKey]) -> list[int]:
    """Add a paper for each key; return their ids in order."""
    ids = next_ids(connection, _PAPER, len(keys))
    rows = [
        {"id": i, "arxiv_id": k.arxiv_id, "doi": k.doi, "title_key": k.title_key, "year": k.year}
        for i, k in zip(ids, keys, strict=True)
    ]
    if rows:
        connection.execute(_ADD, rows)
    return ids


_RELATIVES = (
    select(
        _ENTRY.c.title_key, _PAPER.c.year, _ENTRY.c.id, _PAPER.c.id,
        or_(_ENTRY.c.arxiv_id.is_not(None), _ENTRY.c.doi.is_not(None)),
    )
    .join(_PAPER, _PAPER.c.id == _ENTRY.c.paper_id)
    .where(_ENTRY.c.title_key.in_(bindparam("titles", expanding=True)))
)  # fmt: skip

Mentioned = dict[TitleYear, set[int]]
Waiting = dict[TitleYear, list[tuple[int, int]]]


def _relatives(connection: Connection, pairs: Collection[TitleYear]) -> tuple[Mentioned, Waiting]:
    """Return who is stored under each title and year.

    First the papers that entries with ids name; then the entries without, each as its id
    and its present paper's.
    """
    mentioned: Mentioned = {pair: set() for pair in pairs}
    waiting: Waiting = defaultdict(list)
    titles = [title for title, _ in pairs]
    rows = connection.execute(_RELATIVES, {"titles": titles}) if titles else ()
    for title, year, entry, paper, has_id in rows:
        if (title, year) not in mentioned:
            continue
        if has_id:
            mentioned[title, year].add(paper)
        else:
            waiting[title, year].append((entry, paper))
    return mentioned, waiting


def _one_or_own(
    connection: Connection, pairs: Collection[TitleYear], mentioned: Mentioned, waiting: Waiting
) -> dict[TitleYear, int]:
    """Return, for each title and year, the one paper with ids that is mentioned under it.

    Where there is none or more than one it is the paper that is known by title and year
    only: the one that an entry waits with, else a new one.
    """
    found: dict[TitleYear, int] = {}
    for pair in pairs:
        own = {paper for _, paper in waiting.get(pair, ())} - mentioned[pair]
        one = mentioned[pair] if len(mentioned[pair]) == 1 else own
        if one:
            found[pair] = next(iter(one))
    missing = [pair for pair in dict.fromkeys(pairs) if pair not in found]
    added = _insert(connection, [PaperKey(None, None, *pair) for pair in missing])
    return found | dict(zip(missing, added, strict=True))
