"""Imports in a run: whole, grown in two steps, repeated, and interrupted before their end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from store.database import Session
from store.library import new_entries
from tests.chaos import scenario as scene
from tests.chaos.scenario import PAPERS, SOURCES

# How often an edition comes in two steps, comes again, and has an import that nobody completes.
_GROWS, _REPEATED, _INTERRUPTED = 0.4, 0.4, 0.25
_FIRST_PAPERS = 5


@dataclass(frozen=True, slots=True)
class Step:
    """An import of an edition, of its first papers or all; `at` no other is.

    Where nobody completes it, it is complete ten minutes later.
    """

    source: str
    week: int
    papers: int
    at: datetime
    interrupted: bool

    def brings(self) -> dict[tuple[str, str], tuple[str, str]]:
        """Return its papers, each a source and a token, with the words by which alerts find it."""
        day = scene.first_day(self.week)
        return {
            (self.source, scene.token(self.source, day, rank)): scene.words(
                self.source, self.week, rank
            )
            for rank in range(1, self.papers + 1)
        }


def planned(chance: Random, weeks: range, now: datetime) -> list[Step]:
    """Return the imports of what the sources bring in some weeks, in their order."""
    steps = [
        (source, week, papers) for week in weeks for source in SOURCES for papers in _steps(chance)
    ]
    return [
        Step(*step, now + timedelta(seconds=number), chance.random() < _INTERRUPTED)
        for number, step in enumerate(steps)
    ]


def bring(session: Session, steps: Sequence[Step]) -> None:
    """Import all at once, so that nothing is posted before all of it is there."""
    for step in steps:
        scene.take_in_all(session, scene.brought(step.source, step.week, step.papers), step.at)
        if not step.interrupted:
            new_entries.complete_import(session, step.source, step.at)


def _steps(chance: Random) -> Iterator[int]:
    """Give how many papers an edition has in one import after the other."""
    if chance.random() < _GROWS:
        yield _FIRST_PAPERS
    yield PAPERS
    if chance.random() < _REPEATED:
        yield PAPERS
