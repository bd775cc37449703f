"""How well real questions are answered, over the real documents.

The questions and their answers stand in `tests/data`: by one half of them the search was
improved, the other half was left alone and judges it.
"""

import asyncio
import shutil
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean

import pytest

from bot.app import Broadsheet
from bot.ingest.pipeline import ImportOptions, ingest
from bot.replies.blocks import PaperList
from store.database import Database
from store.migrations.upgrade import upgrade
from tests.bot.conftest import READER, bot_of
from tests.conftest import fresh_postgres
from tests.shared_data import shared_file

_DATA = Path(__file__).parents[2] / "data"
_DOCUMENTS = (
    "seeds/002_dc9cd6f66951fc0f.txt",
    "seeds/001_60719b701ad4a391.txt",
    "seeds/000_6b97a1adf3c6bd05.txt",
    "archive-README.md",
)
_PAGE = 10


@dataclass(frozen=True)
class Question:
    """What is typed, which refs answer it, and what sort of question it is."""

    kind: str
    query: str
    answers: frozenset[str]


@dataclass(frozen=True)
class Score:
    """How well questions of one kind are answered, by the first page.

    `mrr` is the mean of one by the rank of the first answer, 0 where there is none; `within_3`
    the share of the questions that are answered by then; `recall` the mean share of the
    answers that are shown.
    """

    mrr: float
    within_3: float
    recall: float


def questions(name: str) -> list[Question]:
    """Read a file of questions."""
    tables = tomllib.loads((_DATA / name).read_text(encoding="utf-8"))["queries"]
    return [Question(each["kind"], each["query"], frozenset(each["answers"])) for each in tables]


def score(answered: Iterable[tuple[Question, list[str]]]) -> Score:
    """Compare what was shown for each question with its answers."""
    firsts, recalls = [], []
    for question, shown in answered:
        right = [place for place, ref in enumerate(shown, 1) if ref in question.answers]
        firsts.append(right[0] if right else None)
        recalls.append(len(right) / min(_PAGE, len(question.answers)))
    return Score(
        mrr=fmean(1 / first if first else 0 for first in firsts),
        within_3=fmean(first is not None and first <= 3 for first in firsts),
        recall=fmean(recalls),
    )


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def bot(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Broadsheet]:
    """Return a bot over the real documents, on each database."""
    documents = [shared_file(name) for name in _DOCUMENTS]
    if request.param == "sqlite":
        path = tmp_path_factory.mktemp("score") / "store.db"
        shutil.copy(request.getfixturevalue("sqlite_template"), path)
        yield from _bot(f"sqlite:///{path}", documents)
        return
    with fresh_postgres(request.getfixturevalue("postgres_server")) as url:
        yield from _bot(url, documents)


def _bot(url: str, documents: Sequence[Path]) -> Iterator[Broadsheet]:
    database = Database(url)
    upgrade(database.engine)
    asyncio.run(_take_in(database, documents))
    yield bot_of(database)
    database.close()


async def _take_in(database: Database, documents: Sequence[Path]) -> None:
    now = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
    for path in documents:
        report = await ingest(database, path.name, path.read_bytes(), ImportOptions(), now)
        assert report.error is None


async def _shown(bot: Broadsheet, query: str) -> list[str]:
    reply = await bot.run_text(f"search {query}", READER)
    lists = (block for block in reply.blocks if isinstance(block, PaperList))
    return [line.ref for each in lists for line in each.papers]


@pytest.mark.parametrize(
    ("name", "in_chat", "least"),
    [
        ("search_queries.toml", False, Score(mrr=0.96, within_3=0.98, recall=0.96)),
        ("search_queries.toml", True, Score(mrr=0.74, within_3=0.79, recall=0.84)),
        ("search_queries_held_out.toml", False, Score(mrr=0.96, within_3=0.96, recall=0.95)),
        ("search_queries_held_out.toml", True, Score(mrr=0.67, within_3=0.73, recall=0.76)),
    ],
)
async def test_real_questions_are_answered(
    bot: Broadsheet, name: str, *, in_chat: bool, least: Score
) -> None:
    """The answers stand as far up as when this was written, as well for what chats ask."""
    asked = (each for each in questions(name) if (each.kind == "chat") is in_chat)
    answered = [(each, await _shown(bot, each.query)) for each in asked]
    kinds = {
        kind: score(pair for pair in answered if pair[0].kind == kind)
        for kind in dict.fromkeys(question.kind for question, _ in answered)
    }
    reached = score(answered)
    assert reached.mrr >= least.mrr, kinds
    assert reached.within_3 >= least.within_3, kinds
    assert reached.recall >= least.recall, kinds
