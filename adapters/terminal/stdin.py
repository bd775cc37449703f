"""Lines of standard input from a pipe or a dumb terminal."""

import asyncio
import os
import sys
import threading
from collections.abc import AsyncGenerator
from contextlib import suppress

STANDARD_INPUT = 0


async def piped_lines(prompt: str) -> AsyncGenerator[str, None]:
    """Yield the lines of standard input until its end.

    On a terminal the prompt is written to standard error, apart from the replies.
    """
    is_terminal = os.isatty(STANDARD_INPUT)
    while True:
        if is_terminal:
            sys.stderr.write(prompt)
            sys.stderr.flush()
        line = await _next_line()
        if not line:
            return
        yield line


async def _next_line() -> str:
    """Return the next line of standard input, empty at its end.

    A daemon thread reads it: a blocked thread can't be cancelled, and one of the event loop's
    executor would keep the program from ending at a signal.
    """
    loop = asyncio.get_running_loop()
    line: asyncio.Future[str] = loop.create_future()

    def read() -> None:
        text = _read_line()
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(_set_result, line, text)

    threading.Thread(target=read, name="prompt", daemon=True).start()
    return await line


def _set_result(line: asyncio.Future[str], text: str) -> None:
    if not line.done():
        line.set_result(text)


def _read_line() -> str:
    """Read a line; input that can't be read, such as a lost terminal, counts as ended."""
    try:
        # Unbuffered: Python aborts if a thread holds the lock of a buffer at exit.
        with open(STANDARD_INPUT, "rb", buffering=0, closefd=False) as lines:
            return lines.readline().decode("utf-8", "replace")
    except OSError:
        return ""
