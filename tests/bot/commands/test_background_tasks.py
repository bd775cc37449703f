"""Work behind answers: the bot waits for it at its end, and its errors are logged."""

import asyncio
import logging

import pytest

from bot.commands.types import BackgroundTasks
from store.errors import StoreBusy
from store.records import Person, Workspace

ANN, BEN = (Person(Workspace("slack", "T1"), each) for each in ("U1", "U2"))


async def test_background_tasks_are_waited_for() -> None:
    """Until they end, or for some seconds at most; tasks that begin later are not waited for."""
    tasks, ended = BackgroundTasks(), asyncio.Event()
    await tasks.wait()

    async def work() -> None:
        await ended.wait()

    tasks.start(work(), ANN)
    await tasks.wait(0)
    waiting = asyncio.create_task(tasks.wait())
    assert not (await asyncio.wait({waiting}, timeout=0.1))[0]
    ended.set()
    await waiting


async def test_an_answer_goes_before_what_is_noted_of_it() -> None:
    """A task begins after a pause, or as soon as its person waits for it."""
    tasks, begun = BackgroundTasks(pause=3600), asyncio.Event()

    async def work() -> None:
        begun.set()

    tasks.start(work(), ANN)
    await tasks.wait_for(BEN)
    assert not begun.is_set()
    await tasks.wait_for(ANN)
    assert begun.is_set()
    soon = BackgroundTasks(pause=0)
    begun.clear()
    soon.start(work(), ANN)
    await begun.wait()


async def test_a_person_waits_for_what_is_done_for_them_alone() -> None:
    """However long that takes, and never for what is done for others."""
    tasks, ended = BackgroundTasks(), asyncio.Event()

    async def work() -> None:
        await ended.wait()

    tasks.start(work(), ANN)
    await tasks.wait_for(BEN)
    waiting = asyncio.create_task(tasks.wait_for(ANN))
    assert not (await asyncio.wait({waiting}, timeout=0.1))[0]
    ended.set()
    await waiting


async def test_what_is_done_for_a_person_is_done_in_order() -> None:
    """A note of an earlier answer that takes long is no later one."""
    tasks, ended, done = BackgroundTasks(pause=0), asyncio.Event(), list[str]()

    async def work(name: str, *, waits: bool = False) -> None:
        if waits:
            await ended.wait()
        done.append(name)

    tasks.start(work("first", waits=True), ANN)
    tasks.start(work("second"), ANN)
    tasks.start(work("another's"), BEN)
    await tasks.wait_for(BEN)
    assert done == ["another's"]
    ended.set()
    await tasks.wait_for(ANN)
    assert done == ["another's", "first", "second"]


@pytest.mark.parametrize(
    ("error", "event"),
    [
        (StoreBusy(), "background_write_refused"),
        (RuntimeError("unforeseen"), "background_task_failed"),
    ],
)
async def test_errors_of_background_tasks_are_logged(
    error: Exception, event: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The store's with its reason, others with their traceback."""
    tasks = BackgroundTasks()

    async def work() -> None:
        raise error

    with caplog.at_level(logging.WARNING):
        tasks.start(work(), ANN)
        await tasks.wait()
    [record] = caplog.records
    assert record.message == event
    assert bool(record.exc_info) is isinstance(error, RuntimeError)


async def test_tasks_of_one_person_may_be_cancelled_in_any_order() -> None:
    """A loop that ends cancels them as it likes, and nothing of it is an error."""
    tasks, errors = BackgroundTasks(pause=3600), list[object]()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
    others = asyncio.all_tasks()

    async def work() -> None:
        pass

    tasks.start(work(), ANN)
    [first] = asyncio.all_tasks() - others
    tasks.start(work(), ANN)
    [last] = asyncio.all_tasks() - others - {first}
    await asyncio.sleep(0)
    for each in (last, first):
        each.cancel()
        await asyncio.wait({each})
        await asyncio.sleep(0)
    assert errors == []
