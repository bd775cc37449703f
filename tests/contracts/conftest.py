"""A store whose answers are of every shape: in pages, in parts, with signs that mean much.

And a room of each chat platform, over a smaller store.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from adapters.platform import find_platforms
from store.database import Database
from store.library import arxiv
from tests.bot.conftest import WEEK, copied_store, fill, filled_store
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import NOW, take_in
from tests.contracts.stages.rooms import Room, in_discord, in_slack
from tests.fakes.arxiv import paper

OpensRoom = Callable[..., AbstractAsyncContextManager[Room]]
_ROOMS: dict[str, OpensRoom] = {"slack": in_slack, "discord": in_discord}

_NASTY = "<!channel> & @everyone: *Agents* in [one](https://a.example) `line`, 1. of <@U1>"
_LONG = " ".join(
    f"Sentence {number} says what agents do when they are many." for number in range(150)
)
_AGENTS = edition(
    entry(1, _NASTY, "_They_ speak **it**.\n\n# And > more.", highlights=["- [x] ~all~"]),
    entry(2, "Agents at length", _LONG, links=["https://example.org/agents_at_length"]),
    *(entry(rank, f"Agents, part {rank}", f"Part {rank} of many.") for rank in range(3, 41)),
    first_day=MONDAY - timedelta(days=70),
)  # fmt: skip
# Of a paper whose entry has no summary in one of its editions.
_TOLD = paper(
    "2601.00003",
    version=2,
    authors=("Ada *North*", "@everyone & <Co>", "Ben", "Cy"),
    abstract=f"{_NASTY} {_LONG[:1500]}",
    comment="This paper has been withdrawn by <@U1>, see [there](https://a.example)",
    updated_at=NOW,
    withdrawn=True,
)


@pytest.fixture
def stocked(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    """Return a store with three sources, an edition of forty papers among theirs.

    One paper of another was withdrawn from arXiv.
    """
    yield from copied_store(sqlite_template, "stocked.db", _stock, tmp_path / "stocked.db")


def _stock(database: Database) -> None:
    fill(database)
    asyncio.run(database.write(take_in, WEEK, "other"))
    asyncio.run(database.write(take_in, _AGENTS, "other"))
    asyncio.run(database.write(arxiv.store_answers, [_TOLD.arxiv_id], [_TOLD], NOW, NOW))


@pytest.fixture
def store(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    """Return a store with two newsletters and a review."""
    yield from filled_store(sqlite_template, tmp_path / "store.db")


@pytest.fixture(params=find_platforms())
def opens_room(request: pytest.FixtureRequest, store: Database) -> OpensRoom:
    """Return the function that opens a room of each chat platform."""
    return partial(_ROOMS[request.param], store)
