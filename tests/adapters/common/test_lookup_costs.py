"""What each lookup costs, counted: statements, replies built, layouts, passes over text.

Whoever adds one sees it here. Mend what grew, or give the reason for the new figure.
"""

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.cli.ask import pretended
from adapters.discord.render.limits import PAPERS_ON_PAGE
from adapters.platform import find_platforms
from bot.app import Broadsheet
from bot.commands.handlers import COMMANDS
from bot.commands.parser import parse
from bot.commands.types import Group
from store.database import Database
from tests.adapters.common.work import Counted, Work, counting
from tests.bot.conftest import bot_of, copied_store, fill
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in

_SOMEBODY = replace(pretended("slack"), remembers=True)
ACTORS = {
    "slack": _SOMEBODY,
    "discord": replace(_SOMEBODY, platform="discord", by_name=True, page_size=PAPERS_ON_PAGE),
}
# Asked before the others, in this order: what is kept of an answer may serve those after it.
BEFORE = ("latest", "latest paperdive", "show dair:2026-01-05#2", "search routing")

# Statements, replies, layouts, passes. One statement of a list asks what of it the user has read.
COSTS: dict[str, dict[str, Work]] = {
    "slack": {
        "latest": Work(5, 3, 1, 28),
        "latest from:paperdive": Work(5, 3, 1, 18),
        "week 2026-W02": Work(7, 3, 1, 57),
        "show dair:2026-01-05#3": Work(17, 3, 1, 55),
        "show paperdive:E31": Work(18, 3, 1, 39),
        "search sparse attention": Work(15, 3, 1, 37),
        "search agents page:2": Work(12, 3, 1, 90),
        "search topic:agents": Work(8, 3, 1, 64),
        # Where nothing is found, the words are looked for once more, whatever the filters.
        "search agnets topic:agents from:dair since:2027": Work(13, 3, 1, 79),
        # A question is looked through for what it says of a person, contrasts and calls the best.
        "ask what does sparse attention attend to?": Work(21, 3, 1, 134),
        "related dair:2026-01-05#1": Work(17, 3, 1, 60),
        "random": Work(4, 4, 1, 12),
        "topic": Work(1, 3, 1, 12),
        "topic agents": Work(8, 3, 1, 95),
        "sources": Work(3, 3, 1, 13),
        "top 2026": Work(7, 3, 1, 282),
        "consensus 2026-W02": Work(4, 3, 1, 35),
        "trends": Work(5, 8, 1, 22),
        "brief 10": Work(17, 3, 1, 119),
        "status": Work(7, 4, 1, 18),
        "help": Work(0, 4, 1, 13),
    },
    "discord": {
        "latest": Work(5, 3, 1, 48),
        "latest from:paperdive": Work(5, 3, 1, 35),
        "week 2026-W02": Work(7, 3, 1, 65),
        "show dair:2026-01-05#3": Work(17, 3, 1, 69),
        "show paperdive:E31": Work(18, 3, 1, 49),
        "search sparse attention": Work(15, 3, 1, 48),
        "search agents page:2": Work(12, 3, 1, 87),
        "search topic:agents": Work(8, 3, 1, 61),
        # Where nothing is found, the words are looked for once more, whatever the filters.
        "search agnets topic:agents from:dair since:2027": Work(13, 3, 1, 87),
        "ask what does sparse attention attend to?": Work(21, 3, 1, 142),
        "related dair:2026-01-05#1": Work(17, 3, 1, 61),
        "random": Work(4, 4, 1, 17),
        "topic": Work(1, 3, 1, 33),
        "topic agents": Work(8, 3, 1, 74),
        "sources": Work(3, 3, 1, 31),
        "top 2026": Work(7, 3, 1, 287),
        "consensus 2026-W02": Work(4, 3, 1, 23),
        "trends": Work(5, 5, 1, 41),
        "brief 10": Work(17, 3, 1, 120),
        "status": Work(7, 4, 1, 34),
        "help": Work(0, 4, 1, 185),
    },
}


@pytest.fixture
def stocked(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    """Return a store with three sources, an edition of twenty papers among theirs."""
    yield from copied_store(sqlite_template, "costs.db", _stock, tmp_path / "costs.db")


def _stock(database: Database) -> None:
    fill(database)
    told = "Part {0} of many. It says what agents do: they plan (at length); they act."
    entries = (entry(rank, f"Agents, part {rank}", told.format(rank)) for rank in range(1, 21))
    draft = edition(*entries, first_day=MONDAY - timedelta(days=70))
    asyncio.run(database.write(take_in, draft, "other"))


@pytest.mark.parametrize("platform", COSTS)
def test_a_lookup_costs_what_it_did(platform: str, stocked: Database, tmp_path: Path) -> None:
    """No lookup asks the store, builds, lays out or reads more than is written here, nor less."""
    _costs(platform, stocked, tmp_path / "first.db")  # what is kept for all stores is kept then
    costs = _costs(platform, stocked, tmp_path / "second.db")
    assert costs == COSTS[platform]


def test_the_costs_of_every_lookup_are_known() -> None:
    """A new lookup has its figures here, a new platform a table."""
    lookups = {each.name for each in COMMANDS if each.group is Group.LOOKUP}
    assert find_platforms().keys() == COSTS.keys()
    for lines in COSTS.values():
        assert {line.partition(" ")[0] for line in lines} == lookups


def _costs(platform: str, stocked: Database, path: Path) -> dict[str, Work]:
    """Return what a bot that has just started does for each line, over a copy of a store."""
    shutil.copy(stocked.name, path)
    with counting() as counted, closing(Database(f"sqlite:///{path}", readers=1)) as database:
        app = bot_of(database, seconds=lambda: 0.0)  # what is kept for some seconds stays
        return asyncio.run(_asked(app, platform, counted))


async def _asked(app: Broadsheet, platform: str, counted: Counted) -> dict[str, Work]:
    show = find_platforms()[platform].preview
    actor, found = ACTORS[platform], {}
    for line in (*BEFORE, *COSTS[platform]):
        call = parse(line, COMMANDS)
        counted.begin()
        show(await (app.run(call, actor) if actor.by_name else app.run_text(line, actor)))
        await app.wait()  # until what was shown has been noted
        found[line] = counted.end()
    return {line: found[line] for line in COSTS[platform]}
