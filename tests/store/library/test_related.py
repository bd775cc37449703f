"""Related papers: by telling words and topics, each paper once, never the paper itself."""

from collections.abc import Sequence
from datetime import timedelta

from store.database import Database, Session
from store.library import mentions, related
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import stored

_ARXIV = ["https://arxiv.org/abs/2601.00001"]
WEEK = edition(
    entry(1, "Drafting tokens speculatively", "A draft model proposes tokens.", links=_ARXIV),
    entry(2, "Draft trees", "Speculatively drafted tokens stand in a tree."),
    entry(3, "Folding proteins", "Predicts the structure of a protein."),
    entry(4, "A tree of proteins", "Orders proteins by their descent."),
    entry(5, "Nothing like the others at all", "Zymurgy quixotically."),
)
LATER = edition(
    entry(1, "Drafting tokens speculatively, again", "Tokens, drafted.", links=_ARXIV),
    first_day=MONDAY + timedelta(days=7),
)


def _titles(session: Session, ref: str, limit: int) -> Sequence[str]:
    [mention] = mentions.by_ref(session, ref)
    found = related.related_to(session, mention, related.weights(session), limit)
    return [each.entry.title for each in found]


async def test_what_shares_the_telling_words_is_related(database: Database) -> None:
    """The likest stands first, and both databases agree on it."""
    await stored(database, WEEK)
    assert (await database.read(_titles, "dair:2026-01-05#1", 10))[0] == "Draft trees"
    assert (await database.read(_titles, "dair:2026-01-05#3", 10))[0] == "A tree of proteins"


async def test_a_paper_is_not_related_to_itself(database: Database) -> None:
    """Neither the entry nor another mention of its paper is among the answers."""
    await stored(database, WEEK, LATER)
    for ref in ("dair:2026-01-05#1", "dair:2026-01-12#1"):
        titles = await database.read(_titles, ref, 10)
        assert not [title for title in titles if title.startswith("Drafting")]


async def test_a_paper_stands_once(database: Database) -> None:
    """Of a paper that two editions name only the likest mention is shown."""
    await stored(database, WEEK, LATER)
    titles = await database.read(_titles, "dair:2026-01-05#2", 10)
    assert len([title for title in titles if title.startswith("Drafting")]) == 1


async def test_no_more_are_given_than_were_asked_for(database: Database) -> None:
    """The limit holds, and a paper that shares nothing has no relatives."""
    await stored(database, WEEK)
    assert len(await database.read(_titles, "dair:2026-01-05#1", 1)) == 1
    assert await database.read(_titles, "dair:2026-01-05#5", 10) == []


async def test_what_is_kept_between_papers_changes_no_answer(database: Database) -> None:
    """All papers of an edition have the same relatives as one at a time."""
    await stored(database, WEEK, LATER)

    def both(session: Session) -> tuple[list[object], list[object]]:
        weights, known = related.weights(session), related.Known()
        refs = [f"dair:2026-01-05#{rank}" for rank in range(1, 6)]
        papers = [mentions.by_ref(session, ref)[0] for ref in refs]
        alone = [related.related_to(session, each, weights, 10) for each in papers]
        together = [related.related_to(session, each, weights, 10, known) for each in papers]
        assert known.vectors
        return [*alone], [*together]

    alone, together = await database.read(both)
    assert together == alone
