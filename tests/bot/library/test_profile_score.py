"""How much of what is picked suits a reader, over the real documents.

Readers are simulated: each saves twenty papers of one topic from before a day, and gets ten of the
eight editions after it. A topic counts where twenty papers have it before that day and four after.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, time
from statistics import fmean

from bot.domain.topics import all_topics
from bot.library.profile import Pick, outside_slots, pick, profile
from store.database import Database
from store.library import editions, related
from store.library.similarity import Weights
from store.readers.history import Signal, SignalKind
from store.records import Mention

_SAVED, _SIZE, _FIRST = 20, 10, 5
_AFTER = 8  # editions
_FIRST_DAY, _DAYS_APART = 15, 6  # editions before the first of the days, and between two
_FEWEST = 4


async def _weeks(database: Database) -> list[list[Mention]]:
    """Return the papers of each edition of the archive, oldest edition first."""
    stored = await database.read(editions.export_editions, "dair")
    return [
        [Mention(entry.paper or 0, replace(each, entries=()), entry) for entry in each.entries]
        for each in reversed(stored)
    ]


def _readers(weeks: list[list[Mention]]) -> Iterator[tuple[str, list[Mention], list[Mention]]]:
    """Yield the topic of each reader, what they saved, and what came later, newest first."""
    for day in range(_FIRST_DAY, len(weeks) - _AFTER, _DAYS_APART):
        past = [each for papers in weeks[:day] for each in papers]
        later = [each for papers in reversed(weeks[day : day + _AFTER]) for each in papers]
        for topic in (each.slug for each in all_topics()):
            liked = _on(topic, past)
            if len(liked) >= _SAVED and len(_on(topic, later)) >= _FEWEST:
                yield topic, _some(liked, f"{topic} {day}"), later


def _on(topic: str, papers: list[Mention]) -> list[Mention]:
    return [each for each in papers if topic in each.entry.topics]


def _some(papers: list[Mention], seed: str) -> list[Mention]:
    """Return some of the papers, the same for one seed."""
    return random.Random(seed).sample(papers, _SAVED)  # noqa: S311 - a repeatable choice


def _picked(saved: list[Mention], later: list[Mention], weights: Weights) -> tuple[Pick, ...]:
    now = _noon(later[0])
    signals = [Signal(SignalKind.SAVED, each, _noon(each)) for each in saved]
    return pick(profile(signals, now, weights), later, _SIZE)


def _noon(mention: Mention) -> datetime:
    return datetime.combine(mention.edition.last_day, time(12), UTC)


async def test_most_of_the_first_suit_a_reader(real: Database) -> None:
    """Of the first five 60 % are on the reader's topic, one from outside included.

    In the plain order there are a fifth as many. Two of the ten are from outside, mostly on other
    topics, and all but these have a reason of the reader's.
    """
    weights = await real.read(related.weights)
    shares: dict[str, list[float]] = {}
    plain, outside = [], []
    for topic, saved, later in _readers(await _weeks(real)):
        picks = _picked(saved, later, weights)
        on_topic = [topic in each.mention.entry.topics for each in picks]
        shares.setdefault(topic, []).append(fmean(on_topic[:_FIRST]))
        plain.append(len(_on(topic, later)) / len(later))
        slots = tuple(place for place, each in enumerate(picks) if each.outside)
        assert slots == outside_slots(_SIZE)
        outside += [on_topic[place] for place in slots]
        assert all("because" in each.reason for each in picks if not each.outside)
    assert len(shares) >= 12
    assert fmean(map(fmean, shares.values())) >= 0.65
    assert fmean(plain) <= 0.15
    assert fmean(outside) <= 0.05
