"""A process that answers requests: its life and its deaths."""

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import suppress

import pytest

from bot.coordination.worker_process import WorkerEndedError, WorkerProcess

# Answers with what its first message and a request say; ends, waits or tells of progress if asked.
_PROGRAM = """
import sys, time
from bot.coordination.worker_process import Progress, read_message, write_message
first = read_message(sys.stdin.buffer)
while (request := read_message(sys.stdin.buffer)) is not None:
    if request == "end":
        sys.exit("It had enough.")
    if request == "wait":
        time.sleep(60)
    if request == "count":
        for done in range(3):
            write_message(sys.stdout.buffer, Progress(done, 2))
    write_message(sys.stdout.buffer, (first, request))
"""


def _process(idle: float = 60.0) -> WorkerProcess:
    return WorkerProcess(_PROGRAM, idle=idle, first="first", keeps_errors=True)


def _is_running(process: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(process, 0)
        return True
    return False


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110 - nothing here could tell that a process ended
            await asyncio.sleep(0.02)


async def test_requests_share_a_process() -> None:
    """Messages of any length come whole, and whoever asks hears of progress before the answer."""
    process, long = _process(), "a" * 300_000
    assert await process.ask(long) == ("first", long)
    pid, heard = process.pid, list[tuple[int, int]]()
    assert await process.ask("count", lambda *told: heard.append(told)) == ("first", "count")
    assert (process.pid, heard) == (pid, [(0, 2), (1, 2), (2, 2)])
    await process.end()
    assert pid
    assert not _is_running(pid)


async def test_a_process_that_ends_over_a_request_says_why() -> None:
    """Its exit code and what it wrote, or the signal; the next request begins another one."""
    process = _process()
    with pytest.raises(WorkerEndedError, match="It had enough") as ended:
        await process.ask("end")
    assert (ended.value.code, process.pid) == (1, None)
    waiting = asyncio.create_task(process.ask("wait"))
    await _until(lambda: process.pid is not None)
    os.kill(process.pid or 0, 9)
    with pytest.raises(WorkerEndedError) as killed:
        await waiting
    assert killed.value.code == -9
    assert await process.ask("again") == ("first", "again")
    await process.end()


async def test_whoever_gives_up_waiting_ends_the_process() -> None:
    """It does not go on behind the back of whoever is told that nothing more happens."""
    process = _process()
    waiting = asyncio.create_task(process.ask("wait"))
    await _until(lambda: process.pid is not None)
    pid = process.pid
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert pid
    assert not _is_running(pid)
    assert process.pid is None


@pytest.mark.parametrize("idle", [0, 0.1])
async def test_without_requests_the_process_ends(idle: float) -> None:
    """At once or after a while, and another one begins when there is a request again."""
    process, seen = _process(idle), list[int]()
    for request in (1, 2):
        waiting = asyncio.create_task(process.ask(request))
        await _until(lambda: process.pid is not None)
        seen.append(process.pid or 0)
        assert await waiting == ("first", request)
        await _until(lambda: not _is_running(seen[-1]))
        assert process.pid is None
        # The loop hears of the end a little later than the system.
        await process.end()


async def test_it_ends_with_whoever_began_it() -> None:
    """A bot that is killed outright leaves no process behind."""
    bot = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _BOT, stdout=asyncio.subprocess.PIPE
    )
    assert bot.stdout
    pid = int(await bot.stdout.readline())
    assert _is_running(pid)
    bot.kill()
    await bot.wait()
    await _until(lambda: not _is_running(pid))


_BOT = f"""
import asyncio
from bot.coordination.worker_process import WorkerProcess

async def main():
    process = WorkerProcess({_PROGRAM!r}, idle=60, first="first")
    await process.ask("hello")
    print(process.pid, flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""
