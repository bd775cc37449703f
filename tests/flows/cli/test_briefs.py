"""A brief asked through the installed program, by several of its processes at once."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.bot.ingest.drafts import edition, entry
from tests.flows.program import Program, write_week

_PAPERS = 8
_WORDS = 150  # more than half a minute each


@pytest.fixture
def stocked(tmp_path: Path, database_url: str) -> Program:
    """Return a program that holds a week of eight papers."""
    program = Program(tmp_path, database_url)
    words = f"{' '.join(['Gradient'] * _WORDS)}."
    week = edition(
        *(entry(rank, f"Paper {rank}", words) for rank in range(1, _PAPERS + 1)),
        title="The Top AI Papers of the Week (January 5-11)",
    )
    assert program("import", write_week(tmp_path, week).name).code == 0
    return program


def _papers(printed: Sequence[str]) -> list[int]:
    titles = [line for text in printed for line in text.splitlines()]
    return [int(found[1]) for title in titles if (found := re.fullmatch(r"\d\s+Paper (\d)", title))]


def test_processes_that_ask_at_once_are_told_different_papers(stocked: Program) -> None:
    """Each is told one, in order of their turns; what somebody opened before is none of them."""
    assert stocked("ask", "show 2").code == 0
    started = [stocked.fork("ask", "brief 1") for _ in range(4)]
    told = _papers([process.communicate()[0] for process in started])
    assert [process.returncode for process in started] == [0] * 4
    assert sorted(told) == [1, 3, 4, 5]
    rest = stocked("ask", "brief 60")
    assert _papers([rest.out]) == [6, 7, 8]
    assert rest.out.splitlines()[-1] == "Nothing is left: you are up to date."
    assert stocked("ask", "brief").out.startswith("Your brief: you are up to date\n")


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_what_only_shows_a_paper_leaves_it_new(stocked: Program) -> None:
    """The verb `show`, an export and a search are no reading of the operator's."""
    for call in (("show", "2"), ("show", "--json", "2"), ("search", "paper"), ("export",)):
        assert stocked(*call).code == 0
    blocks = json.loads(stocked("ask", "--json", "brief 60").out)["blocks"]
    assert sum(block["type"] == "paper_card" for block in blocks) == _PAPERS
