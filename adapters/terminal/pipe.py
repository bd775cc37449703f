"""Lines of standard input where it is no terminal, or one that can't be drawn on."""

import asyncio
import os
import sys
import threading
from collections.abc import AsyncGenerator
from contextlib import suppress

STANDARD_INPUT = 0


async def piped_lines(prompt: str) -> AsyncGenerator[str, None]:
    """Yield the lines of standard input until it ends.

    A person who types them is asked by `prompt`, on standard error, where it mixes with no answer.
    """
    typed = os.isatty(STANDARD_INPUT)
    while True:
        if typed:
            sys.stderr.write(prompt)
            sys.stderr.flush()
        line = await _next_line()
        if not line:
            return
        yield line


async def _next_line() -> str:
    """Wait for a line of standard input; the end of input is an empty one.

    It is read in a daemon thread, since no thread that waits for a person can be cancelled:
    one of the event loop's own would keep the program from ending at a signal.
    """
    loop = asyncio.get_running_loop()
    line: asyncio.Future[str] = loop.create_future()

    def read() -> None:
        found = _read_line()
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(_answer, line, found)

    threading.Thread(target=read, name="prompt", daemon=True).start()
    return await line


def _answer(line: asyncio.Future[str], found: str) -> None:
    if not line.done():
        line.set_result(found)


def _read_line() -> str:
    """Read a line; input that can't be read, such as a folder or a lost terminal, has ended."""
    try:
        # Unbuffered: a thread that holds the lock of a buffer at the end is a fatal error.
        with open(STANDARD_INPUT, "rb", buffering=0, closefd=False) as lines:
            return lines.readline().decode("utf-8", "replace")
    except OSError:
        return ""
