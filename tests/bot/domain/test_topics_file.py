"""The file of topics: that it is sound and documented, and what it makes of real entries."""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from bot.domain.topics import all_topics, digest, plural, tag
from store.text import fold
from tests.bot.ingest.drafts import entry
from tests.bot.ingest.formats.archive import documents as archive_documents
from tests.bot.ingest.formats.review import documents as review_documents
from tests.shared_data import shared_file

_TABLES = tomllib.loads((files("bot.domain") / "topics.toml").read_text("utf-8"))
_ROOT = Path(__file__).parents[3]
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def _holds(phrase: str, other: str) -> bool:
    """Tell whether a phrase holds all words of another, or of its plural, in a row."""
    return any(f" {form} " in f" {phrase} " for form in (other, plural(other)))


def _phrases(*names: str) -> Iterator[tuple[str, str]]:
    """Yield every phrase of the lists named, after the slug of its topic."""
    for slug, table in _TABLES.items():
        yield from ((slug, phrase) for name in names for phrase in table[name])


def test_each_topic_says_what_it_is() -> None:
    """A topic has a title, a line of summary and its three lists, and nothing else."""
    keys = {"title", "summary", "aliases", "strong", "weak", "not"}
    assert {slug: set(table) for slug, table in _TABLES.items()} == dict.fromkeys(_TABLES, keys)
    assert [topic.slug for topic in all_topics()] == list(_TABLES)
    assert [
        topic.summary for topic in all_topics() if not re.fullmatch(r".+\.", topic.summary)
    ] == []


def test_each_name_leads_to_one_topic() -> None:
    """Slugs and aliases are written like slugs, and none is used twice."""
    names = [name for topic in all_topics() for name in (topic.slug, *topic.aliases)]
    assert [name for name in names if not _SLUG.fullmatch(name)] == []
    assert sorted(set(names)) == sorted(names)


def test_phrases_are_folded() -> None:
    """A phrase is written as texts are compared, else it would never be found."""
    listed = _phrases("strong", "weak", "not")
    assert [(slug, phrase) for slug, phrase in listed if fold(phrase) != phrase] == []


@pytest.mark.parametrize("slug", _TABLES)
def test_each_phrase_stands_in_one_list(slug: str) -> None:
    """No phrase of a topic is listed twice, nor both for and against it."""
    listed = [phrase for name in ("strong", "weak", "not") for phrase in _TABLES[slug][name]]
    assert sorted(set(listed)) == sorted(listed)


@pytest.mark.parametrize("slug", _TABLES)
def test_lists_are_in_the_order_of_the_alphabet(slug: str) -> None:
    """A phrase is found in its list where one looks for it."""
    lists = [_TABLES[slug][name] for name in ("strong", "weak", "not")]
    assert lists == [sorted(phrases) for phrases in lists]


@pytest.mark.parametrize("slug", _TABLES)
def test_no_phrase_is_idle(slug: str) -> None:
    """No phrase, a plural apart, holds another of its topic that is worth as much by itself."""
    strong, weak = _TABLES[slug]["strong"], _TABLES[slug]["weak"]
    pairs = [(phrase, other) for phrase in strong for other in strong]
    pairs += [(phrase, other) for phrase in weak for other in (*strong, *weak)]
    assert [
        (p, other) for p, other in pairs if p not in (other, plural(other)) and _holds(p, other)
    ] == []


def test_each_exception_takes_something_away() -> None:
    """A phrase under `not` holds one that counts, and hides all of them."""
    for slug, phrase in _phrases("not"):
        counts = [*_TABLES[slug]["strong"], *_TABLES[slug]["weak"]]
        assert [other for other in counts if _holds(phrase, other)], phrase
        assert slug not in [found.topic for found in tag(entry(1, "Birds", heading=phrase))]


def test_each_phrase_gives_its_topic() -> None:
    """An entry that stands under a phrase, in either number, has its topic."""
    for slug, phrase in _phrases("strong", "weak"):
        for heading in (phrase, plural(phrase)):
            found = [other.topic for other in tag(entry(1, "Birds", heading=heading))]
            assert slug in found, heading


def test_another_file_has_another_digest(tmp_path: Path) -> None:
    """A remark added to the file is enough for entries to be tagged anew."""
    for package in ("bot", "store"):
        shutil.copytree(_ROOT / package, tmp_path / package)
    digests = [_digest_in(tmp_path)]
    with (tmp_path / "bot" / "domain" / "topics.toml").open("a") as file:
        file.write("# Looked over.\n")
    digests.append(_digest_in(tmp_path))
    assert digests[0] == digest()
    assert digests[1] != digest()


def _digest_in(folder: Path) -> str:
    script = "from bot.domain.topics import digest; print(digest())"
    command = [sys.executable, "-c", script]
    return subprocess.check_output(command, cwd=folder, text=True).strip()


def test_the_docs_list_the_topics() -> None:
    """The table of the docs has each topic with its summary, in order."""
    rows = re.findall(
        r"^\| `(.+?)` \| (.+?) \|$",
        (_ROOT / "docs" / "topics.md").read_text("utf-8"),
        re.MULTILINE,
    )
    assert rows == [(topic.slug, topic.summary) for topic in all_topics()]


def test_the_real_archive_spreads_over_all_topics() -> None:
    """Each topic has a paper, one entry in twenty has none, and an entry has about two."""
    document = archive_documents.parse(shared_file("archive-README.md").read_text("utf-8"))
    tags = [tag(entry) for edition in document.editions for entry in edition.entries]
    slugs = [found.topic for found_in_entry in tags for found in found_in_entry]
    assert set(slugs) == {topic.slug for topic in all_topics()}
    assert tags.count(()) <= 0.05 * len(tags)
    assert 1.5 <= len(slugs) / len(tags) <= 2.5


_THEMES = {
    "Training and Reinforcement Learning for LLM Agents": {"reinforcement-learning", "agents"},
    "Coding and Software-Engineering Agents": {"code", "agents"},
    "When Agents Cause Harm With No Attacker in the Loop": {"safety", "agents"},
    "Can We Still Watch the Model Think? Oversight and Monitoring": {"alignment"},
    "Inside the Model: Sycophancy, Emotion, and Bias": {"interpretability", "alignment"},
    "Systems That Rewrite Themselves: Self-Improvement and Evolutionary Search": {"agents"},
    "AI for Scientific Discovery": {"science"},
    "Many Models, One System: Collective Dynamics of Multi-Agent LLMs": {"multi-agent", "agents"},
    "Rethinking Attention, Memory, and Latent Compute": {"architectures", "memory"},
}


def test_the_real_review_has_the_topics_of_its_headings() -> None:
    """An entry of the real review has the topics that the theme over it names."""
    text = shared_file("seeds/001_60719b701ad4a391.txt").read_text("utf-8")
    entries = review_documents.edition_of(text).entries
    missing = {
        entry.episode: _THEMES[entry.heading or ""] - {found.topic for found in tag(entry)}
        for entry in entries
    }
    assert missing == {entry.episode: set() for entry in entries}
