"""The index of authors: in step with what arXiv says, and what is found in it."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import delete, select

from store.database import Database, Session
from store.library import arxiv, authors, mentions
from store.search import Filters
from store.tables.library import AuthorWordRow
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.imports import take_in
from tests.fakes.arxiv import paper

_NOW = datetime(2026, 1, 20, tzinfo=UTC)


async def _told(database: Database, **names: tuple[str, ...]) -> None:
    """Store arXiv's answer about papers, `a1` for 2601.00001, with their authors."""
    told = [paper(f"2601.0000{name[1:]}", authors=given) for name, given in names.items()]
    ids = [each.arxiv_id for each in told]
    await database.write(arxiv.store_answers, ids, told, _NOW, _NOW)


def _rows(session: Session) -> set[tuple[str, str, str]]:
    return {(row.word, row.name, row.arxiv_id) for row in _all(session)}


def _all(session: Session) -> list[AuthorWordRow]:
    return list(session.connection().execute(select(AuthorWordRow)))  # type: ignore[arg-type] # rows have the columns


async def test_the_index_follows_what_arxiv_says(database: Database) -> None:
    """An author who left a paper is found no more; one who came is."""
    await _told(database, a1=("Ada Lovelace", "Li Li"))
    await _told(database, a1=("Ada Lovelace", "Émilie du Châtelet"))
    found = await database.read(_rows)
    names = {"ada lovelace", "emilie du chatelet"}
    assert found == {(word, name, "2601.00001") for name in names for word in name.split()}


async def test_what_an_older_program_left_out_comes_with_the_next_answer(
    database: Database,
) -> None:
    """The same answer again fills the index of its papers."""
    await _told(database, a1=("Ada Lovelace",))
    await database.write(lambda session: session.connection().execute(delete(AuthorWordRow)))
    assert not await database.read(authors.any_stored)
    await _told(database, a1=("Ada Lovelace",))
    assert await database.read(authors.is_known, "lovelace")


async def test_an_author_s_papers_are_found_by_either_id(database: Database) -> None:
    """By whichever edition names them, each once."""
    links = ["https://arxiv.org/abs/2601.00001"]
    await database.write(take_in, edition(entry(1, "Engines", links=links), entry(2, "Kites")))
    await _told(database, a1=("Ada Lovelace",), a2=("Ada Kite",))
    found = await database.read(mentions.newest, Filters(author="ada"), _NOW.date(), 10)
    assert [each.entry.title for each in found] == ["Engines"]
    assert await database.read(mentions.newest, Filters(author="a. b."), _NOW.date(), 10) == []


@pytest.mark.parametrize(
    ("beginning", "names"),
    [
        ("lo", ["Ada Lovelace", "Lo Lowe"]),
        ("ada lo", ["Ada Lovelace"]),
        ("lovelace a", ["Ada Lovelace"]),
        ("A. lo", ["Ada Lovelace"]),
        ("l", []),
        ("", []),
    ],
)
async def test_names_are_completed(database: Database, beginning: str, names: list[str]) -> None:
    """As arXiv writes them, those of most papers first."""
    await _told(database, a1=("Ada Lovelace", "Lo Lowe"), a2=("Ada Lovelace",))
    found = await database.read(authors.beginning, beginning, 9)
    assert [name for name, _ in found] == names


async def test_the_nearest_names_have_a_word_in_common_or_are_spelt_alike(
    database: Database,
) -> None:
    """Names with the word come before names with one like it."""
    await _told(database, a1=("Ada Lovelace", "Ada Smith"), a2=("Ada Smith",))
    both = [("Ada Smith", 2), ("Ada Lovelace", 1)]
    assert await database.read(authors.nearest, "ada lovelase", 9) == both
    assert await database.read(authors.nearest, "lovelase", 9) == [("Ada Lovelace", 1)]
    assert await database.read(authors.nearest, "zz", 9) == []
