"""Posts of the consensus: one after its week, and corrected where a source is."""

from datetime import UTC, datetime, timedelta

import pytest

from store.database import Database
from store.records import Layout
from tests.bot.ingest.drafts import MONDAY, edition
from tests.bot.ingest.imports import take_in
from tests.bot.posting.delivery.setup import DUE, Stage, until
from tests.store.consensus.fused_weeks import paper, takes_in, week

pytestmark = pytest.mark.on_sqlite

_FROM = ("consensus",)


async def _with_two_sources(database: Database) -> Stage:
    await takes_in(database, ("dair", week(1, 2)), ("other", week(2, 3)))
    return Stage(database)


async def test_a_channel_gets_one_post_once_the_week_ended(database: Database) -> None:
    """Nothing is due while it may still change; then it is due once, whatever ticks come."""
    stage = await _with_two_sources(database)
    sunday = datetime(2026, 1, 11, 20, tzinfo=UTC)
    stage.clock.at = sunday
    await stage.ordered(sources=_FROM, weekday=6, next_due_at=sunday)
    await stage.tick()
    assert await stage.deliveries() == []
    stage.clock.at = DUE
    delivery = await stage.posted()
    assert (delivery.source, delivery.first_day) == ("consensus", MONDAY)
    await stage.tick()
    assert len(await stage.deliveries()) == 1
    [post] = stage.client.messages
    assert post.text.startswith("Consensus of the Week · Jan 5–11, 2026")
    assert "from consensus · 3 papers" in post.text


@pytest.mark.parametrize("layout", list(Layout))
async def test_a_correction_of_a_source_corrects_the_post(
    database: Database, layout: Layout
) -> None:
    """The post is edited where it stands, and nothing is posted again."""
    stage = await _with_two_sources(database)
    await stage.ordered(layout, sources=_FROM)
    await stage.posted()
    stood = len(stage.client.messages)
    shown = 2 if layout is Layout.THREAD else 1  # in the root and in the reply
    mended = edition(paper(1, 2, "Mended words."), paper(2, 3))
    stage.clock.at = DUE + timedelta(hours=1)
    await database.write(take_in, mended, "other", stage.clock.at)
    await stage.tick()
    async with stage.sending():
        await until(lambda: sum(each.edits for each in stage.client.messages) >= shown)
    edited = [each.text for each in stage.client.messages if each.edits]
    assert len(edited) == shown
    assert all("Mended words" in text for text in edited)
    assert len(stage.client.messages) == stood
    assert len(await stage.deliveries()) == 1


async def test_a_late_source_leaves_each_paper_where_it_was_posted(database: Database) -> None:
    """Whose entry shows a paper may change; the message about it stays the one about it.

    Paper 2 was posted as other has it, and dair ranks it as high.
    """
    await takes_in(database, ("paperdive", week(1)), ("other", week(2, 1)))
    stage = Stage(database)
    await stage.ordered(Layout.THREAD, sources=_FROM)
    await stage.posted()
    assert "#2 in consensus" in stage.client.messages[2].text
    assert "other:2026-01-05#1" in stage.client.messages[2].text
    stage.clock.at = DUE + timedelta(hours=1)
    await database.write(take_in, week(2), "dair", stage.clock.at)
    await stage.tick()
    async with stage.sending():
        await until(lambda: stage.client.messages[2].edits > 0)
    said = stage.client.messages[2].text
    assert "no longer" not in said
    assert said.startswith("2  Paper 2\n#1 in consensus")
    assert "dair:2026-01-05#1" in said
