"""What goes on behind answers: it is waited for, and what goes wrong in it is logged."""

import asyncio
import logging

import pytest

from bot.accounts.members import Members
from store.database import Database
from store.errors import StoreBusy


async def test_what_goes_on_behind_answers_is_waited_for(database: Database) -> None:
    """Until it ends, or for as long as one has time; what begins later is another's."""
    people, ended = Members(database), asyncio.Event()
    await people.settled()

    async def work() -> None:
        await ended.wait()

    people.soon(work())
    await people.settled(0)
    waiting = asyncio.create_task(people.settled())
    assert not (await asyncio.wait({waiting}, timeout=0.1))[0]
    ended.set()
    await waiting


@pytest.mark.parametrize("error", [StoreBusy(), RuntimeError("unforeseen")])
async def test_what_goes_wrong_behind_an_answer_is_logged(
    database: Database, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    """What the store says in its words, anything else with where it happened."""
    people = Members(database)

    async def work() -> None:
        raise error

    with caplog.at_level(logging.WARNING):
        people.soon(work())
        await people.settled()
    [record] = caplog.records
    assert record.message == "not_noted"
    assert bool(record.exc_info) is isinstance(error, RuntimeError)
