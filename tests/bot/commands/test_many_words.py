"""What words of no paper cost in a store of 40,000 different words."""

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import closing
from itertools import product
from pathlib import Path
from string import ascii_lowercase

import pytest
from sqlalchemy import Engine, event

from bot.commands.handlers import COMMANDS
from bot.library.search import UNCORRECTED
from bot.replies.plain_text import plain_text
from store.database import Database
from store.search import MOST_CORRECTED
from store.search.spelling import nearest
from store.text import MOST_WORDS
from tests.bot.conftest import READER, bot_of
from tests.slow_inputs.wide_store import UNKNOWN, fill_wide

_LONGEST = 780  # characters


@pytest.fixture(scope="module")
def wide(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Return a store of 40,000 different words."""
    path = tmp_path_factory.mktemp("wide") / "store.db"
    shutil.copy(sqlite_template, path)
    with closing(Database(f"sqlite:///{path}")) as database:
        fill_wide(database)
        yield database


@pytest.fixture
def statements() -> Iterator[list[str]]:
    """Return what any store is asked from now on."""
    said: list[str] = []

    def hear(*execution: object) -> None:
        said.append(" ".join(str(execution[2]).split()))

    event.listen(Engine, "before_cursor_execute", hear)
    yield said
    event.remove(Engine, "before_cursor_execute", hear)


def _readings(statements: list[str]) -> list[str]:
    """Return the statements that read more words than those that are named."""
    return [each for each in statements if "FROM word" in each and "length(word.word)" in each]


@pytest.mark.parametrize(
    ("command", "sign"),
    [
        *((each.name, " ") for each in COMMANDS),
        *product(("search", "show", "alert", "ask"), (",", '" "', " -", " OR ")),
    ],
)
def test_a_line_reads_the_vocabulary_once(
    wide: Database, statements: list[str], command: str, sign: str
) -> None:
    """However many words of a line are unknown, all words are read once at most."""
    line = f"{command} {sign.join(UNKNOWN)}"[:_LONGEST]
    app = bot_of(wide)
    for asking in (app.run_text, app.complete):
        statements.clear()
        asyncio.run(asking(line, READER))
        assert len(_readings(statements)) <= 1


@pytest.mark.parametrize("command", ["search", "show", "related", "save", "vote", "ask"])
def test_an_answer_says_that_spellings_were_left(wide: Database, command: str) -> None:
    """Of more unknown words than are compared the others are taken as typed, and that is said."""
    for words, is_said in ((UNKNOWN[:MOST_WORDS], True), (UNKNOWN[:MOST_CORRECTED], False)):
        answer = asyncio.run(bot_of(wide).run_text(f"{command} {' '.join(words)}", READER))
        assert (UNCORRECTED in plain_text(answer)) is is_said


@pytest.mark.parametrize("command", ["save", "unsave"])
def test_too_many_names_are_looked_up_by_nobody(
    wide: Database, statements: list[str], command: str
) -> None:
    """More papers than go at once are refused before any of them is looked for."""
    names = [f"dair:2026-01-05#{rank}" for rank in range(1, 27)]
    answer = asyncio.run(bot_of(wide).run_text(f"{command} {','.join(names)}", READER))
    assert "That is 26 papers; at most 25 go at once." in plain_text(answer)
    assert not any("FROM entry" in each for each in statements)


def test_of_very_many_near_words_few_are_counted() -> None:
    """A word that is near to thousands is weighed against some of them."""
    counted: list[str] = []

    def frequency(word: str) -> int:
        counted.append(word)
        return 2

    near = [f"attention{one}{two}" for one in ascii_lowercase for two in ascii_lowercase]
    assert nearest("attention", near, frequency)
    assert len(counted) < 30
