"""A terminal of our own with the program on it: keys go in, what is drawn comes out."""

import os
import re
import select
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.flows.forked_program import Forked
from tests.flows.program import BROADSHEET, FORKING

_SECONDS = 30
# What steers a terminal and draws nothing: OSC strings, CSI sequences, single escapes, returns.
_STEERING = re.compile(
    rb"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[=>78]|[\r\x07]"
)


class Screen:
    """A pseudo-terminal of 80 by 24 with a program on it."""

    def __init__(self, ours: int, process: Forked) -> None:
        self.process = process
        self.raw = b""
        self._ours = ours
        self._read_to = 0

    def type(self, keys: str) -> None:
        """Press keys: letters, and control characters for the others."""
        os.write(self._ours, keys.encode())

    def wait_for(self, text: str) -> str:
        """Return what was drawn since the last call, up to and with this text.

        Raises:
            AssertionError: if it isn't drawn within half a minute, or the program ends before.
        """
        deadline = time.monotonic() + _SECONDS
        while text not in self.drawn[self._read_to :]:
            going_on = self._read(deadline - time.monotonic())
            assert going_on, f"{text!r} is missing after {self.drawn[self._read_to :]!r}"
        start, self._read_to = self._read_to, self.drawn.index(text, self._read_to) + len(text)
        return self.drawn[start : self._read_to]

    def end(self) -> int:
        """Wait for the end of the program and return its exit code."""
        deadline = time.monotonic() + _SECONDS
        while self._read(deadline - time.monotonic()):
            pass
        return self.process.wait(_SECONDS)

    @property
    def drawn(self) -> str:
        """The drawn output, in order."""
        return _STEERING.sub(b"", self.raw).decode("utf-8", "replace")

    def _read(self, seconds: float) -> bool:
        """Read what comes next; false at the end, or after so many seconds."""
        if not select.select([self._ours], [], [], max(seconds, 0))[0]:
            return False
        try:
            more = os.read(self._ours, 65536)
        except OSError:  # the program has closed its side
            return False
        self.raw += more
        return bool(more)


@contextmanager
def on_screen(
    folder: Path, *arguments: str, module: str | None = None, **settings: str
) -> Iterator[Screen]:
    """Run the program on a terminal, in a folder that is its home too.

    A `module` of the tests is run in its place, where one is named.
    """
    ours, its = os.openpty()
    termios.tcsetwinsize(its, (24, 80))
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "TERM": "xterm",
        # This terminal keeps no cursor, so it can't tell where that is.
        "PROMPT_TOOLKIT_NO_CPR": "1",
        **settings,
    }
    command = [str(BROADSHEET), *arguments]
    process = FORKING.start_on_terminal(command, folder, environment, its, module=module)
    os.close(its)
    try:
        yield Screen(ours, process)
    finally:
        process.kill()
        process.wait()
        os.close(ours)
