"""Seeds, archive and samples together: no paper stands there twice, none is wrongly joined."""

import asyncio
import shutil
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import combinations
from pathlib import Path
from random import Random
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

import bot.ingest.samples
from bot.ingest.pipeline import ImportOptions, ingest
from bot.library import duplicates
from store.database import Database, Session
from store.library.papers import doubtful
from store.text import title_key
from tests.bot.ingest.imports import NOW
from tests.shared_data import shared_file

_SHARED = (
    "seeds/000_6b97a1adf3c6bd05.txt",
    "seeds/001_60719b701ad4a391.txt",
    "seeds/002_dc9cd6f66951fc0f.txt",
    "archive-README.md",
    "samples/hf_daily_papers.json",
    "samples/substack_feed.xml",
    "samples/review_page.html",
)
_FEED, _PAGE = "sample-nlp-newsletter", "ai-papers-week-in-review"
_OURS, _OUR_REVIEW = "sample-weekly", "sample-week-in-review"

# One paper each, judged by eye: by id under two titles, by title and year, by a bare name.
ONE = [
    ("dair:2025-01-20#8", "2501.11067"),
    ("dair:2025-01-20#2", "2501.14249"),  # apostrophes differ
    ("dair:2025-01-20#1", "2501.12948", f"{_OURS}:2025-06-23#2"),  # one without id, by its name
    ("dair:2023-02-20#1", f"{_FEED}:2026-03-02#9"),  # the same, the other way round
    ("dair:2023-05-29#8", f"{_FEED}:2026-03-02#4", f"{_OURS}:2025-06-23#3"),
    ("dair:2023-05-29#1", f"{_OUR_REVIEW}:E3", f"{_OURS}:2025-06-09#2"),
    ("dair:2023-03-20#2", f"{_FEED}:2026-02-23#6", f"{_OUR_REVIEW}:E8", f"{_OURS}:2025-06-23#10"),
    ("dair:2023-02-06#1", f"{_FEED}:2026-03-02#8", f"{_OURS}:2025-06-16#3"),
    ("dair:2023-10-02#3", f"{_OURS}:2025-06-09#3"),
    (f"{_FEED}:2026-03-02#3", f"{_PAGE}:E31", f"{_OUR_REVIEW}:E1", f"{_OURS}:2025-06-09#1"),
    (f"{_FEED}:2026-02-23#5", f"{_PAGE}:E32", f"{_OUR_REVIEW}:E2"),
    (f"{_FEED}:2026-02-23#7", f"{_PAGE}:E33"),
    (f"{_FEED}:2026-02-23#8", f"{_PAGE}:E34", f"{_OURS}:2025-06-23#6"),
    (f"{_FEED}:2026-02-23#9", f"{_PAGE}:E35", f"{_OURS}:2025-06-16#1"),
    (f"{_FEED}:2026-03-02#6", f"{_PAGE}:E36", f"{_OUR_REVIEW}:E7"),
    (f"{_FEED}:2026-03-02#10", f"{_OUR_REVIEW}:E10", f"{_OURS}:2025-06-16#2"),
]

# No two of each are one paper, however alike their titles are.
APART = [
    (f"{_FEED}:2026-03-02#2", "dair:2024-02-19#5"),  # one folded title
    (f"{_FEED}:2026-03-02#5", "dair:2024-07-08#1"),  # a later version of the work
    (f"{_FEED}:2026-03-02#9", "dair:2024-04-15#1", "dair:2024-07-22#1", "dair:2023-08-21#1"),
    ("dair:2024-02-19#2", "dair:2024-06-24#2"),
    ("dair:2024-10-28#5", "dair:2024-11-25#3"),  # first and second part
    ("dair:2024-11-25#7", "dair:2024-12-09#6", "dair:2025-01-06#10"),  # surveys of one subject
    ("dair:2025-03-17#6", "dair:2025-03-31#9"),
    ("dair:2024-07-22#3", "dair:2025-01-06#3", "dair:2024-06-24#4"),
    ("dair:2024-01-22#1", "2501.12375"),
    ("dair:2023-05-29#1", "2501.13926"),
    ("dair:2025-01-20#4", "dair:2024-06-10#4", "dair:2023-11-13#2"),
    ("dair:2025-01-20#5", "dair:2024-03-04#4"),
    (f"{_FEED}:2026-03-02#7", "2501.14342", "dair:2024-04-15#5", "dair:2024-03-18#10"),
    (f"{_FEED}:2026-03-02#3", f"{_FEED}:2026-02-23#5", "dair:2023-02-20#4", "dair:2024-09-02#3"),
    ("paperdive:E162", "paperdive:E163"),  # one heading for two
    ("dair:2025-12-22#8", "dair:2023-04-03#4"),
]
# One paper, but by no sign that a program could trust.
ONLY_PEOPLE = ("dair:2025-01-20#3", "2501.12599")


