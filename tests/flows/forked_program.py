"""Runs the program's command line in a process forked from one that has loaded it.

Most of what a short call takes is to load the program, and the tests make some thousand calls. What
runs is the same: a process of its own, with its own folder, environment, pipes and exit code.

As a script this is the process that is forked.
"""

import atexit
import gc
import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Lock
from typing import IO, Any

_SECONDS = 120
# These are looked at when Python itself starts.
_OF_PYTHON = ("PYTHON", "LANG", "LC_")


class Forking:
    """A process that has loaded the program, and is forked for one call after the other."""

    def __init__(self) -> None:
        self._alone = Lock()
        self._channel: socket.socket | None = None

    def run(
        self, command: Sequence[str], folder: Path, variables: Mapping[str, str], words: str
    ) -> tuple[int, str, str] | None:
        """Run a command; return its exit code and what it printed.

        Return `None` where it takes a process of its own: while another call is under way, or
        where variables say how Python is to start.
        """
        if any(name.startswith(_OF_PYTHON) for name in variables):
            return None
        if not self._alone.acquire(blocking=False):
            return None
        try:
            return self._run({"argv": command, "cwd": str(folder), "env": variables}, words)
        finally:
            self._alone.release()

    def _run(self, order: Mapping[str, object], words: str) -> tuple[int, str, str]:
        channel = self._channel = self._channel or _started()
        with ExitStack() as stack:
            ends = [os.pipe() for _ in range(3)]
            theirs = [ends[0][0], ends[1][1], ends[2][1]]
            stdin = stack.enter_context(os.fdopen(ends[0][1], "w", encoding="utf-8"))
            printed = [
                stack.enter_context(os.fdopen(end, encoding="utf-8"))
                for end in (ends[1][0], ends[2][0])
            ]
            socket.send_fds(channel, [json.dumps(order).encode() + b"\n"], theirs)
            for each in theirs:
                os.close(each)
            with ThreadPoolExecutor(2) as readers:
                out, err = (readers.submit(each.read) for each in printed)
                _write(stdin, words)
                code = int(_line(channel))
                return code, out.result(), err.result()


def _write(stdin: IO[str], words: str) -> None:
    with suppress(BrokenPipeError):  # it may end before it has read all
        stdin.write(words)
    with suppress(BrokenPipeError):
        stdin.close()


def _line(channel: socket.socket) -> bytes:
    read = b""
    while not read.endswith(b"\n"):
        more = channel.recv(1 << 16)
        if not more:
            raise EOFError("the process that is forked has ended")
        read += more
    return read


def _started() -> socket.socket:
    ours, theirs = socket.socketpair()
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    with theirs:
        server = subprocess.Popen(
            [sys.executable, "-P", __file__, str(theirs.fileno())],
            env=kept,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
        )
    ours.settimeout(_SECONDS)
    atexit.register(server.wait)
    atexit.register(ours.close)
    return ours


def _serve(channel: socket.socket) -> None:
    """Fork for one order after the other, until there are no more."""
    gc.disable()
    from adapters.main import main

    gc.freeze()
    while True:
        order, streams, _, _ = socket.recv_fds(channel, 1 << 20, 3)
        if not order:
            return
        if not order.endswith(b"\n"):
            order += _line(channel)
        child = os.fork()
        if child == 0:
            break
        for each in streams:
            os.close(each)
        _, status = os.waitpid(child, 0)
        channel.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
    channel.close()
    _become(json.loads(order), streams)
    main()


def _become(order: Mapping[str, Any], streams: Sequence[int]) -> None:
    """Take what the program would have been started with."""
    for number, each in enumerate(streams):
        os.dup2(each, number)
        os.close(each)
    os.environ.clear()
    os.environ.update(order["env"])
    os.chdir(order["cwd"])
    sys.argv = [*order["argv"]]
    gc.enable()


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as way:
        _serve(way)
