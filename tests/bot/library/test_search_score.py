"""How well real questions are answered, over the real documents.

The questions and their answers stand in `tests/data`: by one half of them the search was
improved, the other half was left alone and judges it.
"""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import pytest

from bot.app import Broadsheet
from bot.replies.blocks import PaperList
from tests.bot.conftest import READER

_DATA = Path(__file__).parents[2] / "data"
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


async def _shown(bot: Broadsheet, query: str) -> list[str]:
    reply = await bot.run_text(f"search {query}", READER)
    lists = (block for block in reply.blocks if isinstance(block, PaperList))
    return [line.ref for each in lists for line in each.papers]


@pytest.mark.parametrize(
    ("name", "in_chat", "least"),
    [
        ("search_queries.toml", False, Score(mrr=0.96, within_3=0.98, recall=0.96)),
        ("search_queries.toml", True, Score(mrr=0.74, within_3=0.79, recall=0.84)),
        # "cutoff october 2023" is a search in that month: a period needs no name.
        ("search_queries_held_out.toml", False, Score(mrr=0.96, within_3=0.95, recall=0.95)),
        # An English word that no paper holds is looked for as it is: of one query that finds less.
        ("search_queries_held_out.toml", True, Score(mrr=0.67, within_3=0.72, recall=0.75)),
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
