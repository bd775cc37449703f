"""Runs the program in processes forked from one that has loaded it.

Most of what a short call takes, and a bot until it serves, is to load the program, and the tests
start it some thousand times. What runs is the same: a process of its own, with its own folder,
environment, pipes and exit code.

As a script this is the process that is forked.
"""

import atexit
import gc
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any, NoReturn, Self

_SECONDS = 120
_ROOT = Path(__file__).parents[2]
# These are looked at when Python itself starts, or when a library is loaded.
_AT_START = ("PYTHON", "LANG", "LC_", "TZ", "SSL_")
# What the program loads only where it needs it, and what is loaded for a picture or a migration.
_LATE = ("alembic.command", "feedparser", "rapidfuzz.distance", "selectolax.lexbor")
_NOT_LOADED = ("bot.plots.drawing", "store.migrations.env", "store.migrations.versions")


class Forked:
    """A process that was forked, as `subprocess.Popen` would show it."""

    def __init__(self, streams: Sequence[int | None], told: socket.socket) -> None:
        self.returncode: int | None = None
        self.stdin, self.stdout, self.stderr = (
            None if end is None else os.fdopen(end, mode, encoding="utf-8")
            for end, mode in zip(streams, "wrr", strict=True)
        )
        self._told = told
        self._waiting = threading.Lock()
        self.pid = int(_line(told))

    def poll(self) -> int | None:
        """Return the exit code, `None` while it runs."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = _SECONDS) -> int:
        """Return the exit code once it has ended.

        Raises:
            subprocess.TimeoutExpired: if it does not in so many seconds.
        """
        with self._waiting:
            if self.returncode is None:
                if not select.select([self._told], [], [], timeout)[0]:
                    raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
                self.returncode = int(_line(self._told))
                self._told.close()
            return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it, unless it has ended."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, words: str = "") -> tuple[str, str]:
        """Give it these words, wait for its end, and return what it printed."""
        with self, ThreadPoolExecutor(2) as readers:
            out, err = (readers.submit(_text, each) for each in (self.stdout, self.stderr))
            if self.stdin and not self.stdin.closed:
                _write(self.stdin, words)
            self.wait()
            return out.result(), err.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for each in (self.stdin, self.stdout, self.stderr):
            if each:
                with suppress(BrokenPipeError):
                    each.close()
        self.wait()


class Forking:
    """A process that has loaded the program, and is forked for one order after the other."""

    def __init__(self) -> None:
        self._alone = threading.Lock()
        self._channel: socket.socket | None = None

    @staticmethod
    def can(variables: Mapping[str, str]) -> bool:
        """Tell whether these variables leave alone how Python and libraries start."""
        return not any(name.startswith(_AT_START) for name in variables)

    def start(
        self,
        command: Sequence[str],
        folder: Path,
        variables: Mapping[str, str],
        *,
        stderr: int | None = None,
        module: str | None = None,
    ) -> Forked:
        """Fork a process for a command, or for a module of the tests with arguments like it.

        What it writes to standard error goes to the file `stderr`, to a pipe where there is none.
        """
        order = {"argv": command, "cwd": str(folder), "env": variables, "module": module}
        with ExitStack() as stack:
            (stdin, to), (out, stdout) = os.pipe(), os.pipe()
            err, errors = os.pipe() if stderr is None else (None, os.dup(stderr))
            for each in (stdin, stdout, errors):
                stack.callback(os.close, each)
            return self._forked(order, (stdin, stdout, errors), (to, out, err))

    def start_on_terminal(
        self,
        command: Sequence[str],
        folder: Path,
        variables: Mapping[str, str],
        terminal: int,
        *,
        module: str | None = None,
    ) -> Forked:
        """Do as `start` does, on a terminal."""
        order = {"argv": command, "cwd": str(folder), "env": variables, "module": module}
        return self._forked(order, (terminal, terminal, terminal), (None, None, None))

    def _forked(
        self, order: Mapping[str, Any], its: Sequence[int], ours: Sequence[int | None]
    ) -> Forked:
        """Fork a process with these streams, of which we hold the other ends."""
        told, tells = socket.socketpair()
        with tells, self._alone:
            channel = self._channel = self._channel or _started()
            line = json.dumps(order).encode() + b"\n"
            socket.send_fds(channel, [line], [*its, tells.fileno()])
            told.settimeout(_SECONDS)
            return Forked(ours, told)


def _text(stream: IO[str] | None) -> str:
    return stream.read() if stream and not stream.closed else ""


def _write(stdin: IO[str], words: str) -> None:
    with suppress(BrokenPipeError):  # it may end before it has read all
        stdin.write(words)
    with suppress(BrokenPipeError):
        stdin.close()


def _line(channel: socket.socket) -> bytes:
    read = b""
    while not read.endswith(b"\n"):
        # No more than the line: the next one may stand behind it.
        more = channel.recv(1)
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
    atexit.register(server.wait)
    atexit.register(ours.close)
    return ours


def _load() -> None:
    """Load all that the program may need."""
    for name in ("store", "bot", "adapters"):
        package = import_module(name)
        for each in pkgutil.walk_packages(package.__path__, f"{name}."):
            if not each.name.startswith(_NOT_LOADED):
                import_module(each.name)
    for name in _LATE:
        import_module(name)


def _serve(channel: socket.socket) -> None:
    """Fork for one order after the other, until there are no more."""
    gc.disable()
    _load()
    gc.freeze()
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes)
    running: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([channel.fileno(), woken], [], [])
        if woken in ready:
            os.read(woken, 1 << 16)
            _tell_ends(running)
        if channel.fileno() not in ready:
            continue
        order, fds, _, _ = socket.recv_fds(channel, 1 << 20, 4)
        if not order:
            return
        while not order.endswith(b"\n"):
            order += channel.recv(1 << 20)
        *streams, tells = fds
        child = os.fork()
        if child == 0:
            break
        for each in streams:
            os.close(each)
        os.write(tells, b"%d\n" % child)
        running[child] = tells
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    channel.close()
    for each in (woken, wakes, tells, *running.values()):
        os.close(each)
    _become(json.loads(order), streams)


def _tell_ends(running: dict[int, int]) -> None:
    """Tell the exit codes of those that have ended."""
    for child, tells in [*running.items()]:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            del running[child]
            with suppress(BrokenPipeError):  # nobody waits for it any more
                os.write(tells, b"%d\n" % os.waitstatus_to_exitcode(status))
            os.close(tells)


def _become(order: Mapping[str, Any], streams: Sequence[int]) -> NoReturn:
    """Take what the program would have been started with, run it and end."""
    for number, each in enumerate(streams):
        os.dup2(each, number)
        os.close(each)
    assert isinstance(sys.stdout, TextIOWrapper)
    sys.stdout.reconfigure(line_buffering=os.isatty(1))
    os.environ.clear()
    os.environ.update(order["env"])
    os.chdir(order["cwd"])
    sys.argv = [*order["argv"]]
    gc.enable()
    code: object = None
    try:
        if order["module"]:
            sys.path.append(str(_ROOT))
            runpy.run_module(order["module"], run_name="__main__")
        else:
            from adapters.main import main

            main()
    except SystemExit as end:
        code = end.code
    _end(int(str(code or 0)))


def _end(code: int) -> NoReturn:
    """End as Python does, and as `multiprocessing` does leave memory alone.

    To take down all that was loaded would copy it first: half of what a call takes.
    """
    threading._shutdown()  # type: ignore[attr-defined]  # noqa: SLF001 - `multiprocessing` does
    atexit._run_exitfuncs()  # noqa: SLF001 - the same
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as way:
        _serve(way)
