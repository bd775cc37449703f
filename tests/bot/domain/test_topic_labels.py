"""The tagger held to labels that were given by reading, and to the review's own headings."""

import asyncio
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from store.library.editions import export_editions
from store.records import Entry
from tests.bot.conftest import real_store

_LABELS = tomllib.loads(
    Path(__file__).parents[2].joinpath("data", "topic_labels.toml").read_text(encoding="utf-8")
)
# A little under what was reached: 0.83 and 0.81.
_LEAST_PRECISION = 0.81
_LEAST_RECALL = 0.79


@dataclass(frozen=True)
class Score:
    """Labels that were found, those given in vain, and those missed, over all entries."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """The share of the tags that a reader gave too."""
        return self.right / (self.right + self.wrong)

    @property
    def recall(self) -> float:
        """The share of a reader's labels that were found."""
        return self.right / (self.right + self.missed)


def score(found: Mapping[str, set[str]], labels: Mapping[str, set[str]]) -> Score:
    """Compare the topics of entries with their labels, by ref."""
    pairs = [(found[ref], wanted) for ref, wanted in labels.items()]
    return Score(
        right=sum(len(tags & wanted) for tags, wanted in pairs),
        wrong=sum(len(tags - wanted) for tags, wanted in pairs),
        missed=sum(len(wanted - tags) for tags, wanted in pairs),
    )


@pytest.fixture(scope="module")
def entries(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Entry]:
    """Return the entries of the real documents by ref."""
    path = tmp_path_factory.mktemp("labels") / "store.db"
    return {
        entry.ref: entry
        for database in real_store(sqlite_template, path)
        for edition in asyncio.run(database.read(export_editions))
        for entry in edition.entries
    }


def test_the_tagger_agrees_with_a_reader(entries: Mapping[str, Entry]) -> None:
    """On 150 entries that were drawn at random, precision and recall are what they were."""
    labels = {ref: set(topics) for ref, topics in _LABELS["entries"].items()}
    found = {ref: set(entry.topics) for ref, entry in entries.items()}
    reached = score(found, labels)
    assert len(labels) == 150
    assert reached.precision >= _LEAST_PRECISION
    assert reached.recall >= _LEAST_RECALL


def test_papers_have_the_topic_of_their_heading(entries: Mapping[str, Entry]) -> None:
    """Every paper of the review has a topic that a reader expects under its heading."""
    headings = {heading: set(topics) for heading, topics in _LABELS["headings"].items()}
    headed = [entry for entry in entries.values() if entry.heading in headings]
    without = [e.ref for e in headed if not headings[e.heading or ""] & set(e.topics)]
    assert (len(headed), without) == (18, [])


def test_the_score_counts_what_it_says() -> None:
    """A tag too many lowers precision, a label that is missed lowers recall."""
    reached = score({"a": {"x", "y"}, "b": set(), "c": {"z"}}, {"a": {"x"}, "b": {"x"}})
    assert reached == Score(right=1, wrong=1, missed=1)
    assert (reached.precision, reached.recall) == (0.5, 0.5)
