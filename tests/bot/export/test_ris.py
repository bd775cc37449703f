"""The RIS file, read back by a program that is not ours."""

from typing import Any

import rispy  # type: ignore[import-untyped] # the wheel ships no types
from hypothesis import given

from bot.domain.paper_ids import entry_url
from bot.export.bibliography import CitedPaper, origin, references, to_ris
from store.records import Edition
from tests.bot.export.editions import EDITIONS, edition, entry, folded
from tests.fakes import arxiv


def _expected(paper: CitedPaper) -> dict[str, Any]:
    told = paper.entry
    url = entry_url(told)
    values = {
        "type_of_reference": "UNPB" if told.arxiv_id else "GEN",
        "id": paper.key,
        "title": folded(told.title),
        "year": str(paper.year),
        "accession_number": told.arxiv_id and f"arXiv:{told.arxiv_id}",
        "name_of_database": told.arxiv_id and "arXiv",
        "doi": folded(told.doi),
        "urls": [url.replace(";", "%3B")] if url else None,
        "abstract": folded(told.summary),
        "keywords": list(told.topics),
        "notes": [origin(paper)],
    }
    return {name: value for name, value in values.items() if value}


def _check_all_comes_back(editions: list[Edition]) -> None:
    assert rispy.loads(to_ris(editions)) == [_expected(paper) for paper in references(editions)]


@given(EDITIONS)
def test_all_comes_back_from_a_reader(editions: list[Edition]) -> None:
    """Whatever the text, rispy gives it back, on one line, and finds no tag that we don't write.

    Lines end with carriage return and line feed, and each is a tag and its value.
    """
    _check_all_comes_back(editions)
    *lines, last = to_ris(editions).split("\r\n")
    assert last == ""
    assert all(line[2:6] == "  - " and line[:2].isalnum() for line in lines)
    assert [line for line in lines if len(line.splitlines()) != 1] == []


def test_every_real_paper_comes_back(real_editions: list[Edition]) -> None:
    """The reader finds every real paper with all that is told of it."""
    _check_all_comes_back(real_editions)


def test_a_paper_looks_like_this() -> None:
    """A preprint is an unpublished work, whatever else there is is generic."""
    week = edition(
        entry(
            "Steering Kites",
            summary="Kites\nfly.",
            arxiv_id="2601.00001",
            doi="10.1234/k",
            topics=("robotics", "code"),
        ),
        entry("Gliders"),
    )
    assert to_ris([week]).split("\r\n") == [
        "TY  - UNPB",
        "ID  - arXiv2601.00001",
        "TI  - Steering Kites",
        "PY  - 2026",
        "AN  - arXiv:2601.00001",
        "DB  - arXiv",
        "DO  - 10.1234/k",
        "UR  - https://arxiv.org/abs/2601.00001",
        "AB  - Kites fly.",
        "KW  - robotics",
        "KW  - code",
        "N1  - Number 1 in dair, Jan 5–11, 2026. The abstract is that edition's summary.",
        "ER  - ",
        "TY  - GEN",
        "ID  - gliders-2026",
        "TI  - Gliders",
        "PY  - 2026",
        "N1  - Number 2 in dair, Jan 5–11, 2026.",
        "ER  - ",
        "",
    ]


def test_what_arxiv_tells_is_told() -> None:
    """Each author on a line, the last name first; the abstract is theirs, the summary a note."""
    week = edition(entry("Steering Kites", summary="Tails.", arxiv_id="2601.00001"))
    [read] = rispy.loads(to_ris([week], {"2601.00001": arxiv.paper("2601.00001")}))
    assert read["authors"] == ["North, Ada", "van der East, Ben"]
    assert read["abstract"] == "Kites are steered by their tails."
    assert read["notes"] == ["Number 1 in dair, Jan 5–11, 2026. That edition's summary: Tails."]
