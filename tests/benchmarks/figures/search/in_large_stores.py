"""Measure the duration of searches in a large store, and the scores of their hits.

Every question is asked once, so that no answer comes from a memory.
"""

import sqlite3
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from store.database import Session
from store.search import SearchQuery, SearchResult, search
from tests.benchmarks.inputs import sqlite
from tests.benchmarks.inputs.large_stores import grow
from tests.benchmarks.inputs.queries import questions
from tests.benchmarks.inputs.setup import Stage, opened
from tests.benchmarks.measure import Figure, Timed, percentile_figure

# The best ten are to have this share of the score that the best ten of all have.
_LEAST_MASS = 0.98
_AIM = 60  # ms
# At first the connections of both sides are cold.
_WARM_UPS = 20
_MOST_RUNS = 5


def searches(stage: Stage, papers: int, runs: int, number: int) -> Iterator[Figure]:
    """Search a store of so many papers for `number` questions a run, in five runs at most."""
    runs = min(runs, _MOST_RUNS)
    store = grow(stage, papers)
    asked = _parts(questions(store, runs * (_WARM_UPS + number)), _WARM_UPS + number)
    name = f"search at {papers:,}"
    answers = [_asked(store, part) for part in asked]
    yield percentile_figure(name, [_times(run) for run in answers], 99, _AIM, in_unit=True)
    yield from _masses(f"{name}, score mass", store, answers[0])


def _parts(whole: Sequence[SearchQuery], length: int) -> list[Sequence[SearchQuery]]:
    return [whole[start : start + length] for start in range(0, len(whole), length)]


@dataclass(frozen=True, slots=True)
class _Answer:
    """The hits of both sides for a question, and the ms that they took."""

    question: SearchQuery
    best: sqlite.Rows
    found: SearchResult
    floor: float
    product: float


def _asked(store: Path, part: Sequence[SearchQuery]) -> list[_Answer]:
    """Ask all questions of both sides in this thread, without the store's door."""
    with (
        sqlite.connected(store) as connection,
        opened(store) as database,
        Session(database.engine) as session,
    ):
        return [_answer(connection, session, question) for question in part][_WARM_UPS:]


def _answer(connection: sqlite3.Connection, session: Session, question: SearchQuery) -> _Answer:
    start = perf_counter()
    best = sqlite.find(connection, question)
    between = perf_counter()
    search(session, question, sqlite.HITS, once_a_paper=True)
    end = perf_counter()
    found = search(session, question, sqlite.HITS)  # entries, as the floor finds them
    return _Answer(question, best, found, 1000 * (between - start), 1000 * (end - between))


def _times(run: Sequence[_Answer]) -> Timed:
    return Timed([answer.floor for answer in run], [answer.product for answer in run])


def _masses(name: str, store: Path, answers: Sequence[_Answer]) -> Iterator[Figure]:
    """Compare what both sides found; other forms of a word have a score for the product only."""
    shares = _shares(store, answers)
    typed = [
        share
        for share, answer in zip(shares, answers, strict=True)
        if all(len(term.forms) == 1 for term in answer.found.terms)
    ]
    for kind, share in (
        ("median", statistics.median(shares)),
        ("least", min(shares)),
        ("least as typed", min(typed)),
    ):
        yield Figure(f"{name}, {kind}", "share", (1,), (share,), _LEAST_MASS, at_least=True)


def _shares(store: Path, answers: Sequence[_Answer]) -> list[float]:
    """Return, for each question, the score of what the product found over that of the best."""
    with sqlite.connected(store) as connection:
        return [
            sum(sqlite.scores(connection, each.question, _ids(each.found)))
            / sum(score for _, score in each.best)
            for each in answers
        ]


def _ids(found: SearchResult) -> list[int]:
    return [each.entry_id for each in found.hits]