def _documents() -> list[Path]:
    ours = Path(bot.ingest.samples.__file__).parent.glob("*.txt")
    return [*map(shared_file, _SHARED), *sorted(ours)]


async def _imported(database: Database, paths: Sequence[Path]) -> None:
    for path in paths:
        report = await ingest(database, path.name, path.read_bytes(), ImportOptions(), NOW)
        assert report.error is None


def _papers(session: Session) -> dict[str, frozenset[str]]:
    """Return, by ref, the refs of all entries of the same paper."""
    found = defaultdict(set)
    for paper, ref in session.connection().execute(text("SELECT paper_id, ref FROM entry")):
        found[paper].add(ref)
    return {ref: frozenset(refs) for refs in found.values() for ref in refs}


@pytest.fixture(scope="module")
def real(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Return a store with all documents, in their order here."""
    path = shutil.copy(sqlite_template, tmp_path_factory.mktemp("real") / "store.db")
    with closing(Database(f"sqlite:///{path}")) as database:
        asyncio.run(_imported(database, _documents()))
        yield database


async def test_no_paper_stands_there_twice(real: Database) -> None:
    """No two papers have an arXiv id or a DOI in common, nor title and year where ids allow it."""
    columns = "entry.paper_id, entry.arxiv_id, entry.doi, entry.title, paper.year, paper.arxiv_id"
    query = f"SELECT {columns} FROM entry JOIN paper ON paper.id = entry.paper_id"  # noqa: S608 - ours

    def read(session: Session) -> list[tuple[object, ...]]:
        return [tuple(row) for row in session.connection().execute(text(query))]

    by_id, by_title = defaultdict(set), defaultdict(set)
    for paper, arxiv_id, doi, title, year, known in await real.read(read):
        for name in filter(None, (arxiv_id, doi)):
            by_id[name].add(paper)
        by_title[title_key(str(title)), year].add((paper, known))
    assert {len(each) for each in by_id.values()} == {1}
    for papers in by_title.values():
        assert len(papers) == 1 or all(known for _, known in papers)


async def test_pairs_that_were_judged_by_eye(real: Database) -> None:
    """What is one paper is joined, what is not stays apart, and people may say what else is one."""
    papers = await real.read(_papers)
    for refs in ONE:
        assert papers[refs[0]] == {*refs}
    for one, other in (pair for refs in APART for pair in combinations(refs, 2)):
        assert papers[one] != papers[other], (one, other)
    assert (len(papers), len(set(papers.values()))) == (788, 733)
    assert await real.read(doubtful) == []
    with pytest.raises(_UndoneError):
        await real.write(_merged)


def _merged(session: Session) -> NoReturn:
    """Say that two are one paper; what other tests read stays as it is."""
    duplicates.merge(session, *ONLY_PEOPLE, NOW)
    assert _papers(session)[ONLY_PEOPLE[0]] == {*ONLY_PEOPLE}
    raise _UndoneError


class _UndoneError(Exception):
    """Ends a transaction whose changes nobody wants."""


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    max_examples=settings().max_examples // 12,
)
@given(st.randoms(use_true_random=False))
def test_the_order_of_real_documents_never_matters(
    real: Database, sqlite_template: Path, tmp_path: Path, random: Random
) -> None:
    """Imported in any order, they make the same papers."""
    shuffled = _documents()
    random.shuffle(shuffled)
    path = shutil.copy(sqlite_template, tmp_path / "store.db")
    with closing(Database(f"sqlite:///{path}")) as database:
        asyncio.run(_imported(database, shuffled))
        papers = asyncio.run(database.read(_papers))
    assert papers == asyncio.run(real.read(_papers))
