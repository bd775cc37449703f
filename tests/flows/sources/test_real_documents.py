"""The real round-ups through the real program, on both databases, against what is known of them."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

from tests.conftest import fresh_postgres
from tests.flows.program import Program
from tests.shared_data import shared_file

_NAMES = (
    "seeds/000_6b97a1adf3c6bd05.txt",
    "seeds/001_60719b701ad4a391.txt",
    "seeds/002_dc9cd6f66951fc0f.txt",
    "archive-README.md",
)

Json = dict[str, Any]


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def stocked(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Program]:
    """Import everything into each database and return the program on it."""
    folder = tmp_path_factory.mktemp("exported")
    if request.param == "sqlite":
        yield _stocked(Program(folder, "sqlite:///broadsheet.db"))
        return
    with fresh_postgres(request.getfixturevalue("postgres_server")) as url:
        yield _stocked(Program(folder, url))


@pytest.fixture(scope="module")
def exported(stocked: Program) -> list[Json]:
    """Return the exported editions."""
    editions: list[Json] = json.loads(stocked("export").out)["editions"]
    return editions


def _stocked(broadsheet: Program) -> Program:
    paths = [str(shared_file(name)) for name in _NAMES]
    ran = broadsheet("import", *paths, "--json")
    assert (ran.code, ran.err) == (0, "")
    documents = json.loads(ran.out)["documents"]
    assert [d["kind"] for d in documents] == ["newsletter", "review", "newsletter", "archive"]
    again = broadsheet("import", *paths, "--json")
    outcomes = {e["outcome"] for d in json.loads(again.out)["documents"] for e in d["editions"]}
    assert outcomes == {"unchanged"}
    return broadsheet


def _entries(editions: list[Json]) -> list[Json]:
    return [entry for edition in editions for entry in edition["entries"]]


def test_every_edition_of_the_real_documents_is_exact(exported: list[Json]) -> None:
    """Sixty-eight editions, with the counts, days and rules that were counted by hand."""
    assert len(exported) == 68
    newest_first = [edition["last_day"] for edition in exported]
    assert newest_first == sorted(newest_first, reverse=True)
    review, *newsletters = exported
    assert (review["source"], review["kind"], review["minutes"]) == ("paperdive", "review", 43)
    assert (review["first_day"], review["last_day"]) == ("2026-06-22", "2026-06-28")
    assert (review["published_on"], review["year_rule"]) == ("2026-06-28", None)
    assert sorted(e["episode"] for e in review["entries"]) == [f"E{n}" for n in range(162, 180)]
    assert len(review["headings"]) == 9
    assert len({entry["section"] for entry in review["entries"]}) == 12
    _check_newsletters(newsletters)


def _check_newsletters(editions: list[Json]) -> None:
    assert {(edition["source"], edition["kind"]) for edition in editions} == {
        ("dair", "newsletter")
    }
    january, december, *archive = editions
    assert (january["first_day"], january["year_rule"]) == ("2026-01-05", "weekday")
    assert (december["first_day"], december["year_rule"]) == ("2025-12-22", "weekday")
    highlights = [
        sum(len(entry["highlights"]) for entry in edition["entries"])
        for edition in (january, december)
    ]
    assert highlights == [35, 28]
    assert len(archive) == 65
    entries = _entries(archive)
    assert [entry["rank"] for entry in entries] == list(range(1, 11)) * 65
    assert sum(len(entry["highlights"]) for entry in entries) == 408
    assert sum(len(entry["links"]) for entry in entries) == 1314
    years = Counter(date.fromisoformat(edition["last_day"]).year for edition in archive)
    assert years == {2023: 26, 2024: 26, 2025: 13}
    assert Counter(edition["year_rule"] for edition in archive) == {"heading": 39, "index": 26}


def test_neither_sponsor_nor_damage_nor_marks_are_left(exported: list[Json]) -> None:
    """No word of an advertisement, no residue of the encoding, no episode mark in any text."""
    text = json.dumps(exported, ensure_ascii=False)
    for residue in ("Message from the Editor", "coupon", "enroll", "š„", "đ„", "ā", "â", "Ã", "�"):
        assert residue not in text
    review = exported[0]
    review_text = review["overview"] + json.dumps([e["summary"] for e in review["entries"]])
    assert not any(f"E{number}" in review_text for number in range(162, 180))


def test_refs_are_unique_and_titles_are_titles(exported: list[Json]) -> None:
    """Each entry has a name of its own, and no title swallowed its summary."""
    entries = _entries(exported)
    assert len({entry["ref"] for entry in entries}) == len(entries) == 688
    assert all(0 < len(entry["title"]) <= 150 for entry in entries)
    assert sum(entry["summary"] is None for entry in entries) <= 2


def test_everyday_lookups_answer(stocked: Program) -> None:
    """A reader finds a paper by its words, by its id, and in its place."""
    hits = json.loads(stocked("search", "--json", "--limit", "3", "--", "byte", "level").out)
    assert hits["hits"][0]["title"] == "The Byte Latent Transformer (BLT)"
    assert (hits["query"], hits["corrected"]) == ("byte level", None)
    scores = [hit["score"] for hit in hits["hits"]]
    assert scores == sorted(scores, reverse=True)
    shown = json.loads(stocked("show", "--json", "2506.17298").out)["entries"]
    assert [(e["source"], e["first_day"], e["rank"]) for e in shown] == [("dair", "2025-06-23", 1)]
    assert "E171" in stocked("ask", "show E171").out
    assert "AI Papers Week in Review" in stocked("ask").out
