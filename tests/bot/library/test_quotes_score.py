"""How well real questions are answered with a sentence, over the real documents.

The questions stand in `tests/data/questions.toml`, with the facts that a right sentence holds: the
bounds were found by one half of them, the other half was left alone and judges them.
"""

import re
import tomllib
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.app import Broadsheet
from bot.replies.blocks import Quote
from tests.bot.conftest import READER

_QUESTIONS = Path(__file__).parents[2] / "data" / "questions.toml"


@dataclass(frozen=True)
class Score:
    """The shares of questions that a right sentence answers, or the first, and of those refused."""

    answered: float
    first: float
    refused: float


def _questions(*, held: bool) -> list[dict[str, Any]]:
    tables = tomllib.loads(_QUESTIONS.read_text(encoding="utf-8"))["questions"]
    return [each for each in tables if each.get("held", False) == held]


def _is_right(quote: Quote, answers: list[dict[str, Any]]) -> bool:
    """Tell whether a quote is of an entry that answers, with one of the facts as whole words."""
    return any(
        quote.ref == answer["ref"]
        and re.search(rf"(?<!\w){re.escape(fact)}(?!\w)", quote.text, re.IGNORECASE)
        for answer in answers
        for fact in answer["has"]
    )


async def _quotes(bot: Broadsheet, question: str) -> list[Quote]:
    reply = await bot.run_text(f"ask {question}", READER)
    assert not reply.failed
    return [block for block in reply.blocks if isinstance(block, Quote)]


@pytest.mark.parametrize(
    ("held", "least"),
    [
        (False, Score(answered=0.87, first=0.82, refused=0.97)),
        (True, Score(answered=0.78, first=0.7, refused=0.91)),
    ],
)
async def test_real_questions_are_answered_or_refused(
    bot: Broadsheet,
    held: bool,  # noqa: FBT001 - which half
    least: Score,
) -> None:
    """Three of four are answered, seven of ten at once, and nine of ten others are refused."""
    right: dict[str, list[bool]] = defaultdict(list)
    first: dict[str, list[bool]] = defaultdict(list)
    wrong: dict[str, list[bool]] = defaultdict(list)
    for question in _questions(held=held):
        quotes = await _quotes(bot, question["text"])
        if answers := question["answers"]:
            right[question["kind"]].append(any(_is_right(quote, answers) for quote in quotes))
            first[question["kind"]].append(any(_is_right(quote, answers) for quote in quotes[:1]))
        else:
            wrong[question["kind"]].append(not quotes)
    shares = [
        {kind: f"{sum(each)} of {len(each)}" for kind, each in kinds.items()}
        for kinds in (right, first, wrong)
    ]
    assert _share(right) >= least.answered, shares
    assert _share(first) >= least.first, shares
    assert _share(wrong) >= least.refused, shares


def _share(kinds: dict[str, list[bool]]) -> float:
    every = [each for kind in kinds.values() for each in kind]
    return sum(every) / len(every)
