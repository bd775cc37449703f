"""A paper that is withdrawn is marked in what was posted before that."""

from datetime import timedelta

import pytest

from store.database import Database
from store.library import arxiv
from store.library.arxiv import ArxivPaper
from store.records import DeliveryState, Layout
from tests.bot.ingest.drafts import entry
from tests.bot.posting.delivery.setup import DUE, Stage
from tests.fakes.arxiv import paper, withdrawn

pytestmark = pytest.mark.on_sqlite

_LATER = DUE + timedelta(hours=1)


async def _says(stage: Stage, said: ArxivPaper, at: timedelta) -> None:
    await stage.database.write(arxiv.store_answers, [said.arxiv_id], [said], DUE, DUE + at)


async def _posted(database: Database, layout: Layout) -> Stage:
    """Return a stage on which three papers were posted."""
    stage = Stage(database)
    await stage.takes_in(
        *(
            entry(n, f"Paper {n} <of> *three*", links=[f"https://arxiv.org/abs/2601.0000{n}"])
            for n in (1, 2, 3)
        )
    )
    await stage.ordered(layout)
    await stage.posted()
    return stage


async def _edited(stage: Stage, times: int) -> None:
    """Tick, and send until messages were edited so often, and then for two ticks more."""
    await stage.tick()
    async with stage.sending():
        while sum(each.edits for each in stage.client.messages) < times:
            await stage.until(DeliveryState.SENT)
        await stage.tick()
        await stage.tick()


async def test_a_withdrawal_edits_the_message_that_shows_the_paper(database: Database) -> None:
    """That, and the list of all, and no other; when it is undone, so is the mark."""
    stage = await _posted(database, Layout.THREAD)
    await _says(stage, withdrawn("2601.00002"), timedelta(hours=1))
    await _edited(stage, 2)
    assert [each.edits for each in stage.client.messages] == [1, 0, 1, 0]
    marked = ["Withdrawn: Paper 2 <of> *three*" in each.text for each in stage.client.messages]
    assert marked == [True, False, True, False]
    await _says(stage, paper("2601.00002", version=3), timedelta(hours=2))
    await _edited(stage, 4)
    assert [each.edits for each in stage.client.messages] == [2, 0, 2, 0]
    assert not any("Withdrawn" in each.text for each in stage.client.messages)


async def test_other_words_of_arxiv_edit_nothing(database: Database) -> None:
    """Authors and versions are told to whoever asks, and no post is put right for them."""
    stage = await _posted(database, Layout.FULL)
    await _says(stage, paper("2601.00002"), timedelta(hours=1))
    await _says(stage, paper("2601.00002", version=2), timedelta(hours=2))
    await stage.tick()
    async with stage.sending():
        await stage.until(DeliveryState.SENT)
        await stage.tick()
    assert "edit" not in stage.client.calls
